"""Labels by hand that were taken away as a file, brought back to the table."""

from __future__ import annotations

import io

import numpy as np
import streamlit as st

from lapviz import tables
from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.pages.data.bring import Inlet
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import leaving
from lapviz.labels import Label
from lapviz.tables import Table
from lapviz.tables.output import escape_formula
from lapviz.tables.records import Column

ROW, LABEL = "row", "label by hand"  # columns of the file; an apostrophe tells one from the table's
MOST_CLASSES = 20  # that labels by hand add
_FILE = Inlet("labels-back")


def bring_back(brought: OwnTable, now: DataSpec) -> None:
    """The section of the page; nothing for a table of values."""
    if brought.prepared.task == "values":
        return
    with st.expander("Bring labels back", icon=":material/upload:"):
        st.caption(
            "Labels by hand stay with your visit. Their file, from “Take away”, puts them in force "
            "again."
        )
        given = _FILE.file(
            "A file of labels",
            help="The CSV that “Labels” gives, for the same table: with the columns “row”, counted "
            "from 1, and “label by hand”.",
        )
        if given is None:
            return
    sentence = ""
    try:
        state.tell(_take(brought, now, read(*given, brought.table.n_rows)))
    except ValueError as error:
        sentence = str(error)
    _FILE.renew(sentence)
    st.rerun()


def _take(brought: OwnTable, now: DataSpec, found: dict[int, str]) -> str:
    """Put the labels of a file in force; a sentence that says so."""
    if new := further(brought, found):
        brought = own_table.again(now.source, brought.asked, (*brought.more_classes, *new))
        user_data.add(brought, instead_of=now.source)
        now = user_data.latest("table") or now
    last = state.SHARED.settings()
    base = last if last is not None and last.data.source == now.source else presets.for_spec(now)
    settings, lost = placed(brought, base, found)
    state.hand_over(settings)
    leaving.saved()
    count = len(found) - lost
    words = f"{count:,} label{'s' * (count != 1)} by hand in force on the page “Labels”."
    return words + f" {lost:,} are of rows that the page does not show." * bool(lost)


def read(raw: bytes, name: str, n_rows: int) -> dict[int, str]:
    """Class names by rows of the table, counted from 0.

    Raises
    ------
    ValueError
        If the file is none of labels, or is that of another table.
    """
    file = tables.read(io.BytesIO(raw), name)
    rows, label = _column(file, ROW), _column(file, LABEL)
    if rows is None or label is None or rows.is_text:
        raise ValueError(
            f"This is no file of labels: it needs a column “{ROW}” and a column “{LABEL}”, as the "
            "file that “Labels” gives has them."
        )
    names, codes = label.as_levels()
    given = np.flatnonzero(codes >= 0)
    if not given.size:
        raise ValueError("No row of this file has a label by hand.")
    numbers = np.asarray(rows.values, float)
    wrong = [n for n in numbers[~np.isnan(numbers)] if not (1 <= n <= n_rows and n.is_integer())]
    if wrong or np.isnan(numbers[given]).any():
        which = f"row {wrong[0]:g}" if wrong else "rows without a number"
        raise ValueError(f"This file has {which}, and the table {n_rows:,} rows: these are labels "
                         "of another table.")  # fmt: skip
    return {int(numbers[at]) - 1: names[codes[at]] for at in given}


def _column(file: Table, name: str) -> Column | None:
    """The column of that name, whose apostrophes say that the table had one, too."""
    found = [column for column in file.columns if column.name.rstrip("'") == name]
    return max(found, key=lambda column: len(column.name), default=None)


def further(brought: OwnTable, found: dict[int, str]) -> tuple[str, ...]:
    """Classes of the labels that the table does not have.

    Raises
    ------
    ValueError
        If they are too many.
    """
    known = _known(brought.classes)
    new = tuple(dict.fromkeys(name for name in found.values() if name not in known))
    if len(new) > MOST_CLASSES:
        raise ValueError(
            f"These labels have {len(new)} classes that the table does not have, and at most "
            f"{MOST_CLASSES} can be added: are they labels of another table?"
        )
    return new


def placed(brought: OwnTable, base: Settings, found: dict[int, str]) -> tuple[Settings, int]:
    """Settings with these labels in force, and how many of them the pages cannot show."""
    codes, place = _known(brought.classes), {int(r): k for k, r in enumerate(brought.prepared.rows)}
    arrays = {place[row]: codes[name] for row, name in found.items() if row in place}
    for n_samples in (base.data.n_samples, brought.info.max_samples):
        spec = base.change(n=n_samples).data
        part = brought.picked(spec.n_samples, spec.random_state)
        if np.isin(list(arrays), part).all():
            break
    index = {int(row): k for k, row in enumerate(part)}
    marks = tuple(Label(index[row], code) for row, code in arrays.items() if row in index)
    return base.change(n=spec.n_samples, marks=marks), len(found) - len(marks)


def _known(classes: tuple[str, ...]) -> dict[str, int]:
    """Codes by names, and by what a file has for names that a spreadsheet would execute."""
    codes = {escape_formula(name): code for code, name in enumerate(classes)}
    return codes | {name: code for code, name in enumerate(classes)}
