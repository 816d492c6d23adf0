"""A table, and arrays for a fit: features encoded, label and weights checked, steps recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lapviz.tables.encoders import Category, encode, encoder_of, label_of, too_many, weights_of
from lapviz.tables.limits import LIMITS, refuse_larger
from lapviz.tables.names import counted, unused_name
from lapviz.tables.output import script
from lapviz.tables.records import MISSING, TASKS, Column, Roles
from lapviz.tables.roles import (
    FEATURES,
    measured_weight,
    names_rows,
    says_labelled,
    says_weights,
    with_changes,
)

VECTORS = (
    "Texts are not points: turn them into vectors first, for example by scikit-learn's "
    "TfidfVectorizer and TruncatedSVD, or by a language model, and add a column of numbers for "
    "each coordinate."
)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that was read.

    Attributes
    ----------
    name : str
        Name of the file, without its folder, tidied for display.
    columns : tuple of Column
    n_rows : int
    done : tuple of str
        What was done while reading, in sentences.
    roles : Roles
        Suggested roles of the columns.
    file : str
        Name of the file, without its folder, to the letter.
    """

    name: str
    columns: tuple[Column, ...]
    n_rows: int
    done: tuple[str, ...] = ()
    roles: Roles = field(default_factory=Roles)
    file: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """Return the column of a name.

        Parameters
        ----------
        name : str
            Name of the column.

        Returns
        -------
        Column
            The column.

        Raises
        ------
        ValueError
            If there is no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(map(repr, self.names[:8])) + (", …" if len(self.names) > 8 else "")
        raise ValueError(f"There is no column {name!r}: the table has {names}.")

    def prepare(self, roles: Roles | None = None, **changes) -> Prepared:
        """Make the arrays for a fit.

        Parameters
        ----------
        roles : Roles, optional
            What the columns are used for; by default ``self.roles``, the suggestion.
        **changes
            Fields of the roles to change, such as ``label="species"`` or ``missing="drop"``. A
            column named here loses its suggested role; one that was suggested as the label, or a
            "weight" as the weights, and is not becomes a feature, if it can be one.

        Returns
        -------
        Prepared
            X, y, weights, and sentences on what was done.

        Raises
        ------
        ValueError
            If the roles cannot be used; the message says why and what to change.
        """
        names = Roles.__dataclass_fields__.keys()
        if unknown := changes.keys() - names:
            raise ValueError(f"A table is prepared with {', '.join(names)}; got {sorted(unknown)}.")
        if not isinstance(changes.get("features", ()), tuple | list):
            raise ValueError(f"features must be a tuple of names, got {changes['features']!r}.")
        if not isinstance(roles, Roles | None):
            raise ValueError(f"Name columns by label=, features= or weight=; got {roles!r}.")
        if roles is None:
            roles = with_changes(self.columns, self.roles, **changes)
        else:
            roles = replace(roles, **changes)
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
            weights, sentence = weights_of(self.column(roles.weight), keep)
            sentences = (*sentences, sentence)
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
        Name of each class code; empty for another task.
    feature_names : tuple of str
        Names of the d columns of X: the table column's name, or "column = level".
    weights : array (n,) or None
        Non-negative weights of the rows.
    rows : array (n,) of int
        Row number in the table of each row of X, ascending.
    done : tuple of str
        What was done to how many rows and columns, in sentences.
    roles : Roles
        Roles of the columns.
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
        """Encode the rows of a table with the same columns, with the statistics of this one.

        Missing values are always imputed, so that every row gets a prediction. An unknown level
        becomes "other" if there is such a column, else all zeros.

        Parameters
        ----------
        table : Table
            Must have the feature columns; others are ignored.

        Returns
        -------
        array (n, d)
            One row for each row of the table.

        Raises
        ------
        ValueError
            If a feature column is missing, or of another kind.
        """
        return encode(table, self.encoders)[0]

    def differences(self, table: Table) -> tuple[str, ...]:
        """Describe what ``apply`` does to a table: missing values and unknown levels.

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
            If a feature column is missing, or of another kind.
        """
        return encode(table, self.encoders)[1]

    def beside(self, table: Table, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """Add columns, such as predictions, to the whole table, for :func:`write_csv`.

        Parameters
        ----------
        table : Table
            The table that was prepared.
        columns : mapping of str to array (n,)
            Further columns, with a value for each row of ``X``. The other rows of the table get
            empty cells; a name that the table already has gets an apostrophe.

        Returns
        -------
        dict
            Row numbers, from 1; the table's columns; the further columns.
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
        """Write the lines of Python that read the file and make the same X, y and weights.

        Parameters
        ----------
        path : str
            Path of the file, as it appears in the script.

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
        constant = [repr(column.name) for column in table.columns if column.kind == "constant"]
        raise ValueError(
            "There is no feature: choose at least one column of numbers or categories."
            + f" All rows are equal in {', '.join(constant[:5])}: take others." * bool(constant)
            + f" {VECTORS}" * texts
        )
    used = [*roles.features, *(name for name in (roles.label, roles.weight) if name is not None)]
    repeated = next((name for name in used if used.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"Column {repeated!r} has two roles: choose one for each column.")
    for name in used:
        table.column(name)


def _features_done(
    table: Table, encoders: Sequence, keep: np.ndarray, roles: Roles
) -> Iterator[str]:
    columns = [c for c in table.columns if c.name not in (roles.label, roles.weight)]
    for column in columns:
        used = column.name in roles.features
        if names_rows(column) and not column.identifier:
            repeated = len(column.values) - column.n_missing - column.n_distinct
            role = "is a feature, as requested" if used else "is not a feature"
            reason = f"names rows ({repeated:,} of its cells repeat another)"
            yield f"Column {column.name!r} {reason} and {role}."
        elif column.identifier and column.kind == "integer" and not names_rows(column) and not used:
            yield (
                f"Column {column.name!r} holds consecutive whole numbers, each once, as a "
                "numbering of the rows does, and is not a feature."
            )
        elif column.kind == "category" and not used and (reason := too_many(column)):
            yield f"Column {column.name!r} {reason}, and is not a feature."
        elif used and (sentence := measured_weight(column, table.columns)):
            yield sentence
    others = [c for c in columns if c.name not in roles.features
              and (c.identifier or not names_rows(c))  # else named above
              and (c.kind not in FEATURES or says_labelled(c) or says_weights(c))]  # fmt: skip
    if others:
        kinds = _first_few([f"{column.name!r} ({column.kind})" for column in others])
        yield f"{counted(len(others), 'column')} not used as a feature: {kinds}."
    if not keep.all():
        dropped = int((~keep).sum())
        yield f"{dropped:,} of {len(keep):,} rows dropped, since a feature is missing."
    counts = {e: int((table.column(e.name).missing & keep).sum()) for e in encoders}
    filled = [f"{e.name!r}: {e.filling} in {count:,}" for e, count in counts.items() if count]
    if filled:
        cells = sum(counts.values())
        yield (
            f"{counted(cells, 'missing cell')} in {counted(len(filled), 'column')} replaced "
            f"({_first_few(filled)})."
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
        yield f"Dates as days: {_first_few(dates)}."
    if roles.scale and numbers:
        yield f"{counted(len(numbers), 'column')} of numbers standardised."
    if roles.scale and categories:
        yield "Categories scaled to count as much as a number."
    constant = [repr(e.name) for e in encoders
                if len(e.names) == 1 and table.column(e.name).n_distinct < 2]  # fmt: skip
    if constant:
        yield f"Constant, so without effect: {', '.join(constant[:5])}."


def _first_few(words: Sequence[str]) -> str:
    return ", ".join(words[:5]) + ", …" * (len(words) > 5)
