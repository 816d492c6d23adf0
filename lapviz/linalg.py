"""BLAS helpers for forms and Gram matrices."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dsyrk

Array = np.ndarray


def add_squares(G: Array, total: Array) -> Array:
    """total += GᵀG on the upper triangle, in place; G is C-ordered, so that no copy is made.

    Parameters
    ----------
    G : array (n, p), C-ordered
    total : array (p, p), F-ordered

    Returns
    -------
    array (p, p), the same memory as ``total``
    """
    return dsyrk(1.0, G.T, beta=1.0, c=total, overwrite_c=1)


def mirror(upper: Array, tile: int = 256) -> Array:
    """Symmetric C-ordered matrix from the upper triangle of an F-ordered one, in place.

    Parameters
    ----------
    upper : array (p, p), F-ordered; entries below the diagonal are overwritten
    tile : int, rows handled at once

    Returns
    -------
    array (p, p), the transpose of ``upper``, symmetric
    """
    full = upper.T
    for start in range(0, len(full), tile):
        rows, below = slice(start, start + tile), slice(start + tile, None)
        corner = full[rows, rows]
        corner += np.tril(corner, -1).T - np.triu(corner, 1)
        full[rows, below] = full[below, rows].T
    return full
