"""Which labels reach a point, and along what way: the browser's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from stage_scenes import ask_model, evaluate

from lapviz.estimates import class_codes
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets
from lapviz.labels import Label

COUNTS = """([lam, filter]) => {
  const settings = { labels: scene.labels, lam, filter: scene.filters[filter] };
  const at = (i) => model.labelWeights(i, settings);
  return at(0) && Array.from({ length: scene.points.count }, (_, i) => Array.from(at(i)));
}"""
WAY = """([xy, from, to]) => {
  const { ShortestPaths } = window.stageModules.paths;
  return new ShortestPaths({ xy: Float32Array.from(xy), count: xy.length / 2 }).between(from, to);
}"""
RULES = [
    {},
    {"intercept": True},
    {"term": "all"},
    {"term": "all", "filter": "heat"},
    {"marks": (Label(0, 0), Label(1, 1), Label(-1, 1, (0.3, 0.4)))},
]


def counts(js, scene, panel, lam, filter="tikhonov"):
    found = ask_model(js, scene, panel, COUNTS, lam, filter)
    return None if found is None else np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize("data", ["half_moons", "blobs"])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_counts_times_the_labels_codes_are_the_estimate(js, data, rule):
    """Of kernel ridge and of the kernel Laplacian, for two classes and for more."""
    settings = presets.papers_for(data).change(n=120, p=30, passes=0, lam=0.3, **rule)
    scene = labels_view(settings).scene
    y = class_codes(np.array([label.code for label in scene.labels]), len(scene.classes))
    for panel in (0, 1):
        for lam in (0.3, 20.0):
            _, at = evaluate(js, scene, panel, lam, settings.estimate.filter)
            found = counts(js, scene, panel, lam, settings.estimate.filter) @ y.reshape(len(y), -1)
            np.testing.assert_allclose(found.T, at, atol=2e-6 * np.abs(at).max())


@pytest.mark.slow
def test_balanced_classes_keep_the_counts_and_labels_as_sources_have_none(js):
    settings = presets.papers_for("half_moons").change(n=120, p=30, passes=0)
    balanced = labels_view(settings.change(balance="scale")).scene
    as_it_comes = counts(js, labels_view(settings).scene, 1, 1.0)
    np.testing.assert_allclose(counts(js, balanced, 1, 1.0), as_it_comes, rtol=1e-6)
    assert counts(js, labels_view(settings.change(term="poisson")).scene, 1, 1.0) is None


def test_there_is_no_way_across_a_gap_that_neighbours_do_not_cross(js):
    angle = 2 * np.pi * np.arange(300) / 300
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    xy = np.vstack([circle, 2 * circle])
    assert js.evaluate(WAY, [xy.ravel().tolist(), 0, 300]) is None
    assert js.evaluate(WAY, [xy.ravel().tolist(), 5, 5]) == [5]


def test_ways_are_the_shortest_of_the_graph_of_neighbours(js):
    """Against scipy's, with the squares of the lengths as costs."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra
    from sklearn.neighbors import kneighbors_graph

    xy = np.random.default_rng(1).random((150, 2)).astype(np.float32).astype(float)
    near = kneighbors_graph(xy, 8, mode="distance").toarray()
    costs = np.maximum(near, near.T) ** 2
    least = dijkstra(csr_array(costs))
    for start, end in [(0, 149), (3, 77), (50, 51)]:
        way = js.evaluate(WAY, [xy.ravel().tolist(), start, end])
        steps = costs[way[:-1], way[1:]]
        assert (steps > 0).all()
        assert steps.sum() == pytest.approx(least[start, end])
