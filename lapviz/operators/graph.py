"""The energy of a graph over the samples.

GAL23 B.1: the graph Laplacian inside the Galerkin method. A graph over the samples gives the
quadratic form S = Φᵀ(D − W)Φ/n on *any* trial space, Φ the values of its functions at the samples,
so that a graph method is solved in p unknowns and its solution is a function, defined everywhere.
The energy is not a mean of squared directional derivatives, so the operator has the method
``stiffness(space, X)`` of :mod:`lapviz.operators.base`.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from lapviz import graphs, memory
from lapviz.checks import check_bandwidth, check_choice, check_count
from lapviz.graphs.laplacians import degrees
from lapviz.graphs.points import squared_distances
from lapviz.linalg import add_squares, blocks, mirror
from lapviz.parameters import Slider, parameter
from lapviz.progress import report
from lapviz.spaces.bandwidth import auto_bandwidth
from lapviz.spaces.base import TrialSpace

Array = np.ndarray
_BLOCK = 1 << 22  # numbers in a block of rows


@dataclass(frozen=True)
class Graph:
    """Energy of a graph over the samples, ½ Σ_ij w_ij (g_i − g_j)²/n up to scale (GAL23 B.1).

    A graph determines the energy only up to a constant. Here it is scaled so that the coordinates
    x_1, …, x_d have total energy ``dimension`` (if normalised, in the graph with the weights
    w_ij/√(d_i d_j)), as with the gradient along a manifold of that dimension: γ is then in
    1/length², and λ, μ are comparable with those of other operators. (To compare spectra, match Σγ
    by :func:`lapviz.graphs.match_scale`.)

    Parameters
    ----------
    n_neighbors : int, default 7
        k of the k-NN graph. On the digits 5 to 7 are best, for the graph baseline too.
    weights : {"self-tuning", "shared", "gaussian", "binary"}
        Weights of the k-NN graph: exp(−4r²/r_k²), the same times the share of common neighbours
        (:func:`lapviz.graphs.overlap`), exp(−r²/2σ²) or 1. An edge is the mean of both
        directions: it counts half if only one of its points is a neighbour of the other. A dense
        graph has Gaussian weights.
    graph : {"knn", "dense"}
        Nearest neighbours, symmetrised; or all pairs, 24 n² bytes.
    kind : {"unnormalised", "normalised"}
        D − W, or I − D^{−½}WD^{−½}. The null function of the latter is √d, not the constant.
    bandwidth : "auto" or float, σ of Gaussian weights, in the units of X
    dimension : int, default 1; total energy of the coordinates

    Notes
    -----
    Samples with weights s_i are nodes of that mass: w_ij becomes s_i s_j w_ij, which for a dense,
    unnormalised graph of given bandwidth is the same as repeating rows. The neighbours and the
    automatic bandwidth do not depend on the weights (copies would be each other's neighbours).
    """

    n_neighbors: int = parameter(
        7, "Neighbours in the energy",
        "Neighbours of each sample in the graph whose energy is counted.",
        symbol="k", low=1, page_high=100, slider=Slider(2, 40, 1),
    )  # fmt: skip
    weights: str = "self-tuning"
    graph: str = "knn"
    kind: str = "unnormalised"
    bandwidth: float | str = "auto"
    dimension: int = 1
    name = "graph"
    title = "Graph Laplacian"

    def __post_init__(self):
        check_count("n_neighbors", self.n_neighbors)
        check_choice("weights", self.weights, graphs.WEIGHTS)
        check_choice("graph", self.graph, ("knn", "dense"))
        check_choice("kind", self.kind, ("unnormalised", "normalised"))
        check_count("dimension", self.dimension)
        if self.bandwidth != "auto":
            check_bandwidth(self.bandwidth)

    def weights_of(self, X: Array, near: Array | None = None) -> Array | sp.csr_matrix:
        """Unscaled weights W (n, n) over the rows of X; sparse for a k-NN graph.

        ``near`` (n, k) are the neighbours, if known.
        """
        width = None
        if self.graph == "dense" or self.weights == "gaussian":
            width = auto_bandwidth(X) if self.bandwidth == "auto" else self.bandwidth
        if self.graph == "dense":
            return graphs.dense_weights(X, width)
        return graphs.knn_weights(
            X, self.n_neighbors, weights=self.weights, bandwidth=width, near=near
        )

    def laplacian(self, X: Array) -> Array | sp.csr_matrix:
        """The scaled graph Laplacian L over the rows of X, (n, n)."""
        L = graphs.laplacian(self.weights_of(X), self.kind)
        L *= self._scale(L, X)
        return L

    def stiffness(self, space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
        """S = ΦᵀLΦ/n, (p, p), in O(nkp²), or O(n²p) for a dense graph. Φ takes 8np bytes.

        Raises
        ------
        MemoryError
            If Φ, or a dense graph, does not fit.
        """
        _check_size(space, X)
        return self.over(X).stiffness(space, X, sample_weight)

    def over(self, X: Array) -> WeightedGraph:
        """The graph with its weights over the rows of X, computed once."""
        return WeightedGraph(self, self.weights_of(X))

    def _scale(self, L: Array | sp.csr_matrix, X: Array) -> float:
        """``dimension`` over the energy of the coordinates, ½ Σ_ij w_ij ‖x_i − x_j‖²/n."""
        total, n = 0.0, len(X)
        if sp.issparse(L):
            edges = sp.triu(L, 1).tocoo()
            total = float(-edges.data @ squared_distances(X, X, edges.row, edges.col))
        else:
            for rows in blocks(n, max(1, _BLOCK // n)):
                total -= 0.5 * (L[rows] * cdist(X[rows], X, "sqeuclidean")).sum()
        return self.dimension / (total / n) if total > 0 else 1.0


@dataclass(frozen=True, eq=False)
class WeightedGraph:
    """The energy of a graph with known weights, from :meth:`Graph.over`.

    Parameters
    ----------
    graph : Graph
    weights : array or sparse matrix (n, n), over exactly the samples to which it is applied
    """

    graph: Graph
    weights: Array | sp.csr_matrix
    name = "graph"
    title = "Graph Laplacian"

    def unit(self, X: Array, sample_weight: Array | None = None) -> float:
        """Energy of a change of 1 along every edge, a mean over the nodes, in 1/length².

        The factor from the energy of :class:`lapviz.estimates.passes.Nodes`, of mean degree 1.
        """
        W = graphs.with_mass(self.weights, sample_weight)
        mean = float(W.sum()) / len(X)  # as in stiffness: the scale of the masses cancels in _scale
        return mean * self.graph._scale(graphs.laplacian(W, self.graph.kind), X)

    def restricted(self, X: Array, rows: Array) -> WeightedGraph:
        """The graph over a subset of the samples, with a new neighbour search."""
        return self.graph.over(X[rows])

    def stiffness(self, space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
        """As :meth:`Graph.stiffness`.

        Raises
        ------
        ValueError
            If the number of rows of X differs from the number of nodes.
        MemoryError
            If the values of the test functions do not fit.
        """
        if self.weights.shape[0] != len(X):
            raise ValueError(
                f"The graph has {self.weights.shape[0]} nodes, and X has {len(X)} rows: use the "
                "rows from which the graph was built."
            )
        _check_size(space, X)
        W, kind, phi = graphs.with_mass(self.weights, sample_weight), self.graph.kind, space.phi(X)
        L = graphs.laplacian(W, kind)
        null = np.ones(len(X)) if kind == "unnormalised" else np.sqrt(degrees(W))
        S = _edge_squares(L, null, phi) if sp.issparse(L) else _centred(L, null, phi)
        return S * (self.graph._scale(L, X) / len(X))


def _check_size(space: TrialSpace, X: Array) -> None:
    n, p = len(X), space.n_functions
    needed, limit = 8 * n * p, memory.memory_limit()
    if needed > limit:
        raise MemoryError(
            f"A graph inside the Galerkin method holds n·p = {n}·{p} values, {needed} bytes, "
            f"and {limit} are allowed here: use fewer samples or landmarks."
        )


def _edge_squares(L: sp.csr_matrix, null: Array, phi: Array) -> Array:
    """ΦᵀLΦ = Σ over the edges of w (φ_i/ν_i − φ_j/ν_j)², w = −L_ij ν_i ν_j, ν the null function.

    A sum of squares GᵀG: non-negative despite rounding, and 0 for a constant.
    """
    edges = sp.triu(L, 1).tocoo()
    w = np.sqrt(-edges.data * null[edges.row] * null[edges.col])
    phi = phi / np.where(null > 0, null, 1.0)[:, None] if (null != 1.0).any() else phi
    S, step = np.zeros((phi.shape[1],) * 2, order="F"), max(1, _BLOCK // phi.shape[1])
    for part in blocks(edges.nnz, step):
        G = phi[edges.row[part]]
        G -= phi[edges.col[part]]
        G *= w[part, None]
        S = add_squares(G, S)
        report("graph energy", part.stop, edges.nnz)
    return mirror(S)


def _centred(L: Array, null: Array, phi: Array) -> Array:
    """ΦᵀLΦ for a dense L, by rows (n²/2 edges are too many); Φ is first made orthogonal to ν."""
    weights = null**2 / max((null**2).sum(), 1e-300)
    phi = phi - null[:, None] * (weights @ (phi / np.where(null > 0, null, 1.0)[:, None]))
    S, step = np.zeros((phi.shape[1],) * 2), max(1, _BLOCK // len(phi))
    for rows in blocks(len(phi), step):
        S += phi[rows].T @ (L[rows] @ phi)
    np.fill_diagonal(S, np.maximum(np.diag(S), 0.0))
    return 0.5 * (S + S.T)
