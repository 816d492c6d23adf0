r"""The generalized eigenproblem (S + μK) v = γ M v, in frequency form.

Solved for γ ascending and vᵀMv = 1, so that e_i = φᵀv_i are orthonormal over the samples and γ_i is
the (regularised) Dirichlet energy of e_i. M is singular in practice: a pivoted Cholesky
factorisation identifies its numerical null space, which is dropped, leaving an ordinary symmetric
problem. (A ridge on M would instead make spurious zero eigenvalues.)

A function that is 0 over the sample may still have a gradient there, and an RKHS norm: |x|² − 1 on
the sphere, with the ambient gradient. The energy of a function over the sample is then the smallest
among those in the trial space that agree with it there (the finite eigenvalues of the pencil are
those of the Schur complement). Otherwise γ would depend on which functions were dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, lstsq

from lapviz.checks import check_choice, check_count, check_nonnegative
from lapviz.forms import Forms
from lapviz.linalg import OVERFLOW, eigh, pivoted_cholesky, solve_lower
from lapviz.progress import report
from lapviz.spaces.base import TrialSpace

Array = np.ndarray

LOOSE = 0.1  # share of its energy off the span of the others from which a dropped function counts
ROUNDING = 1e-12  # the same share of its mass up to which what is left is 0 over the sample
TOLERANCE = 1e-8  # relative squared distance to the span of the others; closer ones are dropped
_SIGN_FEATURES, _SIGN_CLEAR = 8, 0.2  # see orient
DENSE_SIZE = 1200  # up to this rank a dense solve is as fast as Lanczos
_BLOCK = 16  # block size: finds eigenvalues of multiplicity up to it, and uses BLAS 3
_CONVERGED = 1e-8  # relative residuals of the Ritz pairs
VISIBLE = 5e-4  # largest change of inner products over the sample by functions taken as null
LEADING = 16  # eigenfunctions that decide whether they are, however many are asked for
VANISHES = (
    "The trial space vanishes on the data: every test function is 0 at every sample. Use a larger "
    "bandwidth, or landmarks among the samples."
)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenpairs of the learnt operator on the trial space.

    Attributes
    ----------
    gamma : array (m,), ascending, at least 0
    vectors : array (p, m), coefficients of the eigenfunctions in the trial space
    n_dropped : int, null directions of the mass matrix: functions with norm 0 over the sample
    """

    gamma: Array
    vectors: Array
    n_dropped: int


def spectrum(
    forms: Forms,
    mu: float = 0.0,
    n_modes: int | None = None,
    *,
    tolerance: float = TOLERANCE,
    solver: str = "auto",
    least_energy: bool = True,
) -> Spectrum:
    """Leading eigenpairs of (S + μK) v = γ M v (SSL21 Proposition 1, with γ = 1/λ_{i,μ}).

    Parameters
    ----------
    forms : Forms
        S, K and M over the sample.
    mu : float, default 0
        μ, weight of the RKHS norm.
    n_modes : int, optional
        By default all that remain after dropping null directions.
    tolerance : float
        Relative squared distance to the span of the other test functions below which a function
        is dropped.
    solver : {"auto", "dense", "lanczos"}, default "auto"
        "auto" is Lanczos for few modes of a large problem.
    least_energy : bool, default True
        Whether to add functions that are 0 over the sample, but have energy or an RKHS norm, where
        that lowers γ, so that γ does not depend on which functions were dropped. False, as in the
        papers' experiments: dropped functions play no part.

    Returns
    -------
    Spectrum
        γ ascending, with its eigenvectors.

    Raises
    ------
    ValueError
        If every test function is 0 at every sample, as when the kernel underflows; if numbers
        overflow; if the solver is unknown.
    """
    mu = check_nonnegative("mu", mu)
    check_choice("solver", solver, ("auto", "dense", "lanczos"))
    constant = (np.diag(forms.stiffness) == 0) & (np.diag(forms.gram) == 0)  # has no energy
    keep, L, scale = independent_functions(forms.mass, tolerance, spared=constant)
    rank = len(keep)
    asked = m = rank if n_modes is None else min(check_count("n_modes", n_modes), rank)
    penalty, null = forms.penalty(mu), np.zeros((len(scale), 0))
    correction = null.T
    if least_energy:
        null = _null_functions(forms, mu, keep, L, scale)
    if null.size:
        m = max(m, min(LEADING, rank))
        coupling = null.T @ penalty
        correction = -lstsq(coupling @ null, coupling, cond=tolerance)[0]
        penalty += coupling.T @ correction
    if solver == "auto":
        solver = "dense" if rank <= DENSE_SIZE or 6 * m > rank else "lanczos"
    pairs = None
    vectors = np.zeros((len(forms.mass), m))
    if solver == "lanczos":
        rows = np.sort(keep)
        A = np.array(_restricted(penalty, rows))
        pairs = _lanczos(A, _restricted(forms.mass, rows), m, constant=bool(constant[rows[0]]))
    if pairs is None:
        C = _whitened(_scaled(penalty, keep, scale), L)
        gamma, V = _whitened_eigenpairs(C, L, m, constant=bool(constant[keep[0]]))
        vectors[keep] = V * scale[keep][:, None]
    else:
        gamma, vectors[rows] = pairs
    if null.size:
        vectors += null @ (correction @ vectors)
        orthonormal = _orthonormal(gamma, vectors, forms.mass, bool(constant[keep[0]]))
        if orthonormal is None:  # null only up to rounding
            return spectrum(
                forms, mu, n_modes, tolerance=tolerance, solver=solver, least_energy=False
            )
        gamma, vectors = orthonormal
    return _ascending(gamma[:asked], vectors[:, :asked], len(forms.mass) - rank)


class Pencil:
    """The eigenproblem for several μ: the O(p³) steps that do not depend on μ are done once.

    Whitened by M, S and K are p×p matrices whose sum S + μK needs an ordinary eigensolver. For a
    few hundred functions that halves the time from the second μ on.

    Parameters
    ----------
    forms : Forms
    tolerance : float
        As in :func:`spectrum`.
    """

    def __init__(self, forms: Forms, tolerance: float = TOLERANCE):
        constant = (np.diag(forms.stiffness) == 0) & (np.diag(forms.gram) == 0)
        self._keep, self._L, scale = independent_functions(forms.mass, tolerance, spared=constant)
        null = _null_functions(forms, 1.0, self._keep, self._L, scale)
        self._unshared = (forms, tolerance) if null.size else None  # no step can be shared
        self._constant = bool(constant[self._keep[0]])
        self._scale, self._p = scale[self._keep, None], len(forms.mass)
        self._S, self._K = (
            _whitened(_scaled(form, self._keep, scale), self._L)
            for form in (forms.stiffness, forms.gram)
        )

    def spectrum(self, mu: float, n_modes: int | None = None) -> Spectrum:
        """Leading eigenpairs, as from :func:`spectrum` with its dense solver."""
        mu = check_nonnegative("mu", mu)
        if self._unshared is not None:
            forms, tolerance = self._unshared
            return spectrum(forms, mu, n_modes, tolerance=tolerance, solver="dense")
        rank = len(self._keep)
        m = rank if n_modes is None else min(check_count("n_modes", n_modes), rank)
        gamma, V = _whitened_eigenpairs(self._S + mu * self._K, self._L, m, self._constant)
        vectors = np.zeros((self._p, m))
        vectors[self._keep] = V * self._scale
        return _ascending(gamma, vectors, self._p - rank)


def independent_functions(
    form: Array, tolerance: float, vanishes: str = VANISHES, spared: Array | bool = False
) -> tuple[Array, Array, Array]:
    """Choose a well-conditioned subset of functions under a positive form, by pivoted Cholesky.

    The form is first scaled to unit diagonal, so that functions of small norm are not mistaken
    for dependent ones. Stops when every other function is within ``tolerance`` (squared distance)
    of the span of those chosen. Functions that are negligible beside the others in double precision
    are left out too, except those ``spared``: a polynomial of large numbers may be 1e36 times the
    constant, which is still the first eigenfunction.

    Parameters
    ----------
    form : array (p, p)
        Symmetric, positive semi-definite.
    tolerance : float
        Squared distance, for functions of norm 1.
    vanishes : str
        Error message if the form is 0.
    spared : bool or boolean array (p,), default False
        Functions that may be small.

    Returns
    -------
    keep : int array (r,)
        The functions chosen.
    L : array (r, r)
        Lower triangular; LLᵀ is the scaled form on ``keep``.
    scale : array (p,)
        The diagonal scaling.

    Raises
    ------
    ValueError
        If the form is 0, or numbers overflow.
    """
    diagonal = np.diag(form).copy()
    if not np.isfinite(diagonal).all():
        raise ValueError(OVERFLOW)
    floor = 1e-300 + 1e-30 * diagonal.max(initial=0.0)
    nonzero = np.flatnonzero(diagonal > np.where(spared, 1e-300, floor))
    if not nonzero.size:
        raise ValueError(vanishes)
    scale = np.zeros(len(form))
    scale[nonzero] = 1.0 / np.sqrt(diagonal[nonzero])
    scaled = _scaled(form, nonzero, scale)
    # Exactly 1, so that ties go to the first function. With rounding the choice, and with it the
    # eigenvalues by a few per cent, would depend on the order of the samples.
    np.fill_diagonal(scaled, 1.0)
    # The transpose is the same matrix in LAPACK's order and may be overwritten.
    factor, pivots, rank = pivoted_cholesky(scaled.T, tolerance)
    return nonzero[pivots[:rank]], np.tril(factor[:rank, :rank]), scale


def _null_functions(forms: Forms, mu: float, keep: Array, L: Array, scale: Array) -> Array:
    """Coefficients (p, k) of functions that count though they are 0 over the sample; mostly k = 0.

    From each dropped function its projection on the span of those kept is subtracted; the rest
    counts if its energy is not small beside that of the function. Where μ > 0 it also counts if its
    RKHS norm is not small and it is 0 but for rounding (of those that are merely small, many have
    such a norm). An independent subset is taken.
    """
    dropped = np.setdiff1d(np.flatnonzero(scale), keep)
    P = forms.mass[np.ix_(keep, dropped)] * scale[dropped] * scale[keep][:, None]
    P = solve_lower(L, P)
    is_zero = 1.0 - np.einsum("ij,ij->j", P, P) <= ROUNDING  # the rest, of functions of norm 1
    P = solve_lower(L, P, transposed=True)  # coefficients of the projections
    P *= scale[keep][:, None]

    def remains(form: Array, among: Array | slice = slice(None)) -> Array:
        """Whether the rest has more than a share of the form, for some of the dropped functions."""
        rows, projection = dropped[among], P[:, among]
        original = scale[rows] ** 2 * np.diag(form)[rows]
        cross = np.einsum("ij,ij->j", form[np.ix_(keep, rows)] * scale[rows], projection)
        square = np.einsum("ij,ij->j", form[np.ix_(keep, keep)] @ projection, projection)
        return original - 2 * cross + square > LOOSE * original

    counts = remains(forms.stiffness)
    if mu > 0:
        counts[is_zero] |= remains(forms.gram, is_zero)
    loose = np.flatnonzero(counts)
    null = np.zeros((len(scale), len(loose)))
    null[dropped[loose], np.arange(len(loose))] = scale[dropped[loose]]
    null[keep] = -P[:, loose]
    if not loose.size:
        return null
    energy = null.T @ forms.stiffness @ null + mu * (null.T @ forms.gram @ null)
    subset, _, size = independent_functions(energy, TOLERANCE)
    return null[:, subset] * size[subset]


def _restricted(form: Array, rows: Array) -> Array:
    """The form on some of the functions; the form itself if these are all of them in order."""
    in_order = len(rows) == len(form) and (np.diff(rows) > 0).all()
    return form if in_order else form[np.ix_(rows, rows)]


def _scaled(form: Array, rows: Array, scale: Array) -> Array:
    restricted = _restricted(form, rows) * scale[rows]
    restricted *= scale[rows][:, None]
    return restricted


def _whitened(A: Array, L: Array) -> Array:
    """L⁻¹AL⁻ᵀ, exactly symmetric."""
    C = solve_lower(L, A)
    C = solve_lower(L, C.T)
    return 0.5 * (C + C.T)


def _whitened_eigenpairs(C: Array, L: Array, m: int, constant: bool) -> tuple[Array, Array]:
    """The m smallest eigenpairs of C u = γ u, and v = L⁻ᵀu.

    The constant, function 0 if present, has no energy: it is split off first, so that γ₀ = 0
    exactly, and e_0 = 1 even if other functions have no energy either.
    """
    n, rest = len(C), slice(int(constant), None)
    gamma, U = np.zeros(m), np.eye(n, m)
    if m > constant:
        subset = None if m == n else (0, m - 1 - constant)
        gamma[rest], U[rest, rest] = eigh(C[rest, rest], subset)
    return gamma, solve_lower(L, U, transposed=True)


def _orthonormal(
    gamma: Array, vectors: Array, M: Array, constant: bool
) -> tuple[Array, Array] | None:
    """Eigenpairs with functions added that are null over the sample; None if these are visible.

    The leading ones decide. Those far above them, with large coefficients, may see rounding: then
    the Ritz pairs of their span are taken.
    """
    products = vectors.T @ M @ vectors
    excess = np.abs(products - np.eye(len(gamma)))
    if not (excess[:LEADING, :LEADING].max() <= VISIBLE and np.isfinite(excess).all()):
        return None
    if excess.max() <= VISIBLE:
        return gamma, vectors
    try:
        L = cholesky(products, lower=True)
    except np.linalg.LinAlgError:
        return None
    C = _whitened(np.diag(gamma), L)
    gamma, U = _whitened_eigenpairs(C, L, len(gamma), constant)
    return gamma, vectors @ U


def _ascending(gamma: Array, vectors: Array, n_dropped: int) -> Spectrum:
    gamma = np.maximum(gamma, 0.0)  # against rounding: the form is positive
    order = np.argsort(gamma, kind="stable")
    return Spectrum(gamma[order], vectors[:, order], n_dropped)


def _lanczos(A: Array, M: Array, m: int, constant: bool) -> tuple[Array, Array] | None:
    """The m smallest eigenpairs of A v = γ M v, by block Lanczos; None if it fails.

    A is overwritten.

    With A + τM = RRᵀ they belong to the largest eigenvalues 1/(γ + τ) of R⁻¹MR⁻ᵀ. That matrix is
    never formed: its product costs two triangular solves and a product with M. (Four circles, p = n
    = 2000, 64 modes: 0.25 s; LOBPCG preconditioned by the same R: 2.2 s; single-vector Lanczos on
    the matrix formed beforehand: 0.66 s.) The constant, if it is function 0, is a multiple of e_0
    there, and is split off.
    """
    tau = 1e-3 * np.mean(np.diag(A) / np.diag(M)) or 1.0
    for row, mass_row in zip(A, M, strict=True):  # in place: allocating memory dominates the cost
        row += tau * mass_row
    try:
        R = cholesky(A.T, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None

    first = int(constant)

    def unwhitened(Q: Array) -> Array:
        return solve_lower(R, np.pad(Q, ((first, 0), (0, 0))), transposed=True)

    def product(Q: Array) -> Array:
        # M is symmetric and C-ordered: in this order of factors it is read once, sequentially
        return solve_lower(R, (unwhitened(Q).T @ M).T, overwrite=True)[first:]

    largest = _largest(product, len(A) - first, m - first)
    if largest is None:
        return None
    theta, U = largest
    gamma, V = np.zeros(m), np.eye(len(A), m)
    V[0, :first] /= np.sqrt(M[0, 0])
    gamma[first:], V[:, first:] = 1.0 / theta - tau, unwhitened(U) / np.sqrt(theta)
    return gamma, V


def _largest(product: Callable, n: int, m: int) -> tuple[Array, Array] | None:
    """Leading eigenpairs of a positive symmetric operator by block Lanczos.

    The basis is fully reorthogonalised and never restarted; None if it reaches 3n/4 vectors before
    the residuals of all m Ritz pairs are below ``_CONVERGED`` times their eigenvalues.
    """
    if n < _BLOCK:
        return None
    basis = np.empty((n, max(3 * n // 4, _BLOCK)), order="F")
    H = np.zeros((basis.shape[1],) * 2)
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(n, _BLOCK)))[0]
    for start in range(0, basis.shape[1] - _BLOCK + 1, _BLOCK):
        report("spectrum", start, basis.shape[1])
        columns, filled = slice(start, start + _BLOCK), slice(start + _BLOCK)
        basis[:, columns] = Q
        V = basis[:, filled]
        W = product(Q)
        H[filled, columns] = V.T @ W
        W -= V @ H[filled, columns]
        Q, first = np.linalg.qr(W)
        Q, second = np.linalg.qr(Q - V @ (V.T @ Q))
        if V.shape[1] < 2 * m or (start // _BLOCK) % 2:
            continue
        theta, S = eigh(H[filled, filled].T)
        theta, S = theta[: -m - 1 : -1], S[:, : -m - 1 : -1]
        residual = np.linalg.norm(second @ first @ S[columns], axis=0)
        if (residual <= _CONVERGED * theta).all():
            return theta, V @ S
    return None


def orient(spectrum: Spectrum, space: TrialSpace, points: Array | None = None) -> Spectrum:
    """Give the eigenfunctions deterministic signs, whatever the order of the samples.

    Each eigenfunction is made to increase, over the landmarks (or ``points``), along the first
    coordinate with which it is correlated; otherwise to have positive skewness; otherwise to be
    positive where it is largest in absolute value. The constant is positive.

    Parameters
    ----------
    spectrum : Spectrum
        With vectors in the functions of ``space``.
    space : TrialSpace
        The functions.
    points : array (m, d), optional
        By default the landmarks of the space.

    Returns
    -------
    Spectrum
        With the signs of some vectors changed.
    """
    points = np.asarray(getattr(space, "landmarks") if points is None else points)  # noqa: B009
    values = space.phi(points) @ spectrum.vectors
    norms = np.linalg.norm(values, axis=0)
    values = values / np.where(norms > 0, norms, 1.0)
    X = points - points.mean(axis=0)
    spread = np.linalg.norm(X, axis=0)
    X = X[:, spread > 0][:, :_SIGN_FEATURES] / spread[spread > 0][:_SIGN_FEATURES]
    mean = values.sum(axis=0) / np.sqrt(len(values))
    skewness = (values**3).sum(axis=0) * np.sqrt(len(values))
    largest = values[np.abs(values).argmax(axis=0), np.arange(values.shape[1])]
    criteria = np.vstack([np.where(np.abs(mean) > 0.9, mean, 0.0), X.T @ values, skewness, largest])
    clear = np.abs(criteria) > _SIGN_CLEAR
    clear[-1] = True
    decisive = criteria[clear.argmax(axis=0), np.arange(values.shape[1])]
    return Spectrum(
        spectrum.gamma, spectrum.vectors * np.where(decisive < 0, -1.0, 1.0), spectrum.n_dropped
    )
