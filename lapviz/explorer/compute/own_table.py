"""A visitor's table as a data set of the explorer: rows, classes and labels as in any other.

Pages other than “Your data” show at most :data:`MOST` of its rows, by default :data:`USUAL`.
"""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lapviz import datasets, tables
from lapviz.datasets.truths import Truth
from lapviz.explorer.host.store import STORE, size_of
from lapviz.progress import report
from lapviz.tables import Prepared, Roles, Table

Array = np.ndarray

USUAL, MOST = 10_000, 100_000  # rows on the pages of the explorer
MANY = 200  # rows, all of known class; of more, a few a class are labels and the others judge
PER_CLASS = 5
MOST_LABELS = 2000  # of a table with rows to label: of more, the others judge
UNNAMED = ("class 1", "class 2")  # of a table without classes, for labels by hand
LARGE = 16 * 2**20  # bytes of a file from which on only one is read at a time
NOTE = "A table of yours: its spectrum is not known."


@dataclass(eq=False)
class OwnTable:
    """A table that was read, and the arrays made from it.

    Parameters
    ----------
    table : Table
    prepared : Prepared
    roles : Roles
        What the columns are used for.
    extra_classes : tuple of str
        Classes for labels by hand, beside those of the label column.
    note : str
        Why a column that looks like weights is not used as such; "" otherwise.
    """

    table: Table
    prepared: Prepared
    roles: Roles
    extra_classes: tuple[str, ...] = ()
    note: str = ""
    _last: tuple = field(default=(), init=False, repr=False)

    @property
    def n_rows(self) -> int:
        """Rows that can be used."""
        return len(self.prepared.X)

    @cached_property
    def counted(self) -> Array:
        """Rows of positive weight; the pages of the explorer show no others."""
        weights = self.prepared.weights
        return np.arange(self.n_rows) if weights is None else np.flatnonzero(weights > 0)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes; two for labels by hand where the table has none."""
        known = self.prepared.class_names
        names = (*known, *(name for name in self.extra_classes if name not in known))
        return names if len(names) > 1 else (*names, *UNNAMED[len(names) :])

    @cached_property
    def nbytes(self) -> int:
        """Bytes of the table, of its arrays, and of a part that the pages show."""
        whole = size_of((self.table, self.prepared, self.codes))
        part = 0 if self.n_rows <= USUAL else self.prepared.X.itemsize * self.prepared.X[0].size
        return whole + min(self.n_rows, USUAL) * part

    @cached_property
    def codes(self) -> Array:
        """Class codes (n,), -1 where the class is not known."""
        if self.prepared.task == "classes":
            return np.asarray(self.prepared.y, dtype=np.int64)
        return np.full(self.n_rows, -1)

    @cached_property
    def complete(self) -> bool:
        """Whether no row is left to label."""
        return bool((self.codes[self.counted] >= 0).all())

    def per_class(self, y: Array) -> int | None:
        """Labels of each class that pages with the classes y (n,) start from; None: all known."""
        most, each = MOST_LABELS, MOST_LABELS // len(self.classes)
        if self.complete:
            most, each = MANY, PER_CLASS
        return each if (y >= 0).sum() > most else None

    @cached_property
    def info(self) -> datasets.Info:
        """Its description, as of any data set."""
        n, d = len(self.counted), self.prepared.X.shape[1]
        known = int((self.codes[self.counted] >= 0).sum())
        words = f"Your table: {n:,} rows, {d} feature{'s' * (d != 1)}, {known:,} known classes."
        return datasets.Info(
            name="table",
            title=self.table.name,
            description=words + " It stays in memory, for as long as your visit lasts.",
            n_samples=min(n, USUAL),
            max_samples=min(n, MOST),
            noise=0.0,
            max_noise=0.0,
            n_features=d,
            n_classes=len(self.classes),
            class_names=self.classes,
            labels_per_class=PER_CLASS if self.complete and known > MANY else None,
            real=True,
            planar=d == 2,
            options=(),
            group="Your data",
        )

    def sample_rows(self, n_samples: int, random_state: int) -> Array:
        """Rows of the arrays that a part of so many rows has: known classes first."""
        n = len(self.counted)
        if n_samples >= n:
            return self.counted
        order = self.counted[np.random.default_rng(random_state).permutation(n)]
        known = self.codes[order] >= 0
        if known.sum() <= n_samples // 2:
            order = np.r_[order[known], order[~known]]
        return np.sort(order[:n_samples])

    def sample(self, n_samples: int, random_state: int) -> datasets.Dataset:
        """The data set with that many rows; the same object for the same arguments."""
        n = len(self.counted)
        asked = min(n_samples, n), random_state if n_samples < n else 0
        last = self._last
        if not last or last[0] != asked:
            last = self._last = asked, self._sample(*asked)
        return last[1]

    def _sample(self, n_samples: int, random_state: int) -> datasets.Dataset:
        rows, made = self.sample_rows(n_samples, random_state), self.prepared
        all_rows = len(rows) == self.n_rows
        y = self.codes if all_rows else self.codes[rows]
        each, weights = self.per_class(y), made.weights
        return datasets.Dataset(
            X=made.X if all_rows else made.X[rows],
            y=y,
            labelled=y >= 0 if each is None else datasets.draw_labels(y, each, random_state),
            name="table",
            truth=Truth(note=NOTE),
            class_names=self.classes,
            feature_names=made.feature_names,
            weights=None if weights is None else weights[rows],
        )


@dataclass(eq=False)
class UnusedTable:
    """A table that was read and cannot be used as it is: kept, for its columns to be chosen.

    Parameters
    ----------
    table : Table
    roles : Roles
        With which it cannot be used.
    why : str
        A sentence that says why, and what to change.
    """

    table: Table
    roles: Roles
    why: str
    extra_classes: tuple[str, ...] = ()
    note: str = ""
    info = None  # no page can show it

    @cached_property
    def nbytes(self) -> int:
        """Bytes of the table."""
        return size_of(self.table)


_TURN = threading.Lock()


def read(raw: bytes, name: str) -> OwnTable | UnusedTable:
    """A table from a file's bytes, with the columns used as the table suggests.

    Raises
    ------
    ValueError
        If it cannot be read, with a sentence.
    """
    if len(raw) < LARGE:
        return _read(raw, name)
    while not _TURN.acquire(timeout=0.5):
        report("waiting for another visitor's file", 0)
    try:
        return _read(raw, name)
    finally:
        _TURN.release()


def _read(raw: bytes, name: str) -> OwnTable | UnusedTable:
    table = tables.read(io.BytesIO(raw), name)
    roles = table.roles
    if roles.weight is not None:
        try:
            return OwnTable(table, table.prepare(roles), roles)
        except ValueError as error:  # without weights it may do; the page says why
            note, name = str(error), roles.weight
        made = _usable(table, replace(roles, weight=None))
        made.note = f"{note} So “{name}” is not used for weights."
        return made
    return _usable(table, roles)


def _usable(table: Table, roles: Roles) -> OwnTable | UnusedTable:
    """What can be used of it, for the visitor to choose."""
    numbers = tuple(name for name in roles.features if not table.column(name).is_text)
    why = ""
    for asked in (roles, replace(roles, features=numbers or roles.features)):
        try:
            return OwnTable(table, table.prepare(asked), asked)
        except ValueError as error:
            why = why or str(error)
    return UnusedTable(table, roles, why)


def with_roles(source: str, asked: Roles, extra_classes: tuple[str, ...]) -> OwnTable:
    """The same table with its columns used in another way.

    Raises
    ------
    ValueError
        If that cannot be done, with a sentence.
    """
    table = STORE.get(source).table
    return OwnTable(table, table.prepare(asked), asked, extra_classes)
