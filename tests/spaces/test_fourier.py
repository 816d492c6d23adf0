"""Random waves: their kernel, its slopes, fast forms, and the exact answer in the limit."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.operators import assemble
from lapviz.spaces.fourier import fourier_space

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


def test_far_data_lose_nothing():
    X = rng.normal(size=(40, 2))
    near, far = (
        assemble(fourier_space(kernels.get("gaussian", 1.0), 20, Z.mean(axis=0), True, 0), Z)
        for Z in (X, X + 1e6)
    )
    np.testing.assert_allclose(far.stiffness, near.stiffness, atol=1e-8)
