"""Points near 1, distances between them by differences, and neighbours by matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import memory
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray

MOST_NEIGHBOURS = 64  # for which products pay
_NUMBERS = 1 << 16  # of points at a time, which stay in the processor's cache
_PRODUCTS = 1 << 23  # products at a time
_STRIP = 512  # rows of products at a time, at most
_CANDIDATES = 32  # pairs that may be left for differences, for each neighbour asked for


def rescale(X) -> tuple[Array, Array, float]:
    """Points (n, d) centred and scaled into [−1, 1]; the centre, and the scale.

    r² then neither over- nor underflows, and neighbour searches lose no digits far from 0.
    """
    X = np.asarray(X)
    X = X if X.dtype == np.float32 else X.astype(float, copy=False)
    low, high = X.min(axis=0).astype(float), X.max(axis=0).astype(float)
    centre = low / 2 + high / 2
    scale = np.maximum(high - centre, centre - low).max(initial=0.0) or 1.0
    points = X - centre
    points /= scale
    return points, centre, scale


def to_unit(X, centre: Array, scale: float) -> Array:
    """Other points (m, d), moved and scaled likewise, and cut at 1e100."""
    with np.errstate(over="ignore"):
        return np.clip((np.asarray(X, dtype=float) - centre) / scale, -1e100, 1e100)


def row_distances(A: Array, B: Array, near: Array) -> Array:
    """‖a_i − b_near(i,j)‖, (m, k), by differences: exact zeros, unlike fast neighbour searches."""
    squares = squared_distances(A, B, np.arange(len(A)).repeat(near.shape[1]), near.ravel())
    return np.sqrt(squares).reshape(near.shape)


def coincide(points: Array, others: Array) -> Array:
    """Which points are the same as another row, whose number is given (n,); boolean (n,)."""
    out = np.empty(len(points), dtype=bool)
    for some in blocks(len(points), max(1, _NUMBERS // max(1, points.shape[1]))):
        out[some] = (points[some] == points[others[some]]).all(axis=1)
    return out


def squared_distances(A: Array, B: Array, first: Array, second: Array) -> Array:
    """‖a_i − b_j‖² of pairs i, j (m,), by differences."""
    out = np.empty(len(first))
    for some in blocks(len(first), max(1, _NUMBERS // max(1, A.shape[1]))):
        gap = A[first[some]]
        gap -= B[second[some]]
        out[some] = np.einsum("ij,ij->i", gap, gap)
    return out


def without_own(near: Array, rows: Array) -> Array:
    """Neighbours (m, k + 1) of some rows without the row itself, or without the last."""
    others = near != rows[:, None]
    others[others.all(axis=1), -1] = False
    return near[others].reshape(len(near), -1)


@dataclass(frozen=True, eq=False)
class Products:
    """Exact search by products in float32, |a − b|² = |a|² + |b|² − 2 aᵀb, and differences.

    For rounded numbers (unit u = 2⁻²⁴) of d columns the right side errs by at most
    (d + 8) u (|a| + |b|)², whatever the order of summation. A point whose product is larger than
    the k-th least by more than twice that is no neighbour.
    """

    points: Array
    mean: Array
    rows: Array  # float32, centred
    squares: Array

    @classmethod
    def of(cls, points: Array) -> Products:
        mean = points.mean(axis=0)
        rows = np.empty(points.shape, dtype=np.float32)
        for part in blocks(len(points), _STRIP):
            np.subtract(points[part], mean, out=rows[part], casting="same_kind")
        return cls(points, mean, rows, _squares(rows))

    def _slack(self, squares: Array) -> Array:
        """Twice the error of products with any of the points."""
        far = np.sqrt(squares, dtype=float) + np.sqrt(self.squares.max(), dtype=float)
        return (2 * (self.rows.shape[1] + 8) * 2.0**-24 * far**2).astype(np.float32)

    def _step(self, k: int) -> int:
        numbers = min(_PRODUCTS, memory.available_memory() // 64)
        return max(4 * k, min(_STRIP, numbers // len(self.rows)))

    def among(self, k: int) -> Array | None:
        """Neighbours (n, k) of the points, each without itself; None if products decide too little.

        Of two blocks of rows only one product is computed: a strip of rows meets the points from
        its own first one on, and narrows what may be a neighbour both of its rows and of those.
        """
        n = len(self.rows)
        slack = self._slack(self.squares)
        bound = np.full(n, np.inf, dtype=np.float32)
        found, count = [], 0
        for strip in blocks(n, self._step(k)):
            report("neighbours", strip.start, n)
            first, size = strip.start, strip.stop - strip.start
            c = self._products(self.rows[strip], self.squares[strip], first)
            c[np.arange(size), np.arange(size)] = np.inf
            for part, seen in ((strip, c), (slice(strip.stop, n), c[:, size:].T)):
                bound[part] = np.minimum(bound[part], _kth(seen, k) + slack[part])
            near = c <= bound[strip, None]
            near |= c <= bound[first:]
            i, j = np.divmod(np.flatnonzero(near), c.shape[1])
            once = i < j
            i, j = i[once], j[once]
            found.append((i + first, j + first, c[i, j]))
            count += len(i)
            if count > _CANDIDATES * k * n:
                return None
        i, j, c = (np.concatenate(parts) for parts in zip(*found, strict=True))
        i, j, c = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([c, c])
        near = c <= bound[i]
        return self._nearest(self.points, i[near], j[near], c[near], slack, k)

    def near(self, A: Array, k: int) -> Array | None:
        """Neighbours (m, k) of other points; None if products decide too little."""
        out = np.empty((len(A), k), dtype=np.intp)
        for strip in blocks(len(A), self._step(k)):
            report("neighbours", strip.start, len(A))
            with np.errstate(over="ignore", invalid="ignore"):
                rows = (A[strip] - self.mean).astype(np.float32)
                squares = _squares(rows)
                slack = self._slack(squares)
                c = self._products(rows, squares)
                bound = _kth(c, k) + slack
            if not np.isfinite(bound).all():
                return None
            i, j = np.divmod(np.flatnonzero(c <= bound[:, None]), c.shape[1])
            if len(i) > _CANDIDATES * k * len(c):
                return None
            out[strip] = self._nearest(A[strip], i, j, c[i, j], slack, k)
        return out

    def _products(self, rows: Array, squares: Array, first: int = 0) -> Array:
        """|a − b|² of some rows and all points from the first on, with its errors."""
        c = rows @ self.rows[first:].T
        c *= -2
        c += squares[:, None]
        c += self.squares[first:]
        return c

    def _nearest(self, A: Array, i: Array, j: Array, c: Array, slack: Array, k: int) -> Array:
        """The k nearest (m, k) by differences, among pairs of a row i of A and a point j."""
        order = np.lexsort((c, i))
        i, j, c = i[order], j[order], c[order]
        start = np.searchsorted(i, np.arange(len(A)))
        near = c <= (c[start + k - 1] + slack)[i]
        i, j = i[near], j[near]
        order = np.lexsort((j, squared_distances(A, self.points, i, j), i))
        start = np.searchsorted(i, np.arange(len(A)))
        return j[order][start[:, None] + np.arange(k)]


def _squares(rows: Array) -> Array:
    """Squared norms, summed in float64."""
    return np.einsum("ij,ij->i", rows, rows, dtype=float).astype(np.float32)


def _kth(c: Array, k: int) -> Array:
    """At least the k-th least of each row of c (b, m): that of the least of groups of columns."""
    m = c.shape[1]
    if m < k:
        return np.full(len(c), np.inf, dtype=c.dtype)
    groups = min(m, max(4 * k, m // 16))
    least = c[:, :groups].copy(order="K")
    for start in range(groups, m - groups + 1, groups):
        np.minimum(least, c[:, start : start + groups], out=least)
    return np.partition(least, k - 1, axis=1)[:, k - 1]
