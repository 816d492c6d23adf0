"""Distinct points among which neighbours are searched, and their neighbourhoods.

If rows repeat or coordinates are rounded, samples coincide: the nearest ones are copies, which
define no direction. So neighbours are searched among the distinct points, and a point has the
weight of its copies within a neighbourhood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz.linalg import blocks

Array = np.ndarray

N_ANCHORS = 400  # samples at which the candidates for k are compared
_POOL = 50_000  # samples searched for copies, unless more references are wanted
_BATCH = 1 << 21  # numbers in one batch of neighbourhoods


@dataclass(frozen=True, eq=False)
class References:
    """The distinct points (m, d) among which neighbours are searched.

    ``weights`` (m,) are the numbers of copies or their total weights, None if no point repeats.
    Points are moved and scaled into [−1, 1], where squares neither overflow nor vanish.
    """

    points: Array
    weights: Array | None
    search: NearestNeighbors
    largest: float
    mean: Array
    spread: float

    def anchors(self) -> Array:
        n = len(self.points)
        if n <= N_ANCHORS:
            return np.arange(n)
        return np.random.default_rng(1).choice(n, N_ANCHORS, replace=False)

    def nearest(self, rows: Array, k: int) -> Array:
        """The points ``rows`` themselves and their k nearest points: indices (b, k + 1)."""
        return self.search.kneighbors(self.points[rows], k + 1, return_distance=False)

    def centred(self, index: Array) -> Array:
        """Centred neighbourhoods (b, k + 1, d), times the square roots of any weights."""
        Z = self.points[index]
        if self.weights is None:
            Z -= Z.mean(axis=1, keepdims=True)
            return Z
        w = self.weights[index][:, :, None]
        Z -= (w * Z).sum(axis=1, keepdims=True) / w.sum(axis=1, keepdims=True)
        Z *= np.sqrt(w)
        return Z

    def rows_nearest_to(self, X: Array) -> Array:
        """Index (n,) of the point nearest to each sample X, in the units of the data."""
        X = (X / self.largest - self.mean) / self.spread
        nearest = np.empty(len(X), dtype=np.intp)
        for rows in batches(len(X), 64):
            nearest[rows] = self.search.kneighbors(X[rows], 1, return_distance=False)[:, 0]
        return nearest


def references_among(X: Array, limit: int, sample_weight: Array | None = None) -> References:
    """At most ``limit`` distinct points of X (n, d), with the total weights of their copies."""
    n, weights, largest = len(X), None, float(np.abs(X).max()) or 1.0
    X = X / largest
    mean = X.mean(axis=0)
    X -= mean
    spread = float(np.abs(X).max()) or 1.0
    X /= spread
    X += 0.0  # −0 becomes 0: rows are compared byte by byte
    pool, pool_weight = X, sample_weight
    size = max(_POOL, limit)
    if n > size:
        rows = np.random.default_rng(0).choice(n, size, replace=False)
        pool = X[rows]
        pool_weight = None if sample_weight is None else np.asarray(sample_weight)[rows]
    first: dict[int, int] = {}
    groups = [first.setdefault(hash(row.tobytes()), i) for i, row in enumerate(pool)]
    distinct, group = np.unique(groups, return_inverse=True)
    if len(distinct) < len(pool) or pool_weight is not None:
        copies = np.bincount(group, pool_weight)
        X, weights = pool[distinct], copies / copies.mean()
    if len(X) > limit:
        rows = np.random.default_rng(0).choice(len(X), limit, replace=False)
        X, weights = X[rows], None if weights is None else weights[rows]
    return References(X, weights, NearestNeighbors().fit(X), largest, mean, spread)


def batches(n: int, numbers_per_row: int):
    """Slices of n rows, each of about ``_BATCH`` numbers at most."""
    return blocks(n, max(1, _BATCH // numbers_per_row))
