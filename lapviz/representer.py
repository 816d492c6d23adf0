r"""The exact estimate: the trial space of the representer theorem, and the problem solved in it.

The minimiser of E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²_H) over the *whole* RKHS is a combination of
k(·, x_i) at the labelled points and of ∂_l k(·, x_i) at all points (SSL21 §3.2, KRR20 Theorem 3).
With a the weights of the values, b those of the slopes, and K, D, Δ the Gram matrices of values
with values, values with slopes, slopes with slopes, setting the derivative to 0 gives

    (K + λμ n_ℓ I) a + D b = y,        Dᵀ a + (Δ + μ n I) b = 0.

In KRR20 λ is the weight of the norm and μ that of the energy: its (μ, λ) are (λ, λμ) here, its λ/μ
is μ, and its ℓ² products carry a 1/n, which is where n_ℓ and n come from. Eliminating b is its
block inversion, eq. (10); there λ enters only the last n_ℓ × n_ℓ system, so that
:class:`BlockFactor` answers any λ after one factorisation. The price is O(n³d³) either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from lapviz import memory
from lapviz.checks import check_choice, check_nonnegative, check_points
from lapviz.forms import mirror
from lapviz.kernels import DistanceKernel, Kernel
from lapviz.trial_spaces import TrialSpace

Array = np.ndarray

SOLVERS = ("direct", "block")
# Ridges are at least this part of the largest diagonal entry. For slopes: what rounding does to a
# Gram matrix. For values more, so that λ = 0 and labels beyond the rank of a kernel have an answer.
_FLOOR, _VALUE_FLOOR = 1e-14, 1e-12


@dataclass(frozen=True, eq=False)
class RepresenterSpace(TrialSpace):
    """Span of k(·, x_i) and ∂_l k(·, x_i) at n points, and the constant 1 (first) if asked.

    n(d + 1) functions: the n values, then the n slopes along coordinate 1, then 2, …, where
    ∂_l k(·, x) is the derivative in the *second* argument, ⟨∂_l k(·, x), g⟩_H = ∂_l g(x).

    Parameters
    ----------
    kernel : Kernel with a ``curvature``
    points : array (n, d)
    constant : bool, default False

    Raises
    ------
    ValueError
        If the kernel has no mixed second derivatives (the exponential one).
    """

    kernel: Kernel
    points: Array
    constant: bool = False

    def __post_init__(self):
        object.__setattr__(self, "points", check_points(self.points, "points"))
        self.kernel.curvature(np.zeros((1, 1)))  # a sentence now rather than later

    @property
    def n_points(self) -> int:
        return len(self.points)

    @property
    def n_features(self) -> int:
        return self.points.shape[1]

    @property
    def n_functions(self) -> int:
        return self.n_points * (self.n_features + 1) + self.constant

    @cached_property
    def gram(self) -> Array:
        """RKHS inner products: the functions at their own points, values and slopes."""
        gram = np.zeros((self.n_functions,) * 2)
        self._write(gram[self.constant :], self.points)
        gram[:, : self.constant] = 0.0
        return mirror(gram.T)  # rounding may differ between the triangles

    def phi(self, X: Array) -> Array:
        """Values (n, n_functions)."""
        X = self._check(X)
        return self._write(np.empty((len(X), self.n_functions)), X)

    def jets(self, X: Array) -> Array:
        """Values, then slopes along coordinate 1, 2, … at X: shape ((d + 1) n_X, n_functions)."""
        X = self._check(X)
        return self._write(np.empty(((self.n_features + 1) * len(X), self.n_functions)), X)

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, n_functions)."""
        slopes = self.jets(X)[len(X) :].reshape(self.n_features, len(X), self.n_functions)
        return np.ascontiguousarray(slopes.swapaxes(0, 1))

    def _write(self, out: Array, X: Array) -> Array:
        """Values at X and, if ``out`` has rows for them, slopes."""
        C, (n, d), first = self.points, X.shape, int(self.constant)
        p = len(C)
        out[:n, :first], out[n:, :first] = 1.0, 0.0

        def block(m: int, l: int) -> Array:  # 0 for values, 1 + l for slopes along l
            return out[m * n : (m + 1) * n, first + l * p : first + (l + 1) * p]

        if isinstance(self.kernel, DistanceKernel):
            left = right = [np.subtract.outer(X[:, l], C[:, l]) for l in range(d)]
            value, sign = sum(diff * diff for diff in left), -1.0
        else:  # ∂ₓk = q′ c, ∂_c k = q′ x
            left = [np.broadcast_to(C[:, m], (n, p)) for m in range(d)]
            right = [np.broadcast_to(X[:, l, None], (n, p)) for l in range(d)]
            value, sign = X @ C.T, 1.0
        slopes = len(out) > n
        w = self.kernel.curvature(value) if slopes else None
        q, t = block(0, 0), np.empty_like(value)
        self.kernel.profile(value, q, t)
        for l in range(d):
            np.multiply(t, right[l], out=block(0, 1 + l))
            block(0, 1 + l)[:] *= sign
        for m in range(d if slopes else 0):
            np.multiply(t, left[m], out=block(1 + m, 0))
            for l in range(d):
                both = block(1 + m, 1 + l)
                np.multiply(w, left[m], out=both)  # in this order nothing overflows at r = 0
                both *= right[l]
                if l == m:
                    both += t
                both *= sign
        return out


def required_bytes(n_points: int, n_features: int) -> int:
    """Bytes of the exact solve: two matrices of n(d + 1) rows and columns."""
    return 16 * (n_points * (n_features + 1)) ** 2


def check_size(n_points: int, n_features: int, max_bytes: int | None = None) -> None:
    """Refuse what does not fit (``max_bytes``, by default three quarters of the memory).

    Raises
    ------
    MemoryError
        With the number of bytes that it would take.
    """
    needed = required_bytes(n_points, n_features)
    limit = memory.memory_limit() if max_bytes is None else max_bytes
    if needed > limit:
        fits = int((limit / 16) ** 0.5 / (n_features + 1))
        raise MemoryError(
            f"The exact estimate over {n_points} points in {n_features} dimensions has "
            f"{n_points * (n_features + 1)} functions and takes {needed} bytes "
            f"({needed / 2**30:.1f} GiB); {int(limit)} bytes ({limit / 2**30:.1f} GiB) are allowed "
            f"here. Use at most {fits} points, or LaplacianRegressor, whose trial space you choose."
        )


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
) -> ExactEstimate:
    """Minimiser over the RKHS of E_ℓ|g − y|² + λ(E_n‖∇g‖² + μ‖g‖²) (SSL21 eq. 5, KRR20 Theorem 3).

    Parameters
    ----------
    space : RepresenterSpace over all n points; its constant is an unpenalised intercept
    y : array (n_labelled, k)
    labelled : boolean array (n,) with n_labelled True
    lam : float, at least 0
    mu : float, above 0
    solver : {"direct", "block"}
        One Cholesky factorisation of order n_ℓ + nd, or the block inversion of KRR20 eq. (10).
    max_bytes : int, optional; see :func:`check_size`

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
        return block_factor(space, labelled, mu, max_bytes).estimate(y, lam)
    rows, mu = _check(space, labelled, mu, max_bytes)
    y = _targets(y, len(rows))
    n, p, first = len(rows), space.n_points, int(space.constant)
    G = space.gram[first:, first:]
    keep = np.concatenate([rows, np.arange(p, len(G))])
    A = G[np.ix_(keep, keep)]
    diagonal = np.diag(A).copy()
    ridge = np.empty(len(A))
    ridge[:n] = max(lam * mu * n, _VALUE_FLOOR * diagonal[:n].max())
    ridge[n:] = max(mu * p, _FLOOR * diagonal[n:].max())
    A[np.diag_indices_from(A)] += ridge
    right = np.zeros((len(A), y.shape[1] + first))
    right[:n, : y.shape[1]] = y
    right[:n, y.shape[1] :] = 1.0
    found = cho_solve(
        cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False), right, check_finite=False
    )
    c, offset = _with_offset(found, y.shape[1], n)
    return _estimate(space, rows, y, c[:n], c[n:], offset, ridge, lam, mu)


@dataclass(frozen=True, eq=False)
class BlockFactor:
    """KRR20's block inversion, factorised: every λ and every y then cost O(n_ℓ² + n n_ℓ d).

    Attributes
    ----------
    elimination : array (n d, n_labelled), (Δ + μnI)⁻¹Dᵀ
    values, vectors : eigenpairs of K − D(Δ + μnI)⁻¹Dᵀ over the labelled points
    """

    space: RepresenterSpace
    rows: Array
    mu: float
    elimination: Array
    values: Array
    vectors: Array
    slope_ridge: float
    floor: float

    def estimate(self, y: Array, lam: float) -> ExactEstimate:
        """The exact estimate for targets ``y`` (n_labelled, k) and this λ."""
        lam, n, first = check_nonnegative("lam", lam), len(self.rows), int(self.space.constant)
        y = _targets(y, n)
        ridge = max(lam * self.mu * n, self.floor)
        right = np.hstack([y, np.ones((n, first))])
        V = self.vectors
        found = V @ ((V.T @ right) / (self.values + ridge)[:, None])
        a, offset = _with_offset(found, y.shape[1], n)
        b = -self.elimination @ a
        ridges = np.concatenate([np.full(n, ridge), np.full(len(b), self.slope_ridge)])
        return _estimate(self.space, self.rows, y, a, b, offset, ridges, lam, self.mu)


def block_factor(
    space: RepresenterSpace, labelled: Array, mu: float, max_bytes: int | None = None
) -> BlockFactor:
    """Eliminate the slopes (KRR20 eq. 10); arguments as in :func:`exact_estimate`."""
    rows, mu = _check(space, labelled, mu, max_bytes)
    p, first = space.n_points, int(space.constant)
    G = space.gram[first:, first:]
    K, D = G[np.ix_(rows, rows)], G[rows, p:]
    slope_ridge = max(mu * p, _FLOOR * np.diag(G)[p:].max())
    delta = G[p:, p:].copy()
    delta[np.diag_indices_from(delta)] += slope_ridge
    factor = cho_factor(delta.T, lower=True, overwrite_a=True, check_finite=False)
    elimination = cho_solve(factor, D.T, check_finite=False)
    schur = K - D @ elimination
    values, vectors = eigh(0.5 * (schur + schur.T), check_finite=False)
    floor = _VALUE_FLOOR * np.diag(K).max()
    values = np.maximum(values, 0.0)
    return BlockFactor(space, rows, mu, elimination, values, vectors, slope_ridge, floor)


def _check(space, labelled, mu, max_bytes) -> tuple[Array, float]:
    check_size(space.n_points, space.n_features, max_bytes)
    mu = check_nonnegative("mu", mu)
    if mu == 0:
        raise ValueError(
            "mu must be above 0 for the exact estimate: over the whole RKHS, with no weight on "
            "the norm, there is no unique minimiser."
        )
    labelled = np.asarray(labelled, dtype=bool)
    if labelled.shape != (space.n_points,):
        raise ValueError(f"labelled must have shape ({space.n_points},), got {labelled.shape}.")
    if not labelled.any():
        raise ValueError("No sample is labelled: mark at least one.")
    return np.flatnonzero(labelled), mu


def _targets(y, n: int) -> Array:
    y = np.asarray(y, dtype=float)
    y = y[:, None] if y.ndim == 1 else y
    if len(y) != n:
        raise ValueError(f"y must have one row for each of the {n} labelled points, got {len(y)}.")
    return y


def _with_offset(found: Array, k: int, n: int) -> tuple[Array, Array]:
    """Solutions for the targets and, behind them, for 1: the intercept makes Σ a_i vanish."""
    if found.shape[1] == k:
        return found, np.zeros(k)
    c, one = found[:, :k], found[:, k:]
    offset = c[:n].sum(axis=0) / one[:n].sum()
    return c - one * offset, offset


def _estimate(space, rows, y, a, b, offset, ridge, lam, mu) -> ExactEstimate:
    """The record; at the optimum residuals and slopes are multiples of the coefficients."""
    n, p, first = len(rows), space.n_points, int(space.constant)
    coefficients = np.zeros((space.n_functions, y.shape[1]))
    coefficients[:first] = offset
    coefficients[first + rows] = a
    coefficients[first + p :] = b
    residual = ridge[:n, None] * a  # y − g at the labelled points
    slopes = -ridge[n:, None] * b  # ∇g at all points
    norm = np.sum(a * (y - offset - residual), axis=0) + np.sum(b * slopes, axis=0)
    loss, energy = np.sum(residual**2, axis=0) / n, np.sum(slopes**2, axis=0) / p
    return ExactEstimate(coefficients, loss, energy, np.maximum(norm, 0.0), lam, mu)
