"""A table, and arrays for a fit: features encoded, label and weight checked, and all that said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lapviz.tables.encoders import Category, encode, encoder_of, label_of, weights_of
from lapviz.tables.limits import LIMITS, refuse_larger
from lapviz.tables.names import counted, unused_name
from lapviz.tables.output import script
from lapviz.tables.records import MISSING, TASKS, Column, Roles
from lapviz.tables.roles import names_rows, with_changes

VECTORS = (
    "Texts are no points: turn them into vectors first, for example by scikit-learn's "
    "TfidfVectorizer and TruncatedSVD, or by a language model, and bring a column of numbers for "
    "each coordinate."
)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that was read.

    Attributes
    ----------
    name : str
        Of the file, without its folder.
    columns : tuple of Column
    n_rows : int
    done : tuple of str
        What was done while reading, in sentences.
    roles : Roles
        A suggestion.
    """

    name: str
    columns: tuple[Column, ...]
    n_rows: int
    done: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of that name.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Column
            The column.

        Raises
        ------
        ValueError
            If there is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        some = ", ".join(map(repr, self.names[:8])) + (", …" if len(self.names) > 8 else "")
        raise ValueError(f"There is no column {name!r}: the table has {some}.")

    def prepare(self, roles: Roles | None = None, **changes) -> Prepared:
        """Arrays for a fit.

        Parameters
        ----------
        roles : Roles, optional
            What the columns are used for; by default ``self.roles``, the suggestion.
        **changes
            Fields of the roles to change, such as ``label="species"`` or ``missing="drop"``. What
            they name has no other role of the suggestion; a column that was suggested as the label
            and is not becomes a feature, if it can be one.

        Returns
        -------
        Prepared
            X, y, weights, and what was done.

        Raises
        ------
        ValueError
            If the roles cannot be used: the sentence says why and what to change.
        """
        try:
            if roles is None:
                roles = with_changes(self.columns, self.roles, **changes)
            else:
                roles = replace(roles, **changes)
        except TypeError:
            known = ", ".join(Roles.__dataclass_fields__)
            raise ValueError(f"A table is prepared with {known}; got {sorted(changes)}.") from None
        _check_roles(self, roles)
        features = [self.column(name) for name in roles.features]
        keep = np.ones(self.n_rows, bool)
        if roles.missing == "drop":
            keep = ~np.any([column.missing for column in features], axis=0)
            if not keep.any():
                raise ValueError(
                    "Every row lacks a feature: impute missing values, or leave out the columns "
                    "with the most missing cells."
                )
        label = self.column(roles.label) if roles.label is not None else None
        task, y, classes, sentences = label_of(label, keep, roles.task)
        weights = None
        if roles.weight is not None:
            weights, weighted = weights_of(self.column(roles.weight), keep)
            sentences = (*sentences, weighted)
        encoders = tuple(encoder_of(column, keep, roles.scale) for column in features)
        names = tuple(name for encoder in encoders for name in encoder.names)
        rows = np.flatnonzero(keep)
        if len(names) * len(rows) > 2 * LIMITS.cells:
            raise refuse_larger(f"The features make {len(names) * len(rows):,} numbers")
        X, _ = encode(self, encoders, rows)
        done = (*_features_done(self, encoders, keep, roles), *sentences)
        return Prepared(X, y, task, classes, names, weights, rows, done, roles, encoders)


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

    def apply(self, table: Table) -> np.ndarray:
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

    def differences(self, table: Table) -> tuple[str, ...]:
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

    def beside(self, table: Table, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
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
        merged: dict[str, Any] = {column.name: column for column in table.columns}
        merged = {unused_name("row", merged): np.arange(1, table.n_rows + 1)} | merged
        for name, values in columns.items():
            cells = np.asarray(values)
            if len(self.rows) < table.n_rows:
                cells = np.full(table.n_rows, None, dtype=object)
                cells[self.rows] = np.asarray(values).tolist()
            merged[unused_name(name, merged)] = cells
        return merged

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


def _check_roles(table: Table, roles: Roles) -> None:
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


def _features_done(
    table: Table, encoders: Sequence, keep: np.ndarray, roles: Roles
) -> Iterator[str]:
    for column in table.columns:  # what names the rows, but not each row by a name of its own
        if column.identifier or column.name in (roles.label, roles.weight):
            continue
        if names_rows(column):
            repeated = len(column.values) - column.n_missing - column.n_distinct
            kind = f"names rows ({repeated:,} of its cells repeat another)"
            feature = "is a feature, as asked" if column.name in roles.features else "is no feature"
            yield f"Column {column.name!r} {kind} and {feature}."
    if not keep.all():
        dropped = int((~keep).sum())
        yield f"{dropped:,} of {len(keep):,} rows dropped, since a feature is missing."
    columns = {encoder: table.column(encoder.name) for encoder in encoders}
    counts = {encoder: int((column.missing & keep).sum()) for encoder, column in columns.items()}
    filled = [f"{e.name!r}: {e.filling} in {count:,}" for e, count in counts.items() if count]
    if filled:
        cells = sum(counts.values())
        yield (
            f"{counted(cells, 'missing cell')} in {counted(len(filled), 'column')} replaced "
            f"({_first(filled)})."
        )
    categories = [encoder for encoder in encoders if isinstance(encoder, Category)]
    numbers = [encoder for encoder in encoders if not isinstance(encoder, Category)]
    if categories:
        yield (
            f"{len(categories)} categor{'ies' if len(categories) > 1 else 'y'} one-hot encoded "
            f"in {counted(sum(len(encoder.names) for encoder in categories), 'column')}."
        )
    for encoder in categories:
        if encoder.n_merged:
            yield f"{encoder.n_merged:,} rare levels of {encoder.name!r} merged as 'other'."
    dates = [repr(encoder.name) for encoder in numbers if encoder.kind == "date"]
    if dates:
        yield f"Dates as days: {_first(dates)}."
    if roles.scale and numbers:
        yield f"{counted(len(numbers), 'column')} of numbers standardised."
    if roles.scale and categories:
        yield "Categories scaled to count as much as a number."
    constant = [repr(e.name) for e in encoders if len(e.names) == 1 and columns[e].n_distinct < 2]
    if constant:
        yield f"Constant, so without effect: {', '.join(constant[:5])}."


def _first(words: Sequence[str]) -> str:
    return ", ".join(words[:5]) + ", …" * (len(words) > 5)
