"""Pieces of a graph that have no label, joined to the others."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin_min

from lapviz.graphs.neighbours import TREE_COLUMNS, search
from lapviz.graphs.points import row_distances

Array = np.ndarray

FEW = 2000  # nodes of a piece whose nearest outer nodes are found without an index
SMALL = 64  # nodes of a piece that is joined together with others, in few columns


def bridged(W: sp.csr_matrix, X: Array, labelled: Array) -> sp.csr_matrix:
    """The graph with one edge more for each piece that has no label, to the nearest other node.

    A gap in a sampled curve leaves a piece that no label reaches. Each is joined by the shortest
    way out of it, and so are the joined ones, until a label reaches every node. The edges have the
    median weight of the graph's.

    Parameters
    ----------
    W : CSR matrix (n, n)
        Symmetric weights.
    X : array (n, d)
        The nodes.
    labelled : boolean array (n,)
        Which nodes have a label, at least one.

    Returns
    -------
    CSR matrix (n, n)
        W itself where a label reaches every node.

    Raises
    ------
    ValueError
        If no node is labelled.
    """
    if not labelled.any():
        raise ValueError("No node is labelled: label at least one.")
    part = connected_components(W, directed=False)[1]
    ends: list[tuple[int, int]] = []
    while len(bare := np.setdiff1d(part, part[labelled])):
        for a, b in _ways_out(X, part, bare):
            if part[a] != part[b]:  # the piece may have been joined just now
                ends.append((a, b))
                part = np.where(part == part[a], part[b], part)
    if not ends:
        return W
    start, stop = np.transpose(ends)
    weight = np.full(len(ends), np.median(W.data) if W.nnz else 1.0)
    bridges = sp.coo_matrix((weight, (start, stop)), shape=W.shape)
    return sp.csr_matrix(W + bridges + bridges.T)


def _ways_out(X: Array, part: Array, bare: Array) -> list[tuple[int, int]]:
    """Of each bare piece the nearest pair of a node of it and another node."""
    sizes = np.bincount(part)[bare]
    few = bare[sizes <= SMALL]
    if len(few) < 2 or X.shape[1] > TREE_COLUMNS:
        few = few[:0]
    ways = [_shortest(X, part, piece) for piece in np.setdiff1d(bare, few)]
    if not len(few):
        return ways
    # among one more neighbours than a piece has nodes one is not of it
    inside = np.flatnonzero(np.isin(part, few))
    most = int(sizes[np.isin(bare, few)].max())
    found = search(X, most + 1)
    near = found.neighbours(X[inside], min(most + 1, len(X)))
    first = (part[near] != part[inside, None]).argmax(axis=1)
    other = near[np.arange(len(inside)), first]
    gap = row_distances(found.points[inside], found.points, other[:, None])[:, 0]
    order = np.lexsort((gap, part[inside]))
    least = order[np.unique(part[inside][order], return_index=True)[1]]
    return ways + [(int(inside[k]), int(other[k])) for k in least]


def _shortest(X: Array, part: Array, piece: int) -> tuple[int, int]:
    """The nearest pair of a node of the piece and another node."""
    inside, outside = np.flatnonzero(part == piece), np.flatnonzero(part != piece)
    A, B = X[inside], X[outside]
    if len(A) <= FEW:
        near, gap = pairwise_distances_argmin_min(A, B)
    else:
        found = search(B, 1)
        near = found.neighbours(A, 1)[:, 0]
        gap = row_distances(found.unit(A), found.points, near[:, None])[:, 0]
    k = int(np.argmin(gap))
    return int(inside[k]), int(outside[near[k]])
