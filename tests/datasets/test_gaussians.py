"""Normal laws: moments, balance, and Bayes errors by simulation."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from lapviz import datasets
from lapviz.datasets import truths


@pytest.mark.parametrize("d", [1, 3])
def test_gaussian_moments_and_truth(d):
    data = datasets.load("gaussian", n_samples=20_000, dimension=d)
    np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=0.03)
    np.testing.assert_allclose(np.cov(data.X.T), np.eye(d).squeeze(), atol=0.04)
    np.testing.assert_array_equal(data.y, data.X[:, 0] > 0)
    np.testing.assert_array_equal(data.truth.eigenvalues, truths.gaussian_spectrum(d, 32))


def test_noise_widens_the_gaussian_and_lowers_its_eigenvalues():
    data = datasets.load("gaussian", n_samples=20_000, noise=2)
    np.testing.assert_allclose(data.X.var(axis=0), 5, rtol=0.04)
    # linear functions: energy 1 over variance 5
    assert data.truth.eigenvalues[1] == pytest.approx(1 / 5)


def test_two_gaussians_at_the_papers_settings():
    data = datasets.load("two_gaussians")
    assert data.X.shape == (1000, 10)
    np.testing.assert_array_equal(data.labelled, np.arange(1000) < 100)
    means = np.array([data.X[data.y == c].mean(axis=0) for c in (0, 1)])
    np.testing.assert_allclose(means, np.eye(2, 10, k=-1) * 3, atol=0.2)
    residual = data.X - means[data.y]
    np.testing.assert_allclose(np.cov(residual.T), np.eye(10), atol=0.2)
    assert data.truth.bayes_error == pytest.approx(0.0668, abs=1e-4)


@pytest.mark.parametrize("n", [2, 10, 40, 700])
def test_two_gaussians_label_both_classes_at_any_size(n):
    data = datasets.load("two_gaussians", n_samples=n)
    assert np.ptp(np.bincount(data.y[data.labelled], minlength=2)) == 0
    assert data.labelled.sum() == max(2, n // 10)


@pytest.mark.parametrize(
    ("name", "noise", "options"),
    [
        ("two_gaussians", None, {}),
        ("two_gaussians", 1.5, {"separation": 2.0, "dimension": 2}),
        ("blobs", 1.2, {}),
        ("blobs", 2.5, {"n_blobs": 3}),
        ("blobs", 2.0, {"n_blobs": 5, "dimension": 4}),
    ],
)
def test_bayes_error_is_that_of_the_nearest_centre(name, noise, options):
    n = 100_000
    data = datasets.load(name, n_samples=n, noise=noise, **options)
    clean = datasets.load(name, n_samples=n, noise=0, **options)
    centres = np.array([clean.X[clean.y == c][0] for c in range(clean.n_classes)])
    error = np.mean(cdist(data.X, centres).argmin(axis=1) != data.y)
    truth = data.truth.bayes_error
    assert error == pytest.approx(truth, abs=4 * np.sqrt(truth / n))


def test_bayes_error_at_the_ends():
    assert datasets.load("blobs", noise=0).truth.bayes_error == 0
    assert datasets.load("two_gaussians", noise=0).truth.bayes_error == 0
    for noise in (0, 1):  # one centre: nothing to choose by
        assert datasets.load("two_gaussians", noise=noise, separation=0).truth.bayes_error == 0.5
    assert datasets.load("blobs", noise=0.01).truth.bayes_error == pytest.approx(0, abs=1e-9)
    # with endless noise the angle is uniform, and one wedge in four is right
    assert datasets.load("blobs", noise=1e6).truth.bayes_error == pytest.approx(3 / 4, abs=1e-4)


def test_blobs_are_equal_and_far_apart():
    data = datasets.load("blobs", n_blobs=5, noise=0)
    np.testing.assert_array_equal(np.bincount(data.y), 200)
    assert data.class_names == tuple(f"blob {c}" for c in range(1, 6))
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 3)
    assert len(np.unique(data.X.round(9), axis=0)) == 5
