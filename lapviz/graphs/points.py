"""Rescaled points, their distances by differences, and neighbours by matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import memory
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray

MOST_NEIGHBOURS = 64  # up to which products pay off
_NUMBERS = 1 << 16  # coordinates at a time, which stay in the processor's cache
_PRODUCTS = 1 << 23  # products at a time
_STRIP = 512  # rows of products at a time, at most
_CANDIDATES = 32  # pairs that may be left for differences, per requested neighbour


def rescale(X) -> tuple[Array, Array, float]:
    """Points (n, d) centred and scaled into [−1, 1]; the centre, and the scale.

    Then r² neither over- nor underflows, and neighbour searches lose no digits far from 0.
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
    """Other points (m, d), shifted and scaled in the same way, and clipped at 1e100."""
    with np.errstate(over="ignore"):
        return np.clip((np.asarray(X, dtype=float) - centre) / scale, -1e100, 1e100)


def row_distances(A: Array, B: Array, near: Array) -> Array:
    """‖a_i − b_near(i,j)‖, (m, k), by differences: exact zeros, unlike fast neighbour searches."""
    squares = squared_distances(A, B, np.arange(len(A)).repeat(near.shape[1]), near.ravel())
    return np.sqrt(squares).reshape(near.shape)


def coincide(points: Array, others: Array) -> Array:
    """Whether each point equals the point in row ``others`` (n,); boolean (n,)."""
    out = np.empty(len(points), dtype=bool)
    for rows in blocks(len(points), max(1, _NUMBERS // max(1, points.shape[1]))):
        out[rows] = (points[rows] == points[others[rows]]).all(axis=1)
    return out


def squared_distances(A: Array, B: Array, first: Array, second: Array) -> Array:
    """‖a_i − b_j‖² of pairs i, j (m,), by differences."""
    out = np.empty(len(first))
    for pairs in blocks(len(first), max(1, _NUMBERS // max(1, A.shape[1]))):
        difference = A[first[pairs]].astype(np.float64, copy=False)
        difference -= B[second[pairs]]
        out[pairs] = np.einsum("ij,ij->i", difference, difference)
    return out


def without_self(near: Array, rows: Array) -> Array:
    """Remove from the neighbours (m, k + 1) of some rows the row itself, or else the last."""
    others = near != rows[:, None]
    others[others.all(axis=1), -1] = False
    return near[others].reshape(len(near), -1)


@dataclass(frozen=True, eq=False)
class Products:
    """Exact search by products in float32, |a − b|² = |a|² + |b|² − 2 aᵀb, and differences.

    In rounded numbers (unit u = 2⁻²⁴) with d columns the error of the right side is at most
    (d + 8) u (|a| + |b|)², whatever the order of summation. A point whose product exceeds the
    k-th smallest by more than twice that is not a neighbour.
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
        """Twice the largest error of products with any of the points."""
        norms = np.sqrt(squares, dtype=float) + np.sqrt(self.squares.max(), dtype=float)
        return (2 * (self.rows.shape[1] + 8) * 2.0**-24 * norms**2).astype(np.float32)

    def _step(self, k: int) -> int:
        numbers = min(_PRODUCTS, memory.available_memory() // 64)
        return max(4 * k, min(_STRIP, numbers // len(self.rows)))

    def query_all(self, k: int) -> Array | None:
        """Neighbours (n, k) of the points, each without itself; None if too many candidates remain.

        Each pair of blocks is multiplied once: a strip of rows meets the points from its own first
        one on, and tightens the bounds both of its rows and of those points.
        """
        n = len(self.rows)
        slack = self._slack(self.squares)
        bound = np.full(n, np.inf, dtype=np.float32)
        candidates, count = [], 0
        for strip in blocks(n, self._step(k)):
            report("neighbours", strip.start, n)
            first, size = strip.start, strip.stop - strip.start
            c = self._products(self.rows[strip], self.squares[strip], first)
            c[np.arange(size), np.arange(size)] = np.inf
            for part, products in ((strip, c), (slice(strip.stop, n), c[:, size:].T)):
                bound[part] = np.minimum(bound[part], _kth(products, k) + slack[part])
            close = c <= bound[strip, None]
            close |= c <= bound[first:]
            i, j = np.divmod(np.flatnonzero(close), c.shape[1])
            upper = i < j
            i, j = i[upper], j[upper]
            candidates.append((i + first, j + first, c[i, j]))
            count += len(i)
            if count > _CANDIDATES * k * n:
                return None
        i, j, c = (np.concatenate(arrays) for arrays in zip(*candidates, strict=True))
        i, j, c = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([c, c])
        close = c <= bound[i]
        return self._nearest(self.points, i[close], j[close], c[close], slack, k)

    def query(self, A: Array, k: int) -> Array | None:
        """Neighbours (m, k) of other points; None if too many candidates remain."""
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
        """Approximate |a − b|² of some rows and all points from number ``first`` on."""
        c = rows @ self.rows[first:].T
        c *= -2
        c += squares[:, None]
        c += self.squares[first:]
        return c

    def _nearest(self, A: Array, i: Array, j: Array, c: Array, slack: Array, k: int) -> Array:
        """The k nearest points (m, k) by differences, among pairs of a row i of A and a point j."""
        order = np.lexsort((c, i))
        i, j, c = i[order], j[order], c[order]
        start = np.searchsorted(i, np.arange(len(A)))
        close = c <= (c[start + k - 1] + slack)[i]
        i, j = i[close], j[close]
        order = np.lexsort((j, squared_distances(A, self.points, i, j), i))
        start = np.searchsorted(i, np.arange(len(A)))
        return j[order][start[:, None] + np.arange(k)]


def _squares(rows: Array) -> Array:
    """Squared norms, summed in float64."""
    return np.einsum("ij,ij->i", rows, rows, dtype=float).astype(np.float32)


def _kth(c: Array, k: int) -> Array:
    """Upper bound of the k-th smallest of each row of c (b, m), from minima of column groups."""
    m = c.shape[1]
    if m < k:
        return np.full(len(c), np.inf, dtype=c.dtype)
    groups = min(m, max(4 * k, m // 16))
    minima = c[:, :groups].copy(order="K")
    for start in range(groups, m - groups + 1, groups):
        np.minimum(minima, c[:, start : start + groups], out=minima)
    return np.partition(minima, k - 1, axis=1)[:, k - 1]
