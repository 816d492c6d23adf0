"""Gradients along known directions: all axes, matrix fields, spheres, tori, given vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_points, check_shape

Array = np.ndarray


@dataclass(frozen=True)
class Laplacian:
    """ℒ = ∇*∇ with the gradient of the ambient space: energy E‖∇g‖² (SSL21 eq. 2)."""

    name = "laplacian"
    title = "Ambient Laplacian"

    def directions(self, X: Array) -> None:
        return None


@dataclass(frozen=True)
class WeightedLaplacian:
    """Energy E[∇gᵀ A(x) ∇g] for a field of positive semi-definite matrices A(x).

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
        if values.min(initial=0.0) < -1e-8 * np.abs(values).max(initial=0.0):
            raise ValueError("weight(X) must be positive semi-definite at every sample.")
        return np.sqrt(np.maximum(values, 0.0))[:, :, None] * vectors.swapaxes(1, 2)


@dataclass(frozen=True, eq=False)
class GivenDirections:
    """Directions already known at the samples, in their order (TangentProp, GAL23 eq. 19).

    Parameters
    ----------
    frames : array (n, q, d), the vectors u_1(x_i), …, u_q(x_i) at every sample
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
        """The directions at a subset of the samples."""
        return GivenDirections(self.directions(X)[rows])


@dataclass(frozen=True)
class SphereTangent:
    """Tangential gradient on a sphere (or concentric spheres, or circles) about ``center``.

    A(x) = I − ννᵀ with ν = (x − center)/‖x − center‖: d − 1 directions. On a manifold the ambient
    gradient also has a normal part, which depends on how the kernel extends a function off the
    manifold; without it the eigenvalues on S^{d−1} are s(s + d − 2).

    Parameters
    ----------
    center : tuple of d floats, or None for the origin
    """

    center: tuple[float, ...] | None = None
    name = "sphere"
    title = "Tangential to the sphere"

    def directions(self, X: Array) -> Array:
        X = check_points(X)
        X = X if self.center is None else X - check_shape("center", self.center, X.shape[1:])
        radius = np.linalg.norm(X, axis=1, keepdims=True)
        axis = np.zeros(X.shape[1])
        axis[0] = 1.0
        normal = np.where(radius > 0, X / np.where(radius > 0, radius, 1.0), axis)
        # Householder: I − 2wwᵀ maps ±e_1 to ν, so its other columns span the tangent space.
        w = normal.copy()
        w[:, 0] += np.where(normal[:, 0] >= 0, 1.0, -1.0)
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        frames = -2.0 * w[:, 1:, None] * w[:, None, :]
        frames[:, np.arange(X.shape[1] - 1), np.arange(1, X.shape[1])] += 1.0
        return frames


@dataclass(frozen=True)
class TorusTangent:
    """Tangential gradient on a product of circles in the planes (x_1, x_2), (x_3, x_4), …"""

    name = "torus"
    title = "Tangential to the torus"

    def directions(self, X: Array) -> Array:
        X = check_points(X)
        n, d = X.shape
        if d % 2:
            raise ValueError(f"A product of circles has an even number of coordinates, got {d}.")
        frames = np.zeros((n, d // 2, d))
        for l in range(d // 2):
            pair = X[:, 2 * l : 2 * l + 2]
            radius = np.linalg.norm(pair, axis=1)
            radius[radius == 0] = 1.0
            frames[:, l, 2 * l] = -pair[:, 1] / radius
            frames[:, l, 2 * l + 1] = pair[:, 0] / radius
        return frames
