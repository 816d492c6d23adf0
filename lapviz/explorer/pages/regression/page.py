"""Regression: early stopping, slopes, exact against Galerkin, and noisy manifolds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import streamlit as st

from lapviz import datasets, figures, kernels
from lapviz.explorer.channel.component import Message, Waiting
from lapviz.explorer.compute import jobs
from lapviz.explorer.pages.regression import script, steps
from lapviz.explorer.pages.regression.view import RegressionView, regression_view
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.settings.records import SETTINGS, Settings
from lapviz.explorer.settings.specs import TOPICS, topics_of
from lapviz.explorer.share import links
from lapviz.explorer.stage import live
from lapviz.explorer.stage.component import Encoded, stage
from lapviz.explorer.stage.live import LiveStage
from lapviz.explorer.stage.page import Page
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, knobs, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import table
from lapviz.parameters import AUTO, Slider

_SAVED = "lapviz_topics"
COUNTS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000)
LAM = Slider(1e-8, 1e4, 4, log=True, zero=True)
TAU = 1.1  # default of rule (8); that of rule (9) is 1.6
KEY, FIELDS_KEY = "regression-stage", "regression-fields"  # stages for curves and for fields


# ---- controls -------------------------------------------------------------------------------


def _controls(settings: Settings) -> dict[str, Callable[[Settings], None]]:
    topic, groups = settings.regression.topic, {}
    if topic != "slopes":  # which has handles for data
        groups["data"] = _data
    if topic == "manifold":
        groups["view"] = controls.view
    return groups | {"kernel": _kernel, "regularisation": _regularisation}


def _topic(settings: Settings) -> None:
    """Draw the choice among the four topics."""

    def switch(new: str) -> None:
        settings = state.settings()
        saved = st.session_state.setdefault(_SAVED, {})
        saved[settings.regression.topic] = settings  # each topic keeps its own settings
        if new in saved:
            state.put(saved[new])
        elif new in topics_of(settings.data.info):
            state.update(topic=new, story="")
        elif new is not None:  # a deselected topic keeps its place
            state.put(presets.for_topic(new))

    described, topic = SETTINGS["topic"], settings.regression.topic
    widget_keys.menu(
        st.segmented_control, described.label, TOPICS, topic, switch,
        key=controls.key_of("w-topic"), help=described.help, label_visibility="collapsed",
        width="stretch",
    )  # fmt: skip


def _data(settings: Settings) -> None:
    """Draw the choice of data that the topic can show, and of how many values are known."""
    topic = settings.regression.topic
    names = [name for name in datasets.names("values") if topic in topics_of(datasets.info(name))]
    controls.data(settings, names)
    n, known = settings.data.n_samples, settings.regression.known
    counts = (*(c for c in COUNTS if c < n), n)
    value = n if known is None else min(known, n)
    slider = Slider(counts[0], n, 16, log=True, values=counts)

    def take(values: dict) -> None:
        known = values["known"]
        state.update(known=None if known == n else known)

    knobs.sidebar_sliders("known", [knobs.of(settings, "known", value, slider)], take)
    if topic == "stop" and value < n:
        controls.choice("unlabelled", settings)


def _kernel(settings: Settings) -> None:
    """Draw kernel and width; with landmarks where the topic has a trial space."""
    topic = settings.regression.topic
    controls.kernel(settings, space=topic in ("exact", "manifold"))
    if _shows_curves(settings):  # over two inputs and more, σ stands on the stage
        slopes = topic == "slopes"
        value = steps.slopes_width(settings) if slopes else steps.kernel_of(settings).bandwidth
        knobs.sidebar_sliders("sigma", [knobs.of(settings, "sigma", value)])


def _regularisation(settings: Settings) -> None:
    """Draw the sliders of the weights that the topic uses."""
    spec = settings.regression
    if spec.topic == "stop":
        sliders = [knobs.of(settings, "tau", TAU if spec.tau == AUTO else spec.tau)]
    elif spec.topic == "slopes":
        sliders = [knobs.of(settings, name) for name in ("weight", "ridge")]
    else:
        sliders = [knobs.of(settings, "lam", slider=LAM, auto=None)]
        if _shows_curves(settings):
            sliders.append(knobs.of(settings, "mu", steps.relevant(settings).energy.mu))
    knobs.sidebar_sliders("weights", sliders)
    if spec.topic == "slopes" and all(handle.slope is None for handle in spec.handles):
        st.caption("No point has a slope: their weight has no effect.")


def _shows_curves(settings: Settings) -> bool:
    """Whether the stage shows curves rather than fields."""
    return settings.regression.topic != "manifold" and settings.data.info.n_features == 1


# ---- stage and page -------------------------------------------------------------------------


@dataclass(frozen=True)
class Curves(LiveStage):
    """The stage for curves: older ones of the same topic stay while new ones are computed."""

    patience: ClassVar[float] = shell.QUICK
    first_patience: ClassVar[float] = shell.QUICK

    def compute(self, settings: Settings, hidden: frozenset[str], light: bool) -> RegressionView:
        """Return the page's content, which has no numbers for the stage."""
        return self.view(settings, hidden, light)

    def content(self, answer: RegressionView, light: bool) -> RegressionView:
        """Return the same, also while a control moves."""
        return answer

    def draw(
        self, answer: RegressionView | Waiting, last: live.Shown | None, settings: Settings
    ) -> None:
        """Draw the curves, and progress beside them, which this stage does not show."""
        job = jobs.get(KEY)
        if job is not None and job.state == "failed":
            st.error(answer.failed, icon=":material/info:")
            return
        if isinstance(answer, Waiting):
            shell.unfinished(KEY, self.subject, job)
        if last is not None and last.settings.regression.topic == settings.regression.topic:
            shown = {"formula": self.formula_of(settings)}
            stage(Encoded.of(last.answer.scene), key=KEY, shown=shown, on_change=self.apply)

    def apply(self, message: Message) -> None:
        """Apply changes from the browser; a step along Galerkin's path is a number p."""
        if state.restored(message.point if message.hand else None):
            return
        settings, changes = state.settings(), dict(message.changes)
        if "path" in changes:
            changes["along"] = changes.pop("path")
        if settings.regression.topic == "exact":  # has one path
            counts, step = steps.counts(self.shown_settings()), changes.get("step")
            changes = {} if step is None else {"p": counts[min(step, len(counts) - 1)]}
        state.put(settings.change(**changes))

    def drawn_below(self, settings: Settings) -> Settings:
        """All settings but the place on a path."""
        return settings.change(step=0, along="cg")


def _stage(settings: Settings) -> LiveStage:
    if _shows_curves(settings):
        return Curves(KEY, "The estimates", regression_view, _formula)
    return LiveStage(FIELDS_KEY, "The estimates", regression_view, _formula)


def _formula(settings: Settings) -> str:
    """The formula of the topic's estimate."""
    names = {"slopes": "hermite", "exact": "galerkin", "manifold": "tangent"}
    name = names.get(settings.regression.topic, settings.regression.method)
    if name == "hermite" and not kernels.get(settings.space.kernel).has_curvature:
        name = "hermite_rough"
    return formula_line.regression(settings, name)


def _above(settings: Settings) -> None:
    if not {"view", "page"} & state.hidden():
        _topic(settings)


def _below(shown: RegressionView, settings: Settings) -> None:
    """Draw what is below the stage, unless it is of another topic."""
    if settings.regression.topic != state.settings().regression.topic:
        return
    shell.warning(shown.warning)
    shell.hints(shown.hints)
    for numbers in shown.tables:
        rows = table(numbers.heads, numbers.rows, numbers.formats)
        st.markdown(rows, help=numbers.help)
    if shown.chart is not None:
        figure = figures.path(np.array(steps.counts(settings), float), shown.chart, log_y=True,
                              lam=float(steps.n_functions(settings)), x_title="p",
                              y_title="distance")  # fmt: skip
        shell.chart(figure, "regression-path", "distance against p")
    st.markdown("\n".join(f"- {words}" for words in shown.notes))
    links.show(shown.scene, KEY)
    if not _shows_curves(settings):
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
