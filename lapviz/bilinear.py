r"""Any bilinear form: GAL23's Algorithm 1, with left and right trial spaces.

An operator ℒ is given by a form, ⟨f, ℒg⟩ = E[H(f, g, X)] (GAL23 eq. 1), symmetric or not. On test
functions φ_i (left) and ψ_j (right) it is the matrix L_ij = E[H(φ_i, ψ_j, X)] (eq. 5), and its
singular value decomposition in L² of the data is the weighted one,

    A L Bᵀ = Λ,   A Φ Aᵀ = B Ψ Bᵀ = I,   Φ = E[φφᵀ], Ψ = E[ψψᵀ]   (eq. 7).

Φ and Ψ are singular in practice: their null directions are dropped, as in :mod:`lapviz.spectra`.

A form is one of the classes below, a sum or multiple of them, the name of an operator or an
operator object (:mod:`lapviz.operators`, :mod:`lapviz.invariances`), or any callable H(φ, ψ, X)
that gets two trial spaces and a block of samples and returns the *mean* of H(φ_i, ψ_j, x) over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.linalg import cholesky, solve_triangular, svd

from lapviz import forms, operators
from lapviz.checks import check_choice, check_count
from lapviz.spaces.base import TrialSpace
from lapviz.spectra import TOLERANCE, Spectrum, independent_functions, orient

Array = np.ndarray

_SIGN_POINTS = 2000  # samples at which signs are decided


class Form:
    """A bilinear form; ``f + g`` and ``2.0 * f`` are forms again."""

    def matrix(self, phi: TrialSpace, psi: TrialSpace, X: Array) -> Array:
        """E[H(φ_i, ψ_j, X)] over the rows of X, shape (p, q)."""
        raise NotImplementedError

    def __add__(self, other) -> Form:
        return Combination(((1.0, self), (1.0, as_form(other))))

    def __mul__(self, factor: Real) -> Form:
        return Combination(((float(factor), self),))

    __rmul__ = __mul__


@dataclass(frozen=True, eq=False)
class Combination(Form):
    """Σ_k a_k H_k."""

    terms: tuple[tuple[float, Form], ...]

    def matrix(self, phi, psi, X):
        return sum(factor * form.matrix(phi, psi, X) for factor, form in self.terms)


@dataclass(frozen=True, eq=False)
class BlockForm(Form):
    """H given as a callable (φ, ψ, X) to the mean of H(φ_i, ψ_j, x) over the rows of X."""

    H: Callable[[TrialSpace, TrialSpace, Array], Array]

    def matrix(self, phi, psi, X):
        return _mean(lambda rows: self.H(phi, psi, X[rows]), phi, psi, X)


@dataclass(frozen=True, eq=False)
class Multiplication(Form):
    """H(f, g, x) = w(x) f(x) g(x), by default with w = 1: the identity.

    Parameters
    ----------
    weight : callable (n, d) to (n,), optional
    """

    weight: Callable[[Array], Array] | None = None

    def matrix(self, phi, psi, X):
        w = np.ones(len(X)) if self.weight is None else _values(self.weight, X, (len(X),), "weight")

        def part(rows):
            return (phi.phi(X[rows]) * w[rows, None]).T @ psi.phi(X[rows]) / len(X[rows])

        return _mean(part, phi, psi, X)


@dataclass(frozen=True, eq=False)
class Derivative(Form):
    """H(f, g, x) = f(x) ⟨v(x), ∇g(x)⟩, of first order and not symmetric; f ∂_i g for ``field=i``.

    Parameters
    ----------
    field : int, a coordinate, or callable, points (n, d) to vectors v (n, d)
    """

    field: int | Callable[[Array], Array] = 0

    def matrix(self, phi, psi, X):
        if callable(self.field):
            V = _values(self.field, X, X.shape, "field")
        else:
            if not 0 <= check_count("field", self.field, 0) < X.shape[1]:
                raise ValueError(
                    f"field must be a coordinate from 0 to {X.shape[1] - 1} or a callable, got "
                    f"{self.field!r}."
                )
            V = np.broadcast_to(np.eye(X.shape[1])[self.field], X.shape)

        def part(rows):
            return phi.phi(X[rows]).T @ psi.slope(X[rows], V[rows]) / len(X[rows])

        return _mean(part, phi, psi, X)


@dataclass(frozen=True, eq=False)
class WeightedGradients(Form):
    """H(f, g, x) = ∇f(x)ᵀ A(x) ∇g(x) for any matrices A(x), symmetric or not.

    Parameters
    ----------
    weight : callable, points (n, d) to matrices (n, d, d)
    """

    weight: Callable[[Array], Array]

    def matrix(self, phi, psi, X):
        A = _values(self.weight, X, (*X.shape, X.shape[1]), "weight")

        def part(rows):
            left, right = phi.gradient(X[rows]), A[rows] @ psi.gradient(X[rows])
            return _flat(left).T @ _flat(right) / len(left)

        return _mean(part, phi, psi, X)


@dataclass(frozen=True, eq=False)
class Dirichlet(Form):
    """H(f, g, x) = Σ_l ⟨u_l, ∇f⟩⟨u_l, ∇g⟩ for the directions of an operator: ∇*∇ by default.

    An operator that brings its own form is taken as it is; if that is only a stiffness, for one
    trial space, left and right must be the same.

    Parameters
    ----------
    operator : str or operator object, default "laplacian"
    """

    operator: object = "laplacian"

    def matrix(self, phi, psi, X):
        operator = operators.get(self.operator)
        if hasattr(operator, "matrix"):
            return operator.matrix(phi, psi, X)
        if phi is psi:
            return operators.assemble(phi, X, operator).stiffness
        if not hasattr(operator, "directions"):
            raise ValueError(
                f"The operator {operator!r} has a form on a single trial space only: pass the same "
                "space as phi and psi."
            )
        U = operator.directions(X)

        def part(rows):
            left, right = phi.gradient(X[rows]), psi.gradient(X[rows])
            if U is not None:
                left, right = U[rows] @ left, U[rows] @ right
            return _flat(left).T @ _flat(right) / len(X[rows])

        return _mean(part, phi, psi, X)


def as_form(H) -> Form:
    """The form that ``H`` stands for: a form, an operator or its name, or a callable.

    Parameters
    ----------
    H : Form, operator, str or callable
        What :func:`galerkin_svd` takes.

    Returns
    -------
    Form
        ``H`` itself if it is one.

    Raises
    ------
    ValueError
        If it is none of these.
    """
    if isinstance(H, Form):
        return H
    if isinstance(H, str) or any(hasattr(H, m) for m in ("directions", "stiffness", "matrix")):
        return Dirichlet(H)
    if callable(H):
        return BlockForm(H)
    raise ValueError(
        "H must be a form from lapviz.bilinear, an operator or its name, or a callable "
        f"H(phi, psi, X), got {H!r}."
    )


@dataclass(frozen=True, eq=False)
class GalerkinSVD:
    """Singular values and functions of an operator (GAL23 eq. 2).

    Attributes
    ----------
    values : array (m,), Λ, at least 0
    left : array (p, m), Aᵀ: f_i = Σ_j left[j, i] φ_j, orthonormal over the samples
    right : array (q, m), Bᵀ: g_i = Σ_j right[j, i] ψ_j, orthonormal over the samples
    phi, psi : the trial spaces
    n_dropped : tuple of two ints, null directions left out on the left and on the right
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

    For a differential operator of odd order let the left space be the richer one: a right function
    whose image lies outside the left space would pass for one of small singular value.

    Parameters
    ----------
    H : form, operator, str or callable
        What acts on two functions: see the module's docstring.
    phi : TrialSpace
        Left test functions.
    psi : TrialSpace or None
        Right test functions; None takes the left ones.
    X : array (n, d)
        Samples.
    n_components : int, optional
        By default as many as the smaller space has independent functions.
    which : {"smallest", "largest"}
        Order of the values, and the end that ``n_components`` keeps. The smallest of a differential
        operator belong to the smoothest functions.
    tolerance : float
        Relative squared distance to the span of the other test functions below
        which one is dropped

    Returns
    -------
    GalerkinSVD
        Values and functions, in the order that ``which`` says.

    Raises
    ------
    ValueError
        If H is no form, shapes do not fit, or a space vanishes on the data.
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

    Twice: the first pass finds the independent functions, but their mass matrix, of condition up
    to 1/tolerance, leaves an error of its rounding; the second one sees a matrix close to I.

    Parameters
    ----------
    space : TrialSpace
        Test functions φ.
    X : array (n, d)
        Samples.
    tolerance : float
        Relative squared distance to the span of the other functions below which one is dropped.

    Returns
    -------
    array (p, r)
        Coefficients of r ≤ p functions.
    """
    keep, factor, scale = independent_functions(forms.mass(space, X), tolerance)
    W = np.zeros((space.n_functions, len(keep)))
    W[keep] = solve_triangular(factor, np.diag(scale[keep]), lower=True, check_finite=False).T
    G = np.zeros((len(keep),) * 2)
    block = max(16, (1 << 20) // space.n_functions)
    for start in range(0, len(X), block):
        values = space.phi(X[start : start + block]) @ W
        G += values.T @ values
    R = cholesky(G / len(X), lower=True, check_finite=False)
    return solve_triangular(R, W.T, lower=True, check_finite=False).T


def _mean(part: Callable[[slice], Array], phi: TrialSpace, psi: TrialSpace, X: Array) -> Array:
    """Mean over all rows of X of a mean over blocks of them, with a check of its shape."""
    shape = (phi.n_functions, psi.n_functions)
    block = max(16, (1 << 20) // (max(shape) * X.shape[1]))
    total = np.zeros(shape)
    for start in range(0, len(X), block):
        rows = slice(start, start + block)
        value = np.asarray(part(rows), dtype=float)
        if value.shape != shape:
            raise ValueError(f"H(phi, psi, X) must have shape {shape}, got {value.shape}.")
        total += value * (len(X[rows]) / len(X))
    return total


def _values(function: Callable, X: Array, shape: tuple, name: str) -> Array:
    values = np.asarray(function(X), dtype=float)
    if values.shape != shape:
        raise ValueError(f"{name}(X) must have shape {shape}, got {values.shape}.")
    return values


def _flat(gradients: Array) -> Array:
    return np.ascontiguousarray(gradients).reshape(-1, gradients.shape[2])
