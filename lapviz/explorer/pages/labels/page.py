"""Labels: kernel ridge, kernel Laplacian and graph Laplacian side by side on the same labels."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.compute import own_rows, points
from lapviz.explorer.pages.labels import more as labels_more
from lapviz.explorer.pages.labels import table as label_table
from lapviz.explorer.pages.labels import take_away as own_take
from lapviz.explorer.scene.labels import LabelsView, labels_view
from lapviz.explorer.scene.sheet import SheetView
from lapviz.explorer.session import state
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.share import links, recipes
from lapviz.explorer.stage import live
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import controls, defaults_switch, shell
from lapviz.explorer.words import formula_line
from lapviz.markdown import table

KEY = "labels-stage"


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("labels")
    state.read_url(presets.for_story("circles"))
    settings = state.settings()
    shell.headline("Labels", settings)
    _controls(settings)
    _stage()
    _below()


@st.fragment
def _stage() -> None:
    formula_line.show(formula_line.labels(state.settings()), KEY)
    live.show(KEY, labels_view, "The estimates")


@st.fragment
def _below() -> None:
    live.follow(KEY)
    now = live.content(KEY)
    if now is None or isinstance(now.shown, SheetView):
        return
    with live.below(KEY):
        _about(now.shown, now.settings)


def _about(shown: LabelsView, settings: Settings) -> None:
    """The page below the stage, for a picture and its settings."""
    shell.hints(shown.hints)
    with st.container(key="scores"):  # dimmed while the stage shows newer ones
        _scores(shown)
    shell.report(shown.settings.chosen.report)
    links.show(shown.scene, KEY)
    shell.as_plotly(shown.scene, KEY)
    if "labels" not in state.hidden():
        with shell.guarded("The table of labels"):
            _table(settings)
        with shell.guarded("The next point"):
            labels_more.next_point(shown, settings)
    with shell.guarded("The regularisation path"):
        labels_more.path(shown, settings)
    with shell.guarded("The search"):
        labels_more.tune(settings)
    with shell.guarded("“Take away”"):
        own_take.take_away(settings)
    shell.recipe(recipes.labels(settings))


def _controls(settings: Settings) -> None:
    made = {
        "data": ("Data", lambda: controls.data(settings)),
        "labels": ("Labels", lambda: controls.labels(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: controls.kernel(settings)),
        "operator": ("Energy", lambda: controls.operator(settings)),
        "regularisation": ("Estimate", lambda: controls.regularisation(settings, estimate=True)),
        "graph": ("Graph to compare", lambda: controls.graph(settings, estimate=True)),
    }
    if settings.data.info.n_features == 2:
        del made["view"]
    shell.sidebar("labels", made, {"data", "labels", "kernel", "operator"}, defaults_switch.control)


def _scores(shown: LabelsView) -> None:
    if not shown.scores:
        return
    heads = ("Method", "Accuracy (unlabelled)", "Dirichlet energy", "Fit time")
    rows = []
    for s in shown.scores:
        share = None if s.accuracy is None else 100 * s.accuracy
        time = None if s.seconds is None else 1000 * s.seconds
        rows.append((s.method, share, s.energy, time))
    formats = {"Accuracy (unlabelled)": "{:.1f} %", "Fit time": "{:.0f} ms"}
    st.markdown(
        table(heads, rows, formats),
        help="Accuracy: share of the unlabelled points that get their true class. Energy: mean "
        "squared gradient of the estimate along the chosen directions; the graph's function has "
        "no gradient, so its energy is that of its projection on the first 64 eigenfunctions "
        "(not computed above 20 000 points). With class balance: the energy before it. "
        " Fit time: of a fit from scratch on this host.",
    )
    n, labels = shown.n_samples, f"{shown.n_labels} label{'s' * (shown.n_labels != 1)}"
    lam = shown.settings.estimate.lam
    words = f"{n:,} points, {labels}, σ = {shown.bandwidth:.3g}, μ = {shown.mu:.3g}, λ = {lam:.3g}"
    if shown.drawn < n:
        words += f"; {shown.drawn:,} of the points are drawn"
    st.caption(words)


def _table(settings: Settings) -> None:
    with st.expander("Labels as a table", icon=":material/table:"):
        data = points.sample(settings.data)
        given = points.labelled(settings.data, settings.labels)
        st.caption("Change a class, add a row of the data, or delete lines: the pictures follow.")
        planar = data.X.shape[1] == 2
        images = None if (given.index < 0).any() else data.images(given.index)
        numbers = own_rows.numbers(settings.data)
        named = None if (given.index < 0).any() else own_rows.identities(settings.data, given.index)
        frame = label_table.to_frame(given.labels, data.class_names, planar, images, numbers, named)
        edited = st.data_editor(
            frame,
            key=f"label-table-{hash(tuple(label.lasting() for label in given.labels))}",
            num_rows="dynamic",
            hide_index=True,
            disabled=[name for name in frame if name not in label_table.COLUMNS[1:]],
            row_height=44 if images is not None else None,
            column_config={
                "image": st.column_config.ImageColumn("Image", help="The row as an image."),
                "row": st.column_config.NumberColumn(
                    "Row", min_value=-1, max_value=int(numbers[-1]), step=1,
                    help="Row of the data, counted from 1; -1: a point added at x, y.",
                ),
                "class": st.column_config.SelectboxColumn(
                    "Class", options=list(data.class_names), help="The label of the point."
                ),
                "or": st.column_config.TextColumn(
                    "Or", help="Further classes that the point may have, joined by commas."
                ),
                "x": st.column_config.NumberColumn("x", help="Only for an added point."),
                "y": st.column_config.NumberColumn("y", help="Only for an added point."),
            },
        )  # fmt: skip
        if not edited.equals(frame):
            marks = label_table.from_frame(edited, data.class_names, numbers, planar)
            if isinstance(marks, str):
                st.caption(marks)
            elif marks != given.labels and settings == state.settings():
                state.update(marks=marks)
                st.rerun()
