"""Scenes of the pages and slices: numbers against the estimators, views against the data."""

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.decomposition import PCA

from lapviz.datasets import drawings
from lapviz.explorer.compute import cache, fits, points
from lapviz.explorer.host.limits import LOCAL_MODES
from lapviz.explorer.pages.eigenfunctions import view as eigenfunctions
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.pages.labels.steps import label_paths
from lapviz.explorer.scene import label_methods, placement
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import central_row, plane_of
from lapviz.explorer.settings.fields import tidy
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.figures.fields import nearness_of
from lapviz.figures.stage import encode
from lapviz.labels import Label
from lapviz.operators import Graph

MOONS = presets.papers_for("half_moons").change(n=300, p=60)


def mean_squared_gradient(function, X: np.ndarray, h: float = 1e-5) -> float:
    """Dirichlet energy of a function by central differences at the samples."""
    steps = h * np.eye(X.shape[1])
    slopes = [(function(X + e) - function(X - e)) / (2 * h) for e in steps]
    return float(np.mean(np.sum(np.square(slopes), axis=0)))


@pytest.mark.parametrize(("changes", "named"), [
    ({}, ""),
    ({"kernel": "matern32"}, "Matérn 3/2 · "),
    ({"kernel": "polynomial", "kernel_params": (("degree", 4),)}, "Polynomial · Degree = 4 · "),
    ({"operator": "tangent"}, "Learnt tangents · "),
    ({"also": "graph", "share": 0.25}, "Ambient gradient + Graph Laplacian · w = 0.25 · "),
])  # fmt: skip
def test_a_pinned_picture_states_what_is_not_usual(changes, named):
    about = placement.about(MOONS.change(**changes), 0.2, 5e-4)
    assert about == f"{named}σ = 0.2 · p = 60 · μ = 0.0005"
    graph = placement.about(MOONS.change(**changes | {"operator": Graph()}), 0.2, 5e-4)
    assert "Graph Laplacian" in graph, "an operator object has a title, too"


def test_the_page_has_the_advice_of_its_estimators():
    for view in (labels_view, eigen_view):
        hints = view(presets.papers_for("cells").change(n=150, p=30)).hints
        assert any("A single row has" in hint.fault for hint in hints)


def test_a_refused_next_point_is_no_refused_method():
    view = labels_view(MOONS.change(n=100, filter="heat", ask="energy"))
    assert view.scene.panels[-1].note
    assert view.refused == {}


@pytest.mark.slow
def test_the_energy_of_ridge_is_its_mean_squared_gradient():
    """test_recipes.py compares its values with scikit-learn's."""
    settings = MOONS.change(mu=1e-2)
    labelled = points.labelled(settings.data, settings.labels)
    kernel, c = fits.method(settings).kernel, fits.ridge(settings, labelled).value
    energy = mean_squared_gradient(
        lambda X: kernel(X, labelled.X) @ c, points.sample(settings.data).X
    )
    assert labels_view(settings).scores[0].energy == pytest.approx(energy, rel=1e-4)


def test_the_energy_of_the_graph_is_that_of_its_smooth_part():
    """A function in the span of the modes has its mean squared gradient, whatever μ is."""
    settings = MOONS.change(mu=0.1)  # large enough to matter
    problem, plane = fits.method(settings), placement.plane_of(settings)
    data, modes = (
        points.sample(MOONS.data),
        label_methods.mode_values(problem, False, MOONS.data, plane),
    )
    weights = np.random.default_rng(0).normal(size=5) / 10
    f = modes.points[:5].astype(float).T @ weights
    labelled = points.labelled(MOONS.data, MOONS.labels)
    picture = label_methods.Picture(settings, labelled, np.arange(len(f)), None, plane)
    projected = label_methods.projected_energy(picture, f[:, None])
    vectors = problem.spectrum(LOCAL_MODES, False).vectors[:, :5]
    space = problem.assembled(False).space
    energy = mean_squared_gradient(lambda Z: space.evaluate(Z, vectors @ weights), data.X)
    assert projected == pytest.approx(energy, rel=1e-3)


@pytest.mark.slow
def test_without_labels_the_panels_ask_for_one():
    for settings in (MOONS, presets.papers_for("breast_cancer").change(n=250)):
        view = labels_view(settings.change(marks=()))
        assert view.scores == ()
        assert view.scene.labels == ()
        assert all("click a point" in panel.note for panel in view.scene.panels)
        encode(view.scene)


@pytest.mark.slow
def test_all_points_labelled_leaves_nothing_to_score():
    settings = MOONS.change(n=30, marks=tuple(Label(i, i % 2) for i in range(30)))
    view = labels_view(settings)
    assert [score.accuracy for score in view.scores] == [None] * 3
    assert [panel.caption for panel in view.scene.panels] == [""] * 3
    assert [panel.accuracy for panel in view.scene.panels] == [None] * 3
    with pytest.raises(ValueError, match="Every point is labelled"):
        label_paths(settings, (1.0,), 1)


def test_the_constant_alone_is_a_quotient_of_the_forms():
    """γ₀ without the constant: the least energy at mean square one, from the dense eigenproblem."""
    settings = MOONS.change(p=12, sigma=0.6, mu=1e-3)
    f = fits.method(settings).assembled(False).forms
    expected = eigh(f.stiffness + settings.energy.mu * f.gram, f.mass, eigvals_only=True)[0]
    constant_energy = eigenfunctions._constant_energy(fits.method(settings))
    assert constant_energy == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "wine", "digits", "swiss_roll", "two_gaussians"])
def test_planes_of_data_in_more_dimensions(name):
    base = presets.papers_for(name).change(operator="laplacian", p=60)
    base = base.change(n=min(base.data.n_samples, 250))
    X = points.sample(base.data).X
    d = X.shape[1]

    def plane(**changes):
        return placement.plane_of(tidy(base.change(**changes)))

    result = plane(plane="features", ax=d - 1, ay=0)
    np.testing.assert_array_equal(result.xy, X[:, [d - 1, 0]])
    assert not result.field
    result = plane(plane="pca", ax=0, ay=1)
    peer = PCA(2).fit_transform(X)
    np.testing.assert_allclose(np.abs(result.xy), np.abs(peer), atol=1e-6 * np.abs(peer).max())
    np.testing.assert_array_equal(plane(plane="pca", ax=1, ay=0).xy, result.xy[:, ::-1])
    result = plane(plane="modes", ax=0, ay=2)
    peer = eigen_view(tidy(base.change(plane="modes")))
    np.testing.assert_allclose(result.xy[:, 0], peer.scene.panels[1].points[0], atol=1e-8)
    np.testing.assert_allclose(result.xy[:, 1], peer.scene.panels[3].points[0], atol=1e-8)
    assert result.axes == ("e₁", "e₃")


def test_another_plane_or_data_set_is_another_view():
    """Zoom lasts as long as view_key, which must change with the coordinates and only with them."""
    iris = presets.papers_for("iris").change(p=40)
    key = placement.plane_of(iris).key
    for changes in ({"lam": 3.0}, {"filter": "heat"}, {"sigma": 2.0}, {"graph": "dense"}):
        assert placement.plane_of(iris.change(**changes)).key == key
    for changes in ({"ay": 2}, {"plane": "features"}, {"n": 100}, {"seed": 1}, {"noise": 0.1}):
        assert placement.plane_of(iris.change(**changes)).key != key


@pytest.mark.parametrize(
    "xy",
    [[[0.0, 0.0]], [[2.0, 3.0]] * 4, [[0.0, 1.0], [5.0, 1.0]], [[1e-12, 0], [0, 1e-12]],
     [[1e9, -1e9], [1e9 + 1, 1e9]], [[0, 0], [1, 1]]],
    ids=["one", "same", "line", "tiny", "huge", "plain"],
)  # fmt: skip
def test_a_view_is_never_empty(xy):
    xy = np.array(xy, dtype=float)
    x0, x1, y0, y1 = placement.view_of(xy)
    assert x0 < xy[:, 0].min() <= xy[:, 0].max() < x1
    assert y0 < xy[:, 1].min() <= xy[:, 1].max() < y1
    grid = placement.grid_of((x0, x1, y0, y1), 40)
    assert 12 <= min(len(grid.x), len(grid.y)) <= max(len(grid.x), len(grid.y)) <= 40
    assert (np.diff(grid.x) > 0).all()
    assert (grid.x[0], grid.y[-1]) == (x0, y1)
    assert grid.sites().shape == (len(grid.x) * len(grid.y), 2)


@pytest.mark.slow
def test_of_many_points_a_fixed_subset_is_drawn_with_every_label(monkeypatch):
    full = labels_view(MOONS)
    cache.clear()
    monkeypatch.setattr(placement, "MAX_DRAWN", 100)
    labelled = points.labelled(MOONS.data, MOONS.labels)
    rows = placement.drawn_rows(MOONS.data.n_samples, labelled)
    assert np.isin(labelled.index, rows).all()
    assert 100 <= len(rows) <= 100 + len(labelled.index)
    np.testing.assert_array_equal(rows, placement.drawn_rows(MOONS.data.n_samples, labelled))
    view = labels_view(MOONS)
    assert [s.accuracy for s in view.scores] == [s.accuracy for s in full.scores]
    np.testing.assert_array_equal(view.scene.points.index, rows)
    encode(view.scene)
    cache.clear()


# ---- slices through data of many features --------------------------------------------------------


@pytest.fixture(scope="module")
def settings():
    return presets.papers_for("wine").change(p=40, plane="slice", ax=6, ay=9)


def test_the_slice_goes_through_the_point_nearest_to_the_medians(settings):
    X = points.sample(settings.data).X
    row = central_row(settings.data)
    distances = np.linalg.norm(X - np.median(X, axis=0), axis=1)
    assert distances[row] == distances.min()
    plane = plane_of(settings)
    np.testing.assert_array_equal(plane.lift(X[[row]][:, [6, 9]])[0], X[row])
    lifted = plane.lift(np.array([[1.0, 2.0]]))[0]
    np.testing.assert_array_equal(lifted[[6, 9]], [1, 2])
    np.testing.assert_array_equal(np.delete(lifted, [6, 9]), np.delete(X[row], [6, 9]))


@pytest.mark.slow
def test_eigenfunctions_are_the_functions_in_the_slice(settings):
    """test_recipes.py has the same for the Labels page."""
    scene, problem = eigen_view(settings).scene, fits.method(fits.for_modes(settings))
    point = points.sample(settings.data).X[central_row(settings.data)].copy()
    point[[6, 9]] = scene.grid.x[2], scene.grid.y[3]
    vectors = problem.eigenfunctions(17).vectors
    expected = problem.assembled().space.evaluate(point[None], vectors[:, [1]])[0]
    np.testing.assert_allclose(scene.panels[1].grid[0, 3, 2], expected[0], rtol=1e-6)


@pytest.mark.slow
def test_scores_fade_off_the_data_in_the_slice():
    settings = presets.for_data("iris").change(plane="slice", passes=0)
    scene, problem = labels_view(settings).scene, fits.problem(fits.for_labels(settings))
    sites = plane_of(settings).lift(scene.grid.sites())
    panel = next(p for p in scene.panels if p.title == "Kernel Laplacian")
    np.testing.assert_allclose(panel.model.fade.ravel(), problem.reach.share(sites))


def test_the_picture_says_that_it_is_a_slice_and_takes_no_labels_between_the_points(settings):
    for scene in (labels_view(settings).scene, eigen_view(settings).scene):
        assert "slice" in scene.remark
        assert not scene.free_labels
    ridge = labels_view(settings).scene.panels[0]
    assert ridge.model is None, "the browser knows only the plane"
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
def test_classes_of_very_different_size_are_no_reason_for_advice_if_a_gap_explains_them():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(400, 2)), 12 + rng.normal(size=(12, 2))])
    drawn = drawings.Drawing.of(X, np.repeat([0, 1], [400, 12]), np.zeros(412, bool))
    data = DataSpec("drawn", len(drawn.cells), source=drawings.encode(drawn))
    y = points.sample(data).y
    marks = tuple(Label(int(np.flatnonzero(y == k)[0]), k) for k in (0, 1))
    settings = presets.for_spec(data).change(**dict.fromkeys(CHOOSABLE, AUTO), marks=marks)
    view = labels_view(tidy(settings))
    assert [score.accuracy for score in view.scores][1] == 1.0
    assert view.hints == ()
