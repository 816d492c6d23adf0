"""Filters on one kernel matrix against direct solves, explicit loops and scikit-learn."""

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression

from lapviz import kernels
from lapviz.estimates.kernel_filters import (
    KernelSpectrum,
    effective_dimension,
    intrinsic_dimension,
    kernel_filters,
    source_condition,
)

GRIDS = {
    "ridge": [1e-3, 1.0, 1e-1],
    "pcr": [0, 1, 5, 12],
    "boosting": [0, 1, 7, 400],
}


def problem(n=60, name="exponential", bandwidth=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    y = np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=n)
    kernel = kernels.get(name, bandwidth)
    return kernel, X, kernel(X, X), y


def test_ridge_is_the_solve_and_scikit_learns():
    kernel, X, K, y = problem()
    path = kernel_filters(K, y, "ridge", GRIDS["ridge"])
    new = np.random.default_rng(1).uniform(-1, 1, (10, 2))
    for lam, alpha, values in zip(
        path.parameters, path.alpha, path.predict(kernel(new, X)).T, strict=True
    ):
        np.testing.assert_allclose(alpha, np.linalg.solve(K / 60 + lam * np.eye(60), y))
        peer = KernelRidge(alpha=60 * lam, kernel="precomputed").fit(K, y)
        np.testing.assert_allclose(values, peer.predict(kernel(new, X)), rtol=1e-9)


def test_principal_components_are_least_squares_on_kernel_pca():
    """Without centring: on the leading eigenvectors of K; fitted values by projection."""
    _, _, K, y = problem()
    path = kernel_filters(K, y, "pcr", GRIDS["pcr"])
    U = np.linalg.eigh(K)[1][:, ::-1]
    for q, alpha in zip(GRIDS["pcr"], path.alpha, strict=True):
        np.testing.assert_allclose(K @ alpha / 60, U[:, :q] @ (U[:, :q].T @ y), atol=1e-10)
    H = np.eye(60) - 1 / 60
    centred = kernel_filters(H @ K @ H, y - y.mean(), "pcr", [5])
    scores = KernelPCA(5, kernel="precomputed").fit_transform(K)
    peer = LinearRegression().fit(scores, y).predict(scores) - y.mean()
    np.testing.assert_allclose(H @ K @ H @ centred.alpha[0] / 60, peer, atol=1e-9)


def test_boosting_is_the_explicit_loop():
    _, _, K, y = problem()
    A, alpha = K / 60, np.zeros(60)
    step = 1 / np.linalg.eigvalsh(A)[-1]
    loop = [alpha]
    for _ in range(400):
        alpha = alpha + step * (y - A @ alpha)
        loop.append(alpha)
    path = kernel_filters(K, y, "boosting", GRIDS["boosting"])
    for t, alpha in zip(GRIDS["boosting"], path.alpha, strict=True):
        np.testing.assert_allclose(alpha, loop[t], atol=1e-10)


def test_kernel_pls_is_scikit_learns_pls_on_explicit_features():
    _, _, K, y = problem()
    H = np.eye(60) - 1 / 60
    K, y = H @ K @ H, y - y.mean()
    xi, U = np.linalg.eigh(K)
    features = U * np.sqrt(np.clip(xi, 0, None))
    path = kernel_filters(K, y, "pls", [1, 2, 4])
    for m, alpha in zip((1, 2, 4), path.alpha, strict=True):
        peer = PLSRegression(m, scale=False).fit(features, y).predict(features).ravel()
        np.testing.assert_allclose(K @ alpha / 60, peer, atol=1e-8)


def test_a_matrix_in_half_the_digits_is_taken():
    _, _, K, y = problem()
    assert kernel_filters(K.astype(np.float32), y, "ridge", [1.0]).alpha.shape == (1, 60)


def test_effective_dimension_is_the_trace():
    _, _, K, _ = problem()
    A = K / 60
    lam = np.array([1e-4, 1e-2, 1.0])
    expected = [np.trace(A @ np.linalg.inv(A + l * np.eye(60))) for l in lam]
    np.testing.assert_allclose(effective_dimension(K, lam), expected)


@pytest.mark.parametrize("power", [1.5, 2.0, 4.0])
def test_intrinsic_dimension_of_a_power_law(power):
    """ξ_i = i^−b gives N(λ) ~ λ^(−1/b), and the condition holds on the grid with that s and D."""
    xi = np.arange(1.0, 4001) ** -power
    result = intrinsic_dimension(KernelSpectrum(xi, np.empty((0, 0))), 1.0)
    assert result.s == pytest.approx(1 / power, rel=0.12)
    assert np.all(result.effective <= result.D**2 * result.lam**-result.s * (1 + 1e-12))
    assert result.D >= 1


@pytest.mark.parametrize("r", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_source_condition_of_a_power_law(r, noise):
    """c_i² = i^−(4r+1) with ξ_i = i^−2 has tails t^{2r}: SC(r') for all r' < r and no more."""
    n = 2000
    i = np.arange(1.0, n + 1)
    rng = np.random.default_rng(0)
    c = i ** (-2 * r - 0.5) * rng.choice([-1, 1], n) + noise * rng.normal(size=n) / np.sqrt(n)
    result = source_condition(KernelSpectrum(i**-2.0, np.eye(n)), np.sqrt(n) * c, 1.0, noise=noise)
    assert result.r == pytest.approx(r, rel=0.12)
    tail, levels = result.tail[result.resolved], result.levels[result.resolved]
    assert np.all(tail <= result.rho**2 * levels ** (2 * result.r) * 1.001)
    if noise and r > 0.25:  # below, the signal itself reaches the lower half of the spectrum
        estimated = source_condition(KernelSpectrum(i**-2.0, np.eye(n)), np.sqrt(n) * c, 1.0)
        assert estimated.noise == pytest.approx(noise, rel=0.1)
