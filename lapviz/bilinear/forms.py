"""Bilinear forms H of GAL23 eq. (1).

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from lapviz import operators
from lapviz.checks import check_count, check_shape
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


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
        w = np.ones(len(X))
        if self.weight is not None:
            w = check_shape("weight(X)", self.weight(X), (len(X),))
        return _mean(
            lambda rows: _products(phi.phi(X[rows]) * w[rows, None], psi.phi(X[rows])), phi, psi, X
        )


@dataclass(frozen=True, eq=False)
class Derivative(Form):
    """H(f, g, x) = f(x) ⟨v(x), ∇g(x)⟩, first-order and not symmetric; f ∂_i g for ``field=i``.

    Parameters
    ----------
    field : int, a coordinate, or callable, points (n, d) to vectors v (n, d)
    """

    field: int | Callable[[Array], Array] = 0

    def matrix(self, phi, psi, X):
        if callable(self.field):
            V = check_shape("field(X)", self.field(X), X.shape)
        else:
            if not 0 <= check_count("field", self.field, 0) < X.shape[1]:
                raise ValueError(
                    f"field must be a coordinate from 0 to {X.shape[1] - 1} or a callable, got "
                    f"{self.field!r}."
                )
            V = np.broadcast_to(np.eye(X.shape[1])[self.field], X.shape)
        return _mean(
            lambda rows: _products(phi.phi(X[rows]), psi.slope(X[rows], V[rows])), phi, psi, X
        )


@dataclass(frozen=True, eq=False)
class WeightedGradients(Form):
    """H(f, g, x) = ∇f(x)ᵀ A(x) ∇g(x) for any matrices A(x), symmetric or not.

    Parameters
    ----------
    weight : callable, points (n, d) to matrices (n, d, d)
    """

    weight: Callable[[Array], Array]

    def matrix(self, phi, psi, X):
        A = check_shape("weight(X)", self.weight(X), (*X.shape, X.shape[1]))

        def block_mean(rows: slice) -> Array:
            return _products(phi.gradient(X[rows]), A[rows] @ psi.gradient(X[rows]))

        return _mean(block_mean, phi, psi, X)


@dataclass(frozen=True, eq=False)
class Dirichlet(Form):
    """H(f, g, x) = Σ_l ⟨u_l, ∇f⟩⟨u_l, ∇g⟩ for the directions of an operator: ∇*∇ by default.

    An operator with its own form (``matrix``) uses it; if it has only a ``stiffness``, the left
    and right trial spaces must be the same.

    Parameters
    ----------
    operator : str or operator object, default "laplacian"
    """

    operator: object = "laplacian"

    def matrix(self, phi, psi, X):
        operator: Any = operators.get(self.operator)
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

        def slopes(space: TrialSpace, rows: slice) -> Array:
            gradient = space.gradient(X[rows])
            return gradient if U is None else U[rows] @ gradient

        return _mean(lambda rows: _products(slopes(phi, rows), slopes(psi, rows)), phi, psi, X)


def as_form(H: Any) -> Form:
    """Convert a form, an operator or its name, or a callable to a form.

    Parameters
    ----------
    H : Form, operator, str or callable
        As in :func:`galerkin_svd`.

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
        function: Any = H
        return BlockForm(function)
    raise ValueError(
        "H must be a form from lapviz.bilinear, an operator or its name, or a callable "
        f"H(phi, psi, X), got {H!r}."
    )


def _mean(
    block_mean: Callable[[slice], Array], phi: TrialSpace, psi: TrialSpace, X: Array
) -> Array:
    """Mean over all rows of X from means over blocks, whose shapes are checked."""
    shape = (phi.n_functions, psi.n_functions)
    block = max(16, (1 << 20) // (max(shape) * X.shape[1]))
    total = np.zeros(shape)
    for rows in blocks(len(X), block):
        value = check_shape("H(phi, psi, X)", block_mean(rows), shape)
        total += value * (len(X[rows]) / len(X))
    return total


def _products(left: Array, right: Array) -> Array:
    """Mean over a block of rows of the products of values (b, p) or slopes (b, l, p)."""
    n = len(left)
    left, right = (np.ascontiguousarray(V).reshape(-1, V.shape[-1]) for V in (left, right))
    return left.T @ right / n
