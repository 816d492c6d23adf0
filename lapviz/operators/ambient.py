"""The ambient gradient, plain or weighted by a field of matrices, and directions that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_points, check_shape
from lapviz.operators.base import register

Array = np.ndarray


@register
@dataclass(frozen=True)
class Laplacian:
    """ℒ = ∇*∇ with the gradient of the ambient space: energy E‖∇g‖² (SSL21 eq. 2)."""

    name = "laplacian"
    title = "Ambient Laplacian"

    def directions(self, X: Array) -> None:
        return None


@dataclass(frozen=True)
class WeightedLaplacian:
    """Energy E[∇gᵀ A(x) ∇g] for a field of positive semi-definite matrices.

    Parameters
    ----------
    weight : callable, points (n, d) to symmetric matrices A(x), array (n, d, d)
    """

    weight: Callable[[Array], Array]
    name = "weighted"
    title = "Weighted Laplacian"

    def directions(self, X: Array) -> Array:
        X = check_points(X)
        A = check_shape("weight(X)", self.weight(X), (*X.shape, X.shape[1]))
        values, vectors = np.linalg.eigh(0.5 * (A + A.swapaxes(1, 2)))
        if values.min(initial=0.0) < -1e-8 * np.abs(values).max(initial=1.0):
            raise ValueError("weight(X) must be positive semi-definite at every sample.")
        return np.sqrt(np.maximum(values, 0.0))[:, :, None] * vectors.swapaxes(1, 2)


@dataclass(frozen=True, eq=False)
class GivenDirections:
    """Directions already known at the samples, in their order (TangentProp, GAL23 eq. 19).

    Parameters
    ----------
    frames : array (n, q, d), the vectors u_1(x_i), …, u_q(x_i) of every sample
    """

    frames: Array
    name = "directions"
    title = "Given directions"

    def directions(self, X: Array) -> Array:
        frames = np.asarray(self.frames, dtype=float)
        if frames.ndim != 3 or frames.shape[::2] != np.shape(X):
            raise ValueError(
                f"frames must have shape (n_samples, q, n_features) for X of shape {np.shape(X)}, "
                f"got {frames.shape}: give directions for exactly these samples."
            )
        return frames

    def at_rows(self, X: Array, rows: Array) -> GivenDirections:
        """The directions at some of the samples."""
        return GivenDirections(self.directions(X)[rows])
