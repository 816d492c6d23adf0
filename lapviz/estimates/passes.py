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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapviz.estimates import codes as codes_
from lapviz.estimates.codes import Balance, class_scores, class_shares, decode, means
from lapviz.estimates.labelled import EnergyFactor
from lapviz.linalg import blocks
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
    theta : array (r, k), its coefficients in the terms of the sample
    balance : Balance, of its scores
    temperature : float, T of the balanced shares' probabilities
    moved : tuple of int, how many points changed their class in each pass
    shares : array (n, K), balanced, of the sample
    """

    theta: Array
    balance: Balance
    temperature: float
    moved: tuple[int, ...]
    shares: Array


class Solved(Protocol):
    """The sample as the passes see it: kernel functions over it, or a graph's nodes.

    ``weights`` (n,) are those of the points.
    """

    @property
    def weights(self) -> Array: ...

    def load(self, guesses: Array) -> Array:
        """Σ_i s_i φ(x_i) u_i of codes u (n, k), s the weights."""
        ...

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """θ from loads: (1 − β) E_ℓ|g − y|² + share Σ s|g − u|² + λ energy at its least.

        ``labels`` has a boolean array (n,) and their codes (m, k) for each set of them, and
        coefficients and loads (r, k) of all sets are side by side.
        """
        ...

    def scores(self, theta: Array) -> Array:
        """Values (n, k) at the sample."""
        ...


@dataclass(frozen=True, eq=False)
class Whitened:
    """The sample as the energy sees it: W (r, n) with G(x, x′) = wᵀw′, and the weighted WWᵀ.

    ``weights`` (n,) are those of the points, 1 each by default.
    """

    values: Array
    gram: Array
    weights: Array

    def load(self, guesses: Array) -> Array:
        """Loads (r, k)."""
        return self.values @ (guesses * self.weights[:, None])

    def scores(self, theta: Array) -> Array:
        """Values (n, k) of coefficients (r, k)."""
        return self.values.T @ theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """The normal equations, factorised once."""
        solvers = [self._system(*each, share, lam) for each in labels]

        def solve(loads: Array) -> Array:
            parts = np.split(loads, len(solvers), axis=1)
            return np.hstack([each(load) for each, load in zip(solvers, parts, strict=True)])

        return solve

    def _system(
        self, labelled: Array, targets: Array, share: float, lam: float
    ) -> Callable[[Array], Array]:
        W, shares = self.values[:, labelled], self.weights[labelled]
        Wl = W * shares
        part = (1 - GUESSES) / shares.sum()
        system = part * (Wl @ W.T) + share * self.gram
        system[np.diag_indices_from(system)] += max(lam, 1e-12 * np.trace(system) / len(system))
        solver, from_labels = cho_factor(system, check_finite=False), part * (Wl @ targets)
        return lambda load: cho_solve(solver, from_labels + share * load)

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
    for rows in blocks(len(X), _ROWS):
        W[:, rows] = factor.whiten(space.phi(X[rows]))
        report("values", rows.stop, len(X))
    if weights is None:
        return Whitened(W, W @ W.T, np.ones(len(X)))
    return Whitened(W, (W * weights) @ W.T, weights)


def threshold_passes(
    sample: Solved,
    knowns: Sequence[Array],
    starts: Sequence[Array],
    lam: float,
    prior: Array,
    n_passes: int = N_PASSES,
    strength: float = 1.0,
) -> list[Passed]:
    """Repeat: guess the class of every point, and fit the guesses beside the labels.

    Several sets of labels go together through the sample, which takes most of the time.

    Parameters
    ----------
    sample : Whitened or Nodes
        Of n points, by :func:`whitened` or :class:`lapviz.estimates.nodes.Nodes`.
    knowns : sequence of int arrays (n,)
        Of each set, class codes of the labelled points, -1 elsewhere.
    starts : sequence of arrays (n, k)
        Its estimate from the labels alone.
    lam : float
        λ, in units of length².
    prior : array (K,)
        Volumes, of sum 1, at least two of them.
    n_passes : int, default 10, at least 1
    strength : float, default 1
        With which the volumes are imposed, from 0 to 1.

    Returns
    -------
    list of Passed
        One for each set.
    """
    runs = [
        _Run(sample.weights, known, scores, prior, strength)
        for known, scores in zip(knowns, starts, strict=True)
    ]
    labels = [(run.labelled, class_scores(run.given)) for run in runs]
    solve = sample.systems(labels, GUESSES / sample.weights.sum(), lam)
    for done, warmth in enumerate(np.geomspace(FIRST, LAST, n_passes)):
        report("passes", done, n_passes)
        theta = solve(sample.load(np.hstack([run.guesses(warmth) for run in runs])))
        imposed = strength * (HALF if done >= n_passes - LOOSE else 1.0)
        scores = np.split(sample.scores(theta), len(runs), axis=1)
        for run, its in zip(runs, scores, strict=True):
            run.take(its, imposed)
    thetas = np.split(theta, len(runs), axis=1)
    return [run.result(its) for run, its in zip(runs, thetas, strict=True)]


class _Run:
    """The passes from one set of labels; arguments as those of :func:`threshold_passes`."""

    def __init__(self, weights: Array, known: Array, scores: Array, prior: Array, strength: float):
        self.weights, self.prior, self.labelled = weights, prior, known >= 0
        self.given = np.eye(len(prior))[known[self.labelled]]
        self.moved: list[int] = []
        self._weigh(scores, strength)

    def _weigh(self, scores: Array, strength: float) -> None:
        scores = np.asfortranarray(scores)  # of few columns, over which all here is a sum
        self.balance = codes_.balance(scores, self.prior, "scale", strength, self.weights)
        balanced = self.balance(scores)
        self.shares, self.classes = class_shares(balanced, len(self.prior)), decode(balanced)

    def guesses(self, warmth: float) -> Array:
        """Codes (n, k) of the sample: soft guesses, and the labels."""
        chances = codes_.softmax(self.shares, warmth * spread(self.shares, self.weights))
        chances[self.labelled] = self.given
        return class_scores(chances)

    def take(self, scores: Array, strength: float) -> None:
        """Go on to scores (n, k) of the sample."""
        before = self.classes
        self._weigh(scores, strength)
        self.moved.append(int((self.classes != before)[~self.labelled].sum()))

    def result(self, theta: Array) -> Passed:
        """What the passes have led to."""
        temperature = CALIBRATED * spread(self.shares, self.weights)
        return Passed(theta, self.balance, temperature, tuple(self.moved), self.shares)


def spread(shares: Array, weights: Array | None = None) -> float:
    """Standard deviation over the sample, mean over the classes; positive."""
    variance = means((shares - means(shares, weights)) ** 2, weights)
    return max(float(np.sqrt(variance).mean()), np.finfo(float).tiny)
