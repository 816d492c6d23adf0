"""Distributions of the synthetic sets: their supports, uniform or normal, and their classes;
half-moons, circles and two Gaussians at the papers' exact settings."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import beta, kstest, norm

from lapviz import datasets
from lapviz.datasets import manifolds, truths


def angles(pairs):
    """Angles of points (n, q, 2) in [0, 1], one row for each of q circles."""
    return (np.arctan2(pairs[..., 1], pairs[..., 0]) / (2 * np.pi) % 1).T


def unrolled(X):
    """Position of each point of the roll on its sheet, relative to length and height."""
    t = np.hypot(X[:, 0], X[:, 2])
    length, height = manifolds.SwissRoll.lengths()
    s = manifolds.spiral_length(t) - manifolds.spiral_length(1.5 * np.pi)
    return np.stack([s / length, X[:, 1] / height])


def half_moons(X):
    right = X[:, 0] > 0
    circle = X - np.column_stack([0 * right, right])
    return np.linalg.norm(circle, axis=1) - 1, angles(circle[:, None]), right


def four_circles(X):
    radius = np.linalg.norm(X, axis=1)
    ranks = (radius[4:].round() - 1 + np.random.default_rng(0).random(len(X) - 4)) / 4
    uniform = np.vstack([angles(X[4:, None]), ranks])
    return radius - radius.round(), uniform, np.isin(radius.round(), (1, 3))


def torus(X):
    pairs = X.reshape(len(X), -1, 2)
    return np.linalg.norm(pairs, axis=2) - 1, angles(pairs), X[:, 0] > 0


def sphere(X):
    half = (X.shape[1] - 1) / 2  # (x_l + 1)/2 has this beta distribution
    uniform = beta.cdf((X.T + 1) / 2, half, half)
    return np.linalg.norm(X, axis=1) - 1, uniform, X[:, 0] > 0


def swiss_roll(X):
    t, sheet = np.hypot(X[:, 0], X[:, 2]), unrolled(X)
    deviation = X[:, [0, 2]] - t[:, None] * np.column_stack([np.cos(t), np.sin(t)])
    return deviation, sheet, np.cos(np.pi * sheet[0]) > 0


LAWS = {  # distances to the surface, numbers that are uniform on [0, 1], and classes
    "half_moons": half_moons,
    "four_circles": four_circles,
    "circle": torus,
    "torus": torus,
    "sphere": sphere,
    "swiss_roll": swiss_roll,
    "square": lambda X: (np.zeros(1), X.T, truths.cube_eigenfunctions(X[:, :1], 2)[:, 1] > 0),
    "gaussian": lambda X: (np.zeros(1), norm.cdf(X).T, X[:, 0] > 0),
}
SPECTRA = {
    "torus": truths.torus_spectrum,
    "sphere": truths.sphere_spectrum,
    "square": truths.cube_spectrum,
    "gaussian": truths.gaussian_spectrum,
}
CASES = [(name, None) for name in LAWS if name not in SPECTRA]
CASES += [(name, d) for name in SPECTRA for d in (1, 2, 3, 5) if (name, d) != ("sphere", 1)]


@pytest.mark.parametrize(("name", "d"), CASES)
def test_points_follow_their_distribution(name, d):
    options = {} if d is None else {"dimension": d}
    data = datasets.load(name, n_samples=3000, noise=0.0, **options)
    deviation, uniform, classes = LAWS[name](data.X)
    np.testing.assert_allclose(deviation, 0, atol=1e-9)
    assert all(kstest(row, "uniform").pvalue > 0.01 for row in uniform)
    np.testing.assert_array_equal(data.y, classes)
    if name in SPECTRA:
        np.testing.assert_array_equal(data.truth.eigenvalues, SPECTRA[name](d, 32))
    else:
        assert data.truth.operator == ("laplacian" if name == "half_moons" else "tangent")


def test_four_circles_start_with_the_papers_labels():
    for noise in (None, 0.1):
        data = datasets.load("four_circles", noise=noise)
        labels = [[-2 * 3**0.5, 2], [1, -2 * 2**0.5], [-(3**0.5), -1], [-1, 0]]
        np.testing.assert_allclose(data.X[:4], labels, rtol=1e-15)
        np.testing.assert_array_equal(2 * data.y[:4] - 1, [-1, 1, -1, 1])
        np.testing.assert_array_equal(data.labelled, np.arange(2004) < 4)


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
def test_bayes_error_is_the_error_of_the_nearest_centre(name, noise, options):
    n = 100_000
    data = datasets.load(name, n_samples=n, noise=noise, **options)
    clean = datasets.load(name, n_samples=n, noise=0, **options)
    centres = np.array([clean.X[clean.y == c][0] for c in range(clean.n_classes)])
    error = np.mean(cdist(data.X, centres).argmin(axis=1) != data.y)
    truth = data.truth.bayes_error
    assert error == pytest.approx(truth, abs=4 * np.sqrt(truth / n))


def test_far_blobs_have_no_bayes_error():
    for noise in (1e-300, 1e-17, 1e-14, 0.01):
        assert datasets.load("blobs", n_samples=9, noise=noise).truth.bayes_error < 1e-12
