"""The trial space of the representer theorem: kernel functions and their slopes at every sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lapviz import memory
from lapviz.checks import check_points
from lapviz.kernels import Kernel
from lapviz.linalg import mirror
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class RepresenterSpace(TrialSpace):
    """Span of k(·, x_i) and ∂_l k(·, x_i) at n points, and optionally the constant 1 (first).

    n(d + 1) functions: the n values, then the n slopes along coordinate 1, then 2, …, where
    ∂_l k(·, x) is the derivative in the *second* argument: ⟨∂_l k(·, x), g⟩_H = ∂_l g(x).

    Parameters
    ----------
    kernel : Kernel with a ``curvature``
    points : array (n, d)
    constant : bool, default False

    Raises
    ------
    ValueError
        If the kernel has no mixed second derivatives (the exponential one).
    """

    kernel: Kernel
    points: Array
    constant: bool = False

    def __post_init__(self):
        object.__setattr__(self, "points", check_points(self.points, "points"))
        self.kernel.curvature(np.zeros((1, 1)))  # raises here rather than at the first gradient

    @property
    def n_points(self) -> int:
        return len(self.points)

    @property
    def n_features(self) -> int:
        return self.points.shape[1]

    @property
    def n_functions(self) -> int:
        return self.n_points * (self.n_features + 1) + self.constant

    @cached_property
    def gram(self) -> Array:
        """RKHS inner products: values and slopes of the functions at the points."""
        gram = np.zeros((self.n_functions,) * 2)
        self._write(gram[self.constant :], self.points)
        gram[:, : self.constant] = 0.0
        return mirror(gram.T)  # rounding may differ between the triangles

    def phi(self, X: Array) -> Array:
        """Values (n, n_functions)."""
        X = self.check(X)
        return self._write(np.empty((len(X), self.n_functions)), X)

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, n_functions)."""
        X = self.check(X)
        n, d = X.shape
        values_and_slopes = self._write(np.empty(((d + 1) * n, self.n_functions)), X)
        slopes = values_and_slopes[n:].reshape(d, n, self.n_functions)
        return np.ascontiguousarray(slopes.swapaxes(0, 1))

    def _write(self, out: Array, X: Array) -> Array:
        """Write values at X and, if ``out`` has rows for them, slopes into ``out``."""
        C, (n, d), first = self.points, X.shape, int(self.constant)
        p = len(C)
        out[:n, :first], out[n:, :first] = 1.0, 0.0

        def block(m: int, l: int) -> Array:  # 0 for values, 1 + l for slopes along l
            return out[m * n : (m + 1) * n, first + l * p : first + (l + 1) * p]

        value, left, right, sign = self.kernel.jet(X, C)
        slopes = len(out) > n
        w: Any = self.kernel.curvature(value) if slopes else None
        q, t = block(0, 0), np.empty_like(value)
        self.kernel.profile(value, q, t)
        for l in range(d):
            np.multiply(t, right[l], out=block(0, 1 + l))
            block(0, 1 + l)[:] *= sign
        for m in range(d if slopes else 0):
            np.multiply(t, left[m], out=block(1 + m, 0))
            for l in range(d):
                mixed = block(1 + m, 1 + l)
                np.multiply(w, left[m], out=mixed)  # in this order nothing overflows at r = 0
                mixed *= right[l]
                if l == m:
                    mixed += t
                mixed *= sign
        return out


def required_bytes(n_points: int, n_features: int) -> int:
    """Bytes needed by the exact solve: two matrices of n(d + 1) rows and columns."""
    return 16 * (n_points * (n_features + 1)) ** 2


def check_size(
    n_points: int, n_features: int, max_bytes: int | None = None,
    otherwise: str = "LaplacianRegressor or LaplacianClassifier, whose trial space you choose",
) -> None:  # fmt: skip
    """Raise if the exact solve exceeds ``max_bytes``, by default three quarters of the memory.

    The message says what to use ``otherwise``.

    Raises
    ------
    MemoryError
        With the number of bytes needed.
    """
    needed = required_bytes(n_points, n_features)
    limit = memory.memory_limit() if max_bytes is None else max_bytes
    if needed > limit:
        fits = int((limit / 16) ** 0.5 / (n_features + 1))
        raise MemoryError(
            f"The exact estimate over {n_points} points in {n_features} "
            f"dimension{'s' * (n_features != 1)} has "
            f"{n_points * (n_features + 1)} functions and takes {memory.readable(needed)}; "
            f"{memory.readable(limit)} are allowed here. Use at most {fits} points, or "
            f"{otherwise}."
        )
