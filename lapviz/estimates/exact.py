r"""The exact estimate, over the whole RKHS, by the representer theorem.

The minimiser of E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over the *whole* RKHS is a combination of
k(·, x_i) at the labelled points and of ∂_l k(·, x_i) at all points (SSL21 §3.2, KRR20 Theorem 3).
With a the weights of the values, b those of the slopes, and K, D, Δ the Gram matrices of values
with values, values with slopes, slopes with slopes, setting the derivative to 0 gives

    (K + λμ n_ℓ I) a + D b = y,        Dᵀ a + (Δ + μ n I) b = 0.

In KRR20 λ is the weight of the norm and μ that of the energy: its (μ, λ) are (λ, λμ) here, its λ/μ
is μ. The factors n_ℓ and n come from its ℓ² products, which are means; with weights of the points
they are 1/s_i, s the shares of the labelled points and of all points. Eliminating b gives its
block inversion, eq. (10), where λ enters only the last n_ℓ × n_ℓ system. Both cost O(n³d³).

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.

KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from lapviz.checks import check_choice, check_nonnegative, check_weights, row_shares
from lapviz.estimates.labelled import label_targets
from lapviz.linalg import eigh
from lapviz.spaces.representer import RepresenterSpace, check_size

Array = np.ndarray

SOLVERS = ("direct", "block")
# Ridges are at least this share of the largest diagonal entry: for slopes the rounding error of a
# Gram matrix; for values more, to solve at λ = 0 and with more labels than the kernel's rank.
_FLOOR, _VALUE_FLOOR = 1e-14, 1e-12


@dataclass(frozen=True, eq=False)
class ExactEstimate:
    """The minimiser over the whole RKHS, and the terms of its objective.

    Attributes
    ----------
    coefficients : array (n_functions, k), in the representer space
    loss : array (k,), E_ℓ|g − y|²
    energy : array (k,), E_n‖∇g‖²
    norm : array (k,), ‖g‖²_H, without the constant
    lam, mu : float
    """

    coefficients: Array
    loss: Array
    energy: Array
    norm: Array
    lam: float
    mu: float

    @property
    def objective(self) -> Array:
        """E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²), shape (k,)."""
        return self.loss + self.lam * (self.energy + self.mu * self.norm)


def exact_estimate(
    space: RepresenterSpace,
    y: Array,
    labelled: Array,
    lam: float,
    mu: float,
    solver: str = "direct",
    max_bytes: int | None = None,
    sample_weight: Array | None = None,
) -> ExactEstimate:
    """Minimiser over the RKHS of E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²) (SSL21 eq. 5, KRR20 Theorem 3).

    Parameters
    ----------
    space : RepresenterSpace
        Space over all n points; its constant is an unpenalised intercept.
    y : array (n_labelled, k)
        Targets.
    labelled : boolean array (n,)
        True at the labelled points.
    lam : float
        λ, at least 0, in units of length².
    mu : float
        μ, above 0.
    solver : {"direct", "block"}, default "direct"
        One Cholesky factorisation of order n_ℓ + nd, or the block inversion of KRR20 eq. (10).
    max_bytes : int, optional
        Bytes allowed; by default three quarters of the memory.
    sample_weight : array (n,), optional
        Positive weights of the points in both means.

    Returns
    -------
    ExactEstimate
        Coefficients, and the terms of the objective.

    Raises
    ------
    ValueError
        If μ is not positive, shapes do not fit, or no point is labelled.
    MemoryError
        If the matrices do not fit.
    """
    check_choice("solver", solver, SOLVERS)
    lam, p, first = check_nonnegative("lam", lam), space.n_points, int(space.constant)
    check_size(p, space.n_features, max_bytes)
    mu = check_nonnegative("mu", mu)
    if mu == 0:
        raise ValueError(
            "mu must be above 0 for the exact estimate: over the whole RKHS, with no weight on "
            "the norm, there is no unique minimiser."
        )
    labelled = np.asarray(labelled, dtype=bool)
    if labelled.shape != (p,):
        raise ValueError(f"labelled must have shape ({p},), got {labelled.shape}.")
    if not labelled.any():
        raise ValueError("No sample is labelled: mark at least one.")
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weights is not None and not (check_weights(weights, p) > 0).all():
        raise ValueError("Points of weight 0 have no effect on the exact estimate: drop them.")
    rows = np.flatnonzero(labelled)
    n, y = len(rows), label_targets(y, len(rows))
    shares = row_shares(None if weights is None else weights[rows], n)
    slope_shares = np.tile(row_shares(weights, p), space.n_features)
    G = space.gram[first:, first:]  # values and slopes at all points
    floor = _VALUE_FLOOR * np.diag(G)[rows].max()
    slope_ridge = np.maximum(mu / slope_shares, _FLOOR * np.diag(G)[p:].max())
    right = np.hstack([y, np.ones((n, first))])
    if solver == "direct":
        ridge = np.concatenate([np.maximum(lam * mu / shares, floor), slope_ridge])
        c, offset = _with_offset(_direct(G, rows, p, ridge, right), y.shape[1], n)
        a, b = c[:n], c[n:]
    else:
        root, value_ridge = np.sqrt(n * shares)[:, None], max(lam * mu * n, floor)
        solution, elimination = _by_blocks(G, rows, p, slope_ridge, value_ridge, root, right)
        a, offset = _with_offset(solution, y.shape[1], n)
        b = -elimination @ a
        ridge = np.concatenate([value_ridge / root[:, 0] ** 2, slope_ridge])
    coefficients = np.zeros((space.n_functions, y.shape[1]))
    coefficients[:first] = offset
    coefficients[first + rows] = a
    coefficients[first + p :] = b
    # At the optimum residuals and slopes are multiples of the coefficients.
    residual = ridge[:n, None] * a  # y − g at the labelled points
    slopes = -ridge[n:, None] * b  # ∇g at all points
    norm = np.sum(a * (y - offset - residual), axis=0) + np.sum(b * slopes, axis=0)
    loss, energy = shares @ residual**2, slope_shares @ slopes**2
    return ExactEstimate(coefficients, loss, energy, np.maximum(norm, 0.0), lam, mu)


def _direct(G: Array, rows: Array, p: int, ridge: Array, right: Array) -> Array:
    """Weights of values at labelled rows and slopes at all p points, by one Cholesky factor."""
    keep = np.concatenate([rows, np.arange(p, len(G))])
    A = G[np.ix_(keep, keep)]
    A[np.diag_indices_from(A)] += ridge
    padded = np.zeros((len(A), right.shape[1]))
    padded[: len(rows)] = right
    return cho_solve(_factor(A), padded, check_finite=False)


def _factor(A: Array) -> tuple[Array, bool]:
    """Cholesky factor of a symmetric matrix, in its place."""
    try:
        return cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise ValueError(
            "The kernel's values and slopes differ too much in size: scale or centre the columns, "
            "or choose a larger bandwidth, a lower degree or a larger mu."
        ) from None


def _by_blocks(
    G: Array, rows: Array, p: int, slope_ridge: Array, ridge: float, root: Array, right: Array
) -> tuple[Array, Array]:
    """Weights of values at labelled rows, and (Δ + μnI)⁻¹Dᵀ for the slopes (KRR20 eq. 10).

    With R = diag(root), R² = n_ℓ s, the values solve R(K − D(Δ + μnI)⁻¹Dᵀ)R + ridge I.
    """
    K, D = G[np.ix_(rows, rows)], G[rows, p:]
    delta = G[p:, p:].copy()
    delta[np.diag_indices_from(delta)] += slope_ridge
    elimination = cho_solve(_factor(delta), D.T, check_finite=False)
    schur = (K - D @ elimination) * root * root[:, 0]
    values, V = eigh(0.5 * (schur + schur.T))
    values = np.maximum(values, 0.0)
    return root * (V @ ((V.T @ (root * right)) / (values + ridge)[:, None])), elimination


def _with_offset(solutions: Array, k: int, n: int) -> tuple[Array, Array]:
    """Coefficients and the intercept with Σ a_i = 0, from solutions for the targets and 1."""
    if solutions.shape[1] == k:
        return solutions, np.zeros(k)
    c, one = solutions[:, :k], solutions[:, k:]
    offset = c[:n].sum(axis=0) / one[:n].sum()
    return c - one * offset, offset
