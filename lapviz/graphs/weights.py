"""Weights of a graph over points, dense and k-NN, and extensions of functions to new points.

Self-tuning weights have local scales, after Zelnik-Manor and Perona (2004); the extension is the
induction formula of Delalleau, Bengio and Le Roux (2005): a weighted average over the nodes.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from lapviz import memory
from lapviz.checks import check_bandwidth, check_choice, check_count
from lapviz.graphs.neighbours import Neighbours, past_copies
from lapviz.graphs.neighbours import search as make_search
from lapviz.graphs.overlaps import neighbourhoods, overlap, overlap_of_new
from lapviz.graphs.points import rescale, row_distances, to_unit
from lapviz.linalg import blocks

WEIGHTS = ("self-tuning", "shared", "gaussian", "binary")


def check_dense_size(n_samples, max_bytes=None):
    """Refuse a dense graph that does not fit: W, one working copy, one product (24 n² bytes).

    Parameters
    ----------
    n_samples : int
        n.
    max_bytes : int, optional
        Bytes allowed; by default :func:`lapviz.memory.memory_limit`.

    Raises
    ------
    MemoryError
        When 24 n² exceeds `max_bytes`.
    """
    needed, limit = 24 * n_samples**2, memory.memory_limit() if max_bytes is None else max_bytes
    if needed > limit:
        raise MemoryError(
            f"A dense graph over {n_samples} points takes {needed} bytes ({needed / 2**30:.1f} "
            f"GiB), and {int(limit)} bytes ({limit / 2**30:.1f} GiB) are allowed here: use the "
            f"k-NN graph, or at most {int((limit / 24) ** 0.5)} points."
        )


def dense_weights(X, bandwidth, *, max_bytes=None):
    """Gaussian weights between all pairs, w_ij = exp(−‖x_i − x_j‖² / 2σ²), w_ii = 0.

    Parameters
    ----------
    X : array (n, d)
        Points, the nodes.
    bandwidth : float
        σ > 0, in the units of `X`.
    max_bytes : int, optional
        Bytes allowed, as in :func:`check_dense_size`.

    Returns
    -------
    array (n, n)
        W, exactly symmetric.

    Raises
    ------
    MemoryError
        If 24 n² bytes do not fit.
    """
    bandwidth = check_bandwidth(bandwidth)
    check_dense_size(len(X), max_bytes)
    X, _, scale = rescale(X)
    bandwidth = _scaled(bandwidth, scale)
    r = cdist(X, X)
    W = _gaussian(r, bandwidth)
    np.fill_diagonal(W, 0.0)
    return W


def knn_weights(
    X,
    n_neighbors: int = 10,
    *,
    weights: str = "self-tuning",
    bandwidth=None,
    symmetry: str = "mean",
    method: str = "auto",
    near=None,
):
    """Weights to the k nearest neighbours, symmetrised.

    Parameters
    ----------
    X : array (n, d)
        Points, the nodes.
    n_neighbors : int
        k, the point itself not counted; at most n − 1 are used.
    weights : {"self-tuning", "shared", "gaussian", "binary"}
        With r the distance, r_k that to the k-th neighbour: exp(−4r²/r_k²); the same, symmetrised,
        times the share of common neighbours (:func:`overlap`); exp(−r²/2σ²); or 1.
    bandwidth : float, optional
        σ, needed by "gaussian" alone.
    symmetry : {"mean", "max"}
        (W + Wᵀ)/2, or the larger of w_ij and w_ji. The mean is more accurate on the digits.
    method : {"auto", "exact", "approximate"}
        How neighbours are searched, as of :func:`lapviz.graphs.search`. "auto" is exact but for
        many rows of many columns, from 20 000 of 784 on.
    near : int array (n, k), optional
        The neighbours, the nearest first, where they are known (:class:`Neighbours`).

    Returns
    -------
    CSR matrix (n, n)
        W, exactly symmetric, without explicit zeros.
    """
    check_count("n_neighbors", n_neighbors)
    check_choice("weights", weights, WEIGHTS)
    check_choice("symmetry", symmetry, ("mean", "max"))
    if weights == "gaussian":
        bandwidth = check_bandwidth(bandwidth)
    found = None
    if near is None:
        found = make_search(X, n_neighbors, method)
        near = past_copies(found.points, found.neighbours())
    n, k = near.shape
    if k == 0:
        return sp.csr_matrix((n, n))
    w = np.ones((n, k))
    if weights != "binary":
        points, _, scale = (found.points, found.centre, found.scale) if found else rescale(X)
        r = row_distances(points, points, near)
        w = _knn_rule(r, weights, _scaled(bandwidth, scale))
    W = sp.csr_matrix((w.ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    W = W.maximum(W.T) if symmetry == "max" else (W + W.T) / 2
    W = sp.csr_matrix(W)
    W.eliminate_zeros()
    if weights == "shared":
        W = sp.csr_matrix(W.multiply(overlap(W)))
    W.sort_indices()
    return W


def with_mass(W, mass):
    """Weights s_i s_j w_ij of a graph whose nodes have masses.

    Repeating node i s_i times makes s_i s_j edges between the copies of two nodes.

    Parameters
    ----------
    W : array or CSR matrix (n, n)
        Weights of the edges.
    mass : array (n,) or None
        The s_i; None for equal ones.

    Returns
    -------
    array or CSR matrix (n, n)
        Of the same kind; W itself if there are no masses.
    """
    if mass is None:
        return W
    if sp.issparse(W):
        edges = W.tocoo()
        product = edges.data * (mass[edges.row] * mass[edges.col])
        return sp.csr_matrix((product, (edges.row, edges.col)), shape=W.shape)
    return W * (mass[:, None] * mass)


def extend_dense(X, values, X_new, bandwidth, *, mass=None):
    """Values at new points, f(x) = Σ w(x, x_i) f_i / Σ w(x, x_i), Gaussian weights to all nodes.

    A harmonic function equals this average at every unlabelled node. A point that coincides with
    nodes takes their (mean) value; where every weight underflows, the nearest node's. Weights are
    taken relative to the largest, hence never 0/0.

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
    """
    bandwidth = check_bandwidth(bandwidth)
    X, centre, scale = rescale(X)
    X_new, bandwidth = to_unit(X_new, centre, scale), _scaled(bandwidth, scale)
    values = np.asarray(values, dtype=float)
    out = np.empty((len(X_new), *values.shape[1:]))
    step = max(1, (1 << 20) // len(X))
    for rows in blocks(len(X_new), step):
        out[rows] = _relative(cdist(X_new[rows], X), "gaussian", bandwidth, mass) @ values
    return out


def extend_knn(
    X,
    values,
    X_new,
    n_neighbors: int = 10,
    *,
    weights: str = "self-tuning",
    bandwidth=None,
    mass=None,
    search: Neighbours | None = None,
    graph=None,
):
    """Values at new points: the average of :func:`extend_dense` over the k nearest nodes.

    The weights follow the rule of :func:`knn_weights`: the neighbours of the new point are its k
    nearest nodes, and r_k is the distance to the last of them. A point that coincides with nodes
    takes their (mean) value.

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
    weights : {"self-tuning", "shared", "gaussian", "binary"}
        As of :func:`knn_weights`.
    bandwidth : float, optional
        σ in the units of `X`, needed by "gaussian" alone.
    mass : array (n,), optional
        Positive masses of the nodes, by which their weights are multiplied.
    search : Neighbours, optional
        Over `X`, made by :func:`lapviz.graphs.search`, for many calls or an approximate search; by
        default an exact one.
    graph : CSR matrix (n, n), optional
        Weights of the nodes by :func:`knn_weights`, where "shared" asks who is a neighbour of whom;
        by default they are found again.

    Returns
    -------
    array (n_new,) or (n_new, n_outputs)
        f at the new points.
    """
    values = np.asarray(values, dtype=float)
    if not len(X_new):
        return np.empty((0, *values.shape[1:]))
    near, w, _ = knn_extension(
        X, X_new, n_neighbors, weights=weights, bandwidth=bandwidth, mass=mass, search=search,
        graph=graph,
    )  # fmt: skip
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

    Parameters
    ----------
    X : array (n, d)
        Nodes.
    X_new : array (n_new, d)
        New points, at least one.
    n_neighbors : int, default 10
        k.
    weights : str
        As of :func:`extend_knn`, as all that follows.
    bandwidth : float, optional
        σ.
    mass : array (n,), optional
        Of the nodes.
    search : Neighbours, optional
        Over `X`.
    graph : CSR matrix (n, n), optional
        Weights of the nodes.

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
    if weights == "shared":  # a factor of the weights, as the mass is
        graph = knn_weights(X, n_neighbors, weights="binary") if graph is None else graph
        nodes = neighbourhoods(graph)
        shared = overlap_of_new(nodes, near)
        shared[(r == 0).any(axis=1)] = 1.0
        mass = shared if mass is None else mass * shared
    w = _relative(r, weights, _scaled(bandwidth, search.scale), mass)
    return near, w, r * search.scale


def _scaled(bandwidth, scale):
    """σ in the units of points that are divided by a scale; None stays None."""
    return None if bandwidth is None else max(bandwidth / scale, 1e-300)


def _gaussian(r, bandwidth):
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-0.5 * (r / bandwidth) ** 2)


def _knn_rule(r, weights, bandwidth):
    """Weights from the distances r (n, k) to k neighbours."""
    if weights == "binary":
        return np.ones_like(r)
    if weights == "gaussian":
        return _gaussian(r, bandwidth)
    reach = r.max(axis=1, keepdims=True)
    reach[reach == 0] = 1.0  # all neighbours coincide with the point: weight 1 each
    return np.exp(-4.0 * (r / reach) ** 2)


def _relative(r, weights, bandwidth, mass=None):
    """Averaging weights (rows sum to 1) from distances; coincident nodes take all the weight."""
    here = r == 0
    if weights == "gaussian":  # relative to the nearest node, so that the largest is 1
        nearest = r.min(axis=1, keepdims=True)
        with np.errstate(over="ignore", under="ignore"):
            w = np.exp(-0.5 * ((r - nearest) / bandwidth) * ((r + nearest) / bandwidth))
    else:
        w = _knn_rule(r, weights, bandwidth)
    at_node = here.any(axis=1)
    w[at_node] = here[at_node]
    w = w if mass is None else w * mass
    return w / w.sum(axis=1, keepdims=True)
