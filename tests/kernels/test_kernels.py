"""Kernels: profiles against their derivatives, coincidences, registry, errors."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.spaces import KernelSpace

DISTANCE = [name for name in kernels.names() if kernels.get(name).shift_invariant]
FORMULAS = {  # the definitions, written out again: of r, and of u for the polynomials
    "gaussian": lambda r, s: np.exp(-(r**2) / (2 * s**2)),
    "exponential": lambda r, s: np.exp(-r / s),
    "matern32": lambda r, s: (1 + 3**0.5 * r / s) * np.exp(-(3**0.5) * r / s),
    "matern52": lambda r, s: (
        (1 + 5**0.5 * r / s + 5 * r**2 / (3 * s**2)) * np.exp(-(5**0.5) * r / s)
    ),
} | {degree: lambda u, s, degree=degree: (1 + u / s**2) ** degree for degree in (1, 2, 3, 6)}


def profile(kernel, value):
    """q and q′(r)/r (distance kernels, given r²) or q′(u) (dot-product ones)."""
    value = np.atleast_2d(np.array(value, dtype=float))
    q, t = np.empty_like(value), np.empty_like(value)
    kernel.profile(value.copy(), q, t)
    return q[0], t[0]


def test_the_registry_holds_what_the_design_promises():
    assert kernels.names()[:5] == ("gaussian", "exponential", "matern32", "matern52", "polynomial")
    assert all(kernels.get(name, 0.5).bandwidth == 0.5 for name in kernels.names())
    assert all(kernels.get(name).title and kernels.get(name).formula for name in kernels.names())


@pytest.mark.parametrize("bandwidth", [0.3, 2.0])
@pytest.mark.parametrize("name", FORMULAS)
def test_profiles_follow_their_formulas_and_their_derivatives(name, bandwidth):
    """q, then q′(r)/r and W = (q′/r)′/r, or q′ and q″ of a polynomial, by finite differences."""
    if name in DISTANCE:
        kernel, x = kernels.get(name, bandwidth), np.array([0.05, 0.2, 1.0, 2.5])
    else:
        kernel, x = kernels.Polynomial(bandwidth, name), np.array([-4.0, -0.3, 0.0, 0.7, 3.0])
    power, by = (2, x) if name in DISTANCE else (1, 1.0)
    formula, step = FORMULAS[name], 1e-5
    near = np.append(x, [0.0, 1e-3])
    np.testing.assert_allclose(
        profile(kernel, near**power)[0], formula(near, bandwidth), rtol=1e-12
    )
    t = profile(kernel, x**power)[1]
    slopes = (formula(x + step, bandwidth) - formula(x - step, bandwidth)) / (2 * step)
    scale = np.abs(slopes).max()
    np.testing.assert_allclose(t * by, slopes, rtol=1e-5, atol=1e-9 * scale)
    if name != "exponential":
        above, below = (profile(kernel, (x + e) ** power)[1] for e in (step, -step))
        expected = (above - below) / (2 * step) / by
        np.testing.assert_allclose(
            kernel.curvature(x**power), expected, rtol=1e-5, atol=1e-8 * np.abs(expected).max()
        )


@pytest.mark.parametrize("name", kernels.names())
def test_values_alone_equal_values_beside_slopes(name):
    kernel = kernels.get(name, 0.7)
    value = np.random.default_rng(0).uniform(0, 4, (3, 4))
    beside, alone = np.empty_like(value), np.empty_like(value)
    kernel.profile(value.copy(), beside, np.empty_like(value))
    kernel.profile(value.copy(), alone, None)
    np.testing.assert_allclose(alone, beside, rtol=1e-13)


@pytest.mark.parametrize("name", kernels.names())
@pytest.mark.parametrize("d", [1, 3, 4, 12])
def test_the_kernel_matrix_entry_by_entry(name, d):
    rng = np.random.default_rng(d)
    X, C = rng.normal(size=(6, d)), rng.normal(size=(4, d))
    kernel = kernels.get(name, 1.3)
    for i, x in enumerate(X):
        for j, c in enumerate(C):
            argument = ((x - c) ** 2).sum() if kernel.shift_invariant else x @ c
            assert kernel(X, C)[i, j] == pytest.approx(profile(kernel, argument)[0][0], rel=1e-11)


@pytest.mark.parametrize("name", DISTANCE)
@pytest.mark.parametrize("d", [2, 9])
def test_gradients_vanish_where_a_sample_is_a_landmark(name, d):
    X = np.random.default_rng(0).normal(size=(5, d)) + 100.0
    gradient = KernelSpace(kernels.get(name, 0.4), X, constant=False).gradient(X)
    assert np.all(gradient[np.arange(5), :, np.arange(5)] == 0.0)
    assert np.all(np.isfinite(gradient))


@pytest.mark.parametrize("name", kernels.names())
def test_kernel_matrices_are_positive(name):
    X = np.random.default_rng(2).normal(size=(60, 3))
    values = np.linalg.eigvalsh(kernels.get(name, 0.8)(X, X))
    assert values.min() > -1e-12 * values.max()


@pytest.mark.parametrize("bandwidth", [0, -1.0, np.nan, np.inf, "wide", None])
@pytest.mark.parametrize("name", ["gaussian", "polynomial"])
def test_a_bandwidth_that_is_no_length_gets_a_sentence(name, bandwidth):
    with pytest.raises(ValueError, match="bandwidth must be a positive finite number"):
        kernels.get(name, bandwidth)


@pytest.mark.parametrize("degree", [0, -2, 2.5, True])
def test_a_degree_that_is_no_count_gets_a_sentence(degree):
    with pytest.raises(ValueError, match="degree must be a whole number of at least 1; got"):
        kernels.Polynomial(1.0, degree)


def test_an_unknown_kernel_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'gauss'.*gaussian, exponential"):
        kernels.get("gauss", 1.0)


@pytest.mark.parametrize("name", DISTANCE)
@pytest.mark.parametrize("bandwidth", [1e-9, 1e9])
def test_extreme_bandwidths_stay_finite(name, bandwidth):
    X = np.random.default_rng(3).normal(size=(5, 2))
    space = KernelSpace(kernels.get(name, bandwidth), X, constant=False)
    with np.errstate(under="ignore"):
        assert np.all(np.isfinite(space.phi(X)))
        assert np.all(np.isfinite(space.gradient(X)))


def test_kernels_without_second_derivatives_say_so():
    with pytest.raises(ValueError, match=r"no second derivative .* use matern32"):
        kernels.get("exponential", 1.0).curvature(np.zeros((1, 1)))

    class Box(kernels.DistanceKernel):
        name = "box"

    with pytest.raises(ValueError, match="'box' states no second derivatives: write its curv"):
        Box().curvature(np.zeros((1, 1)))
