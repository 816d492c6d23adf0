"""Labels: kernel ridge, kernel Laplacian and graph Laplacian side by side on the same labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from lapviz import figures
from lapviz.explorer import controls, pipeline, presets, recipes, scenery, shell, state
from lapviz.explorer.settings import Mark, describe
from lapviz.explorer.stage import stage
from lapviz.markdown import table

KEY = "labels-stage"
PATH_LAMBDAS = np.geomspace(1e-5, 1e4, 37)


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("labels")
    state.read_url(presets.for_story("circles"))
    st.title("Labels")
    _body()


@st.fragment
def _body() -> None:
    shell.show_notes()
    settings = state.settings()
    shell.story_card(settings)
    left, right = st.columns([3.4, 1], gap="medium")
    with left, shell.guarded("The estimates"):
        shell.hint(scenery.width_hint(settings))
        shown = scenery.labels_view(settings, state.revision(KEY), state.hidden())
        stage(shown.scene, key=KEY, on_change=lambda said: state.take_stage(KEY, said))
        with st.container():  # also when it is empty, so that nothing below moves
            _scores(shown)
        shell.as_plotly(shown.scene, KEY)
    with right:
        _controls()
    with left:
        if "labels" not in state.hidden():
            with shell.guarded("The table of labels"):
                _table()
        with shell.guarded("The regularisation path"):
            _path()
        shell.recipe(recipes.labels(settings))
    state.write_url()


def _controls() -> None:
    settings = state.settings()
    shell.reset_button("labels-reset")
    made = {
        "data": ("Data", lambda: controls.data(settings)),
        "labels": ("Labels", lambda: controls.labels(settings)),
        "view": ("Picture", lambda: controls.view(settings)),
        "kernel": ("Kernel", lambda: controls.kernel(settings)),
        "operator": ("Energy", lambda: controls.operator(settings)),
        "regularisation": ("Estimate", lambda: controls.regularisation(settings, estimate=True)),
        "graph": ("Graph to compare", lambda: controls.graph(settings, estimate=True)),
    }
    info = describe(settings.data, settings.options)
    empty = {"view"} if info.n_features == 2 else set()
    empty |= {"labels"} if settings.per_class is None else set()
    for group in shell.groups(*made):
        title, draw = made[group]
        if group not in empty:
            opened = group in ("data", "labels", "kernel", "operator")
            with st.expander(title, expanded=opened), shell.guarded(f"“{title}”"):
                draw()
    if not state.hidden():
        with st.expander("Exact numbers"):
            controls.exact(settings, ("n", "noise", "sigma", "p", "mu", "lam"))


def _scores(shown: scenery.LabelsView) -> None:
    if not shown.scores:
        return
    heads = ("Method", "Right, unlabelled", "Dirichlet energy", "Fit time")
    rows = []
    for s in shown.scores:
        share = None if s.accuracy is None else 100 * s.accuracy
        time = None if s.seconds is None else 1000 * s.seconds
        rows.append((s.method, share, s.energy, time))
    formats = {"Right, unlabelled": "{:.1f} %", "Fit time": "{:.0f} ms"}
    st.markdown(
        table(heads, rows, formats),
        help="Right: share of the unlabelled points that get their true class. Energy: mean "
        "squared gradient of the estimate along the chosen directions; the graph's function has "
        "no gradient, so its energy is that of its part along the first 64 eigenfunctions (left "
        "out above 20 000 points). Fit "
        "time: computing everything afresh on this host.",
    )
    settings = state.settings()
    n = len(pipeline.sample(settings).X)
    words = f"{n:,} points, {shown.n_labels} label{'s' * (shown.n_labels != 1)}, "
    words += f"σ = {pipeline.bandwidth(settings):.3g}, μ = {pipeline.mu(settings):.3g}"
    if shown.drawn < n:
        words += f"; {shown.drawn:,} of the points are drawn"
    st.caption(words)


def _table() -> None:
    with st.expander("Labels as a table", icon=":material/table:"):
        settings = state.settings()
        data = pipeline.sample(settings)
        given = pipeline.labels(settings)
        st.caption("Change a class, add a row of the data, or delete lines: the stage follows.")
        free = np.array([x if i < 0 else [np.nan] * data.X.shape[1]
                         for i, x in zip(given.index, given.X, strict=True)])  # fmt: skip
        frame = pd.DataFrame(
            {
                "row": pd.array(np.where(given.index < 0, -1, given.index), dtype="Int64"),
                "class": [data.class_names[c] for c in given.codes],
            }
        )
        planar = data.X.shape[1] == 2
        if planar:
            free = free.reshape(-1, 2)
            frame["x"], frame["y"] = free[:, 0], free[:, 1]
        edited = st.data_editor(
            frame,
            key=f"label-table-{hash((given.index.tobytes(), given.codes.tobytes()))}",
            num_rows="dynamic",
            hide_index=True,
            column_config={
                "row": st.column_config.NumberColumn(
                    "Row", min_value=-1, max_value=len(data.X) - 1, step=1,
                    help="Row of the data set; -1 is a point of its own, at x, y.",
                ),
                "class": st.column_config.SelectboxColumn(
                    "Class", options=list(data.class_names), help="The label of the point."
                ),
                "x": st.column_config.NumberColumn("x", help="Only for a point of its own."),
                "y": st.column_config.NumberColumn("y", help="Only for a point of its own."),
            },
        )  # fmt: skip
        if not edited.equals(frame):
            marks = _marks_of(edited, data, planar)
            if marks is not None and marks != _current(given):
                state.update(marks=marks)
                st.rerun(scope="fragment")


def _current(given: pipeline.Labels) -> tuple[Mark, ...]:
    return tuple(
        Mark(int(i), int(c)) if i >= 0 else Mark(-1, int(c), (float(x[0]), float(x[1])))
        for i, c, x in zip(given.index, given.codes, given.X, strict=True)
    )


def _marks_of(frame: pd.DataFrame, data, planar: bool) -> tuple[Mark, ...] | None:
    """Labels from the edited table; None, with a sentence, while a line is not complete."""
    marks: dict[object, Mark] = {}
    for line in frame.to_dict("records"):
        row, name = line["row"], line["class"]
        if pd.isna(name) or name not in data.class_names:
            st.caption("A line has no class yet.")
            return None
        code = data.class_names.index(name)
        if pd.notna(row) and 0 <= int(row) < len(data.X):
            marks[int(row)] = Mark(int(row), code)
        elif planar and pd.notna(line.get("x")) and pd.notna(line.get("y")):
            place = (float(line["x"]), float(line["y"]))
            marks[place] = Mark(-1, code, place)
        else:
            st.caption(f"A line needs a row from 0 to {len(data.X) - 1}"
                       f"{', or -1 and x and y' if planar else ''}.")  # fmt: skip
            return None
    return tuple(marks.values())


def _path() -> None:
    with st.expander("Regularisation path", icon=":material/show_chart:"):
        if not st.toggle("Compute", key="path-on", help="Fit the kernel Laplacian for 37 values "
                         "of λ and plot its error and its energy."):  # fmt: skip
            return
        settings = state.settings()
        if not len(pipeline.labels(settings).codes):
            st.caption("Label a point first.")
            return
        right, energy = scenery.lambda_path(settings, PATH_LAMBDAS)
        for title, values, name in (("Error, unlabelled points", 1 - right, "error"),
                                    ("Dirichlet energy", energy, "energy")):  # fmt: skip
            figure = figures.path(PATH_LAMBDAS, {title: values}, lam=settings.lam, y_title=title)
            st.plotly_chart(figure, key=f"path-{name}", theme=None, alt=f"{title} against λ")
