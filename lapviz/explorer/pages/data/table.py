"""A table of the visitor's: bring it, choose what its columns are for, and go on with it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz.explorer.compute import jobs, own_table
from lapviz.explorer.compute.own_table import OwnTable, UnusedTable
from lapviz.explorer.pages.data import bring, view
from lapviz.explorer.pages.data.labels import bring_back
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell
from lapviz.tables import Roles
from lapviz.tables.roles import with_changes

SHOWN_ROWS, SHOWN_COLUMNS = 6, 30  # of the preview
TASKS = {"auto": "By the label column", "classes": "Classes", "values": "Values",
         "none": "No labels"}  # fmt: skip
MISSING = {"impute": "Impute", "drop": "Drop the row"}


def table() -> None:
    """The part of the page."""
    if bring.waits():
        bring.read()
        return
    now = _current()
    if now is None:
        bring.bring()
        return
    brought = user_data.get(now.source)
    _head(brought, now)
    if isinstance(brought, UnusedTable):
        st.error(shell.plain(brought.why), icon=":material/info:")
    _roles(brought, now)
    if isinstance(brought, UnusedTable):
        return
    n, d = brought.prepared.X.shape
    title = f"What was done: {n:,} of {brought.table.n_rows:,} rows, {d} features"
    with st.expander(title, icon=":material/checklist:"):
        lines = [f"- {shell.plain(s)}" for s in (*brought.table.done, *brought.prepared.done)]
        st.markdown("\n".join(lines) or "Nothing had to be done.")
    _go_on(brought, now)
    bring_back(brought, now)
    view.fit(brought, now)


def _current() -> DataSpec | None:
    unused = user_data.tokens_of(UnusedTable)
    other = DataSpec("table", source=unused[-1]) if unused else None
    return user_data.latest("table") or other


def _head(brought: OwnTable | UnusedTable, now: DataSpec) -> None:
    """Name and first rows."""
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.header(shell.plain(brought.table.name), anchor=False)
    left.caption(f"{brought.table.n_rows:,} rows, {len(brought.table.columns)} columns")
    right.button("Another table", key="table-forget", width="stretch",
                 on_click=_forget, args=(now,),
                 help="Forget this table and all that was computed from it.")  # fmt: skip
    columns = brought.table.columns[:SHOWN_COLUMNS]
    rows = slice(0, SHOWN_ROWS)
    st.dataframe({column.name: column.cells(rows) for column in columns}, hide_index=True)
    more = len(brought.table.columns) - len(columns)
    words = f"The first {min(SHOWN_ROWS, brought.table.n_rows)} rows"
    st.caption(words + (f", without {more} more columns." if more else "."))


def _forget(now: DataSpec) -> None:
    user_data.forget(now.source)
    bring.TABLE.renew()
    state.enter("data")
    st.session_state.pop("lapviz_notes", None)


def _roles(brought: OwnTable | UnusedTable, now: DataSpec) -> None:
    """What the columns are for; a change makes the arrays anew."""
    asked, more = _asked(brought)
    if brought.note:
        st.caption(shell.plain(brought.note))
    if brought.asked.weight:
        name = shell.plain(brought.asked.weight)
        st.caption(
            f"Rows count by “{name}”. If that is a measurement, choose no weight column and make "
            "it a feature."
        )
    if (asked, more) == (brought.asked, brought.more_classes):
        return
    work = own_table.again, now.source, asked, more
    try:
        made = shell.long_work("table-roles", "The columns", *work)
        if made is None:
            return
        user_data.add(made, instead_of=now.source)
    except ValueError as error:
        st.error(shell.plain(str(error)), icon=":material/info:")
        if isinstance(brought, OwnTable):
            st.caption("Below, the table is used as before this change.")
        return
    jobs.forget("table-roles")
    state.enter("data")  # the pages that show the table go on with the new columns
    st.rerun()


def _asked(brought: OwnTable | UnusedTable) -> tuple[Roles, tuple[str, ...]]:
    """The roles that are chosen, and further classes."""
    now, names = brought.asked, list(brought.table.names)
    key = f"table-{bring.TABLE.turn}"

    def choose(place, name: str, title: str, titles: dict, help: str, **more) -> str:
        start = list(titles).index(getattr(now, name) or "")
        return place.selectbox(title, list(titles), start, format_func=titles.get,
                               key=f"{key}-{name}", help=help, **more)  # fmt: skip

    features = st.multiselect(
        "Feature columns", names, default=list(now.features), key=f"{key}-features",
        help="The columns that make the points. Texts and other categories become columns of 0 "
        "and 1.",
    )  # fmt: skip
    left, middle, right, last = st.columns(4)
    columns = {"": "None"} | {name: name for name in names}
    label = choose(
        left, "label", "Label column", columns,
        "What is to be predicted. A blank cell is an unlabelled row; no column: label points by "
        "hand.", on_change=_relabel, args=(key,),
    )  # fmt: skip
    task = now.task
    if label:
        words = "Classes are classified; values, real numbers, are a regression."
        task = choose(middle, "task", "The label is", TASKS, words)
    missing = choose(
        right, "missing", "Missing features", MISSING,
        "Replace numbers by the column's median and make missing categories a level of their own, "
        "or drop their rows.",
    )  # fmt: skip
    weight = choose(
        last, "weight", "Weight column", columns,
        "How much each row counts: numbers of at least 0. A row of weight 2 counts like two equal "
        "rows, one of weight 0 is predicted but does not count.",
    )  # fmt: skip
    for name, role in ((label, "label"), (weight, "weight")):
        if name in features:
            features = [feature for feature in features if feature != name]
            st.caption(f"“{shell.plain(name)}” is the {role}, and so no feature.")
    scale = st.toggle(
        "Scale the features", value=now.scale, key=f"{key}-scale",
        help="Give every column unit variance, so that their units do not matter.",
    )  # fmt: skip
    more = brought.more_classes
    if isinstance(brought, UnusedTable) or brought.prepared.task != "values":
        text = st.text_input(
            "Further classes", ", ".join(more), key=f"{key}-classes", max_chars=400,
            help="Names, joined by commas, of classes for labels by hand on the page “Labels”.",
        )  # fmt: skip
        more = tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))[:20]
    asked = replace(now, features=tuple(features), label=label or None, weight=weight or None,
                    task=task, missing=missing, scale=scale)  # fmt: skip
    return asked, more


def _relabel(key: str) -> None:
    """The column that was the label, or was taken for it, is a feature again if it can be one.

    Streamlit keeps a callback's arguments, so the table is none of them: it may be forgotten.
    """
    now = _current()
    if now is None:
        return
    brought = user_data.get(now.source)
    chosen, label = (st.session_state[f"{key}-{name}"] for name in ("features", "label"))
    was = brought.asked.label or brought.table.roles.label
    roles = replace(brought.asked, features=tuple(chosen), label=was)
    free = with_changes(brought.table.columns, roles, label=label or None).features
    names = brought.table.names
    st.session_state[f"{key}-features"] = [n for n in names if n in chosen or n in free]


def _go_on(brought: OwnTable, now: DataSpec) -> None:
    """To the other pages with this table."""
    values = brought.prepared.task == "values"
    with st.container(horizontal=True):
        st.button("Eigenfunctions", key="table-eigen", icon=":material/graphic_eq:",
                  on_click=_open, args=("eigenfunctions", now),
                  help="The functions that vary least along these points.")  # fmt: skip
        words = "Label points by click, brush or lasso, and compare three methods."
        if values:
            words = "Its label column holds values, not classes: choose “Classes” or no column."
        st.button("Label it", key="table-labels", icon=":material/new_label:", disabled=values,
                  on_click=_open, args=("labels", now), help=words)  # fmt: skip
    info, sentences = brought.info, []
    if values:
        sentences.append(
            "Its values are predicted below. The page “Regression” is about functions whose truth "
            "is known."
        )
    if info.labels_per_class is not None:
        sentences.append(
            f"Every row has a label, so those pages begin with {info.labels_per_class} of each "
            "class and let the others judge (“Labels per class”)."
        )
    elif brought.per_class(brought.codes[brought.counted]) is not None:
        sentences.append(
            f"Those pages begin with about {own_table.MOST_LABELS:,} of its labels, and the others "
            "judge. The fit below takes more of them."
        )
    if left_out := brought.n_rows - len(brought.counted):
        sentences.append(f"Those pages leave out the {left_out:,} rows of weight 0.")
    if info.n_samples < len(brought.counted):
        sentences.append(
            f"Those pages begin with {info.n_samples:,} of the {brought.n_rows:,} rows, and show "
            f"at most {info.max_samples:,} (“Samples n”). The fit below takes all rows."
        )
    for sentence in sentences:
        st.caption(sentence)


def _open(page: str, now: DataSpec) -> None:
    state.hand_over(presets.for_spec(now))
    state.ask(page)
