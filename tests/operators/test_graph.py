"""A graph's energy on a trial space: brute force, scale, known spectra, sums."""

import numpy as np
import pytest

from lapviz import graphs, kernels
from lapviz.datasets import load
from lapviz.estimators import GalerkinEmbedding
from lapviz.operators import Graph, assemble
from lapviz.spaces import KernelSpace
from lapviz.spaces.bandwidth import auto_bandwidth

rng = np.random.default_rng(0)
X = rng.normal(size=(70, 3))
SPACE = KernelSpace(kernels.get("gaussian", 1.0), X[:12], constant=True)
GRAPHS = (
    Graph(),
    Graph(4, "binary"),
    Graph(6, "gaussian", bandwidth=0.7),
    Graph(graph="dense"),
    Graph(graph="dense", bandwidth=0.5, kind="normalised"),
    Graph(kind="normalised"),
    Graph(dimension=2),
)


def weights(operator):
    width = auto_bandwidth(X) if operator.bandwidth == "auto" else operator.bandwidth
    if operator.graph == "dense":
        return graphs.dense_weights(X, width)
    return graphs.knn_weights(
        X, operator.n_neighbors, weights=operator.weights, bandwidth=width
    ).toarray()


@pytest.mark.parametrize(
    "masses", [np.ones(70), rng.uniform(0.5, 2.0, 70)], ids=["equal", "masses"]
)
@pytest.mark.parametrize("operator", GRAPHS, ids=str)
def test_the_energy_is_the_sum_over_the_edges_up_to_scale(operator, masses):
    W, phi = weights(operator) * np.outer(masses, masses), SPACE.phi(X)
    if operator.kind == "normalised":
        d = W.sum(axis=1)
        W = W / np.sqrt(np.outer(d, d))
        brute = phi.T @ phi - phi.T @ W @ phi
    else:
        gaps = phi[:, None] - phi[None]
        brute = 0.5 * np.einsum("ij,ijp,ijq->pq", W, gaps, gaps)
    x = np.einsum("ij,ijl->", W, (X[:, None] - X[None]) ** 2)
    S = assemble(SPACE, X, operator, sample_weight=masses).stiffness
    np.testing.assert_allclose(S, operator.dimension * brute / (0.5 * x), atol=1e-10)
    np.testing.assert_array_equal(S, S.T)
    assert np.linalg.eigvalsh(S).min() > -1e-12
    if operator.kind == "unnormalised":
        assert np.abs(S[0]).max() < 1e-30  # the constant costs nothing


@pytest.mark.parametrize(
    "graph",
    [Graph(), Graph(20, "gaussian", bandwidth=0.2), Graph(graph="dense", bandwidth=0.1)],
    ids=str,
)
def test_spectrum_of_the_circle(graph):
    """0, 1, 1, 4, 4: the dimension is 1, so even the scale is right, up to the graph's noise."""
    points = load("circle", n_samples=1000, random_state=0).X
    gamma = (
        GalerkinEmbedding(n_components=5, n_landmarks=60, operator=graph, random_state=0)
        .fit(points)
        .eigenvalues_
    )
    assert gamma[0] < 1e-8
    np.testing.assert_allclose(gamma[1:], [1, 1, 4, 4], rtol=0.22)


def test_with_all_samples_as_landmarks_it_is_the_graph_spectrum():
    """A trial space that separates the samples: the Galerkin spectrum is the graph's."""
    points = load("circle", n_samples=60, random_state=0).X
    model = GalerkinEmbedding(
        kernel="exponential", bandwidth=1.0, n_components=8, n_landmarks=60, mu=0, operator="graph"
    ).fit(points)
    L = Graph().laplacian(points).toarray()
    np.testing.assert_allclose(model.eigenvalues_, np.linalg.eigvalsh(L)[:8], atol=1e-6)


def test_isolated_and_equal_points_have_a_finite_energy():
    for points in (np.zeros((1, 2)), np.ones((9, 2)), np.vstack([X, X[:1] + 1e8])):
        space = KernelSpace(kernels.get("gaussian", 1.0), points[:3], constant=True)
        for graph in (Graph(), Graph(kind="normalised"), Graph(graph="dense", bandwidth=1.0)):
            assert np.isfinite(assemble(space, points, graph).stiffness).all()


def test_a_graph_beyond_the_memory_limit_is_refused_with_its_bytes(monkeypatch):
    monkeypatch.setattr("lapviz.memory.memory_limit", lambda: 1000)
    with pytest.raises(MemoryError, match=r"70·13 values, 7280 bytes"):
        Graph().stiffness(SPACE, X)
