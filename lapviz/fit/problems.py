"""Classes from labels by a plan: what kernel functions and nodes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lapviz.checks import row_shares
from lapviz.fit import few_labels
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.plans import Plan
from lapviz.fit.specs import EstimateSpec
from lapviz.fit.supervised import Supervised
from lapviz.graphs import NodeReach
from lapviz.kernels import Kernel
from lapviz.spaces import Reach, TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Problem:
    """What every set of labels on the same points shares.

    Attributes
    ----------
    plan : Plan, with all numbers
    rows : array (n, d), points over which the energy is taken, or a sample of them
    weights : sparse matrix or None, of the graph where the operator was chosen
    sample_weight : array (n,) or None, positive weights of the rows
    """

    plan: Plan
    rows: Array
    weights: object
    sample_weight: Array | None

    # What each kind has of its own.

    @property
    def space(self) -> TrialSpace:
        """The functions that are combined."""
        raise NotImplementedError

    @property
    def kernel(self) -> Kernel:
        """The kernel, with its σ."""
        raise NotImplementedError

    @property
    def centres(self) -> Array | None:
        """Where kernel functions stand, or the nodes; None of random waves."""
        raise NotImplementedError

    @property
    def solver(self) -> object:
        """What estimates are made with."""
        raise NotImplementedError

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

    # What follows from that.

    def plan_for(self, labels: Labels) -> Plan:
        """The plan with λ for the number of these labels."""
        return self.plan.for_labels(*labels.shares.shape)

    def told(self, labels: Labels, estimate: EstimateSpec) -> Labels:
        """The labels with their weights, the proportions of the classes, and the regression.

        Beside a named operator proportions are as the labels have them.
        """
        labels = replace(labels, weights=self.weights_of(labels))
        wanted = estimate.linear and estimate.n_passes and self.plan.automatic
        if wanted and labels.supervised is None:
            labels = replace(labels, supervised=self._supervised(labels))
        if labels.proportions is not None:
            return labels
        m = len(labels.shares)
        counts = m * (row_shares(labels.weights, m) @ labels.shares)
        found = few_labels.proportions(counts, self.pseudo, self.plan.overlap)
        return replace(labels, proportions=found)

    def _supervised(self, labels: Labels) -> Supervised | None:
        if labels.shares.max(axis=1).min() < 1:  # labels of several classes
            return None
        classes, n_classes = labels.shares.argmax(axis=1), labels.shares.shape[1]
        found = Supervised.of(
            labels.X, classes, n_classes, self.rows, labels.weights, self.sample_weight
        )
        return found and (replace(found, shares=None) if labels.proportions else found)

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
        """The scores of several solutions, for one pass over the points."""
        return scores_at(self.space, X, solutions, self.fading)

    def scores_of_rows(self, places: Array, solution: Solution) -> Array:
        """The scores at some of the rows."""
        return self.scores(self.rows[places], solution)

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
    return [_finished(each, its, X, share) for each, its in parts]


def _finished(solution: Solution, scores: Array, X: Array, share: Array | None) -> Array:
    """Scores (m, k) at X, balanced, with the linear part, and by ``share`` (m,) fading."""
    if solution.balance is None:
        return scores
    scores = solution.balance(scores)
    if solution.linear is not None:
        scores = scores + solution.linear(X)
    if share is None:
        return scores
    near = scores * share[:, None]
    return near if solution.far is None else near + (1 - share[:, None]) * solution.far
