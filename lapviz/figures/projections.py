"""Projections of high-dimensional data to a plane: principal components."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA

Array = np.ndarray


def principal_components(X: Array, n_components: int) -> Array:
    """Scores (n, ≤ n_components) of the samples X (n, d) on their leading principal components.

    At most min(n, d) of them. In each direction the largest loading is positive, so that pictures
    do not depend on the machine.
    """
    k = min(n_components, *X.shape)
    if len(X) == 1:
        return np.zeros((1, k))
    # Both solvers are deterministic; for tall X the eigenproblem of the covariance is the fast one
    solver = "covariance_eigh" if len(X) > max(5000, 10 * X.shape[1]) else "full"
    with np.errstate(all="ignore"):  # shares of variance, not used here, are 0/0 for equal samples
        return PCA(k, svd_solver=solver).fit_transform(X)
