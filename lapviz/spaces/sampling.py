"""A sample of rows that depends on their number and a seed only, not on how they are split.

Row i has a priority: 64 random bits from a counter-based generator (Philox; Salmon et al. 2011) at
counter i. The m rows of least priority are a uniform sample without replacement. Any part of the
rows can tell its own candidates, so that rows in memory, in chunks on many machines, or from a
generator give the same sample, in one pass and in memory O(m).

What the data are to choose (landmarks, σ, μ, tangents) is chosen from such a sample of at most
:func:`size` rows; smaller data are used whole.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

Array = np.ndarray

POOL = 50_000  # rows from which all is chosen that the data choose
PER_LANDMARK, LEAST_PER_LANDMARK = 64, 8  # plenty for cells that are spread out; for wide rows
NUMBERS = 1 << 21  # in a sample, about: of wide rows there are fewer
_STEP = 1 << 16  # priorities at once


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
        50 000, or 64 for each landmark; fewer of more than 41 features, but at least 8 for each.
    """
    room = NUMBERS // n_features
    many = min(PER_LANDMARK * n_landmarks, 2 * room)
    return max(min(POOL, room), many, LEAST_PER_LANDMARK * n_landmarks)


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
    first = start // 4  # four numbers for each count of the generator
    bits = np.random.Philox(key=seed, counter=first)
    return bits.random_raw(stop - 4 * first)[start - 4 * first :]


def rows(n: int, count: int, seed: int = 0, without: Array | None = None) -> Array | slice:
    """The sample of ``count`` of n rows.

    Parameters
    ----------
    n : int
        All rows.
    count : int
        Size of the sample.
    seed : int, default 0
        Key of the generator.
    without : int array, ascending, optional
        Rows that are not to be drawn.

    Returns
    -------
    int array or slice
        Ascending rows; a slice of everything if there are no more than ``count``.
    """
    if without is not None and len(without):
        return _drawn(n, count, seed, without)
    return slice(None) if n <= count else _kept(n, count, seed)


def sampled(X, n_landmarks: int):
    """The rows of X from which p landmarks and all else are chosen: X itself if it is small.

    Parameters
    ----------
    X : array (n, d)
        Or anything with a shape that can be indexed by rows.
    n_landmarks : int
        p.

    Returns
    -------
    array (m, d)
        Rows in their order.
    """
    return X[rows(len(X), size(n_landmarks, X.shape[1]))]


@lru_cache(maxsize=8)  # every step of a fit asks for the same sample
def _kept(n: int, count: int, seed: int) -> Array:
    found = _drawn(n, count, seed)
    found.flags.writeable = False
    return found


def _drawn(n: int, count: int, seed: int, without: Array | None = None) -> Array:
    sample = Reservoir(count, seed)
    for start in range(0, n, _STEP):
        part = np.arange(start, min(start + _STEP, n))
        if without is not None:
            part = np.setdiff1d(part, without[np.searchsorted(without, start) :], True)
        sample.update(start, min(start + _STEP, n), part - start)
    return sample.index


class Reservoir:
    """The sample of rows that come in parts, and whose number is not known before.

    Parameters
    ----------
    count : int
        Rows kept.
    seed : int, default 0

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> kept = Reservoir(10)
    >>> for start in range(0, 1000, 300):
    ...     part = X[start : start + 300]
    ...     kept.update(start, start + len(part), None, part)
    >>> bool((kept.index == rows(1000, 10)).all() and (kept.columns[0] == X[kept.index]).all())
    True
    """

    def __init__(self, count: int, seed: int = 0):
        self.count, self.seed = count, seed
        self._parts: list[list[Array]] = []  # index, priority, columns
        self._held = 0
        self._bound: np.uint64 | None = None  # rows of higher priority are not in the sample

    def update(self, start: int, stop: int, chosen: Array | None, *columns: Array) -> None:
        """Offer rows start, …, stop − 1, or of them those ``chosen``, counted from ``start``.

        ``columns`` are arrays over all rows of the range.
        """
        priority = priorities(start, stop, self.seed)
        here = np.arange(stop - start) if chosen is None else chosen
        if self._bound is not None:
            here = here[priority[here] < self._bound]
        if len(here):
            self._parts.append([here + start, priority[here], *(c[here] for c in columns)])
            self._held += len(here)
        if self._held > 2 * self.count:
            self._settle()

    def _settle(self) -> list[Array]:
        """Drop what is not in the sample; all parts as one."""
        if not self._parts:
            return [np.empty(0, dtype=np.int64)]
        whole = [np.concatenate(same) for same in zip(*self._parts, strict=True)]
        if len(whole[0]) > self.count:
            these = np.argpartition(whole[1], self.count - 1)[: self.count]
            whole = [each[these] for each in whole]
            self._bound = whole[1].max()
        self._parts, self._held = [whole], len(whole[0])
        return whole

    @property
    def index(self) -> Array:
        """Rows of the sample, ascending."""
        return np.sort(self._settle()[0])

    @property
    def columns(self) -> list[Array]:
        """The columns' parts at these rows."""
        index, *rest = self._settle()
        order = np.argsort(index)
        return [column[order] for column in rest[1:]]
