"""Regression: early stopping, slopes, exact against Galerkin, and noisy manifolds."""

from __future__ import annotations

import streamlit as st

from lapviz import figures
from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.messages import Message
from lapviz.explorer.host import _streamlit
from lapviz.explorer.pages.regression import controls as regression_controls
from lapviz.explorer.pages.regression import script as recipes_regression
from lapviz.explorer.pages.regression.exact import exact_view, ladder
from lapviz.explorer.pages.regression.manifold import manifold_view
from lapviz.explorer.pages.regression.slopes import slopes_view
from lapviz.explorer.pages.regression.stop import stop_view
from lapviz.explorer.pages.regression.view import Chart, RegressionView, Table
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import links
from lapviz.explorer.stage import curve_stage, live
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import table

KEY, FIELDS_KEY = "regression-stage", "regression-fields"  # of the stages for curves and fields
_SHOWN, _BELOW = "lapviz_curves", "lapviz_curves_below"
_ON_CURVES = {"step": "step", "path": "along"}  # the settings that a path's place and name are


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("regression")
    state.read_url(presets.for_story("stop"))
    settings = state.settings()
    shell.headline("Regression", settings)
    if not {"view", "page"} & state.hidden():
        regression_controls.topic(settings)
    _controls(settings)
    _stage()
    _below()


def regression_view(settings: Settings, rev: int = 0) -> RegressionView:
    """The content of the page, for the topic in the settings."""
    if settings.regression.topic == "manifold":
        return manifold_view(settings)
    views = {"stop": stop_view, "slopes": slopes_view, "exact": exact_view}
    return views[settings.regression.topic](settings, rev)


def fields_view(settings: Settings, hidden: frozenset[str], light: bool) -> RegressionView:
    """What the stage for fields shows; runs in a thread."""
    return regression_view(settings)


@st.fragment
def _stage() -> None:
    settings = state.settings()
    formula_line.show(_formula(settings), KEY)
    if not regression_controls.on_line(settings):
        live.show(FIELDS_KEY, fields_view, "The estimates")
        return
    state.write_url()  # first, so that a reload while this is computed loses nothing
    before = st.session_state.get(_SHOWN)
    with shell.guarded("The estimates"):
        asked = settings, channel.revision(KEY)
        shown = shell.long_work("curves", "The estimates", regression_view, *asked)
        if shown is not None:
            st.session_state[_SHOWN] = settings, shown
        elif before is not None and before[0].regression.topic == settings.regression.topic:
            shown = before[1]  # the older curves stay in sight
        if shown is not None:
            curve_stage(shown.scene, key=KEY, on_change=_take)
    kept = st.session_state.get(_SHOWN)
    live.mark(old=kept is None or kept[0] != settings)
    if _streamlit.whole_run():
        st.session_state[_BELOW] = _without_place(settings)


def _without_place(settings: Settings) -> Settings:
    """What stands below depends on: all but the place on a path."""
    return settings.change(step=0, along="cg")


def _formula(settings: Settings) -> str:
    """The formula of what the topic shows."""
    shown = settings.regression
    named = {"slopes": "hermite", "exact": "galerkin", "manifold": "tangent"}
    path = settings.get("along")
    along = path if path in ("cg", "pls") else "ridge"
    return formula_line.regression(named.get(shown.topic, along))


def _take(said: Message) -> None:
    """What the hand did on the stage; a step along Galerkin's path is a number p."""
    settings, changes = state.settings(), said.changes
    if settings.regression.topic == "exact" and "step" in changes:
        rungs = ladder(settings)
        changes = {"p": rungs[min(changes["step"], len(rungs) - 1)]}
    elif settings.regression.topic == "stop":
        changes = {_ON_CURVES[name]: value for name, value in changes.items() if name in _ON_CURVES}
    else:
        changes = {name: value for name, value in changes.items() if name == "handles"}
    state.put(settings.change(**changes))
    if not said.hand and st.session_state.get(_BELOW) != _without_place(state.settings()):
        st.rerun()  # the whole page, in place of the stage alone


def _content(settings: Settings) -> live.Content | None:
    if not regression_controls.on_line(settings):
        return live.content(FIELDS_KEY)
    kept = st.session_state.get(_SHOWN)
    if kept is None or kept[0].regression.topic != settings.regression.topic or state.bare():
        return None
    return live.Content(kept[1], kept[0])


@st.fragment
def _below() -> None:
    now = _content(state.settings())
    if now is None:
        return
    with live.below(KEY):
        _about(now.shown, now.settings)


def _about(shown: RegressionView, settings: Settings) -> None:
    """The page below the stage, for a picture and its settings."""
    shell.warning(shown.warning)
    for numbers in shown.tables:
        _table(numbers)
    if shown.chart is not None:
        _chart(shown.chart)
    st.markdown("\n".join(f"- {words}" for words in shown.notes))
    links.show(shown.scene, KEY)
    if not regression_controls.on_line(settings):
        shell.as_plotly(shown.scene, FIELDS_KEY)
    shell.recipe(recipes_regression.regression(settings))


def _table(numbers: Table) -> None:
    st.markdown(table(numbers.heads, numbers.rows, numbers.formats), help=numbers.help)


def _chart(chart: Chart) -> None:
    figure = figures.path(chart.positions, chart.series, lam=chart.now, log_y=True,
                          x_title=chart.x_title, y_title=chart.y_title)  # fmt: skip
    st.plotly_chart(figure, key="regression-path", theme=None,
                    alt=f"{chart.y_title} against {chart.x_title}")  # fmt: skip


def _controls(settings: Settings) -> None:
    made = {
        "data": ("Data", lambda: regression_controls.data(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: regression_controls.kernel(settings)),
        "regularisation": ("Estimate", lambda: regression_controls.regularisation(settings)),
    }
    if settings.regression.topic == "slopes":
        del made["data"]  # its points are set by hand
    if settings.regression.topic != "manifold":
        del made["view"]
    shell.sidebar("regression", made, set(made))
