"""Streamed rows: their number, a subset in memory, and their forms by a pass over all of them.

    Dask collections ─┐  a pass over the rows        a pass for each call of forms
    generators of   ──┴─> StreamedRows: n, sample, labels ──> Forms
    batches

A fit uses few rows individually: a sample (:mod:`lapviz.spaces.sampling`), the labelled ones, the
nodes of a graph. These are in memory under their own numbers, so that the steps of a fit index
streamed rows as they index an array. All others enter through sums only: of rows in batches, from
a file, a database or a generator, one batch is in memory beside the sums and these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from lapviz import operators
from lapviz.checks import check_dense, check_points, check_weights, entries_of
from lapviz.fit import auto, few_labels
from lapviz.fit.specs import SpaceSpec
from lapviz.forms import Forms
from lapviz.progress import report
from lapviz.spaces import sampling

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class RowSubset:
    """A subset of the rows of an array, indexed by their numbers in the full array.

    Attributes
    ----------
    n : int, rows of the full array
    index : int array (m,), ascending
    values : array (m, …)
    """

    n: int
    index: Array
    values: Array

    def __len__(self) -> int:
        return self.n

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the full array."""
        return (self.n, *self.values.shape[1:])

    def __getitem__(self, rows: Array | slice) -> Array:
        """Rows of the full array; IndexError for rows that are not in memory."""
        if isinstance(rows, slice):
            if rows == slice(None):
                if len(self.index) == self.n:
                    return self.values
                raise IndexError(f"Only {len(self.index)} of {self.n} rows are in memory.")
            rows = np.arange(self.n)[rows]
        positions = np.searchsorted(self.index, rows)
        inside = positions < len(self.index)
        if not inside.all() or not np.array_equal(self.index[positions], rows):
            raise IndexError("Some of these rows are not in memory.")
        return self.values[positions]


@dataclass(frozen=True, eq=False)
class StreamedRows(RowSubset):
    """Rows of which only those that a fit uses individually are in memory.

    Attributes
    ----------
    n, index, values : as for :class:`RowSubset`
    forms : callable, (space, operator) to :class:`lapviz.forms.Forms` over all rows
        The operator is one that each row determines (:func:`lapviz.operators.by_rows`).
    weights : RowSubset or None
        Weights of the rows in memory.
    labelled : int array (m,), ascending, or None
    targets : array (m, …) or None, their labels or values
    """

    forms: Callable[..., Forms]
    weights: RowSubset | None = None
    labelled: Any = None
    targets: Array | None = None


@dataclass(frozen=True)
class RowRequest:
    """The rows that a fit will use individually.

    Attributes
    ----------
    space : SpaceSpec
        Determines the size of the sample.
    is_labelled : callable or None
        Maps targets of a part of the rows to the mask of the labelled ones; None: no targets.
    graph : bool
        Whether the energy is that of a graph over a subset of the rows.
    nodes : bool
        Whether the trial space may be that of its nodes.
    """

    space: SpaceSpec
    is_labelled: Callable[[Array], Array] | None = None
    graph: bool = False
    nodes: bool = False

    def most_nodes(self, n_features: int) -> int:
        """The largest number of rows in a graph."""
        if not self.graph:
            return 0
        return few_labels.most_nodes(n_features) if self.nodes else few_labels.MOST_NODES

    def sample(self, n: int | None, n_features: int) -> int:
        """Number of rows in the sample; the largest possible if n is unknown (None)."""
        space, n = self.space, n or 1 << 62
        drawn = isinstance(space.landmarks, str) and isinstance(space.n_landmarks, str)
        p = few_labels.MOST if self.graph and drawn else auto.n_landmarks(space, n)
        return sampling.size(min(p, n), n_features)

    def index(self, n: int, n_features: int, labelled: Array) -> Array:
        """The numbers of the rows to keep in memory, of n, ascending."""
        sample = sampling.rows(n, self.sample(n, n_features))
        if isinstance(sample, slice):
            return np.arange(n)
        index = np.union1d(sample, labelled)
        if self.graph:
            nodes = few_labels.nodes(n, labelled, self.most_nodes(n_features))
            index = np.union1d(index, nodes)
        return index


def stream(estimator, batches: Callable[[], Iterable] | Iterable):
    """Fit an estimator to rows that come in batches, out of core.

    The rows are read twice: once to count them and to keep a sample, the labelled ones and their
    labels; once to sum the forms. Landmarks, σ, μ and tangents come from the sample, which depends
    on the order of the rows but not on the batches. The result is that of ``estimator.fit`` on all
    rows at once, up to rounding of the sums, which nearly dependent functions amplify: with a named
    operator scores may differ by 10⁻³.

    Parameters
    ----------
    estimator : GalerkinEmbedding, LaplacianClassifier or LaplacianRegressor
        Fitted in place.
    batches : callable or iterable
        Returns an iterator whenever it is called (a generator function), or can be iterated over
        more than once. A batch is an array X (b, d), or a tuple (X, y) or (X, y, weights), where y
        may be None.

    Returns
    -------
    estimator
        The fitted estimator itself.

    Raises
    ------
    ValueError
        If the batches can be read only once, have different columns (also in another order), or do
        not suit the estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import GalerkinEmbedding, fit
    >>> X = np.random.default_rng(0).normal(size=(2000, 2))
    >>> def batches():
    ...     for start in range(0, len(X), 300):  # in practice: read a part of a file
    ...         yield X[start : start + 300]
    >>> model = fit.stream(GalerkinEmbedding(n_components=4, random_state=0), batches)
    >>> in_memory = GalerkinEmbedding(n_components=4, random_state=0).fit(X)
    >>> bool(np.allclose(model.eigenvalues_, in_memory.eigenvalues_, rtol=1e-10))
    True
    """
    if not getattr(estimator, "takes_batches", False):
        raise ValueError(
            f"{type(estimator).__name__} cannot be fitted to batches: use GalerkinEmbedding, "
            "LaplacianClassifier or LaplacianRegressor."
        )
    if not callable(batches) and iter(batches) is batches:
        raise ValueError(
            "The batches are read twice, but an iterator can be read only once: pass the function "
            "that creates it, for example fit.stream(model, read) with a generator function read."
        )
    return estimator.fit(Batches(batches if callable(batches) else partial(iter, batches)), None)


def joined(parts: list[Array]) -> Array:
    """Labels of all parts, as objects if some are texts and others are not."""
    parts = [part for part in parts if len(part)] or parts[:1]
    mixed = len({part.dtype.kind in "US" for part in parts}) > 1
    return np.concatenate([part.astype(object) for part in parts] if mixed else parts)


class Batches:
    """Rows in batches, in place of an array X.

    Parameters
    ----------
    read : callable
        Returns an iterator over batches.

    Attributes
    ----------
    columns : list
        Names of the columns, once a batch has been read; empty if they have none.
    """

    columns: list

    def __init__(self, read: Callable[[], Iterable]):
        self.read = read

    def rows(self, request: RowRequest) -> StreamedRows:
        """The rows, as far as a fit needs them, by one pass.

        Raises
        ------
        ValueError
            If there is no row, or the batches do not match.
        """
        n, total, rows, X_rows, y_rows, w_rows = 0, 0.0, [], [], [], []
        sample: Any = None  # reservoirs, created once the number of columns is known
        nodes: Any = None
        for X, y, w in self._parts():
            if sample is None:
                sample = sampling.Reservoir(request.sample(None, X.shape[1]))
                nodes = sampling.Reservoir(request.most_nodes(X.shape[1]))
            stop, labelled = n + len(X), np.empty(0, dtype=np.int64)
            if y is not None and request.is_labelled is not None:
                labelled = np.flatnonzero(request.is_labelled(y))
                rows.append(n + labelled)
                X_rows.append(X[labelled])
                y_rows.append(y[labelled])
                w_rows.append(w[labelled])
            sample.update(n, stop, None, X, w)
            if request.graph:
                nodes.update(n, stop, np.setdiff1d(np.arange(len(X)), labelled, True), X, w)
            n, total = stop, total + w.sum()
            report("reading rows", n)
        if not n:
            raise ValueError("There is no row of positive weight in the batches.")
        reservoirs = [part for part in (sample, nodes) if part.index.size]
        index = np.concatenate([*(part.index for part in reservoirs), *rows])
        index, first = np.unique(index, return_index=True)
        values = np.concatenate([*(part.columns[0] for part in reservoirs), *X_rows])[first]
        weights = np.concatenate([*(part.columns[1] for part in reservoirs), *w_rows])[first]
        return StreamedRows(
            n, index, values, partial(self.forms, n),
            None if (weights == 1).all() else RowSubset(n, index, weights * (n / total)),
            np.concatenate(rows) if rows else None, joined(y_rows) if y_rows else None,
        )  # fmt: skip

    def forms(self, n: int, space, operator) -> Forms:
        """Forms over all rows, by another pass, which must give ``n`` rows again."""
        total, n_again = operators.Running(space, operator), 0
        for X, _, w in self._parts():
            n_again += len(X)
            total.update(X, None if (w == 1).all() else w)
        if n_again != n:
            raise ValueError(
                f"The batches had {n:,} rows of positive weight when they were first read, and "
                f"{n_again:,} now: each call of the function must begin with the first row."
            )
        return total.forms()

    def _parts(self) -> Iterator[tuple[Array, Array | None, Array]]:
        """X, y and weights of the batches, without rows of weight 0."""
        d = None
        X: Any
        for batch in self.read():
            X, y, w = (*batch, None, None)[:3] if isinstance(batch, tuple) else (batch, None, None)
            check_dense(X)  # which has no length
            if not len(X):
                continue
            columns = list(getattr(X, "column_names", None) or getattr(X, "columns", ()))
            X = check_points(X, keep_single=True)
            if d is None:
                d, self.columns = X.shape[1], columns
            y = None if y is None else entries_of(y)
            w = np.ones(len(X)) if w is None else check_weights(w, len(X), may_vanish=True)
            if X.shape[1] != d:
                raise ValueError(
                    f"The first batch has {d} columns, and a later one {X.shape[1]}: all need the "
                    "same."
                )
            if y is not None and len(y) != len(X):
                raise ValueError(
                    f"A batch has {len(y)} labels for {len(X)} rows: give one for each row."
                )
            for first, now in zip_longest(self.columns, columns):
                if first != now:
                    raise ValueError(
                        f"A column is {first!r} in the first batch and {now!r} in a later one: all "
                        "batches need the same columns in the same order."
                    )
            if not w.all():
                X, y, w = X[w > 0], None if y is None else y[w > 0], w[w > 0]
            if len(X):
                yield X, y, w
