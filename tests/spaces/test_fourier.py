"""Random waves: their kernel, its slopes, fast forms, and the exact answer in the limit."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.estimators import ExactLaplacianRegressor, LaplacianRegressor
from lapviz.operators import assemble
from lapviz.spaces import KernelSpace
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


@pytest.mark.slow
def test_the_estimators_say_what_was_used():
    model = LaplacianRegressor(landmarks="fourier", n_landmarks=300, random_state=0)
    model.fit(rng.normal(size=(20, 2)), rng.normal(size=20))
    assert isinstance(model.space_, FourierSpace)
    assert model.landmarks_ is None
    assert model.space_.n_functions == 300  # waves need no samples: p may exceed n
    kernel_based = LaplacianRegressor(n_landmarks=300).fit(np.eye(3), np.arange(3.0))
    assert isinstance(kernel_based.space_, KernelSpace)
