"""What searches for neighbours share: points near 1, and distances by differences."""

from __future__ import annotations

import numpy as np

from lapviz.linalg import blocks

Array = np.ndarray


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
    out = np.empty(near.shape)
    step = max(1, (1 << 21) // max(1, near.shape[1] * A.shape[1]))
    for rows in blocks(len(A), step):
        gap = A[rows, None, :] - B[near[rows]]
        out[rows] = np.sqrt(np.einsum("ijl,ijl->ij", gap, gap))
    return out


def without_own(near: Array, rows: Array) -> Array:
    """Neighbours (m, k + 1) of some rows without the row itself, or without the last."""
    others = near != rows[:, None]
    others[others.all(axis=1), -1] = False
    return near[others].reshape(len(near), -1)
