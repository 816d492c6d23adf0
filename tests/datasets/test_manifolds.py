"""Torus, sphere and Swiss roll lie where they should, uniformly."""

import numpy as np
import pytest
from scipy.stats import kstest

from lapviz import datasets
from lapviz.datasets import manifolds, truths


@pytest.mark.parametrize("q", [1, 2, 3])
def test_torus_is_a_product_of_unit_circles(q):
    data = datasets.load("torus", n_samples=3000, dimension=q)
    pairs = data.X.reshape(3000, q, 2)
    np.testing.assert_allclose(np.linalg.norm(pairs, axis=2), 1)
    angles = np.arctan2(pairs[..., 1], pairs[..., 0])
    for column in angles.T:
        assert kstest(column, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 0.01
    np.testing.assert_array_equal(data.y, np.cos(angles[:, 0]) > 0)
    assert data.truth.operator == "tangent"


@pytest.mark.parametrize("d", [2, 3, 8])
def test_sphere_is_uniform(d):
    data = datasets.load("sphere", n_samples=20_000, dimension=d)
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 1)
    np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=0.03)
    np.testing.assert_allclose(np.cov(data.X.T), np.eye(d) / d, atol=0.02)
    # E x_1^4 = 3 / (d (d + 2)) on the sphere, whatever the covariance says
    assert np.mean(data.X[:, 0] ** 4) == pytest.approx(3 / (d * (d + 2)), rel=0.06)
    np.testing.assert_array_equal(data.truth.eigenvalues, truths.sphere_spectrum(d, 32))


def test_swiss_roll_is_uniform_by_area():
    data = datasets.load("swiss_roll", n_samples=3000)
    t, height = np.hypot(data.X[:, 0], data.X[:, 2]), data.X[:, 1]
    np.testing.assert_allclose(data.X[:, 0], t * np.cos(t), atol=1e-9)
    np.testing.assert_allclose(data.X[:, 2], t * np.sin(t), atol=1e-9)
    assert 1.5 * np.pi <= t.min() < t.max() <= 4.5 * np.pi
    s = manifolds.spiral_length(t) - manifolds.spiral_length(1.5 * np.pi)
    length, full_height = manifolds.SwissRoll.lengths()
    assert kstest(s, "uniform", args=(0, length)).pvalue > 0.01
    assert kstest(height, "uniform", args=(0, full_height)).pvalue > 0.01
    # the classes are the signs of the rectangle's first eigenfunction
    np.testing.assert_array_equal(data.y, np.cos(np.pi * s / length) > 0)
    assert data.truth.eigenvalues[1] == pytest.approx((np.pi / length) ** 2)
