"""The rows of a fit, and the memo that keeps what steps over them gave."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

Array = np.ndarray
Result = TypeVar("Result")
MOST = 16  # results that a memo of a fit keeps: a few times S, M and K


class Memo(Protocol):
    """What a memo is: it returns the result kept under a key, computed if there is none."""

    def __call__(self, key: tuple, compute: Callable[[], Result]) -> Result: ...


class DictMemo:
    """Keeps the last results, by the values in a key; by identity what has no hash, as an array.

    They are enough for one fit, and for others that differ from it in little.
    """

    def __init__(self):
        self._kept: dict[Hashable, tuple[tuple, Any]] = {}

    def __call__(self, key: tuple, compute: Callable[[], Result]) -> Result:
        known = _hashable(key)
        if known not in self._kept:
            result = compute()
            while len(self._kept) >= MOST:
                del self._kept[next(iter(self._kept))]
            self._kept[known] = key, result  # the key is held: no other object gets its identity
        return self._kept[known][1]


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
    """Rows, under a name: two samples are equal if their names are.

    Attributes
    ----------
    name : hashable
        Part of every key of the memo.
    load : callable
        Returns the points (n, d), an array or :class:`lapviz.fit.StreamedRows`, and their weights
        (n,) or None.
    memo : callable, ``memo(key, compute)``
        Where results are kept. By default a dictionary, for as long as the sample is there.
    """

    name: Hashable
    load: Callable[[], tuple[Any, Any]] = field(compare=False, repr=False)
    memo: Memo = field(compare=False, repr=False, default_factory=DictMemo)

    @classmethod
    def of(cls, X: Any, weights: Any = None) -> Sample:
        """A sample of these points and weights, with a memo of its own."""
        return cls(object(), lambda: (X, weights))

    @property
    def X(self) -> Any:
        """The points."""
        return self.load()[0]

    @property
    def weights(self) -> Any:
        """Their weights, None if all are equal."""
        return self.load()[1]

    def keep(self, key: tuple, compute: Callable[[], Result]) -> Result:
        """The result of a step over this sample."""
        return self.memo((self.name, *key), compute)

    def part(self, name: Hashable, rows: Callable[[], Array | slice]) -> Sample:
        """Some of the rows; they depend on this sample and the name alone."""

        def load():
            index = rows()
            return self.X[index], None if self.weights is None else self.weights[index]

        return Sample((self.name, name), lambda: self.keep(("part", name), load), self.memo)
