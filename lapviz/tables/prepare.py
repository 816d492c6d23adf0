"""Arrays for a fit: features encoded, label and weight checked, and what was done said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lapviz import progress
from lapviz.tables.encoders import Category, Number, encoder_of
from lapviz.tables.limits import LIMITS, refuse_larger
from lapviz.tables.names import fresh
from lapviz.tables.recipes import script
from lapviz.tables.records import MISSING, TASKS, Column, Columns, Roles
from lapviz.tables.roles import names_rows
from lapviz.tables.targets import label_of, weights_of, weights_said

VECTORS = (
    "Texts are no points: turn them into vectors first, for example by scikit-learn's "
    "TfidfVectorizer and TruncatedSVD, or by a language model, and bring a column of numbers for "
    "each coordinate."
)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Arrays made from a table.

    Attributes
    ----------
    X : array (n, d)
        Finite float64.
    y : array (n,) or None
        Class codes, int with -1 for unlabelled rows; or values, float with NaN for unlabelled
        rows; None without a label column.
    task : {"classes", "values", "none"}
    class_names : tuple of str
        Name of each class code; empty if the task is another.
    feature_names : tuple of str
        Of the d columns of X: the column's name, or "column = level".
    weights : array (n,) or None
        Non-negative weights of the rows.
    rows : array (n,) of int
        Row of the table of each row of X, ascending.
    done : tuple of str
        What was done to how many rows and columns, in sentences.
    roles : Roles
        With which it was made.
    encoders : tuple
        How each feature column becomes columns of X.
    """

    X: np.ndarray
    y: np.ndarray | None
    task: str
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    weights: np.ndarray | None
    rows: np.ndarray
    done: tuple[str, ...]
    roles: Roles
    encoders: tuple = field(default=(), repr=False)

    def apply(self, table: Columns) -> np.ndarray:
        """Rows of another table with the same columns, encoded with this table's statistics.

        Missing values are always imputed, so that every row gets a prediction. A level that was
        not there becomes "other" if there is such a column, else all zeros.

        Parameters
        ----------
        table : Table
            It needs the feature columns; others are ignored.

        Returns
        -------
        array (n, d)
            One row for each row of the table.

        Raises
        ------
        ValueError
            If a feature column is not there or is of another kind.
        """
        return encode(table, self.encoders)[0]

    def differences(self, table: Columns) -> tuple[str, ...]:
        """What ``apply`` does to a table: missing values and unknown levels, in sentences.

        Parameters
        ----------
        table : Table
            As for ``apply``.

        Returns
        -------
        tuple of str
            Sentences; empty if nothing had to be done.

        Raises
        ------
        ValueError
            If a feature column is not there or is of another kind.
        """
        return encode(table, self.encoders)[1]

    def beside(self, table: Columns, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """The whole table with further columns, such as predictions, for :func:`write_csv`.

        Parameters
        ----------
        table : Table
            The table that was prepared.
        columns : mapping of str to array (n,)
            Further columns, with a value for each row of ``X``. Rows of the table that are not
            among these get empty cells; a name that the table has gets an apostrophe.

        Returns
        -------
        dict
            The number of each row, from 1; the table's columns; the further ones.
        """
        made: dict[str, Any] = {column.name: column for column in table.columns}
        made = {fresh("row", made): np.arange(1, table.n_rows + 1)} | made
        for name, values in columns.items():
            cells = np.asarray(values)
            if len(self.rows) < table.n_rows:
                cells = np.full(table.n_rows, None, dtype=object)
                cells[self.rows] = np.asarray(values).tolist()
            made[fresh(name, made)] = cells
        return made

    def script(self, path: str) -> str:
        """Lines of Python that read the file and make the same X, y and weights.

        Parameters
        ----------
        path : str
            Of the file, as it is to be written in the script.

        Returns
        -------
        str
            Lines that define ``table``, ``data``, ``X``, ``y`` and ``weights``.
        """
        return script(self.roles, path)


def prepare(table: Columns, roles: Roles) -> Prepared:
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
    task, y, names, said = label_of(label, keep, roles.task)
    weights = weights_of(table.column(roles.weight), keep) if roles.weight is not None else None
    encoders = tuple(encoder_of(column, keep, roles.scale) for column in features)
    width = sum(len(encoder.names) for encoder in encoders)
    if width * int(keep.sum()) > 2 * LIMITS.cells:
        raise refuse_larger(f"The features make {width * int(keep.sum()):,} numbers")
    X, _ = encode(table, encoders, keep)
    rows = np.flatnonzero(keep)
    done = (*_features_said(table, encoders, keep, roles), *said)
    if weights is not None and roles.weight is not None:
        done += (weights_said(roles.weight, weights),)
    names_of_X = tuple(name for encoder in encoders for name in encoder.names)
    return Prepared(X, y, task, names, names_of_X, weights, rows, done, roles, encoders)


def encode(
    table: Columns, encoders: Sequence, keep: np.ndarray | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """X by encoders, and what had to be done, in sentences.

    Raises
    ------
    ValueError
        If a column is not there, or is of another kind.
    """
    rows = slice(None) if keep is None else np.flatnonzero(keep)
    n = table.n_rows if isinstance(rows, slice) else len(rows)
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


def _check_roles(table: Columns, roles: Roles) -> None:
    if roles.missing not in MISSING:
        raise ValueError(f"missing must be 'impute' or 'drop', got {roles.missing!r}.")
    if roles.task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(map(repr, TASKS))}, got {roles.task!r}.")
    if not roles.features:
        texts = any(column.kind == "text" for column in table.columns)
        raise ValueError(
            "There is no feature: choose at least one column of numbers or categories."
            + f" {VECTORS}" * texts
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


def _features_said(table: Columns, encoders: tuple, keep: np.ndarray, roles: Roles):
    said, dropped = _rows_said(table, roles), int((~keep).sum())
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


def _rows_said(table: Columns, roles: Roles) -> list[str]:
    """Sentences on columns that name the rows, but not each row by a name of its own."""
    said, used = [], (roles.label, roles.weight)
    for column in table.columns:
        if column.identifier or column.name in used or not names_rows(column):
            continue
        repeated = len(column.values) - column.n_missing - column.n_distinct
        kind = f"names rows ({repeated:,} of its cells repeat another)"
        feature = "is a feature, as asked" if column.name in roles.features else "is no feature"
        said.append(f"Column {column.name!r} {kind} and {feature}.")
    return said


def _columns(count: int) -> str:
    return f"{count:,} column{'s' * (count != 1)}"


def _fill(encoder: Number | Category) -> str:
    if isinstance(encoder, Category) and encoder.missing:
        return "a level of its own"
    if isinstance(encoder, Category):
        return f"the most frequent level ({encoder.levels[encoder.fill]!r})"
    if encoder.kind == "date":
        return "the median date"
    return f"the median ({encoder.fill:.4g})"
