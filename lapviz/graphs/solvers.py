"""Linear solvers for graph Laplacians that lose no weak link and no far node."""

from __future__ import annotations

import numpy as np
import scipy.linalg as sla
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components, dijkstra

TINY = 1e-250  # below this, 1/x risks overflow in the products that follow
SMALL = 1500  # nodes up to which a dense eigenproblem or a direct sparse solve costs nothing


def eliminate(P, B, block=64):
    """Solve (diag(P1 + b) − P) F = B, b = B[:, 0], for P ≥ 0: both arrays are overwritten.

    State reduction (Grassmann, Taksar and Heyman 1985), in blocks: the diagonal is never formed
    but summed anew from what leaves a node, so nothing cancels and every entry keeps its relative
    accuracy. P (m, m), its diagonal never read; B (m, K), first column the weight to the labels.
    """
    m = len(P)
    starts = range(0, m, block)
    for a in starts:
        b = min(a + block, m)
        inverse = _eliminate_block(P[a:b, a:b], P[a:b, b:].sum(axis=1) + B[a:b, 0])
        P[a:b, b:] = inverse @ P[a:b, b:]
        B[a:b] = inverse @ B[a:b]
        P[b:, b:] += P[b:, a:b] @ P[a:b, b:]
        B[b:] += P[b:, a:b] @ B[a:b]
    for a in reversed(starts):
        b = min(a + block, m)
        B[a:b] += P[a:b, b:] @ B[b:]
    return B


def _eliminate_block(P, leaving):
    """(diag(P1 + leaving) − P)^{−1} ≥ 0, without a subtraction; P (m, m), leaving (m,)."""
    P, leaving, m = P.copy(), leaving.copy(), len(P)
    pivots = np.empty(m)
    for i in range(m):
        pivots[i] = P[i, i + 1 :].sum() + leaving[i]
        if pivots[i] < TINY:  # nowhere to go
            pivots[i] = 1.0
        P[i + 1 :, i] /= pivots[i]
        P[i + 1 :, i + 1 :] += np.outer(P[i + 1 :, i], P[i, i + 1 :])
        leaving[i + 1 :] += P[i + 1 :, i] * leaving[i]
    lower, upper = np.eye(m) - np.tril(P, -1), np.diag(pivots) - np.triu(P, 1)
    inverse = sla.solve_triangular(lower, np.eye(m), lower=True, unit_diagonal=True)
    return sla.solve_triangular(upper, inverse)


def is_deep(W):
    """Is the graph of low dimension, judged by the hops across its pieces?

    There sparse factors stay small and iterations many; else the other way round (moons, n=1e5:
    factors 0.7 s, CG 20 s; N(0, I_10), n=1e4: factors 9 s, CG 0.04 s).
    """
    first = np.unique(connected_components(W, directed=False)[1], return_index=True)[1]
    hops = dijkstra(W, directed=False, unweighted=True, indices=first, min_only=True)
    return hops.max() > 1.5 * W.shape[0] ** (1 / 3)


def factor(A):
    options = {"SymmetricMode": True}
    return spla.splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def solve(A, B, W):
    """Solve A X = B for a sparse symmetric M-matrix; factors or Jacobi-preconditioned CG."""
    if not len(B):
        return B
    if len(B) > SMALL and not is_wild(W) and not is_deep(W):
        X = _conjugate_gradients(A, B)
        if X is not None:
            return X
    return factor(A).solve(B)


def is_wild(W):
    """Do sparse weights span so much that a plain solve loses the weakest links?"""
    return W.nnz > 0 and W.data.min() < 1e-8 * W.data.max()


def _conjugate_gradients(A, B, tol=1e-12, max_iter=2000):
    """CG on all columns of B at once; None when it does not get below `tol` in `max_iter` steps."""
    scale = 1 / A.diagonal()[:, None]
    X, R = np.zeros_like(B), B.copy()
    P = Z = scale * R
    rz, goal = np.sum(R * Z, axis=0), tol**2 * np.sum(B * scale * B, axis=0)
    for _ in range(max_iter):
        if np.all(rz <= goal):
            return X
        AP = A @ P
        curvature = np.sum(P * AP, axis=0)
        step = np.divide(rz, curvature, out=np.zeros_like(rz), where=curvature > 0)
        X += step * P
        R -= step * AP
        Z = scale * R
        old, rz = rz, np.sum(R * Z, axis=0)
        P = Z + np.divide(rz, old, out=np.zeros_like(rz), where=old > 0) * P
    return None
