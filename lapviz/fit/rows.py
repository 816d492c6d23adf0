"""Rows that are not held in memory: their number, those that are, and their forms by a pass.

    Dask collections ─┐  a pass over the rows        a pass for each call of forms
    generators of   ──┴─> StreamedRows: n, sample, labels ──> Forms
    batches

A fit looks at few rows: a sample (:mod:`lapviz.spaces.sampling`), the labelled ones, the nodes of a
graph. These are held under their own numbers, so that the steps of a fit index rows that are
elsewhere as they index an array. All others enter through sums alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.fit import auto, few_labels
from lapviz.fit.specs import SpaceSpec
from lapviz.forms import Forms
from lapviz.spaces import sampling

Array = np.ndarray


class RowSubset:
    """Some rows of an array, to be indexed by their numbers in the whole.

    Parameters
    ----------
    n : int, rows of the whole
    index : int array (m,), ascending
    values : array (m, …)
    """

    def __init__(self, n: int, index: Array, values: Array):
        self.n, self.index, self.values = n, index, values

    def __len__(self) -> int:
        return self.n

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the full array."""
        return (self.n, *self.values.shape[1:])

    @property
    def ndim(self) -> int:
        """1 or 2."""
        return self.values.ndim

    def __getitem__(self, rows: Array | slice) -> Array:
        """Rows of the whole; those that are not held cannot be had."""
        if isinstance(rows, slice):
            if rows == slice(None):
                if len(self.index) == self.n:
                    return self.values
                raise IndexError(f"{self.n} rows are not held, only {len(self.index)} of them.")
            rows = np.arange(self.n)[rows]
        places = np.searchsorted(self.index, rows)
        there = places < len(self.index)
        if not there.all() or not np.array_equal(self.index[places], rows):
            raise IndexError("Some of these rows are not held.")
        return self.values[places]


class StreamedRows(RowSubset):
    """Rows that are not held in memory, but for those that a fit looks at.

    Parameters
    ----------
    n, index, values : as for :class:`RowSubset`
    forms : callable, (space, operator) to :class:`lapviz.forms.Forms` over all rows
        The operator is one that each row determines (:func:`lapviz.operators.by_rows`).
    weights : RowSubset or None
        Weights of the rows held.
    labelled : int array (m,), ascending
    targets : array (m, …) or None, their labels or values
    """

    def __init__(
        self,
        n: int,
        index: Array,
        values: Array,
        forms: Callable[..., Forms],
        weights: RowSubset | None = None,
        labelled: Array | None = None,
        targets: Array | None = None,
    ):
        super().__init__(n, index, values)
        self.forms, self.weights = forms, weights
        self.labelled = np.empty(0, dtype=np.int64) if labelled is None else labelled
        self.targets = targets


@dataclass(frozen=True)
class RowRequest:
    """Which rows a fit will look at.

    Attributes
    ----------
    space : SpaceSpec
        Decides the size of the sample.
    is_labelled : callable or None
        Targets of a part of the rows to the mask of the labelled ones; None: there are none.
    graph : bool
        Whether the energy is that of a graph over some rows.
    nodes : bool
        Whether these may be all functions there are.
    """

    space: SpaceSpec
    is_labelled: Callable[[Array], Array] | None = None
    graph: bool = False
    nodes: bool = False

    def most_nodes(self, n_features: int) -> int:
        """How many rows a graph may be over."""
        if not self.graph:
            return 0
        return few_labels.most_nodes(n_features) if self.nodes else few_labels.MOST_NODES

    def sample(self, n: int | None, n_features: int) -> int:
        """Rows in the sample; of an unknown number of rows (None) as many as it may have."""
        p = self.space.n_landmarks
        if not isinstance(self.space.landmarks, str):
            p = len(self.space.landmarks)
        elif isinstance(p, str):
            p = few_labels.MOST if self.graph else auto.landmarks(n or 1 << 62)
        return sampling.size(min(p, n or p), n_features)

    def index(self, n: int, n_features: int, labelled: Array) -> Array:
        """The rows of n that are to be held, ascending."""
        sample = sampling.rows(n, self.sample(n, n_features))
        if isinstance(sample, slice):
            return np.arange(n)
        held = np.union1d(sample, labelled)
        if self.graph:
            nodes = few_labels.nodes(n, labelled, self.most_nodes(n_features))
            held = np.union1d(held, nodes)
        return held
