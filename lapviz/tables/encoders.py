"""How a feature column becomes columns of X, with the statistics of the table it was made from.

Scaled columns count alike: the mean squared distance that one column of the table contributes
between two rows drawn at random is 2, for numbers and for categories. For a number of variance s²
it is 2s², so numbers are divided by s. For a category whose levels have shares q_k, indicators of
height c contribute 2c² between rows of different levels, so 2c²(1 − Σ q_k²) in the mean, and
c = (1 − Σ q_k²)^(−1/2). For two levels this is the distance of the standardised 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

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

    @property
    def filling(self) -> str:
        """What a missing cell is replaced by, in words."""
        return "the median date" if self.kind == "date" else f"the median ({self.fill:.4g})"

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X; how many cells were filled, and 0."""
        if column.is_text:
            raise ValueError(f"Column {self.name!r} held numbers and now holds text: use one kind.")
        any_date = "date" in (column.kind, self.kind)
        plain = {column.kind, self.kind} & {"constant", "empty"}
        if any_date and column.kind != self.kind and not plain:
            raise ValueError(f"Column {self.name!r} holds dates in one table only: use one kind.")
        gone = column.gone
        filled = np.where(gone, self.fill, np.asarray(column.values, float))
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
    def names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        labels = (*self.levels, *(OTHER,) * self.other, *(GONE,) * self.missing)
        return tuple(f"{self.name} = {label}" for label in labels)

    @property
    def filling(self) -> str:
        """What a missing cell is replaced by, in words."""
        if self.missing:
            return "a level of its own"
        return f"the most frequent level ({self.levels[self.fill]!r})"

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X; how many cells were filled, and how many have an unknown level.

        Numbers are levels by their digits.
        """
        if column.kind == "date":
            raise ValueError(f"Column {self.name!r} held text and now holds numbers: use one kind.")
        places, width = {level: i for i, level in enumerate(self.levels)}, len(self.names)
        unknown = len(self.levels) if self.other else width  # the last is cut off
        names, codes = column.as_levels()
        to = [places.get(name, unknown) for name in names]
        where = np.array([*to, width - 1 if self.missing else self.fill])[codes]
        X = np.zeros((len(codes), width + 1))
        X[np.arange(len(codes)), where] = self.height
        return X[:, :width], int((codes < 0).sum()), int((where == width).sum())


def encoder_of(column: Column, keep: np.ndarray, scale: bool) -> Number | Category:
    """The encoder of a feature by its kept rows.

    Raises
    ------
    ValueError
        If it has no value, or too many levels.
    """
    known = np.asarray(column.values)[keep & ~column.gone]
    n_gone = int(keep.sum()) - len(known)
    if not len(known):
        raise ValueError(f"Column {column.name!r} has no value: leave it out of the features.")
    if column.is_text:
        return _category(column, known, n_gone, scale)
    return _number(column, known.astype(float), n_gone, scale)


def _number(column: Column, held: np.ndarray, n_gone: int, scale: bool) -> Number:
    fill, centre, spread = float(np.median(held)), 0.0, 1.0
    if scale:  # of the column as it is after filling
        n = len(held) + n_gone
        size = float(np.abs(held).max()) or 1.0  # squares of large numbers overflow
        small, hole = held / size, fill / size
        middle = (small.sum() + n_gone * hole) / n
        variance = (((small - middle) ** 2).sum() + n_gone * (hole - middle) ** 2) / n
        constant = small.min() == small.max()
        centre = float(middle * size)
        spread = 1.0 if constant or variance == 0 else float(np.sqrt(variance) * size)
    return Number(column.name, column.kind, fill, centre, spread)


def _category(column: Column, codes: np.ndarray, n_gone: int, scale: bool) -> Category:
    n, counts = len(codes), np.bincount(codes, minlength=column.n_distinct)
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
    shares = np.array([*counts[kept], rest, n_gone], float)
    fill = int(np.searchsorted(kept, int(np.argmax(counts))))
    spread = 1 - float(((shares / shares.sum()) ** 2).sum())
    height = 1 / np.sqrt(spread) if scale and spread > 0 else 1.0
    texts = column.levels
    names = tuple(texts[i] for i in kept)
    return Category(column.name, names, fill, merged > 0, height, merged, n_gone > 0)
