"""PartialLabelClassifier: three blobs, and the plain classifier as a limit."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from lapviz import PartialLabelClassifier, datasets
from tests.estimators.kinds import plain_classifier


def blobs(seed, share=1.0, noise=0.7):
    """Three blobs, their classes, and two candidates per point: the true and a random other one."""
    data = datasets.load("blobs", n_blobs=3, n_samples=600, noise=noise, random_state=seed)
    rng = np.random.default_rng(seed)
    candidates = np.zeros((600, 3), dtype=bool)
    other = (data.y + rng.integers(1, 3, size=600)) % 3
    candidates[np.arange(600), data.y] = candidates[np.arange(600), other] = True
    candidates[rng.random(600) >= share] = True
    return data.X, data.y, candidates


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("seed", range(2))
def test_three_blobs_with_two_candidates_per_point(seed, share):
    """Correct for 95 % of the points and of new points, even if nine in ten are unlabelled."""
    X, y, candidates = blobs(seed, share)
    model = PartialLabelClassifier(random_state=0).fit(X, candidates)
    assert np.mean(model.transduction_ == y) >= 0.95
    assert np.mean(model.predict(X) == y) >= 0.95
    new = blobs(seed + 100)
    assert np.mean(model.predict(new[0]) == new[1]) >= 0.95
    assert candidates[np.arange(600), model.transduction_].mean() >= 0.99
    informative = ~candidates.all(axis=1)
    assert candidates[informative, model.transduction_[informative]].all(), "never outside the set"
    assert model.path_.converged
    assert np.all(np.diff(model.path_.objective) <= 0)


@pytest.mark.slow
def test_single_classes_give_the_plain_classifier():
    X, y, _ = blobs(0)
    y_partial = np.where(np.arange(600) % 20 == 0, y, -1)
    options = {"n_landmarks": 60, "lam": 0.3, "random_state": 0}
    plain = plain_classifier(**options).fit(X, y_partial)
    model = PartialLabelClassifier(**options).fit(X, y_partial)
    np.testing.assert_allclose(
        model.decision_function(X), plain.decision_function(X), rtol=1e-7, atol=1e-9
    )
    sets = [None if c < 0 else {int(c)} for c in y_partial]
    from_sets = PartialLabelClassifier(**options).fit(X, candidates=sets)
    np.testing.assert_array_equal(from_sets.decision_function(X), model.decision_function(X))
    binary = np.where(y_partial == 2, 0, y_partial)
    two_classes = PartialLabelClassifier(**options).fit(X, binary).decision_function(X)
    expected = plain_classifier(**options).fit(X, binary).decision_function(X)
    np.testing.assert_allclose(two_classes, expected, atol=1e-8)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
def test_a_column_of_texts_holds_single_classes():
    X, texts = np.linspace(0, 1, 20)[:, None], np.array(["a", *18 * [None], "b"], dtype=object)
    model, of_column = (
        PartialLabelClassifier(random_state=0).fit(X, y) for y in (texts, texts[:, None])
    )
    np.testing.assert_array_equal(of_column.transduction_, model.transduction_)
    assert of_column.score(X, texts[:, None]) == model.score(X, texts) == 1.0
    with pytest.raises(ValueError, match="row 3 is empty"):  # a matrix of candidates
        PartialLabelClassifier().fit(X, np.array(X[3] != X, dtype=object))


def test_candidates_given_twice_are_refused():
    X, y, candidates = blobs(0)
    with pytest.raises(ValueError, match="not both"):
        PartialLabelClassifier().fit(X, y, candidates=candidates)


def test_the_score_is_over_all_classes_of_the_classifier():
    """Also where y has some of them only, or a matrix has a column for each."""
    X, y, _ = blobs(0)
    names = np.array(["ash", "oak", "yew"])
    model = PartialLabelClassifier(random_state=0).fit(X, [{name} for name in names[y]])
    assert model.classes_.tolist() == names.tolist()
    last = np.flatnonzero(model.predict(X) == "yew")[:4]
    assert model.score(X[last], [{"ash", "oak"}] * 4) == 0.0
    assert model.score(X[last], [{"ash", "oak"}, {"yew"}, None, np.nan]) == 0.5
    assert model.score(X[last], np.tile([False, True, True], (4, 1))) == 1.0
    third = names[np.where(np.arange(600) % 3, y, (y + 1) % 3)]  # a third is wrong
    assert model.score(X, third) == pytest.approx(np.mean(model.predict(X) == third))
    assert model.score(X, third[:, None]) == model.score(X, third)
    with pytest.raises(ValueError, match="row 1 is empty"):
        model.score(X[last], [{"ash"}, set(), None, None])
    with pytest.raises(ValueError, match="rules out a class"):
        model.score(X[last], [None] * 4)
    with pytest.raises(ValueError, match=r"pass candidates.toarray\(\)"):
        model.score(X[last], csr_matrix(np.ones((4, 3))))
    with pytest.raises(ValueError, match="2 columns for 3 classes"):
        model.score(X[last], np.ones((4, 2), bool))


def test_a_row_of_weight_zero_decides_neither_the_classes_nor_what_is_informative():
    X = blobs(0)[0]
    weights = np.ones(len(X))
    sets = [{"a", "b"} if row < 40 else {"ab"[row % 2]} if row < 50 else None for row in range(600)]
    sets[50], weights[50] = {"c"}, 0.0
    options = {"landmarks": X[:60], "bandwidth": 1.0, "random_state": 0}
    without = PartialLabelClassifier(**options).fit(np.delete(X, 50, 0), sets[:50] + sets[51:])
    model = PartialLabelClassifier(**options).fit(X, sets, sample_weight=weights)
    np.testing.assert_allclose(model.decision_function(X), without.decision_function(X), atol=1e-9)
    assert model.transduction_[50] == model.predict(X[50:51])[0], "its candidates are left out"

    allowed = np.ones((600, 3), dtype=bool)  # column j is class j, though no set has the last alone
    allowed[:50] = [
        [set("abc"[j]) <= (sets[row] or set("abc")) for j in range(3)] for row in range(50)
    ]
    model = PartialLabelClassifier(**options).fit(X, allowed, sample_weight=weights)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(X, allowed) > 0.5
    with pytest.raises(ValueError, match="Among the points of positive weight: No candidate set"):
        PartialLabelClassifier(**options).fit(
            X, sets, sample_weight=np.r_[np.zeros(60), np.ones(540)]
        )
    with pytest.raises(ValueError, match="All weights in sample_weight are 0"):
        model.score(X, allowed, sample_weight=allowed.all(axis=1) * 1.0)
