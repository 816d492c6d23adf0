"""The logistic regression beside the estimate: its weights, the proportions, and what it mends."""

import numpy as np
import pytest
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from lapviz import LaplacianClassifier, datasets
from lapviz.fit import supervised
from lapviz.fit.supervised import Supervised

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
    ours = softmax(found.regressions[0].linear(X), axis=1)
    np.testing.assert_allclose(ours, chances, atol=2e-3)
    np.testing.assert_allclose(found.shares[0], chances.mean(axis=0), atol=2e-3)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_second_is_that_of_uncorrelated_coordinates(n_classes, weighted):
    """Against scikit-learn's PCA of the rows, of which some stand there two and three times."""
    mixed = X @ [[1, 0, 0, 0.9], [0, 1, 0.01, 0], [0, 0, 1, 0], [0, 0, 0, 0.1]]
    copies = np.arange(len(X)) % 3 + 1 if weighted else np.ones(len(X), int)
    y, repeated = CLASSES[n_classes], np.repeat(mixed, copies, axis=0)
    rows = np.flatnonzero(datasets.draw_labels(y, 2, 0))
    found = Supervised.of(mixed[rows], y[rows], n_classes, mixed, None, copies * 1.0)
    way = make_pipeline(StandardScaler(), PCA(whiten=True)).fit(repeated)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(way.transform(mixed[rows]), y[rows])
    chances = peer.predict_proba(way.transform(mixed))
    ours = softmax(found.regressions[1].linear(mixed), axis=1)
    np.testing.assert_allclose(ours, chances, atol=5e-3)
    np.testing.assert_allclose(
        found.shares[1], np.average(chances, axis=0, weights=copies), atol=5e-3
    )
    assert abs(ours - softmax(found.regressions[0].linear(mixed), axis=1)).max() > 0.1


def test_directions_without_extent_are_not_blown_up():
    """One-hot columns, which add up to 1, and copies of a column."""
    onehot = np.eye(3)[RNG.integers(3, size=300)]
    points = np.hstack([X[:, :2], X[:, :1], onehot])
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    Q = supervised.uncorrelated(points)
    variances = np.linalg.eigvalsh((points @ Q).T @ (points @ Q) / len(points))
    np.testing.assert_allclose(variances, [0, 0, 1, 1, 1, 1], atol=1e-9)
    assert np.isfinite(supervised.uncorrelated(np.zeros((9, 4)))).all()
    nearly = RNG.normal(size=(300, 2)) * [1, 1e-3]
    least, most = np.linalg.eigvalsh(nearly.T @ nearly / 300)
    Q = supervised.uncorrelated(nearly)
    shown = np.linalg.eigvalsh((nearly @ Q).T @ (nearly @ Q) / 300)
    np.testing.assert_allclose(shown, [1000 * least / most, 1])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_more_columns_than_labels_are_taken_in_the_span_of_the_labels(n_classes):
    """Which is exact: a ridge penalty leaves coefficients there."""
    wide = np.hstack([X, RNG.normal(size=(len(X), 300))])
    rows, y, found = told(n_classes, 5, wide)
    (only,) = found.regressions
    assert only.X.shape == (5 * n_classes, 5 * n_classes)
    scaler = StandardScaler().fit(wide)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaler.transform(wide[rows]), y)
    ours = only.linear(wide)
    theirs = peer.decision_function(scaler.transform(wide))
    ours = ours[:, 1] - ours[:, 0] if n_classes == 2 else ours - ours.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, theirs, atol=2e-2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_many_labels_it_is_helped_by_the_other_rows_as_self_training_is(n_classes):
    """By the share that grows with the labels: (m − 2)/(m + 2)."""
    rows, y, found = told(n_classes, 6)
    given = np.r_[y, np.full(len(X), -1)]
    alone = LogisticRegression(tol=1e-8, max_iter=1000)
    ways = StandardScaler(), make_pipeline(StandardScaler(), PCA(whiten=True))
    for its, way in zip(found.regressions, ways, strict=True):
        Z = way.fit_transform(X)
        peer = SelfTrainingClassifier(alone, threshold=0.75, max_iter=3).fit(
            np.vstack([Z[rows], Z]), given
        )
        parts = [np.log(one.predict_proba(Z)) for one in (clone(alone).fit(Z[rows], y), peer)]
        wanted = 0.5 * parts[0] + 0.5 * parts[1]
        shown = [one - one.mean(axis=1, keepdims=True) for one in (its.linear(X), wanted, parts[0])]
        np.testing.assert_allclose(shown[0], shown[1], atol=0.05)
        assert np.abs(shown[1] - shown[2]).max() > 0.5, "it does help"


def test_units_and_constant_columns_change_nothing():
    rows, y, found = told()
    other = np.hstack([X * [1, 1e6, 1e-6, 3] + 7, np.full((len(X), 1), 3.0)])
    again = Supervised.of(other[rows], y, 3, other)
    for ours, before in zip(again.regressions, found.regressions, strict=True):
        np.testing.assert_allclose(ours.linear(other), before.linear(X), atol=1e-6)


def test_labels_that_are_held_back_have_no_say():
    rows, y, found = told()
    folds = [np.arange(0, 24, 3), np.arange(1, 24, 3), np.arange(2, 24, 3)]
    held = np.split(found.held_out(folds), 3, axis=1)
    flipped = y.copy()
    flipped[folds[0]] = (y[folds[0]] + 1) % 3
    other = Supervised.of(X[rows], flipped, 3, X)
    changed = np.split(other.held_out(folds), 3, axis=1)
    np.testing.assert_array_equal(changed[0], held[0])
    assert abs(changed[1] - held[1]).max() > 0.1
    turned = np.arange(24)[::-1]
    places = [np.flatnonzero(np.isin(turned, fold)) for fold in folds]
    back = np.split(found.reordered(turned).held_out(places), 3, axis=1)
    np.testing.assert_allclose(back[0][:, ::-1], held[0], atol=2e-2)


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
    """Against a grid, where one of the three guesses everything, and where none does."""
    _, _, found = told()
    rng = np.random.default_rng(1)
    classes = rng.integers(3, size=40)
    good, bad = 2 * np.eye(3)[classes], rng.normal(size=(40, 3))
    prior = np.array([1 - found.share, found.share, 0])

    def loss(weights, parts):
        logs = log_softmax(np.tensordot(weights, parts, 1), axis=-1)
        off, counts = (weights - prior) / supervised.SD, 40 / 48
        return 0.5 * (off**2).sum(axis=-1) - counts * logs[..., np.arange(40), classes].sum(axis=-1)

    steps = np.linspace(0.01, 3, 40)
    grid = np.meshgrid(steps, np.r_[0, steps], np.r_[0, steps], indexing="ij")
    grid = np.stack(grid, axis=-1).reshape(-1, 3)
    cases = (good, bad, bad[::-1]), (bad, good, bad), (bad, bad[::-1], good), (bad, bad[::-1], -bad)
    for parts in cases:
        a, b = found.weigh(parts[0], np.array(parts[1:]), classes)
        logs = log_softmax(parts, axis=2)
        assert loss(np.array([a, *b]), logs) <= loss(grid, logs).min() + 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_in_the_code_of_the_classes(n_classes):
    _, _, found = told(n_classes, 2)
    values = sum(b * its.linear(X) for b, its in zip((3.0, 0.5), found.regressions, strict=True))
    wanted = values[:, 1:] - values[:, :1] if n_classes == 2 else values
    np.testing.assert_allclose(found.linear(np.array([3.0, 0.5]))(X), wanted)


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
                told = [float(its) for its in model.report_["class_prior"].value.split(", ")]
                assert sum(told) == pytest.approx(1, abs=0.011), "rounded"
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
