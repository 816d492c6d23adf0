"""Trial spaces: values, gradients, Gram matrix, streaming evaluation; waves and their kernel."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from lapviz import LaplacianRegressor, kernels, operators
from lapviz.operators import assemble
from lapviz.spaces import (
    DirectSum,
    FourierSpace,
    FunctionSpace,
    KernelSpace,
    LinearSpace,
    NetworkSpace,
    RepresenterSpace,
    TrialSpace,
    fourier_space,
)
from tests.helpers import quotients

rng = np.random.default_rng(0)


def space_of(name, d=2, p=7, constant=True, bandwidth=1.1):
    return KernelSpace(
        kernels.get(name, bandwidth), np.random.default_rng(d).normal(size=(p, d)), constant
    )


def polynomials():
    return FunctionSpace(
        lambda X: np.column_stack([np.ones(len(X)), X[:, 0], X[:, 0] * X[:, 1]]),
        lambda X: np.stack(
            [np.zeros_like(X), np.eye(2)[np.zeros(len(X), int)], X[:, ::-1]], axis=2
        ),
        n_features=2,
        constant=True,
    )


def network(*sizes):
    rng = np.random.default_rng(0)
    layers = [(rng.normal(size=(a, b)) / a**0.5, rng.normal(size=b)) for a, b in pairwise(sizes)]
    return NetworkSpace(tuple(layers), np.full(sizes[0], 0.3), 2.0, np.zeros((4, sizes[0])))


LINEAR = LinearSpace(np.array([1.0, 2.0, 3.0]), 2.0)
SUM = DirectSum((LINEAR, space_of("gaussian", 3, 5, False)))
WITHOUT_RKHS = {
    **{f"waves {constant}": fourier_space(kernels.get("gaussian", 0.8), 7, np.ones(3), constant, 0)
       for constant in (False, True)},
    **{f"network {sizes}": network(*sizes) for sizes in ((3, 5), (3, 7, 5), (2, 6, 4, 3))},
    "polynomials": polynomials(), "linear": LINEAR,
}  # fmt: skip
SPACES = {f"{name} {d}": space_of(name, d) for name in kernels.names() for d in (1, 2, 3, 5, 10)}
SPACES |= WITHOUT_RKHS | {"sum": SUM} | {
    f"representer {name}": RepresenterSpace(kernels.get(name, 1.1), rng.normal(size=(4, 2)))
    for name in kernels.names() if kernels.get(name, 1.0).has_curvature
}  # fmt: skip


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_gradients_are_finite_differences_of_values(space):
    """And slopes along a field are gradients times directions (GAL23 eqs. 23 and 24)."""
    d, rng = space.n_features, np.random.default_rng(9)
    X, U = rng.normal(size=(6, d)), rng.normal(size=(6, d))
    gradient = space.gradient(X)
    assert gradient.shape == (6, d, space.n_functions)
    np.testing.assert_allclose(gradient, quotients(space.phi, X), rtol=2e-5, atol=1e-7)
    if isinstance(space, KernelSpace):  # points at landmarks, where the gradient is 0
        X[:2] = space.landmarks[:2]
    expected = np.einsum("il,ilj->ij", U, space.gradient(X))
    np.testing.assert_allclose(space.slope(X, U), expected, atol=1e-12)
    np.testing.assert_allclose(TrialSpace.slope(space, X, U), expected, atol=1e-15)


@pytest.mark.parametrize("name", kernels.names())
def test_the_rkhs_norm_reproduces(name):
    """⟨g, k(·, c_i)⟩ = g(c_i): for g = Σ a_j k(·, c_j) that is Ka."""
    space = space_of(name, constant=False)
    a = rng.normal(size=7)
    np.testing.assert_allclose(space.gram @ a, space.evaluate(space.landmarks, a), rtol=1e-10)


@pytest.mark.parametrize("columns", [(), (3,)])
@pytest.mark.parametrize("block", [1, 4, 11, 4096])
def test_streaming_evaluation_equals_the_matrix_product(columns, block):
    space, X = space_of("matern52"), rng.normal(size=(11, 2))
    c = rng.normal(size=(8, *columns))
    values = space.evaluate(X, c, block=block)
    assert values.shape == (11, *columns)
    np.testing.assert_allclose(values, space.phi(X) @ c, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("space", WITHOUT_RKHS.values(), ids=WITHOUT_RKHS)
def test_without_an_rkhs_the_norm_is_that_of_the_coefficients(space):
    expected = np.eye(space.n_functions)
    expected[0, 0] = not space.constant
    np.testing.assert_array_equal(space.gram, expected)
    X = rng.normal(size=(5, space.n_features))
    if space.constant:
        np.testing.assert_array_equal(space.phi(X)[:, 0], 1.0)
    if space is LINEAR:
        np.testing.assert_allclose(space.phi(X)[:, 1:], (X - [1, 2, 3]) / 2)


def test_a_sum_has_the_functions_side_by_side():
    linear, curved = SUM.parts
    X, c = rng.normal(size=(40, 3)), rng.normal(size=(9, 2))
    assert (SUM.n_functions, SUM.n_features, SUM.constant) == (9, 3, True)
    np.testing.assert_array_equal(SUM.gram[4:, 4:], curved.gram)
    np.testing.assert_array_equal(SUM.gram[:4, :4], linear.gram)
    assert not SUM.gram[:4, 4:].any()
    expected = linear.evaluate(X, c[:4]) + curved.evaluate(X, c[4:])
    np.testing.assert_allclose(SUM.evaluate(X, c), expected)
    unpickled = pickle.loads(pickle.dumps(SUM))
    np.testing.assert_array_equal(unpickled.evaluate(X, c), SUM.evaluate(X, c))
    S, slopes = operators.assemble(SUM, X).stiffness, SUM.gradient(X)
    np.testing.assert_allclose(S, np.einsum("ilj,ilk->jk", slopes, slopes) / 40, atol=1e-12)


SHIFT_INVARIANT = ("gaussian", "exponential", "matern32", "matern52")


@pytest.mark.parametrize("name", SHIFT_INVARIANT)
@pytest.mark.parametrize("d", [1, 3])
def test_inner_products_of_the_waves_tend_to_the_kernel(name, d):
    X, kernel = rng.normal(size=(30, d)), kernels.get(name, 1.3)
    errors = []
    for p in (400, 40_000):
        phi = fourier_space(kernel, p, np.zeros(d), False, random_state=1).phi(X)
        errors.append(np.abs(phi @ phi.T - kernel(X, X)).max())
    assert errors[1] < 5 / np.sqrt(20_000)  # five standard deviations of 20 000 frequencies
    assert errors[1] < 0.3 * errors[0]


def test_data_far_from_the_origin_lose_no_accuracy():
    X = rng.normal(size=(40, 2))
    near, far = (
        assemble(fourier_space(kernels.get("gaussian", 1.0), 20, Z.mean(axis=0), True, 0), Z)
        for Z in (X, X + 1e6)
    )
    np.testing.assert_allclose(far.stiffness, near.stiffness, atol=1e-8)


@pytest.mark.slow
def test_waves_need_no_samples():
    model = LaplacianRegressor(landmarks="fourier", n_landmarks=300, random_state=0)
    model.fit(rng.normal(size=(20, 2)), rng.normal(size=20))
    assert isinstance(model.space_, FourierSpace)
    assert model.landmarks_ is None
    assert model.space_.n_functions == 300  # p may exceed n
