"""Errors of estimates: spectra, energies, labels, eigenspaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import subspace_angles

Array = np.ndarray


@dataclass(frozen=True)
class EigenspaceAngle:
    """Largest principal angle (radians) of one true eigenspace to its estimate.

    ``eigenvalue`` and ``multiplicity`` are the true ones.
    """

    eigenvalue: float
    multiplicity: int
    angle: float


def _vector(values, name: str) -> Array:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {values.shape}.")
    return values


def spectral_error(gamma_true, gamma_hat) -> float:
    """E_S, the relative error of the inverse eigenvalues (GAL23 eq. 21).

    sum_i |1/gamma_i - 1/gamma_hat_i| / sum_i 1/gamma_i over i >= 1.

    Parameters
    ----------
    gamma_true : array (k,)
        True eigenvalues, ascending, zeros included. Every true zero (the constant, and one more for
        each further component) is left out together with its estimate.
    gamma_hat : array (m,)
        Estimates in the same order, zeros included; those beyond k are ignored.

    Returns
    -------
    float
        0 if all agree. A missing, NaN or +inf estimate counts as 1/gamma_hat = 0, so that no
        estimates at all give 1; a zero or negative one (a spurious constant) gives inf.

    Raises
    ------
    ValueError
        If the truth is not finite, non-negative and ascending, or has no positive value.
    """
    truth, estimate = _vector(gamma_true, "gamma_true"), _vector(gamma_hat, "gamma_hat")
    if not np.all(np.isfinite(truth)) or np.any(truth < 0) or np.any(np.diff(truth) < 0):
        raise ValueError("gamma_true must be finite, non-negative and ascending.")
    positive = truth > 0
    if not positive.any():
        raise ValueError("gamma_true must hold a positive eigenvalue beyond the constant's 0.")
    padded = np.full(truth.size, np.inf)
    padded[: estimate.size] = estimate[: truth.size]
    truth, estimate = truth[positive], padded[positive]
    estimate = np.where(np.isnan(estimate), np.inf, estimate)
    if np.any(estimate <= 0):
        return float("inf")
    unit = np.ldexp(1.0, np.frexp(truth[0])[1] - 1)  # a power of 2, so that 1/γ does not overflow
    with np.errstate(over="ignore"):  # a subnormal estimate may give an infinite error
        return float(np.abs(unit / truth - unit / estimate).sum() / (unit / truth).sum())


def dirichlet_energy(gradients, frames=None):
    """E_n ||grad g||^2, or E_n ||U(x)^T grad g||^2 along given directions.

    Parameters
    ----------
    gradients : array (n, d) or (n, d, m)
        Gradients of one or of m functions at the n samples.
    frames : array (n, d, q), optional
        Orthonormal columns at each sample, such as tangents; the ambient energy by default.

    Returns
    -------
    float or array (m,)
        Mean over the samples, in the units of g^2 / x^2.

    Raises
    ------
    ValueError
        If the shapes do not fit.
    """
    gradients = np.asarray(gradients, dtype=float)
    if gradients.ndim not in (2, 3) or gradients.shape[0] == 0:
        raise ValueError(
            f"gradients must have shape (n, d) or (n, d, m), n >= 1; got {gradients.shape}."
        )
    if frames is not None:
        frames = np.asarray(frames, dtype=float)
        if frames.ndim != 3 or frames.shape[:2] != gradients.shape[:2]:
            raise ValueError(
                f"frames must have shape (n, d, q) with (n, d) = {gradients.shape[:2]}; "
                f"got {frames.shape}."
            )
        gradients = np.einsum("ndq,nd...->nq...", frames, gradients)
    energy = (gradients**2).sum(axis=1).mean(axis=0)
    return float(energy) if energy.ndim == 0 else energy


def unlabelled_accuracy(y_true, y_pred, labelled) -> float:
    """Accuracy on the unlabelled points.

    Parameters
    ----------
    y_true : array (n,)
        True classes.
    y_pred : array (n,)
        Predicted classes.
    labelled : boolean array (n,)
        True at labelled points, which do not count.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the shapes differ or every point is labelled.
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    labelled = np.asarray(labelled)
    if labelled.dtype != bool:
        raise ValueError("labelled must be a boolean mask, True where the label is known.")
    if y_true.ndim != 1 or not (y_true.shape == y_pred.shape == labelled.shape):
        raise ValueError(
            "y_true, y_pred and labelled must have one shape (n,); got "
            f"{y_true.shape}, {y_pred.shape} and {labelled.shape}."
        )
    if labelled.all():
        raise ValueError("Every point is labelled: there is no unlabelled point to score.")
    return float(np.mean(y_true[~labelled] == y_pred[~labelled]))


def calibration_error(correct, confidence, n_bins: int = 10) -> float:
    """Expected calibration error: Σ over bins of share · |accuracy − mean confidence|.

    Bins hold about equally many predictions; predictions of equal confidence share a bin.

    Parameters
    ----------
    correct : boolean array (n,)
        Whether each prediction is right.
    confidence : array (n,)
        Its probability, in [0, 1].
    n_bins : int, default 10
        Maximal number of bins; fewer if many predictions have the same confidence.

    Returns
    -------
    float
        Between 0 and 1; 0 if the accuracy in every bin is its mean confidence.

    Raises
    ------
    ValueError
        If the shapes differ, there are no predictions, or a confidence is not in [0, 1].
    """
    correct, confidence = np.asarray(correct, dtype=float), _vector(confidence, "confidence")
    if correct.shape != confidence.shape or not correct.size:
        raise ValueError(
            "correct and confidence must have one shape (n,), n >= 1; got "
            f"{correct.shape} and {confidence.shape}."
        )
    if not np.all((confidence >= 0) & (confidence <= 1)):  # NaN included
        raise ValueError("Confidences must be probabilities, in [0, 1].")
    edges = np.quantile(confidence, np.arange(1, n_bins) / n_bins)
    bins = np.searchsorted(edges, confidence, side="right")
    excess = np.bincount(bins, weights=correct - confidence, minlength=n_bins)
    return float(np.abs(excess).sum() / correct.size)


def _functions(values, name: str) -> Array:
    values = np.asarray(values, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2 or 0 in values.shape or not np.all(np.isfinite(values)):
        raise ValueError(f"{name} must hold finite values, shape (n, k); got {values.shape}.")
    return values


def principal_angles(F, G) -> Array:
    """Principal angles in L2(data) between the spans of two sets of functions, in radians.

    Parameters
    ----------
    F : array (n, k)
        Values of k functions at the samples; they need not be orthonormal.
    G : array (n, m)
        Values of m functions at the same samples.

    Returns
    -------
    array (min(rank F, rank G),)
        Ascending, in [0, pi/2]; accurate for small angles, where arccos is not.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, or a set spans nothing.
    """
    F, G = _functions(F, "F"), _functions(G, "G")
    if F.shape[0] != G.shape[0]:
        raise ValueError(f"F and G must share their samples; got {F.shape[0]} and {G.shape[0]}.")
    if not F.any() or not G.any():
        raise ValueError("F and G must span something: all their values are 0.")
    return np.sort(subspace_angles(F, G))


def eigenspace_angles(
    gamma_true, F_true, F_hat, *, rtol: float = 1e-8
) -> tuple[EigenspaceAngle, ...]:
    """Largest principal angle within every true eigenspace, since its basis is arbitrary.

    Parameters
    ----------
    gamma_true : array (k,)
        True eigenvalues, ascending; equal ones (up to ``rtol``) form one eigenspace. The last
        eigenspace should be complete: large angles to a part of one mean nothing.
    F_true, F_hat : array (n, k)
        True and estimated eigenfunctions at the samples, in the order of ``gamma_true``.
    rtol : float
        Eigenvalues whose gap is below rtol * (1 + gamma) count as equal.

    Returns
    -------
    tuple of EigenspaceAngle
        One for each eigenspace, ascending.

    Raises
    ------
    ValueError
        If the shapes do not fit or the eigenvalues are not ascending.
    """
    gamma = _vector(gamma_true, "gamma_true")
    F_true, F_hat = _functions(F_true, "F_true"), _functions(F_hat, "F_hat")
    if F_true.shape != F_hat.shape or F_true.shape[1] != gamma.size:
        raise ValueError(
            f"F_true and F_hat must both have shape (n, {gamma.size}), one column per "
            f"eigenvalue; got {F_true.shape} and {F_hat.shape}."
        )
    if np.any(np.diff(gamma) < 0):
        raise ValueError("gamma_true must be ascending.")

    def largest_angle(block: Array) -> float:
        if F_true[:, block].any() and not F_hat[:, block].any():
            return np.pi / 2  # like any estimate that misses a direction
        angles = principal_angles(F_true[:, block], F_hat[:, block])
        # fewer angles than dimensions: the estimate's columns are dependent and miss a direction
        return float(angles[-1]) if angles.size == block.size else np.pi / 2

    starts = np.flatnonzero(np.diff(gamma) > rtol * (1 + gamma[:-1])) + 1
    return tuple(
        EigenspaceAngle(
            eigenvalue=float(gamma[block[0]]),
            multiplicity=block.size,
            angle=largest_angle(block),
        )
        for block in np.split(np.arange(gamma.size), starts)
    )


def participation(values) -> Array:
    """Effective number of samples in functions' support: 1 / sum_j w_j^2, w = g^2 / sum_j g_j^2.

    n for a constant modulus, k for a function that is constant on k samples and 0 elsewhere; about
    n over the kurtosis of the values.

    Parameters
    ----------
    values : array (n, m)
        Values of m functions at n samples.

    Returns
    -------
    array (m,)
        In [1, n]; 0 for a function that vanishes on all samples.

    Raises
    ------
    ValueError
        If the values are not finite or there are none.
    """
    values = _functions(values, "values")
    largest = np.abs(values).max(axis=0)
    squares = (values / np.where(largest > 0, largest, 1.0)) ** 2  # fourth powers may underflow
    fourth = (squares**2).sum(axis=0)
    return np.where(fourth > 0, squares.sum(axis=0) ** 2 / np.where(fourth > 0, fourth, 1.0), 0.0)
