"""Kernel conjugate gradient against brute force on the Krylov space."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.estimates import conjugate_gradient as kernel_cg
from lapviz.estimates.conjugate_gradient import krylov_path

KERNELS = [("gaussian", 0.3), ("gaussian", 2.0), ("exponential", 0.5), ("matern32", 1.0)]
ALL_KERNELS = [*KERNELS, ("polynomial", 1.0)]


def problem(name="gaussian", bandwidth=0.5, n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=n)
    return kernels.get(name, bandwidth)(X, X), y


def krylov_basis(A, y, m):
    """Orthonormal basis of span{y, Ay, …, A^{m−1}y}, vector by vector."""
    basis = np.empty((len(y), m))
    v = y
    for j in range(m):
        for _ in range(2):
            v = v - basis[:, :j] @ (basis[:, :j].T @ v)
        basis[:, j] = v / np.linalg.norm(v)
        v = A @ basis[:, j]
    return basis


def minimiser(A, y, m, power):
    """argmin over the Krylov space of ‖A^{power/2}(y − Aα)‖, by least squares on a basis."""
    xi, U = np.linalg.eigh(A)
    root = np.clip(xi, 0, None) ** (power / 2)
    basis = krylov_basis(A, y, m)
    design = root[:, None] * (U.T @ (A @ basis))
    return basis @ np.linalg.lstsq(design, root * (U.T @ y), rcond=None)[0]


@pytest.mark.parametrize(("norm", "power"), [("kernel", 1), ("plain", 0)])
@pytest.mark.parametrize(("name", "bandwidth"), ALL_KERNELS)
def test_iterates_are_the_minimisers_on_the_krylov_space(name, bandwidth, norm, power):
    K, y = problem(name, bandwidth)
    A = K / len(y)
    path = krylov_path(K, y, 6, norm=norm)
    for m in range(1, 7):
        expected = minimiser(A, y, m, power)
        error = np.linalg.norm(path.alpha[m] - expected) / np.linalg.norm(expected)
        assert error < 1e-8, m
        norm_of_f = np.sqrt(path.alpha[m] @ A @ path.alpha[m] / len(y))
        assert path.norms[m] == pytest.approx(norm_of_f, rel=1e-6)


def test_images_stay_conjugate_where_those_of_the_three_term_recursion_do_not():
    """⟨r_m, K_n r_j⟩_{K_n} = 0 for j < m: that recursion is off by .5 within twelve steps here."""
    K, y = problem("gaussian", 1.0)
    A = K / len(y)
    path = krylov_path(K, y, 15)
    R = y - path.alpha @ A
    G = R @ A @ (A @ R.T)
    scale = np.sqrt(np.diag(G))
    assert np.abs(G / scale / scale[:, None] - np.eye(len(R))).max() < 0.05


@pytest.mark.parametrize("norm", ["kernel", "plain"])
def test_no_step_is_taken_past_the_rank_of_the_kernel(norm):
    """A cubic kernel on a line has rank 4: the last iterate is the cubic of least squares."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-2, 2, 15))
    y = np.sin(2 * x) + 0.3 * rng.normal(size=15)
    path = krylov_path((1 + np.outer(x, x)) ** 3, y, 50, norm=norm)
    least = np.polynomial.Polynomial.fit(x, y, 3)(x)
    assert len(path.alpha) == 5
    np.testing.assert_allclose((1 + np.outer(x, x)) ** 3 @ path.alpha[-1] / 15, least, atol=1e-6)


def test_the_space_may_end_early():
    """Y in the span of two eigenvectors: two steps give the exact solution."""
    K, _ = problem()
    xi, U = np.linalg.eigh(K)
    y = U[:, -1] + 2 * U[:, -3]
    path = krylov_path(K, y, 50)
    assert path.n_iterations == 2
    assert path.exhausted
    np.testing.assert_allclose(path.alpha[-1], 80 * (U[:, -1] / xi[-1] + 2 * U[:, -3] / xi[-3]))
    zero = krylov_path(K, np.zeros(80), 50)
    assert zero.n_iterations == 0
    assert zero.exhausted
    many = krylov_path(K, np.random.default_rng(0).normal(size=80), 10**8)
    assert many.exhausted
    assert many.n_iterations <= 80, "the dimension of the space"
    rank_one = krylov_path(np.ones((5, 5)), np.arange(5.0), 4)
    assert rank_one.n_iterations == 1
    np.testing.assert_allclose(rank_one.alpha[1].sum() / 5, 2.0)


@pytest.mark.parametrize("n_stored", [0, 1, 33, 69])
def test_products_with_a_part_in_memory_give_the_same_path(n_stored, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(70, 3)), rng.normal(size=70)
    kernel = kernels.get("gaussian", 1.0)
    full = kernel_cg.kernel_product(kernel, X)
    monkeypatch.setattr("lapviz.estimates.conjugate_gradient._BLOCK", 500)  # several blocks
    partial = kernel_cg.kernel_product(kernel, X, max_bytes=8 * 70 * n_stored)
    assert partial.stored.shape == (n_stored, 70)
    np.testing.assert_allclose(partial(y), full @ y, rtol=1e-12, atol=1e-12)
    left, right = rng.permutation(70)[:9], np.arange(70) % 3 == 0
    V = rng.normal(size=(right.sum(), 2))
    np.testing.assert_allclose(
        partial.between(left, right)(V), full[np.ix_(left, right)] @ V, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(
        krylov_path(partial, y, 5).alpha, krylov_path(full, y, 5).alpha, rtol=1e-9
    )
