r"""Spectral embeddings of a graph, the baselines of the learnt eigenfunctions.

Laplacian eigenmaps (Belkin and Niyogi, 2003) through scikit-learn, transductive; diffusion maps
(Coifman and Lafon, 2006), with their Nyström extension to new points.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.manifold import SpectralEmbedding

from lapviz import graphs
from lapviz.checks import check_bandwidth, check_count, check_points, check_powers, quiet
from lapviz.graphs.laplacians import degrees
from lapviz.linalg import blocks, eigh
from lapviz.spaces.bandwidth import auto_bandwidth

Array = np.ndarray


def laplacian_eigenmaps(X: Array, n_components: int = 16, n_neighbors: int = 10) -> Array:
    """Eigenmaps of the self-tuning k-NN graph by scikit-learn's `SpectralEmbedding`.

    Eigenvectors of I − D^{−1}W without the trivial one; signs are scikit-learn's. If the graph has
    several components, scikit-learn drops an arbitrary function of energy 0; here all are made
    orthogonal to the constant in the inner product of the degrees, as the others are in any case.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_components : int
        At most n − 2.
    n_neighbors : int
        Neighbours k of :func:`lapviz.graphs.knn_weights`.

    Returns
    -------
    array (n, n_components)
        Mean square 1. No values at new points, and no eigenvalues:
        :func:`lapviz.graphs.graph_spectrum` with ``kind="random-walk"`` gives them.

    Raises
    ------
    ValueError
        If there are fewer than three points, or X is not finite.
    """
    X = check_points(X)
    if len(X) < 3:
        raise ValueError(f"Eigenmaps need at least 3 points, got {len(X)}.")
    m = min(check_count("n_components", n_components), len(X) - 2)
    model = SpectralEmbedding(m, affinity="precomputed", random_state=0)
    W = graphs.knn_weights(X, n_neighbors)
    with quiet(message="Graph is not fully connected"):
        values = model.fit_transform(W)
    masses = degrees(W)
    if masses.any():
        values = values - np.average(values, axis=0, weights=masses)
    norms = np.sqrt(np.mean(values**2, axis=0))
    return values / np.where(norms > 0, norms, 1.0)


@dataclass(frozen=True, eq=False)
class DiffusionMap:
    """Eigenfunctions of a normalised Gaussian graph, defined everywhere.

    Attributes
    ----------
    gamma : array (m,), ascending from 0, in 1/length²: 2(1 − θ)/σ², θ the eigenvalues of P
    values : array (n, m), ψ at the samples, mean square 1 in the stationary law, the constant first
    nodes : array (n, d), the samples
    log_density : array (n,), log q at the samples, q the sum of the Gaussian weights
    bandwidth, alpha : float
    """

    gamma: Array
    values: Array
    nodes: Array
    log_density: Array
    bandwidth: float
    alpha: float

    @property
    def theta(self) -> Array:
        """Eigenvalues of the transition matrix P, descending from 1, shape (m,)."""
        return 1.0 - 0.5 * self.bandwidth**2 * self.gamma

    def coordinates(self, time: float = 0.0) -> Array:
        """θ^t ψ without the constant, (n, m − 1): the diffusion map at time t, in steps of P."""
        return np.maximum(self.theta[1:], 0.0) ** time * self.values[:, 1:]

    def transform(self, X: Array) -> Array:
        """ψ at new points (n_new, m) by Nyström: Σ_j P(x, x_j) ψ_j/θ, exact at the samples.

        Functions with θ below 1e−10 are mere rounding errors and set to 0.
        """
        X, theta = check_points(X), self.theta
        reliable = theta > 1e-10
        scaled = np.where(reliable, self.values / np.where(reliable, theta, 1.0), 0.0)
        out, step = np.empty((len(X), len(theta))), max(1, (1 << 20) // len(self.nodes))
        for rows in blocks(len(X), step):
            w = -0.5 * (cdist(X[rows], self.nodes) / self.bandwidth) ** 2
            w -= self.alpha * self.log_density
            w -= w.max(axis=1, keepdims=True)  # far from all nodes, the nearest counts: never 0/0
            np.exp(w, out=w)
            out[rows] = w @ scaled / w.sum(axis=1, keepdims=True)
        return out


def diffusion_maps(
    X: Array, n_components: int = 16, bandwidth: float | str = "auto", alpha: float = 0.5
) -> DiffusionMap:
    """Diffusion maps of the dense Gaussian graph (Coifman and Lafon, 2006, §3).

    With w = exp(−r²/2σ²) and q its row sums, P has the entries w_ij/(q_i q_j)^α divided by their
    row sums. As n → ∞ and σ → 0, 2(I − P)/σ² tends to −Δ − 2(1 − α)⟨∇log ρ, ∇·⟩: for α = ½, the
    default, that is ℒ = ∇*∇, for α = 1 the Laplace–Beltrami operator whatever the density ρ.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_components : int
        The constant included; at most n.
    bandwidth : "auto" or float
        σ in the units of X.
    alpha : float, default 0.5
        Between 0 and 1: how much of the density is divided out.

    Returns
    -------
    DiffusionMap
        Eigenvalues and eigenfunctions, defined everywhere.

    Raises
    ------
    ValueError
        If a parameter is out of range, or X is not finite.
    MemoryError
        If 24 n² bytes do not fit.
    """
    X = check_points(X)
    if not isinstance(alpha, Real) or not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be a number from 0 to 1, got {alpha!r}.")
    is_auto = isinstance(bandwidth, str) and bandwidth == "auto"
    width = auto_bandwidth(X) if is_auto else check_bandwidth(bandwidth)
    check_powers(width)
    m = min(check_count("n_components", n_components), len(X))
    A = graphs.dense_weights(X, width)
    np.fill_diagonal(A, 1.0)
    q = A.sum(axis=1)
    A *= q**-alpha
    A *= q[:, None] ** -alpha
    scale = A.sum(axis=1) ** -0.5
    A *= scale
    A *= scale[:, None]
    theta, U = eigh(A, (len(X) - m, len(X) - 1))
    theta, U = theta[::-1], U[:, ::-1] * scale[:, None]
    U /= np.sqrt(np.average(U**2, axis=0, weights=scale**-2))
    U *= np.where((U**3).sum(axis=0) < 0, -1.0, 1.0)
    gamma = np.maximum(2.0 * (1.0 - theta) / width**2, 0.0)
    return DiffusionMap(gamma, U, X, np.log(q), width, float(alpha))
