r"""Hermite regression: a function from values and slopes (GAL23 §7.2, Algorithms 4 and 5).

g = argmin E|g − v|² + w E‖∇g − t‖² + ρ‖g‖², with w the weight of the slopes (in length²) and ρ a
ridge. On a trial space that is the linear system

    (M + wS + ρR) c = E[v φ] + w E[⟨t, ∇φ⟩],

M and the first load being means over the samples with a value, S and the second over those with
slopes; R is the Gram matrix of the RKHS or the identity. Where functions are nearly dependent this
system loses half of the digits, so it is solved as a least-squares problem: all sums over the data
are in the two triangular factors of :class:`HermiteForms`, and new values of w and ρ cost one
factorisation of order p.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import lstsq, null_space

from lapviz.checks import check_choice, check_nonnegative, check_weights, floats_of, row_shares
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace
from lapviz.spectra import VANISHES

Array = np.ndarray

NORMS = ("rkhs", "coefficients")
# Rounding error, relative to the largest: singular values of the least-squares problem below the
# first are left out, eigenvalues of the Gram matrix below the second are raised to it.
_NEGLIGIBLE, _LEAST = 1e-14, 1e-15
_SOLVER: dict[str, Any] = {"cond": _NEGLIGIBLE, "lapack_driver": "gelsy"}


@dataclass(frozen=True, eq=False)
class HermiteForms:
    """Triangular factors of the data in a trial space of p functions, for k outputs.

    Attributes
    ----------
    values : array (q, p + k), q ≤ p + k
        R of a QR factorisation of [φ(x_i) | v_i] over the samples with a value, each row times the
        root of its share of the weights: RᵀR are the means of products of its columns.
    slopes : array (q, p + k)
        The same of [∂_l φ(x_i) | ∂_l v_i] over the samples with slopes.
    gram : array (p, p)
    n_values, n_slopes : int, numbers of samples with a value and with slopes
    constant : bool, whether function 0 is the constant, which is not penalised
    """

    values: Array
    slopes: Array
    gram: Array
    n_values: int
    n_slopes: int
    constant: bool


def assemble(
    space: TrialSpace,
    X: Array,
    y: Array,
    gradients: Array | None = None,
    sample_weight: Array | None = None,
) -> HermiteForms:
    """Factors of Hermite regression, in O(np²d), of means (GAL23 Algorithms 4 and 5).

    Parameters
    ----------
    space : TrialSpace
        Trial space of the functions φ.
    X : array (n, d)
        Samples.
    y : array (n,) or (n, k)
        Values; NaN marks a row without values.
    gradients : array (n, d) or (n, d, k), optional
        t_i = ∇(target)(x_i); NaN marks a row without slopes. None: no slopes, plain regression.
    sample_weight : array (n,), optional
        Positive weights of the samples, in the means over values and over slopes.

    Returns
    -------
    HermiteForms
        All sums over the data that :func:`hermite_estimate` needs.

    Raises
    ------
    ValueError
        If shapes do not fit, a row of slopes is partly NaN, or no value and no slope is known.
    """
    X = space.check(X)
    y = np.asarray(y, dtype=float)
    y = y[:, None] if y.ndim == 1 else y
    slopes = check_gradients(gradients, X.shape, y.shape[1])
    if len(y) != len(X):
        raise ValueError("y must have one entry for each row of X.")
    has_value = ~np.isnan(y).any(axis=1)
    has_slope = ~np.isnan(slopes).any(axis=(1, 2))
    if not (has_value.any() or has_slope.any()):
        raise ValueError("Neither a value nor a slope is known at any sample: give at least one.")
    weights = None if sample_weight is None else check_weights(sample_weight, len(X))
    size = max(16, (1 << 20) // (space.n_functions * X.shape[1]))

    def triangle(rows: Array, columns: Callable[[Array], Array]) -> Array:
        R = np.zeros((0, space.n_functions + y.shape[1]))
        if len(rows):
            shares = row_shares(None if weights is None else weights[rows], len(rows))
        for part in blocks(len(rows), size):
            block = columns(rows[part]) * np.sqrt(shares[part, None, None])
            stacked = np.vstack([R, block.reshape(-1, R.shape[1])])
            R = np.asarray(np.linalg.qr(stacked, mode="r"))
        return R

    value_rows, slope_rows = np.flatnonzero(has_value), np.flatnonzero(has_slope)
    return HermiteForms(
        triangle(value_rows, lambda rows: np.hstack([space.phi(X[rows]), y[rows]])[:, None]),
        triangle(slope_rows, lambda rows: np.dstack([space.gradient(X[rows]), slopes[rows]])),
        space.gram, len(value_rows), len(slope_rows), space.constant,
    )  # fmt: skip


def check_gradients(gradients, shape: tuple[int, int], n_outputs: int) -> Array:
    """Validate slopes and bring them to one shape.

    Parameters
    ----------
    gradients : array (n, d) or (n, d, k), or None
        Slopes as passed to `fit`; None if no slopes are known.
    shape : tuple of int
        (n, d).
    n_outputs : int
        k.

    Returns
    -------
    array (n, d, k)
        Slopes, NaN where unknown.

    Raises
    ------
    ValueError
        If the shape does not fit, a row is partly NaN, or a value is infinite.
    """
    n, d = shape
    if gradients is None:
        return np.full((n, d, n_outputs), np.nan)
    slopes = floats_of(gradients)
    slopes = slopes[:, :, None] if slopes.ndim == 2 else slopes
    if slopes.shape != (n, d, n_outputs):
        expected = f"({n}, {d})" if n_outputs == 1 else f"({n}, {d}, {n_outputs})"
        raise ValueError(f"gradients must have shape {expected}, got {np.shape(gradients)}.")
    missing = np.isnan(slopes).reshape(n, -1)
    partly = missing.any(axis=1) & ~missing.all(axis=1)
    if partly.any():
        raise ValueError(
            f"Row {int(np.flatnonzero(partly)[0])} of gradients is partly NaN: give all of its "
            "coordinates, or none (all NaN)."
        )
    if np.isinf(slopes).any():
        raise ValueError("gradients holds infinite values: only NaN may mark a row without slopes.")
    return slopes


def hermite_estimate(
    hermite_forms: HermiteForms, weight: float = 1.0, ridge: float = 0.0, ridge_norm: str = "rkhs"
) -> Array:
    """Coefficients of the minimiser (GAL23 §7.2).

    Parameters
    ----------
    hermite_forms : HermiteForms
        Forms and loads, from :func:`assemble`.
    weight : float, default 1
        w, at least 0; 0 is plain regression.
    ridge : float, default 0
        ρ, at least 0; 0 is the limit ρ → 0, of several minimisers the one of least norm.
    ridge_norm : {"rkhs", "coefficients"}, default "rkhs"
        ‖g‖²_H, or Σ c_j² over the kernel functions; the constant is not penalised in either.

    Returns
    -------
    array (p, k)
        Coefficients in the trial space.

    Raises
    ------
    ValueError
        If a parameter is out of range, or the trial space vanishes on the data.
    """
    weight, ridge = check_nonnegative("weight", weight), check_nonnegative("ridge", ridge)
    check_choice("ridge_norm", ridge_norm, NORMS)
    gram = hermite_forms.gram
    p = len(gram)
    if ridge_norm == "rkhs":
        unit = np.sqrt(np.diag(gram))  # of values and of slopes, which depend on the units of X
        unit[unit == 0] = 1.0
        eigenvalues, vectors = np.linalg.eigh(gram / unit / unit[:, None])
        root = np.sqrt(np.maximum(eigenvalues, _LEAST * eigenvalues[-1]))[:, None] * vectors.T
        root *= unit
        root[:, : hermite_forms.constant] = 0.0
    else:
        root = np.diag(np.arange(p) >= hermite_forms.constant).astype(float)
    penalty = np.pad(np.sqrt(ridge) * root, ((0, 0), (0, hermite_forms.values.shape[1] - p)))
    data = hermite_forms.values, np.sqrt(weight) * hermite_forms.slopes
    R = np.asarray(np.linalg.qr(np.vstack([*data, penalty]), mode="r"))
    A, B = R[:p, :p], R[:p, p:]
    size = np.linalg.norm(A, axis=0)
    if not size.any():
        raise ValueError(VANISHES)
    size = np.where(size > 0, size, 1.0)[:, None]
    A = A / size.T
    scaled, _, rank, _ = lstsq(A, B, **_SOLVER)
    coefficients = scaled / size
    if ridge == 0 and rank < p:  # what the data leave open: so that the norm is least
        free = null_space(A, rcond=_NEGLIGIBLE) / size
        coefficients -= free @ lstsq(root @ free, root @ coefficients, **_SOLVER)[0]
    return coefficients
