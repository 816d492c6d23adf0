"""Classes from labels by a plan: the estimate, its balance, the passes, and scores anywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral

import numpy as np

from lapviz.checks import row_shares
from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.fit import few_labels, guard, steps
from lapviz.fit.few_labels import Volumes
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.plans import Plan, plan
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.spaces import Reach

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
    weights : sparse matrix or None, of the graph where the energy was chosen
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
        space, volumes = self.assembled.space, self.volumes(labels)
        start = self._start(labels, estimate)
        if len(volumes.shares) < 2 or estimate.balance is None:
            return Solution(start)
        if not estimate.n_passes:
            scores = space.evaluate(self.rows, start)
            balance = codes.balance(
                scores, volumes.shares, estimate.balance, weights=self.sample_weight
            )
            return Solution(start, balance)
        if labels.shares.max(axis=1).min() < 1:
            raise ValueError("Passes of thresholding need labels of one class each.")
        return self._passed(labels, estimate, volumes, start, guarded and self.plan.free)

    def _start(
        self, labels: Labels, estimate: EstimateSpec, rows: Array | slice = slice(None)
    ) -> Array:
        """Coefficients of the estimate from some of the labels."""
        weights = self.weights_of(labels)
        weights = None if weights is None else weights[rows]
        X, targets = labels.X[rows], labels.targets[rows]
        return steps.solve(self.assembled.space, self.solver, X, targets, estimate, weights)

    def _passed(
        self, labels: Labels, estimate: EstimateSpec, volumes: Volumes, start: Array, guarded: bool
    ) -> Solution:
        """The estimate after its passes; if guarded, only where they are to be believed."""
        space, prior, classes = self.assembled.space, volumes.shares, labels.shares.argmax(axis=1)
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
        known = np.full((1 + len(held), len(scores)), -1)
        known[:, places] = classes
        for codes_, fold in zip(known[1:], held, strict=True):
            codes_[places[fold]] = -1
        before = np.split(scores, len(known), axis=1)
        runs = passes.of_several(self.factor, sample, list(known), before, estimate.lam, prior,
                                 estimate.n_passes, volumes.strength)  # fmt: skip
        done = runs[0]
        made = Solution(done.coefficients, done.balance, done.temperature, done.moved)
        if not guarded:
            return made
        rule = str(estimate.balance)  # there is one: solve says so
        balances = [codes.balance(s, prior, rule, weights=sample.weights) for s in before]
        shares = [codes.class_shares(b(s), len(prior))
                  for b, s in zip(balances, before, strict=True)]  # fmt: skip
        verdict = guard.judge(shares, [run.shares for run in runs], [places[f] for f in held],
                              [classes[f] for f in held], prior, sample.weights)  # fmt: skip
        if verdict.undone:
            made = Solution(start, balances[0])
        return replace(made, temperature=verdict.temperature, verdict=verdict)

    def _sample(self, labels: Labels) -> tuple[passes.Whitened, Array]:
        """The rows and behind them labelled points that are none, and places (m,) of the labels."""
        places, sample = self.positions(labels.index), self.whitened
        beyond = places < 0
        if not beyond.any():
            return sample, places
        weights = self.weights_of(labels)
        weights = None if weights is None else weights[beyond]
        values = self.factor.whiten(self.assembled.space.phi(labels.X[beyond]))
        behind = len(self.rows) + np.cumsum(beyond) - 1
        return sample.and_also(values, weights), np.where(beyond, behind, places)

    def plan_for(self, labels: Labels) -> Plan:
        """The plan with λ for the number of these labels."""
        return self.plan.for_labels(*labels.shares.shape)

    def volumes(self, labels: Labels) -> Volumes:
        """Those of the classes; beside a named operator as the labels have them."""
        if labels.volumes is not None:
            return labels.volumes
        m = len(labels.shares)
        counts = m * (row_shares(self.weights_of(labels), m) @ labels.shares)
        return few_labels.volumes(counts, self.pseudo, self.plan.overlap)

    @property
    def pseudo(self) -> float:
        """How many labels of each class are added to the given ones, for their volumes."""
        return few_labels.PSEUDO if self.plan.free else 0

    def weights_of(self, labels: Labels) -> Array | None:
        """Weights (m,) of labelled points: of their rows, the mean for points that are no rows."""
        if self.sample_weight is None or labels.weights is not None:
            return labels.weights
        places = self.positions(labels.index)
        return np.where(places >= 0, self.sample_weight[places], self.sample_weight.mean())

    def scores(self, X: Array, solution: Solution) -> Array:
        """Scores (m, k) at any points: balanced, and falling to 0 far from the sample.

        Unbalanced scores do that by themselves.
        """
        values = self.assembled.space.evaluate(X, solution.coefficients)
        if solution.balance is None:
            return values
        values = solution.balance(values)
        if self.reach is None or not self.fades:
            return values
        return values * self.reach.share(X)[:, None]

    @property
    def fades(self) -> bool:
        """Whether balanced scores are led to 0 far from the data: where the energy was chosen."""
        return self.plan.free and self.reach is not None

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

    def prepare_passes(self) -> None:
        """Do what :meth:`solve` would do at the first passes, for a cache that counts bytes."""
        self.whitened  # noqa: B018

    def positions(self, index: Array) -> Array:
        """Places among ``rows`` of rows of the data, -1 for others."""
        rows = self.plan.rows
        if isinstance(rows, slice):
            return index
        places = np.minimum(np.searchsorted(rows, index), len(rows) - 1)
        return np.where(rows[places] == index, places, -1)


def problem(
    X: Array,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
    sample_weight: Array | None = None,
    like: Problem | None = None,
) -> Problem:
    """Everything up to the labels' classes; parameters as those of :func:`lapviz.fit.plan`.

    ``sample_weight`` (n,) are positive weights of the rows of X. ``like`` is a problem of the same
    rows, labelled rows and weights: its graph, forms and factor are taken over where they are the
    same.

    Raises
    ------
    ValueError
        If a number cannot be chosen or used.
    """
    made = plan(X, labelled, space, energy, estimate, like and like.plan.graph)
    rows, weights, operator = X[made.rows], None, made.energy.operator
    of_rows = None
    if sample_weight is not None:
        of_rows = sample_weight[made.rows]
    all_rows = (rows, of_rows) if made.free else (X, sample_weight)
    if made.graph is not None:  # its neighbours are searched once
        operator, weights = made.graph, made.graph.weights
    constant = made.estimate.fit_intercept
    if like is not None and not _same_forms(like.plan, made):
        like = None
    if like is not None:
        assembled = like.assembled
    else:
        assembled = steps.build(all_rows[0], made.space, operator, constant, all_rows[1])
    made = made.with_mu(assembled)
    if like is not None and _same_solver(like.plan, made):
        solver = like.solver
    else:
        solver = steps.prepare(assembled, made.energy.mu, made.estimate)
    factor = solver if isinstance(solver, EnergyFactor) else None
    if made.needs_factor and factor is None:
        factor = steps.factor(assembled, made.energy.mu)
    made = made.with_lam(assembled, factor)
    return Problem(made, assembled, solver, rows, weights, of_rows)


def _same_forms(one: Plan, other: Plan) -> bool:
    """Whether the forms of two plans over the same rows are the same, landmarks included."""
    drawn_again = isinstance(one.space.landmarks, str) and isinstance(
        one.space.random_state, Integral
    )
    return (
        drawn_again
        and isinstance(other.space.landmarks, str)
        and one.space == other.space
        and one.energy.operator == other.energy.operator
        and one.free == other.free
        and one.estimate.fit_intercept == other.estimate.fit_intercept
    )


def _same_solver(one: Plan, other: Plan) -> bool:
    """Whether plans with the same forms have the same factor or spectrum."""
    return one.energy.mu == other.energy.mu and one.estimate.data_term == other.estimate.data_term
