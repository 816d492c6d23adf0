r"""Hermite regression: a function from values and slopes (GAL23 §7.2, Algorithms 4 and 5).

g = argmin E|g − v|² + w E‖∇g − t‖² + ρ‖g‖², with w the weight of the slopes (in length²) and ρ a
ridge. On a trial space that is the linear system

    (M + wS + ρR) c = E[v φ] + w E[⟨t, ∇φ⟩],

M and the first load being means over the samples with a value, S and the second over those with
slopes; R is the Gram matrix of the RKHS or the identity. All sums over the data are in
:class:`HermiteForms`, so that new values of w and ρ cost one solve of order p.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import forms
from lapviz.checks import check_choice, check_nonnegative, check_weights, row_shares
from lapviz.estimates.labelled import EnergyFactor
from lapviz.linalg import blocks
from lapviz.spaces.base import TrialSpace
from lapviz.spectra import independent_functions

Array = np.ndarray

NORMS = ("rkhs", "coefficients")
# Test functions closer than this (relative squared distance) to the span of the others are dropped.
# The load lies in the range of the matrix: rounding error suffices, and more would cost accuracy.
_TOLERANCE = 1e-15


@dataclass(frozen=True, eq=False)
class HermiteForms:
    """Forms and loads of a trial space of p functions, for k outputs.

    Attributes
    ----------
    mass, stiffness, gram : arrays (p, p)
    value_load : array (p, k), E[v φ]
    slope_load : array (p, k), E[⟨t, ∇φ⟩]
    n_values, n_slopes : int, numbers of samples with a value and with slopes
    constant : bool, whether function 0 is the constant, which is not penalised
    """

    mass: Array
    stiffness: Array
    gram: Array
    value_load: Array
    slope_load: Array
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
    """Forms of Hermite regression, in O(np² + npd), as means (GAL23 Algorithms 4 and 5).

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
    value_weights = None if weights is None else weights[has_value]
    slope_weights = None if weights is None else weights[has_slope]
    mass = stiffness = np.zeros((space.n_functions,) * 2)
    value_load = slope_load = np.zeros((space.n_functions, y.shape[1]))
    same_rows = np.array_equal(has_value, has_slope)
    if has_value.any():
        sums = forms.accumulator(space, "ambient" if same_rows else "none")
        value_forms = sums.update(X[has_value], y=y[has_value], weights=value_weights).forms()
        mass, stiffness = value_forms.mass, value_forms.stiffness
        value_load = value_load if value_forms.load is None else value_forms.load
    if has_slope.any():
        X, slopes = X[has_slope], slopes[has_slope]
        if not same_rows:
            stiffness = forms.assemble(space, X, sample_weight=slope_weights).stiffness
        slope_load = np.zeros_like(value_load)  # GAL23 Proposition 10
        shares = row_shares(slope_weights, len(X))
        for rows in blocks(len(X), max(16, (1 << 18) // space.n_functions)):
            for output in range(y.shape[1]):
                slope = space.slope(X[rows], slopes[rows, :, output])
                slope_load[:, output] += slope.T @ shares[rows]
    counts = int(has_value.sum()), int(has_slope.sum())
    loads = value_load, slope_load
    return HermiteForms(mass, stiffness, space.gram, *loads, *counts, space.constant)


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
    slopes = np.asarray(gradients, dtype=float)
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
        ρ, at least 0.
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
    A = hermite_forms.mass + weight * hermite_forms.stiffness
    constant = np.arange(len(A)) < hermite_forms.constant
    if ridge_norm == "rkhs":
        A += ridge * hermite_forms.gram
    else:
        A[np.diag_indices(len(A))] += ridge * ~constant
    load = hermite_forms.value_load + weight * hermite_forms.slope_load
    keep, L, scale = independent_functions(A, _TOLERANCE, spared=constant)
    factor = EnergyFactor(keep, L, scale, constant=False)  # the constant is part of the system
    return factor.coefficients(factor.whiten(load.T), np.empty(0))
