"""Labels: kernel ridge, kernel Laplacian and graph Laplacian side by side on the same labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lapviz.explorer.pages.labels import view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls
from lapviz.explorer.words import formula_line


def _controls(settings: Settings) -> dict[str, Callable[[Settings], None]]:
    groups = {
        "data": controls.data,
        "labels": controls.labels,
        "view": controls.view,
        "kernel": controls.kernel,
        "operator": controls.operator,
        "regularisation": controls.regularisation,
        "graph": partial(controls.graph, estimate=True),
    }
    if settings.data.info.n_features == 2:
        del groups["view"]
    return groups


STAGE = LiveStage(
    view.KEY,
    "The estimates",
    labels_view,
    formula_line.labels,
    stage_settings=("lam", "filter", "marks"),
)
page = Page(
    path="labels",
    title="Labels",
    first=lambda: presets.for_data("four_circles"),
    controls=_controls,
    folded=frozenset({"view", "regularisation", "graph"}),
    lead=controls.origin,
    stage=lambda _: STAGE,
    below=view.below,
)
