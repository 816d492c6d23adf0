"""Sums of trial spaces: linear functions beside kernel functions, for example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class LinearSpace(TrialSpace):
    """The constant 1 and the coordinates (x_l − center_l)/scale.

    The Gram matrix is the identity, with a zero for the constant.

    Parameters
    ----------
    center : array (d,)
    scale : float
    """

    center: Array
    scale: float = 1.0
    constant = True

    @property
    def n_features(self) -> int:
        return len(self.center)

    @property
    def n_functions(self) -> int:
        return len(self.center) + 1

    def phi(self, X: Array) -> Array:
        """Values (n, d + 1)."""
        X = self.check(X)
        return np.column_stack([np.ones(len(X)), (X - self.center) / self.scale])

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, d + 1)."""
        slopes = np.eye(self.n_features, self.n_functions, 1) / self.scale
        return np.broadcast_to(slopes, (len(self.check(X)), *slopes.shape)).copy()


@dataclass(frozen=True, eq=False)
class DirectSum(TrialSpace):
    """Functions of several trial spaces side by side, orthogonal in the norm that μ weighs.

    Parameters
    ----------
    parts : tuple of TrialSpace
        Over the same features. Only the first may have the constant.
    """

    parts: tuple[TrialSpace, ...]

    @property
    def constant(self) -> bool:  # type: ignore[override]
        return self.parts[0].constant

    @property
    def n_features(self) -> int:
        return self.parts[0].n_features

    @property
    def n_functions(self) -> int:
        return sum(part.n_functions for part in self.parts)

    @property
    def gram(self) -> Array:
        return block_diag(*(part.gram for part in self.parts))

    def phi(self, X: Array) -> Array:
        """Values (n, n_functions)."""
        return np.hstack([part.phi(X) for part in self.parts])

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, n_functions)."""
        return np.concatenate([part.gradient(X) for part in self.parts], axis=2)
