"""Curves and areas in the plane (the square in any dimension)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from lapviz.datasets.base import N_TRUE, Array, Generator, OfAnyDimension, option, register
from lapviz.datasets.true_functions import circles_eigenfunctions, half_moons_eigenfunctions
from lapviz.datasets.truths import (
    Truth,
    circle_eigenfunctions,
    circle_spectrum,
    circles_spectrum,
    cube_eigenfunctions,
    cube_spectrum,
    half_moons_spectrum,
)

RADII = (1.0, 2.0, 3.0, 4.0)  # of the four circles


@register
@dataclass(frozen=True)
class HalfMoons(Generator):
    """The authors' half-moons: a unit circle whose right half is lifted by 1, and noise."""

    name = "half_moons"
    title = "Two half-moons"
    description = "Two interlocked half circles, each a cluster (GAL23 Figure 1)."
    class_names = ("left moon", "right moon")
    noise = 0.1

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = rng.uniform(0, 2 * np.pi, n)
        right = np.cos(theta) > 0
        return np.column_stack([np.cos(theta), np.sin(theta) + right]), right

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(half_moons_spectrum(N_TRUE)),
            operator="laplacian",
            note=(
                "Two arcs of length π: 0, 1, 4, 9, … each twice, in the limit of little noise; "
                "where noise makes the moons touch, the second 0 grows."
            ),
            functions=half_moons_eigenfunctions,
        )


@register
@dataclass(frozen=True)
class FourCircles(Generator):
    """Circles of radius 1 to 4, one labelled point on each (SSL21 Figures 1, 2 and 6).

    The four labelled points come first, where the paper has them, and never move; ``n_samples``
    counts the unlabelled ones. The labels -1 and +1 of the paper are the classes 0 and 1.
    """

    name = "four_circles"
    title = "Four circles"
    description = "Four concentric circles and four labels: is a class constant on each circle?"
    class_names = ("circles 2 and 4", "circles 1 and 3")
    labels_per_class = None
    max_noise = 0.3

    LABELLED: ClassVar[Array] = np.array(
        [[-2 * np.sqrt(3), 2.0], [1.0, -2 * np.sqrt(2)], [-np.sqrt(3), -1.0], [-1.0, 0.0]]
    )
    LABELLED_RADII: ClassVar[Array] = np.array([4, 3, 2, 1])

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        theta, radius = rng.uniform(0, 2 * np.pi, n), rng.integers(1, 5, n)
        circles = radius[:, None] * np.column_stack([np.cos(theta), np.sin(theta)])
        return np.vstack([self.LABELLED, circles]), np.append(self.LABELLED_RADII, radius) % 2

    def perturb(self, X: Array, noise: float, rng: np.random.Generator) -> Array:
        return np.vstack([X[:4], super().perturb(X[4:], noise, rng)])

    def fixed_labels(self, n: int) -> Array:
        return np.arange(n) < 4

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(circles_spectrum(RADII, N_TRUE)),
            operator="tangent",
            note="Four separate circles: 0 four times, then k²/r² twice for every radius r.",
            functions=partial(circles_eigenfunctions, RADII),
        )


@register
@dataclass(frozen=True)
class Square(OfAnyDimension):
    """Uniform on [0, 1]^d; the classes are the signs of cos(pi x_1)."""

    name = "square"
    title = "Uniform square"
    description = "Uniform points in the unit square, or the unit cube of any dimension."
    class_names = ("right half", "left half")
    max_noise = 0.1

    dimension: int = option(2, 1, 20, "Dimension d", "Number of coordinates of the cube.")

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.uniform(size=(n, self.dimension))
        return X, X[:, 0] < 0.5

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(cube_spectrum(self.dimension, N_TRUE)),
            operator="laplacian",
            note="Neumann cosines: π² Σ kₗ².",
            functions=cube_eigenfunctions,
        )


@register
@dataclass(frozen=True)
class Circle(Generator):
    """Uniform on the unit circle; the classes are the signs of cos(theta)."""

    name = "circle"
    title = "Circle"
    description = "Uniform points on the unit circle, whose eigenfunctions are Fourier's."
    class_names = ("left half", "right half")
    n_samples = 1000
    max_noise = 0.3

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        theta = rng.uniform(0, 2 * np.pi, n)
        X = np.column_stack([np.cos(theta), np.sin(theta)])
        return X, X[:, 0] > 0

    def truth(self, noise: float) -> Truth:
        return Truth(
            eigenvalues=tuple(circle_spectrum(N_TRUE)),
            operator="tangent",
            note="Fourier modes: k², twice for every k ≥ 1.",
            functions=circle_eigenfunctions,
        )
