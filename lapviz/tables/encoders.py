"""How a feature column becomes columns of X, with the statistics of the table it was made from.

Scaled columns count alike: the mean squared distance that one column of the table contributes
between two rows drawn at random is 2, for numbers and for categories. For a number of variance s²
it is 2s², so numbers are divided by s. For a category whose levels have shares q_k, indicators of
height c contribute 2c² between rows of different levels, so 2c²(1 − Σ q_k²) in the mean, and
c = (1 − Σ q_k²)^(−1/2). For two levels this is the distance of the standardised 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz.tables.records import Column

LEVELS = 30  # indicator columns of one category, "other" among them, "missing" not
RARE = 0.01  # share of rows below which a level is merged into "other", if there are many
MANY = 10  # levels that are never merged
TOO_MANY = 1000  # levels; and if "other" were more than half of the rows
OTHER, GONE = "other", "(missing)"


@dataclass(frozen=True, eq=False)
class Number:
    """A number, date or truth value: (value − centre)/scale, the fill where missing."""

    name: str
    kind: str
    fill: float
    centre: float
    scale: float

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        return (self.name,)

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X; how many cells were filled, and 0."""
        values = np.asarray(column.values, float)
        gone = np.isnan(values)
        filled = np.where(gone, self.fill, values)
        return ((filled - self.centre) / self.scale)[:, None], int(gone.sum()), 0


@dataclass(frozen=True, eq=False)
class Category:
    """A category: an indicator of the given height for each level.

    Missing cells are a level, too (``missing``), if the table had some; else they get the most
    frequent level (``fill``).
    """

    name: str
    levels: tuple[str, ...]
    fill: int
    other: bool
    height: float
    n_merged: int = 0
    missing: bool = False

    @property
    def kind(self) -> str:
        """What the column is."""
        return "category"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        labels = (*self.levels, OTHER) if self.other else self.levels
        names = tuple(f"{self.name} = {label}" for label in labels)
        return (*names, f"{self.name} = {GONE}") if self.missing else names

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X; how many cells were filled, and how many have an unknown level."""
        places, width = {level: i for i, level in enumerate(self.levels)}, len(self.names)
        unknown = len(self.levels) if self.other else width  # the last is cut off
        to = [places.get(name, unknown) for name in levels_of(column)]
        codes = codes_of(column)
        where = np.array([*to, width - 1 if self.missing else self.fill])[codes]
        X = np.zeros((len(codes), width + 1))
        X[np.arange(len(codes)), where] = self.height
        return X[:, :width], int((codes < 0).sum()), int((where == width).sum())


def levels_of(column: Column) -> tuple[str, ...]:
    """The texts of a column; different numbers, dates and truth values as texts, ascending."""
    if column.is_text:
        return column.levels
    values = np.unique(column.values[~np.isnan(column.values)])
    if column.kind in ("boolean", "date"):
        return tuple(str(cell) for cell in replace(column, values=values).cells())
    return tuple(number_text(value) for value in values)


def codes_of(column: Column) -> np.ndarray:
    """Codes of the levels, -1 where missing."""
    if column.is_text:
        return np.asarray(column.values)
    gone = np.isnan(column.values)
    different = np.unique(column.values[~gone])
    return np.where(gone, -1, np.searchsorted(different, column.values))


def number_text(value: float) -> str:
    """The number as people write it."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def encoder_of(column: Column, keep: np.ndarray, scale: bool) -> Number | Category:
    """The encoder of a feature by its kept rows.

    Raises
    ------
    ValueError
        If it has no value, or too many levels.
    """
    if column.is_text:
        return _category(column, np.asarray(column.values)[keep], scale)
    held = np.asarray(column.values, float)[keep]
    held = held[~np.isnan(held)]
    if not len(held):
        raise ValueError(f"Column {column.name!r} has no value: leave it out of the features.")
    fill = float(np.median(held))
    gone = int(keep.sum()) - len(held)
    centre, spread = 0.0, 1.0
    if scale:  # of the column as it is after filling
        n = len(held) + gone
        size = float(np.abs(held).max()) or 1.0  # squares of large numbers overflow
        small, hole = held / size, fill / size
        middle = (small.sum() + gone * hole) / n
        variance = (((small - middle) ** 2).sum() + gone * (hole - middle) ** 2) / n
        constant = small.min() == small.max()
        centre = float(middle * size)
        spread = 1.0 if constant or variance == 0 else float(np.sqrt(variance) * size)
    return Number(column.name, column.kind, fill, centre, spread)


def _category(column: Column, codes: np.ndarray, scale: bool) -> Category:
    counts = np.bincount(codes[codes >= 0], minlength=column.n_distinct)
    n = int(counts.sum())
    if not n:
        raise ValueError(f"Column {column.name!r} has no value: leave it out of the features.")
    present = np.flatnonzero(counts)
    order = present[np.argsort(-counts[present], kind="stable")]
    kept = order
    if len(order) > MANY:
        often = order[counts[order] >= RARE * n]
        kept = often[: LEVELS - 1] if len(often) < len(order) or len(order) > LEVELS else order
    merged = len(order) - len(kept)
    rest = n - int(counts[kept].sum())
    if merged and (len(order) > TOO_MANY or rest > n / 2):
        raise ValueError(
            f"Column {column.name!r} has {len(order):,} different texts, too many for a category: "
            "leave it out of the features."
        )
    kept = np.sort(kept)
    texts = column.levels
    gone = len(codes) - n
    shares = np.array([*counts[kept], rest, gone], float)
    fill = int(np.searchsorted(kept, int(np.argmax(counts))))
    spread = 1 - float(((shares / shares.sum()) ** 2).sum())
    height = 1 / np.sqrt(spread) if scale and spread > 0 else 1.0
    names = tuple(texts[i] for i in kept)
    return Category(column.name, names, fill, merged > 0, height, merged, gone > 0)
