"""The fit to a visitor's whole table: what it says, and what to take away."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.compute import own_fit
from lapviz.explorer.compute.own_fit import Fitted
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.pages.data import values as own_values
from lapviz.explorer.session import state
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_labels, own_out, own_recipe
from lapviz.explorer.widgets import leaving, shell
from lapviz.markdown import table

MOST_COMPONENTS = 16
_GO = "lapviz_table_go"

Marks = tuple[tuple[int, int], ...]


def fit(thing: OwnTable, now: DataSpec) -> None:
    """The section of the page."""
    st.header("Predictions for every row", anchor=False)
    marks = own_labels.marks_of(now, state.labels_settings())
    try:
        told = own_fit.targets(now, marks)
    except ValueError as error:
        st.caption(shell.plain(str(error)))
        _take_embedding(thing, now)
        return
    st.caption(_told(thing, told, len(marks)))
    with shell.guarded("The fit"):
        fitted = _fitted(thing, now, marks)
        if fitted is None:
            return
        _summary(thing, fitted)
        if fitted.chances is None:
            own_values.show(thing, now, fitted)
        _check(thing, now, marks, fitted)
        _take_away(thing, now, marks, fitted)


def _told(thing: OwnTable, told: own_fit.Targets, by_hand: int) -> str:
    what = "values" if told.y.dtype.kind == "f" else "labels"
    rows = f"all {thing.n_rows:,} rows"
    if told.weights is not None:
        rows = f"{len(thing.counted):,} rows of positive weight"
    words = f"From {len(told.used):,} {what} and {rows}"
    if told.drawn:
        words += (
            f": more than {own_fit.MOST_LABELS:,} are not needed, and the other "
            f"{len(told.held_out):,} known {what} check the fit"
        )
    if by_hand:
        words += f". {by_hand:,} of them are those of the page “Labels”"
    return words + "."


def _fitted(thing: OwnTable, now: DataSpec, marks: Marks) -> Fitted | None:
    if thing.n_rows > own_fit.LARGE and st.session_state.get(_GO) != (now, marks):
        st.button("Fit", key="table-go", type="primary", icon=":material/play_arrow:",
                  on_click=_begin, args=(now, marks),
                  help="A large table takes a while; it can be cancelled.")  # fmt: skip
        return None
    return shell.long_work("table-fit", "The fit", own_fit.fitted, now, marks)


def _begin(now: DataSpec, marks: Marks) -> None:
    st.session_state[_GO] = now, marks


def _summary(thing: OwnTable, fitted: Fitted) -> None:
    if fitted.chances is not None:
        rows = []
        for code in fitted.model.classes_:
            given = int((fitted.targets.known == code).sum())
            found = int(((fitted.predicted == code) & ~fitted.far).sum())
            rows.append((shell.plain(thing.classes[code]), given, found))
        st.markdown(table(("Class", "Labelled", "Predicted"), rows, {}))
        if far := int(fitted.far.sum()):
            st.caption(f"{far:,} rows are far from the data: equal chances for every class.")
    seconds = "less than a tenth of a second"
    if fitted.seconds >= 0.1:
        seconds = f"{fitted.seconds:.1f} s"
    words = f"Fitted in {seconds}"
    if fitted.right is not None:
        words += f". On {len(fitted.targets.held_out):,} labels that it did not take: "
        words += _rate(fitted.right, fitted.chances is None, thing)
    st.caption(words + ".")
    with st.expander("What was chosen from the data", icon=":material/tune:"):
        st.markdown("\n".join(f"- {shell.plain(str(c))}" for c in fitted.model.report_))


def _rate(right: float, values: bool, thing: OwnTable) -> str:
    words = f"R² = {right:.3f}" if values else f"{100 * right:.1f} % right"
    return words if thing.prepared.weights is None else f"{words} by weight"


def _check(thing: OwnTable, now: DataSpec, marks: Marks, fitted: Fitted) -> None:
    if not st.toggle(
        "Check by hiding labels", key="table-check",
        help=f"Hide each of {own_fit.SPLITS} parts of the labels in turn and predict it from the "
        "others: about as many fits.",
    ):  # fmt: skip
        return
    right = shell.long_work("table-checked", "The check", own_fit.checked, now, marks)
    if right is not None:
        st.markdown(
            f"Of labels that were hidden: **{_rate(right, fitted.chances is None, thing)}**."
        )


def _take_away(thing: OwnTable, now: DataSpec, marks: Marks, fitted: Fitted) -> None:
    stem = own_out.stem(thing)
    with st.expander("Take away", icon=":material/download:", expanded=True):
        with st.container(horizontal=True):
            st.download_button(
                "Predictions", lambda: own_out.predictions(now, fitted), key="take-predictions",
                file_name=f"{stem}-predictions.csv", mime="text/csv", on_click="ignore",
                help="CSV: the whole table, with the number of each row (the first below the "
                "header is 1), what is predicted, and the chances of all classes.",
            )  # fmt: skip
            if fitted.chances is not None:
                st.download_button(
                    "Labels", lambda: own_out.labels(now, marks), key="take-labels",
                    file_name=f"{stem}-labels.csv", mime="text/csv", on_click=leaving.saved,
                    help="CSV: every row of the file, its label there, and the one set by hand.",
                )  # fmt: skip
            st.download_button(
                "Parameters", lambda: own_out.parameters(now, fitted), key="take-parameters",
                file_name=f"{stem}-model.json", mime="application/json", on_click="ignore",
                help="JSON: the estimator, what it chose, its landmarks and coefficients.",
            )  # fmt: skip
            st.download_button(
                "Recipe", lambda: own_recipe.fit(now, marks), key="take-recipe",
                file_name=f"{stem}.py", mime="text/x-python", on_click="ignore",
                help="The script below as a file: it reads the table and reproduces these numbers.",
            )  # fmt: skip
        _embedding(thing, now)
    shell.recipe(own_recipe.fit(now, marks))


def _take_embedding(thing: OwnTable, now: DataSpec) -> None:
    with st.expander("Take away", icon=":material/download:"):
        _embedding(thing, now)


def _embedding(thing: OwnTable, now: DataSpec) -> None:
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    most = min(MOST_COMPONENTS, max(thing.n_rows - 2, 1))
    count = left.number_input(
        "Components", 1, most, min(4, most), key="take-count",
        help="How many eigenfunctions the embedding has.",
    )  # fmt: skip
    if not right.toggle("Make the embedding", key="take-embed",
                        help="Fit it to all rows; then it can be downloaded."):  # fmt: skip
        return
    made = shell.long_work("table-embed", "The embedding", own_fit.embedded, now, int(count))
    if made is not None:
        st.download_button(
            "Embedding", lambda: own_out.embedding(now, int(count)), key="take-embedding",
            file_name=f"{own_out.stem(thing)}-embedding.csv", mime="text/csv", on_click="ignore",
            help="CSV: for every row its number and its place in the embedding.",
        )  # fmt: skip
