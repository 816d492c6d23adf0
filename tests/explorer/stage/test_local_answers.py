"""What the browser computes by itself is what Python answers: for every rule, and on all data."""

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
SMALL = {"n": 120, "p": 30, "passes": 0}  # fewer test functions than the modes that are sent
FREE = Label(-1, 1, (0.3, 0.4))
RULES = [
    *({"filter": name, "term": term} for name in filters.names() for term in ("all", "labelled")),
    *({"term": term, "intercept": True} for term in ("all", "labelled", "poisson")),
    *({"balance": rule} for rule in ("scale", "shift")),
    {"term": "poisson"},
    {"operator": "tangent"},
    *({"kernel": name} for name in kernels.names()),
    {"marks": (Label(0, 0), Label(1, 1), FREE)},
]
LEAST = 0.97  # share of classes alike where the browser has 64 modes for a label, and not all


@pytest.mark.parametrize(("data", "lam"), [("half_moons", 10.0), ("blobs", 0.01)])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_values_are_pythons_for_another_lambda(js, data, lam, rule):
    """The scene of one λ is asked for another: half floats keep three digits of a mode."""
    settings = presets.papers_for(data).change(**SMALL | rule, lam=1.0)
    before, filter = labels_view(settings).scene, settings.estimate.filter
    after = labels_view(settings.change(lam=lam)).scene
    for k in (RIDGE, LAPLACIAN):
        found = evaluate(js, before, k, lam, filter)
        exact = (after.panels[k].grid, after.panels[k].points)
        for values, wanted in zip(found, exact, strict=True):
            close = 3e-3 * np.abs(wanted).max() + 1e-5
            np.testing.assert_allclose(values, wanted.reshape(values.shape), atol=close)


def test_balanced_scores_fall_off_the_data_as_pythons_do(js):
    """Chosen from the data they fade far away, on the grid alone."""
    settings = presets.for_data("half_moons").change(**dict.fromkeys(CHOOSABLE, AUTO))
    settings = settings.change(n=300, passes=0, lam=1.0)
    before = labels_view(settings).scene
    assert before.panels[LAPLACIAN].model.fade.min() < 0.5
    wanted = labels_view(settings.change(lam=2.0)).scene.panels[LAPLACIAN].grid
    found, _ = evaluate(js, before, LAPLACIAN, 2.0)
    np.testing.assert_allclose(found, wanted.reshape(found.shape), atol=5e-3)


@pytest.mark.parametrize("name", datasets.names())
def test_classes_are_pythons_before_and_after_its_answer(js, name):
    """For labels out of proportion."""
    settings = presets.for_data(name).change(**dict.fromkeys(CHOOSABLE, AUTO))
    settings = settings.change(n=min(settings.data.n_samples, 300), passes=0, filter="heat")
    before = labels_view(settings)
    lam = before.settings.estimate.lam
    data = points.sample(settings.data)
    given = points.labelled(settings.data, settings.labels).labels
    rows = [int(i) for i in np.flatnonzero(data.y == 0) if i not in {g.index for g in given}]
    marks = (*given, *(Label(row, 0) for row in rows[:6]))
    after = labels_view(settings.change(marks=marks, lam=lam))
    wanted = decode(after.scene.panels[LAPLACIAN].points.T)
    labels = after.scene.labels
    for scene, least in ((before.scene, LEAST), (after.scene, 0.995)):
        _, found = evaluate(js, scene, LAPLACIAN, lam, "heat", labels, anchored=True)
        assert (decode(found.T) == wanted).mean() >= least
