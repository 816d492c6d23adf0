"""Read a table from a file."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from typing import BinaryIO

from lapviz import progress
from lapviz._extras import needed
from lapviz.tables.delimited import read_text
from lapviz.tables.kinds import column_of
from lapviz.tables.limits import LIMITS, NO_ROOM, Limits
from lapviz.tables.numbers import decimal_commas
from lapviz.tables.parquet import read_parquet
from lapviz.tables.prepare import Table
from lapviz.tables.records import Column
from lapviz.tables.roles import suggest
from lapviz.tables.sources import PARQUET, opened, refuse_other_formats

SAMPLE = 1000  # cells from which decimal commas are detected


def read(
    source: str | os.PathLike | BinaryIO,
    name: str | None = None,
    *,
    limits: Limits = LIMITS,
    as_text: Collection[str] = (),
) -> Table:
    """Read a table from a file.

    Text (comma, tab, semicolon, bar or spaces between cells; any common encoding; decimal points
    or commas; with or without a header line) or Parquet, whatever the file's name. Nothing is
    executed, unpacked or fetched. Progress is reported to :mod:`lapviz.progress`.

    Parameters
    ----------
    source : path or binary file object
        A local file, or an object with ``read(n)`` that returns bytes, such as ``io.BytesIO`` of
        pasted text. One that has ``seek`` is read from its beginning.
    name : str, optional
        Name of the table; by default that of the file.
    limits : Limits, default=LIMITS
        Largest sizes that are accepted.
    as_text : collection of str
        Names of columns of a text file that stay text, whatever they hold; only their empty cells
        are missing. Apostrophes may follow a name in the file.

    Returns
    -------
    Table
        Its columns, suggested roles, and what was done to read them.

    Raises
    ------
    ValueError
        If the file cannot be used: one sentence that says why and what to change.
    ImportError
        If pyarrow is not installed.
    """
    with needed("tables", "Reading a table"):
        import pyarrow
    try:
        with opened(source, name, limits) as file:
            refuse_other_formats(file.head)
            if re.match(PARQUET, file.head):
                columns, done = read_parquet(file, limits)
            else:
                names, cells, done = read_text(file, limits)
                columns = _columns(names, cells, as_text)
            name, exact_name = file.name, file.exact_name
    except (MemoryError, OverflowError):
        raise ValueError(NO_ROOM) from None
    pyarrow.default_memory_pool().release_unused()
    done += [column.done for column in columns if column.done]
    n_rows = len(columns[0].values)
    return Table(name, tuple(columns), n_rows, tuple(done), suggest(columns), exact_name or name)


def _columns(names: list[str], cells: list, as_text: Collection[str]) -> list[Column]:
    """Parse columns of texts; each is released from ``cells`` in turn."""
    votes = [decimal_commas(texts.slice(0, SAMPLE)) for texts in cells]
    n_commas, n_points = votes.count(True), votes.count(False)
    decimal_comma = n_commas > n_points if n_commas or n_points else None
    columns = []
    for i, name in enumerate(names):
        texts, cells[i] = cells[i], None
        columns.append(column_of(name, texts, decimal_comma, name.rstrip("'") in as_text))
        progress.report("Sorting out the columns", i + 1, len(names))
    return columns
