"""Classes from labels by a plan: labels in, an estimate out, and what all labels share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapviz.checks import row_shares
from lapviz.estimates import codes
from lapviz.fit import few_labels
from lapviz.fit.few_labels import Proportions
from lapviz.fit.plans import Plan
from lapviz.fit.specs import EstimateSpec, Report
from lapviz.fit.supervised import Linear, Supervised
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.kernels import Kernel
from lapviz.spaces import Reach, TrialSpace

Array = np.ndarray

UNEVEN = 1.2  # ratio of proportions from which on they are told far from the data


@dataclass(frozen=True, eq=False)
class Labels:
    """Labelled points.

    Attributes
    ----------
    X : array (m, d)
    shares : array (m, K)
        One-hot rows; of several candidate classes each may have a share.
    index : int array (m,)
        Which rows of the sample they are, -1 for other points.
    proportions : Proportions or None
        Of the classes, if they are known; None: from the labels.
    weights : array (m,) or None
        Of the points; None: those of the rows that they are.
    supervised : Supervised or None
        What they say without the geometry.
    """

    X: Array
    shares: Array
    index: Array
    proportions: Proportions | None = None
    weights: Array | None = None
    supervised: Supervised | None = None

    @classmethod
    def of_codes(
        cls,
        X: Array,
        known: Array,
        n_classes: int,
        proportions: Proportions | None = None,
    ) -> Labels:
        """From class codes ``known`` (n,) of all rows of X (n, d), -1 where unlabelled."""
        index = np.flatnonzero(known >= 0)
        return cls(X[index], np.eye(n_classes)[known[index]], index, proportions)

    @property
    def targets(self) -> Array:
        """The classes' codes (m, k)."""
        n_classes = self.shares.shape[1]
        return self.shares @ codes.class_codes(np.arange(n_classes), n_classes)

    @property
    def are_single(self) -> bool:
        """Whether each label is of one class."""
        return self.shares.max(axis=1).min() == 1


@dataclass(frozen=True, eq=False)
class Verdict:
    """What labels held back say of passes of thresholding (:mod:`lapviz.fit.guard`).

    Attributes
    ----------
    undone : str, why; empty if they stand
    temperature : float or None, of the probabilities of what is given
    said : str, what held-back labels say
    proportions : array (K,) or None, of the classes, as the passes imposed them
    of_regression : float, which part of them is the regression's
    share : float, a/(a + b), by which balanced shares are multiplied beside ``linear``
    linear : Linear or None, scores to be added to what is given
    said_of_linear : str, with which weights, and what held-back labels say
    held : int array (m',) or None, places among the labels of those held back
    chances : array (m', K) or None, the probabilities that they then had
    """

    undone: str = ""
    temperature: float | None = None
    said: str = ""
    proportions: Array | None = None
    of_regression: float = 0.0
    share: float = 1.0
    linear: Linear | None = None
    said_of_linear: str = ""
    held: Array | None = None
    chances: Array | None = None

    @property
    def far(self) -> Array | None:
        """Scores (k,) far from all data, of which the proportions are the probabilities.

        Nearly even ones count as even, or a boundary without a meaning would be around all data.
        """
        shares = self.proportions
        if self.temperature is None or shares is None or shares.max() < UNEVEN * shares.min():
            return None
        logs = self.temperature * np.log(shares)
        return logs[1:] - logs[:1] if len(logs) == 2 else logs - logs.mean()

    def reported(self, report: Report) -> Report:
        """The report with what became of the passes, and what the regression added."""
        if self.of_regression and self.proportions is not None:
            shares = ", ".join(f"{share:.2f}" for share in self.proportions)
            reason = f"of the labels, and by {self.of_regression:.0%} of a logistic regression"
            report = report.choose("class_prior", shares, f"{reason} over the sample")
        if self.linear is not None:
            report = report.choose("linear", "logistic regression", self.said_of_linear)
        if self.undone:
            return report.choose("n_passes", 0, f"undone, {self.undone}")
        if not self.said or "n_passes" not in report.names:
            return report
        asked = report["n_passes"]
        return report.choose("n_passes", asked.value, f"{asked.reason}; {self.said}")


@dataclass(frozen=True, eq=False)
class Solution:
    """An estimate.

    Attributes
    ----------
    coefficients : array (p, k)
    balance : Balance or None, the change of its scores
    temperature : float or None, of its probabilities; None: those of least squares
    moved : tuple of int, points that changed their class in each pass
    verdict : Verdict, of the guard over the passes; empty without one
    space : NodeSpace or None
        Of nodes, that of the functions if labelled points that are no rows are nodes, too.
    linear : Linear or None
        Scores to be added to the balanced ones.
    far : array (k,) or None
        Scores far from the data; None: 0.
    """

    coefficients: Array
    balance: codes.Balance | None = None
    temperature: float | None = None
    moved: tuple[int, ...] = ()
    verdict: Verdict = Verdict()
    space: NodeSpace | None = None
    linear: Linear | None = None
    far: Array | None = None

    @property
    def balanced(self) -> Array:
        """The coefficients as scores, balanced: of nodes, the scores there."""
        return self.coefficients if self.balance is None else self.balance(self.coefficients)

    def finished(self, scores: Array, X: Array, share: Array | None) -> Array:
        """Scores (m, k) at X, balanced, with the linear part, and by ``share`` (m,) fading."""
        if self.balance is None:
            return scores
        scores = self.balance(scores)
        if self.linear is not None:
            scores = scores + self.linear(X)
        if share is None:
            return scores
        near = scores * share[:, None]
        return near if self.far is None else near + (1 - share[:, None]) * self.far


@dataclass(frozen=True, eq=False)
class Problem:
    """What every set of labels on the same points shares.

    Attributes
    ----------
    plan : Plan, with all numbers
    rows : array (n, d), points over which the energy is taken, or a sample of them
    sample_weight : array (n,) or None, positive weights of the rows
    weights : sparse matrix or None, of the graph where the operator was chosen
    kernel : Kernel, with its σ; of nodes, that by which scores fade far from them
    centres : array (p, d) or None, where kernel functions stand, or the nodes; None of random waves
    space : TrialSpace, the functions that are combined
    solver : EnergyFactor, Spectrum or Nodes, what estimates are made with
    """

    plan: Plan
    rows: Array
    sample_weight: Array | None
    weights: object
    kernel: Kernel
    centres: Array | None
    space: TrialSpace
    solver: Any

    # What each kind has of its own.

    @property
    def reach(self) -> Reach | NodeReach | None:
        """How near to the data points are; None where functions do not vanish far away."""
        raise NotImplementedError

    def energy(self, coefficients: Array) -> float:
        """Dirichlet energy of functions of the space, summed."""
        raise NotImplementedError

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        """The estimate, balanced, and after its passes.

        Parameters
        ----------
        labels : Labels
        estimate : EstimateSpec, optional
            Another λ, filter, balance or number of passes than the plan's.

        Raises
        ------
        ValueError
            If there are to be passes, and the space has a constant or a label several classes.
        """
        raise NotImplementedError

    def prepare_passes(self) -> None:
        """Compute what passes from any labels share."""
        raise NotImplementedError

    # What follows from that.

    def plan_for(self, labels: Labels) -> Plan:
        """The plan with λ for the number of these labels."""
        return self.plan.for_labels(*labels.shares.shape)

    def completed(self, labels: Labels, estimate: EstimateSpec) -> Labels:
        """The labels with their weights, the proportions of the classes, and the regression.

        Beside a named operator proportions are as the labels have them.
        """
        labels, known = replace(labels, weights=self.weights_of(labels)), labels.proportions
        wanted = estimate.linear and estimate.n_passes and self.plan.automatic
        if wanted and labels.supervised is None and labels.are_single:
            classes, n_classes = labels.shares.argmax(axis=1), labels.shares.shape[1]
            supervised = Supervised.of(
                labels.X, classes, n_classes, self.rows, labels.weights, self.sample_weight
            )
            if supervised is not None and known is not None:
                supervised = replace(supervised, shares=None)
            labels = replace(labels, supervised=supervised)
        if known is None:
            m = len(labels.shares)
            counts = m * (row_shares(labels.weights, m) @ labels.shares)
            known = few_labels.proportions(counts, self.pseudo, self.plan.overlap)
        return replace(labels, proportions=known)

    @property
    def pseudo(self) -> float:
        """How many labels of each class are added to the given ones, for their proportions."""
        return few_labels.PSEUDO if self.plan.automatic else 0

    def weights_of(self, labels: Labels) -> Array | None:
        """Weights (m,) of labelled points: of their rows, the mean for points that are no rows."""
        if self.sample_weight is None or labels.weights is not None:
            return labels.weights
        places = self.positions(labels.index)
        return np.where(places >= 0, self.sample_weight[places], self.sample_weight.mean())

    def scores(self, X: Array, solution: Solution) -> Array:
        """Scores (m, k) at any points: balanced, and falling to 0 far from the sample."""
        return self.scores_of_all(X, [solution])[0]

    def scores_of_all(self, X: Array, solutions: Sequence[Solution]) -> list[Array]:
        """The scores of several solutions from the same labels, for one pass over the points."""
        nodes = solutions[0].space
        if nodes is None:
            return scores_at(self.space, X, solutions, self.fading)
        return scores_at(nodes, X, solutions, NodeReach(nodes, self.kernel.bandwidth))

    @property
    def fading(self) -> Reach | NodeReach | None:
        """By what balanced scores are led to 0 far from the data: where the operator was chosen."""
        return self.reach if self.plan.automatic else None

    def far_from_data(self, X: Array) -> Array:
        """Which points are far from the rows, boolean (m,)."""
        return np.zeros(len(X), dtype=bool) if self.reach is None else self.reach.far(X)

    def positions(self, index: Array) -> Array:
        """Places among ``rows`` of rows of the data, -1 for others."""
        rows = self.plan.rows
        if isinstance(rows, slice):
            return index
        places = np.minimum(np.searchsorted(rows, index), len(rows) - 1)
        return np.where(rows[places] == index, places, -1)


def scores_at(
    space: TrialSpace,
    X: Array,
    solutions: Sequence[Solution],
    fading: Reach | NodeReach | None,
) -> list[Array]:
    """Scores (m, k) of several solutions at any points.

    Balanced scores are by ``fading`` led to 0, or to what they are far from the sample; others do
    that by themselves.
    """
    stacked, share = np.hstack([each.coefficients for each in solutions]), None
    if fading is None or all(each.balance is None for each in solutions):
        scores = space.evaluate(X, stacked)
    else:
        scores, share = fading.evaluate(space, X, stacked)
    parts = zip(solutions, np.split(scores, len(solutions), axis=1), strict=True)
    return [each.finished(its, X, share) for each, its in parts]
