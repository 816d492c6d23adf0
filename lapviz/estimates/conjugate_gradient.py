r"""Kernel conjugate gradient: regularisation by early stopping (KCG10).

K_n = (k(x_i, x_j))/n, ⟨u, v⟩ = uᵀv/n, ‖u‖²_{K_n} = ⟨u, K_n u⟩. Step m takes, in the Krylov space
span{Y, K_nY, …, K_n^{m−1}Y}, the α_m that minimises ‖Y − K_nα‖ in the K_n-norm (KCG10 eq. 5) or
in the plain norm, which is kernel partial least squares. The function is f = (1/n) Σ α_i k(x_i, ·).

The update of d printed in Algorithm 1 is not correct. Write ⟨u, v⟩_l = ⟨u, K_n^l v⟩,
l = 1 or 0. The residual r is orthogonal to the images K_n d_j of all earlier directions, so

    d = r − Σ_j ⟨K_n d_j, K_n r⟩_l d_j,  scaled to ‖K_n d‖_l = 1;  α ← α + ⟨r, K_n d⟩_l d.

In exact arithmetic all terms but the last vanish (conjugate residuals). Kernel matrices are so
ill-conditioned that in floating point they do not: the sum is taken over all j, twice.

For rows with weights s_i of mean 1, which act as repeated rows, ⟨u, v⟩ = uᵀDv/n and
K_n = KD/n with D = diag(s). In √D u these are the formulas above with √D K √D.

KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
regression*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapviz import memory, progress
from lapviz.checks import check_choice, check_count
from lapviz.kernels import Kernel
from lapviz.linalg import blocks

Array = np.ndarray
NORMS = ("kernel", "plain")
EXHAUSTED = 1e-12  # a direction whose image is relatively smaller is rounding error
CONVERGED = 1e-14  # a residual, or its image, that is relatively smaller is also rounding error
SHARE = 0.5  # share of the available memory that a kernel matrix may take
_BLOCK = 1 << 22  # entries of the matrix computed at once


@dataclass(frozen=True)
class CGProgress:
    """Argument of the callback after each iteration."""

    iteration: int
    n_iterations: int
    residual: float
    norm: float


@dataclass(frozen=True, eq=False)
class KrylovPath:
    """All iterates; row m of every array belongs to α_m, and α_0 = 0.

    Attributes
    ----------
    alpha : array (m + 1, n), f_m = (1/n) Σ alpha[m, i] k(x_i, ·)
    residuals : array (m + 1,), ‖Y − K_nα_m‖_{K_n}
    plain_residuals : array (m + 1,), ‖Y − K_nα_m‖ with the mean of squares
    norms : array (m + 1,), ‖α_m‖_{K_n} = ‖f_m‖_H
    polynomial_at_zero : array (m + 1,), q_m(0), where α_m = q_m(K_n)Y
    exhausted : bool, whether the Krylov space ended before the requested iterations
    norm : {"kernel", "plain"}, the norm that is minimised
    n_labelled : int, number of observed entries of Y; below n for Theorem 2.3's response
    """

    alpha: Array
    residuals: Array
    plain_residuals: Array
    norms: Array
    polynomial_at_zero: Array
    exhausted: bool
    norm: str
    n_labelled: int

    @property
    def n_iterations(self) -> int:
        """Number of the last iterate."""
        return len(self.alpha) - 1

    def predict(self, K: Array | Callable) -> Array:
        """Values (n_test, m + 1) of all f_m.

        ``K`` is k(x_test, x_train) of shape (n_test, n), or the product with it.
        """
        return (K(self.alpha.T) if callable(K) else K @ self.alpha.T) / self.alpha.shape[1]


class KernelMatrix:
    """k(X, X), called as v ↦ k(X, X)v for v of shape (n,) or (n, k); see :func:`kernel_product`.

    The rows [A B] of K = [[A, B], [Bᵀ, C]] are ``stored``, an array (m, n), and only C is
    recomputed for each product: a sample that is slightly too large takes slightly more time.
    """

    def __init__(self, kernel: Kernel, X: Array, max_bytes: int | None = None):
        self.kernel, self.X, n = kernel, X, len(X)
        limit = int(SHARE * memory.available_memory()) if max_bytes is None else max_bytes
        self.stored = np.empty((min(n, limit // (8 * n)), n))
        for rows in blocks(len(self.stored), max(1, _BLOCK // n)):
            self.stored[rows] = kernel(X[rows], X)

    def __call__(self, v: Array) -> Array:
        m, X = len(self.stored), self.X[len(self.stored) :]
        out = np.empty(v.shape)
        out[:m] = self.stored @ v
        out[m:] = self.stored[:, m:].T @ v[:m]
        for rows in blocks(len(X), max(1, _BLOCK // max(len(X), 1))):
            out[m:][rows] += self.kernel(X[rows], X) @ v[m:]
        return out

    def between(self, left: Array, right: Array):
        """v ↦ k(X_left, X_right)v for masks or indices of rows, without storing another matrix."""

        def product(v: Array) -> Array:
            padded = np.zeros((len(self.X), *v.shape[1:]))
            padded[right] = v
            return self(padded)[left]

        return product


def kernel_product(kernel: Kernel, X: Array, max_bytes: int | None = None) -> Array | KernelMatrix:
    """k(X, X), or, if that does not fit, a function v ↦ k(X, X)v that stores a part of it.

    Parameters
    ----------
    kernel : Kernel
        The kernel k.
    X : array (n, d)
        Samples.
    max_bytes : int, optional
        Bytes that may be stored; by default half of the available memory.

    Returns
    -------
    array (n, n) or KernelMatrix
        The argument ``K`` of :func:`krylov_path`.
    """
    K = KernelMatrix(kernel, X, max_bytes)
    return K.stored if len(K.stored) == len(X) else K


def krylov_path(
    K: Array | Callable,
    y: Array,
    n_iterations: int,
    *,
    norm: str = "kernel",
    n_labelled: int | None = None,
    weights: Array | None = None,
    callback: Callable[[CGProgress], bool | None] | None = None,
) -> KrylovPath:
    """Iterates α_0, …, α_m of kernel conjugate gradient (KCG10 Algorithm 1, update derived).

    Parameters
    ----------
    K : array (n, n) or callable
        Kernel matrix k(x_i, x_j) without the 1/n; or a function v ↦ Kv.
    y : array (n,)
        Response Y.
    n_iterations : int
        The last m; fewer if the Krylov space ends earlier.
    norm : {"kernel", "plain"}, default "kernel"
        "plain" is kernel partial least squares.
    n_labelled : int, optional
        Number of observed entries of Y, stored in the :class:`KrylovPath`.
    weights : array (n,), optional
        Positive weights of the rows, with mean 1. ``alpha`` then contains s_i α_i, so that f_m is
        the same sum.
    callback : callable, optional
        Called with a :class:`CGProgress` after each iteration; returning True stops.

    Returns
    -------
    KrylovPath
        All iterates, α_0 = 0 first.

    Raises
    ------
    ValueError
        If shapes do not fit, values are not finite, or K is not positive on Y.
    """
    check_choice("norm", norm, NORMS)
    n_iterations = check_count("n_iterations", n_iterations, minimum=0)
    y = np.asarray(y, dtype=float)
    n = len(y)
    if y.ndim != 1 or n == 0:
        raise ValueError(f"y must have shape (n_samples,), got {y.shape}.")
    if not np.isfinite(y).all():
        raise ValueError("y holds NaN or infinite values: give a number for every row of K.")
    root = np.ones(n) if weights is None else np.sqrt(weights)
    multiply: Any = K if weights is None else weighted_product(K, weights)
    if not callable(K):
        matrix = np.asarray(multiply, dtype=float)
        if matrix.shape != (n, n):
            raise ValueError(f"K must have shape ({n}, {n}) to fit y, got {matrix.shape}.")
        if not np.isfinite(matrix).all():
            raise ValueError("K holds NaN or infinite values.")
        multiply = matrix.dot

    def product(v: Array) -> Array:  # K_n v
        return multiply(v) / n

    y = root * y
    unit = np.abs(y).max(initial=0.0) or 1.0  # keeps squares within the range of doubles
    r, alpha, at_zero = y / unit, np.zeros(n), 0.0
    image = product(r)  # K_n r
    if r @ image < 0:
        # Perhaps by rounding: of equal rows and responses of mean 0, K_n r is no more.
        rounding = 1e-10 * np.linalg.norm(image) + 1e-12 * np.linalg.norm(product(np.abs(r)))
        if r @ image < -rounding * np.linalg.norm(r):
            raise ValueError("K is not positive semi-definite: it is not a kernel matrix.")
    ones = np.ones(n)
    noise = CONVERGED * max(_ratio(image, r), _ratio(product(ones), ones))
    requested, n_iterations = n_iterations, min(n_iterations, n)  # the dimension of the space
    D, P, Q = (np.empty((n_iterations, n)) for _ in range(3))  # d, K_n d and K_n^{l+1} d, as rows
    constants = np.empty(n_iterations)  # δ(0) of the polynomials δ with d = δ(K_n)Y
    rows = [_row(alpha, r, image, np.zeros(n), at_zero)]
    minimised = 1 if norm == "kernel" else 2  # column of the residual in that norm
    exhausted = False
    for m in range(n_iterations):
        direction = None
        if _ratio(image, r) > noise:  # else r is orthogonal to the range of K
            direction = _direction(D[:m], P[:m], Q[:m], constants[:m], r, image, product, norm)
        if direction is None:
            exhausted = True
            break
        D[m], P[m], Q[m], constants[m] = direction
        step = Q[m] @ r / n
        alpha = alpha + step * D[m]
        at_zero += step * constants[m]
        fitted = product(alpha)  # not r − step·P, whose rounding errors accumulate for large α
        r = y / unit - fitted
        image = product(r)
        row = _row(alpha, r, image, fitted, at_zero)
        if row[minimised] > rows[-1][minimised]:  # below the rounding error of K_nα
            exhausted = True
            break
        rows.append(row)
        partial = CGProgress(m + 1, n_iterations, float(row[1] * unit), float(row[3] * unit))
        if progress.step("conjugate gradients", m + 1, n_iterations, partial, callback):
            break
        if row[minimised] <= CONVERGED * rows[0][minimised]:
            exhausted = True
            break
    else:
        exhausted = requested > n
    alphas, kernel, plain, norms, zeros = (np.array(column) for column in zip(*rows, strict=True))
    return KrylovPath(
        alphas * (unit * root),
        kernel * unit,
        plain * unit,
        norms * unit,
        zeros,
        exhausted,
        norm,
        n if n_labelled is None else check_count("n_labelled", n_labelled),
    )


def _direction(D, P, Q, constants, r, image, product, norm):
    """The next d, K_n d, K_n^{l+1} d and δ(0), scaled; None if the Krylov space is exhausted."""
    n = len(r)
    d, p, constant = r, image, 1.0
    start = _length(p, product(p) if norm == "kernel" else p)
    for _ in range(2):
        c = Q @ p / n
        d, p, constant = d - c @ D, p - c @ P, constant - c @ constants
    p = product(d)
    q = product(p) if norm == "kernel" else p
    length = _length(p, q)
    if length <= EXHAUSTED * start or length < 1e-150:
        return None
    return d / length, p / length, q / length, constant / length


def _length(u: Array, v: Array) -> float:
    return float(np.sqrt(max(u @ v, 0.0) / len(u)))


def _ratio(image: Array, v: Array) -> float:
    """‖K_n v‖/‖v‖, 0 of v = 0."""
    return float(np.linalg.norm(image) / (np.linalg.norm(v) or 1.0))


def _row(alpha, r, image, fitted, at_zero) -> tuple:
    return alpha, _length(r, image), _length(r, r), _length(alpha, fitted), at_zero


def weighted_product(K: Array | Callable, weights: Array) -> Array | Callable:
    """√D K √D for D = diag(weights).

    Parameters
    ----------
    K : array (n, n) or callable
        Kernel matrix, or the product with it.
    weights : array (n,)
        Positive weights of the rows.

    Returns
    -------
    array (n, n) or callable
        A matrix or a function, as ``K`` is.
    """
    root = np.sqrt(weights)
    if callable(K):
        return lambda v: root * K(root * v)
    return root[:, None] * np.asarray(K, dtype=float) * root


def semi_supervised_response(y: Array, labelled: Array, weights: Array | None = None) -> Array:
    """Ỹ = (ñ/n)(Y, 0, …, 0): n labelled among ñ points, in any order (KCG10 Theorem 2.3).

    Parameters
    ----------
    y : array (ñ,)
        Response; arbitrary at unlabelled points.
    labelled : boolean array (ñ,)
        True where y was observed.
    weights : array (ñ,), optional
        Weights of the rows; ñ/n is then the ratio of their sums.

    Returns
    -------
    array (ñ,)
        The response Ỹ.

    Raises
    ------
    ValueError
        If no sample is labelled.
    """
    labelled = np.asarray(labelled, dtype=bool)
    if not labelled.any():
        raise ValueError("No sample is labelled: mark at least one.")
    total, total_labelled = len(labelled), labelled.sum()
    if weights is not None:
        total, total_labelled = np.sum(weights), np.sum(weights[labelled])
    return np.where(labelled, y, 0.0) * (total / total_labelled)
