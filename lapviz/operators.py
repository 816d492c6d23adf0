"""Operators: which derivatives of a function the Dirichlet energy counts.

Every operator here is a field of directions: at each sample x a few vectors u_1(x), …, u_q(x), and
the energy of g is the mean of Σ_l ⟨u_l(x), ∇g(x)⟩². The ambient Laplacian takes the d coordinate
axes, a tangential one an orthonormal basis of the tangent space, a weighted one the columns of a
square root of A(x). Building S from squares GᵀG keeps it positive whatever the rounding.

An operator is a frozen record with one method, ``directions(X)``: None for the coordinate axes
(the forms then use faster formulas), else an array (n, q, d). One whose energy is no mean of
squared slopes offers ``stiffness(space, X)`` instead: its form on the trial space, a symmetric
positive array (p, p), as a mean over the samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_points
from lapviz.graph_energies import Graph, Sum  # noqa: F401  (Sum: for those who use operators)
from lapviz.tangents import learn_tangents

Array = np.ndarray


@dataclass(frozen=True)
class Laplacian:
    """ℒ = ∇*∇ with the gradient of the ambient space: energy E‖∇g‖² (SSL21 eq. 2)."""

    name = "laplacian"
    title = "Ambient Laplacian"

    def directions(self, X: Array) -> None:
        return None


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
        X = X if self.center is None else X - np.asarray(self.center)
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


@dataclass(frozen=True)
class Tangent:
    """Tangential gradient with tangents learnt from the data by local PCA.

    Energy E‖P_x ∇g‖², P_x the projection on the leading directions of the neighbours of x:
    TangentProp (GAL23 eq. 19) with tangents from unlabelled data. The ambient gradient also
    punishes change *across* a noisy curve; this one does not.

    Parameters
    ----------
    n_neighbors : int or "auto"
    n_directions : int or "auto"
        Both are chosen from the data by :func:`lapviz.tangents.learn_tangents` when "auto".
    """

    n_neighbors: int | str = "auto"
    n_directions: int | str = "auto"
    name = "tangent"
    title = "Tangential, learnt from the data"

    def directions(self, X: Array) -> Array | None:
        found = learn_tangents(X, self.n_neighbors, self.n_directions)
        return None if found.n_directions == np.shape(X)[1] else found.frames


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


@dataclass(frozen=True)
class WeightedLaplacian:
    """Energy E[∇gᵀ A(x) ∇g] for a field of positive semi-definite matrices.

    Parameters
    ----------
    weight : callable, (n, d) points to (n, d, d) symmetric matrices A(x)
    """

    weight: Callable[[Array], Array]
    name = "weighted"
    title = "Weighted Laplacian"

    def directions(self, X: Array) -> Array:
        X = check_points(X)
        A = np.asarray(self.weight(X), dtype=float)
        if A.shape != (len(X), X.shape[1], X.shape[1]):
            raise ValueError(
                f"weight(X) must have shape {(len(X), X.shape[1], X.shape[1])}, got {A.shape}."
            )
        values, vectors = np.linalg.eigh(0.5 * (A + A.swapaxes(1, 2)))
        if values.min(initial=0.0) < -1e-8 * np.abs(values).max(initial=1.0):
            raise ValueError("weight(X) must be positive semi-definite at every sample.")
        return np.sqrt(np.maximum(values, 0.0))[:, :, None] * vectors.swapaxes(1, 2)


NAMED = {cls.name: cls for cls in (Laplacian, Tangent, SphereTangent, TorusTangent, Graph)}


def get(operator):
    """Operator from a name, "laplacian", "tangent", "sphere", "torus", "graph", or an object.

    Raises
    ------
    ValueError
        If the name is unknown, or the object has neither method.
    """
    if isinstance(operator, str):
        if operator in NAMED:
            return NAMED[operator]()
        raise ValueError(
            f"Unknown operator {operator!r}: choose one of {', '.join(NAMED)}, or pass an "
            "operator object from lapviz.operators."
        )
    if not any(callable(getattr(operator, name, None)) for name in ("directions", "stiffness")):
        raise ValueError(
            "operator must be a name or have a method directions(X) or stiffness(space, X), got "
            f"{operator!r}."
        )
    return operator
