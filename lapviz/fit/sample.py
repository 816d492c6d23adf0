"""Rows with a memo, which keeps the results of the steps of a fit."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from lapviz import graphs, operators

Array = np.ndarray
SEARCHED = 10  # neighbours to search at once: no automatic graph has more
MAX_RESULTS = 16  # results in the memo of a fit: a few times S, M and K

# A memo returns the result stored under a key, computing it if there is none.
Memo = Callable[[tuple, Callable[[], Any]], Any]


class DictMemo(dict[Hashable, tuple[tuple, Any]]):
    """The last results, by the values in a key; objects without a hash, as arrays, by identity.

    Enough for one fit and for similar ones.
    """

    def __call__(self, key: tuple, compute: Callable[[], Any]) -> Any:
        hashable = _hashable(key)
        if hashable not in self:
            result = compute()
            while len(self) >= MAX_RESULTS:
                del self[next(iter(self))]
            self[hashable] = key, result  # keeping the key: no other object gets its identity
        return self[hashable][1]


def _hashable(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        if isinstance(value, tuple):
            return tuple(map(_hashable, value))
        if is_dataclass(value):
            inner = (_hashable(getattr(value, f.name)) for f in fields(value))
            return (type(value), *inner)
        return id(value)
    return value


@dataclass(frozen=True)
class Sample:
    """Named rows: two samples are equal if their names are.

    Attributes
    ----------
    name : hashable
        Part of every key of the memo.
    load : callable
        Returns the points (n, d), an array or :class:`lapviz.fit.StreamedRows`, and their weights
        (n,) or None.
    memo : callable, ``memo(key, compute)``
        Where results are kept; by default a dictionary that lives as long as the sample.
    """

    name: Hashable
    load: Callable[[], tuple[Any, Any]] = field(compare=False, repr=False)
    memo: Memo = field(compare=False, repr=False, default_factory=DictMemo)

    @classmethod
    def of(cls, X: Any, weights: Any = None) -> Sample:
        """A sample of points and weights, with its own memo."""
        return cls(object(), lambda: (X, weights))

    @property
    def X(self) -> Any:
        """The points."""
        return self.load()[0]

    @property
    def weights(self) -> Any:
        """Their weights, None if all are equal."""
        return self.load()[1]

    def keep(self, key: tuple, compute: Callable[[], Any]) -> Any:
        """The result of a step over this sample, from the memo if it is there."""
        return self.memo((self.name, *key), compute)

    def graph(self, operator: operators.Graph) -> Any:
        """The graph over the rows, with its weights."""

        def compute() -> operators.WeightedGraph:
            dense = operator.graph == "dense"
            near = None if dense else self.neighbours(operator.n_neighbors)
            return operators.WeightedGraph(operator, operator.weights_of(self.X, near))

        return self.keep(("graph", operator), compute)

    def neighbours(self, k: int) -> Array:
        """The nearest other rows (n, k); of fewer than 10, ten are searched, for later calls."""
        m = max(k, SEARCHED)
        neighbours = self.keep(("neighbours", m), lambda: graphs.search(self.X, m).neighbours())
        return graphs.past_copies(self.X, neighbours[:, :k])

    def part(self, name: Hashable, rows: Callable[[], Array | slice]) -> Sample:
        """A subset of the rows, which depends on this sample and the name alone."""

        def load():
            index = rows()
            return self.X[index], None if self.weights is None else self.weights[index]

        return Sample((self.name, name), lambda: self.keep(("part", name), load), self.memo)
