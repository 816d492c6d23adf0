"""Which points are far from all data: beyond the reach of the kernels at the landmarks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.kernels import Kernel
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace

Array = np.ndarray

BLOCK = 4096  # rows handled at once
FAR = 0.01  # of the least value of a sample: there scores have lost 99 % of their size


@dataclass(frozen=True, eq=False)
class Reach:
    """How near to the landmarks points are: the largest k(x, c) over the landmarks c.

    Attributes
    ----------
    kernel : Kernel, a function of x − c
    centres : array (p, d), the landmarks
    least : float, the least value over the sample
    """

    kernel: Kernel
    centres: Array
    least: float

    @classmethod
    def of(cls, kernel: Kernel, centres: Array | None, X: Array) -> Reach | None:
        """That of a sample X (n, d); None where functions do not vanish far from landmarks."""
        if centres is None or not kernel.shift_invariant:
            return None
        least = float(_nearness(kernel, centres, X).min())
        return cls(kernel, centres, max(least, np.finfo(float).tiny))

    def share(self, X: Array) -> Array:
        """1 at points as near as the sample is, and less beyond, towards 0; (n,)."""
        return self.share_of(_nearness(self.kernel, self.centres, X))

    def share_of(self, nearness: Array) -> Array:
        """The same from the largest k(x, c) at each point, (n,)."""
        return np.minimum(nearness / self.least, 1.0)

    def far(self, X: Array) -> Array:
        """Which points are far from all data, boolean (n,)."""
        return self.share(X) < FAR

    def evaluate(self, space: TrialSpace, X: Array, coefficients: Array) -> tuple[Array, Array]:
        """Values (n, k) of functions of the landmarks' kernels, and :meth:`share` (n,)."""
        values, near = np.empty((len(X), coefficients.shape[1])), np.empty(len(X))
        for rows, phi in space.blocks(X):
            values[rows] = phi @ coefficients
            near[rows] = phi[:, space.constant :].max(axis=1)
        return values, self.share_of(near)


def _nearness(kernel: Kernel, centres: Array, X: Array) -> Array:
    parts = (X[rows] for rows in blocks(len(X), BLOCK))
    return np.concatenate([kernel(part, centres).max(axis=1) for part in parts])
