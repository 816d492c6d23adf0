"""Kernels: profiles against their derivatives, coincidences, registry, errors."""

import numpy as np
import pytest

from lapviz import formulas, kernels

DISTANCE = [name for name in kernels.names() if kernels.get(name).shift_invariant]
KERNELS = [kernels.get(name, width) for name in DISTANCE for width in (0.3, 2.0)]
KERNELS += [kernels.Polynomial(width, k) for k in (1, 2, 3, 6) for width in (0.3, 2.0)]


def profile(kernel, value):
    """q and q′(r)/r (distance kernels, given r²) or q′(u) (dot-product ones)."""
    value = np.atleast_2d(np.array(value, dtype=float))
    q, t = np.empty_like(value), np.empty_like(value)
    kernel.profile(value.copy(), q, t)
    return q[0], t[0]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_far_point_does_not_change_the_distances_of_others(dtype):
    rng = np.random.default_rng(0)
    X, C = rng.normal(size=(20, 5)).astype(dtype), rng.normal(size=(10, 5)).astype(dtype)
    X[3] = C[7]
    near = kernels.squared_distances(X, C)
    assert (np.argwhere(near == 0) == [[3, 7]]).all()
    far_row = np.vstack([X, np.full((1, 5), 1e7, dtype)])
    np.testing.assert_array_equal(kernels.squared_distances(far_row, C)[:-1], near)
    far_centre = np.vstack([C, np.full((1, 5), 300, dtype)])  # moves the centre of the rounding
    np.testing.assert_allclose(
        kernels.squared_distances(X, far_centre)[:, :-1], near, atol=1e4 * np.finfo(dtype).eps
    )


def test_the_registry_has_every_documented_kernel():
    assert kernels.names()[:5] == ("gaussian", "exponential", "matern32", "matern52", "polynomial")
    assert all(kernels.get(name, 0.5).bandwidth == 0.5 for name in kernels.names())
    assert all(kernels.get(name).title and kernels.get(name).formula for name in kernels.names())


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_profiles_match_the_browser_formula_and_its_derivatives(kernel):
    """q, then q′(r)/r and W = (q′/r)′/r, or q′ and q″ of a polynomial, by finite differences."""
    x, power, divisor, step = np.array([-4.0, -0.3, 0.0, 0.7, 3.0]), 1, 1.0, 1e-5
    if kernel.name in DISTANCE:
        x, power = np.array([0.05, 0.2, 1.0, 2.5]), 2
        divisor = x

    def formula(x):
        variables = {kernel.argument: x**power} | kernel.browser_values()
        return formulas.evaluate(kernel.browser_formula(), **variables)

    near_zero = np.append(x, [0.0, 1e-3])
    np.testing.assert_allclose(profile(kernel, near_zero**power)[0], formula(near_zero), rtol=1e-12)
    t = profile(kernel, x**power)[1]
    slopes = (formula(x + step) - formula(x - step)) / (2 * step)
    scale = np.abs(slopes).max()
    np.testing.assert_allclose(t * divisor, slopes, rtol=1e-5, atol=1e-9 * scale)
    if kernel.has_curvature:
        above, below = (profile(kernel, (x + e) ** power)[1] for e in (step, -step))
        expected = (above - below) / (2 * step) / divisor
        np.testing.assert_allclose(
            kernel.curvature(x**power), expected, rtol=1e-5, atol=1e-8 * np.abs(expected).max()
        )


@pytest.mark.parametrize("name", kernels.names())
@pytest.mark.parametrize("d", [1, 3, 4, 12])
def test_kernel_matrix_entries(name, d):
    rng = np.random.default_rng(d)
    X, C = rng.normal(size=(6, d)), rng.normal(size=(4, d))
    kernel = kernels.get(name, 1.3)
    for i, x in enumerate(X):
        for j, c in enumerate(C):
            argument = ((x - c) ** 2).sum() if kernel.shift_invariant else x @ c
            assert kernel(X, C)[i, j] == pytest.approx(profile(kernel, argument)[0][0], rel=1e-11)


@pytest.mark.parametrize("name", kernels.names())
def test_gradients_take_whole_numbers(name):
    kernel, X = kernels.get(name, 1.5), np.arange(6).reshape(3, 2)
    Y = X.astype(float)
    np.testing.assert_array_equal(kernel.gradients(X, X), kernel.gradients(Y, Y))
    np.testing.assert_array_equal(kernel.slopes(X, X, X), kernel.slopes(Y, Y, Y))
    np.testing.assert_array_equal(kernel.diagonal(X), kernel.diagonal(Y))


@pytest.mark.parametrize("name", kernels.names())
@pytest.mark.parametrize("width", [np.int16(200), np.uint8(200), np.float16(200), np.float32(200)])
def test_numbers_of_few_bits_do_not_overflow(name, width):
    """The Gaussian of an int16 width used to be 2.188, where 200² overflows."""
    kernel, expected = kernels.get(name, width), kernels.get(name, 200.0)
    assert kernel == expected
    assert (hash(kernel), repr(kernel)) == (hash(expected), repr(expected))
    X = np.array([[0.0, 300.0], [500.0, 30.0]])
    assert (kernel(X, X) == expected(X, X)).all()
    half = X.astype(np.float16)
    assert (kernel(half, half) == expected(X, X)).all()
    assert (kernel.gradients(half, half) == expected.gradients(X, X)).all()


def test_parameters_may_be_numpy_numbers():
    kernel, X = kernels.get("polynomial", 1.0, degree=np.uint8(20)), np.ones((1, 1))
    assert kernel.curvature(X) == kernels.get("polynomial", 1.0, degree=20).curvature(X)


@pytest.mark.parametrize("name", ["gaussian", "polynomial"])
def test_points_may_be_whole_numbers_but_not_of_other_dimensions(name):
    kernel, points = kernels.get(name), [[1, 2], [0, 3]]
    np.testing.assert_array_equal(kernel(points, points), kernel(*2 * [np.array(points, float)]))
    with pytest.raises(ValueError, match="1 columns, and the centres 2"):
        kernel(np.ones((3, 1)), points)
