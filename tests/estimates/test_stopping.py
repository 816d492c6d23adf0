"""Stopping rules, recomputed from the coefficients by definition."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.estimates import stopping
from lapviz.estimates.conjugate_gradient import krylov_path


def kernel_norm(A, v):
    return np.sqrt(max(v @ A @ v, 0.0) / len(v))


def long_path(n=400, noise=0.2, n_iterations=12):
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (n, 1))
    y = np.clip(np.sin(4 * X[:, 0]) + noise * rng.normal(size=n), -1.5, 1.5)
    K = kernels.get("gaussian", 0.4)(X, X)
    return K, y, krylov_path(K, y, n_iterations)


@pytest.mark.parametrize("tau", [1e-12, 0.01, 0.03, 0.1, 1.1])
@pytest.mark.parametrize("step_back", ["proof", "printed", "never"])
def test_discrepancy_rule_recomputed(tau, step_back):
    """Eq. (8) and its step back, from α by definition."""
    K, y, path = long_path()
    n, M, risk, kappa = len(y), 1.5, 0.1, 1.0
    A, log = K / n, np.log(2 / risk)
    delta = 4 * kappa * np.sqrt(log / n)
    expected, back = path.n_iterations, False
    for m in range(path.n_iterations + 1):
        alpha = path.alpha[m]
        level = 4 * tau * np.sqrt(kappa * log / n)
        level *= np.sqrt(kappa) * kernel_norm(A, alpha) + M * np.sqrt(log)
        if kernel_norm(A, y - A @ alpha) < level:
            if m:
                # α = q(A)y: the constant term of q, by interpolation on the Krylov basis
                powers = np.stack([np.linalg.matrix_power(A, j) @ y for j in range(m)], axis=1)
                q0 = np.linalg.lstsq(powers, alpha, rcond=None)[0][0]
                assert q0 == pytest.approx(path.polynomial_at_zero[m], rel=1e-3)
                limit = {"proof": 1 / (2 * tau * delta), "printed": delta, "never": np.inf}
                back = q0 >= limit[step_back]
            expected = m - back
            break
    stop = stopping.stop_by_discrepancy(path, kappa, M, tau=tau, risk=risk, step_back=step_back)
    assert (stop.iteration, stop.stepped_back) == (expected, back)
    assert stop.met == bool((path.residuals < stop.thresholds).any())
    assert len(stop.thresholds) == path.n_iterations + 1


@pytest.mark.parametrize(("r", "s", "D"), [(0.5, 1.0, 1.0), (1.0, 0.5, 1.5), (2.0, 0.2, 1.0)])
@pytest.mark.parametrize("tau", [1e-3, 0.05, 1.6])
def test_threshold_rule_recomputed(r, s, D, tau):
    K, y, path = long_path()
    n, M, risk, kappa = len(y), 1.5, 0.1, 1.0
    A = K / n
    level = tau * M * np.sqrt(kappa)
    level *= (4 * D / np.sqrt(n) * np.log(6 / risk)) ** ((2 * r + 1) / (2 * r + s))
    below = [kernel_norm(A, y - A @ alpha) < level for alpha in path.alpha]
    expected = below.index(True) if any(below) else path.n_iterations
    stop = stopping.stop_by_threshold(path, kappa, M, r=r, s=s, D=D, tau=tau, risk=risk)
    assert stop.iteration == expected
    assert stop.met == any(below)
    np.testing.assert_allclose(stop.thresholds, level)
    larger = stopping.stop_by_threshold(
        path, kappa, M, r=r, s=s, D=D, tau=tau, risk=risk, rho=2 * M
    )
    np.testing.assert_allclose(larger.thresholds, 2 * level)


def test_the_threshold_counts_labelled_points_only():
    K, y, full = long_path(n=60, n_iterations=3)
    few = krylov_path(K, y, 3, n_labelled=15)
    np.testing.assert_allclose(  # √(60/15)
        stopping.stop_by_threshold(few, 1.0, 1.0).thresholds,
        2 * stopping.stop_by_threshold(full, 1.0, 1.0).thresholds,
    )
