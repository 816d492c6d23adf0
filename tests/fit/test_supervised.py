"""The logistic regression beside the estimate: its weights, the proportions, and what it mends."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from lapviz import LaplacianClassifier, datasets
from lapviz.fit import supervised
from lapviz.fit.supervised import Linear, Supervised

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4)) * [1, 10, 0.1, 1] + [0, 5, 0, 0]
CLASSES = {
    2: (X[:, 1] > 7).astype(int),
    3: np.digitize(X[:, 0] + 10 * X[:, 2], [-1, 1]),
}


def told(n_classes=3, per_class=8, X=X, weights=None):
    y = CLASSES[n_classes]
    rows = np.flatnonzero(datasets.draw_labels(y, per_class, 0))
    return rows, y[rows], Supervised.of(X[rows], y[rows], n_classes, X, weights)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_logistic_regression_of_standardised_columns(n_classes):
    rows, y, found = told(n_classes, 2)
    scaler = StandardScaler().fit(X)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaler.transform(X[rows]), y)
    chances = peer.predict_proba(scaler.transform(X))
    log_odds = found.linear(X)
    ours = np.exp(log_odds) / np.exp(log_odds).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, chances, atol=2e-3)
    np.testing.assert_allclose(found.shares, chances.mean(axis=0), atol=2e-3)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_more_columns_than_labels_are_taken_in_the_span_of_the_labels(n_classes):
    """Which is exact: a ridge penalty leaves coefficients there."""
    wide = np.hstack([X, RNG.normal(size=(len(X), 300))])
    rows, y, found = told(n_classes, 5, wide)
    assert found.X.shape == (5 * n_classes, 5 * n_classes)
    scaler = StandardScaler().fit(wide)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaler.transform(wide[rows]), y)
    ours = found.linear(wide)
    theirs = peer.decision_function(scaler.transform(wide))
    ours = ours[:, 1] - ours[:, 0] if n_classes == 2 else ours - ours.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, theirs, atol=2e-2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_many_labels_it_is_helped_by_the_other_rows_as_self_training_is(n_classes):
    """By the share that grows with the labels: (m − 2)/(m + 2)."""
    rows, y, found = told(n_classes, 6)
    Z, given = StandardScaler().fit_transform(X), np.r_[y, np.full(len(X), -1)]
    alone = LogisticRegression(tol=1e-8, max_iter=1000)
    peer = SelfTrainingClassifier(alone, threshold=0.75, max_iter=3).fit(
        np.vstack([Z[rows], Z]), given
    )
    parts = [np.log(its.predict_proba(Z)) for its in (clone(alone).fit(Z[rows], y), peer)]
    ours = found.linear(X)
    wanted = 0.5 * parts[0] + 0.5 * parts[1]
    shown = [its - its.mean(axis=1, keepdims=True) for its in (ours, wanted, parts[0])]
    np.testing.assert_allclose(shown[0], shown[1], atol=0.05)
    assert np.abs(shown[1] - shown[2]).max() > 0.5, "it does help"


def test_units_and_constant_columns_change_nothing():
    rows, y, found = told()
    other = np.hstack([X * [1, 1e6, 1e-6, 3] + 7, np.full((len(X), 1), 3.0)])
    again = Supervised.of(other[rows], y, 3, other)
    np.testing.assert_allclose(again.linear(other), found.linear(X), atol=1e-6)


def test_labels_that_are_held_back_have_no_say():
    rows, y, found = told()
    folds = [np.arange(0, 24, 3), np.arange(1, 24, 3), np.arange(2, 24, 3)]
    held = np.split(found.held_back(folds), 3)
    flipped = y.copy()
    flipped[folds[0]] = (y[folds[0]] + 1) % 3
    other = Supervised.of(X[rows], flipped, 3, X)
    changed = np.split(other.held_back(folds), 3)
    np.testing.assert_array_equal(changed[0], held[0])
    assert abs(changed[1] - held[1]).max() > 0.1
    turned = np.arange(24)[::-1]
    places = [np.flatnonzero(np.isin(turned, fold)) for fold in folds]
    back = np.split(found.reordered(turned).held_back(places), 3)
    np.testing.assert_allclose(back[0][::-1], held[0], atol=2e-2)


def test_a_weight_of_two_is_two_labels():
    """Up to the normalisation of weights, which have the mean 1."""
    rows, y, _ = told()
    weights = np.where(np.arange(24) < 12, 2.0, 1.0)
    A, c = supervised.regression(X[rows], y, weights)
    twice = np.r_[np.arange(12), np.arange(24)]
    peer = LogisticRegression(C=24 / 36, tol=1e-8, max_iter=2000).fit(X[rows][twice], y[twice])
    chances = peer.predict_proba(X)
    ours = X @ A + c
    ours = np.exp(ours - ours.max(axis=1, keepdims=True))
    np.testing.assert_allclose(ours / ours.sum(axis=1, keepdims=True), chances, atol=2e-2)


def test_the_share_is_none_at_one_label_and_grows():
    shares = [supervised.share(m * 3, 3) for m in (1, 2, 5, 10, 1000)]
    np.testing.assert_allclose(shares, [0, 0.2, 0.5, 9 / 13, 999 / 1003])
    assert supervised.share(2, 3) == 0


def test_it_is_silent_where_it_has_nothing_to_go_by():
    rows, y, _ = told()
    one_each = np.unique(y, return_index=True)[1]
    assert Supervised.of(X[rows[one_each]], y[one_each], 3, X) is None
    assert Supervised.of(X[rows], y, 4, X) is None, "a class without a label"
    assert Supervised.of(X[rows], np.zeros(24, int), 1, X) is None


@pytest.mark.slow
def test_the_weights_have_the_least_penalised_loss():
    """Against a grid, where one of the two guesses everything, and where neither does."""
    _, _, found = told()
    rng = np.random.default_rng(1)
    classes = rng.integers(3, size=40)
    good, bad = 2.0 * np.eye(3)[classes], rng.normal(size=(40, 3))
    prior = np.array([1 - found.share, found.share])

    def loss(a, b, guesses, log_odds):
        logs = a * guesses + b * log_odds
        logs = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
        off = ((np.array([a, b]) - prior) / supervised.SD) ** 2
        counts = 40 / 48
        return 0.5 * off.sum() - counts * logs[np.arange(40), classes].sum()

    for guesses, log_odds in ((good, bad), (bad, good), (bad, bad[::-1])):
        a, b = found.weigh(guesses, log_odds, classes)
        grid = np.linspace(0.01, 3, 40)
        least = min(loss(x, y, guesses, log_odds) for x in grid for y in [0.0, *grid])
        assert loss(a, b, guesses, log_odds) <= least + 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_in_the_code_of_the_classes(n_classes):
    linear = Linear(RNG.normal(size=(4, n_classes)), RNG.normal(size=n_classes))
    values = 3.0 * linear(X)
    wanted = values[:, 1:] - values[:, :1] if n_classes == 2 else values
    np.testing.assert_allclose(linear.as_scores(3.0)(X), wanted)


# ---- in the classifier ----


def unclustered(seed, n=600):
    """Two classes that differ along one of ten columns, without a gap; a tenth is of the second."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10))
    return X, (X[:, 0] > 1.28).astype(int)


def fitted(X, y, per_class, **options):
    given = np.where(datasets.draw_labels(y, per_class, 0), y, -1)
    return given, LaplacianClassifier(random_state=0, **options).fit(X, given)


@pytest.mark.slow
def test_classes_that_are_no_clusters_are_found_and_have_their_proportions():
    with_it, without = [], []
    for seed in range(2):
        X, y = unclustered(seed)
        for scores, linear in ((with_it, True), (without, False)):
            given, model = fitted(X, y, 20, linear=linear)
            rest = given < 0
            scores.append(balanced_accuracy_score(y[rest], model.predict(X[rest])))
            if linear:
                assert model.linear_ is not None
                assert "class_prior" in model.report_.names
                assert "linear" in model.report_.names
    assert np.mean(with_it) > np.mean(without) + 0.08


@pytest.mark.slow
@pytest.mark.parametrize("given", ["one label each", "linear=False", "named", "no passes"])
def test_it_is_left_out(given):
    X, y = unclustered(0)
    per_class = 1 if given == "one label each" else 5
    options = {
        "linear=False": {"linear": False}, "named": {"operator": "laplacian"},
        "no passes": {"n_passes": 0},
    }.get(given, {})  # fmt: skip
    _, model = fitted(X, y, per_class, **options)
    assert model.linear_ is None
    assert "linear" not in model.report_.names


@pytest.mark.slow
def test_scores_are_those_of_the_smooth_part_and_the_linear_one():
    X, y = unclustered(1)
    _, model = fitted(X, y, 10)
    smooth = model.balance_(model.space_.evaluate(X, model.coefficients_))
    near = model._fading.share(X)[:, None] if model._fading is not None else 1.0
    total = near * (smooth + model.linear_(X)) + (1 - near) * model._far
    np.testing.assert_allclose(model.decision_function(X), total[:, 0], atol=1e-12)


@pytest.mark.slow
def test_given_proportions_are_not_changed():
    X, y = unclustered(2)
    _, model = fitted(X, y, 10, class_prior=[0.5, 0.5])
    assert "class_prior" not in model.report_.names
    assert "linear" in model.report_.names
    assert model._far is None, "even proportions"
