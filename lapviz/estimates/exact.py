r"""The exact estimate, over the whole RKHS, by the representer theorem.

The minimiser of E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over the *whole* RKHS is a combination of
k(·, x_i) at the labelled points and of ∂_l k(·, x_i) at all points (SSL21 §3.2, KRR20 Theorem 3).
With a the weights of the values, b those of the slopes, and K, D, Δ the Gram matrices of values
with values, values with slopes, slopes with slopes, setting the derivative to 0 gives

    (K + λμ n_ℓ I) a + D b = y,        Dᵀ a + (Δ + μ n I) b = 0.

In KRR20 λ is the weight of the norm and μ that of the energy: its (μ, λ) are (λ, λμ) here, its λ/μ
is μ. The factors n_ℓ and n come from its ℓ² products, which are means; with weights of the points
they are 1/s_i, s the shares of the labelled points and of all points. Eliminating b is its
block inversion, eq. (10); there λ enters only the last n_ℓ × n_ℓ system, so that
:class:`BlockFactor` solves for any λ after one factorisation. Both cost O(n³d³).

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.

KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapviz.checks import check_choice, check_nonnegative, check_weights, row_shares
from lapviz.estimates.labelled import label_targets
from lapviz.linalg import eigh
from lapviz.spaces.representer import RepresenterSpace, check_size, required_bytes  # noqa: F401

Array = np.ndarray

SOLVERS = ("direct", "block")
# Ridges are at least this part of the largest diagonal entry: for slopes the rounding error of a
# Gram matrix; for values more, so that λ = 0 and more labels than the kernel's rank can be solved.
_FLOOR, _VALUE_FLOOR = 1e-14, 1e-12


@dataclass(frozen=True, eq=False)
class ExactEstimate:
    """The minimiser over the whole RKHS, and the parts of its objective.

    Attributes
    ----------
    coefficients : array (n_functions, k), in the representer space
    loss : array (k,), E_ℓ|g − y|²
    energy : array (k,), E_n‖∇g‖²
    norm : array (k,), ‖g‖²_H, the constant left out
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
        Over all n points; its constant is an unpenalised intercept.
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
        Coefficients, and the parts of the objective.

    Raises
    ------
    ValueError
        If μ is not positive, shapes do not fit, or nothing is labelled.
    MemoryError
        If the matrices do not fit.
    """
    check_choice("solver", solver, SOLVERS)
    lam = check_nonnegative("lam", lam)
    if solver == "block":
        return block_factor(space, labelled, mu, max_bytes, sample_weight).estimate(y, lam)
    points, mu = _Points.of(space, labelled, mu, max_bytes, sample_weight)
    n, y = len(points.rows), label_targets(y, len(points.rows))
    G = points.gram
    keep = np.concatenate([points.rows, np.arange(space.n_points, len(G))])
    A = G[np.ix_(keep, keep)]
    diagonal = np.diag(A).copy()
    ridge = np.empty(len(A))
    ridge[:n] = np.maximum(lam * mu / points.shares, _VALUE_FLOOR * diagonal[:n].max())
    ridge[n:] = points.slope_ridge(mu)
    A[np.diag_indices_from(A)] += ridge
    right = np.zeros((len(A), y.shape[1] + space.constant))
    right[:n, : y.shape[1]] = y
    right[:n, y.shape[1] :] = 1.0
    solution = cho_solve(
        cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False), right, check_finite=False
    )
    c, offset = _with_offset(solution, y.shape[1], n)
    return points.estimate(y, c[:n], c[n:], offset, ridge, lam, mu)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points of a problem, and what both solvers do with them.

    Attributes
    ----------
    space : RepresenterSpace
    rows : int array (n_labelled,), the labelled points
    shares : array (n_labelled,), of them
    slope_shares : array (n d,), of all points, for each slope
    """

    space: RepresenterSpace
    rows: Array
    shares: Array
    slope_shares: Array

    @classmethod
    def of(cls, space, labelled, mu, max_bytes, sample_weight) -> tuple[_Points, float]:
        """The points and μ, both checked."""
        n = space.n_points
        check_size(n, space.n_features, max_bytes)
        mu = check_nonnegative("mu", mu)
        if mu == 0:
            raise ValueError(
                "mu must be above 0 for the exact estimate: over the whole RKHS, with no weight on "
                "the norm, there is no unique minimiser."
            )
        labelled = np.asarray(labelled, dtype=bool)
        if labelled.shape != (n,):
            raise ValueError(f"labelled must have shape ({n},), got {labelled.shape}.")
        if not labelled.any():
            raise ValueError("No sample is labelled: mark at least one.")
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        if weights is not None and not (check_weights(weights, n) > 0).all():
            raise ValueError(
                "Points of weight 0 have no part in the exact estimate: leave them out."
            )
        rows = np.flatnonzero(labelled)
        shares = row_shares(None if weights is None else weights[rows], len(rows))
        return cls(space, rows, shares, np.tile(row_shares(weights, n), space.n_features)), mu

    @property
    def gram(self) -> Array:
        """Values and slopes at all points, the constant apart."""
        return self.space.gram[self.space.constant :, self.space.constant :]

    def slope_ridge(self, mu: float) -> Array:
        """μ/s for each slope (n d,), and at least rounding error."""
        largest = np.diag(self.gram)[self.space.n_points :].max()
        return np.maximum(mu / self.slope_shares, _FLOOR * largest)

    def estimate(self, y, a, b, offset, ridge, lam: float, mu: float) -> ExactEstimate:
        """The record; at the optimum residuals and slopes are multiples of the coefficients."""
        n, first = len(self.rows), int(self.space.constant)
        coefficients = np.zeros((self.space.n_functions, y.shape[1]))
        coefficients[:first] = offset
        coefficients[first + self.rows] = a
        coefficients[first + self.space.n_points :] = b
        residual = ridge[:n, None] * a  # y − g at the labelled points
        slopes = -ridge[n:, None] * b  # ∇g at all points
        norm = np.sum(a * (y - offset - residual), axis=0) + np.sum(b * slopes, axis=0)
        loss, energy = self.shares @ residual**2, self.slope_shares @ slopes**2
        return ExactEstimate(coefficients, loss, energy, np.maximum(norm, 0.0), lam, mu)


@dataclass(frozen=True, eq=False)
class BlockFactor:
    """KRR20's block inversion, factorised: every λ and every y then cost O(n_ℓ² + n n_ℓ d).

    Attributes
    ----------
    elimination : array (n d, n_labelled), (Δ + μnI)⁻¹Dᵀ
    values, vectors : eigenpairs of R(K − D(Δ + μnI)⁻¹Dᵀ)R over the labelled points, R² = n_ℓ s
    """

    points: _Points
    mu: float
    elimination: Array
    values: Array
    vectors: Array
    slope_ridge: Array
    floor: float

    def estimate(self, y: Array, lam: float) -> ExactEstimate:
        """The exact estimate for targets ``y`` (n_labelled, k) and this λ."""
        lam, n = check_nonnegative("lam", lam), len(self.points.rows)
        y = label_targets(y, n)
        ridge = max(lam * self.mu * n, self.floor)
        root = np.sqrt(n * self.points.shares)[:, None]
        right = root * np.hstack([y, np.ones((n, int(self.points.space.constant)))])
        V = self.vectors
        solution = root * (V @ ((V.T @ right) / (self.values + ridge)[:, None]))
        a, offset = _with_offset(solution, y.shape[1], n)
        b = -self.elimination @ a
        ridges = np.concatenate([ridge / root[:, 0] ** 2, self.slope_ridge])
        return self.points.estimate(y, a, b, offset, ridges, lam, self.mu)


def block_factor(
    space: RepresenterSpace,
    labelled: Array,
    mu: float,
    max_bytes: int | None = None,
    sample_weight: Array | None = None,
) -> BlockFactor:
    """Eliminate the slopes (KRR20 eq. 10).

    Parameters
    ----------
    space : RepresenterSpace
        k(·, x_i) and ∂_l k(·, x_i) at the n samples.
    labelled : int or boolean array
        Labelled rows, as in :func:`exact_estimate`.
    mu : float
        μ, above 0, in 1/length².
    max_bytes : int, optional
        Limit on memory; by default three quarters of the machine's.
    sample_weight : array (n,), optional
        Weights of the samples.

    Returns
    -------
    BlockFactor
        Solves for any targets and λ.
    """
    points, mu = _Points.of(space, labelled, mu, max_bytes, sample_weight)
    rows, p, G = points.rows, space.n_points, points.gram
    K, D = G[np.ix_(rows, rows)], G[rows, p:]
    slope_ridge = points.slope_ridge(mu)
    delta = G[p:, p:].copy()
    delta[np.diag_indices_from(delta)] += slope_ridge
    factor = cho_factor(delta.T, lower=True, overwrite_a=True, check_finite=False)
    elimination = cho_solve(factor, D.T, check_finite=False)
    root = np.sqrt(len(rows) * points.shares)
    schur = (K - D @ elimination) * root[:, None] * root
    values, vectors = eigh(0.5 * (schur + schur.T))
    floor = _VALUE_FLOOR * np.diag(K).max()
    values = np.maximum(values, 0.0)
    return BlockFactor(points, mu, elimination, values, vectors, slope_ridge, floor)


def _with_offset(solutions: Array, k: int, n: int) -> tuple[Array, Array]:
    """Coefficients and intercept, which makes Σ a_i = 0, from solutions for the targets and 1."""
    if solutions.shape[1] == k:
        return solutions, np.zeros(k)
    c, one = solutions[:, :k], solutions[:, k:]
    offset = c[:n].sum(axis=0) / one[:n].sum()
    return c - one * offset, offset
