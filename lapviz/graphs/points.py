"""What searches for neighbours share: points near 1, and distances by differences."""

from __future__ import annotations

import numpy as np

from lapviz.linalg import blocks

Array = np.ndarray

_NUMBERS = 1 << 16  # of points at a time, which stay in the processor's cache


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
