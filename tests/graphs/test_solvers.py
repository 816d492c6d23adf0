"""Conjugate gradients for several columns, against a direct solver."""

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from lapviz import _threads, graphs
from lapviz.graphs import solvers


def system(n=200):
    X = np.random.default_rng(0).normal(size=(n, 3))
    L = graphs.laplacian(graphs.knn_weights(X, 5))
    return sp.csr_matrix(L + sp.diags(np.linspace(1e-3, 1, n)))


@pytest.mark.parametrize("n_cores", [1, 3])
def test_columns_are_solved_independently(monkeypatch, n_cores):
    monkeypatch.setattr(_threads, "cores", lambda: n_cores)
    monkeypatch.setattr(solvers, "THREADED", 1)
    A, B = system(), np.random.default_rng(1).normal(size=(200, 4))
    B[:, 1] = 0.0
    B[:, 2] *= 1e-12  # relative to its own scale
    exact = np.linalg.solve(A.toarray(), B)
    near = exact + 0.1 * np.abs(exact).max(axis=0)
    for start in (None, near):
        solution = solvers.conjugate_gradients_of(A, rtol=1e-12)(B, start)
        for column, truth in zip(solution.T, exact.T, strict=True):
            np.testing.assert_allclose(column, truth, atol=1e-9 * max(np.abs(truth).max(), 1e-30))


def test_single_precision_does_not_depend_on_units():
    A, B = system(), np.random.default_rng(1).normal(size=(200, 3))
    B[:, 1] *= 1e-40
    shift = np.random.default_rng(2).uniform(size=(200, 3))
    expected = [np.linalg.solve(A.toarray() + np.diag(shift[:, k]), B[:, k]) for k in range(3)]
    for unit in (1.0, 1e-60):
        solution = solvers.conjugate_gradients_of(A * unit, shift=shift * unit, rtol=1e-5)(B * unit)
        for column, exact in zip(solution.T, expected, strict=True):
            np.testing.assert_allclose(column, exact, atol=1e-4 * np.abs(exact).max())


def test_a_node_of_hardly_any_weight_keeps_finite_values():
    """The inverse of 1e-40 is infinite in single precision."""
    A, B = system(), np.random.default_rng(1).normal(size=(200, 3))
    scale = np.ones(200)
    scale[7] = 1e-20
    A = sp.csr_matrix(sp.diags(scale) @ A @ sp.diags(scale))
    solution = solvers.conjugate_gradients_of(A, rtol=1e-3)(scale[:, None] * B)
    expected = np.linalg.solve(system().toarray(), B)
    np.testing.assert_allclose(scale[:, None] * solution, expected, atol=0.02)


def test_one_column_takes_the_same_steps_as_scipy():
    A, b = system(), np.random.default_rng(1).normal(size=200)
    jacobi = sp.diags(1 / A.diagonal())
    for start in (None, np.ones(200)):
        for rtol in (1e-2, 1e-4, 1e-8):
            scipys, failed = spla.cg(A, b, start, rtol=rtol, M=jacobi)
            assert not failed
            column_start = None if start is None else start[:, None]
            solution = solvers.conjugate_gradients_of(A, rtol=rtol)(b[:, None], column_start)
            rounding = 1e-10 if rtol < solvers.SINGLE else 1e-5
            atol = rounding * np.abs(scipys).max()
            np.testing.assert_allclose(solution[:, 0], scipys, atol=atol)


def test_too_few_iterations_raise_an_error():
    with pytest.raises(np.linalg.LinAlgError, match="in 3 iterations"):
        solvers.conjugate_gradients_of(system(), max_iter=3)(np.ones((200, 1)))


def test_the_coarse_system_takes_a_third_of_the_iterations():
    X = np.random.default_rng(0).uniform(size=(2000, 2))
    L = sp.csr_matrix(graphs.laplacian(graphs.knn_weights(X, 7)))
    A, B = L[1:][:, 1:], -L[1:][:, :1].toarray()  # one label: the function is constant
    with pytest.raises(np.linalg.LinAlgError):
        solvers.conjugate_gradients_of(A, rtol=1e-8, max_iter=450)(B)
    solution = solvers.conjugate_gradients_of(A, rtol=1e-8, max_iter=180, coarse=True)(B)
    np.testing.assert_allclose(solution, 1.0, atol=1e-6)


def test_the_coarse_system_leaves_unreached_components_to_the_diagonal():
    A = sp.block_diag([sp.csr_matrix([[2.0, -1.0], [-1.0, 2.0]])] * 50, format="csr")
    B = np.random.default_rng(0).normal(size=(100, 2))
    solution = solvers.conjugate_gradients_of(A, rtol=1e-12, coarse=True)(B)
    np.testing.assert_allclose(solution, np.linalg.solve(A.toarray(), B), atol=1e-11)


def test_a_large_graph_of_badly_scaled_weights_is_not_factorised(monkeypatch):
    """Row weights over five decades; factors of 25 000 such nodes take minutes."""
    rng = np.random.default_rng(0)
    W = graphs.knn_weights(rng.normal(size=(2000, 8)), 10)
    W = graphs.with_mass(W, 10 ** rng.uniform(-5, 0, 2000))
    assert solvers.is_badly_scaled(W)
    assert not solvers.has_large_diameter(W)
    values = np.eye(5)
    expected = graphs.harmonic(W, np.arange(5), values)
    monkeypatch.setattr(solvers, "FACTORED", 1000)
    monkeypatch.setattr(solvers, "factor", None)
    np.testing.assert_allclose(graphs.harmonic(W, np.arange(5), values), expected, atol=1e-8)
