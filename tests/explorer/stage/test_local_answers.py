"""The browser's own values equal Python's, for every rule and on all data sets; their reasons."""

import numpy as np
import pytest
from stage_scenes import call_model, evaluate

from lapviz import datasets, kernels
from lapviz.estimates import class_codes, decode, filters
from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.stories import presets
from lapviz.labels import Label

RIDGE, LAPLACIAN = 0, 1  # the panels
SMALL = {"n": 120, "p": 30, "passes": 0}  # fewer trial functions than modes that are sent
OFF_SAMPLE = Label(-1, 1, (0.3, 0.4))
RULES = [
    *({"filter": name, "term": term} for name in filters.names() for term in ("all", "labelled")),
    *({"term": term, "intercept": True} for term in ("all", "labelled", "poisson")),
    *({"balance": rule} for rule in ("scale", "shift")),
    {"term": "poisson"},
    {"operator": "tangent"},
    *({"kernel": name} for name in kernels.names()),
    {"marks": (Label(0, 0), Label(1, 1), OFF_SAMPLE)},
]
MIN_AGREEMENT = 0.97  # share of equal classes, with 64 modes instead of all


@pytest.mark.slow
@pytest.mark.parametrize(("data", "lam"), [("half_moons", 10.0), ("blobs", 0.01)])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_values_at_another_lambda_are_those_of_python(js, data, lam, rule):
    """Evaluated at another λ than the scene's; half floats keep three digits of a mode."""
    settings = presets.papers_for(data).change(**SMALL | rule, lam=1.0)
    before, filter = labels_view(settings).scene, settings.estimate.filter
    after = labels_view(settings.change(lam=lam)).scene
    for k in (RIDGE, LAPLACIAN):
        local = evaluate(js, before, k, lam, filter)
        exact = (after.panels[k].grid, after.panels[k].points)
        for values, expected in zip(local, exact, strict=True):
            atol = 3e-3 * np.abs(expected).max() + 1e-5
            np.testing.assert_allclose(values, expected.reshape(values.shape), atol=atol)


@pytest.mark.slow
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("operator", ["laplacian", "graph"])
def test_functions_of_nearly_no_energy_beside_a_constant(js, operator, complete):
    """They are up to 1e7 times as large as the others, and the labels' weights sum to 0."""
    settings = presets.papers_for("blobs").change(
        n=60, p=30, passes=0, intercept=True, mu=1e-9, lam=1e-3, operator=operator, per_class=20
    )
    before = labels_view(settings, complete=complete).scene
    for lam in (1e-3, 2e-3):
        expected = labels_view(settings.change(lam=lam)).scene.panels[LAPLACIAN].points
        _, local = evaluate(js, before, LAPLACIAN, lam)
        atol = 3e-3 * np.abs(expected).max()
        np.testing.assert_allclose(local, expected.reshape(local.shape), atol=atol)


@pytest.mark.slow
def test_balanced_scores_fade_away_from_the_data_as_in_python(js):
    """With settings chosen from the data they fade far away, on the grid only."""
    settings = presets.for_data("half_moons").change(**dict.fromkeys(CHOOSABLE, AUTO))
    settings = settings.change(n=300, passes=0, lam=1.0)
    before = labels_view(settings).scene
    assert before.panels[LAPLACIAN].model.fade.min() < 0.5
    expected = labels_view(settings.change(lam=2.0)).scene.panels[LAPLACIAN].grid
    local, _ = evaluate(js, before, LAPLACIAN, 2.0)
    np.testing.assert_allclose(local, expected.reshape(local.shape), atol=5e-3)


@pytest.mark.slow
def test_half_precision_is_enough_where_large_functions_cancel(js):
    """All functions of the trial space, of which some are up to 190, for an answer of 1."""
    settings = presets.for_data("gaussian").change(n=400)
    scene = labels_view(settings, complete=True).scene
    for lam in (30.0, 1e4):
        expected = labels_view(settings.change(lam=lam)).scene.panels[LAPLACIAN].grid
        local, _ = evaluate(js, scene, LAPLACIAN, lam, anchored=True)
        atol = 5e-3 * np.abs(expected).max()
        np.testing.assert_allclose(local, expected.reshape(local.shape), atol=atol)


@pytest.mark.slow
@pytest.mark.parametrize("name", datasets.names())
def test_classes_before_and_after_the_answer_are_those_of_python(js, name):
    """With labels out of proportion to the classes."""
    settings = presets.for_data(name).change(**dict.fromkeys(CHOOSABLE, AUTO))
    settings = settings.change(n=min(settings.data.n_samples, 300), passes=0, filter="heat")
    before = labels_view(settings)
    lam = before.settings.estimate.lam
    data = points.sample(settings.data)
    original = points.labelled(settings.data, settings.labels).labels
    labelled_rows = {label.index for label in original}
    rows = [int(i) for i in np.flatnonzero(data.y == 0) if i not in labelled_rows]
    marks = (*original, *(Label(row, 0) for row in rows[:6]))
    after = labels_view(settings.change(marks=marks, lam=lam))
    expected = decode(after.scene.panels[LAPLACIAN].points.T)
    labels = after.scene.labels
    for scene, min_agreement in ((before.scene, MIN_AGREEMENT), (after.scene, 0.995)):
        _, local = evaluate(js, scene, LAPLACIAN, lam, "heat", labels, anchored=True)
        assert (decode(local.T) == expected).mean() >= min_agreement


# ---- reasons: weights of labels at a point, shortest paths to them, its value ----

LABEL_WEIGHTS = """([lam, filter]) => {
  const settings = { labels: scene.labels, lam, filter: scene.filters[filter] };
  const weights = (i) => model.labelWeights(i, settings);
  const rows = { length: scene.points.count };
  return weights(0) && Array.from(rows, (_, i) => Array.from(weights(i)));
}"""
SHORTEST_PATH = """([xy, from, to]) => {
  const { ShortestPaths } = window.stageModules.paths;
  return new ShortestPaths({ xy: Float32Array.from(xy), count: xy.length / 2 }).between(from, to);
}"""
WEIGHTED = [
    {},
    {"intercept": True},
    {"term": "all"},
    {"term": "all", "filter": "heat"},
    {"marks": (Label(0, 0), Label(1, 1), Label(-1, 1, (0.3, 0.4)))},
]


def label_weights(js, scene, panel, lam, filter="tikhonov"):
    weights = call_model(js, scene, panel, LABEL_WEIGHTS, lam, filter)
    return None if weights is None else np.array(weights)


@pytest.mark.slow
@pytest.mark.parametrize("data", ["half_moons", "blobs"])
@pytest.mark.parametrize("rule", WEIGHTED, ids=str)
def test_label_weights_times_codes_are_the_estimate(js, data, rule):
    """For kernel ridge and the kernel Laplacian, with two and with more classes."""
    settings = presets.papers_for(data).change(n=120, p=30, passes=0, lam=0.3, **rule)
    scene = labels_view(settings).scene
    y = class_codes(np.array([label.code for label in scene.labels]), len(scene.classes))
    for panel in (0, 1):
        for lam in (0.3, 20.0):
            filter = settings.estimate.filter
            _, values = evaluate(js, scene, panel, lam, filter)
            sums = label_weights(js, scene, panel, lam, filter) @ y.reshape(len(y), -1)
            np.testing.assert_allclose(sums.T, values, atol=2e-6 * np.abs(values).max())


@pytest.mark.slow
def test_balance_keeps_label_weights_and_poisson_learning_has_none(js):
    settings = presets.papers_for("half_moons").change(n=120, p=30, passes=0)
    balanced = labels_view(settings.change(balance="scale")).scene
    unbalanced = label_weights(js, labels_view(settings).scene, 1, 1.0)
    np.testing.assert_allclose(label_weights(js, balanced, 1, 1.0), unbalanced, rtol=1e-6)
    assert label_weights(js, labels_view(settings.change(term="poisson")).scene, 1, 1.0) is None


def test_no_path_crosses_a_gap_without_neighbours(js):
    angle = 2 * np.pi * np.arange(300) / 300
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    xy = np.vstack([circle, 2 * circle])
    assert js.evaluate(SHORTEST_PATH, [xy.ravel().tolist(), 0, 300]) is None
    assert js.evaluate(SHORTEST_PATH, [xy.ravel().tolist(), 5, 5]) == [5]


def test_paths_are_shortest_in_the_neighbour_graph(js):
    """Compared with SciPy's; costs are squared distances."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra
    from sklearn.neighbors import kneighbors_graph

    xy = np.random.default_rng(1).random((150, 2)).astype(np.float32).astype(float)
    distances = kneighbors_graph(xy, 8, mode="distance").toarray()
    costs = np.maximum(distances, distances.T) ** 2
    shortest = dijkstra(csr_array(costs))
    for start, end in [(0, 149), (3, 77), (50, 51)]:
        path = js.evaluate(SHORTEST_PATH, [xy.ravel().tolist(), start, end])
        steps = costs[path[:-1], path[1:]]
        assert (steps > 0).all()
        assert steps.sum() == pytest.approx(shortest[start, end])


def test_paths_lead_through_places_of_many_copies(js):
    """Rounded columns: nine copies are more than a point has neighbours."""
    line = np.repeat([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 9, axis=0)
    path = js.evaluate(SHORTEST_PATH, [line.ravel().tolist(), 4, 22])
    assert [line[i, 0] for i in path] == [0, 0, 1, 2, 2]


NAMES = """([rows, notes]) => rows.map((row) =>
  window.stageModules.labels.nameOf(row, { notes, position: new Map([[7, 0], [9, 1]]) }))"""


def test_a_row_has_one_name_in_all_words(js):
    notes = ["row 12\nheight 3", "X[9]"]
    assert js.evaluate(NAMES, [[7, 9, 3], notes]) == ["row 12", "X[9]", "row 4"]
    assert js.evaluate(NAMES, [[7, 9, 3], None]) == ["row 8", "row 10", "row 4"]


VALUE_TEXT = """([values, classes]) =>
  window.stageModules.hover.valueText(values, { classes, kind: "classes" }).long"""


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.0], "score 0 → tie between classes"),
        ([-1e-300], "score −1e−300 → a"),
        ([0.25, 0.25, -0.5], "tie between classes"),
        ([0.25, 0.5, -0.5], "b, score 0.25 above that of a"),
    ],
)
def test_a_tie_is_attributed_to_no_class(js, values, text):
    assert js.evaluate(VALUE_TEXT, [values, ["a", "b", "c"][: max(2, len(values))]]) == text
