r"""Passes (MBO iterations): estimate, guess the class of every point, estimate again.

With one label per class the least-squares estimate is a narrow peak at each label. Between the
peaks the scores still rank the classes, but carry hardly any weight. So every point of the sample
gets a guess from its balanced shares, and the estimate is recomputed with these guesses as further
labels,

    g = argmin (1 − β) E_ℓ|g − y|² + β E_n|g − u|² + λ(E‖∇g‖² + μ‖g‖²_H),

u the code of the guesses (of the label at labelled points). A few passes move the boundary to
sparse regions: the threshold dynamics of Merriman, Bence and Osher, with prescribed class
proportions as in Jacobs, Merkurjev and Esedoḡlu (2018), which Calder, Cook, Thorpe and Slepčev
(2020) run on graphs (Poisson MBO); here in a trial space, so that the result is a function.

The threshold is soft: a guess is the mean code at probabilities ∝ exp(share/T). T falls from pass
to pass, so that points near a boundary hardly pull until it has settled.

Estimated class proportions are imposed on the mean shares, with a strength between 0 and 1, and
half of that in the last passes, so that classes can take another size than the labels suggest.
Known ones are imposed on the guesses themselves, to the end.

The sample is given as kernel functions over it (:class:`Whitened`) or as the nodes of a graph
(:class:`Nodes`). Both provide what passes need: loads of guesses, systems to solve, and scores.
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
GUESSES = 0.5  # β, weight of the guesses relative to the labels
FIRST, LAST = 0.3, 0.05  # T in the first and the last pass, in mean deviations of the shares
CONFIDENCE = 0.8  # probability that a guess is right, where no held-out labels measure it
N_RELAXED = 3  # last passes, in which the class proportions are imposed with half the strength
RELAXED = 0.5
_ROWS = 1024  # rows whitened at once
# λ of the passes with a Laplacian of mean degree 1. Of 1, 5 and 20, from Poisson's values on
# digits, circles, tables and images, 5 was at most .04 behind the best, 1 up to .06 (circles), and
# 20 up to .09 (50 columns of noise).
PASS_ENERGY = 5.0


@dataclass(frozen=True, eq=False)
class PassResult:
    """The estimate after the passes.

    Attributes
    ----------
    theta : array (r, k), coefficients as in ``Whitened`` or ``Nodes``
    balance : Balance of the scores
    temperature : float, T of the balanced shares' probabilities
    moved : tuple of int, number of points that changed class in each pass
    shares : array (n, K), balanced shares of the sample
    """

    theta: Array
    balance: Balance
    temperature: float
    moved: tuple[int, ...]
    shares: Array


@dataclass(frozen=True, eq=False)
class Whitened:
    """A sample in whitened coordinates: W (r, n) with G(x, x′) = wᵀw′, and the weighted WWᵀ.

    ``weights`` (n,) are the weights of the points.
    """

    values: Array
    gram: Array
    weights: Array

    def load(self, guesses: Array) -> Array:
        """Loads (r, k), Σ_i s_i φ(x_i) u_i of codes u (n, k) with the weights s."""
        return self.values @ (guesses * self.weights[:, None])

    def scores(self, theta: Array) -> Array:
        """Values (n, k) of coefficients (r, k)."""
        return self.values.T @ theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """Solver from loads to θ: minimises (1 − β) E_ℓ|g − y|² + share Σ s|g − u|² + λ energy.

        ``labels`` has a boolean array (n,) and codes (m, k) for each set of labels; the
        coefficients and loads (r, k) of all sets are side by side. The normal equations are
        factorised once.
        """
        solvers = []
        for labelled, targets in labels:
            W, weights = self.values[:, labelled], self.weights[labelled]
            Ws, label_share = W * weights, (1 - GUESSES) / weights.sum()
            system = label_share * (Ws @ W.T) + share * self.gram
            ridge = max(lam, 1e-12 * np.trace(system) / len(system))
            system[np.diag_indices_from(system)] += ridge
            factor = cho_factor(system, check_finite=False)
            solvers.append((factor, label_share * (Ws @ targets)))

        def solve(loads: Array) -> Array:
            parts = zip(solvers, np.split(loads, len(solvers), axis=1), strict=True)
            return np.hstack([cho_solve(f, b + share * load) for (f, b), load in parts])

        return solve

    def with_points(self, values: Array, weights: Array | None = None) -> Whitened:
        """The sample with further points (r, m), of weights (m,), appended."""
        weights = np.ones(values.shape[1]) if weights is None else weights
        gram = self.gram + (values * weights) @ values.T
        return Whitened(np.hstack([self.values, values]), gram, np.r_[self.weights, weights])


def whitened(
    factor: EnergyFactor, space: TrialSpace, X: Array, weights: Array | None = None
) -> Whitened:
    """Whiten a sample once for all sets of labels; stores n·p numbers.

    Parameters
    ----------
    factor : EnergyFactor
        Factor of S + μK, without a constant in the space.
    space : TrialSpace
    X : array (n, d)
        The sample.
    weights : array (n,), optional
        Weights of the samples.

    Raises
    ------
    ValueError
        If the space has the constant.
    """
    if factor.constant:
        raise ValueError(
            "Passes of thresholding need a trial space without the constant: leave out the "
            "unpenalised constant, or the passes."
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
    """The nodes of a graph as a trial space: p = n functions, one per node, and sparse forms.

    The mass is diagonal, with the weights of the nodes, and the energy is the graph's, Σ_ij w_ij
    (g_i − g_j)²/2. Nothing is dense: a system of the passes takes a few products with the graph.

    Attributes
    ----------
    laplacian : CSR matrix (n, n)
        Symmetric, positive semi-definite, divided by the mean degree: a change of 1 along every
        edge then has mean energy 1 at a node, and λ has no unit.
    weights : array (n,)
        Weights of the nodes, positive.
    rtol : float
        Relative residual at which conjugate gradients stop.
    """

    laplacian: sp.csr_matrix
    weights: Array
    rtol: float = 1e-3

    @classmethod
    def of(cls, W: sp.csr_matrix, weights: Array | None = None) -> Nodes:
        """Nodes from the symmetric weights W (n, n) of the edges and those (n,) of the nodes."""
        weights = np.ones(W.shape[0]) if weights is None else weights
        mean = degrees(W).sum() / weights.sum()
        return cls(sp.csr_matrix(laplacian(sp.csr_matrix(W) / (mean or 1.0))), weights)

    def load(self, guesses: Array) -> Array:
        """Loads (n, k)."""
        return guesses * self.weights[:, None]

    def scores(self, theta: Array) -> Array:
        """Values (n, k), which are the coefficients."""
        return theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """As :meth:`Whitened.systems`, by conjugate gradients started from the last solution.

        Guesses add to the diagonal at every node, so the systems are well conditioned.
        """
        k = labels[0][1].shape[1]
        diagonal = np.repeat(share * self.weights[:, None], k * len(labels), axis=1)
        label_loads = np.zeros_like(diagonal)
        for i, (labelled, targets) in enumerate(labels):
            shares = (1 - GUESSES) / self.weights[labelled].sum() * self.weights[labelled, None]
            diagonal[labelled, i * k : (i + 1) * k] += shares
            label_loads[labelled, i * k : (i + 1) * k] = shares * targets
        A, solution = lam / self.weights.sum() * self.laplacian, None
        iterate = conjugate_gradients_of(A, shift=diagonal, rtol=self.rtol)

        def solve(loads: Array) -> Array:
            nonlocal solution
            solution = iterate(label_loads + share * loads, solution)
            return solution

        return solve


def threshold_passes(
    sample: Whitened | Nodes,
    label_sets: Sequence[Array],
    starts: Sequence[Array],
    lam: float,
    prior: Array,
    n_passes: int = N_PASSES,
    strength: float = 1.0,
    known: bool = False,
) -> list[PassResult]:
    """Repeat: guess the class of every point, and fit the guesses together with the labels.

    Several sets of labels share the products with the sample, which take most of the time.

    Parameters
    ----------
    sample : Whitened or Nodes
        A sample of n points.
    label_sets : sequence of int arrays (n,)
        For each set, class codes of the labelled points, -1 elsewhere.
    starts : sequence of arrays (n, k)
        For each set, the estimate from the labels alone.
    lam : float
        λ, in units of length².
    prior : array (K,)
        Class proportions, of sum 1; K ≥ 2.
    n_passes : int, default 10, at least 1
    strength : float, default 1
        Strength, from 0 to 1, with which the class proportions are imposed on the mean shares.
    known : bool, default False
        Whether the proportions are known: the guesses then have them.

    Returns
    -------
    list of PassResult
        One for each set.
    """
    weights = sample.weights
    one_hot = [(y >= 0, np.eye(len(prior))[y[y >= 0]]) for y in label_sets]
    labels = [(labelled, class_scores(shares)) for labelled, shares in one_hot]
    solve = sample.systems(labels, GUESSES / weights.sum(), lam)
    temperatures = np.r_[np.geomspace(FIRST, LAST, n_passes), LAST]
    states = [
        _balanced(scores, prior, strength, weights, temperatures[0] if known else None)
        for scores in starts
    ]
    moved: list[list[int]] = [[] for _ in labels]
    for done, temperature in enumerate(temperatures[:-1]):
        report("passes", done, n_passes)
        guesses = []
        for (labelled, label_shares), (_, shares, _) in zip(one_hot, states, strict=True):
            probabilities = codes_.softmax(shares, temperature * spread(shares, weights))
            probabilities[labelled] = label_shares
            guesses.append(class_scores(probabilities))
        theta = solve(sample.load(np.hstack(guesses)))
        imposed = strength * (RELAXED if done >= n_passes - N_RELAXED else 1.0)
        scores = np.split(sample.scores(theta), len(labels), axis=1)
        next_temperature = temperatures[done + 1] if known else None
        for i, (labelled, _) in enumerate(labels):
            balance, _, before = states[i]
            states[i] = _balanced(
                scores[i], prior, imposed, weights, next_temperature, balance.shift
            )
            moved[i].append(int((states[i][2] != before)[~labelled].sum()))
    thetas = np.split(theta, len(labels), axis=1)
    usual = usual_temperature(len(prior))
    return [
        PassResult(theta, balance, usual * spread(shares, weights), tuple(counts), shares)
        for theta, (balance, shares, _), counts in zip(thetas, states, moved, strict=True)
    ]


def _balanced(
    scores: Array,
    prior: Array,
    strength: float,
    weights: Array,
    temperature: float | None = None,
    shift: Array | None = None,
) -> tuple[Balance, Array, Array]:
    """The balance of the scores, the balanced shares (n, K), and the classes (n,).

    With the temperature of the guesses these have exactly the class proportions; ``shift`` (K,) is
    that of a similar balance.
    """
    scores = np.asfortranarray(scores)  # few columns; all sums below run along them
    if temperature is None:
        balance = codes_.balance(scores, prior, "scale", strength, weights)
    else:
        balance = codes_.balance(scores, prior, "scale", weights=weights)
        shares = class_shares(balance(scores), len(prior))
        temperature = temperature * spread(shares, weights)
        shift = codes_.imposing_shifts(shares, prior, temperature, weights, shift)
        balance = Balance(balance.factor, balance.shift + shift)
    balanced = balance(scores)
    return balance, class_shares(balanced, len(prior)), decode(balanced)


def spread(shares: Array, weights: Array | None = None) -> float:
    """Standard deviation of the shares over the sample, averaged over classes; positive."""
    variance = means((shares - means(shares, weights)) ** 2, weights)
    return max(float(np.sqrt(variance).mean()), np.finfo(float).tiny)


def usual_temperature(n_classes: int) -> float:
    """T of probabilities, in mean deviations of the shares, when it cannot be measured.

    In a sample of K classes of equal size, shares a of the true class and b of each other class
    have the deviation (a − b)√(K − 1)/K. With this T such a guess has probability
    :data:`CONFIDENCE` for every K ≥ 2.
    """
    odds = (n_classes - 1) * CONFIDENCE / (1 - CONFIDENCE)
    return float(n_classes / np.sqrt(n_classes - 1) / np.log(odds))
