"""Rows as people know them: by number (from 1), name and contents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz.tables.prepare import Table
from lapviz.tables.records import Column, Roles, number_text
from lapviz.tables.roles import names_rows

NAME = 40  # longest cell of a column that names the rows, in characters
NOTE, NOTES = (100, 400), 500_000  # characters of one note, and of all
LINE = 0.6  # largest share of a note that one cell takes
COLUMNS = 12  # columns in a note, at most


def identifier(table: Table, roles: Roles) -> Column | None:
    """The column that names the rows, by its name or since all its cells differ; else None."""
    used = {*roles.features, roles.label, roles.weight}
    unused = [column for column in table.columns if column.name not in used]
    named = [column for column in unused if names_rows(column)]
    unique = [column for column in unused if column.identifier and _short(column)]
    return next(iter([*named, *unique]), None)


def in_order(table: Table, roles: Roles) -> tuple[Column, ...]:
    """Columns that vary: the one that names the rows, texts, then the others in table order."""
    first = identifier(table, roles)
    others = [c for c in table.columns if c is not first and c.kind not in ("empty", "constant")]
    others.sort(key=lambda column: column.kind != "text")
    return tuple(others) if first is None else (first, *others)


def names(table: Table, roles: Roles, rows: Sequence[int]) -> list[str]:
    """Names of rows by number (from 1) and identifier: "row 12, id A7"."""
    texts, column = [f"row {row + 1}" for row in rows], identifier(table, roles)
    if column is not None:
        for i, cell in enumerate(map(_text, column.cells(rows))):
            texts[i] += f", {column.name} {cell}" if cell else ""
    return texts


def notes(table: Table, roles: Roles, rows: Sequence[int]) -> tuple[str, ...]:
    """A few lines for each row: its name, then its cells, cut to a bounded size."""
    shortest, longest = NOTE
    size = int(np.clip(NOTES // max(len(rows), 1), shortest, longest))
    texts = names(table, roles, rows)
    first = identifier(table, roles)
    columns = [column for column in in_order(table, roles) if column is not first][:COLUMNS]
    for column in columns:
        for i, cell in enumerate(column.cells(rows)):
            text, room = _text(cell), size - len(texts[i])
            if text and room > len(column.name) + 4:
                line = " ".join(f"{column.name}: {text}".split())
                width = min(room, int(LINE * size))
                line = line if len(line) <= width else line[: width - 1].rstrip() + "…"
                texts[i] += f"\n{line}"
    return tuple(texts)


def cells(table: Table, roles: Roles, row: int) -> tuple[tuple[str, str], ...]:
    """Column names and texts of the cells of one row: identifier first, long texts next."""
    pairs = ((c.name, _text(c.cells([row])[0])) for c in in_order(table, roles))
    return tuple((name, text) for name, text in pairs if text)


def _short(column: Column) -> bool:
    if not column.is_text:
        return True
    import pyarrow.compute as pc

    return pc.max(pc.utf8_length(column.texts)).as_py() <= NAME


def _text(cell) -> str:
    if cell is None:
        return ""
    return number_text(float(f"{cell:.6g}")) if isinstance(cell, float) else str(cell)
