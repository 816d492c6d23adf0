"""Classes from labels by a plan: what kernel functions and nodes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapviz.checks import row_shares
from lapviz.estimates import codes
from lapviz.fit import few_labels
from lapviz.fit.few_labels import Proportions
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.plans import Plan
from lapviz.fit.specs import EstimateSpec
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

    def proportions(self, labels: Labels) -> Proportions:
        """Those of the classes; beside a named operator as the labels have them."""
        if labels.proportions is not None:
            return labels.proportions
        m = len(labels.shares)
        counts = m * (row_shares(self.weights_of(labels), m) @ labels.shares)
        return few_labels.proportions(counts, self.pseudo, self.plan.overlap)

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
        functions = [(found.coefficients, found.balance) for found in solutions]
        return scores_at(self.space, X, functions, self.fading)

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
    functions: Sequence[tuple[Array, codes.Balance | None]],
    fading: Reach | NodeReach | None,
) -> list[Array]:
    """Scores (m, k) at any points of several functions, given by coefficients and balance.

    Balanced scores are by ``fading`` led to 0 far from the sample; others do that by themselves.
    """
    stacked, share = np.hstack([coefficients for coefficients, _ in functions]), None
    if fading is None or all(balance is None for _, balance in functions):
        scores = space.evaluate(X, stacked)
    else:
        scores, share = fading.evaluate(space, X, stacked)
    found = []
    for (_, balance), its in zip(functions, np.split(scores, len(functions), axis=1), strict=True):
        balanced = its if balance is None else balance(its)
        found.append(balanced if balance is None or share is None else balanced * share[:, None])
    return found
