"""Encode columns as X, with the statistics of the table that was prepared, and read y and weights.

Scaled columns count alike: the mean squared distance that one column of the table contributes
between two rows drawn at random is 2, for numbers and for categories. For a number of variance s²
it is 2s², so numbers are divided by s. For a category whose levels have shares q_k, indicators of
height c contribute 2c² between rows of different levels, hence 2c²(1 − Σ q_k²) on average, and
c = (1 − Σ q_k²)^(−1/2). For two levels this is the distance of the standardised 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.tables.names import counted, unused_name
from lapviz.tables.numbers import looks_like_a_number, parse_like, parse_numbers
from lapviz.tables.records import Column, number_text

LEVELS = 30  # indicator columns of one category, including "other" but not "missing"
RARE = 0.01  # share of rows below which a level is merged into "other", if there are many
MANY = 10  # with at most this many levels, none is merged
TOO_MANY = 1000  # a category has no more levels; nor "other" more than half of the rows
OTHER_LEVEL, MISSING_LEVEL = "other", "(missing)"
FEW = 20  # distinct whole numbers that are taken as classes, at most
CLASSES = 100  # classes of a label, at most


@dataclass(frozen=True, eq=False)
class Number:
    """A number, date or boolean: (value − centre)/scale, with missing values filled first."""

    name: str
    kind: str
    fill: float
    centre: float
    scale: float
    words: tuple[str, ...] = ()
    notation: str = ""
    signed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        return (self.name,)

    @property
    def filling(self) -> str:
        """What a missing cell is replaced by, in words."""
        return "the median date" if self.kind == "date" else f"the median ({self.fill:.4g})"

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X, the number of filled cells, and 0.

        Few rows may not tell what a column is: its texts are then read as those of the table that
        was prepared.
        """
        values = np.asarray(column.values, float)
        if column.is_text:
            read = parse_like(column.texts, self.kind, self.words, self.notation, self.signed)
            if np.isnan(read).all():
                held = "dates" if self.kind == "date" else " or ".join(self.words) or "numbers"
                raise ValueError(
                    f"Column {self.name!r} held {held} and now holds text: use one kind."
                )
            values = np.append(read, np.nan)[column.values]  # code -1 takes the last, NaN
        elif "date" in (column.kind, self.kind):
            trivial = {column.kind, self.kind} & {"constant", "empty"}
            if column.kind != self.kind and not trivial:
                raise ValueError(
                    f"Column {self.name!r} holds dates in one table only: use one kind."
                )
        elif {column.notation, self.notation} == {",", "."}:
            raise ValueError(
                f"Commas in column {self.name!r} are decimal marks in one table and separate "
                "thousands in the other: write its numbers with decimal points in both."
            )
        elif (column.notation, self.notation) == ("?", ","):
            raise ValueError(
                f"Points in column {self.name!r} may be decimal marks or separate thousands; the "
                "table that was prepared has decimal commas: write its numbers without points."
            )
        missing = np.isnan(values)
        filled = np.where(missing, self.fill, values)
        return ((filled - self.centre) / self.scale)[:, None], int(missing.sum()), 0


@dataclass(frozen=True, eq=False)
class Category:
    """A category: an indicator of the given height for each level.

    Missing cells are a level too (``missing``) if the table had any; otherwise they get the most
    frequent level (``fill``).
    """

    name: str
    levels: tuple[str, ...]
    fill: int
    height: float
    n_merged: int = 0  # rare levels that are "other"
    missing: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of X."""
        labels = [*self.levels]
        for level in (OTHER_LEVEL,) * (self.n_merged > 0) + (MISSING_LEVEL,) * self.missing:
            labels.append(unused_name(level, labels))
        return tuple(f"{self.name} = {label}" for label in labels)

    @property
    def filling(self) -> str:
        """What a missing cell is replaced by, in words."""
        if self.missing:
            return "a level of its own"
        return f"the most frequent level ({self.levels[self.fill]!r})"

    def encode(self, column: Column) -> tuple[np.ndarray, int, int]:
        """Columns of X, the number of filled cells, and that of cells with an unknown level.

        Numbers match the levels that are texts of them.
        """
        if column.kind == "date":
            raise ValueError(f"Column {self.name!r} held text and now holds numbers: use one kind.")
        indices, width = {level: i for i, level in enumerate(self.levels)}, len(self.names)
        if not column.is_text:
            indices = _by_number(self.levels, column.notation) | indices
        unknown = len(self.levels) if self.n_merged else width  # the last column is cut off
        names, codes = column.as_levels()
        targets = [indices.get(name, unknown) for name in names]
        targets = np.array([*targets, width - 1 if self.missing else self.fill])[codes]
        X = np.zeros((len(codes), width + 1))
        X[np.arange(len(codes)), targets] = self.height
        return X[:, :width], int((codes < 0).sum()), int((targets == width).sum())


def _by_number(levels: Sequence[str], notation: str) -> dict[str, int]:
    """Index of the only level with a number's value, by its text: "7" for a level 007.

    Each is read by itself: 12% is one also beside words, in which most of a column has no sign.
    """
    import pyarrow as pa

    found: dict[str, list[int]] = {}
    for i, level in enumerate(levels):
        if not looks_like_a_number(level):
            continue
        parsed = parse_numbers(pa.array([level], pa.string()), notation == ",")
        if parsed.is_number[0]:
            found.setdefault(number_text(parsed.values[0]), []).append(i)
    return {text: i for text, (i, *others) in found.items() if not others}


def encoder_of(column: Column, keep: np.ndarray, scale: bool) -> Number | Category:
    """Make the encoder of a feature from the rows to keep.

    Raises
    ------
    ValueError
        If the column has no value, or too many levels.
    """
    values = np.asarray(column.values)[keep & ~column.missing]
    n_missing = int(keep.sum()) - len(values)
    if not len(values):
        raise ValueError(f"Column {column.name!r} has no value: leave it out of the features.")
    if column.is_text:
        return _category(column, values, n_missing, scale)
    return _number(column, values.astype(float), n_missing, scale)


def _number(column: Column, values: np.ndarray, n_missing: int, scale: bool) -> Number:
    fill, centre, spread = float(np.median(values)), 0.0, 1.0
    if scale:  # with the moments of the filled column
        n = len(values) + n_missing
        unit = float(np.abs(values).max()) or 1.0  # squares of large numbers overflow
        u, u_fill = values / unit, fill / unit
        mean = (u.sum() + n_missing * u_fill) / n
        variance = (((u - mean) ** 2).sum() + n_missing * (u_fill - mean) ** 2) / n
        constant = u.min() == u.max()
        centre = float(mean * unit)
        spread = 1.0 if constant or variance == 0 else float(np.sqrt(variance) * unit)
    notes = column.words, column.notation, column.signed
    return Number(column.name, column.kind, fill, centre, spread, *notes)


def too_many(column: Column) -> str:
    """Why the levels of a column of text are too many for a category, in words; "" if not."""
    codes = np.asarray(column.values)
    return _levels(column, codes[codes >= 0])[-1] if column.is_text else ""


def _levels(column: Column, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, int, str]:
    """Counts of the levels, those kept, how many are merged, and why they are too many or ""."""
    n, counts = len(codes), np.bincount(codes, minlength=column.n_distinct)
    present = np.flatnonzero(counts)
    order = present[np.argsort(-counts[present], kind="stable")]
    frequent = order[counts[order] >= RARE * n]
    merge = len(order) > MANY and (len(frequent) < len(order) or len(order) > LEVELS)
    kept = np.sort(frequent[: LEVELS - 1] if merge else order)
    n_merged, why = len(order) - len(kept), ""
    if n_merged and len(order) > TOO_MANY:
        why = f"which has at most {TOO_MANY:,}"
    elif n_merged and n - counts[kept].sum() > n / 2:
        why = f"as more than half of its cells would be {OTHER_LEVEL!r}"
    reason = f"has {len(order):,} distinct texts, too many for a category, {why}" if why else ""
    return counts, kept, n_merged, reason


def _category(column: Column, codes: np.ndarray, n_missing: int, scale: bool) -> Category:
    counts, kept, n_merged, reason = _levels(column, codes)
    if reason:
        raise ValueError(f"Column {column.name!r} {reason}: leave it out of the features.")
    n_other = len(codes) - int(counts[kept].sum())
    shares = np.array([*counts[kept], n_other, n_missing], float)
    fill = int(np.searchsorted(kept, int(np.argmax(counts))))
    spread = 1 - float(((shares / shares.sum()) ** 2).sum())
    height = 1 / np.sqrt(spread) if scale and spread > 0 else 1.0
    texts = column.levels
    names = tuple(texts[i] for i in kept)
    return Category(column.name, names, fill, height, n_merged, n_missing > 0)


def encode(
    table, encoders: Sequence, rows: np.ndarray | slice = slice(None)
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Encode a table as X; also sentences on what was filled or unknown.

    Raises
    ------
    ValueError
        If a column is missing, or of another kind.
    """
    n = table.n_rows if isinstance(rows, slice) else len(rows)
    X = np.empty((n, sum(len(encoder.names) for encoder in encoders)))
    start, sentences = 0, []
    for number, encoder in enumerate(encoders, 1):
        part, filled, unknown = encoder.encode(table.column(encoder.name))
        X[:, start : start + part.shape[1]] = part[rows]
        start += part.shape[1]
        if filled:
            sentences.append(
                f"{filled:,} missing in {encoder.name!r} replaced by {encoder.filling}."
            )
        if unknown:
            sentences.append(
                f"{counted(unknown, 'row')} with a level of {encoder.name!r} that was "
                "not there before: none of its indicators is set."
            )
        progress.report("Preparing the columns", number, len(encoders))
    return X, tuple(sentences)


def label_of(label: Column | None, keep: np.ndarray, task: str):
    """Task, y of the rows to keep, names of the classes, and sentences."""
    if label is None or task == "none":
        return "none", None, (), ()
    name, n_distinct = label.name, label.n_distinct
    if not n_distinct:
        return "none", None, (), (f"No row has a value in {name!r}: nothing is labelled.",)
    if task == "auto":
        few = label.kind == "integer" and n_distinct <= min(FEW, max(2, len(label.values) // 2))
        classes = few or label.is_text or label.kind in ("boolean", "constant", "date")
        task = "classes" if classes else "values"
    if task == "values":
        if label.is_text:
            raise ValueError(f"The label {name!r} holds texts: take it as classes.")
        y, labelled = np.asarray(label.values, float)[keep], ~label.missing[keep]
        if not labelled.any():
            raise ValueError(f"No row that is left has a value in {name!r}: impute instead.")
        return task, y, (), (_label_sentence(name, labelled, "a regression"),)
    if n_distinct > CLASSES:
        raise ValueError(
            f"The label {name!r} has {n_distinct:,} distinct values, and at most "
            f"{CLASSES} can be classes: choose another label"
            + (", or take it as values." if not label.is_text else ".")
        )
    levels, codes = label.as_levels()
    present, y = np.unique(codes[keep], return_inverse=True)
    unlabelled = int(present[:1].sum() < 0)  # code -1 comes first
    names = tuple(levels[code] for code in present[unlabelled:])
    if not names:
        raise ValueError(f"No row that is left has a value in {name!r}: impute instead.")
    if len(names) + unlabelled < 2:  # one class may be known, and others be labelled by hand
        raise ValueError(
            f"The label {name!r} has one class only ({names[0]!r}), and no blank: choose another."
        )
    y = y - unlabelled
    classes = "1 class" if len(names) == 1 else f"{len(names)} classes"
    classes += ", each of one row" if len(names) == (y >= 0).sum() > 2 else ""
    sentence = _label_sentence(name, y >= 0, classes, "-1" in names)
    return task, y, names, (sentence,)


def _label_sentence(name: str, labelled: np.ndarray, task: str, has_mark: bool = False) -> str:
    n, n_blank = int(labelled.sum()), int((~labelled).sum())
    blank = f", {n_blank:,} blank and so unlabelled" if n_blank else ""
    blank += ", -1 taken as a class" if has_mark else ""
    return f"{counted(n, 'row')} labelled by {name!r} ({task}){blank}."


def weights_of(column: Column, keep: np.ndarray) -> tuple[np.ndarray, str]:
    """Weights of the rows to keep, and a sentence; ValueError if they cannot be used."""
    name = column.name
    if column.is_text or column.kind == "date":
        raise ValueError(f"The weights in {name!r} are not numbers: choose a column of numbers.")
    weights = np.asarray(column.values, float)[keep]
    n_missing, n_negative = int(np.isnan(weights).sum()), int((weights < 0).sum())
    if n_missing:
        raise ValueError(
            f"Weights in {name!r} are missing or infinite in {counted(n_missing, 'row')}: "
            "fill them, with 0 for rows that do not count."
        )
    if n_negative:
        raise ValueError(
            f"Weights in {name!r} are negative in {counted(n_negative, 'row')}: "
            "give weights of 0 or more."
        )
    if not weights.any():
        raise ValueError(f"All weights in {name!r} are 0: choose another column.")
    n_zero = int((weights == 0).sum())
    zeros = f", {n_zero:,} of them by 0" if n_zero else ""
    return weights, f"Rows weighted by {name!r}{zeros}."
