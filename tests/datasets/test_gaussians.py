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


def test_two_gaussians_at_the_papers_settings():
    data = datasets.load("two_gaussians")
    assert data.X.shape == (1000, 10)
    np.testing.assert_array_equal(data.labelled, np.arange(1000) < 100)
    means = np.array([data.X[data.y == c].mean(axis=0) for c in (0, 1)])
    np.testing.assert_allclose(means, np.eye(2, 10, k=-1) * 3, atol=0.2)
    residual = data.X - means[data.y]
    np.testing.assert_allclose(np.cov(residual.T), np.eye(10), atol=0.2)
    assert data.truth.bayes_error == pytest.approx(0.0668, abs=1e-4)


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
