"""Kernels: profiles against their derivatives, coincidences, registry, errors."""

import numpy as np
import pytest

from lapviz import kernels

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
@pytest.mark.parametrize("d", [1, 3, 4, 12])
def test_the_kernel_matrix_entry_by_entry(name, d):
    rng = np.random.default_rng(d)
    X, C = rng.normal(size=(6, d)), rng.normal(size=(4, d))
    kernel = kernels.get(name, 1.3)
    for i, x in enumerate(X):
        for j, c in enumerate(C):
            argument = ((x - c) ** 2).sum() if kernel.shift_invariant else x @ c
            assert kernel(X, C)[i, j] == pytest.approx(profile(kernel, argument)[0][0], rel=1e-11)


class Box(kernels.DistanceKernel):
    name = "box"


CASES = [
    *((lambda name=name, width=width: kernels.get(name, width), "bandwidth must be a positive fini")
      for name in ("gaussian", "polynomial") for width in (0, -1.0, np.nan, np.inf, "wide", None)),
    *((lambda degree=degree: kernels.Polynomial(1.0, degree), "degree must be a whole number of at")
      for degree in (0, -2, 2.5, True)),
    (lambda: kernels.get("gauss", 1.0), r"'gauss'.*gaussian, exponential"),
    (lambda: kernels.get("exponential").curvature(np.zeros((1, 1))),
     r"no second derivative .* use matern32"),
    (lambda: Box().curvature(np.zeros((1, 1))), "'box' states no second derivatives: write its cu"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), CASES)
def test_what_cannot_work_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
