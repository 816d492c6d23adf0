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
THREADED = 20_000  # nodes from which a column takes longer than starting a thread
COLUMNS, NUMBERS = 32, 4_000_000  # most columns and entries multiplied by a matrix at once
SINGLE = 1e-5  # relative residual from which single precision is enough
_BLOCK = 4096  # rows whose products are summed in the precision of their factors
SMALL = 1500  # nodes up to which direct solvers are used where sparse factors would fill in
FACTORED = 10_000  # the same if weights are badly scaled: 3 s, and minutes for 25 000


def eliminate(P, B):
    """Solve (diag(P1 + b) − P) F = B, b = B[:, 0], for P, B ≥ 0, without subtractions.

    Recursive state reduction (Grassmann, Taksar and Heyman 1985). The diagonal is never formed but
    recomputed as the sum of weights leaving a node, so that every entry keeps its relative
    accuracy; a solver that is given the diagonal loses all weights below 1e-16 of it, see
    test_harmonic_keeps_every_digit_over_150_orders_of_magnitude.

    Parameters
    ----------
    P : array (m, m), weights between the nodes; the diagonal is not read
    B : array (m, K), its first column the weights to the labels

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
    """Sparse LU factors of a symmetric M-matrix, for the thread that makes them.

    If another thread drops them, SciPy does not free them (scipy/scipy#15921): keep their arrays.
    """
    options = {"SymmetricMode": True}
    return spla.splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def solve(A, B, W, rtol=1e-13):
    """Solve A X = B, A a sparse symmetric M-matrix (m, m) over the graph W; B (m, K).

    By conjugate gradients where factors would fill in and few steps suffice, else by factors.
    """
    if not len(B):
        return B
    direct = FACTORED if is_badly_scaled(W) else SMALL
    if len(B) > direct and not has_large_diameter(W):
        with suppress(np.linalg.LinAlgError):
            return conjugate_gradients_of(A, rtol=rtol, coarse=True)(B)
    return factor(A).solve(B)


def has_large_diameter(W):
    """Whether some component of symmetric weights is many hops wide, as in a graph over
    low-dimensional data.

    There sparse factors stay small but iterations are many; otherwise the reverse (moons, n=1e5:
    factors 0.7 s, CG 20 s; N(0, I_10), n=1e4: factors 9 s, CG 0.04 s).
    """
    first = np.unique(connected_components(W, directed=False)[1], return_index=True)[1]
    hops = dijkstra(W, unweighted=True, indices=first, min_only=True)
    return hops.max() > 1.5 * W.shape[0] ** (1 / 3)


def is_badly_scaled(W):
    """Whether sparse weights differ so much that an ordinary solve loses the smallest ones."""
    return W.nnz > 0 and W.data.min() < 1e-8 * W.data.max()


def conjugate_gradients_of(A, *, shift=None, rtol=1e-6, max_iter=2000, coarse=False):
    """A function that solves (A + diag(s_k)) x_k = b_k for every column, for many right-hand sides.

    By conjugate gradients preconditioned by the diagonal. Columns are multiplied by the matrix
    together, which takes a third of the time of separate products, but each takes its own steps; in
    single precision where that is enough.

    Parameters
    ----------
    A : sparse matrix (m, m), symmetric and positive definite with the shift, as is the diagonal
    shift : array (m, K), optional
        The s_k; by default 0.
    rtol : float, default 1e-6
        Residual of each column relative to its norm.
    max_iter : int, default 2000
    coarse : bool, default False
        Also precondition by the system of functions that are constant on √m cells of the graph of
        A: 48 iterations in place of 111 on images, 40 in place of 50 on N(0, I_10). Without a shift
        only.

    Returns
    -------
    callable
        Of B (m, K) and, optionally, a starting point (m, K), by default 0. It returns the solution
        (m, K), or raises ``numpy.linalg.LinAlgError`` if ``max_iter`` iterations do not suffice.
    """
    A, m = sp.csr_matrix(A), A.shape[0]
    unit, diagonal = abs(A.data).max(initial=0.0) or 1.0, A.diagonal()[:, None]
    least = diagonal.min(initial=unit) + (0.0 if shift is None else shift.min(initial=unit))
    # Of smaller numbers the inverse is infinite in single precision.
    dtype = np.float32 if rtol >= SINGLE and least > 1e-30 * unit else np.float64
    # Neighbours next to each other, where the processor's cache does not hold all rows.
    order = reverse_cuthill_mckee(A, symmetric_mode=True) if m >= THREADED else slice(None)
    scaled = ((A[order][:, order] if m >= THREADED else A) / unit).astype(dtype)
    correction = _coarse_correction(scaled) if coarse else None

    def cast(values):
        return values[order].astype(dtype, order="C")

    def solution(B, start=None):
        K = B.shape[1]
        X = np.zeros((m, K)) if start is None else np.array(start, dtype=float)

        def solve(columns: slice) -> None:
            x, b, s = X[:, columns], B[:, columns], None if shift is None else shift[:, columns]
            size = np.sqrt(_inner(b, b))
            x[:, size == 0] = 0.0
            R = b
            if start is not None:
                R = b - A @ x if s is None else b - (A @ x + s * x)
            if (np.sqrt(_inner(R, R)) <= rtol * size).all():
                return
            R = cast(R / np.where(size > 0, size, 1.0))
            jacobi = cast(unit / (diagonal if s is None else diagonal + s))
            scaled_shift = None if s is None else cast(s / unit)
            options = {"correction": correction, "rtol": rtol, "max_iter": max_iter}
            solved = _columns(scaled, R, jacobi, scaled_shift, **options)
            x[order] += solved * (size / unit)

        if m < THREADED:
            for columns in blocks(K, COLUMNS):
                solve(columns)
        else:
            step = min(COLUMNS, NUMBERS // m, -(-K // _threads.cores()))
            with closing(_threads.parallel_map(solve, blocks(K, max(1, step)))) as solved:
                for _ in solved:
                    pass
        return X

    return solution


def _coarse_correction(A):
    """Z(ZᵀAZ)⁻¹Zᵀ for the indicators Z of cells, the nodes nearest to each of √m seeds in hops."""
    m = A.shape[0]
    seeds = np.unique(np.linspace(0, m - 1, round(np.sqrt(m))).astype(int))
    options = {"min_only": True, "return_predecessors": True}
    nearest = dijkstra(abs(A), directed=False, unweighted=True, indices=seeds, **options)[2]
    reached = np.flatnonzero(nearest >= 0)
    entries = np.ones(len(reached)), (reached, np.searchsorted(seeds, nearest[reached]))
    Z = sp.csr_matrix(entries, shape=(m, len(seeds)))
    inverse = np.linalg.inv((Z.T @ A @ Z).toarray()).astype(A.dtype)
    Z, Zt = Z.astype(A.dtype), sp.csr_matrix(Z.T, dtype=A.dtype)
    return lambda R: Z @ (inverse @ (Zt @ R))


def _columns(A, R, jacobi, shift=None, *, correction=None, rtol, max_iter):
    """Solutions for right-hand sides R, starting from 0, until their residuals are below rtol.

    Without BLAS, whose threads synchronise at every inner product: beside other computations, that
    took up to twenty times as long as all the rest.
    """
    solution, remaining = np.zeros(R.shape), np.arange(R.shape[1])
    X, P, energy = np.zeros_like(R), np.zeros_like(R), np.ones(len(remaining))
    for _ in range(max_iter + 1):
        active = np.sqrt(_inner(R, R)) > rtol
        # Converged columns need no more products.
        if 2 * np.count_nonzero(active) <= len(remaining):
            solution[:, remaining[~active]] = X[:, ~active]
            remaining, energy = remaining[active], energy[active]
            if not len(remaining):
                return solution
            X, R, P = (np.compress(active, block, axis=1) for block in (X, R, P))
            if shift is not None:
                shift, jacobi = (np.compress(active, block, axis=1) for block in (shift, jacobi))
            active = np.ones(len(remaining), dtype=bool)
        Z = jacobi * R
        if correction is not None:
            Z += correction(R)
        before, energy = energy, np.where(active, _inner(R, Z), 1.0)
        P *= (energy / before).astype(P.dtype)
        P += Z
        AP = A @ P
        if shift is not None:
            AP += np.multiply(shift, P, out=Z)
        step = np.where(active, energy / np.where(active, _inner(P, AP), 1.0), 0.0)
        step = step.astype(P.dtype)
        X += np.multiply(P, step, out=Z)
        R -= np.multiply(AP, step, out=Z)
    raise np.linalg.LinAlgError(
        f"Conjugate gradients did not reach {rtol:g} in {max_iter} iterations."
    )


def _inner(A, B):
    """Inner products of columns, summed over blocks of rows in double precision."""
    sums = np.zeros(A.shape[1])
    for rows in blocks(len(A), _BLOCK):
        sums += np.einsum("ij,ij->j", A[rows], B[rows])
    return sums
