"""Tables to take away: CSV in which a spreadsheet executes nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from typing import Any, TextIO

import numpy as np

from lapviz.tables.records import Column

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
BLOCK = 50_000  # rows written at once


def write_csv(columns: Mapping[str, Sequence], file: TextIO) -> None:
    """Write columns as CSV.

    A text or a name that a spreadsheet would take for a formula (it begins with =, +, -, @, a tab
    or a line end, after spaces or not) gets an apostrophe before it; numbers stay numbers.

    Parameters
    ----------
    columns : mapping of str to sequence or Column
        Values of each column by its name; all of one length. None and NaN become empty cells.
    file : text file
        Opened with ``newline=""``.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    lengths = {len(v.values if isinstance(v, Column) else v) for v in columns.values()}
    if len(lengths) > 1:
        raise ValueError(f"The columns have different lengths: {sorted(lengths)}.")
    writer = csv.writer(file)
    writer.writerow([harmless(str(name)) for name in columns])
    for start in range(0, max(lengths, default=0), BLOCK):  # all at once would fill the memory
        lists = [_listed(values, slice(start, start + BLOCK)) for values in columns.values()]
        rows: Iterable[tuple[Any, ...]] = zip(*lists, strict=True)
        writer.writerows(map(_cell, row) if len(lists) > 1 else [_cell(*row)] for row in rows)


def csv_text(columns: Mapping[str, Sequence]) -> str:
    """The text that :func:`write_csv` writes.

    Parameters
    ----------
    columns : mapping of str to sequence
        As for :func:`write_csv`.

    Returns
    -------
    str
        CSV with a header line.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    file = io.StringIO(newline="")
    write_csv(columns, file)
    return file.getvalue()


def harmless(text: str) -> str:
    """The text, with an apostrophe first if a spreadsheet would execute it.

    Parameters
    ----------
    text : str
        A cell or a name.

    Returns
    -------
    str
        What is safe to write.
    """
    return "'" + text if text.lstrip(" \u00a0").startswith(FORMULA) else text


def _listed(values, rows: slice) -> list:
    """Some rows of a column as Python objects."""
    if isinstance(values, Column):
        return values.cells(rows)
    plain = isinstance(values, np.ndarray) and values.dtype.kind in "fiub"
    return values[rows].tolist() if plain else list(values[rows])


def _cell(value) -> str | Number:
    if value is None or value != value:
        return ""
    if isinstance(value, Number):
        return value.item() if isinstance(value, np.generic) else value
    return harmless(str(value))
