"""Figures of fitted estimators show the estimators' values."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.neighbors import NearestCentroid
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from lapviz import (
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    LaplacianClassifier,
    datasets,
    figures,
)
from lapviz.figures.fitted_scenes import MAX_POINTS, principal_components
from lapviz.scenes import Grid


@pytest.fixture(scope="module")
def moons():
    return datasets.load("half_moons", n_samples=200, random_state=0)


@pytest.fixture(scope="module")
def blobs():
    return datasets.load("blobs", n_samples=150, random_state=0, n_blobs=4)


@pytest.fixture(scope="module")
def embedding(moons):
    return GalerkinEmbedding(n_components=6, n_landmarks=40, random_state=0).fit(moons.X)


def heat_maps(figure):
    """Heat maps, without the cover that fades them far from the data."""
    return [t for t in figure.data if t.type in ("heatmap", "contour") and t.hoverinfo != "skip"]


@pytest.mark.slow
def test_eigenfunctions_are_the_embeddings(moons, embedding):
    figure = figures.eigenfunctions(embedding, moons.X, n=5)
    drawn = heat_maps(figure)
    expected = embedding.transform(Grid(drawn[0].x, drawn[0].y).sites()).T
    for heat, values in zip(drawn, expected[:5], strict=True):
        np.testing.assert_allclose(heat.z.ravel(), values, rtol=1e-5, atol=1e-5)
    for i in (3, 4):
        assert f"γ = {embedding.eigenvalues_[i]:.3g}" in figure.layout.annotations[i].text


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_eigenfunctions_of_an_embedding_with_table_output(moons, embedding, output):
    pytest.importorskip(output)
    tables = clone(embedding).set_output(transform=output).fit(moons.X)
    scenes = [figures.eigenfunction_scene(e, moons.X, n=2) for e in (tables, embedding)]
    for one, other in zip(*(scene.panels for scene in scenes), strict=True):
        np.testing.assert_array_equal(one.grid, other.grid)
    assert tables.transform(moons.X[:2]).__class__.__name__ == "DataFrame", "unchanged"


@pytest.mark.parametrize(
    "classifier",
    [
        SVC(decision_function_shape="ovo"),
        NearestCentroid(),
        FixedThresholdClassifier(LogisticRegression(), threshold=0.9),
    ],
)
def test_colours_are_the_predicted_classes(blobs, classifier):
    """Also where scores are of pairs of classes, or where a threshold of its own decides."""
    X, y = blobs.X, blobs.y
    X, y = (X[y < 2], y[y < 2]) if hasattr(classifier, "threshold") else (X, y)
    model = classifier.fit(X, y)
    (panel,) = figures.decision_scene(model, X, y).panels
    shown = panel.points.argmax(axis=0) if len(panel.points) > 1 else panel.points[0] > 0
    assert (shown == model.predict(X)).mean() >= 0.99
    scores = LogisticRegression().fit(X, y)
    (panel,) = figures.decision_scene(scores, X, y).panels
    expected = scores.decision_function(X).reshape(len(X), -1).T
    np.testing.assert_allclose(panel.points, expected)


def test_the_view_holds_all_points_and_the_grid_fills_it(moons, embedding):
    scene = figures.eigenfunction_scene(embedding, moons.X, n=50)
    assert len(scene.panels) == 6
    x0, x1, y0, y1 = scene.view
    low, high = moons.X.min(axis=0), moons.X.max(axis=0)
    assert ([x0, y0] < low).all()
    assert (high < [x1, y1]).all()
    assert (*scene.grid.x[[0, -1]], *scene.grid.y[[0, -1]]) == scene.view
    assert np.diff(scene.grid.x)[0] == pytest.approx(np.diff(scene.grid.y)[0], rel=0.05)


def test_many_points_are_thinned_but_fixed():
    data = datasets.load("half_moons", n_samples=5000, random_state=0)
    embedding = GalerkinEmbedding(n_components=2, n_landmarks=20, random_state=0).fit(data.X)
    scene, second = (figures.eigenfunction_scene(embedding, data.X) for _ in range(2))
    index = scene.points.index
    assert len(np.unique(index)) == len(index) == 2000
    np.testing.assert_array_equal(index, second.points.index)
    np.testing.assert_array_equal(scene.points.xy, data.X[index])


def test_more_features_are_seen_in_a_plane():
    data = datasets.load("iris", random_state=0)
    embedding = GalerkinEmbedding(n_components=3, n_landmarks=30, random_state=0).fit(data.X)
    scene = figures.eigenfunction_scene(embedding, data.X)
    assert (scene.grid, scene.axes) == (None, ("PC 1", "PC 2"))
    np.testing.assert_allclose(scene.panels[2].points[0], embedding.transform(data.X)[:, 2])
    np.testing.assert_array_equal(scene.points.xy, principal_components(data.X, 2))
    plane = data.X[:, 2:]
    scene = figures.eigenfunction_scene(embedding, data.X, plane=plane)
    np.testing.assert_array_equal(scene.points.xy, plane)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("classifier", "name"),
    [
        (LaplacianClassifier(n_landmarks=60, random_state=0), "moons"),
        (GraphLaplacianClassifier(), "blobs"),
        (LabelSpreading(gamma=5), "blobs"),
    ],
)
def test_decisions_are_the_classifiers(classifier, name, request):
    data = request.getfixturevalue(name)
    y = np.where(data.labelled, np.array(data.class_names)[data.y], "-1").astype(object)
    y[~data.labelled] = -1
    if isinstance(classifier, LabelSpreading):  # it takes no class names
        y = data.semi_supervised_target()
    classifier.fit(data.X, y)
    scene = figures.decision_scene(classifier, data.X, y)
    field = scene.panels[0].grid
    ordered = np.sort(field if len(field) > 1 else np.concatenate([-field, field]), axis=0)
    clear = (ordered[-1] - ordered[-2] > 1e-6).ravel()
    assert clear.mean() > 0.5
    (heat,) = heat_maps(figures.scene(scene))
    expected = classifier.predict(scene.grid.sites())
    np.testing.assert_array_equal(heat.text.ravel()[clear], expected[clear].astype(str))
    assert {label.index for label in scene.labels} == set(np.flatnonzero(data.labelled))
    for label in scene.labels:
        assert classifier.classes_[label.code] == y[label.index]
        np.testing.assert_array_equal([label.x, label.y], data.X[label.index])


def test_of_very_many_points_all_labelled_ones_are_drawn():
    X = np.random.default_rng(0).normal(size=(MAX_POINTS + 400, 2))
    y = np.where(np.arange(len(X)) < 30, X[:, 0] > 0, -1)
    scene = figures.decision_scene(LogisticRegression().fit(X[:30], y[:30]), X, y)
    assert len(scene.points.index) == MAX_POINTS
    assert set(range(30)) <= set(scene.points.index)


@pytest.mark.slow
def test_one_class_one_feature_and_coinciding_points(moons):
    y = np.where(np.arange(200) < 3, 4, -1)
    scene = figures.decision_scene(LaplacianClassifier(random_state=0).fit(moons.X, y), moons.X, y)
    assert "one class" in scene.panels[0].note
    figures.scene(scene)
    X, y = np.zeros((5, 2)), np.array([0, 1, 0, 1, -1])
    scene = figures.decision_scene(LogisticRegression().fit(X, y.clip(0)), X, y)
    assert scene.view[1] > scene.view[0]
    figures.scene(scene)
    X = np.linspace(0, 1, 30)[:, None]
    embedding = GalerkinEmbedding(n_components=3, n_landmarks=10, random_state=0).fit(X)
    figure = figures.eigenfunctions(embedding, X)
    assert np.isfinite(figure.layout.yaxis.range).all()
    x, y = (figure.layout.template.layout[f"{name}axis"].showticklabels for name in "xy")
    assert (x, y) == (True, False)  # all numbers of a constant would be at one place


@pytest.mark.parametrize("n", [40, 7000])  # either solver
def test_principal_components_are_the_covariance_in_its_own_axes(n):
    X = np.random.default_rng(0).normal(size=(n, 12)) * np.arange(1, 13) + 5
    scores = principal_components(X, 10)
    largest = np.linalg.eigvalsh(np.cov(X.T))[::-1][:10]
    np.testing.assert_allclose(np.cov(scores.T), np.diag(largest), atol=1e-10 * largest[0])
    loadings = np.linalg.lstsq(scores, X - X.mean(axis=0), rcond=None)[0]
    assert (loadings[np.arange(10), np.abs(loadings).argmax(axis=1)] > 0).all()


@pytest.mark.parametrize("X", [np.ones((1, 3)), np.ones((2, 3)), np.full((6000, 3), 2.0)])
def test_equal_samples_have_no_component(X):
    scores = principal_components(X, 10)
    assert scores.shape == (len(X), min(X.shape))
    assert not scores.any()
