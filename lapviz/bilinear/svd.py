"""The weighted singular value decomposition of a bilinear form (GAL23 Algorithm 1).

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular, svd

from lapviz import forms
from lapviz.bilinear.forms import as_form
from lapviz.checks import check_choice, check_count
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace
from lapviz.spectra import TOLERANCE, Spectrum, independent_functions, orient

Array = np.ndarray

_SIGN_POINTS = 2000  # samples at which signs are fixed


@dataclass(frozen=True, eq=False)
class GalerkinSVD:
    """Singular values and functions of an operator (GAL23 eq. 2).

    Attributes
    ----------
    values : array (m,), Λ, at least 0
    left : array (p, m), Aᵀ: f_i = Σ_j left[j, i] φ_j, orthonormal over the samples
    right : array (q, m), Bᵀ: g_i = Σ_j right[j, i] ψ_j, orthonormal over the samples
    phi, psi : the trial spaces
    n_dropped : tuple of two ints, numbers of null directions dropped on the left and on the right
    """

    values: Array
    left: Array
    right: Array
    phi: TrialSpace
    psi: TrialSpace
    n_dropped: tuple[int, int]

    def evaluate_left(self, X: Array) -> Array:
        """f_i at X, shape (n, m)."""
        return self.phi.evaluate(X, self.left)

    def evaluate_right(self, X: Array) -> Array:
        """g_i at X, shape (n, m)."""
        return self.psi.evaluate(X, self.right)


def galerkin_svd(
    H,
    phi: TrialSpace,
    psi: TrialSpace | None,
    X: Array,
    *,
    n_components: int | None = None,
    which: str = "smallest",
    tolerance: float = TOLERANCE,
) -> GalerkinSVD:
    """Singular functions of the operator with the form H, by a Galerkin method (GAL23 Alg. 1).

    For a differential operator of odd order use a richer left space: a right function whose image
    lies outside the left space would appear to have a small singular value.

    Parameters
    ----------
    H : form, operator, str or callable
        The bilinear form: see :mod:`lapviz.bilinear`.
    phi : TrialSpace
        Left test functions.
    psi : TrialSpace or None
        Right test functions; None uses the left ones.
    X : array (n, d)
        Samples.
    n_components : int, optional
        By default the number of independent functions of the smaller space.
    which : {"smallest", "largest"}
        Order of the values, and the end that ``n_components`` keeps. For a differential operator
        the smallest belong to the smoothest functions.
    tolerance : float
        Relative squared distance to the span of the other test functions below which a test
        function is dropped.

    Returns
    -------
    GalerkinSVD
        Values and functions, in the order given by ``which``.

    Raises
    ------
    ValueError
        If H is not a form, shapes do not fit, or a space vanishes on the data.
    """
    psi = phi if psi is None else psi
    X = phi.check(X)
    psi.check(X)
    check_choice("which", which, ("smallest", "largest"))
    form = as_form(H)
    L = form.matrix(phi, psi, X)
    left = orthonormal_basis(phi, X, tolerance)
    right = left if psi is phi else orthonormal_basis(psi, X, tolerance)
    U, values, Vt = svd(left.T @ L @ right, full_matrices=False, check_finite=False)
    A, B = left @ U, right @ Vt.T
    if which == "smallest":
        values, A, B = values[::-1], A[:, ::-1], B[:, ::-1]
    m = len(values) if n_components is None else check_count("n_components", n_components)
    A, B = A[:, :m], B[:, :m]
    turned = orient(Spectrum(values[:m], B, 0), psi, X[:: -(-len(X) // _SIGN_POINTS)]).vectors
    signs = np.where(np.einsum("ij,ij->j", turned, B) < 0, -1.0, 1.0)
    return GalerkinSVD(
        values[:m].copy(),
        A * signs,
        B * signs,
        phi,
        psi,
        (len(left) - left.shape[1], len(right) - right.shape[1]),
    )


def orthonormal_basis(space: TrialSpace, X: Array, tolerance: float = TOLERANCE) -> Array:
    """Coefficients W (p, r) of functions φᵀw_i that are orthonormal over the samples.

    In two passes: the first selects the independent functions, but their mass matrix, with a
    condition number up to 1/tolerance, amplifies rounding errors; the second corrects a matrix
    close to I.

    Parameters
    ----------
    space : TrialSpace
        Test functions φ.
    X : array (n, d)
        Samples.
    tolerance : float
        Relative squared distance to the span of the others below which a function is dropped.

    Returns
    -------
    array (p, r)
        Coefficients of r ≤ p functions.
    """
    constant = np.arange(space.n_functions) < space.constant
    mass = forms.mass(space, X)
    keep, factor, scale = independent_functions(mass, tolerance, spared=constant)
    W = np.zeros((space.n_functions, len(keep)))
    W[keep] = solve_triangular(factor, np.diag(scale[keep]), lower=True, check_finite=False).T
    G = np.zeros((len(keep),) * 2)
    for rows in blocks(len(X), max(16, (1 << 20) // space.n_functions)):
        values = space.phi(X[rows]) @ W
        G += values.T @ values
    R = cholesky(G / len(X), lower=True, check_finite=False)
    return solve_triangular(R, W.T, lower=True, check_finite=False).T
