"""GraphLaplacianClassifier against scikit-learn's contract, its peer, and hopeless input."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.semi_supervised import LabelSpreading

from lapviz.estimators.graph_classifier import GraphLaplacianClassifier

VARIANTS = [
    GraphLaplacianClassifier(),
    GraphLaplacianClassifier(method="spreading"),
    GraphLaplacianClassifier(graph="dense", bandwidth=1.0),
    GraphLaplacianClassifier(graph="dense", method="spreading", bandwidth=1.0),
    GraphLaplacianClassifier(weights="gaussian", bandwidth=1.0),
]


@pytest.fixture
def blobs():
    X, y = make_blobs(150, centers=3, cluster_std=0.6, random_state=0)
    partial = np.full(150, -1)
    shown = [np.flatnonzero(y == c)[:2] for c in range(3)]
    partial[np.concatenate(shown)] = y[np.concatenate(shown)]
    return X, y, partial


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_training_points_keep_what_fit_gave_them(estimator, blobs):
    X, y, partial = blobs
    model = clone(estimator).fit(X, partial)
    assert np.array_equal(model.predict(X), model.transduction_)
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_, atol=1e-14)
    assert np.mean(model.transduction_ == y) > 0.85
    if model.method == "harmonic":
        assert np.array_equal(model.transduction_[partial >= 0], partial[partial >= 0])


def test_dense_spreading_agrees_with_scikit_learn(blobs):
    X, _, partial = blobs
    sigma, alpha = 0.9, 0.8
    ours = GraphLaplacianClassifier(
        method="spreading", graph="dense", bandwidth=sigma, alpha=alpha
    ).fit(X, partial)
    peer = LabelSpreading(kernel="rbf", gamma=0.5 / sigma**2, alpha=alpha, max_iter=500, tol=1e-13)
    peer.fit(X, partial)
    np.testing.assert_allclose(ours.label_distributions_, peer.label_distributions_, atol=1e-9)
    new = np.random.default_rng(2).uniform(-3, 5, size=(40, 2))
    np.testing.assert_allclose(ours.predict_proba(new), peer.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_order_of_samples_and_names_of_classes_do_not_matter(estimator, blobs):
    X, _, partial = blobs
    base = clone(estimator).fit(X, partial)
    mix = np.random.default_rng(3).permutation(len(X))
    mixed = clone(estimator).fit(X[mix], partial[mix])
    np.testing.assert_allclose(
        mixed.label_distributions_, base.label_distributions_[mix], atol=1e-10
    )
    names = np.array(["ant", "bee", "cat"])
    as_text = np.where(partial < 0, "-1", names[partial])
    as_objects = np.array([-1 if c < 0 else names[c] for c in partial], dtype=object)
    for y in (as_text, as_objects):
        named = clone(estimator).fit(X, y)
        assert named.classes_.tolist() == names.tolist()
        assert np.array_equal(named.transduction_, names[base.transduction_])


HOPELESS = {
    "all points equal": np.ones((30, 2)),
    "one feature": np.arange(30.0)[:, None],
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "one point": np.zeros((1, 2)),
    "a far point": np.r_[np.random.default_rng(4).normal(size=(29, 2)), [[1e8, 1e8]]],
    "tiny": 1e-200 * np.random.default_rng(5).normal(size=(30, 2)),
    "huge": 1e200 * np.random.default_rng(6).normal(size=(30, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
@pytest.mark.parametrize("data", list(HOPELESS))
def test_never_nan(data, estimator, sigma):
    X = HOPELESS[data]
    y = np.full(len(X), -1)
    y[: len(X) // 2 or 1] = np.arange(len(X) // 2 or 1) % 3
    model = clone(estimator).set_params(bandwidth=sigma).fit(X, y)
    for P in (model.label_distributions_, model.predict_proba(X + 0.1), model.predict_proba(-X)):
        assert np.isfinite(P).all()
        np.testing.assert_allclose(P.sum(axis=1), 1)


@pytest.mark.parametrize("method", ["harmonic", "spreading"])
def test_points_without_a_way_to_a_label_get_the_class_frequencies(method):
    X = np.r_[np.arange(8.0), 1000 + np.arange(8.0)][:, None]
    y = np.full(16, -1)
    y[:4] = [0, 0, 0, 1]
    for graph in ("dense", "knn"):
        model = GraphLaplacianClassifier(method=method, graph=graph, n_neighbors=2, bandwidth=1.0)
        model.fit(X, y)
        np.testing.assert_allclose(model.label_distributions_[8:], [[0.75, 0.25]] * 8)
        np.testing.assert_allclose(model.predict_proba([[2000.0]]), [[0.75, 0.25]])


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "poisson"},
        {"graph": "ring"},
        {"n_neighbors": 0},
        {"weights": "cosine"},
        {"bandwidth": 0.0},
        {"bandwidth": "wide"},
        {"alpha": 1.0},
    ],
)
def test_wrong_parameters_are_named(wrong, blobs):
    X, _, partial = blobs
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GraphLaplacianClassifier(**wrong).fit(X, partial)


def test_a_dense_graph_too_large_is_refused_with_its_bytes(blobs, monkeypatch):
    X, _, partial = blobs
    monkeypatch.setattr("lapviz.memory.memory_limit", lambda: 500_000)
    with pytest.raises(MemoryError, match="takes 540000 bytes"):
        GraphLaplacianClassifier(graph="dense", bandwidth=1.0).fit(X, partial)
