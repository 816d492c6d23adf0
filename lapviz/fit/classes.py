"""Classes from labels by a plan: the estimate, its balance, the passes, and scores anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz.checks import row_shares
from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.fit import few_labels, guard, steps
from lapviz.fit.few_labels import Proportions
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.plans import Plan, nodes, plan
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.spaces import Reach, TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Problem:
    """What every set of labels on the same points shares.

    Attributes
    ----------
    plan : Plan, with all numbers
    assembled : Assembled, over ``rows``
    solver : EnergyFactor or Spectrum
    rows : array (n, d), points over which the energy is taken, or a sample of them
    weights : sparse matrix or None, of the graph where the operator was chosen
    sample_weight : array (n,) or None, positive weights of the rows
    """

    plan: Plan
    assembled: steps.Assembled
    solver: object
    rows: Array
    weights: object = None
    sample_weight: Array | None = None

    def solve(
        self, labels: Labels, estimate: EstimateSpec | None = None, guarded: bool = True
    ) -> Solution:
        """The estimate, balanced, and after its passes.

        Parameters
        ----------
        labels : Labels
        estimate : EstimateSpec, optional
            Another λ, filter, balance or number of passes than the plan's.
        guarded : bool, default True
            Whether passes are undone that labels held back speak against
            (:mod:`lapviz.fit.guard`), where the energy was chosen.

        Raises
        ------
        ValueError
            If there are to be passes, and the space has a constant or a label several classes.
        """
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        prior = self.proportions(labels)
        labels = replace(labels, weights=self.weights_of(labels), proportions=prior)
        start = self._start(labels, estimate)
        if len(prior.shares) < 2 or estimate.balance is None:
            return Solution(start)
        if estimate.n_passes:
            return self._passed(labels, estimate, prior, start, guarded and self.plan.automatic)
        scores, weights = self.assembled.space.evaluate(self.rows, start), self.sample_weight
        balance = codes.balance(scores, prior.shares, estimate.balance, weights=weights)
        return Solution(start, balance)

    def _start(
        self, labels: Labels, estimate: EstimateSpec, rows: Array | slice = slice(None)
    ) -> Array:
        """Coefficients of the estimate from some of the labels."""
        weights = None if labels.weights is None else labels.weights[rows]
        X, targets = labels.X[rows], labels.targets[rows]
        return steps.solve(self.assembled.space, self.solver, X, targets, estimate, weights)

    def _passed(
        self,
        labels: Labels,
        estimate: EstimateSpec,
        proportions: Proportions,
        start: Array,
        guarded: bool,
    ) -> Solution:
        """The estimate after its passes; if guarded, only where they are to be believed."""
        if labels.shares.max(axis=1).min() < 1:
            raise ValueError("Passes of thresholding need labels of one class each.")
        space, classes = self.assembled.space, labels.shares.argmax(axis=1)
        prior = proportions.shares
        held: list[Array] = []
        if guarded:
            own = codes.class_shares(space.evaluate(labels.X, start), len(prior))
            held = guard.folds(classes, own)
        others = (np.delete(np.arange(len(classes)), fold) for fold in held)
        starts = np.hstack([start, *(self._start(labels, estimate, rows) for rows in others)])
        sample, places = self._sample(labels)
        scores = space.evaluate(self.rows, starts)
        if len(scores) < len(sample.weights):  # labels of points that are no rows
            beyond = labels.X[places >= len(scores)]
            scores = np.vstack([scores, space.evaluate(beyond, starts)])
        before = np.split(scores, 1 + len(held), axis=1)
        runs = passes.threshold_passes(
            sample, guard.known(places, classes, held, len(scores)), before, estimate.lam, prior,
            estimate.n_passes, proportions.strength,
        )  # fmt: skip
        done = runs[0]
        coefficients = self.factor.coefficients(done.theta, np.zeros(done.theta.shape[1]))
        made = Solution(coefficients, done.balance, done.temperature, done.moved)
        if not guarded:
            return made
        rule = str(estimate.balance)  # there is one: solve says so
        verdict, balance = guard.judge_passes(
            before, runs, rule, prior, held, places, classes, sample.weights
        )
        if verdict.undone:
            made = Solution(start, balance)
        return replace(made, temperature=verdict.temperature, verdict=verdict)

    def _sample(self, labels: Labels) -> tuple[passes.Whitened, Array]:
        """The rows and behind them labelled points that are none, and places (m,) of the labels."""
        places, sample = self.positions(labels.index), self.whitened
        beyond = places < 0
        if not beyond.any():
            return sample, places
        weights = None if labels.weights is None else labels.weights[beyond]
        values = self.factor.whiten(self.assembled.space.phi(labels.X[beyond]))
        behind = len(self.rows) + np.cumsum(beyond) - 1
        return sample.and_also(values, weights), np.where(beyond, behind, places)

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
        return scores_at(self.assembled.space, X, functions, self.fading)

    @property
    def fading(self) -> Reach | None:
        """By what balanced scores are led to 0 far from the data: where the operator was chosen."""
        return self.reach if self.plan.automatic else None

    def far_from_data(self, X: Array) -> Array:
        """Which points are far from the rows, boolean (m,)."""
        return np.zeros(len(X), dtype=bool) if self.reach is None else self.reach.far(X)

    @cached_property
    def reach(self) -> Reach | None:
        """How near the rows are to the landmarks; None where functions do not vanish far away."""
        basis = self.assembled.basis
        return Reach.of(basis.kernel, basis.centres, self.rows)

    @cached_property
    def factor(self) -> EnergyFactor:
        """Of S + μK, whatever the data term."""
        if isinstance(self.solver, EnergyFactor):
            return self.solver
        return steps.factor(self.assembled, self.plan.energy.mu)

    @cached_property
    def whitened(self) -> passes.Whitened:
        """The rows as the energy sees them."""
        return passes.whitened(self.factor, self.assembled.space, self.rows, self.sample_weight)

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
    fading: Reach | None,
) -> list[Array]:
    """Scores (m, k) at any points of several functions, given by coefficients and balance.

    Balanced scores are by ``fading`` led to 0 far from the sample; others do that by themselves.
    """
    stacked, share = np.hstack([coefficients for coefficients, _ in functions]), None
    if fading is None or all(balance is None for _, balance in functions):
        scores = space.evaluate(X, stacked)
    else:
        scores, near = np.empty((len(X), stacked.shape[1])), np.empty(len(X))
        for rows, phi in space.blocks(X):
            scores[rows] = phi @ stacked
            near[rows] = phi[:, space.constant :].max(axis=1)
        share = fading.share_of(near)[:, None]
    found = []
    for (_, balance), its in zip(functions, np.split(scores, len(functions), axis=1), strict=True):
        balanced = its if balance is None else balance(its)
        found.append(balanced if balance is None or share is None else balanced * share)
    return found


def problem(
    X: Array | Sample,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
    sample_weight: Array | None = None,
) -> Problem:
    """Everything up to the labels' classes; parameters as those of :func:`lapviz.fit.plan`.

    ``sample_weight`` (n,) are positive weights of the rows of X. A :class:`lapviz.fit.Sample` in
    place of X brings its own, and keeps what does not depend on the specifications that change.

    Raises
    ------
    ValueError
        If a number cannot be chosen or used.
    """
    sample = X if isinstance(X, Sample) else Sample.of(X, sample_weight)
    made = plan(sample, labelled, space, energy, estimate)
    seen = nodes(sample, made.required) if made.automatic else sample
    term, constant = made.estimate.data_term, made.estimate.fit_intercept
    method = Galerkin(seen, made.space, made.energy)
    made = made.with_mu(method)
    method = replace(method, energy=made.energy)
    made = made.with_lam(method)
    solver, assembled = method.solver(term, constant), method.assembled(constant)
    rows, weights = (seen.X, seen.weights) if made.automatic else _taken(sample, made.rows)
    graph = method.operator.weights if made.automatic else None
    return Problem(made, assembled, solver, rows, graph, weights)


def _taken(sample: Sample, rows: Array | slice) -> tuple[Array, Array | None]:
    """Points and weights of some rows."""
    weights = sample.weights
    return sample.X[rows], None if weights is None else weights[rows]
