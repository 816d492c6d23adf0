"""Linear solvers for graph Laplacians: SciPy's, and elimination for badly scaled weights."""

from __future__ import annotations

from contextlib import closing, suppress

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla
from scipy.sparse.csgraph import connected_components, dijkstra, reverse_cuthill_mckee

from lapviz import _threads
from lapviz.linalg import blocks

TINY = 1e-250  # below this, 1/x risks overflow in the products that follow
THREADED = 20_000  # nodes from which on a column takes longer than to begin a thread
COLUMNS, NUMBERS = 32, 4_000_000  # that go through a matrix together, at most
SINGLE = 1e-5  # relative residual from which on single precision is enough
_BLOCK = 4096  # rows whose products are summed in the precision of their factors
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


def solve(A, B, W, rtol=1e-13, start=None):
    """Solve A X = B, A a sparse symmetric M-matrix (m, m) over the graph W; B (m, K).

    Conjugate gradients where factors would fill in and few steps suffice, else factors; none of
    both where a start has no larger residual than rtol of B.
    """
    if not len(B):
        return B
    if start is not None:
        R = B - A @ start
        if (_inner(R, R) <= rtol**2 * _inner(B, B)).all():
            return start
    if len(B) > SMALL and not is_badly_scaled(W) and not has_large_diameter(W):
        with suppress(np.linalg.LinAlgError):
            return conjugate_gradients(A, B, start, rtol=rtol)
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


def conjugate_gradients(A, B, start=None, *, shift=None, rtol=1e-6, max_iter=2000):
    """Solve (A + diag(s_k)) x_k = b_k for every column, preconditioned by the diagonal.

    Columns go through the matrix together, as a product with many of them takes a third of the time
    of as many products, but each by its own steps; in single precision where that is enough.

    Parameters
    ----------
    A : sparse matrix (m, m), symmetric and positive definite with the shift, as is the diagonal
    B : array (m, K)
    start : array (m, K), optional
        Where to begin; by default 0.
    shift : array (m, K), optional
        The s_k; by default 0.
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
    return conjugate_gradients_of(A, shift=shift, rtol=rtol, max_iter=max_iter)(B, start)


def conjugate_gradients_of(A, *, shift=None, rtol=1e-6, max_iter=2000):
    """:func:`conjugate_gradients` as a function of B and start, for many right-hand sides."""
    A, m = sp.csr_matrix(A), A.shape[0]
    dtype, unit = np.float32 if rtol >= SINGLE else np.float64, abs(A.data).max(initial=0.0) or 1.0
    # Neighbours side by side, where the processor's cache does not hold all rows.
    order = reverse_cuthill_mckee(A, symmetric_mode=True) if m >= THREADED else slice(None)
    scaled = ((A[order][:, order] if m >= THREADED else A) / unit).astype(dtype)
    diagonal = A.diagonal()[:, None]

    def rounded(values):
        return values[order].astype(dtype, order="C")

    def of_system(some: slice) -> tuple:
        held = None if shift is None else shift[:, some]
        jacobi = rounded(unit / (diagonal if held is None else diagonal + held))
        return (jacobi,) if held is None else (jacobi, rounded(held / unit))

    prepared = None  # for each block of columns, where they are few numbers
    if m < THREADED and shift is not None:
        prepared = [of_system(some) for some in blocks(shift.shape[1], COLUMNS)]

    def solution(B, start=None):
        K = B.shape[1]
        X = np.zeros((m, K)) if start is None else np.array(start, dtype=float)

        def solve(some: slice) -> None:
            x, b, held = X[:, some], B[:, some], None if shift is None else shift[:, some]
            size = np.sqrt(_inner(b, b))
            x[:, size == 0] = 0.0
            R = b - A @ x if held is None else b - (A @ x + held * x)
            if (np.sqrt(_inner(R, R)) <= rtol * size).all():
                return
            parts = of_system(some) if prepared is None else prepared[some.start // COLUMNS]
            R = rounded(R / np.where(size > 0, size, 1.0))
            x[order] += _columns(scaled, R, *parts, rtol=rtol, max_iter=max_iter) * (size / unit)

        if m < THREADED:
            for some in blocks(K, COLUMNS):
                solve(some)
        else:
            together = min(COLUMNS, NUMBERS // m, -(-K // _threads.cores()))
            with closing(_threads.parallel_map(solve, blocks(K, max(1, together)))) as columns:
                for _ in columns:
                    pass
        return X

    return solution


def _columns(A, R, jacobi, shift=None, *, rtol, max_iter):
    """Solutions from 0, for some columns R, until their residuals are below rtol.

    Without BLAS, whose threads wait for each other at every product of two vectors: where others
    compute, too, that took up to twenty times as long as all the rest.
    """
    found, left = np.zeros(R.shape), np.arange(R.shape[1])
    X, P, energy = np.zeros_like(R), np.zeros_like(R), np.ones(len(left))
    for _ in range(max_iter + 1):
        moves = np.sqrt(_inner(R, R)) > rtol
        if 2 * np.count_nonzero(moves) <= len(left):  # those that have ended need no more products
            found[:, left[~moves]] = X[:, ~moves]
            left, energy = left[moves], energy[moves]
            if not len(left):
                return found
            X, R, P = (np.compress(moves, each, axis=1) for each in (X, R, P))
            if shift is not None:
                shift, jacobi = (np.compress(moves, each, axis=1) for each in (shift, jacobi))
            moves = np.ones(len(left), dtype=bool)
        Z = jacobi * R
        before, energy = energy, np.where(moves, _inner(R, Z), 1.0)
        P *= (energy / before).astype(P.dtype)
        P += Z
        along = A @ P
        if shift is not None:
            along += np.multiply(shift, P, out=Z)
        step = np.where(moves, energy / np.where(moves, _inner(P, along), 1.0), 0.0)
        step = step.astype(P.dtype)
        X += np.multiply(P, step, out=Z)
        R -= np.multiply(along, step, out=Z)
    raise np.linalg.LinAlgError(
        f"Conjugate gradients did not reach {rtol:g} in {max_iter} iterations."
    )


def _inner(A, B):
    """Inner products of columns; those of blocks are summed in double precision."""
    found = np.zeros(A.shape[1])
    for rows in blocks(len(A), _BLOCK):
        found += np.einsum("ij,ij->j", A[rows], B[rows])
    return found
