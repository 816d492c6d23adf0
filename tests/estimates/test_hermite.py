"""Hermite regression against its definition, limits, and functions that it must recover."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.estimates.hermite import assemble, hermite_estimate
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import RepresenterSpace
from tests.estimates.brute_force import minimiser, square_root

WEIGHT, RIDGE = 0.7, 1e-3


def problem(name="matern52", n=60, d=2, p=12, k=2, constant=False, seed=0):
    rng = np.random.default_rng([seed, d])
    X = rng.uniform(-1, 1, size=(n, d))
    kernel = kernels.get(name, 1.2 * d**0.5)
    y, slopes = rng.normal(size=(n, k)), rng.normal(size=(n, d, k))
    return KernelSpace(kernel, X[:p], constant), X, y, slopes


def brute_force(space, X, y, slopes, R):
    """The minimiser of the objective, without rows of NaN."""
    value, slope = ~np.isnan(y).any(axis=1), ~np.isnan(slopes).any(axis=(1, 2))
    G, t = np.concatenate(space.gradient(X)[slope]), np.concatenate(slopes[slope])
    value_term = 1 / value.sum(), space.phi(X)[value], y[value]
    return minimiser(RIDGE * R, value_term, (WEIGHT / slope.sum(), G, t))


@pytest.mark.parametrize("norm", ["rkhs", "coefficients"])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("name", kernels.names())
def test_it_minimises_the_objective(name, d, constant, norm):
    space, X, y, slopes = problem(name, d=d, constant=constant)
    R = space.gram if norm == "rkhs" else np.diag(np.arange(len(space.gram)) >= constant) * 1.0
    c = hermite_estimate(assemble(space, X, y, slopes), WEIGHT, RIDGE, norm)
    expected = brute_force(space, X, y, slopes, R)
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-7)


@pytest.mark.parametrize("name", ["gaussian", "exponential", "polynomial"])
def test_nan_marks_rows_without_values_or_slopes(name):
    space, X, y, slopes = problem(name)
    y[5:30] = np.nan
    y[31, 0] = np.nan  # a row with a missing output has no value
    slopes[20:50] = np.nan
    forms = assemble(space, X, y, slopes)
    assert (forms.n_values, forms.n_slopes) == (34, 30)
    c = hermite_estimate(forms, WEIGHT, RIDGE)
    expected = brute_force(space, X, y, slopes, space.gram)
    np.testing.assert_allclose(space.phi(X) @ c, space.phi(X) @ expected, atol=1e-7)


@pytest.mark.parametrize("name", ["gaussian", "matern32", "matern52"])
def test_in_the_representer_space_it_interpolates_values_and_slopes(name):
    """n(d + 1) numbers by n(d + 1) functions: Hermite interpolation (GAL23 §7.2)."""
    X = np.stack(np.meshgrid([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]), -1).reshape(-1, 2)
    space = RepresenterSpace(kernels.get(name, 0.8), X)
    rng = np.random.default_rng(0)
    y, slopes = rng.normal(size=9), rng.normal(size=(9, 2))
    c = hermite_estimate(assemble(space, X, y, slopes), 1.0, 0.0)
    np.testing.assert_allclose(space.phi(X) @ c, y[:, None], atol=1e-5)
    np.testing.assert_allclose((space.gradient(X) @ c)[..., 0], slopes, atol=1e-5)


@pytest.mark.parametrize("weight", [0.0, 1.0])
@pytest.mark.parametrize("norm", ["rkhs", "coefficients"])
@pytest.mark.parametrize("constant", [False, True])
def test_without_a_ridge_it_is_the_limit_of_small_ridges(constant, norm, weight):
    x = np.array([[0.08], [0.3], [0.55], [0.75], [0.92]])
    y = np.array([0.2, 1.0, -0.4, -0.9, 0.5])
    slopes = np.array([4.0, np.nan, -4.0, np.nan, 2.0])[:, None]  # fewer numbers than functions
    space = RepresenterSpace(kernels.get("matern32", 0.4), x, constant)
    forms = assemble(space, x, y, slopes)
    phi = space.phi(np.linspace(0, 1, 101)[:, None])
    limit, least = (phi @ hermite_estimate(forms, weight, ridge, norm) for ridge in (1e-12, 0))
    np.testing.assert_allclose(least, limit, atol=1e-7)


def test_many_rows_are_processed_in_blocks():
    space, X, y, slopes = problem(n=40, p=12)
    tiled = (np.tile(a, (600, *[1] * (a.ndim - 1))) for a in (X, y, slopes))
    expected, forms = assemble(space, X, y, slopes), assemble(space, *tiled)
    for name in ("values", "slopes"):
        R, R_expected = getattr(forms, name), getattr(expected, name)
        np.testing.assert_allclose(R.T @ R, R_expected.T @ R_expected, atol=1e-12)


@pytest.mark.parametrize("with_slopes", [False, True])
@pytest.mark.parametrize("bandwidth", [0.6, 1.0])
def test_it_reaches_the_least_objective_where_functions_are_nearly_dependent(
    bandwidth, with_slopes
):
    """Normal equations missed it by a factor of 28 to 2000."""
    X = np.random.default_rng(1).normal(size=(300, 2))
    y = np.sin(2 * X[:, 0]) + X[:, 1]
    slopes = np.c_[2 * np.cos(2 * X[:, 0]), np.ones(300)]
    space = KernelSpace(kernels.get("gaussian", bandwidth), X[:200], False)
    c = hermite_estimate(assemble(space, X, y, slopes if with_slopes else None), 1.0, 1e-10)[:, 0]
    rows, right = [space.phi(X)], [y]
    if with_slopes:
        rows, right = [*rows, np.concatenate(space.gradient(X))], [*right, slopes.ravel()]
    A = np.vstack([np.vstack(rows) / 300**0.5, 1e-5 * square_root(space.gram)])
    b = np.r_[np.concatenate(right) / 300**0.5, np.zeros(200)]
    best = np.linalg.lstsq(A, b, rcond=1e-15)[0]
    assert np.sum((A @ c - b) ** 2) < 3 * np.sum((A @ best - b) ** 2)


@pytest.mark.parametrize("name", kernels.names())
def test_extreme_widths_give_finite_values(name):
    """With duplicate landmarks, also without a ridge."""
    _, X, y, slopes = problem(n=20)
    for bandwidth, ridge in ((1e-6, 0.0), (1e6, 0.0), (1e6, 1e-10)):
        space = KernelSpace(kernels.get(name, bandwidth), np.vstack([X[:8], X[:8]]), False)
        with np.errstate(all="ignore"):
            c = hermite_estimate(assemble(space, X, y, slopes), 1.0, ridge)
            assert np.isfinite(space.evaluate(X, c)).all()
