r"""Passes of thresholding: estimate, give every point its class, estimate again.

With one label per class the least-squares estimate is a narrow peak at each label. What is between
the peaks carries the order of the classes but hardly any weight, so it is used as follows: every
point of the sample gets the class of its largest balanced share, and the estimate is made again
with these guesses as further labels,

    g = argmin (1 − β) E_ℓ|g − y|² + β E_n|g − u|² + λ(E‖∇g‖² + μ‖g‖²_H),

u the code of the guesses (the labels, where they are given). A few repetitions move the boundary to
where little of the sample is: the threshold dynamics of Merriman, Bence and Osher, with prescribed
volumes as in Jacobs, Merkurjev and Esedoḡlu (2018), which Calder, Cook, Thorpe and Slepčev (2020)
run on graphs (Poisson MBO); here in a trial space, so that the result is a function.

The volumes are those of the prior; in the last passes they are only half imposed, so that classes
of another size than the labels suggest can take it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapviz.estimates import codes as codes_
from lapviz.estimates.codes import Balance, class_codes, decode
from lapviz.estimates.labelled import EnergyFactor
from lapviz.progress import report

Array = np.ndarray

N_PASSES = 10
GUESSES = 0.5  # β, weight of the guesses beside the labels
LOOSE = 3  # last passes in which the volumes are half imposed
HALF = 0.5


@dataclass(frozen=True, eq=False)
class Passed:
    """The estimate after the passes.

    Attributes
    ----------
    coefficients : array (p, k)
    balance : Balance, of its scores
    moved : tuple of int, how many points changed their class in each pass
    """

    coefficients: Array
    balance: Balance
    moved: tuple[int, ...]


def threshold_passes(
    factor: EnergyFactor,
    phi: Array,
    known: Array,
    n_classes: int,
    coefficients: Array,
    lam: float,
    prior: Array,
    n_passes: int = N_PASSES,
) -> Passed:
    """Repeat: guess the class of every point, and fit the guesses beside the labels.

    Parameters
    ----------
    factor : EnergyFactor
        Of S + μK, without a constant in the space.
    phi : array (n, p)
        Test functions at the sample.
    known : int array (n,)
        Class codes of the labelled rows, -1 elsewhere.
    n_classes : int
        K, at least 2.
    coefficients : array (p, k)
        The estimate from the labels alone.
    lam : float
        λ, in units of length².
    prior : array (K,)
        Volumes, of sum 1.
    n_passes : int, default 10

    Returns
    -------
    Passed

    Raises
    ------
    ValueError
        If the space has the constant.
    """
    if factor.constant:
        raise ValueError("Passes of thresholding are for a trial space without the constant.")
    W, labelled = factor.whiten(phi), known >= 0
    n, n_labelled = len(known), int(labelled.sum())
    Wl, y = W[:, labelled], class_codes(known[labelled], n_classes)
    system = (1 - GUESSES) / n_labelled * (Wl @ Wl.T) + GUESSES / n * (W @ W.T)
    system[np.diag_indices_from(system)] += max(lam, 1e-12 * np.trace(system) / len(system))
    solver = cho_factor(system, check_finite=False)
    from_labels = (1 - GUESSES) / n_labelled * (Wl @ y)
    scores = phi @ coefficients
    balance = codes_.balance(scores, prior, "scale")
    guess, moved = decode(balance(scores)), []
    for done in range(n_passes):
        report("passes", done, n_passes)
        guess = np.where(labelled, known, guess)
        theta = cho_solve(solver, from_labels + GUESSES / n * (W @ class_codes(guess, n_classes)))
        scores = W.T @ theta
        strength = HALF if done >= n_passes - LOOSE else 1.0
        balance = codes_.balance(scores, prior, "scale", strength)
        new = decode(balance(scores))
        moved.append(int((new != guess)[~labelled].sum()))
        guess = new
        coefficients = factor.coefficients(theta, np.zeros(theta.shape[1]))
    return Passed(coefficients, balance, tuple(moved))
