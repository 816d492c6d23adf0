"""Surfaces in three and more dimensions; tangential eigenvalues in closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.datasets.base import N_TRUE, Array, Generator, OfAnyDimension, option, register
from lapviz.datasets.true_functions import sphere_eigenfunctions
from lapviz.datasets.truths import (
    Truth,
    circle_eigenfunctions,
    rectangle_eigenfunctions,
    rectangle_spectrum,
    sphere_spectrum,
    torus_eigenfunctions,
    torus_spectrum,
)


@register
@dataclass(frozen=True)
class Torus(Generator):
    """Uniform on the flat torus: a product of q unit circles in R^{2q}.

    Columns 2l and 2l + 1 are the cosine and the sine of the l-th angle, so the surface has no
    intrinsic curvature. The classes are the signs of the first cosine.
    """

    name = "torus"
    group = "Surface"
    title = "Flat torus"
    description = "Uniform points on a product of unit circles, two of them in R⁴ by default."
    class_names = ("cos θ₁ ≤ 0", "cos θ₁ > 0")
    max_noise = 0.3

    dimension: int = option(2, 1, 5, "Circles q", "Number of circles; the data has 2q features.")

    @property
    def n_features(self) -> int:
        return 2 * self.dimension

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = rng.uniform(0, 2 * np.pi, (n, self.dimension))
        X = np.stack([np.cos(theta), np.sin(theta)], axis=2).reshape(n, self.n_features)
        return X, X[:, 0] > 0

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(torus_spectrum(self.dimension, N_TRUE)),
            operator="tangent",
            note="Products of Fourier modes: Σ kₗ² over whole kₗ of either sign.",
            functions=torus_eigenfunctions,
        )


@register
@dataclass(frozen=True)
class Sphere(OfAnyDimension):
    """Uniform on S^{d-1} in R^d (GAL23 Figures 2 and 3); the classes are two hemispheres."""

    name = "sphere"
    group = "Surface"
    title = "Sphere"
    description = "Uniform points on the unit sphere, whose eigenfunctions are the harmonics."
    class_names = ("x₁ ≤ 0", "x₁ > 0")
    max_noise = 0.3

    dimension: int = option(
        3, 2, 20, "Dimension d", "Dimension of the space; the sphere has one less."
    )

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.standard_normal((n, self.dimension))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        return X, X[:, 0] > 0

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(sphere_spectrum(self.dimension, N_TRUE)),
            operator="tangent",
            note="Spherical harmonics: s(s + d − 2) for every degree s.",
            functions={2: circle_eigenfunctions, 3: sphere_eigenfunctions}.get(self.dimension),
        )


def spiral_length(t):
    """Arc length of the spiral (t cos t, t sin t) from its centre to angle t."""
    return (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2


# scikit-learn's roll: angles 1.5 pi to 4.5 pi on the spiral (t cos t, t sin t), height 21
_INNER, _OUTER = spiral_length(np.array([1.5 * np.pi, 4.5 * np.pi])).tolist()
_HEIGHT = 21.0


@register
@dataclass(frozen=True)
class SwissRoll(Generator):
    """A rolled rectangle, uniform *by area*, so that its spectrum is the rectangle's.

    The usual recipe draws the angle uniformly, which crowds the inner turns. The classes split
    the roll in the middle of its length: the signs of the first non-constant eigenfunction. The
    values are the position along the unrolled sheet, measured from its middle.
    """

    name = "swiss_roll"
    group = "Surface"
    title = "Swiss roll"
    description = (
        "A rectangle rolled up in R³: near in space is not near on the roll. The values are the "
        "position along the unrolled sheet, measured from its middle."
    )
    class_names = ("outer half", "inner half")
    labels_per_class = 3
    max_noise = 2.0
    has_values = True
    n_features = 3

    @staticmethod
    def lengths() -> tuple[float, float]:
        """Length of the unrolled spiral, and height."""
        return _OUTER - _INNER, _HEIGHT

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        s, height = rng.uniform(_INNER, _OUTER, n), rng.uniform(0, _HEIGHT, n)
        t = np.sqrt(2 * s)  # the length is about t^2 / 2; followed by a few Newton steps
        for _ in range(8):
            t -= (spiral_length(t) - s) / np.sqrt(1 + t**2)
        return np.column_stack([t * np.cos(t), height, t * np.sin(t)]), s < (_INNER + _OUTER) / 2

    def target(self, X: Array) -> Array:
        return spiral_length(np.hypot(X[:, 0], X[:, 2])) - (_INNER + _OUTER) / 2

    def functions(self, X: Array, k: int) -> Array:
        """The first k eigenfunctions at X (n, 3): cosines of the unrolled coordinates; (n, k)."""
        unrolled = spiral_length(np.hypot(X[:, 0], X[:, 2])) - _INNER
        return rectangle_eigenfunctions(self.lengths(), np.column_stack([unrolled, X[:, 1]]), k)

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(rectangle_spectrum(self.lengths(), N_TRUE)),
            operator="tangent",
            note="Neumann cosines of the unrolled rectangle: π² (j²/length² + k²/height²).",
            functions=self.functions,
        )
