"""Overlap of the neighbourhoods of a graph's nodes: which edges are to be trusted.

Two nodes of one dense region have most of their neighbours in common, the ends of an edge that
bridges two regions few. With noise features neighbours are nearly drawn by lot, and hardly any are
shared: the mean overlap says how much of a graph is the data's shape (shared near neighbours:
Jarvis and Patrick, 1973).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from lapviz.linalg import blocks

_BLOCK = 4096  # rows of the graph at a time: their neighbours' neighbours are many


def overlap(W: sp.csr_matrix) -> sp.csr_matrix:
    """Jaccard coefficients |N_i ∩ N_j| / |N_i ∪ N_j| of the edges, N_i being i and its neighbours.

    Parameters
    ----------
    W : CSR matrix (n, n)
        Symmetric weights; only where they are not 0 counts.

    Returns
    -------
    CSR matrix (n, n)
        Symmetric, in (0, 1] on the edges of W: both ends are in both neighbourhoods.
    """
    edges, near = _edges(W), neighbourhoods(W)
    sizes, parts = np.diff(near.indptr), []
    for rows in blocks(W.shape[0], _BLOCK):  # near is symmetric: its own transpose
        common = sp.csr_matrix((near[rows] @ near).multiply(edges[rows])).tocoo()
        union = sizes[rows][common.row] + sizes[common.col] - common.data
        share = common.data / union
        parts.append(sp.csr_matrix((share, (common.row, common.col)), shape=common.shape))
    return sp.csr_matrix(sp.vstack(parts)) if parts else edges


def mean_overlap(W: sp.csr_matrix) -> float:
    """Mean of the overlap over the edges.

    About .6 on curves, .3 on digits and .1 on tables with many noise features, at k = 7.

    Parameters
    ----------
    W : CSR matrix (n, n)
        Symmetric weights.

    Returns
    -------
    float
        Between 0 and 1; 1 where there is no edge.
    """
    shares = overlap(W).data
    return float(shares.mean()) if len(shares) else 1.0


def neighbourhoods(W: sp.csr_matrix) -> sp.csr_matrix:
    """Row i has ones at node i and at its neighbours, (n, n)."""
    return sp.csr_matrix(_edges(W).maximum(sp.identity(W.shape[0], format="csr")))


def _edges(W: sp.csr_matrix) -> sp.csr_matrix:
    """Ones where the weights are not 0."""
    return sp.csr_matrix(W != 0, dtype=np.float64)


def overlap_of_new(nodes: sp.csr_matrix, near: np.ndarray) -> np.ndarray:
    """The same between new points and their nearest nodes.

    Parameters
    ----------
    nodes : CSR matrix (n, n)
        :func:`neighbourhoods` of the graph.
    near : int array (m, k)
        Nearest nodes of each new point: its neighbourhood.

    Returns
    -------
    array (m, k), positive
    """
    m, k = near.shape
    index = near.ravel(), np.arange(0, m * k + 1, k)
    around = sp.csr_matrix((np.ones(m * k), *index), shape=(m, nodes.shape[0]))
    sizes, out = np.diff(nodes.indptr), np.empty((m, k))
    for rows in blocks(m, _BLOCK):
        its = near[rows]
        places = np.arange(len(its)).repeat(k), its.ravel()
        common = np.asarray((around[rows] @ nodes)[places]).reshape(-1, k)
        out[rows] = common / (k + sizes[its] - common)
    return out
