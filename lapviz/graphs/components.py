"""Connected components of a graph: joined where they have no label, or where no gap is between."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin

from lapviz.graphs.laplacians import without_zeros
from lapviz.graphs.neighbours import TREE_COLUMNS, search
from lapviz.graphs.points import rescale, row_distances, squared_distances

Array = np.ndarray

FEW = 2000  # nodes up to which a component's nearest outer nodes are found without an index
TOGETHER = 64  # nodes up to which components are joined in one search, if columns are few
GAP = 4.0  # median lengths of an edge: the width of a gap that sampling does not explain
_EDGES = 5000  # edges of which the median length is taken


def bridged(W: sp.csr_matrix, X: Array, labelled: Array) -> sp.csr_matrix:
    """The graph with an edge from each connected component without a label to the nearest outer
    node.

    A gap in a sampled curve leaves a component that no label reaches. Each is joined by the
    shortest edge out of it, and so are the joined ones, until a label reaches every node. The new
    edges have the median weight of the graph's edges.

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
    edges = without_zeros(W)
    component = connected_components(edges, directed=False)[1]
    if not len(np.setdiff1d(component, component[labelled])):
        return W
    points = rescale(X)[0]
    ends: list[tuple[int, int]] = []
    while len(unlabelled := np.setdiff1d(component, component[labelled])):
        for a, b in _shortest_exits(points, component, unlabelled):
            if component[a] != component[b]:  # they may have been joined just now
                ends.append((a, b))
                component = np.where(component == component[a], component[b], component)
    start, stop = np.transpose(ends)
    weight = np.full(len(ends), np.median(edges.data) if edges.nnz else 1.0)
    bridges = sp.coo_matrix((weight, (start, stop)), shape=W.shape)
    return sp.csr_matrix(edges + bridges + bridges.T)


def separated(W: sp.csr_matrix, X: Array) -> Array:
    """Groups of nodes between which there are wide gaps: components, joined where they are near.

    A graph of few neighbours also falls apart where no gap is, between sub-clusters for example. So
    components nearer to each other than :data:`GAP` times the median length of an edge count as
    one.

    Parameters
    ----------
    W : CSR matrix (n, n)
        Symmetric weights.
    X : array (n, d)
        The nodes.

    Returns
    -------
    int array (n,)
        Numbers of the groups, from 0.
    """
    n_components, component = connected_components(without_zeros(W), directed=False)
    if n_components == 1:
        return component
    points = rescale(X)[0]
    first, second = sp.triu(W, 1).nonzero()
    some = np.linspace(0, len(first) - 1, min(_EDGES, len(first)), dtype=int)
    lengths = squared_distances(points, points, first[some], second[some])
    lengths = lengths[lengths > 0]  # not those between copies
    widest = GAP * np.sqrt(np.median(lengths)) if len(lengths) else np.inf
    joined = True
    while joined:
        joined = False
        numbers, sizes = np.unique(component, return_counts=True)
        others = np.delete(numbers, sizes.argmax())  # what is near to the largest finds it
        for a, b in _shortest_exits(points, component, others):
            near = np.linalg.norm(points[a] - points[b]) <= widest
            if near and component[a] != component[b]:
                component = np.where(component == component[a], component[b], component)
                joined = True
    return np.unique(component, return_inverse=True)[1]


def _shortest_exits(X: Array, component: Array, numbers: Array) -> list[tuple[int, int]]:
    """For each of some components, its node and the outer node that are nearest to each other."""
    sizes = np.bincount(component)[numbers]
    # for half of all nodes scikit-learn takes no tree, but ‖x‖² + ‖y‖² − 2xᵀy far from 0
    small = numbers[sizes <= min(TOGETHER, len(X) // 2 - 2)]
    if len(small) < 2 or X.shape[1] > TREE_COLUMNS:
        small = small[:0]
    exits = [_shortest_exit(X, component, number) for number in np.setdiff1d(numbers, small)]
    if not len(small):
        return exits
    # among one more neighbours than a component has nodes, one is outside it
    inside = np.flatnonzero(np.isin(component, small))
    largest = int(sizes[np.isin(numbers, small)].max())
    index = search(X, largest + 1)
    near = index.neighbours(X[inside], min(largest + 1, len(X)))
    first = (component[near] != component[inside, None]).argmax(axis=1)
    other = near[np.arange(len(inside)), first]
    distance = row_distances(index.points[inside], index.points, other[:, None])[:, 0]
    order = np.lexsort((distance, component[inside]))
    shortest = order[np.unique(component[inside][order], return_index=True)[1]]
    return exits + [(int(inside[k]), int(other[k])) for k in shortest]


def _shortest_exit(X: Array, component: Array, number: int) -> tuple[int, int]:
    """The node of component ``number`` and the outer node that are nearest to each other."""
    inside, outside = np.flatnonzero(component == number), np.flatnonzero(component != number)
    A, B = X[inside], X[outside]
    if len(A) <= FEW:
        centre = np.median(A, axis=0)  # ‖x‖² + ‖y‖² − 2xᵀy has its digits near 0
        A -= centre
        B -= centre
        near = pairwise_distances_argmin(A, B)
    else:
        near = search(B, 1).neighbours(A, 1)[:, 0]
    k = int(np.argmin(row_distances(A, B, near[:, None])))
    return int(inside[k]), int(outside[near[k]])
