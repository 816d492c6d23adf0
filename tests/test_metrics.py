"""Metrics against hand-worked values, truths and invariances."""

import numpy as np
import pytest

from lapviz import metrics
from lapviz.datasets import truths


def test_spectral_error_by_hand():
    # (|1 - 1/2| + |1/2 - 1/4|) / (1 + 1/2), whatever the constant's estimate
    assert metrics.spectral_error([0, 1, 2], [0.3, 2, 4]) == pytest.approx(0.5)
    assert metrics.spectral_error([0, 1, 2], [-1, 2, 4, 9, np.nan]) == pytest.approx(0.5)
    assert metrics.spectral_error([0, 1, 2], [0, 1, 2]) == 0
    for least in (1e-320, 1e-300, 1e305):  # 1/γ may overflow
        truth = np.array([0, least, 4 * least])
        assert metrics.spectral_error(truth, truth) == 0
        assert metrics.spectral_error(truth, 2 * truth) == pytest.approx(0.5)
    assert metrics.spectral_error(np.array([0, 1, 2]), [0, 1, 1]) == pytest.approx(1 / 3)


def test_spectral_error_leaves_out_every_true_zero():
    moons = truths.half_moons_spectrum(8)
    estimate = moons.copy()
    estimate[:2] = 0.0, 0.02
    assert metrics.spectral_error(moons, estimate) == 0
    estimate[2:] *= 2
    assert metrics.spectral_error(moons, estimate) == pytest.approx(0.5)


def test_spectral_error_of_missing_and_spurious_eigenvalues():
    gamma = [0, 1, 1, 4]
    assert metrics.spectral_error(gamma, []) == pytest.approx(1)
    assert metrics.spectral_error(gamma, [0, np.nan, np.inf, np.nan]) == pytest.approx(1)
    assert metrics.spectral_error(gamma, [0, 1, 1]) == pytest.approx(0.25 / 2.25)
    for spurious in (0.0, -1e-9, -np.inf):
        assert metrics.spectral_error(gamma, [0, spurious, 1, 4]) == np.inf


def test_dirichlet_energy_of_linear_functions():
    slope = np.array([3.0, -4.0])
    gradients = np.tile(slope, (7, 1))
    assert metrics.dirichlet_energy(gradients) == pytest.approx(25)
    both = np.stack([gradients, 2 * gradients], axis=2)
    np.testing.assert_allclose(metrics.dirichlet_energy(both), [25, 100])


def test_tangential_energy_of_spherical_harmonics():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40_000, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    tangents = np.linalg.svd(X[:, None, :])[2][:, 1:].transpose(0, 2, 1)  # complement of x
    x, y = X.T[:2]
    zero = np.zeros_like(x)
    gradients = np.stack([np.tile([1.0, 0, 0], (len(X), 1)), np.column_stack([y, x, zero])], 2)
    functions = np.column_stack([x, x * y])
    energy = metrics.dirichlet_energy(gradients, tangents) / (functions**2).mean(axis=0)
    np.testing.assert_allclose(energy, truths.sphere_spectrum(3, 5)[[1, 4]], rtol=0.02)
    # all directions together give the ambient energy; tangents leave out the radial part
    ambient = metrics.dirichlet_energy(gradients, np.tile(np.eye(3), (len(X), 1, 1)))
    np.testing.assert_allclose(ambient, metrics.dirichlet_energy(gradients))


def test_unlabelled_accuracy_counts_only_the_unlabelled():
    y, labelled = np.array([0, 1, 1, 0]), np.array([True, False, False, False])
    assert metrics.unlabelled_accuracy(y, [1, 1, 1, 1], labelled) == pytest.approx(2 / 3)
    assert metrics.unlabelled_accuracy(y, [1, 1, 1, 0], labelled) == 1


def circle():
    """The first five eigenfunctions at 64 points."""
    theta = 2 * np.pi * np.arange(64) / 64
    return truths.circle_eigenfunctions(np.column_stack([np.cos(theta), np.sin(theta)]), 5)


def test_principal_angles_of_rotated_functions():
    F = circle()
    mixed = F[:, 1:3] @ [[2.0, 1.0], [0.5, -3.0]]
    np.testing.assert_allclose(metrics.principal_angles(F[:, 1:3], mixed), 0, atol=1e-12)
    tilted = np.column_stack([F[:, 1], np.cos(0.3) * F[:, 2] + np.sin(0.3) * F[:, 3]])
    np.testing.assert_allclose(metrics.principal_angles(F[:, 1:3], tilted), [0, 0.3], atol=1e-12)
    np.testing.assert_allclose(metrics.principal_angles(F[:, 0], F[:, 4]), [np.pi / 2])
    tiny = F[:, 1] + 1e-9 * F[:, 3]
    np.testing.assert_allclose(metrics.principal_angles(F[:, 1], tiny), [1e-9], rtol=1e-4)


def test_eigenspace_angles_ignore_the_basis_within_an_eigenspace():
    F = circle()
    gamma = truths.circle_spectrum(5)
    rotation = np.array([[np.cos(1.0), -np.sin(1.0)], [np.sin(1.0), np.cos(1.0)]])
    rotated = np.column_stack([-F[:, 0], F[:, 1:3] @ rotation, F[:, 3:]])
    angles = metrics.eigenspace_angles(gamma, F, rotated)
    assert [(a.eigenvalue, a.multiplicity) for a in angles] == [(0, 1), (1, 2), (4, 2)]
    np.testing.assert_allclose([a.angle for a in angles], 0, atol=1e-12)
    for order, expected in (
        ([0, 1, 3, 2, 4], [0, np.pi / 2, np.pi / 2]),  # across eigenspaces the order matters
        ([0, 1, 1, 3, 4], [0, np.pi / 2, 0]),  # one function twice does not fill two dimensions
    ):
        angles = metrics.eigenspace_angles(gamma, F, F[:, order])
        np.testing.assert_allclose([a.angle for a in angles], expected, atol=1e-12)
    for column, expected in ((0, [np.pi / 2, 0, 0]), (1, [0, np.pi / 2, 0])):  # an estimate of 0
        angles = metrics.eigenspace_angles(gamma, F, F * (np.arange(5) != column))
        np.testing.assert_allclose([a.angle for a in angles], expected, atol=1e-12)


def test_participation_counts_the_samples_in_the_support():
    n = 40
    functions = np.zeros((n, 4))
    functions[:, 0], functions[:3, 1], functions[7, 2] = -2.0, 1.5, 1e-200
    np.testing.assert_allclose(metrics.participation(functions), [n, 3, 1, 0])
    normal = np.random.default_rng(0).normal(size=(100_000, 1))
    assert metrics.participation(normal)[0] == pytest.approx(100_000 / 3, rel=0.03)  # kurtosis 3


def test_calibration_error_by_hand():
    # ten bins of two: in each, one of two is right; confidences from .6 to .9
    correct = np.tile([True, False], 10)
    confidence = np.linspace(0.6, 0.9, 20)
    assert metrics.calibration_error(correct, confidence) == pytest.approx(0.25)
    assert metrics.calibration_error(correct, confidence, n_bins=1) == pytest.approx(0.25)
    confidence = np.repeat([0.2, 0.8], 10)  # mean .5 is the accuracy, but each half is off
    assert metrics.calibration_error(correct, confidence, n_bins=1) == pytest.approx(0)
    assert metrics.calibration_error(correct, confidence, n_bins=2) == pytest.approx(0.3)


def test_calibration_error_keeps_equal_confidences_together():
    correct = np.repeat([True, False], [70, 30])
    assert metrics.calibration_error(correct, np.full(100, 0.7)) == pytest.approx(0)
    assert metrics.calibration_error(correct, np.ones(100)) == pytest.approx(0.3)
