"""Functions on the nodes of a graph, extended to other points as weighted averages.

The average over the nodes is the induction formula of Delalleau, Bengio and Le Roux (2005).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from lapviz.checks import check_bandwidth, check_choice, check_count, check_points
from lapviz.graphs.neighbours import Neighbours
from lapviz.graphs.neighbours import search as make_search
from lapviz.graphs.points import rescale, row_distances, squared_distances, to_unit
from lapviz.graphs.weights import WEIGHTS, knn_rule, knn_weights, neighbourhoods
from lapviz.linalg import blocks
from lapviz.spaces import TrialSpace
from lapviz.spaces.kernel import FAR

Array = np.ndarray
_BLOCK = 4096  # new points at a time, as their neighbours' neighbours are many


@dataclass(frozen=True, eq=False)
class NodeSpace(TrialSpace):
    """p = n functions: coefficients are the values at the nodes of a k-NN graph.

    At another point the value is the average over the nearest nodes
    (:func:`lapviz.graphs.extend_knn`), as it is for a harmonic function at an unlabelled node.

    Parameters
    ----------
    nodes : array (n, d)
    weights : CSR matrix (n, n), of the graph by :func:`lapviz.graphs.knn_weights`
    n_neighbors : int, k
    rule : str, ``weights`` of :func:`lapviz.graphs.knn_weights`
    mass : array (n,) or None, of the nodes
    cached : (X, weights, distances) or None, from :meth:`extended_to`
    """

    nodes: Array
    weights: sp.csr_matrix
    n_neighbors: int
    rule: str
    mass: Array | None = None
    cached: tuple[Array, sp.csr_matrix, Array] | None = None
    constant = False

    @property
    def n_functions(self) -> int:
        return len(self.nodes)

    @property
    def n_features(self) -> int:
        return self.nodes.shape[1]

    def extension(self, X: Array) -> tuple[sp.csr_matrix, Array]:
        """Weights (m, n) of the nodes at points X (m, d), and distances (m,) to the nearest node.

        At nodes that coincide with no other, the value is the node's own.
        """
        X, n = self.check(X, keep_single=True), len(self.nodes)
        if np.array_equal(X, self.nodes) and (self.nearest > 0).all():
            return sp.identity(n, format="csr"), np.zeros(n)
        if self.cached is not None and np.array_equal(X, self.cached[0]):
            return self.cached[1:]
        near, w, r = knn_extension(
            self.nodes, X, self.n_neighbors, weights=self.rule, mass=self.mass,
            search=self.search, graph=self.weights,
        )  # fmt: skip
        start = np.arange(0, near.size + 1, near.shape[1])
        return sp.csr_matrix((w.ravel(), near.ravel(), start), shape=(len(X), n)), r.min(axis=1)

    def extended_to(self, X: Array) -> NodeSpace:
        """The same functions, with the extension to X (as a whole) cached."""
        return replace(self, cached=(X, *self.extension(X)))

    def phi(self, X: Array) -> Array:
        """Values (m, n) of all functions, nearly all of them 0."""
        return self.extension(X)[0].toarray()

    def evaluate(self, X: Array, coefficients: Array, block: int | None = None) -> Array:
        """Values (m, …) of functions with the coefficients (n, …)."""
        return self.extension(X)[0] @ coefficients

    def gradient(self, X: Array) -> Array:
        """Raise NotImplementedError: the functions jump where neighbours change."""
        raise NotImplementedError(
            "Functions of a graph's nodes have no gradients: use kernel functions, for example by "
            'n_landmarks=300 or bandwidth="auto" with a named operator.'
        )

    @cached_property
    def search(self) -> Neighbours:
        """The search among the nodes."""
        return make_search(self.nodes, self.n_neighbors)

    @cached_property
    def nearest(self) -> Array:
        """Squared distance (n,) of each node to its nearest neighbour; infinite without one."""
        edges = sp.triu(self.weights, 1).tocoo()
        squares = squared_distances(self.nodes, self.nodes, edges.row, edges.col)
        nearest = np.full(len(self.nodes), np.inf)
        for ends in (edges.row, edges.col):
            np.minimum.at(nearest, ends, squares)
        return nearest

    @property
    def spacing(self) -> float:
        """The largest distance of a node to its nearest neighbour, the spacing of the data."""
        return float(np.sqrt(self.nearest[np.isfinite(self.nearest)].max(initial=0.0)))

    def __getstate__(self):  # a search may not be picklable; it is made again
        return {name: value for name, value in vars(self).items() if name != "search"}


@dataclass(frozen=True, eq=False)
class NodeReach:
    """Nearness of points to the nodes, in place of :class:`lapviz.spaces.Reach`.

    Attributes
    ----------
    space : NodeSpace
    bandwidth : float, σ in the units of the points
    """

    space: NodeSpace
    bandwidth: float

    def share(self, X: Array) -> Array:
        """1 at points as near as the nodes are to each other, decreasing to 0 beyond; (n,)."""
        return self._share(self.space.extension(X)[1])

    def _share(self, r: Array) -> Array:
        beyond = np.maximum(r**2 - self.space.spacing**2, 0.0)
        return np.exp(-0.5 * beyond / self.bandwidth**2)

    def far(self, X: Array) -> Array:
        """Whether each point is far from all data, boolean (n,)."""
        return self.share(X) < FAR

    def evaluate(self, space: TrialSpace, X: Array, coefficients: Array) -> tuple[Array, Array]:
        """Values (n, k) of functions on the nodes, and the shares (n,), by one search."""
        weights, r = self.space.extension(X)
        return weights @ coefficients, self._share(r)


def extend_dense(X, values, X_new, bandwidth, *, mass=None):
    """Values at new points, f(x) = Σ w(x, x_i) f_i / Σ w(x, x_i), Gaussian weights to all nodes.

    A harmonic function equals this average at every unlabelled node. A point that coincides with
    nodes takes their (mean) value; if every weight underflows, the nearest node's. Weights are
    relative to the largest, hence never 0/0.

    Parameters
    ----------
    X : array (n, d)
        Nodes.
    values : array (n,) or (n, n_outputs)
        The f_i at the nodes.
    X_new : array (n_new, d)
        New points.
    bandwidth : float
        σ > 0, in the units of `X`.
    mass : array (n,), optional
        Positive masses of the nodes (:func:`with_mass`), by which their weights are multiplied.

    Returns
    -------
    array (n_new,) or (n_new, n_outputs)
        f at the new points.

    Raises
    ------
    ValueError
        If shapes do not fit, or points are not finite.
    """
    bandwidth = check_bandwidth(bandwidth)
    X, values, X_new = _checked(X, values, X_new)
    X, centre, scale = rescale(X)
    X_new, bandwidth = to_unit(X_new, centre, scale), bandwidth / scale
    out = np.empty((len(X_new), *values.shape[1:]))
    step = max(1, (1 << 20) // len(X))
    for rows in blocks(len(X_new), step):
        out[rows] = _relative(cdist(X_new[rows], X), "gaussian", bandwidth, mass) @ values
    return out


def _checked(X, values, X_new) -> tuple[Array, Array, Array]:
    """Nodes, values at them, and new points, of which there may be none."""
    X, values = check_points(X, keep_single=True), np.asarray(values, dtype=float)
    X_new = check_points(X_new, "X_new", keep_single=True) if len(X_new) else np.asarray(X_new)
    if len(values) != len(X):
        raise ValueError(f"{len(values)} values for {len(X)} nodes: give one for each.")
    if len(X_new) and X_new.shape[1] != X.shape[1]:
        raise ValueError(f"X_new has {X_new.shape[1]} columns, and X {X.shape[1]}.")
    return X, values, X_new


def extend_knn(X, values, X_new, n_neighbors: int = 10, **options):
    """Values at new points: the average of :func:`extend_dense` over the k nearest nodes.

    A point that coincides with nodes takes their (mean) value.

    Parameters
    ----------
    X : array (n, d)
        Nodes.
    values : array (n,) or (n, n_outputs)
        The f_i at the nodes.
    X_new : array (n_new, d)
        New points.
    n_neighbors : int, default 10
        k, at most n are used.
    **options : dict
        As in :func:`knn_extension`.

    Returns
    -------
    array (n_new,) or (n_new, n_outputs)
        f at the new points.

    Raises
    ------
    ValueError
        If shapes do not fit, or points are not finite.
    """
    X, values, X_new = _checked(X, values, X_new)
    if not len(X_new):
        return np.empty((0, *values.shape[1:]))
    near, w, _ = knn_extension(X, X_new, n_neighbors, **options)
    return np.einsum("ij,ij...->i...", w, values[near])


def knn_extension(
    X,
    X_new,
    n_neighbors: int = 10,
    *,
    weights: str = "self-tuning",
    bandwidth=None,
    mass=None,
    search: Neighbours | None = None,
    graph=None,
):
    """The averages of :func:`extend_knn` as weights.

    They follow the rule of :func:`knn_weights`: the neighbours of the new point are its k nearest
    nodes, and r_k is the distance to the last of them.

    Parameters
    ----------
    X : array (n, d)
        Nodes.
    X_new : array (n_new, d)
        New points, at least one.
    n_neighbors : int, default 10
        k, at most n are used.
    weights : {"self-tuning", "shared", "gaussian", "binary"}
        As in :func:`knn_weights`.
    bandwidth : float, optional
        σ in the units of `X`, needed only by "gaussian".
    mass : array (n,), optional
        Positive masses of the nodes, by which their weights are multiplied.
    search : Neighbours, optional
        Over `X`, from :func:`lapviz.graphs.search`, for many calls or an approximate search; by
        default an exact one.
    graph : CSR matrix (n, n), optional
        Weights of the nodes by :func:`knn_weights`, for the neighbourhoods that "shared" needs; by
        default they are computed.

    Returns
    -------
    near : int array (n_new, k)
        The nearest nodes of each new point.
    w : array (n_new, k)
        Their weights, rows of sum 1.
    r : array (n_new, k)
        Their distances.
    """
    check_count("n_neighbors", n_neighbors)
    check_choice("weights", weights, WEIGHTS)
    if weights == "gaussian":
        bandwidth = check_bandwidth(bandwidth)
    if search is None:
        search = make_search(X, n_neighbors, "exact")
    near = search.neighbours(X_new, n_neighbors)
    r = row_distances(search.unit(X_new), search.points, near)
    mass = None if mass is None else mass[near]
    if weights == "shared":  # a factor of the weights, like the mass
        graph = knn_weights(X, n_neighbors, weights="binary") if graph is None else graph
        overlaps = _overlap_of_new(neighbourhoods(graph), near)
        overlaps[(r == 0).any(axis=1)] = 1.0
        mass = overlaps if mass is None else mass * overlaps
    w = _relative(r, weights, bandwidth and bandwidth / search.scale, mass)
    return near, w, r * search.scale


def _overlap_of_new(nodes: sp.csr_matrix, near: Array) -> Array:
    """The overlap (m, k) between new points and their nearest nodes, positive.

    ``nodes`` (n, n) are the graph's neighbourhoods, ``near`` (m, k) those of the new points.
    """
    m, k = near.shape
    index = near.ravel(), np.arange(0, m * k + 1, k)
    new_neighbourhoods = sp.csr_matrix((np.ones(m * k), *index), shape=(m, nodes.shape[0]))
    sizes, out = np.diff(nodes.indptr), np.empty((m, k))
    for rows in blocks(m, _BLOCK):
        neighbours = near[rows]
        entries = np.arange(len(neighbours)).repeat(k), neighbours.ravel()
        common = np.asarray((new_neighbourhoods[rows] @ nodes)[entries]).reshape(-1, k)
        out[rows] = common / (k + sizes[neighbours] - common)
    return out


def _relative(r, weights, bandwidth, mass=None):
    """Averaging weights (rows sum to 1) from distances; coincident nodes take all the weight."""
    coincides = r == 0
    if weights == "gaussian":  # relative to the nearest node, so that the largest is 1
        nearest, bandwidth = r.min(axis=1, keepdims=True), max(bandwidth, 1e-300)
        with np.errstate(over="ignore", under="ignore"):
            w = np.exp(-0.5 * ((r - nearest) / bandwidth) * ((r + nearest) / bandwidth))
    else:
        w = knn_rule(r, weights, bandwidth)
    at_node = coincides.any(axis=1)
    w[at_node] = coincides[at_node]
    w = w if mass is None else w * mass
    return w / w.sum(axis=1, keepdims=True)
