"""Label and weight of the rows: checked, with what was found in sentences."""

from __future__ import annotations

import numpy as np

from lapviz.tables.names import counted
from lapviz.tables.records import Column

FEW = 20  # different whole numbers that are classes
CLASSES = 100  # at most


def label_of(label: Column | None, keep: np.ndarray, task: str):
    """Task, y, names of the classes, and sentences; y is of the rows to keep."""
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
        y, known = np.asarray(label.values, float)[keep], ~label.gone[keep]
        if not known.any():
            raise ValueError(f"No row that is left has a value in {name!r}: impute instead.")
        return task, y, (), (_labelled(name, known, "a regression"),)
    if n_distinct > CLASSES:
        raise ValueError(
            f"The label {name!r} has {n_distinct:,} different values, and at most "
            f"{CLASSES} can be classes: choose another label"
            + (", or take it as values." if not label.is_text else ".")
        )
    levels, codes = label.as_levels()
    present, y = np.unique(codes[keep], return_inverse=True)
    unlabelled = int(present[:1].sum() < 0)  # code -1 comes first
    names = tuple(levels[code] for code in present[unlabelled:])
    if len(names) < 2:
        only = f" ({names[0]!r})" if names else ""
        raise ValueError(
            f"The label {name!r} has one class only{only}: choose another label, or label "
            "a row of a second class."
        )
    y = y - unlabelled
    return task, y, names, (_labelled(name, y >= 0, f"{len(names)} classes"),)


def _labelled(name: str, known: np.ndarray, what: str) -> str:
    n, blank = int(known.sum()), int((~known).sum())
    left = f", {blank:,} blank and so unlabelled" if blank else ""
    return f"{counted(n, 'row')} labelled by {name!r} ({what}){left}."


def weights_of(column: Column, keep: np.ndarray) -> tuple[np.ndarray, str]:
    """The weights of the rows to keep, and a sentence; ValueError if they cannot be used."""
    name = column.name
    if column.is_text or column.kind == "date":
        raise ValueError(f"The weights in {name!r} are no numbers: choose a column of numbers.")
    weights = np.asarray(column.values, float)[keep]
    gone, negative = int(np.isnan(weights).sum()), int((weights < 0).sum())
    if gone:
        raise ValueError(
            f"Weights in {name!r} are missing or infinite in {counted(gone, 'row')}: "
            "fill them, with 0 for rows that do not count."
        )
    if negative:
        raise ValueError(
            f"Weights in {name!r} are negative in {counted(negative, 'row')}: "
            "give weights of 0 or more."
        )
    if not weights.any():
        raise ValueError(f"All weights in {name!r} are 0: choose another column.")
    zero = int((weights == 0).sum())
    return weights, f"Rows weighted by {name!r}" + (f", {zero:,} of them by 0." if zero else ".")
