"""Classes from labels by a plan: with kernel functions, or on the nodes of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.fit import guard, steps
from lapviz.fit.few_labels import Proportions
from lapviz.fit.galerkin import Galerkin, Sample
from lapviz.fit.nodes import NodeProblem
from lapviz.fit.plans import plan
from lapviz.fit.problems import Labels, Problem, Solution
from lapviz.fit.specs import EnergySpec, EstimateSpec, SpaceSpec
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

    @cached_property
    def reach(self) -> Reach | None:
        return Reach.of(self.kernel, self.centres, self.rows)

    def energy(self, coefficients: Array) -> float:
        return self.assembled.forms.energy(coefficients)

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        """As of :class:`Problem`; passes are undone that labels held back speak against, where the
        energy was chosen (:mod:`lapviz.fit.guard`)."""
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        labels = self.completed(labels, estimate)
        prior = labels.proportions
        assert prior is not None
        start = self._start(labels, estimate)
        if len(prior.shares) < 2 or estimate.balance is None:
            return Solution(start)
        if estimate.n_passes:
            return self._passed(labels, prior, estimate, start)
        scores, weights = self.space.evaluate(self.rows, start), self.sample_weight
        balance = codes.balance(scores, prior.shares, estimate.balance, weights=weights)
        return Solution(start, balance)

    def _start(
        self, labels: Labels, estimate: EstimateSpec, rows: Array | slice = slice(None)
    ) -> Array:
        """Coefficients of the estimate from some of the labels."""
        weights = None if labels.weights is None else labels.weights[rows]
        X, targets = labels.X[rows], labels.targets[rows]
        return steps.solve(self.space, self.solver, X, targets, estimate, weights)

    def _passed(
        self, labels: Labels, proportions: Proportions, estimate: EstimateSpec, start: Array
    ) -> Solution:
        """The estimate after its passes; where the energy was chosen, guarded ones."""
        if not labels.are_single:
            raise ValueError("Passes of thresholding need labels of one class each.")
        classes, held = labels.shares.argmax(axis=1), []
        if self.plan.automatic:
            own = codes.class_shares(self.space.evaluate(labels.X, start), len(proportions.shares))
            held = guard.folds(classes, own)
        others = (np.delete(np.arange(len(classes)), fold) for fold in held)
        starts = np.hstack([start, *(self._start(labels, estimate, rows) for rows in others)])
        sample, places = self.whitened, self.positions(labels.index)
        scores, beyond = self.space.evaluate(self.rows, starts), places < 0
        if beyond.any():  # labels of points that are no rows go behind these
            X, own = labels.X[beyond], labels.weights
            sample = sample.and_also(
                self.factor.whiten(self.space.phi(X)), None if own is None else own[beyond]
            )
            scores = np.vstack([scores, self.space.evaluate(X, starts)])
            places = np.where(beyond, len(self.rows) + np.cumsum(beyond) - 1, places)
        before = np.split(scores, 1 + len(held), axis=1)
        verdict = None
        if self.plan.automatic:
            done, verdict, balance = guard.guarded_passes(
                sample, before, held, places, classes, proportions, estimate, estimate.lam,
                labels.supervised,
            )  # fmt: skip
            if verdict.undone:
                return Solution(start, balance).judged(verdict)
        else:
            known = guard.known(places, classes, held, len(scores))
            done = passes.threshold_passes(
                sample, known, before, estimate.lam, proportions.shares, estimate.n_passes,
                proportions.strength,
            )[0]  # fmt: skip
        coefficients = self.factor.coefficients(done.theta, np.zeros(done.theta.shape[1]))
        solution = Solution(coefficients, done.balance, done.temperature, done.moved)
        return solution if verdict is None else solution.judged(verdict)

    def prepare_passes(self) -> None:
        self.whitened  # noqa: B018

    @cached_property
    def factor(self) -> EnergyFactor:
        """Of S + μK, whatever the data term."""
        if isinstance(self.solver, EnergyFactor):
            return self.solver
        return steps.factor(self.assembled, self.plan.energy.mu)

    @cached_property
    def whitened(self) -> passes.Whitened:
        """The rows as the energy sees them."""
        return passes.whitened(self.factor, self.space, self.rows, self.sample_weight)


def problem(
    X: Array | Sample,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
    sample_weight: Array | None = None,
) -> Problem:
    """Everything up to the labels' classes; parameters as those of :func:`lapviz.fit.plans.plan`.

    ``sample_weight`` (n,) are positive weights of the rows of X. A :class:`lapviz.fit.Sample` in
    place of X brings its own, and keeps what does not depend on the specifications that change.

    Raises
    ------
    ValueError
        If a number cannot be chosen or used.
    """
    sample = X if isinstance(X, Sample) else Sample.of(X, sample_weight)
    made, seen = plan(sample, labelled, space, energy, estimate)
    method = Galerkin(seen, made.space, made.energy)
    (rows, weights), kernel = seen.load(), method.kernel
    if made.nodes:
        graph, unit = method.operator, method.edge_energy()
        made = made.with_unit(unit)
        return NodeProblem(made, rows, weights, graph.weights, kernel, rows, graph, unit)
    made = made.with_mu(method)
    method = replace(method, energy=made.energy)
    made = made.with_lam(method)
    constant = made.estimate.fit_intercept
    assembled = method.assembled(constant)
    solver = method.solver(made.estimate.data_term, constant)
    if not made.automatic:  # scores are balanced over a sample
        rows, weights = rows[made.rows], None if weights is None else weights[made.rows]
    graph = method.operator.weights if made.automatic else None
    return FunctionProblem(
        made, rows, weights, graph, kernel, assembled.basis.centres, assembled, solver
    )
