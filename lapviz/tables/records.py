"""The records of a table: columns, what they are used for, and the arrays made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

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
        Different values among the others.
    identifier : bool
        It numbers or names the rows: all texts differ, or consecutive whole numbers.
    values : array (n,)
        Numbers with NaN where missing: days since 1970-01-01 for a date, 0 or 1 for a boolean.
        For a column of text the codes of its texts, -1 where missing.
    texts : pyarrow.StringArray or None
        The texts that the codes stand for; None for a column of numbers.
    done : str
        What was done to read it, a sentence; empty if nothing was.
    """

    name: str
    kind: str
    n_missing: int
    n_distinct: int
    identifier: bool = False
    values: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    texts: object = field(default=None, repr=False)
    done: str = ""

    @property
    def is_text(self) -> bool:
        """Are its values codes of texts?"""
        return self.texts is not None

    @property
    def levels(self) -> tuple[str, ...]:
        """The different texts of a column of text; empty for numbers."""
        return () if self.texts is None else tuple(self.texts.to_pylist())

    def cells(self, rows: Sequence[int] | slice | None = None) -> list:
        """Values as Python objects, for a preview or a download.

        Parameters
        ----------
        rows : sequence of int or slice, optional
            Row numbers; all rows by default.

        Returns
        -------
        list
            str, int, float, bool, ``numpy.datetime64`` for a date; None where missing.
        """
        from lapviz.tables.kinds import cells

        return cells(self, slice(None) if rows is None else rows)


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
        Missing features are replaced by the median or the most frequent level, or their rows are
        dropped.
    scale : bool
        Numbers are standardised, and categories scaled to count as much as a number.
    task : {"auto", "classes", "values", "none"}
        What the label is; "auto" decides by its kind and its number of different values.
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
            Fields of the roles to change, such as ``label="species"`` or ``missing="drop"``.

        Returns
        -------
        Prepared
            X, y, weights, and what was done.

        Raises
        ------
        ValueError
            If the roles cannot be used: the sentence says why and what to change.
        """
        from lapviz.tables.prepare import prepare

        try:
            roles = replace(roles or self.roles, **changes)
        except TypeError:
            known = ", ".join(Roles.__dataclass_fields__)
            raise ValueError(f"A table is prepared with {known}; got {sorted(changes)}.") from None
        return prepare(self, roles)


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
        from lapviz.tables.prepare import encode

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
        from lapviz.tables.prepare import encode

        return encode(table, self.encoders)[1]

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
        from lapviz.tables.recipes import script

        return script(self, path)
