"""Bridges to pieces without a label, by a search over all pairs; labels left out of one solve."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from lapviz import graphs
from lapviz.graphs import propagation


def islands(seed, n_pieces=6):
    """Clumps of 4 to 12 points in the plane, labels in one or two of them."""
    rng = np.random.default_rng(seed)
    sizes = rng.permutation(np.arange(4, 4 + n_pieces + 2))[:n_pieces]  # no two alike
    places = 20 * rng.uniform(size=(n_pieces, 2))
    X = np.vstack([p + 0.1 * rng.normal(size=(m, 2)) for p, m in zip(places, sizes, strict=True)])
    X = X[rng.permutation(len(X))]
    labelled = np.zeros(len(X), bool)
    labelled[rng.choice(len(X), 2, replace=False)] = True
    return graphs.knn_weights(X, 2), X, labelled


def pieces(W):
    """Sets of nodes."""
    n_parts, part = connected_components(W, directed=False)
    return [set(np.flatnonzero(part == k)) for k in range(n_parts)]


def bare(W, labelled):
    return [piece for piece in pieces(W) if not labelled[list(piece)].any()]


def brute(W, X, labelled):
    """Pairs, each the shortest way out of a piece at its turn: the edges of a least tree."""
    W, r, ends = sp.lil_matrix(W), cdist(X, X), []
    while bare(W.tocsr(), labelled):
        piece = min(bare(W.tocsr(), labelled), key=len)
        out = [(r[i, j], i, j) for i in piece for j in set(range(len(X))) - piece]
        _, i, j = min(out)
        ends.append((i, j))
        W[i, j] = W[j, i] = 1.0
    return ends


def added(W, found):
    """Edges (i, j), i < j, and the weights that they have."""
    more = sp.triu(found - W).tocoo()
    more.eliminate_zeros()
    return set(zip(more.row.tolist(), more.col.tolist(), strict=True)), more.data


@pytest.mark.parametrize("seed", range(8))
def test_each_piece_is_joined_by_its_shortest_way_out(monkeypatch, seed):
    """With an index, all pairs, and all or some pieces together; by one edge a piece."""
    W, X, labelled = islands(seed)
    truth = {(min(e), max(e)) for e in brute(W, X, labelled)}
    assert len(truth) == len(bare(W, labelled)) >= 4
    for few, small in ((0, 0), (2000, 0), (2000, 64), (2000, 7)):
        monkeypatch.setattr(propagation, "FEW", few)
        monkeypatch.setattr(propagation, "TOGETHER", small)
        found = graphs.bridged(W, X, labelled)
        ends, weights = added(W, found)
        assert ends == truth, (few, small)
        np.testing.assert_allclose(weights, np.median(W.data), rtol=1e-12)
        assert abs(found - found.T).nnz == 0


def test_a_piece_goes_by_another_one_without_a_label():
    """Points on a line: {9, 9.5} goes to 8, and {6, 7, 8} with it to 3."""
    X = np.array([0, 1, 2, 3, 6, 7, 8, 9.1, 9.5])[:, None]
    joined = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (7, 8)]
    W = sp.csr_matrix((np.full(6, 2.0), np.transpose(joined)), shape=(9, 9))
    found = graphs.bridged(sp.csr_matrix(W + W.T), X, np.arange(9) == 0)
    ends, weights = added(W + W.T, found)
    assert ends == {(6, 7), (3, 4)}
    np.testing.assert_array_equal(weights, 2.0)


def test_a_graph_that_labels_reach_is_given_back():
    W, X, _ = islands(0)
    assert graphs.bridged(W, X, np.ones(len(X), bool)) is W
    whole = graphs.knn_weights(X, len(X) - 1)
    assert graphs.bridged(whole, X, np.arange(len(X)) == 3) is whole


def test_a_graph_without_edges_becomes_a_tree():
    X = np.array([0.0, 1.0, 3.0, 7.0])[:, None]
    found = graphs.bridged(sp.csr_matrix((4, 4)), X, np.arange(4) == 3)
    ends, weights = added(sp.csr_matrix((4, 4)), found)
    assert ends == {(0, 1), (1, 2), (2, 3)}
    np.testing.assert_array_equal(weights, 1.0)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_labels_left_out_are_those_of_a_solve_without_them(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    W = graphs.knn_weights(X, 5) if kind == "sparse" else graphs.dense_weights(X, 0.5)
    W = graphs.bridged(sp.csr_matrix(W), X, np.arange(120) == 0)
    W = W if kind == "sparse" else W.toarray()
    labelled, values = rng.permutation(120)[:9], rng.normal(size=(9, 3))
    folds = [np.array([0]), np.array([1, 4, 7]), np.arange(8)]
    measure = graphs.harmonic(W, labelled, np.eye(9))
    np.testing.assert_allclose(measure.sum(axis=1), 1)
    for fold, left in zip(folds, graphs.without_labels(W, labelled, measure, folds), strict=True):
        its = measure @ (left @ values)
        wanted = graphs.harmonic(W, np.delete(labelled, fold), np.delete(values, fold, axis=0))
        np.testing.assert_allclose(its, wanted, atol=1e-9)


def test_a_piece_without_another_label_has_the_mean_of_the_others():
    W = sp.block_diag([np.ones((3, 3)) - np.eye(3), np.ones((4, 4)) - np.eye(4)], format="csr")
    labelled, values = np.array([0, 3, 4]), np.array([[1.0], [5.0], [9.0]])
    measure = graphs.harmonic(W, labelled, np.eye(3))
    (left,) = graphs.without_labels(W, labelled, measure, [np.array([0])])
    found = measure @ (left @ values)
    np.testing.assert_allclose(found[:3, 0], 7)
    np.testing.assert_allclose(found[3:5, 0], [5, 9])
