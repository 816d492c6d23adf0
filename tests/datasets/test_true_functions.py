"""True eigenfunctions: orthonormal under the law of the data, and of the true energies."""

import numpy as np
import pytest

from lapviz import datasets, metrics

NAMES = {"gaussian": 9, "square": 11, "circle": 9, "torus": 13, "sphere": 16, "half_moons": 8,
         "four_circles": 12, "swiss_roll": 10}  # fmt: skip
each = pytest.mark.parametrize(("name", "k"), NAMES.items())


def drawn(name, n):
    return datasets.load(name, n_samples=n, noise=0.0, random_state=0)


@each
def test_they_are_orthonormal(name, k):
    data = drawn(name, 60_000)
    F = data.truth.functions(data.X, k)
    assert F.shape == (len(data.X), k)
    np.testing.assert_allclose(F[:, 0], 1.0)
    atol = 0.15 if name == "gaussian" else 0.04  # polynomials of degree 6 and 8 of normal numbers
    np.testing.assert_allclose(F.T @ F / len(F), np.eye(k), atol=atol)


@each
def test_their_energies_are_the_eigenvalues(name, k):
    """Central differences along the axes, or along the tangents of the roll."""
    data, h = drawn(name, 20_000), 1e-5
    X, d = data.X, data.X.shape[1]
    axes = np.broadcast_to(np.eye(d), (len(X), d, d))
    if name == "swiss_roll":
        t = np.hypot(X[:, 0], X[:, 2])
        along = np.column_stack([X[:, 0] / t - X[:, 2], 0 * t, X[:, 2] / t + X[:, 0]])
        up = np.tile([0.0, 1.0, 0.0], (len(X), 1))
        axes = np.stack([along / np.linalg.norm(along, axis=1, keepdims=True), up], axis=1)
    f = data.truth.functions
    slopes = np.stack([(f(X + h * axes[:, l], k) - f(X - h * axes[:, l], k)) / (2 * h)
                       for l in range(axes.shape[1])], axis=1)  # fmt: skip
    energy = metrics.dirichlet_energy(slopes)
    np.testing.assert_allclose(energy, data.truth.eigenvalues[:k], rtol=0.15, atol=1e-6)


def test_noise_scales_hermite_polynomials():
    data = datasets.load("gaussian", n_samples=50_000, noise=0.5, random_state=0)
    F = data.truth.functions(data.X, 6)
    np.testing.assert_allclose(F.T @ F / len(F), np.eye(6), atol=0.1)
