"""The classes of the browser are those of Python, for labels out of proportion, on all data."""

from __future__ import annotations

import numpy as np
import pytest
from stage_scenes import evaluate

from lapviz import datasets
from lapviz.estimates import decode
from lapviz.explorer.compute import points
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import AUTO, CHOOSABLE
from lapviz.explorer.stories import presets
from lapviz.labels import Label

LAPLACIAN = 1  # the panel
LEAST = 0.97  # share of classes alike where the browser has 64 modes for a label, and not all


@pytest.mark.slow
@pytest.mark.parametrize("name", datasets.names())
def test_classes_are_pythons_before_and_after_its_answer(js, name):
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
