"""Bridges between components, and gaps, against all pairs; harmonic measures without labels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from lapviz import graphs


def islands(seed, n_components=6):
    """Clumps of 4 to 12 points in the plane, labels in one or two of them."""
    rng = np.random.default_rng(seed)
    sizes = rng.permutation(np.arange(4, 4 + n_components + 2))[:n_components]  # all different
    centres = 20 * rng.uniform(size=(n_components, 2))
    X = np.vstack([p + 0.1 * rng.normal(size=(m, 2)) for p, m in zip(centres, sizes, strict=True)])
    X = X[rng.permutation(len(X))]
    labelled = np.zeros(len(X), bool)
    labelled[rng.choice(len(X), 2, replace=False)] = True
    return graphs.knn_weights(X, 2), X, labelled


def components(W):
    """Node sets of the connected components."""
    n, component = connected_components(W, directed=False)
    return [set(np.flatnonzero(component == k)) for k in range(n)]


def unlabelled_components(W, labelled):
    return [nodes for nodes in components(W) if not labelled[list(nodes)].any()]


def shortest_exits(W, X, labelled):
    """Shortest edges out of the components, one after the other: a minimum spanning tree."""
    W, r, ends = sp.lil_matrix(W), cdist(X, X), []
    while unlabelled_components(W.tocsr(), labelled):
        inside = min(unlabelled_components(W.tocsr(), labelled), key=len)
        exits = [(r[i, j], i, j) for i in inside for j in set(range(len(X))) - inside]
        _, i, j = min(exits)
        ends.append((i, j))
        W[i, j] = W[j, i] = 1.0
    return ends


def new_edges(W, bridged):
    """Edges (i, j), i < j, that were added to W, and their weights."""
    added = sp.triu(bridged - W).tocoo()
    added.eliminate_zeros()
    return set(zip(added.row.tolist(), added.col.tolist(), strict=True)), added.data


@pytest.mark.parametrize("seed", range(8))
def test_each_component_is_joined_by_its_shortest_exit(monkeypatch, seed):
    """With an index or all pairs, and all or some components together; one edge per component."""
    W, X, labelled = islands(seed)
    truth = {(min(e), max(e)) for e in shortest_exits(W, X, labelled)}
    assert len(truth) == len(unlabelled_components(W, labelled)) >= 4
    for few, small in ((0, 0), (2000, 0), (2000, 64), (2000, 7)):
        monkeypatch.setattr("lapviz.graphs.components.FEW", few)
        monkeypatch.setattr("lapviz.graphs.components.TOGETHER", small)
        bridged = graphs.bridged(W, X, labelled)
        ends, weights = new_edges(W, bridged)
        assert ends == truth, (few, small)
        np.testing.assert_allclose(weights, np.median(W.data), rtol=1e-12)
        assert abs(bridged - bridged.T).nnz == 0


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1.7e9), (1e200, 0.0), (1e-200, 0.0)])
def test_bridges_are_the_same_in_other_units_and_far_from_0(monkeypatch, scale, shift):
    """As of times in seconds since 1970, where ‖x‖² + ‖y‖² − 2xᵀy has no digit left."""
    monkeypatch.setattr("lapviz.graphs.components.TOGETHER", 0)
    W, X, labelled = islands(1)
    truth, _ = new_edges(W, graphs.bridged(W, X, labelled))
    assert new_edges(W, graphs.bridged(W, scale * X + shift, labelled))[0] == truth


@pytest.mark.parametrize("size", [10, 100])
@pytest.mark.parametrize("n_columns", [1, 20])
def test_bridges_are_the_shortest_beside_an_outlier(size, n_columns):
    """Its square takes all digits of the others' ‖x‖² + ‖y‖² − 2xᵀy, if they are not near 0."""
    chain = np.arange(float(size))
    X = np.concatenate([chain, chain + size + 4, [1e9]])[:, None] * np.ones(n_columns)
    path = sp.diags([np.ones(size - 1)] * 2, [1, -1])
    W = sp.csr_matrix(sp.block_diag([path, path, sp.csr_matrix((1, 1))]))
    ends, _ = new_edges(W, graphs.bridged(W, X, np.arange(len(X)) == len(X) - 1))
    assert ends == {(size - 1, size), (2 * size - 1, 2 * size)}


@pytest.mark.parametrize("seed", range(4))
def test_components_without_a_gap_between_them_are_one(seed):
    """Near pairs of nodes joined by edges; chains of small clumps, of which some are near."""
    rng = np.random.default_rng(seed)
    centres = np.cumsum(rng.permutation([0.15, 0.15, 0.16, 0.17, 0.3, 0.3, 2.0, 3.0]))
    X = np.vstack([[c, 0] + 0.1 * rng.uniform(size=(12, 2)) for c in centres])
    W = graphs.knn_weights(X, 3)
    r = cdist(X, X)
    first, second = W.nonzero()
    near = r <= graphs.components.GAP * np.median(r[first, second])
    truth = connected_components((W.toarray() > 0) | near)[1]
    assert 1 < truth.max() + 1 < connected_components(W)[0], "some gaps, and some without"
    for scale in (1.0, 1e200):
        np.testing.assert_array_equal(graphs.separated(W, scale * X), truth)
    copies = np.repeat(np.arange(5.0)[:, None], 8, axis=0)  # edges without a length
    assert (graphs.separated(graphs.knn_weights(copies, 5), copies) == 0).all()


def test_a_graph_that_labels_reach_is_returned_unchanged():
    W, X, _ = islands(0)
    assert graphs.bridged(W, X, np.ones(len(X), bool)) is W
    complete = graphs.knn_weights(X, len(X) - 1)
    assert graphs.bridged(complete, X, np.arange(len(X)) == 3) is complete


def test_a_stored_zero_is_no_edge():
    """As of weights that underflow; SciPy counts it as one, so no label reached nodes 5 to 9."""
    X, W = np.arange(10.0)[:, None], sp.csr_matrix(sp.diags([np.ones(9)] * 2, [1, -1]))
    W[4, 5] = W[5, 4] = 0.0
    stored, labelled = W.copy(), np.arange(10) < 2
    assert W.nnz == 18
    for kind in (sp.csr_matrix, sp.csr_array):
        joined = graphs.bridged(kind(W), X, labelled)
        assert joined[4, 5] == joined[5, 4] == 1.0
        assert graphs.separated(kind(W), np.where(X > 4, X + 50, X)).tolist() == 5 * [0] + 5 * [1]
        assert graphs.graph_spectrum(kind(W), 3).n_components == 2
        assert graphs.harmonic(kind(W), [0, 1], [0.0, 2.0])[5:].tolist() == 5 * [1.0]
    assert W.nnz == stored.nnz == 18
    assert (W.indices == stored.indices).all()


@pytest.mark.parametrize("form", ["dia", "dok", "coo", "lil", "csc"])
def test_any_sparse_graph_is_taken(form):
    X = np.where(np.arange(10) > 4, 50.0, 0.0)[:, None] + np.arange(10.0)[:, None]
    path = sp.diags([np.array([1.0] * 4 + [0.0] + [1.0] * 4)] * 2, [1, -1])
    for kind in (path.asformat(form), sp.coo_array(path).asformat(form)):
        joined = graphs.bridged(kind, X, np.arange(10) < 2).tocsr()
        assert joined[4, 5] == joined[5, 4] == 1.0
        assert graphs.separated(kind, X).tolist() == 5 * [0] + 5 * [1]
        assert kind.format == form


def test_a_graph_without_edges_becomes_a_tree():
    X = np.array([0.0, 1.0, 3.0, 7.0])[:, None]
    bridged = graphs.bridged(sp.csr_matrix((4, 4)), X, np.arange(4) == 3)
    ends, weights = new_edges(sp.csr_matrix((4, 4)), bridged)
    assert ends == {(0, 1), (1, 2), (2, 3)}
    np.testing.assert_array_equal(weights, 1.0)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_measures_without_labels_agree_with_a_solve_without_them(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    W = graphs.knn_weights(X, 5) if kind == "sparse" else graphs.dense_weights(X, 0.5)
    W = graphs.bridged(sp.csr_matrix(W), X, np.arange(120) == 0)
    W = W if kind == "sparse" else W.toarray()
    labelled, values = rng.permutation(120)[:9], rng.normal(size=(9, 3))
    folds = [np.array([0]), np.array([1, 4, 7]), np.arange(8)]
    measure = graphs.harmonic(W, labelled, np.eye(9))
    np.testing.assert_allclose(measure.sum(axis=1), 1)
    replacements = graphs.without_labels(W, labelled, measure, folds)
    for fold, replacement in zip(folds, replacements, strict=True):
        values_without = measure @ (replacement @ values)
        expected = graphs.harmonic(W, np.delete(labelled, fold), np.delete(values, fold, axis=0))
        np.testing.assert_allclose(values_without, expected, atol=1e-9)


def test_a_component_without_another_label_has_the_mean_of_the_others():
    W = sp.block_diag([np.ones((3, 3)) - np.eye(3), np.ones((4, 4)) - np.eye(4)], format="csr")
    labelled, values = np.array([0, 3, 4]), np.array([[1.0], [5.0], [9.0]])
    measure = graphs.harmonic(W, labelled, np.eye(3))
    (replacement,) = graphs.without_labels(W, labelled, measure, [np.array([0])])
    harmonic = measure @ (replacement @ values)
    np.testing.assert_allclose(harmonic[:3, 0], 7)
    np.testing.assert_allclose(harmonic[3:5, 0], [5, 9])
