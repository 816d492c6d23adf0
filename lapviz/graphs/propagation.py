"""Functions on a graph from labels at some of its nodes: harmonic functions and spreading."""

from __future__ import annotations

import numpy as np
import scipy.linalg as sla
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from lapviz.graphs.grounded import MOST_LABELS, GroundedLaplacian
from lapviz.graphs.laplacians import check_graph, degrees, inverse_power
from lapviz.graphs.solvers import SMALL, TINY, eliminate, has_large_diameter, is_badly_scaled, solve

Array = np.ndarray

SYMMETRY = 1e-10  # difference of both directions of an edge, relative to the largest weight
LOST = 1e-9  # probability of meeting another label below which it is rounding


def harmonic(
    W,
    labelled,
    values,
    *,
    label_weights=None,
    rtol=1e-13,
    grounded: GroundedLaplacian | None = None,
):
    """Harmonic functions of Zhu, Ghahramani and Lafferty (2003), eq. (5): L_uu f_u = W_ul f_l.

    At every unlabelled node f is the weighted average of its neighbours. The dense solver
    eliminates nodes without subtractions, so it stays accurate when weights span hundreds of orders
    of magnitude; the sparse one, beyond 1500 nodes, also solves for the constant and divides by it,
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
        Weights of the labels in their mean, for nodes that are not connected to any.
    rtol : float, default 1e-13
        Residual of conjugate gradients, where they are used.
    grounded : GroundedLaplacian, optional
        Of `W`: with it, few labels need no factor of their own.

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
        connected = u[grounded.reached(l)[u]]
        F[connected] = grounded.harmonic(l, values)[connected]
        return np.clip(F, values.min(axis=0), values.max(axis=0)).reshape(shape)
    one_and_values = np.column_stack([np.ones(len(l)), values])
    if sp.issparse(W):
        component = connected_components(W, directed=False)[1]
        u = u[np.isin(component[u], component[l])]
    if sp.issparse(W) and not (len(u) <= SMALL and is_badly_scaled(W)):
        load = W[u][:, l] @ one_and_values
        d = degrees(W)[u]
        # A tiny multiple of D keeps the pivots of weakly connected parts positive
        A = sp.csr_matrix(sp.diags(d * (1 + 1e-13)) - W[u][:, u])
        G = solve(A, load, W, rtol)
    else:
        W = np.asarray(W.toarray() if sp.issparse(W) else W)  # type: ignore[union-attr]
        row_scale = np.maximum(W.max(axis=1)[u, None], TINY)  # rows may be scaled freely
        P = W[np.ix_(u, u)]
        P /= row_scale
        G = eliminate(P, (W[np.ix_(u, l)] / row_scale) @ one_and_values)
    reached = G[:, 0] > TINY
    F[u[reached]] = G[reached, 1:] / G[reached, :1]
    F = np.clip(F, values.min(axis=0), values.max(axis=0))  # maximum principle despite rounding
    return F.reshape(shape)


def without_labels(W, labelled, measure, folds):
    """Harmonic measures without some of the labels, from the measure with all of them.

    A harmonic function is the mean of the labels under the harmonic measure: the probability that a
    random walk from a node meets each labelled node first. If a label is left out, the walk goes on
    from its node, which takes a system of the size of the fold.

    Parameters
    ----------
    W : array or sparse matrix (n, n)
        Symmetric weights.
    labelled : int array (m,)
        Labelled nodes.
    measure : array (n, m)
        ``harmonic(W, labelled, numpy.eye(m))``.
    folds : list of int arrays
        Positions in `labelled` to leave out together; a fold must not contain all of them.

    Returns
    -------
    list of arrays (m, m)
        R for each fold: ``measure @ (R @ values)``, with the labels' values (m, k), is
        :func:`harmonic` without that fold wherever a label reaches a node; a label that no other
        reaches counts as the mean of the others.
    """
    m, d = len(labelled), degrees(W)[labelled]
    # one step of the walk, then the measure
    steps = np.asarray(W[labelled] @ measure) / np.where(d > 0, d, 1.0)[:, None]
    replacements = []
    for fold in folds:
        others = np.delete(np.arange(m), fold)
        staying = np.eye(len(fold)) - steps[np.ix_(fold, fold)]
        leaving = np.linalg.lstsq(staying, steps[np.ix_(fold, others)], rcond=1e-12)[0]
        total = leaving.sum(axis=1, keepdims=True)
        reached = total > LOST
        replacement = np.zeros((m, m))
        replacement[others, others] = 1.0
        replacement[np.ix_(fold, others)] = np.where(
            reached, leaving / np.where(reached, total, 1.0), 1.0 / len(others)
        )
        replacements.append(replacement)
    return replacements


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
        # digits of far nodes, which conjugate gradients lose; see
        # test_spreading_keeps_the_digits_of_far_nodes.
        F = Y
        for _ in range(n):  # in practice a few hops more than log(1e-13) / log(alpha)
            previous, F = F, alpha * (S @ F) + Y
            if np.all(np.abs(F - previous) <= 1e-13 * np.abs(F)):
                break
        return F.reshape(shape)
    S = root[:, None] * W * root
    S *= -alpha
    S[np.diag_indices(n)] += 1.0
    # A well-conditioned Stieltjes matrix: Cholesky computes even tiny entries of F accurately
    return sla.solve(S, Y, assume_a="pos", overwrite_a=True).reshape(shape)


def _checked(W, labelled, values):
    """The graph, labelled and other nodes, the labels' values (m, k), and the result's shape."""
    W = check_graph(W)
    if W.shape[0] and abs(W - W.T).max() > SYMMETRY * W.max():
        raise ValueError("W must be symmetric: of a directed graph give (W + W.T) / 2.")
    labelled, values = np.asarray(labelled), np.asarray(values, dtype=float)
    if labelled.dtype == bool and labelled.shape != W.shape[:1]:
        raise ValueError(f"labelled has shape {labelled.shape} for {W.shape[0]} nodes.")
    if labelled.dtype.kind == "f" and (labelled % 1 != 0).any():
        raise ValueError("labelled must hold whole numbers of nodes, or be a boolean mask.")
    try:
        l = np.arange(W.shape[0])[labelled if labelled.dtype == bool else labelled.astype(int)]
    except IndexError:
        raise ValueError(f"labelled names a node beyond the {W.shape[0]} of W.") from None
    if not len(l):
        raise ValueError("No node is labelled: label at least one.")
    if len(values) != len(l) or len(np.unique(l)) != len(l):
        raise ValueError(f"{len(values)} values for {len(np.unique(l))} different labelled nodes.")
    if not np.isfinite(values).all():
        raise ValueError("The labels' values hold NaN or infinite ones.")
    u = np.setdiff1d(np.arange(W.shape[0]), l)
    return W, l, u, values.reshape(len(l), -1), (W.shape[0], *values.shape[1:])
