r"""Five regularisation methods for one kernel matrix.

K_n = (k(x_i, x_j))/n has eigenpairs (ξ_i, u_i), ξ descending. A linear method is α = F(K_n)Y with a
fixed F (KCG10 eq. 3); conjugate gradients, in the K_n-norm or the plain one (kernel PLS), use
a polynomial that depends on Y. All give f = (1/n) Σ α_i k(x_i, ·), so that their paths can be
compared. Quantities of the spectrum alone are in :mod:`lapviz.estimates.kernel_spectrum`.

KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
regression*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.checks import check_choice
from lapviz.estimates.conjugate_gradient import krylov_path
from lapviz.estimates.kernel_spectrum import (
    Dimension,
    KernelSpectrum,
    SourceCondition,
    check_grid,
    check_response,
    effective_dimension,
    intrinsic_dimension,
    kernel_spectrum,
    source_condition,
)

__all__ = ["METHODS", "Dimension", "FilterPath", "KernelSpectrum", "SourceCondition",
           "effective_dimension", "intrinsic_dimension", "kernel_filters", "kernel_spectrum",
           "source_condition"]  # fmt: skip

Array = np.ndarray
METHODS = ("ridge", "pcr", "boosting", "pls", "cg")


@dataclass(frozen=True, eq=False)
class FilterPath:
    """The regularisation path of one method.

    Attributes
    ----------
    method : {"ridge", "pcr", "boosting", "pls", "cg"}
    parameters : array (g,): λ, the number of components, or the number of iterations
    alpha : array (g, n), f = (1/n) Σ alpha[·, i] k(x_i, ·)
    residuals, plain_residuals : array (g,), ‖Y − K_nα‖ in the K_n-norm and the plain one
    factors : array (g, n) or None, ξF(ξ) for the linear methods: how much of each u_i is kept
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
        In any order; whole numbers for all methods but ridge.
    callback : callable, optional
        For "pls" and "cg", as in :func:`lapviz.kernel_cg.krylov_path`.

    Returns
    -------
    FilterPath
        One row for each parameter.

    Raises
    ------
    ValueError
        If shapes or values do not fit.
    """
    check_choice("method", method, METHODS)
    spectrum = kernel_spectrum(K)
    y = check_response(y, len(spectrum.xi))
    grid = check_grid(parameters, method)
    coordinates = spectrum.vectors.T @ y
    if method in ("pls", "cg"):  # in the eigenbasis, where a product with K_n costs O(n)
        path = krylov_path(
            lambda v: len(y) * spectrum.xi * v,
            coordinates,
            int(grid.max()),
            norm="plain" if method == "pls" else "kernel",
            callback=callback,
        )
        rows = np.minimum(grid, path.n_iterations).astype(int)
        alpha = path.alpha[rows] @ spectrum.vectors.T
        return FilterPath(method, grid, alpha, path.residuals[rows], path.plain_residuals[rows])
    inverses = _inverses(spectrum, method, grid[:, None])
    alpha = (inverses * coordinates) @ spectrum.vectors.T
    factors = inverses * spectrum.xi
    left = (1.0 - factors) * coordinates
    residuals = np.sqrt(left**2 @ spectrum.xi / len(y))
    return FilterPath(method, grid, alpha, residuals, np.sqrt(np.mean(left**2, axis=1)), factors)


def _inverses(spectrum: KernelSpectrum, method: str, parameter: Array) -> Array:
    """F(ξ) of a linear method (g, n), for parameters (g, 1)."""
    xi = spectrum.xi
    if method == "ridge":
        return 1.0 / (xi + parameter)
    if method == "pcr":
        kept = np.arange(len(xi)) < np.minimum(parameter, spectrum.rank)
        return np.where(kept, 1.0 / np.where(xi > 0, xi, 1.0), 0.0)
    # Boosting: F(ξ) = (1 − (1 − ηξ)^t)/ξ with the step η = 1/ξ_1; tη where ξ = 0.
    if xi[0] == 0:
        return np.zeros((len(parameter), len(xi)))
    x = xi / xi[0]
    with np.errstate(divide="ignore", invalid="ignore"):  # 0·log(0) at t = 0 is replaced below
        gain = -np.expm1(parameter * np.log1p(-x))
    gain = np.where(parameter == 0, 0.0, gain)
    safe = np.where(x > 1e-300, x, 1.0)
    return np.where(x > 1e-300, gain / safe, parameter) / xi[0]
