"""Estimates against brute-force minimisers, direct solves and theoretical limits."""

import numpy as np
import pytest
import scipy.linalg as sla

from lapviz import kernels, operators, spectra
from lapviz.estimates import (
    balance,
    class_codes,
    class_scores,
    class_shares,
    factorise,
    filters,
    labelled_estimate,
    poisson_estimate,
    ridge_on_labels,
    spectral_estimate,
)
from lapviz.spaces import KernelSpace
from tests.estimates.brute_force import minimiser

MU = 1e-3


def problem(n_labelled=6, p=15, constant=False, outputs=2, n=120, seed=0, kernel="matern32"):
    """A trial space of well-separated functions, so that direct solves keep their digits."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(n, 2))
    space = KernelSpace(kernels.get(kernel, 1.0), X[:p], constant)
    rows = rng.permutation(n)[:n_labelled]
    y = rng.normal(size=(n_labelled, outputs)) + 3.0
    return space, operators.assemble(space, X), space.phi(X[rows]), y, X


@pytest.mark.parametrize("lam", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("n_labelled", [1, 4, 40])  # fewer and more than the 15 functions
def test_tikhonov_on_the_labels_minimises_the_objective(n_labelled, constant, outputs, lam):
    """SSL21 eq. (5); with the constant as an unpenalised intercept."""
    space, form, phi, y, X = problem(n_labelled, constant=constant, outputs=outputs)
    c = labelled_estimate(factorise(form, MU, constant), phi, y, lam)
    expected = minimiser(lam * form.penalty(MU), (1 / len(y), phi, y))
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-8)


@pytest.mark.parametrize("n_labelled", [4, 40])
def test_a_constant_that_has_energy_is_unpenalised_too(n_labelled):
    """As in a normalised graph, whose null function is √degree."""
    space, _, phi, y, X = problem(n_labelled, constant=True)
    form = operators.assemble(space, X, operators.Graph(kind="normalised"))
    assert form.stiffness[0, 0] > 1e-3 * np.diag(form.stiffness).mean()
    free = form.penalty(MU)
    free[0], free[:, 0] = 0, 0
    for lam in (1e-3, 1.0):
        c = labelled_estimate(factorise(form, MU, True), phi, y, lam)
        expected = minimiser(lam * free, (1 / len(y), phi, y))
        np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-8)


@pytest.mark.parametrize("constant", [False, True])
def test_at_lambda_zero_the_interpolant_of_least_energy(constant):
    space, form, phi, y, X = problem(5, constant=constant)
    c = labelled_estimate(factorise(form, MU, constant), phi, y, 0.0)
    np.testing.assert_allclose(phi @ c, y, atol=1e-7)
    # Lagrange: min cᵀAc subject to φc = y
    A, k = form.penalty(MU), len(y)
    system = np.block([[2 * A, phi.T], [phi, np.zeros((k, k))]])
    right = np.vstack([np.zeros((len(A), 2)), y])
    expected = np.linalg.solve(system, right)[: len(A)]
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-6)


@pytest.mark.parametrize("name", filters.names())
@pytest.mark.parametrize("n_labelled", [4, 40])
@pytest.mark.parametrize("lam", [0.05, 2.0])
def test_any_filter_filters_the_generalized_spectrum(name, n_labelled, lam):
    """c = Σ ψ(x_i) ⟨b, v_i⟩ v_i with M v = x (S + μK) v, vᵀ(S + μK)v = 1, M over the labels or over
    all samples (SSL21 eqs. 7 and 9, Proposition 1)."""
    space, form, phi, y, X = problem(n_labelled)
    b, penalty, psi = phi.T @ y / len(y), form.penalty(MU), filters.get(name).psi
    x, V = sla.eigh(phi.T @ phi / len(y), penalty)
    weights = psi(np.where(x > 1e-12 * x[-1], x, 0.0), lam)
    c = labelled_estimate(factorise(form, MU, False), phi, y, lam, name)
    expected = V @ (weights[:, None] * (V.T @ b))
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-7)
    x, V = sla.eigh(form.mass, penalty)
    c = spectral_estimate(spectra.spectrum(form, MU), b, lam, name)
    expected = space.phi(X) @ V @ (psi(x, lam)[:, None] * (V.T @ b))
    atol = 1e-8 * np.abs(expected).max()
    np.testing.assert_allclose(space.phi(X) @ c, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0, 1e3])
def test_the_spectral_sum_is_the_direct_solve(lam, constant):
    """(M + λ(S + μK)) c = b to 1e-8 (SSL21 eq. 9, Proposition 1)."""
    space, form, phi, y, X = problem(8, constant=constant)
    b = phi.T @ y / len(y)
    c = spectral_estimate(spectra.spectrum(form, MU), b, lam)
    expected = np.linalg.solve(form.mass + lam * form.penalty(MU), b)
    scale = np.abs(space.phi(X) @ expected).max()
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, rtol=0, atol=1e-8 * scale)


def test_kernel_ridge_on_the_labels_is_ridge_in_the_whole_rkhs():
    """Representer theorem: landmarks at the labels suffice."""
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(9, 2)), rng.normal(size=(9, 2)), 0.02
    kernel = kernels.get("gaussian", 1.0)
    K = kernel(X, X)
    a = ridge_on_labels(kernel, X, y, weight)
    np.testing.assert_allclose(K @ a, K @ minimiser(weight * K, (1 / 9, K, y)), atol=1e-7)
    space = KernelSpace(kernel, X, constant=False)
    form = operators.assemble(space, rng.normal(size=(100, 2)))
    limit = labelled_estimate(factorise(form, weight / 1e-8, False), space.phi(X), y, 1e-8)
    np.testing.assert_allclose(space.phi(X) @ limit, K @ a, atol=1e-4)


@pytest.mark.parametrize("lam", [0.0, 0.1])
@pytest.mark.parametrize("name", filters.names())
def test_null_directions_do_no_harm(name, lam):
    """Wide Gaussian, duplicate landmarks, two labels at one point."""
    X = np.random.default_rng(0).normal(size=(80, 2))
    C = np.vstack([X[:20], X[:20]])
    space = KernelSpace(kernels.get("gaussian", 5.0), C, False)
    form = operators.assemble(space, X)
    rows, y = np.array([0, 0, 1, 2]), np.array([[1.0], [-1.0], [1.0], [-1.0]])
    for mu in (0.0, 1e-6):
        c = labelled_estimate(factorise(form, mu, False), space.phi(X[rows]), y, lam, name)
        assert np.all(np.isfinite(c))
        assert np.abs(space.phi(X[rows]) @ c).max() < 10


# ------------------------------------------------------------------ labels as sources, class mass


@pytest.mark.parametrize("constant", [False, True])
def test_poisson_solves_its_equation_and_its_scale_fits_the_labels(constant):
    _, form, phi, y, _ = problem(constant=constant)
    c = poisson_estimate(factorise(form, MU, constant), phi, y)
    A, source = form.penalty(MU), phi.T @ (y - y.mean(axis=0))
    plain = np.linalg.lstsq(A, source, rcond=None)[0]
    a = np.vdot(A @ plain, A @ c) / np.vdot(A @ plain, A @ plain)
    np.testing.assert_allclose(A @ c, a * source, atol=1e-9 * np.abs(source).max())

    assert a > 0  # a is the least-squares scale: the residual is orthogonal to the source term
    fitted = phi @ c
    residual = fitted - (y if constant else y - y.mean(axis=0))
    assert np.vdot(fitted - constant * fitted.mean(axis=0), residual) == pytest.approx(0, abs=1e-9)
    if constant:
        np.testing.assert_allclose(residual.mean(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize("size", [1e-170, 1e290])
def test_poisson_scales_with_the_labels(size):
    _, form, phi, y, _ = problem()
    factor = factorise(form, MU, False)
    c, scaled = (poisson_estimate(factor, phi, t, by_column=True) for t in (y, y * size))
    np.testing.assert_allclose(scaled / size, c, rtol=1e-9)


@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_shares_and_scores_are_inverse_and_codes_are_shares_of_one(n_classes):
    codes = np.arange(n_classes).repeat(2)
    scores = class_codes(codes, n_classes)
    shares = class_shares(scores, n_classes)
    np.testing.assert_allclose(shares, np.eye(n_classes)[codes] if n_classes > 1 else shares)
    np.testing.assert_allclose(class_scores(shares), scores)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    expected = [[-1.0], [1.0]] if n_classes == 2 else np.eye(n_classes) - 1 / n_classes
    np.testing.assert_allclose(scores[::2], expected)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_balanced_shares_have_the_mass_of_the_prior(n_classes):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(200, n_classes)) * 0.2 + 0.1 * rng.normal(size=n_classes)
    scores = scores[:, :1] if n_classes == 2 else scores
    prior = rng.dirichlet(np.ones(n_classes))
    shifted = class_shares(balance(scores, prior, "shift")(scores), n_classes)
    scaled = class_shares(balance(scores, prior, "scale")(scores), n_classes)
    np.testing.assert_allclose(shifted.mean(axis=0), prior, atol=1e-12)
    if n_classes > 2:  # for two classes only the difference of their shares is kept
        np.testing.assert_allclose(np.maximum(scaled, 0).mean(axis=0), prior, atol=1e-12)
    shares = class_shares(scores, n_classes)
    weight = prior / np.maximum(shares, 0).mean(axis=0)
    np.testing.assert_array_equal(
        scaled.argmax(axis=1), (weight * shares).argmax(axis=1), "Zhu et al.'s rule"
    )
