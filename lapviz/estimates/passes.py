r"""Passes of thresholding: estimate, guess the class of every point, estimate again.

With one label per class the least-squares estimate is a narrow peak at each label. What is between
the peaks carries the order of the classes but hardly any weight, so it is used as follows: every
point of the sample gets a guess from its balanced shares, and the estimate is made again with these
guesses as further labels,

    g = argmin (1 − β) E_ℓ|g − y|² + β E_n|g − u|² + λ(E‖∇g‖² + μ‖g‖²_H),

u the code of the guesses (the labels, where they are given). A few repetitions move the boundary to
where little of the sample is: the threshold dynamics of Merriman, Bence and Osher, with prescribed
volumes as in Jacobs, Merkurjev and Esedoḡlu (2018), which Calder, Cook, Thorpe and Slepčev (2020)
run on graphs (Poisson MBO); here in a trial space, so that the result is a function.

The threshold is soft, a guess the mean code at probabilities ∝ exp(share/T), and T falls from pass
to pass: points near a boundary do not pull before it has come to rest.

The volumes are those of the prior, imposed with a strength between 0 and 1, and half of that in the
last passes, so that classes of another size than the labels suggest can take it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapviz.estimates import codes as codes_
from lapviz.estimates.codes import Balance, class_codes, class_scores, class_shares, decode
from lapviz.estimates.labelled import EnergyFactor
from lapviz.progress import report
from lapviz.spaces import TrialSpace

Array = np.ndarray

N_PASSES = 10
GUESSES = 0.5  # β, weight of the guesses beside the labels
FIRST, LAST = 0.3, 0.05  # T in the first and the last pass, in mean deviations of the shares
CALIBRATED = 0.5  # the same for probabilities: the accuracy of guesses, not of the fit to them
LOOSE = 3  # last passes in which the volumes are half imposed
HALF = 0.5
_ROWS = 1024  # whose values are whitened at a time


@dataclass(frozen=True, eq=False)
class Passed:
    """The estimate after the passes.

    Attributes
    ----------
    coefficients : array (p, k)
    balance : Balance, of its scores
    temperature : float, T of the balanced shares' probabilities
    moved : tuple of int, how many points changed their class in each pass
    """

    coefficients: Array
    balance: Balance
    temperature: float
    moved: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Whitened:
    """The sample as the energy sees it: W (r, n) with G(x, x′) = wᵀw′, and the weighted WWᵀ.

    ``weights`` (n,) are those of the points, 1 each by default.
    """

    values: Array
    gram: Array
    weights: Array

    def and_also(self, more: Array, weights: Array | None = None) -> Whitened:
        """With further points (r, m) and their weights (m,) behind those of the sample."""
        weights = np.ones(more.shape[1]) if weights is None else weights
        gram = self.gram + (more * weights) @ more.T
        return Whitened(np.hstack([self.values, more]), gram, np.r_[self.weights, weights])


def whitened(
    factor: EnergyFactor, space: TrialSpace, X: Array, weights: Array | None = None
) -> Whitened:
    """What every set of labels on the same sample shares; n·p numbers are held once.

    Parameters
    ----------
    factor : EnergyFactor
        Of S + μK, without a constant in the space.
    space : TrialSpace
    X : array (n, d)
        The sample.
    weights : array (n,), optional
        Of the samples.

    Raises
    ------
    ValueError
        If the space has the constant.
    """
    if factor.constant:
        raise ValueError(
            "Passes of thresholding are for a trial space without the constant: leave the "
            "unpenalised constant out, or make no passes."
        )
    W = np.empty((len(X), len(factor.keep))).T
    for start in range(0, len(X), _ROWS):
        rows = slice(start, start + _ROWS)
        W[:, rows] = factor.whiten(space.phi(X[rows]))
        report("values", min(start + _ROWS, len(X)), len(X))
    if weights is None:
        return Whitened(W, W @ W.T, np.ones(len(X)))
    return Whitened(W, (W * weights) @ W.T, weights)


def threshold_passes(
    factor: EnergyFactor,
    sample: Whitened,
    known: Array,
    scores: Array,
    lam: float,
    prior: Array,
    n_passes: int = N_PASSES,
    strength: float = 1.0,
) -> Passed:
    """Repeat: guess the class of every point, and fit the guesses beside the labels.

    Parameters
    ----------
    factor : EnergyFactor
        Of S + μK, without a constant in the space.
    sample : Whitened
        Of n points, by :func:`whitened`.
    known : int array (n,)
        Class codes of the labelled points, -1 elsewhere.
    scores : array (n, k)
        The estimate from the labels alone.
    lam : float
        λ, in units of length².
    prior : array (K,)
        Volumes, of sum 1, at least two of them.
    n_passes : int, default 10, at least 1
    strength : float, default 1
        With which the volumes are imposed, from 0 to 1.

    Returns
    -------
    Passed
    """
    W, labelled, n_classes = sample.values, known >= 0, len(prior)
    weights, given = sample.weights, sample.weights[labelled]
    n, n_labelled = weights.sum(), given.sum()
    Wl, y = W[:, labelled], class_codes(known[labelled], n_classes)
    weighted, Wl = W if (weights == 1).all() else W * weights, Wl * given
    system = (1 - GUESSES) / n_labelled * (Wl @ W[:, labelled].T) + GUESSES / n * sample.gram
    system[np.diag_indices_from(system)] += max(lam, 1e-12 * np.trace(system) / len(system))
    solver = cho_factor(system, check_finite=False)
    from_labels = (1 - GUESSES) / n_labelled * (Wl @ y)
    balance = codes_.balance(scores, prior, "scale", strength, weights)
    classes, moved = decode(balance(scores)), []
    for done, warmth in enumerate(np.geomspace(FIRST, LAST, n_passes)):
        report("passes", done, n_passes)
        shares = class_shares(balance(scores), n_classes)
        chances = codes_.softmax(shares, warmth * spread(shares, weights))
        chances[labelled] = np.eye(n_classes)[known[labelled]]
        theta = cho_solve(solver, from_labels + GUESSES / n * (weighted @ class_scores(chances)))
        scores = W.T @ theta
        imposed = strength * (HALF if done >= n_passes - LOOSE else 1.0)
        balance = codes_.balance(scores, prior, "scale", imposed, weights)
        new = decode(balance(scores))
        moved.append(int((new != classes)[~labelled].sum()))
        classes = new
    temperature = CALIBRATED * spread(class_shares(balance(scores), n_classes), weights)
    coefficients = factor.coefficients(theta, np.zeros(theta.shape[1]))
    return Passed(coefficients, balance, temperature, tuple(moved))


def spread(shares: Array, weights: Array | None = None) -> float:
    """Standard deviation over the sample, mean over the classes; positive."""
    mean = np.average(shares, axis=0, weights=weights)
    variance = np.average((shares - mean) ** 2, axis=0, weights=weights)
    return max(float(np.sqrt(variance).mean()), np.finfo(float).tiny)
