"""Random waves: their kernel, its slopes, fast forms, and the exact answer in the limit."""

import numpy as np
import pytest

from lapviz import kernels, operators
from lapviz.estimators import ExactLaplacianRegressor, LaplacianRegressor
from lapviz.operators import assemble
from lapviz.spaces import KernelSpace, TrialSpace
from lapviz.spaces.fourier import FourierSpace, fourier_space

rng = np.random.default_rng(0)
WAVY = ("gaussian", "exponential", "matern32", "matern52")


@pytest.mark.parametrize("name", WAVY)
@pytest.mark.parametrize("d", [1, 3])
def test_inner_products_of_the_waves_tend_to_the_kernel(name, d):
    X, kernel = rng.normal(size=(30, d)), kernels.get(name, 1.3)
    errors = []
    for p in (400, 40_000):
        phi = fourier_space(kernel, p, np.zeros(d), False, random_state=1).phi(X)
        errors.append(np.abs(phi @ phi.T - kernel(X, X)).max())
    assert errors[1] < 5 / np.sqrt(20_000)  # five standard deviations of 20 000 frequencies
    assert errors[1] < 0.3 * errors[0]


@pytest.mark.parametrize("constant", [False, True])
def test_gradients_are_those_of_the_values(constant):
    space = fourier_space(kernels.get("gaussian", 0.8), 7, np.full(3, 0.2), constant, 0)
    X, U, step = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), 1e-6
    numeric = np.stack(
        [(space.phi(X + step * e) - space.phi(X - step * e)) / (2 * step) for e in np.eye(3)],
        axis=1,
    )
    np.testing.assert_allclose(space.gradient(X), numeric, atol=1e-8)
    np.testing.assert_allclose(space.slope(X, U), TrialSpace.slope(space, X, U), atol=1e-12)
    assert space.n_functions == 7 + constant
    expected = np.eye(7 + constant)
    expected[0, 0] = not constant
    np.testing.assert_array_equal(space.gram, expected)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("operator", ["laplacian", "sphere"])
def test_forms_are_the_plain_sums(operator, constant):
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    space = fourier_space(kernels.get("matern32", 1.0), 21, X.mean(axis=0), constant, 3)
    found = assemble(space, X, operator, y=y, labelled=np.arange(50) < 9, block=16)
    phi, G = space.phi(X), space.gradient(X)
    frames = operators.get(operator).directions(X)
    G = G if frames is None else frames @ G
    np.testing.assert_allclose(found.mass, phi.T @ phi / 50, atol=1e-12)
    np.testing.assert_allclose(found.stiffness, np.einsum("nlp,nlq->pq", G, G) / 50, atol=1e-10)
    np.testing.assert_allclose(found.load[:, 0], phi[:9].T @ y[:9] / 9, atol=1e-12)


@pytest.mark.slow
def test_more_waves_come_closer_to_the_exact_estimate():
    """The representer theorem's minimiser over the whole RKHS is what p → ∞ must give."""
    fresh = np.random.default_rng(0)
    X, Z = fresh.uniform(-1, 1, (60, 2)), fresh.uniform(-1, 1, (50, 2))
    y = np.where(np.arange(60) < 15, np.sin(2 * X[:, 0]) + X[:, 1] ** 2, np.nan)
    settings = {"kernel": kernels.get("gaussian", 0.7), "lam": 0.1, "mu": 0.05}
    truth = ExactLaplacianRegressor(**settings).fit(X, y).predict(Z)

    def error(p):
        off = [
            LaplacianRegressor(landmarks="fourier", n_landmarks=p, random_state=s, **settings)
            .fit(X, y)
            .predict(Z)
            - truth
            for s in range(5)
        ]
        return np.sqrt(np.mean(np.square(off))) / truth.std()

    errors = [error(p) for p in (50, 200, 800)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.04
    assert errors[2] < 0.5 * errors[0]  # p^{-1/2} would be a quarter


def test_far_data_lose_nothing():
    X = rng.normal(size=(40, 2))
    near, far = (
        assemble(fourier_space(kernels.get("gaussian", 1.0), 20, Z.mean(axis=0), True, 0), Z)
        for Z in (X, X + 1e6)
    )
    np.testing.assert_allclose(far.stiffness, near.stiffness, atol=1e-8)


def test_kernels_without_a_law_of_frequencies_get_a_sentence():
    with pytest.raises(ValueError, match="'polynomial' has no known law of frequencies"):
        fourier_space(kernels.get("polynomial", 1.0), 10, np.zeros(2))
    with pytest.raises(ValueError, match="no known law"):
        LaplacianRegressor(kernel="polynomial", landmarks="fourier").fit(np.eye(3), np.arange(3.0))
    with pytest.raises(ValueError, match="n_functions must be an integer"):
        fourier_space(kernels.get("gaussian", 1.0), 0, np.zeros(2))


@pytest.mark.slow
def test_the_estimators_say_what_was_used():
    model = LaplacianRegressor(landmarks="fourier", n_landmarks=300, random_state=0)
    model.fit(rng.normal(size=(20, 2)), rng.normal(size=20))
    assert isinstance(model.space_, FourierSpace)
    assert model.landmarks_ is None
    assert model.space_.n_functions == 300  # waves need no samples: p may exceed n
    kernel_based = LaplacianRegressor(n_landmarks=300).fit(np.eye(3), np.arange(3.0))
    assert isinstance(kernel_based.space_, KernelSpace)
