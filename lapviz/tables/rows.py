"""Rows as people know them: by their number from 1, their name, and what their columns hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz.tables.prepare import Table
from lapviz.tables.records import Column, Roles, number_text
from lapviz.tables.roles import names_rows

NAME = 40  # characters of the longest cell of a column that names the rows
NOTE, NOTES = (100, 400), 500_000  # characters of one note, and of all
LINE = 0.6  # share of a note that one cell takes at most
COLUMNS = 12  # in a note


def identifier(table: Table, roles: Roles) -> Column | None:
    """The column that names the rows, if there is one: by what it is called, or all its differ."""
    used = {*roles.features, roles.label, roles.weight}
    free = [column for column in table.columns if column.name not in used]
    named = [column for column in free if names_rows(column)]
    unique = [column for column in free if column.identifier and _short(column)]
    return next(iter([*named, *unique]), None)


def in_order(table: Table, roles: Roles) -> tuple[Column, ...]:
    """Columns with something in them: what names the rows, texts, then the others as they come."""
    first = identifier(table, roles)
    rest = [c for c in table.columns if c is not first and c.kind not in ("empty", "constant")]
    rest.sort(key=lambda column: column.kind != "text")
    return tuple(rest) if first is None else (first, *rest)


def names(table: Table, roles: Roles, rows: Sequence[int]) -> list[str]:
    """Rows by number, from 1, and by the cell that names them: "row 12, id A7"."""
    column, numbers = identifier(table, roles), [f"row {row + 1}" for row in rows]
    if column is None:
        return numbers
    cells = [_text(cell) for cell in column.cells(rows)]
    return [
        f"{number}, {column.name} {cell}" if cell else number
        for number, cell in zip(numbers, cells, strict=True)
    ]


def notes(table: Table, roles: Roles, rows: Sequence[int]) -> tuple[str, ...]:
    """For each row a few lines: its names, then what its columns hold, cut to a bounded size."""
    least, most = NOTE
    room = int(np.clip(NOTES // max(len(rows), 1), least, most))
    texts = names(table, roles, rows)
    first = identifier(table, roles)
    columns = [column for column in in_order(table, roles) if column is not first][:COLUMNS]
    for column in columns:
        for place, cell in enumerate(column.cells(rows)):
            text, left = _text(cell), room - len(texts[place])
            if text and left > len(column.name) + 4:
                line, most = " ".join(f"{column.name}: {text}".split()), min(left, int(LINE * room))
                line = line if len(line) <= most else line[: most - 1].rstrip() + "…"
                texts[place] += f"\n{line}"
    return tuple(texts)


def cells(table: Table, roles: Roles, row: int) -> tuple[tuple[str, str], ...]:
    """What the columns of one row hold, as text: the name first, long texts next."""
    held = ((c.name, _text(c.cells([row])[0])) for c in in_order(table, roles))
    return tuple((name, text) for name, text in held if text)


def _short(column: Column) -> bool:
    if not column.is_text:
        return True
    import pyarrow.compute as pc

    return pc.max(pc.utf8_length(column.texts)).as_py() <= NAME


def _text(cell) -> str:
    if cell is None:
        return ""
    return number_text(float(f"{cell:.6g}")) if isinstance(cell, float) else str(cell)
