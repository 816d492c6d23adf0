"""Classes from labels by a plan: with kernel functions, or on the nodes of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.fit import guard, steps
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.nodes import NodeProblem
from lapviz.fit.plans import nodes, plan
from lapviz.fit.problems import Problem
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
from lapviz.kernels import Kernel
from lapviz.spaces import Reach, TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FunctionProblem(Problem):
    """Estimates with functions that have forms: of kernels, random waves.

    Attributes
    ----------
    assembled : Assembled, over ``rows``
    prepared : EnergyFactor or Spectrum
    """

    assembled: steps.Assembled
    prepared: object

    @property
    def solver(self) -> object:
        return self.prepared

    @property
    def space(self) -> TrialSpace:
        return self.assembled.space

    @property
    def kernel(self) -> Kernel:
        return self.assembled.basis.kernel

    @property
    def centres(self) -> Array | None:
        return self.assembled.basis.centres

    def energy(self, coefficients: Array) -> float:
        return self.assembled.forms.energy(coefficients)

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        """As of :class:`Problem`; passes are undone that labels held back speak against, where the
        energy was chosen (:mod:`lapviz.fit.guard`)."""
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        labels = self.told(labels, estimate)
        prior = labels.proportions
        assert prior is not None
        start = self._start(labels, estimate)
        if len(prior.shares) < 2 or estimate.balance is None:
            return Solution(start)
        if estimate.n_passes:
            return self._passed(labels, estimate, start)
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

    def _passed(self, labels: Labels, estimate: EstimateSpec, start: Array) -> Solution:
        """The estimate after its passes; where the energy was chosen, guarded ones."""
        proportions = labels.proportions
        assert proportions is not None
        if labels.shares.max(axis=1).min() < 1:
            raise ValueError("Passes of thresholding need labels of one class each.")
        space, classes = self.assembled.space, labels.shares.argmax(axis=1)
        held: list[Array] = []
        if self.plan.automatic:
            own = codes.class_shares(space.evaluate(labels.X, start), len(proportions.shares))
            held = guard.folds(classes, own)
        others = (np.delete(np.arange(len(classes)), fold) for fold in held)
        starts = np.hstack([start, *(self._start(labels, estimate, rows) for rows in others)])
        sample, places = self._sample(labels)
        scores = space.evaluate(self.rows, starts)
        if len(scores) < len(sample.weights):  # labels of points that are no rows
            beyond = labels.X[places >= len(scores)]
            scores = np.vstack([scores, space.evaluate(beyond, starts)])
        before = np.split(scores, 1 + len(held), axis=1)
        if not self.plan.automatic:
            done = passes.threshold_passes(
                sample, guard.known(places, classes, held, len(scores)), before, estimate.lam,
                proportions.shares, estimate.n_passes, proportions.strength,
            )[0]  # fmt: skip
            return self._solution(done)
        done, verdict, balance = guard.guarded_passes(
            sample, before, held, places, classes, proportions, estimate, estimate.lam,
            labels.supervised,
        )  # fmt: skip
        made = Solution(start, balance) if verdict.undone else self._solution(done)
        return made.judged(verdict)

    def _solution(self, done: passes.Passed) -> Solution:
        coefficients = self.factor.coefficients(done.theta, np.zeros(done.theta.shape[1]))
        return Solution(coefficients, done.balance, done.temperature, done.moved)

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

    def prepare_passes(self) -> None:
        self.whitened  # noqa: B018

    @cached_property
    def reach(self) -> Reach | None:
        return Reach.of(self.kernel, self.centres, self.rows)

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
    if made.nodes:
        return NodeProblem.of(made, sample)
    seen = nodes(sample, made.required) if made.automatic else sample
    term, constant = made.estimate.data_term, made.estimate.fit_intercept
    method = Galerkin(seen, made.space, made.energy)
    made = made.with_mu(method)
    method = replace(method, energy=made.energy)
    made = made.with_lam(method)
    solver, assembled = method.solver(term, constant), method.assembled(constant)
    rows, weights = (seen.X, seen.weights) if made.automatic else _taken(sample, made.rows)
    graph = method.operator.weights if made.automatic else None
    return FunctionProblem(made, rows, graph, weights, assembled, solver)


def _taken(sample: Sample, rows: Array | slice) -> tuple[Array, Array | None]:
    """Points and weights of some rows."""
    weights = sample.weights
    return sample.X[rows], None if weights is None else weights[rows]
