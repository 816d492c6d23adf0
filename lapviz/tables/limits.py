"""What a table may have at most, checked before it is read."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which a file is refused with a sentence.

    Attributes
    ----------
    bytes : int
        Of the file.
    rows, columns, cells : int
        Of the table.
    line : int
        Bytes of one row, all its lines together.
    cell : int
        Characters of one cell.
    """

    bytes: int = 128 * MIB
    rows: int = 2_000_000
    columns: int = 2_000
    cells: int = 20_000_000
    line: int = MIB
    cell: int = 100_000


LIMITS = Limits()
LARGER = (
    "read it with dask.dataframe, as numbers, and fit on the dask array: "
    "LaplacianClassifier().fit(X, y) takes one"
)
