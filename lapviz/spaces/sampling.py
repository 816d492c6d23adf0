"""Samples of rows that depend only on the number of rows and a seed, not on how they are split.

Row i has a priority: 64 random bits from a counter-based generator (Philox; Salmon et al. 2011) at
counter i. The m rows of least priority are a uniform sample without replacement. Any part of the
rows determines its own candidates, so that rows in memory, in chunks on many machines, or from a
generator give the same sample, in one pass and in memory O(m).

All that is chosen from the data (landmarks, σ, μ, tangents) is chosen from such a sample of at
most :func:`size` rows; smaller data are used in full.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

Array = np.ndarray

POOL = 50_000  # rows in the sample, unless there are many features or landmarks
PER_LANDMARK, LEAST_PER_LANDMARK = 64, 8  # rows per landmark: plenty for cells; for wide data
NUMBERS = 1 << 21  # approximate limit of numbers in a sample, which bounds the rows of wide data
_STEP = 1 << 16  # priorities computed at once


def size(n_landmarks: int, n_features: int) -> int:
    """Rows of the sample from which p landmarks in d dimensions are drawn.

    Parameters
    ----------
    n_landmarks : int
        p.
    n_features : int
        d.

    Returns
    -------
    int
        50 000, or 64 per landmark; fewer beyond 41 features, but at least 8 per landmark.
    """
    limit = NUMBERS // n_features
    for_landmarks = min(PER_LANDMARK * n_landmarks, 2 * limit)
    return max(min(POOL, limit), for_landmarks, LEAST_PER_LANDMARK * n_landmarks)


def priorities(start: int, stop: int, seed: int = 0) -> Array:
    """Priorities of the rows start, …, stop − 1.

    Parameters
    ----------
    start, stop : int
        Range of rows.
    seed : int, default 0
        Key of the generator.

    Returns
    -------
    uint64 array (stop − start,)
        Independent random bits.
    """
    first = start // 4  # the generator gives four numbers per counter
    bits = np.random.Philox(key=seed, counter=first)
    return bits.random_raw(stop - 4 * first)[start - 4 * first :]


def rows(n: int, count: int, seed: int = 0, without: Array | None = None) -> Array | slice:
    """Sample ``count`` of n rows.

    Parameters
    ----------
    n : int
        Number of rows.
    count : int
        Size of the sample.
    seed : int, default 0
        Key of the generator.
    without : int array, ascending, optional
        Rows to exclude.

    Returns
    -------
    int array or slice
        Ascending rows; a slice of all rows if there are at most ``count``.
    """
    if without is not None and len(without):
        return _draw(n, count, seed, without)
    return slice(None) if n <= count else _draw_cached(n, count, seed)


def sampled(X, n_landmarks: int):
    """Rows of X from which p landmarks and everything else are chosen: all if there are few.

    Parameters
    ----------
    X : array (n, d)
        Or any object with a shape that can be indexed by rows.
    n_landmarks : int
        p.

    Returns
    -------
    array (m, d)
        Rows in their order.
    """
    return X[rows(len(X), size(n_landmarks, X.shape[1]))]


@lru_cache(maxsize=8)  # every step of a fit uses the same sample
def _draw_cached(n: int, count: int, seed: int) -> Array:
    index = _draw(n, count, seed)
    index.flags.writeable = False
    return index


def _draw(n: int, count: int, seed: int, without: Array | None = None) -> Array:
    sample = Reservoir(count, seed)
    for start in range(0, n, _STEP):
        part = np.arange(start, min(start + _STEP, n))
        if without is not None:
            part = np.setdiff1d(part, without[np.searchsorted(without, start) :], True)
        sample.update(start, min(start + _STEP, n), part - start)
    return sample.index


class Reservoir:
    """A sample of rows that arrive in parts and whose number is not known in advance.

    Parameters
    ----------
    count : int
        Size of the sample.
    seed : int, default 0

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> sample = Reservoir(10)
    >>> for start in range(0, 1000, 300):
    ...     part = X[start : start + 300]
    ...     sample.update(start, start + len(part), None, part)
    >>> bool((sample.index == rows(1000, 10)).all())
    True
    >>> bool((sample.columns[0] == X[sample.index]).all())
    True
    """

    def __init__(self, count: int, seed: int = 0):
        self.count, self.seed = count, seed
        self._parts: list[list[Array]] = []  # index, priority, columns
        self._n_candidates = 0
        self._bound: np.uint64 | None = None  # rows of higher priority are not in the sample

    def update(self, start: int, stop: int, chosen: Array | None, *columns: Array) -> None:
        """Offer rows start, …, stop − 1, or only those in ``chosen``, counted from ``start``.

        ``columns`` are arrays over all rows of the range.
        """
        priority = priorities(start, stop, self.seed)
        rows = np.arange(stop - start) if chosen is None else chosen
        if self._bound is not None:
            rows = rows[priority[rows] < self._bound]
        if len(rows):
            self._parts.append([rows + start, priority[rows], *(c[rows] for c in columns)])
            self._n_candidates += len(rows)
        if self._n_candidates > 2 * self.count:
            self._settle()

    def _settle(self) -> list[Array]:
        """Join the parts and drop the rows that are not in the sample."""
        if not self._parts:
            return [np.empty(0, dtype=np.int64)]
        arrays = [np.concatenate(parts) for parts in zip(*self._parts, strict=True)]
        if len(arrays[0]) > self.count:
            smallest = np.argpartition(arrays[1], self.count - 1)[: self.count]
            arrays = [array[smallest] for array in arrays]
            self._bound = arrays[1].max()
        self._parts, self._n_candidates = [arrays], len(arrays[0])
        return arrays

    @property
    def index(self) -> Array:
        """Rows of the sample, ascending."""
        return np.sort(self._settle()[0])

    @property
    def columns(self) -> list[Array]:
        """The columns at these rows."""
        arrays = self._settle()
        order = np.argsort(arrays[0])
        return [column[order] for column in arrays[2:]]
