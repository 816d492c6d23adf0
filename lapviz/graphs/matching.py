"""Matching the eigenfunctions of two methods: order, signs, and bases of eigenspaces."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from lapviz.checks import check_nonnegative

Array = np.ndarray

SAME = 0.15  # relative gap up to which eigenvalues belong to one eigenspace
_ZERO = 1e-9  # of the largest eigenvalue
_FLOOR = 0.01  # of the mean eigenvalue: smaller gaps are ignored, as among components' zeros


def eigenspaces(gamma: Array, rtol: float = SAME) -> list[Array]:
    """Groups of nearly equal eigenvalues.

    Parameters
    ----------
    gamma : array (k,)
        Ascending, at least 0.
    rtol : float
        A group holds the eigenvalues up to ``1 + rtol`` times its first (plus a hundredth of the
        mean eigenvalue, for the zeros).

    Returns
    -------
    list of int arrays
        Indices of each group, ascending.
    """
    gamma, rtol = np.asarray(gamma, dtype=float), check_nonnegative("rtol", rtol)
    slack = _FLOOR * gamma.mean() if rtol and gamma.size else 0.0
    groups: list[list[int]] = []
    for i, value in enumerate(gamma):
        if groups and value <= gamma[groups[-1][0]] * (1 + rtol) + slack:
            groups[-1].append(i)
        else:
            groups.append([i])
    return [np.array(group) for group in groups]


def match_functions(
    F: Array,
    G: Array,
    gamma: Array | None = None,
    rtol: float = SAME,
    other_gamma: Array | None = None,
) -> Array:
    """Combine functions G to match functions F, without mixing more than needed.

    Functions of F and G are paired such that the sum of squared correlations is largest. An
    eigenfunction is determined up to its sign, and within an eigenspace up to a rotation: the
    partners of each group of nearly equal ``gamma`` are rotated together (orthogonal Procrustes
    problem), and single ones get the sign of their correlation.

    Parameters
    ----------
    F : array (n, k)
        Values of the reference functions at n samples.
    G : array (n, m)
        Values of the functions to combine, at the same samples.
    gamma : array (k,), optional
        Eigenvalues of F, ascending; without them nothing is rotated.
    rtol : float
        As in :func:`eigenspaces`.
    other_gamma : array (m,), optional
        Eigenvalues of G, ascending. Its functions of eigenvalue 0, of which a graph has one for
        each connected component, are first rotated towards the leading functions of F.

    Returns
    -------
    array (m, k)
        T with orthonormal columns: ``G @ T`` is matched to F. With m < k, the columns of the
        functions without a partner are 0. With ``other_gamma``, functions of eigenvalue 0 that are
        not orthonormal are combined so that they are.

    Raises
    ------
    ValueError
        If the shapes do not fit or a value is not finite.
    """
    F, G = np.asarray(F, dtype=float), np.asarray(G, dtype=float)
    if F.ndim != 2 or G.ndim != 2 or len(F) != len(G):
        raise ValueError(
            f"F (n, k) and G (n, m) must have the same samples; got {F.shape} and {G.shape}."
        )
    if not (np.isfinite(F).all() and np.isfinite(G).all()):
        raise ValueError("F and G must be finite.")
    k = F.shape[1]
    gamma = np.arange(k, dtype=float) if gamma is None else np.asarray(gamma, dtype=float)
    if gamma.shape != (k,):
        raise ValueError(f"gamma must have shape ({k},), one for each column of F.")
    R = np.eye(G.shape[1])
    if other_gamma is not None and len(R):
        R = _zeros_towards(_unit(F), _unit(G), np.asarray(other_gamma, dtype=float))
    correlation = _unit(F).T @ _unit(G) @ R
    rows, partners = linear_sum_assignment(-(correlation**2))
    partner = dict(zip(rows.tolist(), partners.tolist(), strict=True))
    T = np.zeros((G.shape[1], k))
    for group in eigenspaces(gamma, rtol):
        group = np.array([i for i in group if i in partner], dtype=int)
        if group.size:
            columns = np.array([partner[i] for i in group])
            U, _, Vt = np.linalg.svd(correlation[np.ix_(group, columns)])
            T[np.ix_(columns, group)] = (U @ Vt).T
    return R @ T


def _zeros_towards(F: Array, G: Array, gamma: Array) -> Array:
    """Combinations (m, m) of unit functions G: those of eigenvalue 0, made orthonormal, are rotated
    towards the first functions F; the others stay."""
    R = np.eye(G.shape[1])
    if gamma.shape != (len(R),):
        raise ValueError(f"other_gamma must have shape ({len(R)},), one for each column of G.")
    zeros = np.count_nonzero(gamma <= _ZERO * gamma.max())
    Z = G[:, :zeros]
    s, V = np.linalg.eigh(Z.T @ Z)  # a graph's are orthonormal by its degrees only
    if zeros and s[0] > _ZERO:
        C = (V / np.sqrt(s)) @ V.T
        U, _, Vt = np.linalg.svd((Z @ C).T @ F[:, :zeros])
        U[:, : len(Vt)] = U[:, : len(Vt)] @ Vt
        R[:zeros, :zeros] = C @ U
    return R


def _unit(F: Array) -> Array:
    norms = np.linalg.norm(F, axis=0)
    return F / np.where(norms > 0, norms, 1.0)
