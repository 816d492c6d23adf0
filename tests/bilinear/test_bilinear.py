"""galerkin_svd: every form by its definition, the decomposition's identities, known operators."""

import types

import numpy as np
import pytest

from lapviz import forms, kernels, operators
from lapviz.bilinear import (
    Derivative,
    Dirichlet,
    Multiplication,
    WeightedGradients,
    as_form,
    galerkin_svd,
    orthonormal_basis,
)
from lapviz.operators.invariances import AugmentationDifferences
from lapviz.spaces import FunctionSpace, KernelSpace

rng = np.random.default_rng(0)


def spaces(d=2):
    """Two spaces of well-separated functions, of different kernels and sizes."""
    C = np.random.default_rng(d).uniform(-2, 2, size=(14, d))
    return (
        KernelSpace(kernels.get("matern32", 0.8), C[:9]),
        KernelSpace(kernels.get("gaussian", 0.6), C[9:], constant=False),
    )


def brute_force(H, phi, psi, X):
    """E[H(φ_i, ψ_j, x)] by a loop over samples and functions."""
    total = np.zeros((phi.n_functions, psi.n_functions))
    for k, x in enumerate(X):
        f, g = phi.phi(x[None])[0], psi.phi(x[None])[0]
        df, dg = phi.gradient(x[None])[0], psi.gradient(x[None])[0]
        for i in range(len(f)):
            for j in range(len(g)):
                total[i, j] += H(f[i], df[:, i], g[j], dg[:, j], x, k)
    return total / len(X)


def matrices(X):
    A = np.random.default_rng(7).normal(size=(len(X), X.shape[1], X.shape[1]))
    return A + X[:, :, None]


DEFINITIONS = {
    "laplacian": ("laplacian", lambda f, df, g, dg, x, k: df @ dg),
    "sphere": (
        operators.SphereTangent(),
        lambda f, df, g, dg, x, k: df @ dg - (df @ x) * (dg @ x) / (x @ x),
    ),
    "identity": (Multiplication(), lambda f, df, g, dg, x, k: f * g),
    "weight": (Multiplication(lambda X: X[:, 0]), lambda f, df, g, dg, x, k: x[0] * f * g),
    "first order": (Derivative(1), lambda f, df, g, dg, x, k: f * dg[1]),
    "field": (
        Derivative(lambda X: X[:, ::-1] ** 2),
        lambda f, df, g, dg, x, k: f * (x[::-1] ** 2 @ dg),
    ),
    "weighted": (
        WeightedGradients(matrices),
        lambda f, df, g, dg, x, k: df @ MATRICES[k] @ dg,
    ),
    "combination": (
        Derivative(0) + 0.5 * Multiplication() + "laplacian" + Dirichlet(),
        lambda f, df, g, dg, x, k: 2 * df @ dg + f * dg[0] + 0.5 * f * g,
    ),
    "callable": (
        lambda phi, psi, X: phi.phi(X).T @ psi.gradient(X)[:, 0] / len(X),
        lambda f, df, g, dg, x, k: f * dg[0],
    ),
}
POINTS = np.random.default_rng(5).uniform(-2, 2, size=(23, 2))
MATRICES = matrices(POINTS)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_form_is_the_mean_of_its_definition(name):
    phi, psi = spaces()
    H, definition = DEFINITIONS[name]
    for left, right in ((phi, psi), (psi, phi), (phi, phi)):
        matrix = as_form(H).matrix(left, right, POINTS)
        np.testing.assert_allclose(
            matrix, brute_force(definition, left, right, POINTS), rtol=1e-9, atol=1e-12
        )


@pytest.mark.slow
def test_many_samples_are_processed_in_blocks():
    phi, psi = spaces()
    X = np.tile(POINTS, (2500, 1))
    for name in ("first order", "callable", "laplacian"):
        form = as_form(DEFINITIONS[name][0])
        np.testing.assert_allclose(
            form.matrix(phi, psi, X), form.matrix(phi, psi, POINTS), atol=1e-11
        )


# ---------------------------------------------------------------------------- the decomposition


@pytest.mark.parametrize("name", ["laplacian", "first order", "weighted", "combination"])
def test_the_identities_of_equation_7(name):
    """A L Bᵀ = Λ, A Φ Aᵀ = B Ψ Bᵀ = I, with all directions kept."""
    phi, psi = spaces()
    H = DEFINITIONS[name][0]
    result = galerkin_svd(H, phi, psi, POINTS, which="largest")
    A, B = result.left, result.right
    assert result.n_dropped == (0, 0)
    assert A.shape == (10, 5)
    L = as_form(H).matrix(phi, psi, POINTS)
    Phi, Psi = forms.mass(phi, POINTS), forms.mass(psi, POINTS)
    np.testing.assert_allclose(A.T @ L @ B, np.diag(result.values), atol=1e-9 * result.values[0])
    np.testing.assert_allclose(A.T @ Phi @ A, np.eye(5), atol=1e-9)
    np.testing.assert_allclose(B.T @ Psi @ B, np.eye(5), atol=1e-9)

    def root(M):  # M^{-1/2}, as in GAL23 A.3
        values, vectors = np.linalg.eigh(M)
        return (vectors / np.sqrt(values)) @ vectors.T

    expected = np.linalg.svd(root(Phi) @ L @ root(Psi), compute_uv=False)
    np.testing.assert_allclose(result.values, expected, rtol=1e-7)


@pytest.mark.parametrize("kernel", kernels.names())
def test_functions_are_orthonormal_to_1e_8_in_a_nearly_singular_space(kernel):
    X = rng.normal(size=(500, 2))
    phi = KernelSpace(kernels.get(kernel, 2.0), np.vstack([X[:60], X[:20]]))
    psi = KernelSpace(kernels.get(kernel, 3.0), X[60:100])
    result = galerkin_svd(Derivative(0), phi, psi, X)
    assert result.n_dropped[0] >= 20  # the duplicates
    for values in (result.evaluate_left(X), result.evaluate_right(X)):
        off = values.T @ values / len(X) - np.eye(len(result.values))
        assert np.abs(off).max() < 1e-8
    W = orthonormal_basis(phi, X)
    np.testing.assert_allclose(W.T @ forms.mass(phi, X) @ W, np.eye(W.shape[1]), atol=1e-6)


def test_order_number_and_signs():
    phi, psi = spaces()
    smallest = galerkin_svd(Derivative(0), phi, psi, POINTS)
    largest = galerkin_svd(Derivative(0), phi, psi, POINTS, n_components=3, which="largest")
    assert np.all(np.diff(smallest.values) >= 0)
    np.testing.assert_array_equal(largest.values, smallest.values[:-4:-1])
    assert largest.left.shape == (10, 3)
    order = np.random.default_rng(1).permutation(len(POINTS))
    permuted = galerkin_svd(Derivative(0), phi, psi, POINTS[order])
    np.testing.assert_allclose(
        permuted.evaluate_right(POINTS), smallest.evaluate_right(POINTS), atol=1e-6
    )
    assert len(galerkin_svd(Derivative(0), phi, psi, POINTS, n_components=99).values) == 5


# ------------------------------------------------------------------------------ known operators


def circle(n=20_000, seed=0):
    t = np.random.default_rng(seed).uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(t), np.sin(t)])


TURN = Derivative(lambda X: np.column_stack([-X[:, 1], X[:, 0]]))  # d/dθ


def left_and_right(name, X):
    polynomial = KernelSpace(kernels.get("polynomial", 1.0, degree=6), X[:40])
    fine, coarse = (KernelSpace(kernels.get(name, s), X[:p]) for s, p in ((0.8, 100), (1.0, 30)))
    return (polynomial, None) if name == "polynomial" else (fine, coarse)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["polynomial", "gaussian", "matern52"])
def test_the_derivative_on_the_circle(name):
    """0, 1, 1, 2, 2, 3, 3 within 3 %, orthonormal to 1e-8; each pair spans the same waves."""
    X = circle()
    result = galerkin_svd(TURN, *left_and_right(name, X), X, n_components=7)
    truth = np.array([0, 1, 1, 2, 2, 3, 3])
    assert result.values[0] < 1e-6
    np.testing.assert_allclose(result.values[1:], truth[1:], rtol=0.03)
    f, g = result.evaluate_left(X), result.evaluate_right(X)
    for values in (f, g):
        assert np.abs(values.T @ values / len(X) - np.eye(7)).max() < 1e-8
    theta = np.arctan2(X[:, 1], X[:, 0])
    for k in (1, 2, 3):
        waves = np.sqrt(2) * np.column_stack([np.cos(k * theta), np.sin(k * theta)])
        for values in (f, g):  # squared cosines of the angles between the planes
            inner = waves.T @ values[:, 2 * k - 1 : 2 * k + 1] / len(X)
            assert np.linalg.svd(inner, compute_uv=False).min() > 0.98
    # f_i = ∂g_i / λ_i up to projection
    slopes = result.psi.slope(X, np.column_stack([-X[:, 1], X[:, 0]])) @ result.right
    np.testing.assert_allclose((f * slopes).mean(axis=0), result.values, atol=1e-6)


def test_any_functions_serve_as_test_functions():
    """d/dx of 1, x, x² over U[0, 1] has a closed form in the Legendre basis: 0, √12, √60."""
    x = np.linspace(0, 1, 4001)[:, None]
    space = FunctionSpace(
        lambda X: X ** np.arange(3),
        lambda X: (np.arange(3) * X ** np.maximum(np.arange(3) - 1, 0))[:, None],
        n_features=1,
    )
    result = galerkin_svd(Derivative(0), space, None, x)
    # 1, √3(2x−1), √5(6x²−6x+1): derivatives 0, 2√3·P₀, 2√15·P₁
    np.testing.assert_allclose(result.values, [0, 12**0.5, 60**0.5], rtol=1e-3, atol=1e-6)


def test_differences_of_augmentations_on_both_sides():
    phi, psi = spaces()
    H = AugmentationDifferences(lambda X, rng: X + 0.3 * rng.normal(size=X.shape))
    result = galerkin_svd(H, phi, psi, POINTS)
    assert len(result.values) == 5
    single = as_form(types.SimpleNamespace(stiffness=H.stiffness))
    np.testing.assert_allclose(
        single.matrix(phi, phi, POINTS), H.matrix(phi, phi, POINTS), atol=1e-12
    )
    with pytest.raises(ValueError, match="on a single trial space only"):
        single.matrix(phi, psi, POINTS)
