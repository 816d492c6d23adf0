"""Regression: early stopping, slopes, exact against Galerkin, and noisy manifolds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import streamlit as st

from lapviz import datasets, figures
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Message, Waiting
from lapviz.explorer.compute import fits, jobs
from lapviz.explorer.pages.regression import script, steps
from lapviz.explorer.pages.regression.view import RegressionView, regression_view
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.settings.specs import TOPICS, topics_of
from lapviz.explorer.share import links
from lapviz.explorer.stage import live
from lapviz.explorer.stage.component import curve_stage
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, knobs, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import table
from lapviz.parameters import AUTO, Slider

STARTS = {"stop": "waves", "slopes": "waves", "exact": "waves", "manifold": "swiss_roll"}
FIRST = {"manifold": {"noise": 0.5}}
_KEPT = "lapviz_topics"
COUNTS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000)
LAM = Slider(1e-8, 1e4, 4, log=True, zero=True)
TAU = 1.1  # of rule (8); rule (9) has 1.6
KEY, FIELDS_KEY = "regression-stage", "regression-fields"  # of the stages for curves and fields


# ---- what is set on it ---------------------------------------------------------------------


def _controls(settings: Settings) -> dict[str, tuple[str, Callable[[], None]]]:
    made = {
        "data": ("Data", lambda: _data(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: _kernel(settings)),
        "regularisation": ("Estimate", lambda: _regularisation(settings)),
    }
    missing = {"slopes": {"data", "view"}, "manifold": set()}  # points of slopes are set by hand
    gone = missing.get(settings.regression.topic, {"view"})
    return {group: its for group, its in made.items() if group not in gone}


def _topic(settings: Settings) -> None:
    """Which of the four questions is shown."""

    def switch(new: str) -> None:
        now = state.settings()
        kept = st.session_state.setdefault(_KEPT, {})
        kept[now.regression.topic] = now  # each topic keeps its own settings
        if new in kept:
            state.put(kept[new])
        elif new in topics_of(now.data.info):
            state.update(topic=new, story="")
        elif new in TOPICS:
            state.put(presets.for_data(STARTS[new]).change(topic=new, **FIRST.get(new, {})))

    now = settings.regression.topic
    st.segmented_control(SETTINGS["topic"].label, list(TOPICS), format_func=TOPICS.get,
                         default=now, label_visibility="collapsed",
                         help=SETTINGS["topic"].help, width="stretch",
                         **widget_keys.bind(controls.key_of("w-topic"), now, switch))  # fmt: skip


def _data(settings: Settings) -> None:
    """The data that the topic can show, and how many of the values are known."""
    shown = settings.regression.topic
    able = [name for name in datasets.names("values") if shown in topics_of(datasets.info(name))]
    controls.data(settings, able)
    n, known = settings.data.n_samples, settings.regression.known
    most = settings.data.info.max_samples
    counts = (*(c for c in COUNTS if c < most), most)
    value = n if known is None else min(known, n)
    slider = Slider(counts[0], most, 16, log=True, values=counts)
    knobs.sidebar_sliders("known", [knobs.of(settings, "known", value, slider)])
    if shown == "stop":
        controls.choice("unlabelled", settings)


def _kernel(settings: Settings) -> None:
    """Kernel and width; with landmarks where the topic has a trial space."""
    topic = settings.regression.topic
    controls.kernel(settings, space=topic in ("exact", "manifold"))
    if _on_line(settings):  # over two inputs and more, σ stands on the stage
        slopes = topic == "slopes"
        value = steps.slopes_width(settings) if slopes else steps.kernel_of(settings).bandwidth
        knobs.sidebar_sliders("sigma", [knobs.of(settings, "sigma", value)])


def _regularisation(settings: Settings) -> None:
    """The weights that the topic uses."""
    shown = settings.regression
    if shown.topic == "stop":
        made = [knobs.of(settings, "tau", TAU if shown.tau == AUTO else shown.tau)]
    elif shown.topic == "slopes":
        made = [knobs.of(settings, name) for name in ("weight", "ridge")]
    else:
        made = [knobs.of(settings, "lam", slider=LAM, auto=None)]
        if _on_line(settings):
            made.append(knobs.of(settings, "mu", fits.method(settings).mu))
    knobs.sidebar_sliders("weights", made)


def _on_line(settings: Settings) -> bool:
    """Whether the stage shows curves, not fields."""
    return settings.regression.topic != "manifold" and settings.data.info.n_features == 1


# ---- what it shows --------------------------------------------------------------------------


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
            rungs = steps.ladder(settings)
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
    if _on_line(settings):
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
        _topic(settings)


def _below(shown: RegressionView, settings: Settings) -> None:
    """What stands below the stage; not that of another topic."""
    if settings.regression.topic != state.settings().regression.topic:
        return
    shell.warning(shown.warning)
    for numbers in shown.tables:
        rows = table(numbers.heads, numbers.rows, numbers.formats)
        st.markdown(rows, help=numbers.help)
    if shown.chart is not None:
        figure = figures.path(np.array(steps.ladder(settings), float), shown.chart, log_y=True,
                              lam=float(steps.clipped(settings)), x_title="p",
                              y_title="distance")  # fmt: skip
        shell.chart(figure, "regression-path", "distance against p")
    st.markdown("\n".join(f"- {words}" for words in shown.notes))
    links.show(shown.scene, KEY)
    if not _on_line(settings):
        links.as_plotly(shown.scene, FIELDS_KEY)
    shell.recipe(lambda: script.regression(settings))


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
