"""Arrays for a fit: features encoded, label and weight checked, and what was done said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapviz import progress
from lapviz.tables.encoders import Category, Number, codes_of, encoder_of, levels_of
from lapviz.tables.limits import LIMITS, refuse_larger
from lapviz.tables.records import MISSING, TASKS, Column, Prepared, Roles, Table

FEW = 20  # different whole numbers that are classes
CLASSES = 100  # at most


def prepare(table: Table, roles: Roles) -> Prepared:
    """Arrays by roles; see :meth:`Table.prepare`."""
    _check_roles(table, roles)
    features = [table.column(name) for name in roles.features]
    keep = np.ones(table.n_rows, bool)
    if roles.missing == "drop":
        for column in features:
            keep &= ~_gone(column)
        if not keep.any():
            raise ValueError(
                "Every row lacks a feature: impute missing values, or leave out the columns with "
                "the most missing cells."
            )
    label = table.column(roles.label) if roles.label is not None else None
    task, y, names, said = _label(label, keep, roles.task)
    weights = _weights(table.column(roles.weight), keep) if roles.weight is not None else None
    encoders = tuple(encoder_of(column, keep, roles.scale) for column in features)
    width = sum(len(encoder.names) for encoder in encoders)
    if width * int(keep.sum()) > 2 * LIMITS.cells:
        raise refuse_larger(f"The features make {width * int(keep.sum()):,} numbers")
    X, _ = encode(table, encoders, keep)
    rows = np.flatnonzero(keep)
    done = (*_features_said(table, encoders, keep, roles), *said)
    if weights is not None:
        done += (_weights_said(roles.weight, weights),)
    names_of_X = tuple(name for encoder in encoders for name in encoder.names)
    return Prepared(X, y, task, names, names_of_X, weights, rows, done, roles, encoders)


def encode(
    table: Table, encoders: Sequence, keep: np.ndarray | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """X by encoders, and what had to be done, in sentences.

    Raises
    ------
    ValueError
        If a column is not there, or is of another kind.
    """
    rows = slice(None) if keep is None else np.flatnonzero(keep)
    n = table.n_rows if keep is None else len(rows)
    X = np.empty((n, sum(len(encoder.names) for encoder in encoders)))
    place, said = 0, []
    for number, encoder in enumerate(encoders, 1):
        column = table.column(encoder.name)
        _check_kind(column, encoder)
        part, filled, unknown = encoder.encode(column)
        X[:, place : place + part.shape[1]] = part[rows]
        place += part.shape[1]
        if filled:
            said.append(f"{filled:,} missing in {column.name!r} replaced by {_fill(encoder)}.")
        if unknown:
            said.append(
                f"{unknown:,} row{'s' * (unknown > 1)} with a level of {column.name!r} that was "
                "not there before: none of its indicators is set."
            )
        progress.report("Preparing the columns", number, len(encoders))
    return X, tuple(said)


def _check_roles(table: Table, roles: Roles) -> None:
    if roles.missing not in MISSING:
        raise ValueError(f"missing must be 'impute' or 'drop', got {roles.missing!r}.")
    if roles.task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(map(repr, TASKS))}, got {roles.task!r}.")
    if not roles.features:
        raise ValueError(
            "There is no feature: choose at least one column of numbers or categories."
        )
    used = [*roles.features, *(name for name in (roles.label, roles.weight) if name is not None)]
    twice = next((name for name in used if used.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"Column {twice!r} has two roles: choose one for each column.")
    for name in used:
        table.column(name)


def _check_kind(column: Column, encoder: Number | Category) -> None:
    if column.kind == "empty":
        return
    if column.is_text is not isinstance(encoder, Category) and not _one_text(column, encoder):
        was, now = ("text", "numbers") if isinstance(encoder, Category) else ("numbers", "text")
        raise ValueError(f"Column {column.name!r} held {was} and now holds {now}: use one kind.")
    if "constant" in (column.kind, encoder.kind) or isinstance(encoder, Category):
        return
    if (column.kind == "date") is not (encoder.kind == "date"):
        raise ValueError(f"Column {column.name!r} holds dates in one table only: use one kind.")


def _one_text(column: Column, encoder: Number | Category) -> bool:
    """Numbers where levels were numbers among texts: they are levels by their digits."""
    return isinstance(encoder, Category) and not column.is_text and column.kind != "date"


def _gone(column: Column) -> np.ndarray:
    values = np.asarray(column.values)
    return values < 0 if column.is_text else np.isnan(values)


def _label(label: Column | None, keep: np.ndarray, task: str):
    """Task, y, names of the classes, sentences."""
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


def _weights(column: Column, keep: np.ndarray) -> np.ndarray:
    name = column.name
    if column.is_text or column.kind == "date":
        raise ValueError(f"The weights in {name!r} are no numbers: choose a column of numbers.")
    weights = np.asarray(column.values, float)[keep]
    gone, negative = int(np.isnan(weights).sum()), int((weights < 0).sum())
    if gone:
        raise ValueError(
            f"{gone:,} weights in {name!r} are missing or infinite: fill them, with 0 for rows "
            "that do not count."
        )
    if negative:
        raise ValueError(f"{negative:,} weights in {name!r} are negative: weights are 0 or more.")
    if not weights.any():
        raise ValueError(f"All weights in {name!r} are 0: choose another column.")
    return weights


def _weights_said(name: str, weights: np.ndarray) -> str:
    zero = int((weights == 0).sum())
    return f"Rows weighted by {name!r}" + (f", {zero:,} of them by 0." if zero else ".")


def _features_said(table: Table, encoders: tuple, keep: np.ndarray, roles: Roles):
    said, dropped = [], int((~keep).sum())
    if dropped:
        said.append(f"{dropped:,} of {len(keep):,} rows dropped, since a feature is missing.")
    filled = []
    for encoder in encoders:
        count = int((_gone(table.column(encoder.name)) & keep).sum())
        if count:
            filled.append((count, encoder))
    if filled:
        cells = sum(count for count, _ in filled)
        which = ", ".join(f"{e.name!r}: {_fill(e)} in {c:,}" for c, e in filled[:5])
        said.append(
            f"{cells:,} missing cell{'s' * (cells > 1)} in {_columns(len(filled))} replaced "
            f"({which}{', …' * (len(filled) > 5)})."
        )
    categories = [encoder for encoder in encoders if isinstance(encoder, Category)]
    if categories:
        width = sum(len(encoder.names) for encoder in categories)
        said.append(
            f"{len(categories)} categor{'ies' if len(categories) > 1 else 'y'} one-hot encoded "
            f"in {_columns(width)}."
        )
    for encoder in categories:
        if encoder.n_merged:
            said.append(f"{encoder.n_merged:,} rare levels of {encoder.name!r} merged as 'other'.")
    dates = [e.name for e in encoders if isinstance(e, Number) and e.kind == "date"]
    if dates:
        said.append(f"Dates as days: {', '.join(map(repr, dates[:5]))}{', …' * (len(dates) > 5)}.")
    numbers = sum(isinstance(encoder, Number) for encoder in encoders)
    if roles.scale and numbers:
        said.append(f"{_columns(numbers).capitalize()} of numbers standardised.")
    if roles.scale and categories:
        said.append("Categories scaled to count as much as a number.")
    constant = [
        e.name for e in encoders if len(e.names) == 1 and table.column(e.name).n_distinct < 2
    ]
    if constant:
        said.append(f"Constant, so without effect: {', '.join(map(repr, constant[:5]))}.")
    return said


def _columns(count: int) -> str:
    return f"{count:,} column{'s' * (count != 1)}"


def _fill(encoder: Number | Category) -> str:
    if isinstance(encoder, Category):
        return f"the most frequent level ({encoder.levels[encoder.fill]!r})"
    if encoder.kind == "date":
        return "the median date"
    return f"the median ({encoder.fill:.4g})"
