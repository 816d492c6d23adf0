"""Eigenfunctions from known spans, without JAX."""

import numpy as np
import pytest

from lapviz import operators
from lapviz.estimates import disentangling as networks
from lapviz.spaces import FunctionSpace


def harmonics(cutoff, turn):
    """1 and cos θ, sin θ, cos 2θ, sin 2θ with the lengths of (18), rotated and shifted."""
    mixed = np.sqrt(2 - 2 * np.array([0, 1, 1, 4, 4]) / cutoff)[:, None] * turn

    def values(X):
        (x, y), one = X.T, np.ones(len(X))
        waves = np.column_stack([one / np.sqrt(2), x, y, x * x - y * y, 2 * x * y])
        return np.column_stack([one, waves @ mixed + np.arange(5)])

    def slopes(X):
        (x, y), zero, one = X.T, np.zeros(len(X)), np.ones(len(X))
        along_x = np.column_stack([zero, one, zero, 2 * x, 2 * y]) @ mixed
        along_y = np.column_stack([zero, zero, one, -2 * y, 2 * x]) @ mixed
        return np.pad(np.stack([along_x, along_y], axis=1), ((0, 0), (0, 0), (1, 0)))

    return FunctionSpace(values, slopes, 2, constant=True)


def circle(n=400):
    angle = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("method", networks.DISENTANGLE)
@pytest.mark.parametrize("seed", range(3))
def test_a_rotated_basis_is_disentangled(method, seed):
    """Fourier modes with the lengths that training gives them, mixed by a rotation: the energies
    0, 1, 1, 4, 4 and the span are recovered."""
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(5, 5)))[0]
    space, X = harmonics(6.0, turn), circle()
    sphere = operators.SphereTangent()
    result = networks.disentangle(space, X, sphere, method=method)
    np.testing.assert_allclose(result.gamma, [0, 1, 1, 4, 4], atol=1e-6)
    values = space.phi(X) @ result.vectors
    np.testing.assert_allclose(values.T @ values / len(X), np.eye(5), atol=1e-6)
    first = np.linalg.lstsq(X, values[:, 1:3], rcond=None)[0]
    np.testing.assert_allclose(X @ first, values[:, 1:3], atol=1e-6)
    assert result.n_dropped == 1, "the network's own constant"
    short = networks.disentangle(space, X, sphere, method=method, n_components=3)
    np.testing.assert_allclose(short.gamma, [0, 1, 1], atol=1e-6)
