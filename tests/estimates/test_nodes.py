"""Passes on a graph's nodes, against dense linear algebra and copies of nodes."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz import graphs
from lapviz.estimates import codes, passes
from lapviz.estimates.passes import PASS_ENERGY, Nodes


def graph(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n // 2, 2)), rng.normal(size=(n // 2, 2)) + 3])
    return graphs.knn_weights(X, 5)


def labels(n=60):
    known = np.full(n, -1)
    known[[2, 7, n - 5]] = [0, 2, 1]
    return known


def test_a_system_is_the_minimiser_of_its_objective():
    W, known, rng = graph(), labels(), np.random.default_rng(1)
    weights = rng.uniform(0.5, 2, size=len(known))
    nodes, lab = replace(Nodes.of(W, weights), rtol=1e-10), known >= 0
    y, u = codes.class_codes(known[lab], 3), rng.normal(size=(len(known), 3))
    share = passes.GUESSES / weights.sum()
    found = nodes.systems([(lab, y)], share, 2.0)(nodes.load(u))

    # of the mean over the labels, that over all nodes, and Σ w_ij (g_i − g_j)²/2 over the degrees
    L = graphs.laplacian(W).toarray() * weights.sum() / W.sum()
    given = (1 - passes.GUESSES) * np.where(lab, weights, 0.0) / weights[lab].sum()
    A = np.diag(given + share * weights) + 2.0 * L / weights.sum()
    right = share * weights[:, None] * u
    right[lab] += given[lab, None] * y
    np.testing.assert_allclose(found, np.linalg.solve(A, right), atol=1e-8)


def test_passes_are_those_of_dense_algebra():
    """Delta functions as test functions, their energy inverted by Cholesky factors."""
    W, known, prior = graph(), labels(), np.array([0.4, 0.4, 0.2])
    start = codes.class_scores(graphs.harmonic(W, known >= 0, np.eye(3)[known[known >= 0]]))
    nodes, n = replace(Nodes.of(W), rtol=1e-8), len(known)
    root = np.linalg.cholesky((nodes.laplacian.toarray() + 1e-9 * np.eye(n)) / n)
    V = np.linalg.solve(root, np.eye(n))
    dense = passes.Whitened(V, V @ V.T, np.ones(n))
    (one,), (other,) = (
        passes.threshold_passes(sample, [known], [start], PASS_ENERGY, prior)
        for sample in (nodes, dense)
    )
    np.testing.assert_allclose(one.shares, other.shares, atol=1e-3)
    np.testing.assert_allclose(one.balance.factor, other.balance.factor, rtol=1e-3)
    assert one.moved == other.moved


def test_a_node_of_mass_two_is_two_nodes():
    W, known, prior = graph(), labels(), np.full(3, 1 / 3)
    twice = np.r_[np.arange(60), 10, 20, 59]
    mass = np.bincount(twice).astype(float)
    start = np.random.default_rng(0).normal(size=(60, 3))
    heavy = replace(Nodes.of(graphs.with_mass(W, mass), mass), rtol=1e-8)
    copied = replace(Nodes.of(W[twice][:, twice]), rtol=1e-8)
    (one,) = passes.threshold_passes(heavy, [known], [start], PASS_ENERGY, prior)
    (other,) = passes.threshold_passes(copied, [known[twice]], [start[twice]], PASS_ENERGY, prior)
    np.testing.assert_allclose(one.shares[twice], other.shares, atol=1e-3)
    assert one.temperature == pytest.approx(other.temperature, rel=1e-3)
