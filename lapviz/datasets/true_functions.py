"""Eigenfunctions in closed form on spheres, arcs and separate circles.

In the order of the spectra in :mod:`lapviz.datasets.truths`, with mean square 1 under the law of
the data; a noisy point counts as the nearest point of the noise-free set.
"""

from __future__ import annotations

import heapq
from itertools import count
from math import lgamma, pi, sqrt

import numpy as np
from scipy.linalg import helmert
from scipy.special import lpmv

from lapviz.checks import check_count
from lapviz.datasets.truths import Array, _points


def sphere_eigenfunctions(X: Array, k: int) -> Array:
    """First k real spherical harmonics on S² at X (n, 3), degree by degree; (n, k)."""
    X, k = _points(X), check_count("k", k)
    if X.shape[1] != 3:
        raise ValueError(f"These are harmonics of S² in R³; X has {X.shape[1]} columns.")
    z = np.clip(X[:, 2] / np.linalg.norm(X, axis=1), -1.0, 1.0)
    phi = np.arctan2(X[:, 1], X[:, 0])
    columns = []
    for s in count():
        for m in range(s + 1):
            norm = sqrt(2 * s + 1) * np.exp(0.5 * (lgamma(s - m + 1) - lgamma(s + m + 1)))
            profile = norm * lpmv(m, s, z)
            if m == 0:
                columns.append(profile)
            else:
                columns += [sqrt(2) * profile * wave(m * phi) for wave in (np.cos, np.sin)]
        if len(columns) >= k:
            break
    return np.column_stack(columns[:k])


def half_moons_eigenfunctions(X: Array, k: int) -> Array:
    """First k eigenfunctions of two thin arcs at X (n, 2): cosines cos(js) on both, and with
    opposite signs; (n, k)."""
    X, k = _points(X), check_count("k", k)
    lower, upper = X * [-1, 1], X - [0, 1]  # both as right halves of a circle about 0
    on_upper = _to_arc(upper) < _to_arc(lower)
    nearest = np.where(on_upper[:, None], upper, lower)
    s = np.arctan2(nearest[:, 1], np.maximum(nearest[:, 0], 0)) + pi / 2  # arc length from its end
    sign = np.where(on_upper, 1.0, -1.0)
    i = np.arange(k)
    waves = np.where(i < 2, 1.0, sqrt(2) * np.cos((i // 2) * s[:, None]))
    return waves * np.where(i % 2, sign[:, None], 1.0)


def _to_arc(X: Array) -> Array:
    """Distances (n,) to the right half of the unit circle."""
    ends = np.hypot(X[:, 0], np.abs(X[:, 1]) - 1)
    return np.where(X[:, 0] > 0, np.abs(np.hypot(X[:, 0], X[:, 1]) - 1), ends)


def circles_eigenfunctions(radii: tuple[float, ...], X: Array, k: int) -> Array:
    """First k eigenfunctions of equally likely concentric circles at X (n, 2); (n, k).

    First the constant, then differences of circles for the other zeros, then waves on one circle.
    """
    X, k = _points(X), check_count("k", k)
    circle_radii = np.asarray(radii, dtype=float)
    distance, angle = np.linalg.norm(X, axis=1), np.arctan2(X[:, 1], X[:, 0])
    circle = np.abs(distance[:, None] - circle_radii).argmin(axis=1)
    m = len(radii)
    columns = [np.ones(len(X)), *(sqrt(m) * helmert(m))[:, circle]]  # contrasts of mean square 1
    waves = heapq.merge(*[[((j / r) ** 2, c, j) for j in range(1, k + 1)]
                          for c, r in enumerate(radii)])  # fmt: skip
    for _, c, j in waves:
        if len(columns) >= k:
            break
        scaled_indicator = sqrt(2 * m) * (circle == c)
        columns += [scaled_indicator * np.cos(j * angle), scaled_indicator * np.sin(j * angle)]
    return np.column_stack(columns[:k])
