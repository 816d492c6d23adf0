"""Regression: early stopping, slopes, exact against Galerkin, and noisy manifolds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Message, Waiting
from lapviz.explorer.compute import jobs
from lapviz.explorer.pages.regression import script
from lapviz.explorer.pages.regression import settings as own
from lapviz.explorer.pages.regression.steps import clipped, ladder
from lapviz.explorer.pages.regression.view import RegressionView, regression_view
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import links
from lapviz.explorer.stage import live
from lapviz.explorer.stage.component import curve_stage
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import table

KEY, FIELDS_KEY = "regression-stage", "regression-fields"  # of the stages for curves and fields


@dataclass(frozen=True)
class Curves(LiveStage):
    """The stage for curves: older ones of the same topic stay while new ones are computed."""

    patience: ClassVar[float] = shell.QUICK
    first: ClassVar[float] = shell.QUICK

    def compute(self, settings: Settings, hidden: frozenset[str], light: bool) -> RegressionView:
        """The page's content, which has no numbers for the stage."""
        return self.view(settings, hidden, light)

    def content(self, answer: RegressionView, light: bool) -> RegressionView:
        """The same, also while a hand moves."""
        return answer

    def draw(
        self, answer: RegressionView | Waiting, last: live.Shown | None, settings: Settings
    ) -> None:
        """Draw progress beside the curves: the browser has no words for it here."""
        job = jobs.known(KEY)
        if job is not None and job.state == "failed":
            st.error(answer.failed, icon=":material/info:")
            return
        if isinstance(answer, Waiting):
            shell.unfinished(KEY, self.what, job)
        if last is not None and last.settings.regression.topic == settings.regression.topic:
            scene = replace(last.answer.scene, rev=channel.revision(KEY))
            curve_stage(scene, key=KEY, on_change=self.take, formula=self.formula_of(settings))

    def take(self, message: Message) -> None:
        """What the hand did; a step along Galerkin's path is a number p."""
        settings, changes = state.settings(), message.changes
        if settings.regression.topic == "exact" and "step" in changes:
            rungs = ladder(settings)
            changes = {"p": rungs[min(changes["step"], len(rungs) - 1)]}
        else:  # what is on these curves, by the names of the settings
            on = {"stop": {"step": "step", "path": "along"}}.get(settings.regression.topic)
            on = on or {"handles": "handles"}
            changes = {on[name]: value for name, value in changes.items() if name in on}
        state.put(settings.change(**changes))

    def drawn_below(self, settings: Settings) -> Settings:
        """All but the place on a path."""
        return settings.change(step=0, along="cg")


def _stage(settings: Settings) -> LiveStage:
    if own.on_line(settings):
        return Curves(KEY, "The estimates", regression_view, _formula)
    return LiveStage(FIELDS_KEY, "The estimates", regression_view, _formula)


def _formula(settings: Settings) -> str:
    """The formula of what the topic shows."""
    named = {"slopes": "hermite", "exact": "galerkin", "manifold": "tangent"}
    path = settings.regression.method
    along = path if path in ("cg", "pls") else "ridge"
    return formula_line.REGRESSION[named.get(settings.regression.topic, along)]


def _above(settings: Settings) -> None:
    if not {"view", "page"} & state.hidden():
        own.topic(settings)


def _below(shown: RegressionView, settings: Settings) -> None:
    """What stands below the stage; not that of another topic."""
    if settings.regression.topic != state.settings().regression.topic:
        return
    shell.warning(shown.warning)
    for numbers in shown.tables:
        rows = table(numbers.heads, numbers.rows, numbers.formats)
        st.markdown(rows, help=numbers.help)
    if shown.chart is not None:
        figure = figures.path(np.array(ladder(settings), float), shown.chart, log_y=True,
                              lam=float(clipped(settings)), x_title="p",
                              y_title="distance")  # fmt: skip
        shell.chart(figure, "regression-path", "distance against p")
    st.markdown("\n".join(f"- {words}" for words in shown.notes))
    links.show(shown.scene, KEY)
    if not own.on_line(settings):
        links.as_plotly(shown.scene, FIELDS_KEY)
    shell.recipe(lambda: script.regression(settings))


def _controls(settings: Settings) -> dict[str, tuple[str, Callable[[], None]]]:
    made = {
        "data": ("Data", lambda: own.data(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: own.kernel(settings)),
        "regularisation": ("Estimate", lambda: own.regularisation(settings)),
    }
    missing = {"slopes": {"data", "view"}, "manifold": set()}  # points of slopes are set by hand
    gone = missing.get(settings.regression.topic, {"view"})
    return {group: its for group, its in made.items() if group not in gone}


page = Page(
    path="regression",
    title="Regression",
    kind=state.REGRESSION,
    first=lambda: presets.for_data("waves"),
    controls=_controls,
    above=_above,
    stage=_stage,
    below=_below,
)
