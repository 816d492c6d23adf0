"""The browser's own values equal Python's, for every rule and on all data sets."""

from __future__ import annotations

import numpy as np
import pytest
from stage_scenes import evaluate

from lapviz import datasets, kernels
from lapviz.estimates import decode, filters
from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.stories import presets
from lapviz.labels import Label

pytestmark = pytest.mark.slow

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


def test_balanced_scores_fade_away_from_the_data_as_in_python(js):
    """With settings chosen from the data they fade far away, on the grid only."""
    settings = presets.for_data("half_moons").change(**dict.fromkeys(CHOOSABLE, AUTO))
    settings = settings.change(n=300, passes=0, lam=1.0)
    before = labels_view(settings).scene
    assert before.panels[LAPLACIAN].model.fade.min() < 0.5
    expected = labels_view(settings.change(lam=2.0)).scene.panels[LAPLACIAN].grid
    local, _ = evaluate(js, before, LAPLACIAN, 2.0)
    np.testing.assert_allclose(local, expected.reshape(local.shape), atol=5e-3)


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
