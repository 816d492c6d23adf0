"""The overlap of neighbourhoods, against sets."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

from lapviz import graphs
from lapviz.graphs import overlaps


def sets_of(W):
    return [{i} | set(np.flatnonzero(row).tolist()) for i, row in enumerate(W)]


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(0).normal(size=(90, 3))


@pytest.mark.parametrize("block", [7, 4096])
def test_on_every_edge(points, monkeypatch, block):
    monkeypatch.setattr(overlaps, "_BLOCK", block)
    W = graphs.knn_weights(points, 5)
    dense = W.toarray()
    around = sets_of(dense)
    shares = [[len(a & b) / len(a | b) for b in around] for a in around]
    truth = np.where(dense > 0, shares, 0.0)
    found = graphs.overlap(W)
    np.testing.assert_allclose(found.toarray(), truth, rtol=1e-14)
    assert found.nnz == W.nnz  # no edge is lost: both ends are in both neighbourhoods
    assert graphs.mean_overlap(W) == pytest.approx(truth[dense > 0].mean())


def test_weights_do_not_matter_but_zeros_do():
    W = sp.csr_matrix(np.array([[0, 5.0, 1e-9], [5.0, 0, 0], [1e-9, 0, 0]]))
    np.testing.assert_allclose(
        graphs.overlap(W).toarray(), [[0, 2 / 3, 2 / 3], [2 / 3, 0, 0], [2 / 3, 0, 0]]
    )
    W[0, 2] = W[2, 0] = 0  # an explicit zero is no edge
    assert graphs.overlap(W).toarray()[0].tolist() == [0, 1, 0]


def test_cliques_bridges_and_no_edges():
    clique = np.ones((4, 4)) - np.eye(4)
    W = np.kron(np.eye(2), clique)
    W[3, 4] = W[4, 3] = 1.0  # two cliques and a bridge
    shares = graphs.overlap(sp.csr_matrix(W)).toarray()
    assert shares[0, 1] == 1.0
    assert shares[3, 4] == pytest.approx(2 / 8)
    assert shares[2, 3] == pytest.approx(4 / 5)
    assert graphs.mean_overlap(sp.csr_matrix((3, 3))) == 1.0
    assert graphs.overlap(sp.csr_matrix((0, 0))).shape == (0, 0)


@pytest.mark.parametrize("block", [3, 4096])
def test_new_points_share_with_the_nodes_near_them(points, monkeypatch, block):
    monkeypatch.setattr(overlaps, "_BLOCK", block)
    W = graphs.knn_weights(points, 5)
    new = np.random.default_rng(2).normal(size=(11, 3))
    near = NearestNeighbors(n_neighbors=5).fit(points).kneighbors(new, return_distance=False)
    around = sets_of(W.toarray())
    truth = [[len(set(row) & around[j]) / len(set(row) | around[j]) for j in row] for row in
             near.tolist()]  # fmt: skip
    found = overlaps.overlap_of_new(overlaps.neighbourhoods(W), near)
    np.testing.assert_allclose(found, truth, rtol=1e-14)
