"""Functions on a graph from labels at some of its nodes: harmonic ones, and spreading.

Components that no label reaches can be joined to the others before (:func:`bridged`).
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as sla
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import pairwise_distances_argmin_min

from lapviz.graphs.grounded import MOST_LABELS, GroundedLaplacian
from lapviz.graphs.laplacians import degrees, inverse_power
from lapviz.graphs.neighbours import TREE_COLUMNS, search
from lapviz.graphs.points import row_distances
from lapviz.graphs.solvers import SMALL, TINY, eliminate, has_large_diameter, is_badly_scaled, solve

Array = np.ndarray

LOST = 1e-9  # of a walk that meets another label: less is rounding
FEW = 2000  # nodes of a piece whose nearest outer nodes are found without an index
TOGETHER = 64  # nodes of a piece that is joined together with others, in few columns


def harmonic(
    W,
    labelled,
    values,
    *,
    label_weights=None,
    rtol=1e-13,
    start=None,
    grounded: GroundedLaplacian | None = None,
):
    """Harmonic functions of Zhu, Ghahramani and Lafferty (2003), eq. (5): L_uu f_u = W_ul f_l.

    At every unlabelled node f is the weighted average of its neighbours. The dense solver
    eliminates nodes without a subtraction, so it stays right when weights span hundreds of orders
    of magnitude; the sparse one, beyond 1500 nodes, solves for the constant too and divides by it,
    which keeps weakly connected parts accurate. Nodes that are not connected to a label get the
    mean of the labels.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    labelled : int array (n_labelled,) or boolean array (n,)
        Labelled nodes, at least one.
    values : array (n_labelled,) or (n_labelled, n_outputs)
        Their values, one-hot, ±1 or any; in the order of `labelled`.
    label_weights : array (n_labelled,), optional
        Of the labels, in the mean of those for nodes that are not connected to any.
    rtol : float, default 1e-13
        Residual of conjugate gradients, where they are used.
    start : array (n,) or (n, n_outputs), optional
        Where they begin: f, roughly.
    grounded : GroundedLaplacian, optional
        Of `W`: with it few labels need no factor of their own.

    Returns
    -------
    array (n,) or (n, n_outputs)
        f at all nodes, within the range of `values`.

    Raises
    ------
    ValueError
        If no node is labelled, or the values do not match the labelled nodes.
    """
    W, l, u, values, shape = _checked(W, labelled, values)
    F = np.empty((W.shape[0], values.shape[1]))
    F[l], F[u] = values, np.average(values, axis=0, weights=label_weights)
    if grounded is not None and len(l) <= max(MOST_LABELS, values.shape[1]):
        inside = u[grounded.reached(l)[u]]
        F[inside] = grounded.harmonic(l, values)[inside]
        return np.clip(F, values.min(axis=0), values.max(axis=0)).reshape(shape)
    one_and_values = np.column_stack([np.ones(len(l)), values])
    if sp.issparse(W):
        part = connected_components(W, directed=False)[1]
        u = u[np.isin(part[u], part[l])]
    if sp.issparse(W) and not (len(u) <= SMALL and is_badly_scaled(W)):
        load = W[u][:, l] @ one_and_values
        d = degrees(W)[u]
        # A tiny multiple of D keeps the pivots of weakly connected parts positive
        A = sp.csr_matrix(sp.diags(d * (1 + 1e-13)) - W[u][:, u])
        if start is not None:
            start = np.column_stack([np.ones(len(u)), np.reshape(start, F.shape)[u]])
        G = solve(A, load, W, rtol, start)
    else:
        W = np.asarray(W.toarray() if sp.issparse(W) else W)  # type: ignore[union-attr]
        top = np.maximum(W.max(axis=1)[u, None], TINY)  # the scale of a row is arbitrary
        P = W[np.ix_(u, u)]
        P /= top
        G = eliminate(P, (W[np.ix_(u, l)] / top) @ one_and_values)
    reached = G[:, 0] > TINY
    F[u[reached]] = G[reached, 1:] / G[reached, :1]
    F = np.clip(F, values.min(axis=0), values.max(axis=0))  # the maximum principle, past rounding
    return F.reshape(shape)


def without_labels(W, labelled, measure, folds):
    """Harmonic measures with the labels of some nodes left out, from the one of all of them.

    A function is the mean of the labels by the harmonic measure: how likely a random walk from a
    node meets each labelled node first. Where a label is left out the walk goes on from its node,
    which takes a system of the size of the fold.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    labelled : int array (m,)
        Labelled nodes.
    measure : array (n, m)
        ``harmonic(W, labelled, numpy.eye(m))``.
    folds : list of int arrays
        Places in `labelled` that are left out together; some are left in.

    Returns
    -------
    list of arrays (m, m)
        Of values (m, k) of the labels ``measure @ (each @ values)`` is as of :func:`harmonic`
        without those of a fold, where any label reaches a node; a label that no other reaches
        counts as the mean of the others.
    """
    m, d = len(labelled), degrees(W)[labelled]
    steps = np.asarray(W[labelled] @ measure) / np.where(d > 0, d, 1.0)[:, None]  # a step, then so
    found = []
    for fold in folds:
        rest = np.delete(np.arange(m), fold)
        stays = np.eye(len(fold)) - steps[np.ix_(fold, fold)]
        onwards = np.linalg.lstsq(stays, steps[np.ix_(fold, rest)], rcond=1e-12)[0]
        total = onwards.sum(axis=1, keepdims=True)
        reached = total > LOST
        left = np.zeros((m, m))
        left[rest, rest] = 1.0
        left[np.ix_(fold, rest)] = np.where(
            reached, onwards / np.where(reached, total, 1.0), 1.0 / len(rest)
        )
        found.append(left)
    return found


def spreading(W, labelled, values, alpha: float = 0.99):
    """Label spreading of Zhou et al. (2004): (I − αS) F = (1 − α) Y, S = D^{−½} W D^{−½}.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    labelled : int array (n_labelled,) or boolean array (n,)
        Labelled nodes, at least one.
    values : array (n_labelled,) or (n_labelled, n_outputs)
        Rows of Y at the labelled nodes, in the order of `labelled`; Y is 0 elsewhere.
    alpha : float, default 0.99
        In (0, 1): the share that a node takes from its neighbours rather than from its label.

    Returns
    -------
    array (n,) or (n, n_outputs)
        F; 0 at nodes that are not connected to a label.

    Raises
    ------
    ValueError
        If alpha is out of range, no node is labelled, or the values do not match the nodes.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}: spreading needs a number between 0 and 1.")
    W, l, _, values, shape = _checked(W, labelled, values)
    n, d = W.shape[0], degrees(W)
    Y = np.zeros((n, values.shape[1]))
    Y[l] = (1 - alpha) * values
    root = inverse_power(d, 0.5)
    if sp.issparse(W):
        S = sp.csr_matrix(sp.diags(root) @ W @ sp.diags(root))
        if alpha > 0.9 or n <= SMALL or has_large_diameter(W):
            return solve(sp.csr_matrix(sp.eye(n) - alpha * S), Y, W).reshape(shape)
        # Σ_t (αS)^t Y by the iteration of Zhou et al. F decays with every hop, and this keeps the
        # digits of far nodes, which conjugate gradients lose:
        # test_spreading_keeps_the_digits_of_far_nodes shows it.
        F = Y
        for _ in range(n):  # in practice a few hops more than log(1e-13) / log(alpha)
            old, F = F, alpha * (S @ F) + Y
            if np.all(np.abs(F - old) <= 1e-13 * np.abs(F)):
                break
        return F.reshape(shape)
    S = root[:, None] * W * root
    S *= -alpha
    S[np.diag_indices(n)] += 1.0
    # A well-conditioned Stieltjes matrix: Cholesky computes even tiny entries of F accurately
    return sla.solve(S, Y, assume_a="pos", overwrite_a=True).reshape(shape)


def _checked(W, labelled, values):
    """The graph, labelled and other nodes, the labels' values (m, k), and the answer's shape."""
    W = sp.csr_matrix(W) if sp.issparse(W) else np.asarray(W, dtype=float)
    labelled, values = np.asarray(labelled), np.asarray(values, dtype=float)
    l = np.flatnonzero(labelled) if labelled.dtype == bool else labelled.astype(int)
    if not len(l):
        raise ValueError("No node is labelled: label at least one.")
    if len(values) != len(l) or len(np.unique(l)) != len(l):
        raise ValueError(f"{len(values)} values for {len(np.unique(l))} different labelled nodes.")
    u = np.setdiff1d(np.arange(W.shape[0]), l)
    return W, l, u, values.reshape(len(l), -1), (W.shape[0], *values.shape[1:])


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
    few = bare[sizes <= TOGETHER]
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
