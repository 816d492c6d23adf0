"""Rows of the data as people know them; of a visitor's table also what its columns hold."""

from __future__ import annotations

import numpy as np

from lapviz.explorer.compute import points
from lapviz.explorer.compute.own_table import OwnTable
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.tables import rows as table_rows

Array = np.ndarray


def of_table(data: DataSpec) -> bool:
    """Whether the rows are those of a visitor's table."""
    return data.name == "table"


def numbers(data: DataSpec) -> Array:
    """Numbers (n,) of all rows, from 1 and ascending: of a table, as they stand in its file."""
    if not of_table(data):
        return np.arange(1, len(points.sample(data).X) + 1)
    thing = STORE.get(data.source)
    picked = thing.sample_rows(data.n_samples, data.random_state)
    return thing.prepared.rows[picked] + 1


def name(data: DataSpec, row: int) -> str:
    """What a row is called: "row 12", or "row 12, id A7"."""
    number = int(numbers(data)[row])
    if not of_table(data):
        return f"row {number}"
    thing = STORE.get(data.source)
    return table_rows.names(thing.table, thing.prepared.roles, [number - 1])[0]


def notes(data: DataSpec, rows: Array) -> tuple[str, ...] | None:
    """Lines about each of some rows; None where there is nothing to say but its number."""
    if not of_table(data):
        return None
    thing = STORE.get(data.source)
    return table_rows.notes(thing.table, thing.prepared.roles, numbers(data)[rows] - 1)


def cells(data: DataSpec, row: int) -> tuple[tuple[str, str], ...]:
    """Names and contents of a row's columns, of a visitor's table."""
    if not of_table(data):
        return ()
    thing = STORE.get(data.source)
    return table_rows.cells(thing.table, thing.prepared.roles, int(numbers(data)[row]) - 1)


def identities(data: DataSpec, rows: Array) -> tuple[str, list] | None:
    """Name and cells of the column that names the rows, if a table has one."""
    if not of_table(data):
        return None
    thing: OwnTable = STORE.get(data.source)
    column = table_rows.identifier(thing.table, thing.prepared.roles)
    return None if column is None else (column.name, column.cells(numbers(data)[rows] - 1))
