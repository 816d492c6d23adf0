"""Tangent spaces learnt from the data by local PCA."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz.checks import check_count, check_points

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Tangents:
    """Learnt tangents: orthonormal ``frames`` (n, q, d), and what was chosen to find them."""

    frames: Array
    n_neighbors: int
    n_directions: int
    explained: float  # mean share of the local variance along the frames


def learn_tangents(X, n_neighbors=12, n_directions=1) -> Tangents:
    X = check_points(X)
    index = NearestNeighbors(n_neighbors=n_neighbors + 1).fit(X).kneighbors(return_distance=False)
    n, d = X.shape
    frames = np.empty((n, n_directions, d))
    exp = np.zeros(n)
    for s in range(0, n, 4096):
        Z = X[index[s : s + 4096]]
        Z = Z - Z.mean(axis=1, keepdims=True)
        U, sv, Vt = np.linalg.svd(Z, full_matrices=False)
        frames[s : s + 4096] = Vt[:, :n_directions]
        exp[s : s + 4096] = (sv[:, :n_directions] ** 2).sum(1) / (sv**2).sum(1)
    return Tangents(frames, n_neighbors, n_directions, float(exp.mean()))
