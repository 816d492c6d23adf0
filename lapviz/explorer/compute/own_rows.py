"""Names and notes of the rows of the data; for a visitor's table also its cells."""

from __future__ import annotations

import numpy as np

from lapviz.explorer.compute import points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.tables import rows as table_rows

Array = np.ndarray


def of_table(data: DataSpec) -> bool:
    """Whether the rows are those of a visitor's table."""
    return data.name == "table"


def numbers(data: DataSpec) -> Array:
    """Ascending numbers (n,) of all rows, from 1; for a table those in its file."""
    if not of_table(data):
        return np.arange(1, len(points.sample(data).X) + 1)
    user_table = STORE.get(data.source)
    rows = user_table.sample_rows(data.n_samples, data.random_state)
    return user_table.prepared.rows[rows] + 1


def name(data: DataSpec, row: int) -> str:
    """Name of a row, such as "row 12" or "row 12, id A7"."""
    number = int(numbers(data)[row])
    if not of_table(data):
        return f"row {number}"
    user_table = STORE.get(data.source)
    return table_rows.names(user_table.table, user_table.prepared.roles, [number - 1])[0]


def notes(data: DataSpec, rows: Array) -> tuple[str, ...] | None:
    """Text about each of these rows; None where a row has nothing but its number."""
    return _notes(data, tuple(rows.tolist())) if of_table(data) else None


@step(most=4)
def _notes(data: DataSpec, rows: tuple[int, ...]) -> tuple[str, ...]:
    table, lines = STORE.get(data.source), numbers(data)[list(rows)] - 1
    return table_rows.notes(table.table, table.prepared.roles, lines)


def cells(data: DataSpec, row: int) -> tuple[tuple[str, str], ...]:
    """Column names and cells of a row of a visitor's table; () for other data."""
    if not of_table(data):
        return ()
    user_table = STORE.get(data.source)
    number = int(numbers(data)[row])
    return table_rows.cells(user_table.table, user_table.prepared.roles, number - 1)


def identities(data: DataSpec, rows: Array) -> tuple[str, list] | None:
    """Name and cells of the column that identifies the rows, if a table has one."""
    if not of_table(data):
        return None
    user_table: OwnTable = STORE.get(data.source)
    column = table_rows.identifier(user_table.table, user_table.prepared.roles)
    return None if column is None else (column.name, column.cells(numbers(data)[rows] - 1))
