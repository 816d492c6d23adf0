"""Linear solvers for graph Laplacians: SciPy's, and elimination for badly scaled weights."""

from __future__ import annotations

from contextlib import closing, suppress

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components, dijkstra

from lapviz import _threads

TINY = 1e-250  # below this, 1/x risks overflow in the products that follow
THREADED = 20_000  # nodes from which on a column takes longer than to begin a thread
SMALL = 1500  # nodes up to which a dense eigenproblem or a direct sparse solve costs nothing


def eliminate(P, B):
    """Solve (diag(P1 + b) − P) F = B, b = B[:, 0], for P, B ≥ 0, without subtractions.

    Recursive state reduction (Grassmann, Taksar and Heyman 1985). The diagonal is never formed but
    summed anew from what leaves a node, so that every entry keeps its relative accuracy; a solver
    that is given the diagonal loses all weights below 1e-16 of it, as
    test_harmonic_keeps_every_digit_over_150_orders_of_magnitude shows.

    Parameters
    ----------
    P : array (m, m), weights between the nodes; the diagonal is not read
    B : array (m, K), the first column being the weights to the labels

    Returns
    -------
    array (m, K)
    """
    m = len(P)
    if m < 2:
        return B / np.where(B[:, :1] < TINY, 1.0, B[:, :1])  # 1: no weight leaves the node
    h = m // 2
    P_11, P_12, P_21, P_22 = P[:h, :h], P[:h, h:], P[h:, :h], P[h:, h:]
    leaving = P_12.sum(axis=1) + B[:h, 0]
    first = eliminate(P_11, np.column_stack([leaving, P_12, B[:h]]))[:, 1:]
    passed, absorbed = first[:, : m - h], first[:, m - h :]
    second = eliminate(P_22 + P_21 @ passed, B[h:] + P_21 @ absorbed)
    return np.vstack([passed @ second + absorbed, second])


def factor(A):
    """Sparse LU factors of a symmetric M-matrix."""
    options = {"SymmetricMode": True}
    return spla.splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def solve(A, B, W, rtol=1e-13):
    """Solve A X = B, A a sparse symmetric M-matrix (m, m) over the graph W; B (m, K).

    Conjugate gradients where factors would fill in and few steps suffice, else factors.
    """
    if not len(B):
        return B
    if len(B) > SMALL and not is_badly_scaled(W) and not has_large_diameter(W):
        with suppress(np.linalg.LinAlgError):
            return conjugate_gradients(A, B, rtol=rtol)
    return factor(A).solve(B)


def has_large_diameter(W):
    """Whether some component is many hops wide, as in a graph over data of low dimension.

    There sparse factors stay small but iterations are many; otherwise the reverse (moons, n=1e5:
    factors 0.7 s, CG 20 s; N(0, I_10), n=1e4: factors 9 s, CG 0.04 s).
    """
    first = np.unique(connected_components(W, directed=False)[1], return_index=True)[1]
    hops = dijkstra(W, directed=False, unweighted=True, indices=first, min_only=True)
    return hops.max() > 1.5 * W.shape[0] ** (1 / 3)


def is_badly_scaled(W):
    """Whether sparse weights differ so much that a plain solve loses the smallest ones."""
    return W.nnz > 0 and W.data.min() < 1e-8 * W.data.max()


def conjugate_gradients(A, B, start=None, *, rtol=1e-6, max_iter=2000):
    """Solve A X = B column by column, preconditioned by the diagonal of A.

    Parameters
    ----------
    A : sparse matrix (m, m), symmetric and positive definite, its diagonal positive
    B : array (m, K)
    start : array (m, K), optional
        Where to begin; by default 0.
    rtol : float, default 1e-6
        Residual of each column, relative to it.
    max_iter : int, default 2000

    Returns
    -------
    array (m, K)

    Raises
    ------
    numpy.linalg.LinAlgError
        If that many iterations do not suffice.
    """
    A, jacobi = sp.csr_matrix(A), 1 / A.diagonal()
    X = np.zeros(B.shape) if start is None else np.array(start, dtype=float)

    def solve(k: int) -> None:
        X[:, k] = _column(A, jacobi, B[:, k], X[:, k], rtol, max_iter)

    if len(B) < THREADED:
        for k in range(B.shape[1]):
            solve(k)
    else:
        with closing(_threads.each(solve, range(B.shape[1]))) as columns:
            for _ in columns:
                pass
    return X


def _column(A, jacobi, b, x, rtol, max_iter):
    """One column of :func:`conjugate_gradients`, from x.

    Without BLAS, whose threads wait for each other at every product of two vectors: where others
    compute, too, that took up to twenty times as long as all the rest.
    """
    bound = rtol * _norm(b)
    if bound == 0:
        return np.zeros_like(b)
    x, r = x.copy(), b - A @ x
    p, energy = np.zeros_like(r), 1.0
    for _ in range(max_iter):
        if _norm(r) <= bound:
            return x
        z = jacobi * r
        before, energy = energy, _inner(r, z)
        p *= energy / before
        p += z
        product = A @ p
        step = energy / _inner(p, product)
        x += step * p
        r -= step * product
    raise np.linalg.LinAlgError(
        f"Conjugate gradients did not reach {rtol:g} in {max_iter} iterations."
    )


def _inner(a, b):
    return np.einsum("i,i->", a, b)


def _norm(a):
    return np.sqrt(_inner(a, a))
