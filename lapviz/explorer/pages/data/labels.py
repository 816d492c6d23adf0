"""Labels by hand, read back from a downloaded file."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import streamlit as st

from lapviz import tables
from lapviz.explorer.compute import own_table
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share.own_out import Marks, marks_of
from lapviz.explorer.stories import presets
from lapviz.explorer.widgets import shell
from lapviz.explorer.widgets.files import FileInput
from lapviz.labels import Label
from lapviz.markdown import plain
from lapviz.tables import Table
from lapviz.tables.names import counted
from lapviz.tables.output import escape_formula
from lapviz.tables.records import Column

ROW, LABEL = "row", "label on the page"  # apostrophes tell columns of one name apart
OLD_LABEL = "label by hand"  # in files of earlier versions
MOST_CLASSES = 20  # that labels by hand, or their file, may add
_FILE = FileInput("labels-back")


def bring_back(user_table: OwnTable, spec: DataSpec) -> None:
    """Draw the section of the page."""
    with st.expander("Bring labels back", icon=":material/upload:"):
        st.caption(
            "Labels by hand last as long as your visit. Their file, from “Take away”, restores "
            "them."
        )
        if user_table.prepared.task == "values":
            st.caption(
                "The label column holds values, not classes: choose “Classes” or no column first."
            )
            return

        def use(raw: bytes, name: str) -> None:
            st.toast(plain(_take(user_table, spec, read(raw, name, user_table.table.n_rows))))

        _FILE.take(
            use,
            "A file of labels",
            help="The CSV that “Labels” gives, for the same table: with the columns “row”, counted "
            "from 1, and “label on the page”.",
        )


def _take(user_table: OwnTable, spec: DataSpec, labels: dict[int, str]) -> str:
    """Apply the labels of a file; return a sentence that says so."""
    settings = settings_of(spec)
    if added := new_classes(user_table, labels):
        classes = (*user_table.extra_classes, *added)
        user_table = own_table.with_roles(spec.source, user_table.roles, classes)
        settings = settings.change(source=user_data.add(user_table, instead_of=spec.source))
    settings, lost = restore(user_table, settings, labels)
    state.hand_over(settings)
    shell.labels_saved()
    count = counted(len(labels) - lost, "label")
    words = f"{count} restored on the page “Labels”."
    hidden = f" The page does not show the rows of {counted(lost, 'other label')}."
    return words + hidden * bool(lost)


def settings_of(spec: DataSpec) -> Settings:
    """Settings with which the other pages show these data: theirs, or at first the defaults."""
    return state.SHARED.of_own_data().get(spec.source) or presets.for_spec(spec)


def read(raw: bytes, name: str, n_rows: int) -> dict[int, str]:
    """Read class names by row of the table, counted from 0.

    Raises
    ------
    ValueError
        If the file has no labels, or those of another table.
    """
    file = tables.read(io.BytesIO(raw), name, as_text=(LABEL, OLD_LABEL))
    # The table's own label column, which may have one of these names, stands between them.
    rows, label = _column(file, ROW, 0), _column(file, LABEL, -1) or _column(file, OLD_LABEL, -1)
    if rows is None or label is None or rows.is_text:
        raise ValueError(
            f"This is no file of labels: it needs a column “{ROW}” and a column “{LABEL}”, as the "
            "file that “Labels” gives has them."
        )
    names, codes = label.as_levels()
    labelled = np.flatnonzero(codes >= 0)
    if not labelled.size:
        raise ValueError("No row of this file has a label in that column.")
    numbers = np.asarray(rows.values, float)
    outside = [n for n in numbers[~np.isnan(numbers)] if not (1 <= n <= n_rows and n.is_integer())]
    if outside or np.isnan(numbers[labelled]).any():
        fault = f"row {outside[0]:g}" if outside else "rows without a number"
        raise ValueError(f"This file has {fault}, and the table {n_rows:,} rows: these are labels "
                         "of another table.")  # fmt: skip
    return {int(numbers[i]) - 1: names[codes[i]] for i in labelled}


def _column(file: Table, name: str, place: int) -> Column | None:
    """Column of that name, also with apostrophes behind it; of several the one at ``place``."""
    columns = [column for column in file.columns if column.name.rstrip("'") == name]
    return columns[place] if columns else None


def new_classes(user_table: OwnTable, labels: dict[int, str]) -> tuple[str, ...]:
    """Classes of the labels that the table does not have.

    Raises
    ------
    ValueError
        If there are too many.
    """
    known = _codes(user_table.classes)
    added = tuple(dict.fromkeys(_unescaped(name) for name in labels.values() if name not in known))
    if len(added) > MOST_CLASSES:
        raise ValueError(
            f"These labels have {len(added)} classes that the table does not have, and at most "
            f"{MOST_CLASSES} can be added: are they labels of another table?"
        )
    return added


def restore(user_table: OwnTable, base: Settings, labels: dict[int, str]) -> tuple[Settings, int]:
    """Return settings with these labels, and how many of them the pages cannot show."""
    codes, rows = _codes(user_table.classes), user_table.prepared.rows
    usable = np.intersect1d(list(labels), rows)
    for n_samples in (base.data.n_samples, user_table.info.max_samples):
        spec = base.change(n=n_samples).data
        shown = rows[user_table.sample_rows(spec.n_samples, spec.random_state)]
        if np.isin(usable, shown).all():
            break
    index = {int(row): k for k, row in enumerate(shown)}
    marks = tuple(Label(index[row], codes[name]) for row, name in labels.items() if row in index)
    return base.change(n=spec.n_samples, marks=marks), len(labels) - len(marks)


def by_row(user_table: OwnTable, marks: Marks) -> dict[int, str]:
    """Class names of labels by row of the file, counted from 0."""
    rows, classes = user_table.prepared.rows, user_table.classes
    return {int(rows[row]): classes[code] for row, code in marks if code >= 0}


def of_table(labels: dict[int, str], user_table: OwnTable) -> dict[int, str]:
    """The labels whose class the table has."""
    return {row: name for row, name in labels.items() if name in user_table.classes}


def carry_over(
    shown: Settings, old: OwnTable, new: OwnTable, base: Settings
) -> tuple[Settings, int]:
    """Settings of a table with other columns, with the labels set by hand, and how many are lost.

    If classes were only added, renamed or removed, all settings are kept, and all labels but those
    of removed classes; otherwise, in ``base``, the labels at rows whose row and class
    are still there, for the labels of another column without those of the old one.
    """
    labels = shown.labels.chosen or ()
    if new.roles == old.roles:
        if shown.labels.chosen is None:
            return shown.change(source=base.data.source), 0
        codes = _new_codes(old.classes, new.classes)
        coded = tuple(filter(None, (_recoded(label, codes) for label in labels)))
        return shown.change(source=base.data.source, marks=coded), len(labels) - len(coded)
    marks = marks_of(old, shown)
    is_same, of_column, at_rows = _same_label(old, new), set(), by_row(old, marks)
    if not is_same:  # labels of the old column stay with it
        rows = old.prepared.rows
        of_column = {int(rows[row]) for row, code in marks if code == old.codes[row]}
    kept = of_table({r: name for r, name in at_rows.items() if r not in of_column}, new)
    n_lost = len(labels) - len(of_column) - len(kept)
    if not kept and not (is_same and shown.labels.chosen is not None):
        return base, n_lost
    settings, lost = restore(new, base, _of_new_rows(old, new) | kept)
    return settings, lost + n_lost


def _new_codes(old: tuple[str, ...], new: tuple[str, ...]) -> dict[int, int]:
    """The new code of each class that is still there, or was renamed in its place."""
    codes = {code: new.index(name) for code, name in enumerate(old) if name in new}
    if len(new) < len(old):
        return codes
    pairs = enumerate(zip(old, new, strict=False))
    return codes | {code: code for code, (a, b) in pairs if a not in new and b not in old}


def _recoded(label: Label, codes: dict[int, int]) -> Label | None:
    """The label with new codes, without the candidate classes that have none; None without any."""
    left = [codes[code] for code in label.candidates if code in codes]
    return replace(label, code=left[0], others=tuple(left[1:])) if left else None


def _of_new_rows(old: OwnTable, new: OwnTable) -> dict[int, str]:
    """The file's labels that the pages did not have before, where they begin with all: of rows
    that were left out, or of another column."""
    if new.per_class(new.codes[new.counted]) is not None:
        return {}
    rows, codes = new.prepared.rows[new.counted], new.codes[new.counted]
    before = old.prepared.rows if _same_label(old, new) else ()
    fresh = ~np.isin(rows, before) & (codes >= 0)
    pairs = zip(rows[fresh], codes[fresh], strict=True)
    return {int(row): new.classes[code] for row, code in pairs}


def _same_label(old: OwnTable, new: OwnTable) -> bool:
    """Whether both tables have the labels of one column, read for the same task."""
    return (new.roles.label, new.prepared.task) == (old.roles.label, old.prepared.task)


def _unescaped(name: str) -> str:
    """Inverse of :func:`escape_formula`."""
    return name[1:] if escape_formula(name[1:]) == name else name


def _codes(classes: tuple[str, ...]) -> dict[str, int]:
    """Codes by class name, and by its escaped form where a spreadsheet would execute it."""
    codes = {escape_formula(name): code for code, name in enumerate(classes)}
    return codes | {name: code for code, name in enumerate(classes)}
