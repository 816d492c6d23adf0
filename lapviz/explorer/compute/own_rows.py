"""Names and notes of the rows of the data; for a visitor's table also its cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz.explorer.compute import points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.tables import Roles, Table
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


def _in_table(data: DataSpec, rows: Sequence[int]) -> tuple[Table, Roles, Array]:
    """A visitor's table, the roles of its columns, and the places (m,) of these rows in it."""
    user_table = STORE.get(data.source)
    return user_table.table, user_table.prepared.roles, numbers(data)[rows] - 1


def name(data: DataSpec, row: int) -> str:
    """Name of a row, such as "row 12" or "row 12, id A7"."""
    return table_rows.names(*_in_table(data, [row]))[0] if of_table(data) else f"row {row + 1}"


def notes(data: DataSpec, rows: Array) -> tuple[str, ...] | None:
    """Text about each of these rows; None where a row has nothing but its number."""
    return _notes(data, tuple(rows.tolist())) if of_table(data) else None


@step(most=4)
def _notes(data: DataSpec, rows: tuple[int, ...]) -> tuple[str, ...]:
    return table_rows.notes(*_in_table(data, list(rows)))


def cells(data: DataSpec, row: int) -> tuple[tuple[str, str], ...]:
    """Column names and cells of a row of a visitor's table; () for other data."""
    if not of_table(data):
        return ()
    table, roles, (place,) = _in_table(data, [row])
    return table_rows.cells(table, roles, int(place))


def identities(data: DataSpec, rows: Array) -> tuple[str, list] | None:
    """Name and cells of the column that identifies the rows, if a table has one."""
    if not of_table(data):
        return None
    table, roles, places = _in_table(data, rows)
    column = table_rows.identifier(table, roles)
    return None if column is None else (column.name, column.cells(places))
