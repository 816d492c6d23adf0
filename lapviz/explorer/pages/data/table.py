"""A visitor's table: upload it, choose what its columns are for, and go on with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from lapviz.explorer.compute import jobs, own_table
from lapviz.explorer.compute.own_table import OwnTable, UnusedTable
from lapviz.explorer.host import visitors
from lapviz.explorer.pages.data import upload, view
from lapviz.explorer.pages.data.labels import (
    MOST_CLASSES,
    bring_back,
    by_row,
    carry_over,
    of_table,
    restore,
    settings_of,
)
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell
from lapviz.markdown import plain
from lapviz.tables import Roles
from lapviz.tables.names import counted, joined, split, unused_name
from lapviz.tables.roles import with_changes

SHOWN_ROWS, SHOWN_COLUMNS = 6, 30  # of the preview
_OF_COLUMNS = "lapviz_labels_of_columns"  # by label column: labels set before another was chosen
TASKS = {"auto": "By the label column", "classes": "Classes", "values": "Values",
         "none": "No labels"}  # fmt: skip
MISSING = {"impute": "Impute", "drop": "Drop the row"}


def table() -> None:
    """Draw the part of the page."""
    if upload.is_reading():
        return
    spec = _current()
    if spec is None:
        upload.choose()
        return
    user_table = user_data.get(spec.source)
    _head(user_table, spec)
    if isinstance(user_table, UnusedTable):
        st.error(plain(user_table.why), icon=":material/info:")
    _roles(user_table, spec)
    if isinstance(user_table, UnusedTable):
        return
    n, d = user_table.prepared.X.shape
    rows = f"{n:,} of {counted(user_table.table.n_rows, 'row')}"
    title = f"What was done: {rows}, {counted(d, 'feature')}"
    with st.expander(title, icon=":material/checklist:"):
        lines = [f"- {plain(s)}" for s in (*user_table.table.done, *user_table.prepared.done)]
        st.markdown("\n".join(lines) or "Nothing had to be done.")
    _go_on(user_table, spec)
    bring_back(user_table, spec)
    view.fit(user_table, spec)


def _current() -> DataSpec | None:
    unused = user_data.tokens_of(UnusedTable)
    unused_spec = DataSpec("table", source=unused[-1]) if unused else None
    return user_data.latest("table") or unused_spec


def _head(user_table: OwnTable | UnusedTable, spec: DataSpec) -> None:
    """Draw name and first rows."""
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.header(plain(user_table.table.name), anchor=False)
    n_columns = len(user_table.table.columns)
    left.caption(f"{counted(user_table.table.n_rows, 'row')}, {counted(n_columns, 'column')}")
    title, place = "Another table", right
    if shell.has_unsaved_labels(state.SHARED.of_own_data().get(spec.source)):
        place = right.popover(title, width="stretch")
        place.caption("Not all of its labels set by hand have been downloaded.")
        title = "Forget table and labels"
    words = "Forget this table and all that was computed from it."
    with place:
        shell.button(title, "table-forget", "", words, _forget, spec, width="stretch")
    columns = user_table.table.columns[:SHOWN_COLUMNS]
    rows = slice(0, SHOWN_ROWS)
    st.dataframe({column.name: _plain(column.cells(rows)) for column in columns}, hide_index=True)
    n_hidden = len(user_table.table.columns) - len(columns)
    all_rows = user_table.table.n_rows <= SHOWN_ROWS
    words = "All rows" if all_rows else f"The first {SHOWN_ROWS} rows"
    st.caption(words + (f", without {counted(n_hidden, 'more column')}." if n_hidden else "."))


def _plain(cells: list) -> list:
    """Cells with Python's dates, as Streamlit gives those of NumPy a time of day."""
    return [cell.tolist() if isinstance(cell, np.datetime64) else cell for cell in cells]


def _forget(spec: DataSpec) -> None:
    user_data.forget(spec.source)
    visitors.session_dict(_OF_COLUMNS).clear()
    upload.TABLE.renew()
    state.enter("data")
    st.session_state.pop("lapviz_notes", None)


def _roles(user_table: OwnTable | UnusedTable, spec: DataSpec) -> None:
    """Draw the choice of what the columns are for; a change rebuilds the arrays."""
    roles, classes = _choose_roles(user_table)
    if user_table.note:
        st.caption(plain(user_table.note))
    if user_table.roles.weight:
        name = plain(user_table.roles.weight)
        st.caption(
            f"Rows are weighted by “{name}”. If that is a measurement, choose no weight column and "
            "make it a feature."
        )
    if (roles, classes) == (user_table.roles, user_table.extra_classes):
        return
    arguments = own_table.with_roles, spec.source, roles, classes
    shown = state.SHARED.of_own_data().get(spec.source)
    try:
        rebuilt = shell.long_work("table-roles", "The columns", *arguments)
        if rebuilt is None:
            return
        user_data.add(rebuilt, instead_of=spec.source)
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/info:")
        if isinstance(user_table, OwnTable):
            st.caption("Below, the table is used as before this change.")
        return
    jobs.forget("table-roles")
    if isinstance(user_table, OwnTable) and isinstance(rebuilt, OwnTable):
        _keep_for_new_columns(spec, shown, user_table, rebuilt)
    _bring_back_labels(user_table, rebuilt)
    state.enter("data")  # the pages that show the table go on with the new columns
    st.rerun()


def _keep_for_new_columns(
    spec: DataSpec, shown: Settings | None, old: OwnTable, new: OwnTable
) -> None:
    """Keep what is still right: class proportions, and what :func:`carry_over` keeps."""
    if shown is None:
        return
    base, prior = presets.for_spec(user_data.latest("table") or spec), None
    if shown.estimate.class_prior is not None:
        prior = shown.estimate.class_prior if old.classes == new.classes else None
        if prior is None:
            st.toast("The class proportions of the page “Labels” were those of other classes: "
                     "they are estimated again.")  # fmt: skip
    settings, lost = carry_over(shown, old, new, base)
    before = old.roles.label
    if lost:
        one = lost == 1
        fate = f"{'has' if one else 'have'} no row or class any more"
        if new.roles.label != before:
            fate = "is set aside: it comes" if one else "are set aside: they come"
            fate += f" back with the label column “{before or 'None'}”"
        st.toast(plain(f"{counted(lost, 'label')} of the page “Labels” {fate}."))
    if shown.labels.chosen and new.roles.label != before:
        visitors.session_dict(_OF_COLUMNS)[before] = by_row(old, own_out.marks_of(old, shown))
    if (settings := settings.change(class_prior=prior)) != base:
        state.hand_over(settings)


def _bring_back_labels(old: OwnTable | UnusedTable, new: OwnTable) -> None:
    """Use the labels again that were set before another label column was chosen."""
    labels = of_table(visitors.session_dict(_OF_COLUMNS).get(new.roles.label, {}), new)
    spec = user_data.latest("table")
    if new.roles.label != old.roles.label and labels and spec is not None:
        state.hand_over(restore(new, presets.for_spec(spec), labels)[0])


def _choose_roles(user_table: OwnTable | UnusedTable) -> tuple[Roles, tuple[str, ...]]:
    """Draw the controls; return the chosen roles, and further classes."""
    roles, names = user_table.roles, list(user_table.table.names)
    key = f"table-{upload.TABLE.turn}"

    def choose(column, name: str, title: str, titles: dict, help: str, **options) -> str:
        start = list(titles).index(getattr(roles, name) or "")
        return column.selectbox(title, list(titles), start, format_func=titles.get,
                                key=f"{key}-{name}", help=help, **options)  # fmt: skip

    features = st.multiselect(
        "Feature columns", names, default=list(roles.features), key=f"{key}-features",
        help="The columns that make the points. Texts and other categories become columns of 0 "
        "and 1.",
    )  # fmt: skip
    left, middle, right, rightmost = st.columns(4)
    # Streamlit returns an entry by its text: no two may be equal.
    columns = {"": unused_name("None", names)} | {name: name for name in names}
    label = choose(
        left, "label", "Label column", columns,
        "What is to be predicted. A blank cell is an unlabelled row; no column: label points by "
        "hand.", on_change=_relabel, args=(key,),
    )  # fmt: skip
    task = roles.task
    if label:
        words = "Classes are classified; values, real numbers, are a regression."
        task = choose(middle, "task", "The label is", TASKS, words)
    missing = choose(
        right, "missing", "Missing features", MISSING,
        "Replace numbers by the column's median and make missing categories a level of their own, "
        "or drop their rows.",
    )  # fmt: skip
    weight = choose(
        rightmost, "weight", "Weight column", columns,
        "How much each row counts: numbers of at least 0. A row of weight 2 counts like two equal "
        "rows, one of weight 0 is predicted but does not count.",
    )  # fmt: skip
    for name, role in ((label, "label"), (weight, "weight")):
        if name in features:
            features = [feature for feature in features if feature != name]
            st.caption(f"“{plain(name)}” is the {role}, so it is not a feature.")
    scale = st.toggle(
        "Scale the features", value=roles.scale, key=f"{key}-scale",
        help="Give every column unit variance, so that their units do not matter.",
    )  # fmt: skip
    classes = user_table.extra_classes
    if isinstance(user_table, UnusedTable) or user_table.prepared.task != "values":
        shown = joined(classes)
        text = st.text_input(
            "Classes to add", shown, key=f"{key}-classes-{shown}", max_chars=len(shown) + 400,
            help="Names, joined by commas, of classes for labels by hand on the page “Labels”.",
        )  # fmt: skip
        if text != shown:
            classes = tuple(dict.fromkeys(split(text)))[:MOST_CLASSES]
    chosen = replace(roles, features=tuple(features), label=label or None, weight=weight or None,
                     task=task, missing=missing, scale=scale)  # fmt: skip
    return chosen, classes


def _relabel(key: str) -> None:
    """Make the column that was the label, or was taken for it, a feature again if it can be one.

    Streamlit keeps a callback's arguments: the table is not among them, so that it can be freed.
    """
    spec = _current()
    if spec is None:
        return
    user_table = user_data.get(spec.source)
    chosen, label = (st.session_state[f"{key}-{name}"] for name in ("features", "label"))
    old_label = user_table.roles.label or user_table.table.roles.label
    roles = replace(user_table.roles, features=tuple(chosen), label=old_label)
    features = with_changes(user_table.table.columns, roles, label=label or None).features
    names = user_table.table.names
    st.session_state[f"{key}-features"] = [n for n in names if n in chosen or n in features]


def _go_on(user_table: OwnTable, spec: DataSpec) -> None:
    """Draw the buttons that open this table on other pages."""
    values = user_table.prepared.task == "values"
    with st.container(horizontal=True):
        words = "The functions that vary least along these points."
        shell.button("Eigenfunctions", "table-eigen", "graphic_eq", words,
                     open_on, "eigenfunctions", spec)  # fmt: skip
        words = "Label points by click, brush or lasso, and compare three methods."
        if values:
            words = "Its label column holds values, not classes: choose “Classes” or no column."
        shell.button("Label it", "table-labels", "new_label", words, open_on, "labels", spec,
                     disabled=values)  # fmt: skip
    info = user_table.info
    if values:
        st.caption(
            "Its values are predicted below; the page “Regression” shows other data, functions "
            "whose truth is known."
        )
    if info.labels_per_class is not None:
        st.caption(
            f"Every row has a label, so those pages begin with {info.labels_per_class} of each "
            "class, all where there are fewer, and measure accuracy on the others (“Labels per "
            "class”)."
        )
    elif user_table.per_class(user_table.codes[user_table.counted]) is not None:
        st.caption(
            f"Those pages begin with about {own_table.MOST_LABELS:,} of its labels, and "
            "measure accuracy on the others. The fit below takes more of them."
        )
    if left_out := user_table.n_rows - len(user_table.counted):
        st.caption(f"Those pages leave out the {left_out:,} rows of weight 0.")
    if info.n_samples < len(user_table.counted):
        st.caption(
            f"Those pages begin with {info.n_samples:,} of the {user_table.n_rows:,} rows, and "
            f"show at most {info.max_samples:,} (“Samples n”). The fit below predicts all rows."
        )


def open_on(page: str, spec: DataSpec) -> None:
    """Open a page with a visitor's data, with the settings it has for them, if any."""
    state.hand_over(settings_of(spec))
    state.open_page(page)
