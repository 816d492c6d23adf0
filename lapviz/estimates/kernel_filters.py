r"""Five regularisation methods for a kernel matrix, and conditions on its spectrum (KCG10).

K_n = (k(x_i, x_j))/n has eigenpairs (ξ_i, u_i), ξ descending. A linear method is α = F(K_n)Y with a
fixed F (KCG10 eq. 3); conjugate gradients, in the K_n-norm or the plain one (kernel PLS), use
a polynomial that depends on Y. All give f = (1/n) Σ α_i k(x_i, ·), so that their paths can be
compared. The decay of ξ determines the effective dimension, and the decay of the response over the
u_i the source condition.

KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
regression*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.checks import check_choice, check_nonnegative
from lapviz.estimates.conjugate_gradient import KrylovPath, krylov_path
from lapviz.linalg import eigh

Array = np.ndarray
METHODS = {
    "cg": "Conjugate gradient",
    "pls": "Kernel PLS",
    "ridge": "Ridge",
    "pcr": "Principal components",
    "boosting": "L2-boosting",
}
ROUNDING = 1e-6  # relative errors of a kernel matrix, perhaps in float32
NULL = 1e-14  # eigenvalues below this share of the largest are zero
_NOISE_SHARE = 0.5  # lower share of the spectrum in which Y is taken to be noise
_LEVELS = 40  # thresholds at which the source condition is evaluated
_SIGNAL = 4.0  # the tail counts as signal above this multiple of the deviation of its noise


@dataclass(frozen=True, eq=False)
class KernelSpectrum:
    """Eigenvalues ξ (n,), descending and at least 0, and eigenvectors (n, n) of K_n."""

    xi: Array
    vectors: Array

    @property
    def rank(self) -> int:
        return int((self.xi > NULL * self.xi[0]).sum())


def kernel_spectrum(K: Array | KernelSpectrum) -> KernelSpectrum:
    """Eigenvalues and eigenvectors of K_n = K/n, in O(n³).

    Parameters
    ----------
    K : array (n, n) or KernelSpectrum
        Kernel matrix k(x_i, x_j), or its spectrum, which is returned as it is.

    Returns
    -------
    KernelSpectrum
        Eigenvalues and eigenvectors.

    Raises
    ------
    ValueError
        If K is not square or not finite.
    """
    if isinstance(K, KernelSpectrum):
        return K
    K = np.asarray(K, dtype=float)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not K.size:
        raise ValueError(f"K must be a square kernel matrix, got shape {K.shape}.")
    if not np.isfinite(K).all():
        raise ValueError("K holds NaN or infinite values.")
    if np.abs(K - K.T).max() > ROUNDING * np.abs(K).max():
        raise ValueError("K is not symmetric: it is not a kernel matrix.")
    xi, vectors = eigh(K / len(K))
    if xi[0] < -ROUNDING * np.abs(xi).max():
        raise ValueError("K is not positive semi-definite: it is not a kernel matrix.")
    return KernelSpectrum(np.maximum(xi[::-1], 0.0), vectors[:, ::-1])


@dataclass(frozen=True, eq=False)
class FilterPath:
    """The regularisation path of one method.

    Attributes
    ----------
    method : {"ridge", "pcr", "boosting", "pls", "cg"}
    parameters : array (g,): λ, the number of components, or the number of iterations
    alpha : array (g, n), f = (1/n) Σ alpha[·, i] k(x_i, ·)
    residuals, plain_residuals : array (g,), ‖Y − K_nα‖ in the K_n-norm and the plain one
    factors : array (g, n) or None, ξF(ξ) for the linear methods: the share of each u_i kept
    """

    method: str
    parameters: Array
    alpha: Array
    residuals: Array
    plain_residuals: Array
    factors: Array | None = None

    def predict(self, K: Array) -> Array:
        """Values (n_test, g), from k(x_test, x_train) of shape (n_test, n)."""
        return K @ self.alpha.T / self.alpha.shape[1]


def kernel_filters(
    K: Array | KernelSpectrum,
    y: Array,
    method: str,
    parameters: Array,
    *,
    callback: Callable | None = None,
) -> FilterPath:
    """Coefficients of a method along its regularisation path.

    ===========  ==================================  ==============================
    method       α                                   parameters
    ===========  ==================================  ==============================
    "ridge"      (K_n + λ)⁻¹Y                        λ > 0
    "pcr"        Σ_{i ≤ q} u_i⟨u_i, Y⟩/ξ_i           q, principal components kept
    "boosting"   t steps α ← α + (Y − K_nα)/ξ_1      t, iterations of L2-boosting
    "pls"        argmin ‖Y − K_nα‖, Krylov space     m, iterations of kernel PLS
    "cg"         argmin ‖Y − K_nα‖_{K_n}, the same   m, iterations (KCG10 eq. 5)
    ===========  ==================================  ==============================

    Parameters
    ----------
    K : array (n, n) or KernelSpectrum
        Kernel matrix k(x_i, x_j), or its :func:`kernel_spectrum`, to share it.
    y : array (n,)
        Response Y.
    method : {"ridge", "pcr", "boosting", "pls", "cg"}
        A row of the table.
    parameters : array (g,)
        Parameters in any order; integers for all methods but ridge.
    callback : callable, optional
        For "pls" and "cg", as in :func:`lapviz.kernel_cg.krylov_path`.

    Returns
    -------
    FilterPath
        Coefficients and residuals, a row for each parameter.

    Raises
    ------
    ValueError
        If shapes or values do not fit.
    """
    check_choice("method", method, METHODS)
    spectrum = kernel_spectrum(K)
    y, grid = _response(y, len(spectrum.xi)), _grid(parameters, method)
    if method in ("pls", "cg"):
        norm = "plain" if method == "pls" else "kernel"
        path = krylov_path_of(spectrum, y, int(grid.max()), norm=norm, callback=callback)
        rows = np.minimum(grid, path.n_iterations).astype(int)
        alpha, residuals = path.alpha[rows], path.residuals[rows]
        return FilterPath(method, grid, alpha, residuals, path.plain_residuals[rows])
    coordinates = spectrum.vectors.T @ y
    inverses = _inverses(spectrum, method, grid[:, None])
    alpha = (inverses * coordinates) @ spectrum.vectors.T
    factors = inverses * spectrum.xi
    squares = ((1.0 - factors) * coordinates) ** 2
    residuals = np.sqrt(squares @ spectrum.xi / len(y))
    return FilterPath(method, grid, alpha, residuals, np.sqrt(np.mean(squares, axis=1)), factors)


def krylov_path_of(
    spectrum: KernelSpectrum, y: Array, n_iterations: int, **options: Any
) -> KrylovPath:
    """:func:`lapviz.kernel_cg.krylov_path` in the eigenbasis, where a product with K_n costs O(n).

    Small eigenvalues keep their digits there, so that a path goes on where products with K are
    rounding errors.

    Parameters
    ----------
    spectrum : KernelSpectrum
        Eigenvalues and eigenvectors of K_n.
    y : array (n,)
        Response Y.
    n_iterations : int
        The last m; fewer if the Krylov space ends earlier.
    **options
        Of :func:`lapviz.kernel_cg.krylov_path`, but for ``weights``.

    Returns
    -------
    KrylovPath
        All iterates, α_0 = 0 first.
    """
    scaled = len(y) * spectrum.xi
    path = krylov_path(lambda v: scaled * v, spectrum.vectors.T @ y, n_iterations, **options)
    return replace(path, alpha=path.alpha @ spectrum.vectors.T)


def _inverses(spectrum: KernelSpectrum, method: str, parameter: Array) -> Array:
    """F(ξ) of a linear method (g, n), for parameters (g, 1)."""
    xi = spectrum.xi
    if method == "ridge":
        return 1.0 / (xi + parameter)
    if method == "pcr":
        leading = np.arange(len(xi)) < np.minimum(parameter, spectrum.rank)
        return np.where(leading, 1.0 / np.where(xi > 0, xi, 1.0), 0.0)
    # Boosting: F(ξ) = (1 − (1 − ηξ)^t)/ξ with the step η = 1/ξ_1; tη where ξ = 0.
    if xi[0] == 0:
        return np.zeros((len(parameter), len(xi)))
    x = xi / xi[0]
    with np.errstate(divide="ignore", invalid="ignore"):  # 0·log(0) at t = 0 is replaced below
        gain = -np.expm1(parameter * np.log1p(-x))
    gain, positive = np.where(parameter == 0, 0.0, gain), x > 1e-300
    return np.where(positive, gain / np.where(positive, x, 1.0), parameter) / xi[0]


def effective_dimension(K: Array | KernelSpectrum, lam: Array) -> Array:
    """N(λ) = tr K_n(K_n + λ)⁻¹ for every λ (KCG10, condition ID(s)).

    Parameters
    ----------
    K : array (n, n) or KernelSpectrum
        Kernel matrix k(x_i, x_j), or its :func:`kernel_spectrum`, to share it.
    lam : array (g,)
        Values of λ, all positive.

    Returns
    -------
    array (g,)
        N(λ).
    """
    xi, lam = kernel_spectrum(K).xi, _grid(lam, "ridge")
    return (xi / (xi + lam[:, None])).sum(axis=1)


@dataclass(frozen=True, eq=False)
class Dimension:
    """N(λ) ≤ D²(λ/κ)^(−s) over the grid ``lam``, with ``effective`` = N(λ); D ≥ 1, 0 < s ≤ 1."""

    lam: Array
    effective: Array
    s: float
    D: float


def intrinsic_dimension(K: Array | KernelSpectrum, kappa: float, n_grid: int = 40) -> Dimension:
    """Exponent and constant of ID(s), from the slope of log N(λ) for κ/n ≤ λ ≤ κ/10.

    Below κ/n the sample does not resolve the operator. The slope is that of N + ½: for a power
    law ξ_i = i^(−b) the sum over i ≥ 1 is the integral, exactly λ^(−1/b) up to a factor, less half
    a term. D is the smallest constant that satisfies the condition on the grid up to λ = κ.

    Parameters
    ----------
    K : array (n, n) or KernelSpectrum
        Kernel matrix k(x_i, x_j), or its :func:`kernel_spectrum`, to share it.
    kappa : float
        κ ≥ sup k(x, x).
    n_grid : int
        Number of values of λ between κ/n and κ.

    Returns
    -------
    Dimension
        The fit, with N(λ).
    """
    spectrum, kappa = kernel_spectrum(K), _check_kappa(kappa)
    n = max(len(spectrum.xi), 20)
    lam = kappa * np.geomspace(1.0 / n, 1.0, n_grid)
    effective = effective_dimension(spectrum, lam)
    fit = (lam <= 0.1 * kappa) & (effective > 0)
    s = -_slope(np.log(lam[fit]), np.log(effective[fit] + 0.5)) if fit.sum() > 1 else 1.0
    s = float(np.clip(s, 0.01, 1.0))
    D = float(np.sqrt((effective * (lam / kappa) ** s).max()))
    return Dimension(lam, effective, s, max(D, 1.0))


@dataclass(frozen=True, eq=False)
class SourceCondition:
    """Decay of the response over the eigenvalues: f* = K^r u, ‖u‖ ≤ κ^(−r)ρ (SC(r)).

    Attributes
    ----------
    levels : array (g,), t, descending: geometric midpoints between neighbouring eigenvalues,
        spread evenly over the decades down to κ/n
    tail : array (g,), energy of Y in the directions with ξ < t, less its expected noise
    resolved : boolean array (g,), True where the tail is above the noise; the fit uses these
    r, rho : float, fitted so that tail ≤ ρ²(t/κ)^{2r} on them; nan if fewer than three are
    noise : float, standard deviation of the noise
    """

    levels: Array
    tail: Array
    resolved: Array
    r: float
    rho: float
    noise: float


def source_condition(
    K: Array | KernelSpectrum, y: Array, kappa: float, noise: float | None = None
) -> SourceCondition:
    """Estimate r and ρ: under SC(r) the energy of f* where ξ < t is at most ρ²(t/κ)^{2r}.

    From the slope of log tail against log t, with the expected noise subtracted. An estimate, not
    a bound: only eigenvalues whose coefficients exceed the noise are informative.

    Parameters
    ----------
    K : array (n, n) or KernelSpectrum
        Kernel matrix k(x_i, x_j), or its :func:`kernel_spectrum`, to share it.
    y : array (n,)
        Response Y.
    kappa : float
        κ ≥ sup k(x, x).
    noise : float, optional
        Standard deviation of the noise; by default that of Y in the lower half of the spectrum.

    Returns
    -------
    SourceCondition
        The fit, with the tail energies.
    """
    spectrum, kappa = kernel_spectrum(K), _check_kappa(kappa)
    n = len(spectrum.xi)
    energy = (spectrum.vectors.T @ _response(y, n)) ** 2 / n
    if noise is None:
        noise = float(np.sqrt(n * energy[n - max(1, int(_NOISE_SHARE * n)) :].mean()))
    xi, rows = spectrum.xi[: max(spectrum.rank - 1, 0)], np.arange(0)
    if len(xi):  # rows evenly spread on the logarithmic scale, above κ/n
        grid = np.geomspace(xi[0], min(max(xi[-1], kappa / n), xi[0]), _LEVELS)
        rows = np.unique(np.clip(np.searchsorted(-xi, -grid), 0, len(xi) - 1))
    levels = np.sqrt(spectrum.xi[rows] * spectrum.xi[rows + 1])
    count = n - 1 - rows
    tail = np.cumsum(energy[::-1])[::-1][rows + 1] - noise**2 * count / n
    spread = noise**2 * np.sqrt(2.0 * np.maximum(count, 1)) / n
    floor = np.maximum(_SIGNAL * spread, 1e-13 * energy.sum())
    resolved = np.cumprod(tail > floor).astype(bool)  # up to the first level below the noise
    r = rho = float("nan")
    if resolved.sum() >= 3:
        x, z = np.log(levels[resolved] / kappa), np.log(tail[resolved])
        r = max(0.5 * _slope(x, z), 0.0)
        rho = float(np.exp(0.5 * np.max(z - 2.0 * r * x)))
    return SourceCondition(levels, tail, resolved, float(r), rho, noise)


def _check_kappa(kappa: float) -> float:
    if not check_nonnegative("kappa", kappa):
        raise ValueError("kappa must be above 0: it is at least k(x, x) of every point.")
    return float(kappa)


def _slope(x: Array, y: Array) -> float:
    x = x - x.mean()
    return float(x @ y / (x @ x)) if x @ x > 0 else 0.0


def _response(y, n: int) -> Array:
    y = np.asarray(y, dtype=float)
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},) to fit K, got {y.shape}.")
    if not np.isfinite(y).all():
        raise ValueError("y holds NaN or infinite values.")
    return y


def _grid(parameters, method: str) -> Array:
    grid = np.atleast_1d(np.asarray(parameters, dtype=float))
    if grid.ndim != 1 or not grid.size or not np.isfinite(grid).all():
        raise ValueError("parameters must be a list of finite numbers.")
    if method == "ridge" and (grid <= 0).any():
        raise ValueError("λ must be positive.")
    if method != "ridge" and ((grid < 0) | (grid != np.floor(grid))).any():
        raise ValueError(f"The parameters of {method!r} must be integers of at least 0.")
    return grid
