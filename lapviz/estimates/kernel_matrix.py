"""A kernel matrix as a product with vectors, with as much of it in memory as there is room for.

What is kept are the first rows, K = [[A, B], [Bᵀ, C]] with [A B] stored: then only C is computed
anew for each product. So a sample that is a little too large costs a little more time.
"""

from __future__ import annotations

import numpy as np

from lapviz import memory
from lapviz.kernels import Kernel
from lapviz.linalg import blocks

Array = np.ndarray
SHARE = 0.5  # of the memory that is available, for one matrix
_BLOCK = 1 << 22  # numbers of it that are computed at once


class KernelMatrix:
    """k(X, X), called as v ↦ k(X, X)v for v of shape (n,) or (n, k).

    Parameters
    ----------
    kernel : Kernel
    X : array (n, d)
    max_bytes : int, optional
        Bytes that may be stored, by default half of the memory available.

    Attributes
    ----------
    stored : array (m, n), the first m ≤ n rows
    """

    def __init__(self, kernel: Kernel, X: Array, max_bytes: int | None = None):
        self.kernel, self.X, n = kernel, X, len(X)
        room = int(SHARE * memory.available_memory()) if max_bytes is None else max_bytes
        self.stored = np.empty((min(n, room // (8 * n)), n))
        for rows in blocks(len(self.stored), max(1, _BLOCK // n)):
            self.stored[rows] = kernel(X[rows], X)

    @property
    def whole(self) -> bool:
        """Whether all of it is stored."""
        return len(self.stored) == len(self.X)

    def __call__(self, v: Array) -> Array:
        m, rest = len(self.stored), self.X[len(self.stored) :]
        out = np.empty(v.shape)
        out[:m] = self.stored @ v
        out[m:] = self.stored[:, m:].T @ v[:m]
        for rows in blocks(len(rest), max(1, _BLOCK // max(len(rest), 1))):
            out[m:][rows] += self.kernel(rest[rows], rest) @ v[m:]
        return out

    def between(self, left: Array, right: Array):
        """v ↦ k(X_left, X_right)v for masks or indices of rows, without another matrix."""

        def product(v: Array) -> Array:
            padded = np.zeros((len(self.X), *v.shape[1:]))
            padded[right] = v
            return self(padded)[left]

        return product
