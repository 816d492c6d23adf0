"""The logistic regressions that complement the estimate: weights, proportions, and benefit."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import log_softmax, softmax
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from lapviz import LaplacianClassifier, datasets
from lapviz.fit import supervised
from lapviz.fit.supervised import Columns, Supervised

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4)) * [1, 10, 0.1, 1] + [0, 5, 0, 0]
CLASSES = {
    2: (X[:, 1] > 7).astype(int),
    3: np.digitize(X[:, 0] + 10 * X[:, 2], [-1, 1]),
}


def fit_labels(n_classes=3, per_class=8, X=X, weights=None):
    y = CLASSES[n_classes]
    rows = np.flatnonzero(datasets.draw_labels(y, per_class, 0))
    return rows, y[rows], Supervised.of(X[rows], y[rows], n_classes, Columns(X), weights)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_logistic_regression_of_standardised_columns(n_classes):
    rows, y, model = fit_labels(n_classes, 2)
    scaler = StandardScaler().fit(X)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaler.transform(X[rows]), y)
    expected = peer.predict_proba(scaler.transform(X))
    probabilities = softmax(model.linears[0](X), axis=1)
    np.testing.assert_allclose(probabilities, expected, atol=2e-3)
    np.testing.assert_allclose(model.shares[0], expected.mean(axis=0), atol=2e-3)


def ranked(X):
    """Ranks between -1 and 1, and their squares, by SciPy."""
    ranks = (2 * rankdata(X, axis=0) - 1) / len(X) - 1
    return np.hstack([ranks, ranks**2])


WHITENED = make_pipeline(StandardScaler(), PCA(whiten=True))
RANKED = make_pipeline(FunctionTransformer(ranked), StandardScaler())
MIXED = X @ [[1, 0, 0, 0.9], [0, 1, 0.01, 0], [0, 0, 1, 0], [0, 0, 0, 0.1]]
WITH_TIES = np.hstack([np.exp(X / X.std(axis=0)), np.round(X[:, :1])])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("k", "points", "transform"), [(1, MIXED, WHITENED), (2, WITH_TIES, RANKED)]
)
def test_the_others_are_those_of_uncorrelated_columns_and_of_ranks(
    k, points, transform, n_classes, weighted
):
    """Against scikit-learn's PCA and SciPy's ranks of the rows, some repeated twice or thrice."""
    copies = np.arange(len(X)) % 3 + 1 if weighted else np.ones(len(X), int)
    y = CLASSES[n_classes]
    rows = np.flatnonzero(datasets.draw_labels(y, 2, 0))
    model = Supervised.of(points[rows], y[rows], n_classes, Columns(points, copies * 1.0))
    repeated = clone(transform).fit_transform(np.repeat(points, copies, axis=0))
    Z = repeated[np.r_[0, np.cumsum(copies)[:-1]]]
    expected = LogisticRegression(tol=1e-8, max_iter=1000).fit(Z[rows], y[rows]).predict_proba(Z)
    probabilities = softmax(model.linears[k](points), axis=1)
    np.testing.assert_allclose(probabilities, expected, atol=5e-3)
    mean = np.average(expected, axis=0, weights=copies)
    np.testing.assert_allclose(model.shares[k], mean, atol=5e-3)
    first = softmax(model.linears[0](points), axis=1)
    assert abs(probabilities - first).max() > 0.1, "another regression"


def test_ranks_do_not_see_monotone_changes_and_end_at_those_of_the_sample():
    n, ranks = len(X), supervised.Ranks.of(X)
    np.testing.assert_allclose(ranks(X), ranked(X), atol=1e-12)
    other = supervised.Ranks.of(np.exp(X / 10))
    np.testing.assert_allclose(other(np.exp(X / 10)), ranks(X), atol=1e-12)
    far = ranks(np.vstack([X.min(axis=0) - 9, X.max(axis=0) + 9]))[:, :4]
    np.testing.assert_allclose(far, [[1 / n - 1] * 4, [1 - 1 / n] * 4])
    many = RNG.normal(size=(5000, 2))  # more than the knots
    np.testing.assert_allclose(
        supervised.Ranks.of(many)(many), ranked(many), atol=4 / supervised.MAX_KNOTS
    )


def test_directions_without_variance_are_not_amplified():
    """One-hot columns, which add up to 1, and copies of a column."""
    onehot = np.eye(3)[RNG.integers(3, size=300)]
    points = np.hstack([X[:, :2], X[:, :1], onehot])
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    Q = supervised.uncorrelated(points)
    variances = np.linalg.eigvalsh((points @ Q).T @ (points @ Q) / len(points))
    np.testing.assert_allclose(variances, [0, 0, 1, 1, 1, 1], atol=1e-9)
    assert np.isfinite(supervised.uncorrelated(np.zeros((9, 4)))).all()
    nearly = RNG.normal(size=(300, 2)) * [1, 1e-3]
    smallest, largest = np.linalg.eigvalsh(nearly.T @ nearly / 300)
    Q = supervised.uncorrelated(nearly)
    scaled = np.linalg.eigvalsh((nearly @ Q).T @ (nearly @ Q) / 300)
    np.testing.assert_allclose(scaled, [1000 * smallest / largest, 1])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_more_columns_than_labels_are_reduced_to_the_span_of_the_labels(n_classes):
    """This is exact: with a ridge penalty the coefficients lie in it."""
    wide = np.hstack([X, RNG.normal(size=(len(X), 300))])
    rows, y, model = fit_labels(n_classes, 5, wide)
    (linear,), (basis,) = model.linears, model.bases
    assert basis.X.shape == (5 * n_classes, 5 * n_classes)
    scaler = StandardScaler().fit(wide)
    peer = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaler.transform(wide[rows]), y)
    log_odds = linear(wide)
    expected = peer.decision_function(scaler.transform(wide))
    centred = log_odds - log_odds.mean(axis=1, keepdims=True)
    log_odds = log_odds[:, 1] - log_odds[:, 0] if n_classes == 2 else centred
    np.testing.assert_allclose(log_odds, expected, atol=2e-2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_with_many_labels_it_is_averaged_with_self_training(n_classes):
    """With the share (m − 2)/(m + 2); in the standardised columns both stay in the mixture."""
    rows, y, model = fit_labels(n_classes, 6)
    np.testing.assert_allclose(model.prior, [4 / 9, 5 / 18, 5 / 18, 0, 0])
    y_partial = np.r_[y, np.full(len(X), -1)]
    alone = LogisticRegression(tol=1e-8, max_iter=1000)
    parts = (StandardScaler(), 0), (StandardScaler(), 1), (WHITENED, 0.5), (RANKED, 0.5)
    for linear, (transform, v) in zip(model.linears, parts, strict=True):
        Z = clone(transform).fit_transform(X)
        peer = SelfTrainingClassifier(alone, threshold=0.75, max_iter=3).fit(
            np.vstack([Z[rows], Z]), y_partial
        )
        parts = [np.log(part.predict_proba(Z)) for part in (clone(alone).fit(Z[rows], y), peer)]
        expected = (1 - v) * parts[0] + v * parts[1]
        log_odds = linear(X), expected, parts[0]
        centred = [part - part.mean(axis=1, keepdims=True) for part in log_odds]
        np.testing.assert_allclose(centred[0], centred[1], atol=0.05)
        assert not v or np.abs(centred[1] - centred[2]).max() > 0.5, "self-training matters"


@pytest.mark.parametrize("d", [3, 4])  # one regression, or three
def test_units_and_constant_columns_change_nothing(d):
    columns = X[:, :d]
    rows, y, model = fit_labels(X=columns)
    units = np.array([1, 1e6, 1e-6, 3])[:d]
    X_other = np.hstack([columns * units + 7, np.full((len(X), 1), 3.0)])
    refitted = Supervised.of(X_other[rows], y, 3, Columns(X_other))
    for actual, expected in zip(refitted.linears, model.linears, strict=True):
        np.testing.assert_allclose(actual(X_other), expected(columns), atol=1e-6)


def test_held_out_labels_are_not_used():
    rows, y, model = fit_labels()
    folds = [np.arange(0, 24, 3), np.arange(1, 24, 3), np.arange(2, 24, 3)]
    held_out = np.split(model.held_out(folds), 3, axis=1)
    flipped = y.copy()
    flipped[folds[0]] = (y[folds[0]] + 1) % 3
    other_model = Supervised.of(X[rows], flipped, 3, Columns(X))
    changed = np.split(other_model.held_out(folds), 3, axis=1)
    np.testing.assert_array_equal(changed[0], held_out[0])
    assert abs(changed[1] - held_out[1]).max() > 0.1
    reverse = np.arange(24)[::-1]
    positions = [np.flatnonzero(np.isin(reverse, fold)) for fold in folds]
    reversed_out = np.split(model.reordered(reverse).held_out(positions), 3, axis=1)
    np.testing.assert_allclose(reversed_out[0][:, ::-1], held_out[0], atol=2e-2)


def test_a_weight_of_two_is_two_labels():
    """Up to the normalisation of weights, which have the mean 1."""
    rows, y, _ = fit_labels()
    weights = np.where(np.arange(24) < 12, 2.0, 1.0)
    A, c = supervised.regression(X[rows], y, weights, supervised.solver())
    twice = np.r_[np.arange(12), np.arange(24)]
    peer = LogisticRegression(C=24 / 36, tol=1e-8, max_iter=2000).fit(X[rows][twice], y[twice])
    expected = peer.predict_proba(X)
    np.testing.assert_allclose(softmax(X @ A + c, axis=1), expected, atol=2e-2)


def test_the_share_is_0_at_one_label_and_grows():
    shares = [supervised.share(m) for m in (1, 2, 5, 10, 1000)]
    np.testing.assert_allclose(shares, [0, 0.2, 0.5, 9 / 13, 999 / 1003])
    assert supervised.share(2 / 3) == 0


def test_the_class_of_the_fewest_labels_determines_how_many_there_are():
    for counts, m in (([10] * 3, 10), ([59, 1], 2 / (1 + 1 / 59)), ([5, 0], 0)):
        classes = np.repeat(np.arange(len(counts)), counts)
        assert supervised.per_class(classes, len(counts)) == pytest.approx(m)


def test_it_is_none_where_labels_do_not_suffice():
    rows, y, _ = fit_labels()
    one_each = np.unique(y, return_index=True)[1]
    assert Supervised.of(X[rows[one_each]], y[one_each], 3, Columns(X)) is None
    assert Supervised.of(X[rows], y, 4, Columns(X)) is None, "a class without a label"
    assert Supervised.of(X[rows], np.zeros(24, int), 1, Columns(X)) is None


@pytest.mark.slow
def test_the_weights_have_the_least_penalised_loss():
    """Against a grid, where one of the three predicts everything, and where none does."""
    _, _, model = fit_labels()
    rng = np.random.default_rng(1)
    classes = rng.integers(3, size=40)
    good, bad = 2 * np.eye(3)[classes], rng.normal(size=(40, 3))
    w, v = supervised.share(8), supervised.self_training(8)
    prior = np.array([1 - w, w * (1 - v), w * v, 0, 0])

    def loss(weights, parts):
        logs = log_softmax(np.tensordot(weights, parts, 1), axis=-1)
        deviation = weights - prior[: weights.shape[-1]]
        penalty = 0.5 * ((deviation / supervised.SD) ** 2).sum(axis=-1)
        return penalty - 40 / 48 * logs[..., np.arange(40), classes].sum(axis=-1)

    steps = np.linspace(0.01, 3, 40)
    grid = np.meshgrid(steps, np.r_[0, steps], np.r_[0, steps], indexing="ij")
    grid = np.stack(grid, axis=-1).reshape(-1, 3)
    cases = (good, bad, bad[::-1]), (bad, good, bad), (bad, bad[::-1], good), (bad, bad[::-1], -bad)
    for parts in cases:
        three = replace(model, prior=prior[:3])
        a, b = three.weigh(parts[0], np.array(parts[1:]), classes)
        logs = log_softmax(parts, axis=2)
        assert loss(np.array([a, *b]), logs) <= loss(grid, logs).min() + 1e-6
    parts = bad, good, bad[::-1], -bad, bad[:, ::-1]  # with all four regressions
    a, b = model.weigh(parts[0], np.array(parts[1:]), classes)
    logs, tried = log_softmax(parts, axis=2), rng.uniform(0.01, 3, (20_000, 5))
    assert loss(np.array([a, *b]), logs) <= loss(tried, logs).min() + 1e-6


@pytest.mark.slow
def test_an_estimate_that_depends_on_single_labels_leaves_more_to_the_regressions():
    _, _, model = fit_labels()
    parts, classes = np.zeros((5, 40, 3)), np.arange(40) % 3  # nothing but the prior decides
    w, trust = supervised.share(8), 40 / 48
    for stability in (1.0, 0.5, 0.0):
        a, b = model.weigh(parts[0], parts[1:], classes, stability)
        assert a == pytest.approx((1 - w) * (1 - (1 - trust) * (1 - stability)))
        assert a + b.sum() == pytest.approx(1)
        np.testing.assert_allclose(b / b.sum(), model.prior[1:] / w)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_in_the_code_of_the_classes(n_classes):
    _, _, model = fit_labels(n_classes, 2)
    first, second, third = (linear(X) for linear in model.linears)
    values = 3.0 * first + 0.5 * second + 0.7 * third
    expected = values[:, 1:] - values[:, :1] if n_classes == 2 else values
    np.testing.assert_allclose(model.linear(np.array([3.0, 0.5, 0.7]))(X), expected)


# ---- in the classifier ----


def gaussian_classes(seed, n=600):
    """Two classes that differ along one of ten columns, without a gap; a tenth is in the second."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10))
    return X, (X[:, 0] > 1.28).astype(int)


def fitted(X, y, per_class, **options):
    y_partial = np.where(datasets.draw_labels(y, per_class, 0), y, -1)
    return y_partial, LaplacianClassifier(random_state=0, **options).fit(X, y_partial)


@pytest.mark.slow
def test_classes_that_are_not_clusters_are_predicted_and_have_their_proportions():
    with_it, without = [], []
    for seed in range(2):
        X, y = gaussian_classes(seed)
        for scores, linear in ((with_it, True), (without, False)):
            y_partial, model = fitted(X, y, 20, linear=linear)
            unlabelled = y_partial < 0
            scores.append(balanced_accuracy_score(y[unlabelled], model.predict(X[unlabelled])))
            if linear:
                assert model.linear_ is not None
                assert "class_prior" in model.report_.names
                shares = model.report_["class_prior"].value.split(", ")
                assert sum(map(float, shares)) == pytest.approx(1, abs=0.011), "rounded"
                assert "linear" in model.report_.names
    assert np.mean(with_it) > np.mean(without) + 0.08


@pytest.mark.slow
@pytest.mark.parametrize("case", ["one label each", "linear=False", "named", "no passes"])
def test_it_is_left_out(case):
    X, y = gaussian_classes(0)
    per_class = 1 if case == "one label each" else 5
    options = {
        "linear=False": {"linear": False}, "named": {"operator": "laplacian"},
        "no passes": {"n_passes": 0},
    }.get(case, {})  # fmt: skip
    _, model = fitted(X, y, per_class, **options)
    assert model.linear_ is None
    assert "linear" not in model.report_.names


@pytest.mark.slow
def test_scores_are_those_of_the_smooth_part_and_the_linear_one():
    X, y = gaussian_classes(1)
    _, model = fitted(X, y, 10)
    smooth = model.balance_(model.space_.evaluate(X, model.coefficients_))
    near = model._fading.share(X)[:, None] if model._fading is not None else 1.0
    total = near * (smooth + model.linear_(X)) + (1 - near) * model._solution.far
    np.testing.assert_allclose(model.decision_function(X), total[:, 0], atol=1e-12)


@pytest.mark.slow
def test_given_proportions_are_not_changed():
    X, y = gaussian_classes(2)
    _, model = fitted(X, y, 10, class_prior=[0.5, 0.5])
    assert "class_prior" not in model.report_.names
    assert "linear" in model.report_.names
    assert model._solution.far is None, "even proportions"
