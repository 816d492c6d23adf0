"""Functions on the nodes of a graph, against weighted means and all distances."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from lapviz import graphs
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.spaces.kernel import FAR

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
NEW = RNG.normal(size=(25, 2))
VALUES = RNG.normal(size=(60, 3))
MASS = RNG.uniform(0.5, 2.0, size=60)
K = 6


def space(mass=None, nodes=X, k=K):
    return NodeSpace(nodes, graphs.knn_weights(nodes, k, weights="shared"), k, "shared", mass)


@pytest.mark.slow
@pytest.mark.parametrize("mass", [None, MASS], ids=["equal", "masses"])
def test_values_are_weighted_means_and_exact_at_nodes(mass):
    node_space = space(mass)
    for points in (X, X[:7], X[::-1], NEW, NEW[:1], np.vstack([NEW, X[:3]])):
        values, (w, r) = node_space.evaluate(points, VALUES), node_space.extension(points)
        peer = graphs.extend_knn(X, VALUES, points, K, weights="shared", mass=mass)
        np.testing.assert_allclose(values, peer, rtol=1e-12)
        np.testing.assert_allclose(node_space.phi(points) @ VALUES, values, rtol=1e-12)
        np.testing.assert_allclose(w.sum(axis=1), 1.0, rtol=1e-12)
        assert w.data.min() >= 0
        np.testing.assert_allclose(r, cdist(points, X).min(axis=1), rtol=1e-12)
    for rows in (slice(None), slice(7), slice(None, None, -1)):
        np.testing.assert_array_equal(node_space.evaluate(X[rows], VALUES), VALUES[rows])


def test_a_cached_extension_is_used_only_for_its_own_points(monkeypatch):
    node_space = space(MASS)
    cached = node_space.extended_to(NEW)
    others = [NEW + 0.1, NEW[:7], X, np.vstack([NEW, NEW])]
    expected = [node_space.evaluate(points, VALUES) for points in others]
    for points, values in zip(others, expected, strict=True):
        np.testing.assert_array_equal(cached.evaluate(points, VALUES), values)
    expected = node_space.evaluate(NEW, VALUES)
    monkeypatch.setattr("lapviz.graphs.space.knn_extension", lambda *_, **__: pytest.fail("search"))
    np.testing.assert_array_equal(cached.evaluate(NEW.copy(), VALUES), expected)


def test_gradients_are_not_implemented():
    with pytest.raises(NotImplementedError, match="no gradients: use kernel functions"):
        space().gradient(NEW)


@pytest.mark.parametrize("used", [False, True])
def test_a_pickle_gives_the_same_values(used):
    node_space = space(MASS)
    if used:
        node_space.search, node_space.spacing  # noqa: B018
    restored = pickle.loads(pickle.dumps(node_space))
    assert "search" not in vars(restored)
    np.testing.assert_array_equal(restored.evaluate(NEW, VALUES), node_space.evaluate(NEW, VALUES))
    assert restored.spacing == node_space.spacing


def test_spacing_is_the_largest_distance_to_the_nearest_node():
    r = cdist(X, X)
    np.fill_diagonal(r, np.inf)
    assert space().spacing == pytest.approx(r.min(axis=1).max(), rel=1e-12)
    assert space(nodes=10 * X + 5).spacing == pytest.approx(10 * space().spacing, rel=1e-9)


def test_isolated_nodes_do_not_count_for_the_spacing():
    W = sp.csr_matrix(([1.0, 1.0], ([0, 1], [1, 0])), shape=(3, 3))
    nodes = np.array([[0.0], [2.0], [50.0]])
    assert NodeSpace(nodes, W, 1, "shared").spacing == 2.0
    assert NodeSpace(nodes, sp.csr_matrix((3, 3)), 1, "shared").spacing == 0.0


def test_shares_fall_beyond_the_nodes_as_a_gaussian():
    """Nodes 0, 1, 2, 4 on a line have spacing 2, and σ = 3."""
    nodes = np.array([[0.0], [1.0], [2.0], [4.0]])
    reach = NodeReach(space(nodes=nodes, k=2), 3.0)
    assert reach.space.spacing == 2.0
    shares = reach.share(np.array([[1.0], [5.9], [-2.0], [-5.0], [9.0]]))
    expected = [1, 1, 1, np.exp(-(5**2 - 2**2) / 18), np.exp(-(5**2 - 2**2) / 18)]
    np.testing.assert_allclose(shares, expected, rtol=1e-12)


def test_points_are_far_where_the_share_is_small():
    reach = NodeReach(space(), 0.2)
    edge = np.sqrt(reach.space.spacing**2 + 2 * 0.2**2 * np.log(1 / FAR))
    right = X[np.argmax(X[:, 0])]
    points = right + np.array([[0.99 * edge, 0.0], [1.01 * edge, 0.0]])
    np.testing.assert_array_equal(reach.far(points), [False, True])
    np.testing.assert_array_equal(reach.far(points), reach.share(points) < FAR)
    assert not reach.far(X).any()
