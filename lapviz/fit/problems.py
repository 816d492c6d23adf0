"""Classification by a plan: labels in, an estimate out, and what all sets of labels share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lapviz.checks import row_shares
from lapviz.estimates import codes, passes
from lapviz.fit import few_labels
from lapviz.fit.few_labels import Proportions
from lapviz.fit.plans import Plan
from lapviz.fit.reports import Report
from lapviz.fit.specs import EstimateSpec
from lapviz.fit.supervised import Columns, Linear, Supervised
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.kernels import Kernel
from lapviz.spaces import Reach, TrialSpace

Array = np.ndarray

UNEVEN = 1.2  # ratio of proportions above which they are predicted far from the data


@dataclass(frozen=True, eq=False)
class Labels:
    """Labelled points.

    Attributes
    ----------
    X : array (m, d)
    shares : array (m, K)
        One-hot rows; with several candidate classes, a share for each.
    index : int array (m,)
        Row numbers in the sample, -1 for off-sample points.
    proportions : Proportions or None
        Class proportions; None: those that the estimate states, or from the labels.
    weights : array (m,) or None
        Weights of the points; None: those of their rows.
    supervised : Supervised or None
        Regressions on these labels that ignore the geometry.
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
        class_codes: Array,
        n_classes: int,
        proportions: Proportions | None = None,
    ) -> Labels:
        """From the class codes (n,) of all rows of X (n, d), -1 where unlabelled."""
        index = np.flatnonzero(class_codes >= 0)
        return cls(X[index], np.eye(n_classes)[class_codes[index]], index, proportions)

    @property
    def targets(self) -> Array:
        """The classes' codes (m, k)."""
        n_classes = self.shares.shape[1]
        return self.shares @ codes.class_codes(np.arange(n_classes), n_classes)

    def reordered(self, order: Array) -> Labels:
        """The same labels in another order."""
        return replace(
            self,
            X=self.X[order],
            shares=self.shares[order],
            index=self.index[order],
            weights=None if self.weights is None else self.weights[order],
            supervised=self.supervised and self.supervised.reordered(order),
        )

    @property
    def are_one_hot(self) -> bool:
        """Whether each label is of one class."""
        return self.shares.max(axis=1).min() == 1


@dataclass(frozen=True, eq=False)
class Verdict:
    """The judgement of passes of thresholding by held-out labels (:mod:`lapviz.fit.guard`).

    Attributes
    ----------
    undone : str, the reason why the passes are undone; empty if they stand
    temperature : float or None, of the probabilities of the returned estimate
    evidence : str, how many held-out labels are right
    proportions : array (K,) or None, class proportions that the passes imposed
    regression_share : float, share of the regression in these proportions
    n_parts : int, of the sample, in each of which they were estimated
    share : float, a/(a + b), by which balanced shares are multiplied beside ``linear``
    linear : Linear or None, scores to be added to the returned estimate
    linear_evidence : str, the weights of the regressions and how many held-out labels are right
    held_out : int array (m',) or None, positions of the held-out labels among the labels
    probabilities : array (m', K) or None, of the classes while a label was held out
    """

    undone: str = ""
    temperature: float | None = None
    evidence: str = ""
    proportions: Array | None = None
    regression_share: float = 0.0
    n_parts: int = 1
    share: float = 1.0
    linear: Linear | None = None
    linear_evidence: str = ""
    held_out: Array | None = None
    probabilities: Array | None = None

    @property
    def far(self) -> Array | None:
        """Scores (k,) far from all data, where the probabilities are the class proportions.

        None for nearly even proportions, which would put a meaningless boundary around the data.
        """
        shares = self.proportions
        if self.temperature is None or shares is None or shares.max() < UNEVEN * shares.min():
            return None
        logs = self.temperature * np.log(shares)
        return logs[1:] - logs[:1] if len(logs) == 2 else logs - logs.mean()

    def reported(self, report: Report) -> Report:
        """The report with the outcome of the passes and the contribution of the regression."""
        reason = "of the labels"
        if self.n_parts > 1:
            reason += f" in each of {self.n_parts} parts that wide gaps separate"
        if self.regression_share:
            reason += (
                f", and by {self.regression_share:.0%} of a logistic regression over the sample"
            )
        if self.proportions is not None and reason != "of the labels":
            shares = ", ".join(f"{share:.2f}" for share in self.proportions)
            report = report.choose("class_prior", shares, reason)
        if self.linear is not None:
            report = report.choose("linear", "logistic regression", self.linear_evidence)
        if self.undone:
            return report.choose("n_passes", 0, f"undone, {self.undone}")
        if not self.evidence or "n_passes" not in report.names:
            return report
        choice = report["n_passes"]
        return report.choose("n_passes", choice.value, f"{choice.reason}; {self.evidence}")


@dataclass(frozen=True, eq=False)
class Solution:
    """An estimate.

    Attributes
    ----------
    coefficients : array (p, k)
    balance : Balance or None, the transformation of its scores
    temperature : float or None, of its probabilities; None: those of least squares
    moved : tuple of int, number of points that changed their class in each pass
    verdict : Verdict, of the guard over the passes; empty without a guard
    space : NodeSpace or None
        On nodes, the trial space if off-sample labelled points are nodes too.
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
        """The coefficients balanced as scores; on nodes, the scores there."""
        return self.coefficients if self.balance is None else self.balance(self.coefficients)

    def final_scores(self, scores: Array, X: Array, share: Array | None) -> Array:
        """Scores (m, k) at X, balanced, with the linear part, and faded by ``share`` (m,)."""
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
    """Everything that all sets of labels on the same points share.

    Attributes
    ----------
    plan : Plan, fully resolved
    rows : array (n, d), points over which the energy is taken, or a sample of them
    sample_weight : array (n,) or None, positive weights of the rows
    weights : sparse matrix or None, of the graph if the operator is automatic
    kernel : Kernel, with its σ; on nodes, the one by which scores fade far from them
    centres : array (p, d) or None, of the kernel functions, or the nodes; None for random waves
    space : TrialSpace
    solver : EnergyFactor, Spectrum or Nodes
    """

    plan: Plan
    rows: Array
    sample_weight: Array | None
    weights: object
    kernel: Kernel
    centres: Array | None
    space: TrialSpace
    solver: Any

    # Implemented by the subclasses.

    @property
    def reach(self) -> Reach | NodeReach | None:
        """Measures how near points are to the data; None if functions do not vanish far away."""
        raise NotImplementedError

    def energy(self, coefficients: Array) -> float:
        """Sum of the Dirichlet energies of functions of the trial space."""
        raise NotImplementedError

    def _solve(self, labels: Labels, estimate: EstimateSpec) -> Solution:
        """As :meth:`solve`, for labels by ascending rows, then those at no row of the problem."""
        raise NotImplementedError

    def prepare_passes(self) -> None:
        """Compute in advance what the passes of all sets of labels share."""
        raise NotImplementedError

    # Derived from these.

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        """The estimate, balanced, after its passes (MBO iterations).

        Parameters
        ----------
        labels : Labels
        estimate : EstimateSpec, optional
            Another λ, filter, balance or number of passes than the plan's.

        Raises
        ------
        ValueError
            If passes are requested and the space has a constant, or a label has several classes.
        """
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        positions = self.positions(labels.index)
        # One order: imposed proportions are inexact, and rounding would show.
        order = np.lexsort((labels.index, positions, positions < 0))
        solution = self._solve(labels.reordered(order), estimate)
        if solution.verdict.held_out is None:
            return solution
        verdict = replace(solution.verdict, held_out=order[solution.verdict.held_out])
        return replace(solution, verdict=verdict)

    def plan_for(self, labels: Labels) -> Plan:
        """The plan with λ adapted to the number of labels."""
        return self.plan.for_labels(*labels.shares.shape)

    def completed(self, labels: Labels, estimate: EstimateSpec) -> Labels:
        """The labels with their weights, the class proportions and the regressions.

        With a named operator the proportions are exactly those of the labels.
        """
        labels, n_classes = replace(labels, weights=self.weights_of(labels)), labels.shares.shape[1]
        given = few_labels.given_proportions(estimate.class_prior, n_classes)
        proportions = given if labels.proportions is None else labels.proportions
        with_linear = estimate.linear and estimate.n_passes and self.plan.automatic
        if with_linear and labels.supervised is None and labels.are_one_hot:
            classes = labels.shares.argmax(axis=1)
            supervised = Supervised.of(labels.X, classes, n_classes, self.columns, labels.weights)
            if supervised is not None and proportions is not None:
                supervised = replace(supervised, shares=None)
            labels = replace(labels, supervised=supervised)
        if proportions is None:
            m, parts = len(labels.shares), None
            if self.plan.automatic and estimate.n_passes:
                positions = self.positions(labels.index)
                parts = few_labels.separated_parts(
                    self.weights, self.rows, positions, self.sample_weight
                )
            counts = m * row_shares(labels.weights, m)[:, None] * labels.shares
            proportions = few_labels.proportions(counts, self.pseudo, self.plan.overlap, parts)
        return replace(labels, proportions=proportions)

    def with_proportions(
        self, solution: Solution, proportions: Proportions, scores: Array
    ) -> Solution:
        """The solution whose mean probabilities over the rows are the proportions, if known.

        Where held-out labels say that little is known, and so T is large, one class could have them
        on the mean everywhere. Then it is the mean at the usual T, and the predictions have them.
        ``scores`` (n + m, k) are those of its coefficients at the n rows, then at m other points.
        """
        balance, temperature = solution.balance, solution.temperature
        if not proportions.known or balance is None or temperature is None:
            return solution
        prior, rows = proportions.shares, self.rows
        final = solution.final_scores(scores[: len(rows)], rows, None)
        shares = codes.class_shares(final, len(prior))
        usual = passes.usual_temperature(len(prior)) * passes.spread(shares, self.sample_weight)
        shift = codes.imposing_shifts(shares, prior, min(temperature, usual), self.sample_weight)
        return replace(solution, balance=codes.Balance(balance.factor, balance.shift + shift))

    @cached_property
    def columns(self) -> Columns:
        """The columns that the regressions of all sets of labels share."""
        return Columns(self.rows, self.sample_weight)

    @property
    def pseudo(self) -> float:
        """Number of pseudo-labels added to each class when its proportion is estimated."""
        return few_labels.PSEUDO if self.plan.automatic else 0

    def weights_of(self, labels: Labels) -> Array | None:
        """Weights (m,) of labelled points: those of their rows, the mean for off-sample points."""
        if self.sample_weight is None or labels.weights is not None:
            return labels.weights
        positions = self.positions(labels.index)
        return np.where(positions >= 0, self.sample_weight[positions], self.sample_weight.mean())

    def scores(self, X: Array, solution: Solution) -> Array:
        """Scores (m, k) at any points, balanced, and fading far from the sample."""
        return self.scores_of_all(X, [solution])[0]

    def scores_of_all(self, X: Array, solutions: Sequence[Solution]) -> list[Array]:
        """The scores of several solutions from the same labels, by one pass over the points."""
        space = solutions[0].space
        if space is None:
            return scores_at(self.space, X, solutions, self.fading)
        return scores_at(space, X, solutions, NodeReach(space, self.kernel.bandwidth))

    @property
    def fading(self) -> Reach | NodeReach | None:
        """Fades balanced scores far from the data; None unless the operator is automatic."""
        return self.reach if self.plan.automatic else None

    def far_from_data(self, X: Array) -> Array:
        """Mask (m,) of the points that are far from all rows."""
        return np.zeros(len(X), dtype=bool) if self.reach is None else self.reach.far(X)

    def positions(self, index: Array) -> Array:
        """Positions among ``rows`` of rows of the data, -1 for those that are not among them."""
        rows = self.plan.rows
        if isinstance(rows, slice):
            return index
        positions = np.minimum(np.searchsorted(rows, index), len(rows) - 1)
        return np.where(rows[positions] == index, positions, -1)


def scores_at(
    space: TrialSpace,
    X: Array,
    solutions: Sequence[Solution],
    fading: Reach | NodeReach | None,
) -> list[Array]:
    """Scores (m, k) of several solutions at any points.

    ``fading`` leads balanced scores to 0 far from the sample, or to the solution's scores there;
    without a balance they vanish by themselves.
    """
    stacked, share = np.hstack([solution.coefficients for solution in solutions]), None
    if fading is None or all(solution.balance is None for solution in solutions):
        scores = space.evaluate(X, stacked)
    else:
        scores, share = fading.evaluate(space, X, stacked)
    parts = zip(solutions, np.split(scores, len(solutions), axis=1), strict=True)
    return [solution.final_scores(part, X, share) for solution, part in parts]
