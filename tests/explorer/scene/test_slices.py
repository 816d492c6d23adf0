"""A slice through data of many features: its field is the function where the slice says."""

import numpy as np
import pytest

from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import central_row, plane_of
from lapviz.explorer.stories import presets
from lapviz.figures.fields import near_of, nearness_of


@pytest.fixture(scope="module")
def settings():
    return presets.papers_for("wine").change(p=40, plane="slice", ax=6, ay=9)


def test_the_slice_goes_through_the_point_nearest_to_the_medians(settings):
    X = points.sample(settings.data).X
    row = central_row(settings.data)
    away = np.linalg.norm(X - np.median(X, axis=0), axis=1)
    assert away[row] == away.min()
    plane = plane_of(settings)
    np.testing.assert_array_equal(plane.lift(X[[row]][:, [6, 9]])[0], X[row])
    lifted = plane.lift(np.array([[1.0, 2.0]]))[0]
    np.testing.assert_array_equal(lifted[[6, 9]], [1, 2])
    np.testing.assert_array_equal(np.delete(lifted, [6, 9]), np.delete(X[row], [6, 9]))


@pytest.mark.slow
def test_eigenfunctions_are_the_functions_in_the_slice(settings):
    """Those of the Labels page: test_recipes.py."""
    scene, problem = eigen_view(settings).scene, fits.method(fits.for_modes(settings))
    point = points.sample(settings.data).X[central_row(settings.data)].copy()
    point[[6, 9]] = scene.grid.x[2], scene.grid.y[3]
    vectors = problem.eigenfunctions(17).vectors
    there = problem.assembled().space.evaluate(point[None], vectors[:, [1]])[0]
    np.testing.assert_allclose(scene.panels[1].grid[0, 3, 2], there[0], rtol=1e-6)


@pytest.mark.slow
def test_scores_fade_off_the_data_in_the_slice():
    own = presets.for_data("iris").change(plane="slice", passes=0)
    scene, made = labels_view(own).scene, fits.problem(fits.for_labels(own))
    sites = plane_of(own).lift(scene.grid.sites())
    panel = next(p for p in scene.panels if p.title == "Kernel Laplacian")
    np.testing.assert_allclose(panel.model.fade.ravel(), made.reach.share(sites))


def test_the_picture_says_that_it_is_a_slice_and_takes_no_labels_between_the_points(settings):
    for scene in (labels_view(settings).scene, eigen_view(settings).scene):
        assert "slice" in scene.remark
        assert not scene.free_labels
    ridge = labels_view(settings).scene.panels[0]
    assert ridge.model is None, "the browser knows the plane alone"
    flat = labels_view(settings.change(plane="features")).scene
    assert flat.grid is None
    assert flat.remark == ""


def test_far_is_measured_in_all_features():
    rng = np.random.default_rng(0)
    X = np.c_[rng.standard_normal((400, 2)), np.zeros(400)]
    sites = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0]])
    near = nearness_of(X, sites)
    assert near[0] == 255
    assert near[1] == 0


@pytest.mark.slow
def test_a_scene_in_the_plane_is_as_near_as_its_points():
    scene = labels_view(presets.for_data("half_moons").change(n=200, p=30)).scene
    assert scene.near is None
    assert near_of(scene).shape == (len(scene.grid.y), len(scene.grid.x))
