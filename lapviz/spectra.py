r"""The generalized eigenproblem (S + μK) v = γ M v, in frequency form.

Solved for γ ascending and vᵀMv = 1, so that e_i = φᵀv_i are orthonormal over the samples and γ_i is
the (regularised) Dirichlet energy of e_i. M is singular in practice: its numerical null space is
found by a pivoted Cholesky factorisation and dropped, and what is left is an ordinary symmetric
problem. (A ridge on M would instead make spurious zero eigenvalues.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, eigh, lapack, solve_triangular
from scipy.sparse.linalg import LinearOperator, eigsh

from lapviz.checks import check_count, check_nonnegative
from lapviz.forms import Forms
from lapviz.trial_spaces import KernelSpace

Array = np.ndarray

TOLERANCE = 1e-10  # relative: test functions this close (squared) to the span of the others go
_SIGN_FEATURES, _SIGN_CLEAR = 8, 0.2  # see orient
DENSE_SIZE = 700  # below this a dense solve is as fast as Lanczos


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenpairs of the learnt operator on the trial space.

    Attributes
    ----------
    gamma : array (m,), ascending, at least 0
    vectors : array (p, m), coefficients of the eigenfunctions in the trial space
    n_dropped : int, null directions of the mass matrix that were left out
    """

    gamma: Array
    vectors: Array
    n_dropped: int

    def leading(self, n_modes: int) -> Spectrum:
        return Spectrum(self.gamma[:n_modes], self.vectors[:, :n_modes], self.n_dropped)


def spectrum(
    forms: Forms,
    mu: float = 0.0,
    n_modes: int | None = None,
    *,
    tolerance: float = TOLERANCE,
    solver: str = "auto",
) -> Spectrum:
    """Leading eigenpairs of (S + μK) v = γ M v (SSL21 Proposition 1, with γ = 1/λ_{i,μ}).

    Parameters
    ----------
    forms : Forms
    mu : float, default 0
    n_modes : int, optional; all that are left after dropping null directions by default
    tolerance : float, relative squared distance to the span of the other test functions
    solver : {"auto", "dense", "lanczos"}

    Raises
    ------
    ValueError
        If every direction is null: all samples coincide, or the bandwidth is so small that the
        kernel underflows.
    """
    mu = check_nonnegative("mu", mu)
    keep, L, scale = independent_functions(forms.mass, tolerance)
    rank = len(keep)
    m = rank if n_modes is None else min(check_count("n_modes", n_modes), rank)
    A = forms.penalty(mu)[np.ix_(keep, keep)] * scale[keep] * scale[keep][:, None]
    if solver == "auto":
        solver = "dense" if rank <= DENSE_SIZE or 4 * m > rank else "lanczos"
    gamma, U = (_dense if solver == "dense" else _lanczos)(A, L, m)
    V = solve_triangular(L, U, lower=True, trans="T", check_finite=False)
    vectors = np.zeros((len(forms.mass), m))
    vectors[keep] = V * scale[keep][:, None]
    gamma = np.maximum(gamma, 0.0)  # rounding of a positive form
    order = np.argsort(gamma, kind="stable")
    return Spectrum(gamma[order], vectors[:, order], len(forms.mass) - rank)


def independent_functions(form: Array, tolerance: float) -> tuple[Array, Array, Array]:
    """A well-conditioned subset of functions under a positive form, by pivoted Cholesky.

    The form is first scaled to unit diagonal, so that functions of small norm are not mistaken
    for dependent ones. Stops when no function is further than ``tolerance`` (squared) from the
    span of those taken.

    Returns
    -------
    keep : int array (r,); L : array (r, r), lower, LLᵀ the scaled form on ``keep``;
    scale : array (p,), the diagonal scaling
    """
    diagonal = np.diag(form).copy()
    floor = 1e-300 + 1e-30 * diagonal.max(initial=0.0)
    alive = np.flatnonzero(diagonal > floor)
    if not alive.size:
        raise ValueError(
            "The trial space vanishes on the data: all samples coincide, or the bandwidth is so "
            "small that the kernel underflows. Use a larger bandwidth."
        )
    scale = np.zeros(len(form))
    scale[alive] = 1.0 / np.sqrt(diagonal[alive])
    scaled = form[np.ix_(alive, alive)] * scale[alive] * scale[alive][:, None]
    factor, pivots, rank, _ = lapack.dpstrf(scaled, tol=tolerance, lower=1)
    L = np.tril(factor[:rank, :rank])
    return alive[pivots[:rank] - 1], L, scale


def _dense(A: Array, L: Array, m: int) -> tuple[Array, Array]:
    C = solve_triangular(L, A, lower=True, check_finite=False)
    C = solve_triangular(L, C.T, lower=True, check_finite=False)
    subset = None if m == len(C) else (0, m - 1)
    driver = "evd" if subset is None else "evr"
    return eigh(0.5 * (C + C.T), subset_by_index=subset, driver=driver, check_finite=False)


def _lanczos(A: Array, L: Array, m: int) -> tuple[Array, Array]:
    """Largest eigenvalues of Lᵀ(A + τM)⁻¹L by Lanczos: they are 1/(γ + τ)."""
    M = L @ L.T
    tau = 1e-3 * np.trace(A) / len(A) if np.trace(A) > 0 else 1.0
    B = A + tau * M
    try:
        R = cholesky(B, lower=True, check_finite=False)
    except np.linalg.LinAlgError:
        return _dense(A, L, m)
    W = solve_triangular(R, L, lower=True, check_finite=False)
    inverse = W.T @ W
    operator = LinearOperator(inverse.shape, matvec=lambda v: inverse @ v, dtype=float)
    start = np.random.default_rng(0).normal(size=len(A))
    values, U = eigsh(operator, k=m, which="LA", v0=start, ncv=min(len(A), 2 * m + 20), tol=1e-10)
    # Rayleigh quotients recover the digits that 1/(γ + τ) loses for small γ.
    Z = solve_triangular(L, U, lower=True, trans="T", check_finite=False)
    return np.einsum("ij,ij->j", Z, A @ Z), U


def orient(found: Spectrum, space: KernelSpace) -> Spectrum:
    """The same spectrum with deterministic signs, whatever the order of the samples.

    Each eigenfunction is made to increase, over the landmarks, along the first coordinate that it
    is correlated with; failing all, to have positive skewness; failing that, to be positive where
    it is largest. The constant is positive.
    """
    values = space.phi(space.landmarks) @ found.vectors
    norms = np.linalg.norm(values, axis=0)
    values = values / np.where(norms > 0, norms, 1.0)
    X = space.landmarks - space.landmarks.mean(axis=0)
    spread = np.linalg.norm(X, axis=0)
    X = X[:, spread > 0][:, :_SIGN_FEATURES] / spread[spread > 0][:_SIGN_FEATURES]
    mean = values.sum(axis=0) / np.sqrt(len(values))
    skewness = (values**3).sum(axis=0) * np.sqrt(len(values))
    largest = values[np.abs(values).argmax(axis=0), np.arange(values.shape[1])]
    tests = np.vstack([np.where(np.abs(mean) > 0.9, mean, 0.0), X.T @ values, skewness, largest])
    clear = np.abs(tests) > _SIGN_CLEAR
    clear[-1] = True
    chosen = tests[clear.argmax(axis=0), np.arange(values.shape[1])]
    return Spectrum(found.gamma, found.vectors * np.where(chosen < 0, -1.0, 1.0), found.n_dropped)
