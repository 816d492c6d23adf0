r"""Leave-one-out and k-fold predictions of hidden labels.

Leave-one-out has a closed form wherever the estimate is linear in the labels: for the Tikhonov
estimate with the data term on the labelled points (SSL21 eq. 5) and, for every filter, with the
data term over all samples (SSL21 eq. 9). Other estimates use k folds. A point whose label is hidden
stays in the sample as an unlabelled point: energies, landmarks and forms do not change.

For least squares with a quadratic penalty, with or without an unpenalised intercept, the residual
at a point left out is ((I − H)y)_i/(I − H)_ii, H the hat matrix, provided that the other residuals
keep their weight 1/n. Here the loss is a mean: without one label the weights are 1/(n − 1), so that
H is the hat matrix for λ(n − 1)/n.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from lapviz.checks import check_count, check_nonnegative
from lapviz.estimates import filters
from lapviz.estimates.filters import Filter
from lapviz.estimates.labelled import EnergyFactor, label_targets, labelled_estimate
from lapviz.linalg import eigh
from lapviz.spectra import Spectrum

Array = np.ndarray
NULL = 1e-14  # share of the largest eigenvalue that is rounding error, or a λ not told from 0


@dataclass(frozen=True, eq=False)
class HiddenLabels:
    """Predictions at each labelled point while its label is hidden.

    Attributes
    ----------
    lam : float
    predictions : array (n_labelled, k)
    residuals : array (n_labelled, k), y − predictions
    weights : array (n_labelled,) or None, weights of the points
    """

    lam: float
    predictions: Array
    residuals: Array
    weights: Array | None = None

    @property
    def squared_error(self) -> float:
        """Mean square of the residuals, over points and outputs."""
        return float(np.average((self.residuals**2).mean(axis=1), weights=self.weights))


def leave_one_out(
    factor: EnergyFactor, phi: Array, y: Array, lams, *, center: bool = False
) -> list[HiddenLabels]:
    """Closed-form leave-one-out of the Tikhonov estimate on the labelled points (SSL21 eq. 5).

    One eigenproblem for all λ, of the size of the label set or, with more than twice as
    many labels as functions, of the trial space.

    Parameters
    ----------
    factor : EnergyFactor
        Factor of S + μK.
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    y : array (n_labelled, k)
        Targets.
    lams : sequence of float
        Values of λ, at least 0, in length².
    center : bool, default False
        Whether targets are centred by the mean of the remaining labels, as in
        :class:`lapviz.LaplacianRegressor`.

    Returns
    -------
    list of HiddenLabels
        One for each λ.
    """
    y = _targets(y, len(phi))
    n = len(y)
    W = factor.whiten(phi)
    basis, s, complete = _modes(W, factor.constant)
    columns = np.column_stack([y, np.ones(n)])
    hidden = []
    for lam in np.atleast_1d(lams):
        weight = max((n - 1) * check_nonnegative("lam", float(lam)), NULL * s.max(initial=0.0))
        if complete:
            # I − H up to a factor that cancels: avoids 1 − (number close to 1) for small λ.
            h = (s.min(initial=np.inf) + weight) / (s + weight) if weight else np.ones_like(s)
            numerator = basis @ (h[:, None] * (basis.T @ columns))
            denominator = basis**2 @ h
        else:
            h = s / (s + weight) if weight else np.ones_like(s)
            centred = columns - columns.mean(axis=0) if factor.constant else columns
            numerator = centred - basis @ (h[:, None] * (basis.T @ columns))
            denominator = 1.0 - factor.constant / n - basis**2 @ h
        floor = NULL * denominator.max(initial=0.0) or 1.0
        E = numerator / np.maximum(denominator, floor)[:, None]
        hidden.append(_hidden(float(lam), y, E, center))
    return hidden


def _modes(W: Array, constant: bool) -> tuple[Array, Array, bool]:
    """Orthonormal columns U (n, m) and s ≥ 0 with H = U s/(s + nλ)Uᵀ (+ 11ᵀ/n).

    The third value is True if they span all vectors (with an intercept: all of mean 0).
    """
    r, n = W.shape
    if n > 2 * r:
        Z = W - W.mean(axis=1, keepdims=True) if constant else W
        s, V = eigh(Z @ Z.T)
        positive = s > NULL * s.max(initial=0.0)
        return Z.T @ V[:, positive] / np.sqrt(s[positive]), s[positive], False
    basis = np.eye(n)
    if constant:  # a basis of the vectors with mean 0, by a Householder reflection
        v = np.full(n, 1.0 / np.sqrt(n))
        v[0] += 1.0
        basis = (basis - np.outer(v, v) * (2.0 / (v @ v)))[:, 1:]
    Z = W @ basis
    s, U = eigh(Z.T @ Z)
    return basis @ U, np.maximum(s, 0.0), True


def spectral_leave_one_out(
    spectrum: Spectrum,
    phi: Array,
    y: Array,
    lams,
    filter: str | Filter = "tikhonov",
    *,
    center: bool = False,
) -> list[HiddenLabels]:
    """Closed-form leave-one-out of Σ h(γ_i) ⟨b, v_i⟩ e_i (SSL21 eq. 9), for any filter.

    The load b is a mean over n labels: without label i it is (nb − φ_i y_i)/(n − 1).

    Parameters
    ----------
    spectrum : Spectrum
        (γ_i, v_i).
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    y : array (n_labelled, k)
        Targets.
    lams : sequence of float
        Values of λ, at least 0, in length².
    filter : str or Filter, default "tikhonov"
        h.
    center : bool, default False
        Whether targets are centred, as in :func:`leave_one_out`.

    Returns
    -------
    list of HiddenLabels
        One for each λ.
    """
    y = _targets(y, len(phi))
    n = len(y)
    rule = filters.get(filter)
    E = phi @ spectrum.vectors
    columns = np.column_stack([y, np.ones(n)])
    hidden = []
    for lam in np.atleast_1d(lams):
        h = rule(spectrum.gamma, float(lam))
        own_part = (E**2 @ h)[:, None] * columns
        predictions = (E @ (h[:, None] * (E.T @ columns)) - own_part) / (n - 1)
        hidden.append(_hidden(float(lam), y, columns - predictions, center))
    return hidden


def hidden_folds(
    prepared,
    phi: Array,
    y: Array,
    lam: float,
    filter,
    folds,
    *,
    center: bool = False,
    weights: Array | None = None,
    solve: Callable = labelled_estimate,
) -> HiddenLabels:
    """Predictions with the labels of one fold hidden at a time, by one fit per fold.

    Parameters
    ----------
    prepared : EnergyFactor or Spectrum
        First argument of ``solve``.
    phi : array (n_labelled, p)
        Test functions at the labelled points.
    y : array (n_labelled, k)
        Targets.
    lam : float
        λ, at least 0, in length².
    filter : str or Filter
        h.
    folds : list of int arrays
        A partition of range(n_labelled), as from :func:`label_folds`.
    center : bool, default False
        Whether targets are centred, as in :func:`leave_one_out`.
    weights : array (n_labelled,), optional
        Weights of the points, in the fits and in the mean error.
    solve : callable, default :func:`lapviz.estimates.labelled_estimate`
        (prepared, φ, y, λ, filter) to coefficients; any weights of the points come last.

    Returns
    -------
    HiddenLabels
        Predictions of every label while it was hidden.
    """
    y = _targets(y, len(phi))
    predictions = np.empty_like(y)
    for fold in folds:
        rows = np.setdiff1d(np.arange(len(y)), fold)
        fit_weights = None if weights is None else weights[rows]
        extra = () if weights is None else (fit_weights,)
        mean = np.average(y[rows], axis=0, weights=fit_weights)
        mean = mean if center else np.zeros(y.shape[1])
        c = solve(prepared, phi[rows], y[rows] - mean, lam, filter, *extra)
        predictions[fold] = phi[fold] @ c + mean
    return HiddenLabels(float(lam), predictions, y - predictions, weights)


def label_folds(
    n_labelled: int, n_splits: int, codes: Array | None = None, random_state: Any = 0
) -> list[Array]:
    """Split the labelled points into random folds with even shares of every class.

    Parameters
    ----------
    n_labelled : int
        Number of labelled points.
    n_splits : int
        Number of folds, from 2 to n_labelled.
    codes : int array (n_labelled,), optional
        Classes to spread evenly over the folds.
    random_state : int, RandomState or None, default 0
        Seed of the folds.

    Returns
    -------
    list of int arrays
        ``n_splits`` sorted arrays.

    Raises
    ------
    ValueError
        If there are more folds than labelled points.
    """
    n_splits = check_count("n_splits", n_splits, minimum=2)
    if n_splits > n_labelled:
        raise ValueError(
            f"n_splits={n_splits}, but only {n_labelled} points are labelled: use fewer folds, or "
            "label more points."
        )
    order = check_random_state(random_state).permutation(n_labelled)
    if codes is not None:
        order = order[np.argsort(np.asarray(codes)[order], kind="stable")]
    return [np.sort(order[k::n_splits]) for k in range(n_splits)]


def _targets(y, n: int) -> Array:
    y = label_targets(y, n)
    if n < 2:
        raise ValueError("Only one point is labelled: without it no label is left. Label another.")
    return y


def _hidden(lam: float, y: Array, E: Array, center: bool) -> HiddenLabels:
    """Predictions from the residuals of y and, in the last column, of the constant 1."""
    residuals = E[:, :-1]
    if center:
        n = len(y)
        means = (y.sum(axis=0) - y) / (n - 1)
        residuals = residuals - means * E[:, -1:]
    return HiddenLabels(lam, y - residuals, residuals)
