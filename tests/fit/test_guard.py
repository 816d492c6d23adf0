"""The guard over passes of thresholding: what it undoes, and how sure it lets probabilities be."""

import numpy as np
import pytest

from lapviz.estimates import codes
from lapviz.fit import guard
from lapviz.fit.supervised import Supervised

CLASSES = np.repeat([0, 1], 100)
EVEN, ONES = np.array([0.5, 0.5]), np.ones(200)


def shares(right, sure=0.2):
    """Balanced shares (200, 2): the class of each point by ``sure``, where it is right."""
    code = np.where(right, CLASSES, 1 - CLASSES)
    return 0.5 + sure * (np.eye(2)[code] - 0.5)


def judged(before, after, every=20):
    """The verdict where each fold has the same shares as the whole."""
    held = [np.arange(k, 200, 5)[::every] for k in range(5)]
    return guard.judge([before] * 6, [after] * 6, held, [CLASSES[h] for h in held], EVEN, ONES)


ALL = np.ones(200, bool)
SOME = np.arange(200) % 10 < 6  # six in ten


@pytest.mark.parametrize(("before", "after", "undone"), [
    (ALL, ALL, ""),
    (SOME, ALL, ""),
    (ALL, CLASSES == 1, "leave a class 0.0% of the sample, of which it should have 50%"),
    (ALL, SOME, "held-out labels"),
    (CLASSES == 0, CLASSES == 0, ""),  # nothing is worse for the passes
])  # fmt: skip
def test_passes_that_lose_a_class_or_labels_held_back_are_undone(before, after, undone):
    verdict = judged(shares(before), shares(after), every=1)
    assert bool(verdict.undone) == bool(undone)
    assert undone in verdict.undone


def test_a_few_labels_lost_by_chance_are_no_reason():
    after = ALL.copy()
    held = np.concatenate([np.arange(k, 200, 5)[::20] for k in range(5)])
    after[held[:3]] = False  # of ten
    assert not judged(shares(ALL), shares(after)).undone


def test_probabilities_are_as_sure_as_held_back_labels_are_right():
    found = {}
    for name, right in (("six in ten", SOME), ("all", ALL)):
        made, whole = judged(shares(right), shares(right), every=1), shares(right)
        odds = np.exp((whole.max(axis=1) - whole.min(axis=1)) / made.temperature)
        found[name] = (odds / (1 + odds)).mean()
    assert found["six in ten"] == pytest.approx(0.6, abs=0.05)
    assert found["all"] > 0.97


def test_few_labels_held_back_leave_probabilities_near_four_fifths_and_many_tell_them():
    """Beside one label a class, of which none is held back, that is all."""
    whole = shares(ALL)

    def sure(verdict):
        return codes.softmax(whole, verdict.temperature).max(axis=1).mean()

    nothing = guard.judge([whole], [whole], [], [], EVEN, ONES)
    assert sure(nothing) == pytest.approx(0.8)
    right = [sure(judged(whole, whole, every)) for every in (20, 5, 1)]
    assert 0.8 < right[0] < right[1] < right[2]
    seven = ALL.copy()
    seven[:3] = False  # of the ten held back
    assert sure(judged(shares(seven), shares(seven), 20)) < 0.8


def test_a_linear_part_is_weighed_the_same_however_sure_probabilities_may_be(monkeypatch):
    """The prior of what is given changes probabilities, and no class."""
    rng = np.random.default_rng(0)
    X = np.c_[CLASSES + 0.3 * rng.normal(size=200), rng.normal(size=200)]
    some = np.r_[0:10, 100:110]
    linear = Supervised.of(X[some], CLASSES[some], 2, X)
    held = [np.arange(k, 20, 5) for k in range(5)]
    odds, made = linear.held_out(held), []
    for sd in (guard.FINAL_SD, 1e-3):
        monkeypatch.setattr(guard, "FINAL_SD", sd)
        before = [shares(ALL)] * 6
        known = [CLASSES[some[h]] for h in held]
        made.append(
            guard.judge(before, before, [some[h] for h in held], known, EVEN, ONES, odds, linear)
        )
    one, other = made
    assert one.temperature != pytest.approx(other.temperature)
    assert one.share == other.share
    np.testing.assert_array_equal(one.linear.weights, other.linear.weights)


def test_probabilities_of_labels_held_back_are_those_of_the_scores_that_are_given():
    """Where regressions say of them what they say with them, and the estimate too."""
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 4)) + 3 * np.eye(3, 4)[classes]
    some = np.r_[0:10, 40:50, 80:90]
    linear = Supervised.of(X[some], classes[some], 3, X)
    held = [some[k::5] for k in range(5)]
    order = np.concatenate(held)
    odds = np.array([its.linear(X[order]) for its in linear.regressions])
    whole = np.eye(3)[rng.permutation(classes)] + 0.1 * rng.random((120, 3))
    known, ones = [classes[h] for h in held], np.ones(120)
    verdict = guard.judge([whole] * 6, [whole] * 6, held, known, ones[:3] / 3, ones, odds, linear)
    scores = verdict.share * whole + verdict.linear(X)
    found = codes.softmax(scores[order], verdict.temperature)
    np.testing.assert_allclose(found, verdict.probabilities, rtol=1e-9)
    assert verdict.share < 0.5


def test_folds_hold_every_label_once_but_the_only_one_of_a_class_in_whatever_order():
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1, 2], [1, 2, 12])
    values = rng.random((15, 3))
    folds = guard.folds(classes, values)
    assert len(folds) == 5
    np.testing.assert_array_equal(np.sort(np.concatenate(folds)), np.arange(1, 15))
    assert all(len(np.setdiff1d(np.arange(15), fold)) >= 12 for fold in folds)
    assert all(set(np.delete(classes, fold)) == {0, 1, 2} for fold in folds)
    order = rng.permutation(15)
    again = guard.folds(classes[order], values[order])
    assert [sorted(order[fold]) for fold in again] == [sorted(fold) for fold in folds]
    assert guard.folds(np.arange(3), values[:3]) == []
