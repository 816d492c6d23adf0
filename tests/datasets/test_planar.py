"""Half-moons and circles at the papers' exact settings, and the shapes of the plane."""

import numpy as np
import pytest
from scipy.stats import kstest

from lapviz import datasets
from lapviz.datasets import truths


def test_half_moons_are_a_circle_cut_in_two():
    data = datasets.load("half_moons", n_samples=3000, noise=0)
    right = data.y == 1
    on_circle = data.X - np.column_stack([np.zeros(3000), right])
    np.testing.assert_allclose(np.linalg.norm(on_circle, axis=1), 1)
    np.testing.assert_array_equal(right, data.X[:, 0] > 0)
    angle = np.arctan2(on_circle[:, 1], on_circle[:, 0])
    assert kstest(angle, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 0.01


def test_four_circles_start_with_the_papers_labels():
    for noise in (None, 0.1):
        data = datasets.load("four_circles", noise=noise)
        labels = [[-2 * 3**0.5, 2], [1, -2 * 2**0.5], [-(3**0.5), -1], [-1, 0]]
        np.testing.assert_allclose(data.X[:4], labels, rtol=1e-15)
        np.testing.assert_array_equal(2 * data.y[:4] - 1, [-1, 1, -1, 1])
        np.testing.assert_array_equal(data.labelled, np.arange(2004) < 4)


def test_four_circles_classes_follow_from_the_labels():
    data = datasets.load("four_circles")
    radius = np.linalg.norm(data.X, axis=1)
    np.testing.assert_allclose(radius, radius.round(), atol=1e-12)
    of_circle = {round(r): code for r, code in zip(radius[:4], data.y[:4], strict=True)}
    assert sorted(of_circle) == [1, 2, 3, 4]
    np.testing.assert_array_equal(data.y, [of_circle[round(r)] for r in radius])
    counts = np.bincount(radius[4:].round().astype(int))[1:]
    np.testing.assert_allclose(counts, 500, atol=80)  # the radius is drawn, not dealt
    angle = np.arctan2(data.X[4:, 1], data.X[4:, 0])
    assert kstest(angle, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 0.01


@pytest.mark.parametrize("d", [1, 2, 5])
def test_square_is_uniform_and_its_classes_follow_a_cosine(d):
    data = datasets.load("square", n_samples=3000, dimension=d)
    for column in data.X.T:
        assert kstest(column, "uniform").pvalue > 0.01
    first = truths.cube_eigenfunctions(data.X[:, :1], 2)[:, 1]
    np.testing.assert_array_equal(data.y, first > 0)
    np.testing.assert_allclose(data.truth.eigenvalues, truths.cube_spectrum(d, 32))
    assert data.truth.operator == "laplacian"


def test_circle_is_uniform_and_its_classes_follow_a_cosine():
    data = datasets.load("circle")
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), 1)
    angle = np.arctan2(data.X[:, 1], data.X[:, 0])
    assert kstest(angle, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 0.01
    np.testing.assert_array_equal(data.y, truths.circle_eigenfunctions(data.X, 2)[:, 1] > 0)
    assert data.truth.eigenvalues[:5] == (0, 1, 1, 4, 4)
    assert data.truth.operator == "tangent"
