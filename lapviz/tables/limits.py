"""Largest sizes of a table, checked before it is read."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20
NO_ROOM = "The table does not fit into memory: take a part of its rows."


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which a file is refused with a sentence.

    Attributes
    ----------
    bytes : int
        Size of the file.
    unpacked : int
        Bytes of a Parquet file's columns after decompression, as its pages declare them.
    rows, columns, cells : int
        Sizes of the table.
    row : int
        Bytes of one row of text, all its lines together.
    cell : int
        Characters of one cell.
    """

    bytes: int = 128 * MIB
    unpacked: int = 256 * MIB
    rows: int = 2_000_000
    columns: int = 2_000
    cells: int = 20_000_000
    row: int = MIB
    cell: int = 100_000

    def check_columns(self, n: int) -> None:
        """Raise ValueError if there are too many columns."""
        if n > self.columns:
            raise ValueError(
                f"The table has {n:,} columns, and at most {self.columns:,} are read: "
                "keep the columns that matter."
            )


LIMITS = Limits()


def refuse_larger(problem: str) -> ValueError:
    """Return the error for a table that is too large, which names the way for large ones."""
    return ValueError(
        f"{problem}: take a sample of its rows, or in Python read it with dask.dataframe and give "
        "it to the estimator's fit: lapviz.tables.large_script(path) is that script."
    )
