"""Weights of samples in every operator."""

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.operators import base
from lapviz.spaces import KernelSpace

RNG = np.random.default_rng(0)
N = 120
ANGLES = RNG.uniform(0, 2 * np.pi, N)
X = np.c_[np.cos(ANGLES), np.sin(ANGLES), RNG.normal(scale=0.3, size=N)]
COUNTS = RNG.integers(0, 4, N)
POSITIVE = np.flatnonzero(COUNTS)
SPACE = KernelSpace(kernels.get("gaussian", 0.8), X[:30])
EXACT = {
    "laplacian": operators.Laplacian(),
    "tangent": operators.Tangent(),
    "tangent with q": operators.Tangent(12, 2),
    "sphere": operators.SphereTangent(),
    "dense graph": operators.Graph(graph="dense", bandwidth=0.5),
    "sum": operators.Sum(("tangent", operators.Laplacian()), (1.0, 0.5)),
    "sum with a graph": operators.Sum(
        ("laplacian", operators.Graph(graph="dense", bandwidth=0.5)), (1.0, 0.5), match=True
    ),
}
GRAPHS = {
    "k-NN": operators.Graph(),
    "binary": operators.Graph(weights="binary"),
    "normalised": operators.Graph(kind="normalised"),
    "automatic width": operators.Graph(graph="dense"),
}


def close(a, b, tolerance=1e-10):
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * np.abs(b).max())


def stiffness(operator, rows=slice(None), weights=None):
    return operators.assemble(SPACE, X[rows], operator, sample_weight=weights).stiffness


@pytest.mark.parametrize("operator", [*EXACT.values(), *GRAPHS.values()], ids=[*EXACT, *GRAPHS])
def test_weight_0_is_absent_and_the_scale_does_not_matter(operator):
    weights = np.where(COUNTS > 0, 7e5, 0.0)
    close(stiffness(operator, weights=weights), stiffness(operator, POSITIVE))
    close(stiffness(operator, weights=1e-9 * COUNTS), stiffness(operator, weights=COUNTS))


def test_the_weighted_knn_graph_by_its_definition():
    W = operators.Graph().weights_of(X).toarray()
    s = RNG.uniform(0.5, 2.0, N)
    phi = SPACE.phi(X)

    def energy(values):
        gaps = values[:, None] - values
        return np.einsum("i,j,ij,ija,ijb->ab", s, s, W, gaps, gaps)

    close(stiffness("graph", weights=s), energy(phi) / np.trace(energy(X)))


def test_tangents_at_a_subset_of_rows_use_their_weights():
    rows = np.arange(0, N, 2)
    operator = base.at_rows("tangent", X, rows, COUNTS[rows] + 1.0)
    repeated = np.repeat(rows, COUNTS[rows] + 1)
    close(
        operators.assemble(SPACE, X[rows], operator, sample_weight=COUNTS[rows] + 1.0).stiffness,
        stiffness("tangent", repeated),
    )
