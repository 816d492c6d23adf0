"""Label and weight of the rows: checked, with what was found in sentences."""

from __future__ import annotations

import numpy as np

from lapviz.tables.encoders import codes_of, levels_of
from lapviz.tables.records import Column

FEW = 20  # different whole numbers that are classes
CLASSES = 100  # at most


def label_of(label: Column | None, keep: np.ndarray, task: str):
    """Task, y, names of the classes, and sentences; y is of the rows to keep."""
    if label is None or task == "none":
        return "none", None, (), ()
    if not label.n_distinct:
        return "none", None, (), (f"No row has a value in {label.name!r}: nothing is labelled.",)
    if task == "auto":
        classes = label.is_text or label.kind in ("boolean", "constant", "date")
        task = "classes" if classes or _few_whole(label) else "values"
    if task == "values":
        if label.is_text:
            raise ValueError(f"The label {label.name!r} holds texts: take it as classes.")
        y = np.asarray(label.values, float)[keep]
        known = int((~np.isnan(y)).sum())
        if not known:
            raise ValueError(f"No row that is left has a value in {label.name!r}: impute instead.")
        return task, y, (), (_labelled(label.name, known, len(y), "a regression"),)
    return _classes(label, keep)


def _few_whole(label: Column) -> bool:
    return label.kind == "integer" and label.n_distinct <= min(FEW, max(2, len(label.values) // 2))


def _classes(label: Column, keep: np.ndarray):
    if label.n_distinct > CLASSES:
        raise ValueError(
            f"The label {label.name!r} has {label.n_distinct:,} different values, and at most "
            f"{CLASSES} can be classes: choose another label"
            + (", or take it as values." if not label.is_text else ".")
        )
    names, codes = levels_of(label), codes_of(label)[keep]
    present = np.unique(codes[codes >= 0])
    if len(present) < 2:
        only = f" ({names[present[0]]!r})" if len(present) else ""
        raise ValueError(
            f"The label {label.name!r} has one class only{only}: choose another label, or label "
            "a row of a second class."
        )
    y = np.where(codes < 0, -1, np.searchsorted(present, codes))
    names = tuple(names[code] for code in present)
    known = int((y >= 0).sum())
    return "classes", y, names, (_labelled(label.name, known, len(y), f"{len(names)} classes"),)


def _labelled(name: str, known: int, n: int, what: str) -> str:
    blank = f", {n - known:,} blank and so unlabelled" if known < n else ""
    return f"{known:,} row{'s' * (known != 1)} labelled by {name!r} ({what}){blank}."


def weights_of(column: Column, keep: np.ndarray) -> np.ndarray:
    """The weights of the rows to keep; ValueError if they cannot be used."""
    name = column.name
    if column.is_text or column.kind == "date":
        raise ValueError(f"The weights in {name!r} are no numbers: choose a column of numbers.")
    weights = np.asarray(column.values, float)[keep]
    gone, negative = int(np.isnan(weights).sum()), int((weights < 0).sum())
    if gone:
        raise ValueError(
            f"Weights in {name!r} are missing or infinite in {_rows(gone)}: fill them, with 0 for "
            "rows that do not count."
        )
    if negative:
        raise ValueError(
            f"Weights in {name!r} are negative in {_rows(negative)}: give weights of 0 or more."
        )
    if not weights.any():
        raise ValueError(f"All weights in {name!r} are 0: choose another column.")
    return weights


def weights_said(name: str, weights: np.ndarray) -> str:
    """A sentence on the weights."""
    zero = int((weights == 0).sum())
    return f"Rows weighted by {name!r}" + (f", {zero:,} of them by 0." if zero else ".")


def _rows(count: int) -> str:
    return f"{count:,} row{'s' * (count != 1)}"
