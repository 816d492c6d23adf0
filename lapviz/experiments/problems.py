"""Data sets of the table of few labels: tables, noise features, blobs, curves, images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn import datasets as sk

from lapviz import datasets

Array = np.ndarray


@dataclass(frozen=True)
class Problem:
    """A row of the table: points and classes from a seed; ``n_new`` of them are held back."""

    name: str
    draw: Callable[[np.random.Generator], tuple[Array, Array]]
    n_new: int = 0


def shipped(name: str, noise_features: int = 0, **options) -> Callable:
    """A data set of :mod:`lapviz.datasets`, with standard normal features beside its own."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = datasets.load(name, random_state=rng, **options)
        return np.hstack([data.X, rng.standard_normal((len(data.y), noise_features))]), data.y

    return draw


def circles(noise: float) -> Callable:
    """Four circles, each a class of its own."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = datasets.load("four_circles", n_samples=1496, noise=noise, random_state=rng)
        return data.X, np.clip(np.rint(np.hypot(*data.X.T)).astype(int) - 1, 0, 3)

    return draw


def wide_blobs(rng: np.random.Generator) -> tuple[Array, Array]:
    """Five normal clouds that overlap, centres uniform in [−10, 10]²⁰, standardised."""
    seed = int(rng.integers(2**31))
    X, y = sk.make_blobs(1500, 20, centers=5, cluster_std=10.0, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


PROBLEMS = (
    Problem("wine", shipped("wine")),
    Problem("breast cancer", shipped("breast_cancer")),
    Problem("iris", shipped("iris")),
    Problem("wide blobs, d = 20", wide_blobs, n_new=500),
    Problem("wine + 50 noise features", shipped("wine", noise_features=50)),
    Problem("breast cancer + 100 noise features", shipped("breast_cancer", noise_features=100)),
    # in its own units, where one feature outweighs all others
    Problem("raw wine", lambda rng: sk.load_wine(return_X_y=True)),
    Problem("penguins", shipped("penguins")),
    Problem("blood cells", shipped("cells"), n_new=140),
    Problem("digits", shipped("digits"), n_new=359),
    Problem("four circles", circles(0.0), n_new=500),
    Problem("four circles, noise .05", circles(0.05), n_new=500),
    Problem("half-moons", shipped("half_moons", n_samples=1500), n_new=500),
)
