"""Harmonic functions by one factor for all labels, against elimination, which loses no digits."""

import sys
from threading import Thread

import numpy as np
import pytest
import scipy.sparse as sp

from lapviz import graphs, memory
from lapviz.graphs import GroundedLaplacian
from lapviz.graphs.grounded import MOST_LABELS, MOST_NODES

RNG = np.random.default_rng(0)


def curves(n=150):
    """Three curves and an isolated point: a graph with four components."""
    t = (np.arange(n) + RNG.uniform(0.0, 0.9, size=(3, n))) / n
    X = np.vstack([np.column_stack([t[k], k + 0.1 * np.sin(9 * t[k])]) for k in range(3)])
    W = sp.block_diag([graphs.knn_weights(X[k * n : (k + 1) * n], 4) for k in range(3)])
    return sp.csr_matrix(sp.block_diag([W, sp.csr_matrix((1, 1))]))


W = curves()
GROUNDED = GroundedLaplacian.of(W)
N = W.shape[0]


def grounded_nodes():
    """The grounded nodes."""
    return np.setdiff1d(np.arange(N), GROUNDED.free)


def test_one_node_of_every_component_is_grounded():
    assert len(np.unique(GROUNDED.component)) == len(grounded_nodes()) == 4
    assert len(np.unique(GROUNDED.component[grounded_nodes()])) == 4


@pytest.mark.parametrize("m", [1, 2, 7, 40])
@pytest.mark.parametrize("seed", range(3))
def test_any_labels_have_their_harmonic_function(m, seed):
    """Also if a grounded node, the isolated node, or all or few components have labels."""
    rng = np.random.default_rng(seed)
    labelled = rng.choice(N, m, replace=False)
    if seed == 1:
        labelled = np.union1d(labelled, grounded_nodes()) if m > 2 else grounded_nodes()[:m]
    values = rng.normal(size=(len(labelled), 3))
    weights = rng.uniform(0.5, 2.0, len(labelled))
    expected = graphs.harmonic(W.toarray(), labelled, values, label_weights=weights)
    harmonic = graphs.harmonic(W, labelled, values, label_weights=weights, grounded=GROUNDED)
    np.testing.assert_allclose(harmonic, expected, atol=1e-11)
    np.testing.assert_array_equal(harmonic[labelled], values)


def test_labels_that_are_neighbours_lose_no_digits():
    near = W[7].indices[:3]
    labelled, values = np.r_[7, near], np.eye(4)
    expected = graphs.harmonic(W.toarray(), labelled, values)
    harmonic = graphs.harmonic(W, labelled, values, grounded=GROUNDED)
    np.testing.assert_allclose(harmonic, expected, atol=1e-11)


def test_many_labels_use_their_own_factor(monkeypatch):
    monkeypatch.setattr(GroundedLaplacian, "harmonic", lambda *_: pytest.fail("grounded"))
    labelled = np.arange(MOST_LABELS + 1)
    graphs.harmonic(W, labelled, np.ones((len(labelled), 2)), grounded=GROUNDED)


def test_no_grounded_factor_if_it_would_be_slow_or_lose_digits():
    path = sp.diags([1.0, 1.0], [-1, 1], shape=(400, 400), format="csr")
    assert GroundedLaplacian.of(path) is not None
    assert GroundedLaplacian.of(path.toarray()) is None
    badly_scaled = path.tolil()
    badly_scaled[5, 6] = badly_scaled[6, 5] = 1e-9
    assert GroundedLaplacian.of(badly_scaled.tocsr()) is None
    assert GroundedLaplacian.of(graphs.knn_weights(RNG.normal(size=(400, 9)), 12)) is None
    n = MOST_NODES + 1
    assert GroundedLaplacian.of(sp.diags([1.0, 1.0], [-1, 1], shape=(n, n), format="csr")) is None


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")
def test_a_factor_that_another_thread_drops_gives_its_memory_back():
    """As from a cache of many sessions. SciPy's own factor would keep it (scipy/scipy#15921)."""
    t = RNG.uniform(size=(4000, 2))
    W = graphs.knn_weights(t, 10)
    factors = []

    def make():
        factors[:] = [GroundedLaplacian.of(W)]

    def grow(times):
        for _ in range(times):
            thread = Thread(target=make)
            thread.start()
            thread.join()
        memory.release_free_memory()
        return memory.resident()[0]

    before = grow(5)
    assert factors[0].lower.nnz * 12 > 1e6
    assert grow(50) - before < 60e6  # a leak would be twice as large
