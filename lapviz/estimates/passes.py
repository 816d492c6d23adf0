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

The sample is given as kernel functions over it (:class:`Whitened`) or as the nodes of a graph
(:class:`Nodes`). Both say what passes need: loads of guesses, the systems to be solved, scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

from lapviz.estimates import codes as codes_
from lapviz.estimates.codes import Balance, class_scores, class_shares, decode, means
from lapviz.estimates.labelled import EnergyFactor
from lapviz.graphs.laplacians import degrees, laplacian
from lapviz.graphs.solvers import conjugate_gradients_of
from lapviz.linalg import blocks
from lapviz.progress import report
from lapviz.spaces import TrialSpace

Array = np.ndarray

N_PASSES = 10
GUESSES = 0.5  # β, weight of the guesses beside the labels
FIRST, LAST = 0.3, 0.05  # T in the first and the last pass, in mean deviations of the shares
CONFIDENCE = 0.8  # of a guess in a sample, where no labels held back tell how often it is right
LOOSE = 3  # last passes in which the volumes are half imposed
HALF = 0.5
_ROWS = 1024  # whose values are whitened at a time
# λ of the passes beside a Laplacian of mean degree 1. Of 1, 5 and 20, from Poisson's values on
# digits, circles, tables and images, 5 was at most .04 behind the best, 1 up to .06 (circles), and
# 20 up to .09 (50 columns of noise).
PASS_ENERGY = 5.0


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


@dataclass(frozen=True, eq=False)
class Whitened:
    """The sample as the energy sees it: W (r, n) with G(x, x′) = wᵀw′, and the weighted WWᵀ.

    ``weights`` (n,) are those of the points, 1 each by default.
    """

    values: Array
    gram: Array
    weights: Array

    def load(self, guesses: Array) -> Array:
        """Σ_i s_i φ(x_i) u_i of codes u (n, k), s the weights: loads (r, k)."""
        return self.values @ (guesses * self.weights[:, None])

    def scores(self, theta: Array) -> Array:
        """Values (n, k) of coefficients (r, k)."""
        return self.values.T @ theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """θ from loads: (1 − β) E_ℓ|g − y|² + share Σ s|g − u|² + λ energy at its least.

        ``labels`` has a boolean array (n,) and their codes (m, k) for each set of them, and
        coefficients and loads (r, k) of all sets are side by side. The normal equations are
        factorised once.
        """
        solvers = []
        for labelled, targets in labels:
            W, shares = self.values[:, labelled], self.weights[labelled]
            Wl, part = W * shares, (1 - GUESSES) / shares.sum()
            system = part * (Wl @ W.T) + share * self.gram
            ridge = max(lam, 1e-12 * np.trace(system) / len(system))
            system[np.diag_indices_from(system)] += ridge
            solvers.append((cho_factor(system, check_finite=False), part * (Wl @ targets)))

        def solve(loads: Array) -> Array:
            parts = zip(solvers, np.split(loads, len(solvers), axis=1), strict=True)
            return np.hstack([cho_solve(f, given + share * load) for (f, given), load in parts])

        return solve

    def with_points(self, values: Array, weights: Array | None = None) -> Whitened:
        """The sample with further points (r, m), of weights (m,), appended."""
        weights = np.ones(values.shape[1]) if weights is None else weights
        gram = self.gram + (values * weights) @ values.T
        return Whitened(np.hstack([self.values, values]), gram, np.r_[self.weights, weights])


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


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a graph as a trial space: p = n functions, one a node, and sparse forms.

    The mass is diagonal, the weights of the nodes, and the energy that of the graph, Σ_ij w_ij
    (g_i − g_j)²/2. Nothing is dense: a system of the passes takes a few products with the graph.

    Attributes
    ----------
    laplacian : CSR matrix (n, n)
        Symmetric, positive semi-definite, divided by the mean degree: a change of 1 along every
        edge then has the energy 1 at a node on average, and λ no unit.
    weights : array (n,)
        Of the nodes, positive.
    rtol : float
        Relative residual at which conjugate gradients end.
    """

    laplacian: sp.csr_matrix
    weights: Array
    rtol: float = 1e-4

    @classmethod
    def of(cls, W: sp.csr_matrix, weights: Array | None = None) -> Nodes:
        """From symmetric weights (n, n) of the edges, and those (n,) of the nodes."""
        weights = np.ones(W.shape[0]) if weights is None else weights
        mean = degrees(W).sum() / weights.sum()
        return cls(sp.csr_matrix(laplacian(sp.csr_matrix(W) / (mean or 1.0))), weights)

    def load(self, guesses: Array) -> Array:
        """Loads (n, k)."""
        return guesses * self.weights[:, None]

    def scores(self, theta: Array) -> Array:
        """Values (n, k): the coefficients are the values."""
        return theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """By conjugate gradients, which begin where the last pass has ended.

        Guesses hold every node, so that the systems are well conditioned on any graph.
        """
        k = labels[0][1].shape[1]
        held = np.repeat(share * self.weights[:, None], k * len(labels), axis=1)
        given = np.zeros_like(held)
        for i, (labelled, targets) in enumerate(labels):
            part = (1 - GUESSES) / self.weights[labelled].sum() * self.weights[labelled, None]
            held[labelled, i * k : (i + 1) * k] += part
            given[labelled, i * k : (i + 1) * k] = part * targets
        A, last = lam / self.weights.sum() * self.laplacian, np.zeros_like(given)
        nearer = conjugate_gradients_of(A, shift=held, rtol=self.rtol)

        def solve(loads: Array) -> Array:
            last[:] = nearer(given + share * loads, last)
            return last

        return solve


def threshold_passes(
    sample: Whitened | Nodes,
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
        Of n points.
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
    weights = sample.weights
    given = [(known >= 0, np.eye(len(prior))[known[known >= 0]]) for known in knowns]
    labels = [(labelled, class_scores(shares)) for labelled, shares in given]
    solve = sample.systems(labels, GUESSES / weights.sum(), lam)
    states = [_balanced(scores, prior, strength, weights) for scores in starts]
    moved: list[list[int]] = [[] for _ in given]
    for done, warmth in enumerate(np.geomspace(FIRST, LAST, n_passes)):
        report("passes", done, n_passes)
        guesses = []
        for (labelled, known_shares), (_, shares, _) in zip(given, states, strict=True):
            chances = codes_.softmax(shares, warmth * spread(shares, weights))
            chances[labelled] = known_shares
            guesses.append(class_scores(chances))
        theta = solve(sample.load(np.hstack(guesses)))
        imposed = strength * (HALF if done >= n_passes - LOOSE else 1.0)
        scores = np.split(sample.scores(theta), len(given), axis=1)
        for i, (labelled, _) in enumerate(given):
            before = states[i][2]
            states[i] = _balanced(scores[i], prior, imposed, weights)
            moved[i].append(int((states[i][2] != before)[~labelled].sum()))
    thetas = np.split(theta, len(given), axis=1)
    usual = usual_temperature(len(prior))
    return [
        Passed(own, balance, usual * spread(shares, weights), tuple(counts), shares)
        for own, (balance, shares, _), counts in zip(thetas, states, moved, strict=True)
    ]


def _balanced(
    scores: Array, prior: Array, strength: float, weights: Array
) -> tuple[Balance, Array, Array]:
    """How scores of the sample are balanced, their shares (n, K) then, and their classes (n,)."""
    scores = np.asfortranarray(scores)  # of few columns, over which all here is a sum
    balance = codes_.balance(scores, prior, "scale", strength, weights)
    balanced = balance(scores)
    return balance, class_shares(balanced, len(prior)), decode(balanced)


def spread(shares: Array, weights: Array | None = None) -> float:
    """Standard deviation over the sample, mean over the classes; positive."""
    variance = means((shares - means(shares, weights)) ** 2, weights)
    return max(float(np.sqrt(variance).mean()), np.finfo(float).tiny)


def usual_temperature(n_classes: int) -> float:
    """T of probabilities, in mean deviations of the shares, where nothing else tells it.

    Shares a of the own class and b of each other one, in a sample of K classes of equal size, have
    the deviation (a − b)√(K − 1)/K. With this T such a guess has the probability
    :data:`CONFIDENCE`, whatever K, at least 2.
    """
    odds = (n_classes - 1) * CONFIDENCE / (1 - CONFIDENCE)
    return float(n_classes / np.sqrt(n_classes - 1) / np.log(odds))
