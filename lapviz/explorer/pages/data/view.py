"""The fit to a visitor's whole table: its numbers, its pictures, and what to take away."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lapviz import figures
from lapviz.explorer.compute import own_fit
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.limits import GRID_SMALL, MAX_DRAWN
from lapviz.explorer.pages.data import script
from lapviz.explorer.scene.placement import components, grid_of, view_of
from lapviz.explorer.session import state
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out
from lapviz.explorer.share.links import download
from lapviz.explorer.share.own_out import Marks
from lapviz.explorer.widgets import shell
from lapviz.markdown import table
from lapviz.scenes import Panel, Points, Scene
from lapviz.tables.rows import names

Array = np.ndarray
MOST_COMPONENTS = 16
_GO = "lapviz_table_go"  # what the fit to a large table was asked for with


def fit(brought: OwnTable, now: DataSpec) -> None:
    """The section of the page."""
    st.header("Predictions for every row", anchor=False)
    marks = own_out.marks_of(now, state.SHARED.settings())
    try:
        told = own_fit.targets(now, marks)
    except ValueError as error:
        st.caption(shell.plain(str(error)))
        with st.expander("Take away", icon=":material/download:"):
            _embedding(brought, now)
        return
    st.caption(_told(brought, told, len(marks)))
    with shell.guarded("The fit"):
        if brought.n_rows > own_fit.LARGE and st.session_state.get(_GO) != (now, marks):
            st.button("Fit", key="table-go", type="primary", icon=":material/play_arrow:",
                      on_click=lambda: st.session_state.update({_GO: (now, marks)}),
                      help="A large table takes a while; it can be cancelled.")  # fmt: skip
            return
        fitted = shell.long_work("table-fit", "The fit", own_fit.fitted, now, marks)
        if fitted is None:
            return
        _summary(brought, fitted)
        if fitted.chances is None:
            _pictures(brought, now, fitted)
        _check(brought, now, marks, fitted)
        _take_away(brought, now, marks, fitted)


def _told(brought: OwnTable, told: own_fit.Targets, by_hand: int) -> str:
    what = "values" if told.y.dtype.kind == "f" else "labels"
    counted = f"{len(brought.counted):,} rows of positive weight"
    rows = f"all {brought.n_rows:,} rows" if told.weights is None else counted
    words = f"From {len(told.used):,} {what} and {rows}"
    if told.drawn:
        words += (
            f": more than {own_fit.MOST_LABELS:,} are not needed, and the other "
            f"{len(told.held_out):,} known {what} check the fit"
        )
    if by_hand:
        words += f". {by_hand:,} of them are those of the page “Labels”"
    return words + "."


def _summary(brought: OwnTable, fitted: Fitted) -> None:
    if fitted.chances is not None:
        rows = []
        for code in fitted.model.classes_:
            given = int((fitted.targets.known == code).sum())
            found = int(((fitted.predicted == code) & ~fitted.far).sum())
            rows.append((shell.plain(brought.classes[code]), given, found))
        st.markdown(table(("Class", "Labelled", "Predicted"), rows, {}))
        if far := int(fitted.far.sum()):
            st.caption(f"{far:,} rows are far from the data: nothing is predicted there.")
    quick = fitted.seconds < 0.1
    words = f"Fitted in {'less than a tenth of a second' if quick else f'{fitted.seconds:.1f} s'}"
    if fitted.right is not None:
        words += f". On {len(fitted.targets.held_out):,} labels that it did not take: "
        words += _rate(fitted.right, fitted.chances is None, brought)
    st.caption(words + ".")
    with st.expander("What was chosen from the data", icon=":material/tune:"):
        st.markdown("\n".join(f"- {shell.plain(str(c))}" for c in fitted.model.report_))


def _rate(right: float, values: bool, brought: OwnTable) -> str:
    words = f"R² = {right:.3f}" if values else f"{100 * right:.1f} % right"
    return words if brought.prepared.weights is None else f"{words} by weight"


def _check(brought: OwnTable, now: DataSpec, marks: Marks, fitted: Fitted) -> None:
    if not st.toggle(
        "Check by hiding labels", key="table-check",
        help=f"Hide each of {own_fit.SPLITS} parts of the labels in turn and predict it from the "
        "others: about as many fits.",
    ):  # fmt: skip
        return
    right = shell.long_work("table-checked", "The check", own_fit.checked, now, marks)
    if right is not None:
        rate = _rate(right, fitted.chances is None, brought)
        st.markdown(f"Of labels that were hidden: **{rate}**.")


def _take_away(brought: OwnTable, now: DataSpec, marks: Marks, fitted: Fitted) -> None:
    stem, recipe = own_out.stem(brought), script.fit(now, marks)
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True):
            download(
                "Predictions", lambda: own_out.predictions(now, fitted), f"{stem}-predictions.csv",
                "CSV: the whole table, with the number of each row (the first below the header is "
                "1), what is predicted, and the chances of all classes; of values the standard "
                "deviation with which new ones lie there.",
            )  # fmt: skip
            if fitted.chances is not None:
                own_out.offer_labels(now, marks)
            download(
                "Parameters", lambda: own_out.parameters(now, fitted), f"{stem}-model.json",
                "JSON: the estimator, what it chose, its landmarks and coefficients.",
            )  # fmt: skip
            download(
                "Recipe", recipe, f"{stem}.py",
                "The script below as a file: it reads the table and reproduces these numbers.",
            )  # fmt: skip
        _embedding(brought, now)
    shell.recipe(lambda: recipe)


def _embedding(brought: OwnTable, now: DataSpec) -> None:
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    most = min(MOST_COMPONENTS, max(brought.n_rows - 2, 1))
    count = left.number_input(
        "Components", 1, most, min(4, most), key="take-count",
        help="How many eigenfunctions the embedding has.",
    )  # fmt: skip
    if not right.toggle("Make the embedding", key="take-embed",
                        help="Fit it to all rows; then it can be downloaded."):  # fmt: skip
        return
    made = shell.long_work("table-embed", "The embedding", own_fit.embedded, now, int(count))
    if made is not None:
        download(
            "Embedding", lambda: own_out.embedding(now, int(count)),
            f"{own_out.stem(brought)}-embedding.csv",
            "CSV: for every row its number and its place in the embedding.",
        )  # fmt: skip


# ---- values and their predictions, as pictures -----------------------------------------------


def _pictures(brought: OwnTable, now: DataSpec, fitted: Fitted) -> None:
    """Given and predicted values in a plane that is chosen, and one against the other."""
    axes = axes_of(brought)
    if len(axes) > 1:
        chosen = [
            column.selectbox(f"{('Horizontal', 'Vertical')[k]} axis", range(len(axes)), k,
                             lambda k: axes[k], key=f"values-{'xy'[k]}-{len(axes)}",
                             help="A feature, or a principal component.")
            for k, column in enumerate(st.columns(2))
        ]  # fmt: skip
        figure = figures.scene(scene(brought, now, fitted, *chosen))
        shell.chart(figure, "values-plane", "Given and predicted values over the chosen axes")
    with shell.guarded("The comparison"):
        shell.chart(against(fitted), "values-against", "Predicted against given values")


def axes_of(brought: OwnTable) -> list[str]:
    """What an axis can show: of three features or more two components before these."""
    features = list(brought.prepared.feature_names)
    return features if len(features) < 3 else ["component 1", "component 2", *features]


def drawn(fitted: Fitted) -> Array:
    """Rows in the picture: given values first, then others, a bounded number."""
    given = np.flatnonzero(~np.isnan(fitted.targets.known))
    others = np.flatnonzero(np.isnan(fitted.targets.known))
    rng = np.random.default_rng(0)
    some = rng.permutation(given)[: max(MAX_DRAWN // 2, MAX_DRAWN - len(others))]
    return np.sort(np.r_[some, rng.permutation(others)[: MAX_DRAWN - len(some)]])


def scene(brought: OwnTable, now: DataSpec, fitted: Fitted, ax: int, ay: int) -> Scene:
    """Predictions at the points that are drawn; over two features the whole field.

    ``ax`` and ``ay`` are places in :func:`axes_of`.
    """
    rows, X, axes = drawn(fitted), brought.prepared.X, axes_of(brought)
    n_scores = len(axes) - X.shape[1]
    part = DataSpec("table", n_samples=brought.info.max_samples, source=now.source)
    if min(ax, ay) < n_scores:  # components are of the part that the pages show
        scores, places = components(part), brought.picked(part.n_samples, part.random_state)
        rows = places[np.isin(places, rows)] if len(places) < brought.n_rows else rows
        at = np.searchsorted(places, rows)
    columns = [scores[at, k] if k < n_scores else X[rows, k - n_scores] for k in (ax, ay)]
    xy = np.column_stack(columns)
    view = view_of(xy)
    middle = fitted.targets.known[fitted.targets.used].mean()
    grid, field = None, None
    if X.shape[1] == 2 and {ax, ay} == {0, 1}:
        grid = grid_of(view, GRID_SMALL)
        sites = grid.sites() if ax == 0 else grid.sites()[:, ::-1]
        field = fitted.model.predict(sites).reshape(1, len(grid.y), len(grid.x)) - middle
    title = f"Predicted, less the mean {middle:.4g}"
    called = names(brought.table, brought.prepared.roles, brought.prepared.rows[rows])
    return Scene(
        panels=(Panel(title, (fitted.predicted[rows] - middle)[None], field),),
        points=Points(xy, rows, notes=tuple(called)),
        view=view,
        view_key=f"{axes[ax], axes[ay]}",
        grid=grid,
        kind="functions",
        axes=(axes[ax], axes[ay]),
        hide=("lam", "filter", "labels"),
        n_samples=brought.n_rows,
    )


def against(fitted: Fitted):
    """Predicted values against given ones: those that the fit took, and those that it did not."""
    rng, told = np.random.default_rng(0), fitted.targets
    groups = {}
    for name, rows in (("taken by the fit", told.used), ("not taken", told.held_out)):
        some = rng.permutation(rows)[:MAX_DRAWN]
        groups[name] = told.known[some], fitted.predicted[some]
    return figures.agreement(groups)
