"""From a file to a table."""

from __future__ import annotations

import os
from typing import BinaryIO

from lapviz.tables.limits import LIMITS, Limits
from lapviz.tables.records import Table


def read(
    source: str | os.PathLike | BinaryIO, name: str | None = None, *, limits: Limits = LIMITS
) -> Table:
    """Read a table from a file.

    Text (comma, tab, semicolon, bar or spaces between cells; any common encoding; decimal points
    or commas; with or without a header line) or Parquet, whatever the file's name. Nothing is
    executed, unpacked or fetched. Progress is reported to :mod:`lapviz.progress`.

    Parameters
    ----------
    source : path or binary file object
        A local file, or an object with ``read(n)`` that returns bytes, such as ``io.BytesIO`` of
        pasted text.
    name : str, optional
        Name of the table; by default the file's.
    limits : Limits, default=LIMITS
        What the table may have at most.

    Returns
    -------
    Table
        Its columns, a suggestion of their roles, and what was done to read them.

    Raises
    ------
    ValueError
        If the file cannot be used: one sentence that says why and what to change.
    """
    raise NotImplementedError
