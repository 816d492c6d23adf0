"""Normal distributions and mixtures of them, in any dimension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from lapviz.datasets.base import N_TRUE, Array, OfAnyDimension, option, register
from lapviz.datasets.truths import Truth, gaussian_eigenfunctions, gaussian_spectrum


def _hermite(deviation: float, X: Array, k: int) -> Array:
    return gaussian_eigenfunctions(X / deviation, k)


@register
@dataclass(frozen=True)
class Gaussian(OfAnyDimension):
    """N(0, I_d) (GAL23 Figure 6); the classes are the signs of x_1, the first Hermite function.

    Noise only widens the distribution, so the eigenvalues are known with noise too.
    """

    name = "gaussian"
    title = "One Gaussian"
    description = "The standard normal law, whose eigenfunctions are Hermite polynomials."
    class_names = ("x₁ ≤ 0", "x₁ > 0")

    dimension: int = option(2, 1, 20, "Dimension d", "Number of coordinates.")

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.standard_normal((n, self.dimension))
        return X, X[:, 0] > 0

    def truth(self, noise: float) -> Truth:
        variance = 1 + noise**2
        return Truth(
            eigenvalues=tuple(gaussian_spectrum(self.dimension, N_TRUE) / variance),
            operator="laplacian",
            note=f"Hermite polynomials: k / {variance:g}, where the noise-free set has k."
            if noise
            else "Hermite polynomials: k, as often as there are monomials of degree k.",
            functions=partial(_hermite, sqrt(variance)),
        )


@register
@dataclass(frozen=True)
class TwoGaussians(OfAnyDimension):
    """Two unit normal laws in R^10 whose centres are 3 apart, the first n/10 points labelled.

    SSL21 Figures 3 to 5. The classes alternate from point to point, so that they are balanced
    among the labelled points too, as the paper's errors at n = 40, with four labelled points,
    require. ``noise`` is the standard deviation of both distributions.
    """

    name = "two_gaussians"
    group = "High-dimensional"
    title = "Two Gaussians"
    description = "Two overlapping normal laws in high dimension; a tenth of the points labelled."
    class_names = ("left", "right")
    n_samples = 1000
    noise = 1.0
    max_noise = 3.0
    labels_per_class = None

    dimension: int = option(10, 1, 50, "Dimension d", "Number of coordinates.")
    separation: float = option(3.0, 0.0, 10.0, "Separation δ", "Distance of the two centres.")

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        y = np.arange(n) % 2
        X = np.zeros((n, self.dimension))
        X[:, 0] = self.separation * y
        return X, y

    def fixed_labels(self, n: int) -> Array:
        return np.arange(n) < max(2, n // 10)

    def truth(self, noise: float) -> Truth:
        half = self.separation / 2
        error = norm.sf(half / noise) if noise else 0.5 * (half == 0)
        return Truth(
            note="No closed form for the eigenvalues; the best classifier cuts midway.",
            bayes_error=float(error),
        )


BLOB_RADIUS = 3.0  # distance of the blobs' centres to the origin


def blobs_bayes_error(n_blobs: int, noise: float) -> float:
    """Error of the nearest-centre rule, the best one, for normal blobs on a regular polygon.

    A point of the blob at (R, 0) is classified correctly inside the wedge |angle| < pi / n_blobs:
    the probability that its second coordinate is inside is integrated over the first.
    """
    if noise == 0:
        return 0.0
    centre, slope = BLOB_RADIUS / noise, np.tan(np.pi / n_blobs)

    def density(u: float) -> float:
        return norm.pdf(u) * (2 * norm.cdf(slope * (centre + u)) - 1)

    # beyond 12 standard deviations the integrand vanishes, and quad could miss the peak
    right, _ = quad(density, max(-centre, -12.0), 12.0, points=[0.0])
    return float(np.clip(1 - right, 0, 1))


@register
@dataclass(frozen=True)
class Blobs(OfAnyDimension):
    """Three to five equal normal clusters, their centres on a regular polygon of radius 3.

    ``noise`` is the clusters' standard deviation. In more than two dimensions the centres stay
    in the plane of the first two coordinates.
    """

    name = "blobs"
    title = "Blobs"
    description = "Three to five round clusters, one class each."
    n_samples = 1000
    noise = 0.7
    max_noise = 3.0
    labels_per_class = 1

    n_blobs: int = option(4, 3, 5, "Blobs", "Number of clusters and classes.")
    dimension: int = option(2, 2, 20, "Dimension d", "Number of coordinates.")

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(f"blob {code + 1}" for code in range(self.n_blobs))

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        y = rng.permutation(np.arange(n) % self.n_blobs)
        angle = 2 * np.pi * y / self.n_blobs
        X = np.zeros((n, self.dimension))
        X[:, :2] = BLOB_RADIUS * np.column_stack([np.cos(angle), np.sin(angle)])
        return X, y

    def truth(self, noise: float) -> Truth:
        return Truth(
            note="No closed form for the eigenvalues; the nearest centre is the best class.",
            bayes_error=blobs_bayes_error(self.n_blobs, noise),
        )
