"""GraphLaplacianClassifier against its peer in scikit-learn, and on degenerate input."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import log_loss
from sklearn.semi_supervised import LabelSpreading

from lapviz.estimators.graph_classifier import GraphLaplacianClassifier

VARIANTS = [
    GraphLaplacianClassifier(),
    GraphLaplacianClassifier(method="spreading"),
    GraphLaplacianClassifier(graph="dense", bandwidth=1.0),
    GraphLaplacianClassifier(graph="dense", method="spreading", bandwidth=1.0),
    GraphLaplacianClassifier(weights="gaussian", bandwidth=1.0),
    GraphLaplacianClassifier(balance="scale"),
    GraphLaplacianClassifier(balance="scale", n_passes=10, weights="shared"),
]


@pytest.fixture
def blobs():
    X, y = make_blobs(150, centers=3, cluster_std=0.6, random_state=0)
    y_partial = np.full(150, -1)
    rows = [np.flatnonzero(y == c)[:2] for c in range(3)]
    y_partial[np.concatenate(rows)] = y[np.concatenate(rows)]
    return X, y, y_partial


def test_no_probability_is_above_one():
    """scikit-learn's losses refuse 1 + 2e-16."""
    X, y = load_iris(return_X_y=True)
    model = GraphLaplacianClassifier().fit(X[::3], y[::3])
    assert model.predict_proba(X).max() == 1
    assert log_loss(y, model.predict_proba(X)) < 0.3


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_predictions_at_training_points_are_those_of_the_fit(estimator, blobs):
    X, y, y_partial = blobs
    model = clone(estimator).fit(X, y_partial)
    assert np.array_equal(model.predict(X), model.transduction_)
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_, atol=1e-14)
    assert np.mean(model.transduction_ == y) > 0.85
    if model.method == "harmonic" and model.balance is None:
        assert np.array_equal(model.transduction_[y_partial >= 0], y_partial[y_partial >= 0])


def test_dense_spreading_agrees_with_scikit_learn(blobs):
    X, _, y_partial = blobs
    sigma, alpha = 0.9, 0.8
    ours = GraphLaplacianClassifier(
        method="spreading", graph="dense", bandwidth=sigma, alpha=alpha
    ).fit(X, y_partial)
    peer = LabelSpreading(kernel="rbf", gamma=0.5 / sigma**2, alpha=alpha, max_iter=500, tol=1e-13)
    peer.fit(X, y_partial)
    np.testing.assert_allclose(ours.label_distributions_, peer.label_distributions_, atol=1e-9)
    new = np.random.default_rng(2).uniform(-3, 5, size=(40, 2))
    np.testing.assert_allclose(ours.predict_proba(new), peer.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("estimator", VARIANTS, ids=str)
def test_the_order_of_samples_does_not_matter(estimator, blobs):
    X, _, y_partial = blobs
    original = clone(estimator).fit(X, y_partial)
    order = np.random.default_rng(3).permutation(len(X))
    permuted = clone(estimator).fit(X[order], y_partial[order])
    np.testing.assert_allclose(
        permuted.label_distributions_,
        original.label_distributions_[order],
        atol=1e-4 if estimator.n_passes else 1e-10,  # conjugate gradients
    )


@pytest.mark.slow
def test_class_proportions_are_met_and_passes_that_lose_labels_undone():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(80, 2)), rng.normal((2.5, 0), size=(20, 2))]
    y_partial = np.full(100, -1)
    y_partial[[0, 1, 80, 81]] = [0, 0, 1, 1]
    model = GraphLaplacianClassifier(balance="scale", class_prior=[0.8, 0.2]).fit(X, y_partial)
    assert abs(np.mean(model.transduction_ == 0) - 0.8) < 0.1
    for share in (0.8, 0.5):
        model.set_params(n_passes=10, class_prior=[share, 1 - share]).fit(X, y_partial)
        assert abs(np.mean(model.transduction_ == 0) - share) < 0.02
    noise = rng.integers(2, size=100)  # labels that are independent of the points
    model = GraphLaplacianClassifier(balance="scale", n_passes=10).fit(X, noise)
    assert "held-out labels" in str(model.report_)
    confidence = model.predict_proba(rng.normal(size=(200, 2))).max(axis=1).mean()
    assert confidence < 0.75  # half of them are wrong


@pytest.mark.parametrize("method", ["harmonic", "spreading"])
def test_points_that_are_not_connected_to_a_label_get_the_class_frequencies(method):
    X = np.r_[np.arange(8.0), 1000 + np.arange(8.0)][:, None]
    y = np.full(16, -1)
    y[:4] = [0, 0, 0, 1]
    for graph in ("dense", "knn"):
        model = GraphLaplacianClassifier(method=method, graph=graph, n_neighbors=2, bandwidth=1.0)
        model.fit(X, y)
        np.testing.assert_allclose(model.label_distributions_[8:], [[0.75, 0.25]] * 8)
        np.testing.assert_allclose(model.predict_proba([[2000.0]]), [[0.75, 0.25]])


def test_a_dense_graph_too_large_is_refused_with_its_bytes(blobs, monkeypatch):
    X, _, y_partial = blobs
    monkeypatch.setattr("lapviz.memory.memory_limit", lambda: 500_000)
    with pytest.raises(MemoryError, match="takes 540000 bytes"):
        GraphLaplacianClassifier(graph="dense", bandwidth=1.0).fit(X, y_partial)


@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
def test_passes_without_a_balance_are_refused_and_not_also_ignored(blobs):
    X, _, y_partial = blobs
    with pytest.raises(ValueError, match=r'n_passes needs class proportions: set balance="scale"'):
        GraphLaplacianClassifier(n_passes=10).fit(X, y_partial)
