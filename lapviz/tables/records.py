"""Columns of a table, and their roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

KINDS = ("real", "integer", "category", "text", "date", "boolean", "constant", "empty")
TASKS = ("auto", "classes", "values", "none")
MISSING = ("impute", "drop")


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        Unique in its table, without control characters.
    kind : str
        "real", "integer", "category", "text", "date", "boolean", "constant" (one value) or
        "empty" (none).
    n_missing : int
        Cells without a usable value.
    n_distinct : int
        Distinct values of the other cells.
    identifier : bool
        Whether it numbers or names the rows: distinct texts, or consecutive whole numbers.
    values : array (n,)
        Numbers with NaN where missing: days since 1970-01-01 for a date, 0 or 1 for a boolean.
        For a column of text the codes of its texts, -1 where missing.
    texts : pyarrow.StringArray or None
        The texts that the codes stand for; None for a column of numbers.
    done : str
        What was done to read it, a sentence; empty if nothing was done.
    words : tuple of str
        For a boolean column, the file's words for 0 and 1, such as "no" and "yes"; empty if it has
        none.
    notation : str
        How its texts were read: the order of a date; of numbers the decimal mark, "," or ".", where
        commas or groups tell, "?" where points may be either; else empty.
    signed : bool
        Whether percent or currency signs of its numbers were removed.
    """

    name: str
    kind: str
    n_missing: int
    n_distinct: int
    identifier: bool = False
    values: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    texts: Any = field(default=None, repr=False)
    done: str = ""
    words: tuple[str, ...] = ()
    notation: str = ""
    signed: bool = False

    @property
    def is_text(self) -> bool:
        """Whether the values are codes of texts."""
        return self.texts is not None

    @property
    def missing(self) -> np.ndarray:
        """Mask (n,) of the cells without a usable value."""
        values = np.asarray(self.values)
        return values < 0 if self.is_text else np.isnan(values)

    @property
    def levels(self) -> tuple[str, ...]:
        """The distinct texts of a column of text; empty for numbers."""
        return () if self.texts is None else tuple(self.texts.to_pylist())

    def as_levels(self) -> tuple[tuple[str, ...], np.ndarray]:
        """Distinct cells as texts, numbers and dates ascending, and their codes, -1 if missing."""
        values, missing = np.asarray(self.values), self.missing
        if self.is_text:
            return self.levels, values
        distinct = np.unique(values[~missing])
        codes = np.where(missing, -1, np.searchsorted(distinct, values))
        if self.kind in ("boolean", "date"):
            words = map(str, replace(self, values=distinct).cells())
        else:
            words = map(number_text, distinct)
        return tuple(words), codes

    def cells(self, rows: Sequence[int] | slice | None = None) -> list:
        """Values as Python objects, for a preview or a download.

        Parameters
        ----------
        rows : sequence of int or slice, optional
            Row numbers; all rows by default.

        Returns
        -------
        list
            str, int, float, bool or its word, ``numpy.datetime64`` for a date; None where missing.
        """
        values = np.asarray(self.values[slice(None) if rows is None else rows])
        if self.is_text:
            import pyarrow as pa

            return self.texts.take(pa.array(values, pa.int32(), mask=values < 0)).to_pylist()
        values = values.astype(float)
        missing = np.isnan(values)
        if self.kind == "date":
            ticks = np.where(missing, 0, np.round(values * 86400e3))  # days hold no finer ones
            unit = "ms" if (ticks % 1000).any() else "s" if (ticks % 86400e3).any() else "D"
            cells = list(ticks.astype("datetime64[ms]").astype(f"datetime64[{unit}]"))
        elif self.kind == "boolean":
            words = self.words or (False, True)
            cells = [words[int(value)] for value in np.where(missing, 0, values)]
        else:
            cells = values.tolist()
            if self.kind in ("integer", "constant"):
                cells = [int(v) if v.is_integer() and abs(v) < 2**53 else v for v in cells]
        return [None if blank else v for v, blank in zip(cells, missing.tolist(), strict=True)]


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are used for.

    Attributes
    ----------
    features : tuple of str
        Names of the columns that make X.
    label : str or None
        Name of the label column; a blank cell is an unlabelled row.
    weight : str or None
        Name of the column of row weights.
    missing : {"impute", "drop"}
        Replace missing numbers by the median and make missing categories a level of their own, or
        drop their rows.
    scale : bool
        Whether to standardise numbers, and scale categories to count as much as a number.
    task : {"auto", "classes", "values", "none"}
        What the label is; "auto" decides by its kind and its number of distinct values.
    """

    features: tuple[str, ...] = ()
    label: str | None = None
    weight: str | None = None
    missing: str = "impute"
    scale: bool = True
    task: str = "auto"

    def __post_init__(self):
        features = (self.features,) if isinstance(self.features, str) else tuple(self.features)
        object.__setattr__(self, "features", features)


def number_text(value: float) -> str:
    """Format a number, without decimals if it is whole."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
