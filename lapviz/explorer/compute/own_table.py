"""A visitor's table as a data set of the explorer, with rows, classes and labels.

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
from lapviz.tables.names import counted
from lapviz.tables.roles import measured_weight

Array = np.ndarray

USUAL, MOST = 10_000, 100_000  # rows on the pages of the explorer
# Pages start from PER_CLASS labels of each class if all of more than MANY rows are labelled, and
# from at most about MOST_LABELS if some rows are not; the other labels measure the accuracy.
MANY, PER_CLASS, MOST_LABELS = 200, 5, 2000
UNNAMED = ("class 1", "class 2")  # classes for labels set by hand, where the table has none
LARGE = 16 * 2**20  # bytes: larger files are read one at a time, as are those that unpack
PACKED = b"PAR1"  # first bytes of Parquet
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
        Classes for labels set by hand, besides those of the label column.
    note : str
        Why a column that looks like weights is not used for weights, and why no category is a
        feature; "" otherwise.
    """

    table: Table
    prepared: Prepared
    roles: Roles
    extra_classes: tuple[str, ...] = ()
    note: str = ""
    _last: tuple = field(default=(), init=False, repr=False)

    @property
    def n_rows(self) -> int:
        """Number of usable rows."""
        return len(self.prepared.X)

    @cached_property
    def counted(self) -> Array:
        """Rows of positive weight: the only ones that the pages of the explorer show."""
        weights = self.prepared.weights
        return np.arange(self.n_rows) if weights is None else np.flatnonzero(weights > 0)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, completed to at least two by UNNAMED."""
        known = self.prepared.class_names
        names = (*known, *(name for name in self.extra_classes if name not in known))
        spare = (*UNNAMED[len(names) :], *UNNAMED)
        return tuple(dict.fromkeys((*names, *spare)))[: max(len(names), 2)]

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the features, with the units in which they are drawn."""
        names = self.prepared.feature_names
        return tuple(f"{name} (scaled)" for name in names) if self.roles.scale else tuple(names)

    @cached_property
    def nbytes(self) -> int:
        """Bytes of the table, its arrays, and the rows that the pages show."""
        total = size_of((self.table, self.prepared, self.codes))
        row = 0 if self.n_rows <= USUAL else self.prepared.X.itemsize * self.prepared.X[0].size
        return total + min(self.n_rows, USUAL) * row

    @cached_property
    def codes(self) -> Array:
        """Class codes (n,), -1 where the class is unknown."""
        if self.prepared.task == "classes":
            return np.asarray(self.prepared.y, dtype=np.int64)
        return np.full(self.n_rows, -1)

    @cached_property
    def complete(self) -> bool:
        """Whether every row of positive weight has a known class."""
        return bool((self.codes[self.counted] >= 0).all())

    def per_class(self, y: Array) -> int | None:
        """Labels of each class from which pages that show codes y (n,) start; None: all known."""
        limit, per_class = MOST_LABELS, MOST_LABELS // len(self.classes)
        if self.complete:
            limit, per_class = MANY, PER_CLASS
        return per_class if (y >= 0).sum() > limit else None

    @cached_property
    def info(self) -> datasets.Info:
        """Description as a data set."""
        n, d = len(self.counted), self.prepared.X.shape[1]
        known = int((self.codes[self.counted] >= 0).sum())
        size = f"{counted(n, 'row')}, {counted(d, 'feature')}"
        summary = f"Your table: {size}, {known:,} known classes."
        return datasets.Info(
            name="table",
            title=self.table.name,
            description=summary + " It stays in memory, for as long as your visit lasts.",
            n_samples=min(n, USUAL),
            max_samples=min(n, MOST),
            noise=0.0,
            max_noise=0.0,
            n_features=d,
            class_names=self.classes,
            labels_per_class=PER_CLASS if self.complete and known > MANY else None,
            real=True,
            options=(),
            group="Your data",
        )

    def sample_rows(self, n_samples: int, random_state: int) -> Array:
        """Sorted random sample of the counted rows; all of known class, if at most half are."""
        n = len(self.counted)
        if n_samples >= n:
            return self.counted
        order = self.counted[np.random.default_rng(random_state).permutation(n)]
        known = self.codes[order] >= 0
        if known.sum() <= n_samples // 2:
            order = np.r_[order[known], order[~known]]
        return np.sort(order[:n_samples])

    def sample(self, n_samples: int, random_state: int) -> datasets.Dataset:
        """Data set of that many rows; the same object for the same arguments."""
        n = len(self.counted)
        arguments = min(n_samples, n), random_state if n_samples < n else 0
        last = self._last
        if not last or last[0] != arguments:
            last = self._last = arguments, self._sample(*arguments)
        return last[1]

    def _sample(self, n_samples: int, random_state: int) -> datasets.Dataset:
        rows, prepared = self.sample_rows(n_samples, random_state), self.prepared
        all_rows = len(rows) == self.n_rows
        y = self.codes if all_rows else self.codes[rows]
        per_class, weights, labelled = self.per_class(y), prepared.weights, y >= 0
        if per_class is not None:
            labelled = datasets.draw_labels(y, per_class, random_state)
        return datasets.Dataset(
            X=prepared.X if all_rows else prepared.X[rows],
            y=y,
            labelled=labelled,
            name="table",
            truth=Truth(note=NOTE),
            class_names=self.classes,
            feature_names=self.axes,
            weights=None if weights is None else weights[rows],
        )


@dataclass(eq=False)
class UnusedTable:
    """A table that was read, but cannot be used before its columns are chosen.

    Parameters
    ----------
    table : Table
    roles : Roles
        Roles with which it cannot be used.
    why : str
        Sentence that says why, and what to change.
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


_LARGE_FILE = threading.Lock()


def read(raw: bytes, name: str) -> OwnTable | UnusedTable:
    """Read a table from a file's bytes; its columns have the suggested roles.

    Raises
    ------
    ValueError
        If it cannot be read; the message is for the visitor.
    """
    if len(raw) < LARGE and not raw.startswith(PACKED):
        return _read(raw, name)
    while not _LARGE_FILE.acquire(timeout=0.5):
        report("waiting for another visitor's file", 0)
    try:
        return _read(raw, name)
    finally:
        _LARGE_FILE.release()


def _read(raw: bytes, name: str) -> OwnTable | UnusedTable:
    """Table with the suggested roles, else without weights, else with its numeric features alone,
    else unused."""
    table = tables.read(io.BytesIO(raw), name)
    features = map(table.column, table.roles.features)
    note, reason = " ".join(filter(None, (measured_weight(c, table.columns) for c in features))), ""
    unweighted = replace(table.roles, weight=None)
    numeric = tuple(name for name in unweighted.features if not table.column(name).is_text)
    of_numbers = replace(unweighted, features=numeric or unweighted.features)
    for roles in (table.roles, unweighted, of_numbers):
        try:
            prepared = table.prepare(roles)
            if roles is of_numbers:
                note = f"{note} {reason} So categories are not features.".strip()
            return OwnTable(table, prepared, roles, note=note)
        except ValueError as error:
            if roles.weight is None:
                reason = reason or str(error)
            else:  # try without weights; the page says why
                note = (
                    f"{error} So “{roles.weight}” is not used for weights. If it is a measurement, "
                    "make it a feature."
                )
    return UnusedTable(table, unweighted, reason, note=note)


def with_roles(source: str, roles: Roles, extra_classes: tuple[str, ...]) -> OwnTable:
    """The same table with other roles of its columns.

    Raises
    ------
    ValueError
        If they cannot be used; the message is for the visitor.
    """
    table = STORE.get(source).table
    return OwnTable(table, table.prepare(roles), roles, extra_classes)
