"""Tables to take away: CSV in which a spreadsheet executes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TextIO


def write_csv(columns: Mapping[str, Sequence], file: TextIO) -> None:
    """Write columns as CSV.

    A text or a name that a spreadsheet would take for a formula (it begins with =, +, -, @, a tab
    or a line end) gets an apostrophe before it; numbers stay numbers.

    Parameters
    ----------
    columns : mapping of str to sequence
        Values of each column by its name; all of one length. None and NaN become empty cells.
    file : text file
        Opened with ``newline=""``.

    Raises
    ------
    ValueError
        If the columns differ in length.
    """
    raise NotImplementedError


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
    raise NotImplementedError
