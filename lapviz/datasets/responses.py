"""Data sets for regression: a known function of one or two inputs, observed with noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.datasets.base import Array, Generator, register

NOISE_LIMIT = 3.0  # standard deviations; KCG10's theorems assume bounded noise


@dataclass(frozen=True)
class Response(Generator):
    """Uniform points on [0, 1]^d; the noise is on the values, truncated at 3 deviations."""

    class_names = ()
    labels_per_class = None
    has_values = True
    n_samples = 200
    max_samples = 2000
    noise = 0.3
    max_noise = 1.0
    n_features = 1
    group = "Line"
    note = "A regression function; its eigenvalues are not known."

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        return rng.uniform(size=(n, self.n_features)), np.zeros(n)

    def observe(self, X: Array, noise: float, rng: np.random.Generator) -> tuple[Array, Array]:
        bounded = np.clip(rng.standard_normal(len(X)), -NOISE_LIMIT, NOISE_LIMIT)
        return X, self.target(X) + noise * bounded

    def fixed_labels(self, n: int) -> Array:
        return np.ones(n, dtype=bool)


@register
@dataclass(frozen=True)
class Waves(Response):
    """sin(2πx) + ½ cos(6πx): smooth, in the RKHS of the Matérn kernels."""

    name = "waves"
    title = "Two waves"
    description = "A smooth function of one input on [0, 1], with noise on its values."

    def target(self, X: Array) -> Array:
        x = X[:, 0]
        return np.sin(2 * np.pi * x) + 0.5 * np.cos(6 * np.pi * x)

    def gradient(self, X: Array) -> Array:
        return 2 * np.pi * np.cos(2 * np.pi * X) - 3 * np.pi * np.sin(6 * np.pi * X)


@register
@dataclass(frozen=True)
class Step(Response):
    """−1 left of 0.4, 1 right of it: in no RKHS of continuous functions."""

    name = "step"
    title = "Step"
    description = "A step function of one input on [0, 1]: no RKHS of continuous functions has it."

    def target(self, X: Array) -> Array:
        return np.where(X[:, 0] < 0.4, -1.0, 1.0)

    def gradient(self, X: Array) -> Array:
        return np.zeros(X.shape)  # except at the step itself


@register
@dataclass(frozen=True)
class Hills(Response):
    """sin(6x₁ + 2x₂) + 2x₁ cos(4x₂): smooth, over the unit square."""

    name = "hills"
    title = "Hills"
    description = "A smooth function of two inputs on the unit square, with noise on its values."
    n_features = 2
    group = "Plane"
    noise = 0.1

    def target(self, X: Array) -> Array:
        x, y = X.T
        return np.sin(6 * x + 2 * y) + 2 * x * np.cos(4 * y)

    def gradient(self, X: Array) -> Array:
        x, y = X.T
        along = 2 * np.cos(6 * x + 2 * y)
        return np.column_stack([3 * along + 2 * np.cos(4 * y), along - 8 * x * np.sin(4 * y)])
