"""Labels: kernel ridge, kernel Laplacian and graph Laplacian side by side on the same labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from lapviz.explorer.pages.labels import view
from lapviz.explorer.scene.labels import LabelsView, labels_view
from lapviz.explorer.scene.sheet import SheetView
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import links, recipes
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, shell
from lapviz.explorer.words import formula_line
from lapviz.scenes import Scene


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


def _below(shown: LabelsView | SheetView, settings: Settings) -> None:
    """Draw what is below the stage; nothing for an empty sheet."""
    if isinstance(shown, SheetView):
        return
    shell.hints(shown.hints)
    with st.container(key="scores"):  # dimmed while the stage shows newer ones
        view.scores(shown)
        view.confusions(shown)
    shell.report(shown.settings.chosen.report)
    hidden, n_functions = state.hidden(), int(shown.settings.space.n_landmarks) + 1

    def saved() -> Scene:  # with all functions of the trial space, if a page can hold them
        return labels_view(settings, hidden, complete=True).scene

    links.show(shown.scene, STAGE.key, saved, n_functions)
    links.as_plotly(shown.scene, STAGE.key)
    if "labels" not in hidden:
        with shell.guarded("The table of labels"):
            view.label_table(settings)
        with shell.guarded("The next point"):
            view.next_point(shown, settings)
    with shell.guarded("The regularisation path"):
        view.path(shown, settings)
    with shell.guarded("The search"):
        view.tune(settings)
    shell.warn_before_leaving("labels")
    with shell.guarded("“Take away”"):
        view.take_away(settings)
    shell.recipe(lambda: recipes.labels(settings))


STAGE = LiveStage(
    "labels-stage",
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
    below=_below,
)
