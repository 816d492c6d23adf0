"""The guard over passes of thresholding: what it undoes, and how it calibrates probabilities."""

import numpy as np
import pytest
from scipy.sparse import diags
from sklearn.metrics import cohen_kappa_score

from lapviz import LaplacianClassifier
from lapviz.estimates import codes
from lapviz.fit import guard
from lapviz.fit.supervised import Columns, Supervised

CLASSES = np.repeat([0, 1], 100)
EVEN, ONES = np.array([0.5, 0.5]), np.ones(200)


def shares(correct, confidence=0.2):
    """Balanced shares (200, 2), leading by ``confidence`` for the true class where ``correct``."""
    predicted = np.where(correct, CLASSES, 1 - CLASSES)
    return 0.5 + confidence * (np.eye(2)[predicted] - 0.5)


def verdict_of(before, after, step=20):
    """The verdict if each fold has the same shares as all labels."""
    positions = [np.arange(k, 200, 5)[::step] for k in range(5)]
    return guard.judge(
        [before] * 6, [after] * 6, positions, [CLASSES[h] for h in positions], EVEN, ONES
    )


ALL = np.ones(200, bool)
SOME = np.arange(200) % 10 < 6  # six in ten


@pytest.mark.parametrize(("before", "after", "undone"), [
    (ALL, ALL, ""),
    (SOME, ALL, ""),
    (ALL, CLASSES == 1, "leave a class 0.0% of the sample, of which it should have 50%"),
    (ALL, SOME, "held-out labels"),
    (CLASSES == 0, CLASSES == 0, ""),  # the passes make nothing worse
])  # fmt: skip
def test_passes_that_lose_a_class_or_held_out_labels_are_undone(before, after, undone):
    verdict = verdict_of(shares(before), shares(after), step=1)
    assert bool(verdict.undone) == bool(undone)
    assert undone in verdict.undone


def test_the_class_that_is_named_is_one_that_the_passes_lost():
    """Class 0 has no point before the passes either."""
    classes = np.array([0, 1, 1, 2])
    before, after = np.eye(3)[[1, 1, 1, 2]], np.eye(3)[[1, 1, 1, 1]]
    prior = np.array([0.1, 0.5, 0.4])
    verdict = guard.judge([before], [after], [], [classes], prior, np.ones(4))
    assert "of which it should have 40%" in verdict.undone


def test_the_stability_is_from_kappa_and_the_labels_that_are_not_alone():
    """Points on a line; classes are AABBBAA, so that there are three regions."""
    classes, weights = np.array([0, 0, 1, 1, 1, 0, 0]), np.arange(1.0, 8)
    chain = diags([np.ones(6), np.ones(6)], [-1, 1], format="csr")
    others = np.array([0, 0, 1, 1, 0, 0, 0]), np.array([1, 0, 1, 1, 1, 0, 1])
    shares = [np.eye(2)[codes] for codes in (classes, *others)]
    kappa = np.mean([cohen_kappa_score(classes, o, sample_weight=weights) for o in others])
    for positions, checked in (([0, 1, 2, 4], 1.0), ([0, 2, 4, 6], 0.5), ([1, 3, 5], 0.0)):
        stability = guard.stability(shares, chain, np.array(positions), weights)
        assert stability == pytest.approx(1 - checked * (1 - kappa**4))
    rest = np.array([0, 1])
    assert guard.stability([shares[0], shares[0]], chain, rest, weights) == pytest.approx(1)
    assert guard.stability([shares[0], 1 - shares[0]], chain, rest, weights) == pytest.approx(0)
    everywhere = np.eye(2)[np.zeros(7, int)]
    assert guard.stability([everywhere, everywhere], chain, rest, weights) == 1
    appended = [np.vstack([part, [[0, 1]]]) for part in shares]  # a label beside the graph: alone
    stability = guard.stability(appended, chain, np.array([0, 1, 7]), np.r_[weights, 1e-9])
    assert stability == pytest.approx(1 - 2 / 3 * (1 - kappa**4))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_labels_that_are_alone_in_a_cluster_are_not_held_against_the_estimate(seed):
    """Four clouds, classes crosswise: without its label a cloud has the other class."""
    rng = np.random.default_rng(seed)
    cloud = np.arange(400) % 4
    X = 4.0 * np.array([[0, 0], [1, 1], [0, 1], [1, 0]])[cloud] + 0.5 * rng.normal(size=(400, 2))
    y = np.where(np.arange(400) < 4, cloud // 2, -1)
    model = LaplacianClassifier(random_state=0).fit(X, y)
    assert model.score(X, cloud // 2) > 0.99
    assert model.report_["linear"].reason.endswith("of stability 1.00")


def test_passes_that_lose_a_few_labels_by_chance_stand():
    after = ALL.copy()
    positions = np.concatenate([np.arange(k, 200, 5)[::20] for k in range(5)])
    after[positions[:3]] = False  # of ten
    assert not verdict_of(shares(ALL), shares(after)).undone


def test_probabilities_are_calibrated_on_held_out_labels():
    confidence = {}
    for name, right in (("six in ten", SOME), ("all", ALL)):
        verdict, sample = verdict_of(shares(right), shares(right), step=1), shares(right)
        odds = np.exp((sample.max(axis=1) - sample.min(axis=1)) / verdict.temperature)
        confidence[name] = (odds / (1 + odds)).mean()
    assert confidence["six in ten"] == pytest.approx(0.6, abs=0.05)
    assert confidence["all"] > 0.97


def test_few_held_out_labels_leave_probabilities_near_the_prior_guess():
    """With one label per class, none of which is held out, they are exactly there."""
    sample = shares(ALL)

    def confidence(verdict):
        return codes.softmax(sample, verdict.temperature).max(axis=1).mean()

    prior_only = guard.judge([sample], [sample], [], [], EVEN, ONES)
    assert confidence(prior_only) == pytest.approx(0.8)
    confident = [confidence(verdict_of(sample, sample, step)) for step in (20, 5, 1)]
    assert 0.8 < confident[0] < confident[1] < confident[2]
    seven = ALL.copy()
    seven[:3] = False  # of the ten held-out labels
    assert confidence(verdict_of(shares(seven), shares(seven), 20)) < 0.8


def test_the_weight_of_the_linear_part_does_not_depend_on_the_final_temperature(monkeypatch):
    """The prior of the final temperature changes probabilities, but no class."""
    rng = np.random.default_rng(0)
    X = np.c_[CLASSES + 0.3 * rng.normal(size=200), rng.normal(size=200)]
    rows = np.r_[0:10, 100:110]
    linear = Supervised.of(X[rows], CLASSES[rows], 2, Columns(X))
    folds = [np.arange(k, 20, 5) for k in range(5)]
    odds, verdicts = linear.held_out(folds), []
    for sd in (guard.FINAL_SD, 1e-3):
        monkeypatch.setattr(guard, "FINAL_SD", sd)
        before = [shares(ALL)] * 6
        classes = [CLASSES[rows[h]] for h in folds]
        verdicts.append(
            guard.judge(before, before, [rows[h] for h in folds], classes, EVEN, ONES, odds, linear)
        )
    first, second = verdicts
    assert first.temperature != pytest.approx(second.temperature)
    assert first.share == second.share
    np.testing.assert_array_equal(first.linear.weights, second.linear.weights)


def test_an_unstable_estimate_counts_less_and_the_report_says_so():
    rng = np.random.default_rng(0)
    X = np.c_[CLASSES + 0.3 * rng.normal(size=200), rng.normal(size=200)]
    rows = np.r_[0:4, 100:104]
    linear = Supervised.of(X[rows], CLASSES[rows], 2, Columns(X))
    folds = [np.arange(k, 8, 4) for k in range(4)]
    arguments = [shares(ALL)] * 5, [rows[h] for h in folds], [CLASSES[rows[h]] for h in folds]
    before, *held_out = arguments
    verdicts = [
        guard.judge(
            before, before, *held_out, EVEN, ONES, linear.held_out(folds), linear, (0.0, stability)
        )
        for stability in (1.0, 0.25)
    ]
    for verdict, number in zip(verdicts, ("1.00", "0.25"), strict=True):
        assert verdict.linear_evidence.endswith(f"of stability {number}")
    assert verdicts[1].share < 0.9 * verdicts[0].share


def test_probabilities_of_held_out_labels_are_those_of_the_returned_scores():
    """If regressions and estimate predict the same with and without these labels."""
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 4)) + 3 * np.eye(3, 4)[classes]
    rows = np.r_[0:10, 40:50, 80:90]
    linear = Supervised.of(X[rows], classes[rows], 3, Columns(X))
    positions = [rows[k::5] for k in range(5)]
    order = np.concatenate(positions)
    odds = np.array([one(X[order]) for one in linear.linears])
    sample = np.eye(3)[rng.permutation(classes)] + 0.1 * rng.random((120, 3))
    fold_classes, ones = [classes[h] for h in positions], np.ones(120)
    verdict = guard.judge(
        [sample] * 6, [sample] * 6, positions, fold_classes, ones[:3] / 3, ones, odds, linear
    )
    scores = verdict.share * sample + verdict.linear(X)
    probabilities = codes.softmax(scores[order], verdict.temperature)
    np.testing.assert_allclose(probabilities, verdict.probabilities, rtol=1e-9)
    assert verdict.share < 0.5


def test_folds_contain_every_label_once_but_the_only_one_of_a_class_in_any_order():
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
    names = np.array([1, 0, 2])  # of the classes, which may also have equally many labels
    for kinds in classes, np.repeat([0, 1, 2], [6, 6, 3]):
        folds = guard.folds(kinds, values), guard.folds(names[kinds], values[:, names])
        first, second = ({tuple(sorted(fold)) for fold in part} for part in folds)
        assert first == second
    assert guard.folds(np.arange(3), values[:3]) == []
