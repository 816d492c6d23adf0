"""Classification by a plan: with kernel functions, or on the nodes of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz import graphs, kernels
from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor, factorise
from lapviz.estimates.passes import Nodes
from lapviz.fit import galerkin, graph, guard, plans
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.problems import Labels, Problem, Solution, Verdict
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EnergySpec, EstimateSpec, GraphSpec, SpaceSpec
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.operators.graph import WeightedGraph
from lapviz.spaces import Reach

Array = np.ndarray

_ONE_CLASS = "Passes of thresholding need labels of one class each."


@dataclass(frozen=True, eq=False)
class FunctionProblem(Problem):
    """Estimates in a trial space that has forms: kernel functions or random waves.

    Attributes
    ----------
    assembled : Assembled, over ``rows``
    """

    assembled: galerkin.Assembled

    @cached_property
    def reach(self) -> Reach | None:
        return Reach.of(self.kernel, self.centres, self.rows)

    def energy(self, coefficients: Array) -> float:
        return self.assembled.forms.energy(coefficients)

    def _solve(self, labels: Labels, estimate: EstimateSpec) -> Solution:
        """As in :class:`Problem`; with the automatic operator, passes (MBO iterations) that
        held-out labels speak against are undone (:mod:`lapviz.fit.guard`)."""
        labels = self.completed(labels, estimate)
        prior = labels.proportions
        assert prior is not None
        start = self._start(labels, estimate)
        if len(prior.shares) < 2 or estimate.balance is None:
            return Solution(start)
        if not estimate.n_passes:
            scores, weights = self.space.evaluate(self.rows, start), self.sample_weight
            balance = codes.balance(scores, prior.shares, estimate.balance, weights=weights)
            return Solution(start, balance)
        if not labels.are_one_hot:
            raise ValueError(_ONE_CLASS)
        classes, folds = labels.shares.argmax(axis=1), []
        if self.plan.automatic:
            shares = codes.class_shares(self.space.evaluate(labels.X, start), len(prior.shares))
            folds = guard.folds(classes, shares)
        train = (np.delete(np.arange(len(classes)), fold) for fold in folds)
        starts = np.hstack([start, *(self._start(labels, estimate, rows) for rows in train)])
        sample, positions, scores = self._with_labels(labels, starts)
        before = np.split(scores, 1 + len(folds), axis=1)
        solution = guard.guarded_passes(
            sample, before, folds, positions, classes, prior, estimate, start, self.weights,
            labels.supervised,
        )  # fmt: skip
        scores = sample.scores(solution.coefficients) if solution.moved else before[0]
        solution = self.with_proportions(solution, prior, scores)
        if not solution.moved:
            return solution
        theta = solution.coefficients
        c = self.factor.coefficients(theta, np.zeros(theta.shape[1]))
        return replace(solution, coefficients=c)

    def _start(
        self, labels: Labels, estimate: EstimateSpec, rows: Array | slice = slice(None)
    ) -> Array:
        """Coefficients of the estimate from a subset of the labels, before balance and passes."""
        weights = None if labels.weights is None else labels.weights[rows]
        X, targets = labels.X[rows], labels.targets[rows]
        return galerkin.solve(self.space, self.solver, X, targets, estimate, weights)

    def _with_labels(self, labels: Labels, starts: Array) -> tuple[passes.Whitened, Array, Array]:
        """The whitened sample, the positions of the labels in it, and its scores.

        Off-sample labels are appended to the rows.
        """
        sample, positions = self.whitened, self.positions(labels.index)
        scores, off_sample = self.space.evaluate(self.rows, starts), positions < 0
        if off_sample.any():
            X, weights = labels.X[off_sample], labels.weights
            sample = sample.with_points(
                self.factor.whiten(self.space.phi(X)),
                None if weights is None else weights[off_sample],
            )
            scores = np.vstack([scores, self.space.evaluate(X, starts)])
            positions = np.where(off_sample, len(self.rows) + np.cumsum(off_sample) - 1, positions)
        return sample, positions, scores

    def prepare_passes(self) -> None:
        self.whitened  # noqa: B018

    @cached_property
    def factor(self) -> EnergyFactor:
        """The factor of S + μK, for any data term."""
        if isinstance(self.solver, EnergyFactor):
            return self.solver
        return factorise(self.assembled.forms, self.plan.energy.mu, self.space.constant)

    @cached_property
    def whitened(self) -> passes.Whitened:
        """The rows in coordinates in which the energy is the squared norm."""
        return passes.whitened(self.factor, self.space, self.rows, self.sample_weight)


@dataclass(frozen=True, eq=False)
class NodeProblem(Problem):
    """Harmonic functions and passes of thresholding on a graph, for every set of labels.

    Attributes
    ----------
    graph : WeightedGraph, the energy
    unit : float, λ of the passes for λ = 1
    sample : Sample, of the rows; its memo keeps what all sets of labels share
    """

    space: NodeSpace
    solver: Nodes
    graph: WeightedGraph
    unit: float
    sample: Sample

    @property
    def grounded(self) -> graphs.GroundedLaplacian | None:
        """The grounded Laplacian of the graph, if harmonic functions are computed with it."""

        def compute() -> graphs.GroundedLaplacian | None:
            W = graphs.with_mass(self.space.weights, self.space.mass)
            return graphs.GroundedLaplacian.of(W)

        return self.sample.keep(("grounded", self.graph.graph), compute)

    @property
    def reach(self) -> NodeReach:
        return NodeReach(self.space, self.kernel.bandwidth)

    def prepare_passes(self) -> None:
        self.space.search  # noqa: B018

    def energy(self, coefficients: Array) -> float:
        coefficients = coefficients[: len(self.rows)]
        weights = self.solver.weights.sum()
        values = np.sum(coefficients * (self.solver.laplacian @ coefficients))
        return float(max(values, 0.0) / weights * self.unit)

    def _solve(self, labels: Labels, estimate: EstimateSpec) -> Solution:
        if not labels.are_one_hot:
            raise ValueError(_ONE_CLASS)
        labels = self.completed(labels, estimate)
        space, positions = self._with_labels(labels)
        labelled = np.zeros(space.n_functions, dtype=bool)
        labelled[positions] = True
        W, nodes, grounded = graphs.bridged(space.weights, space.nodes, labelled), None, None
        shared = W is self.space.weights  # by all labels at rows that reach every component
        W = graphs.with_mass(W, space.mass)
        if shared:
            nodes, grounded = self.solver, self.grounded
        elif estimate.n_passes:
            grounded = graphs.GroundedLaplacian.of(W)
        prior, K = labels.proportions, labels.shares.shape[1]
        assert prior is not None
        present, classes = np.unique(labels.shares.argmax(axis=1), return_inverse=True)
        prior = replace(prior, shares=prior.shares[present] / prior.shares[present].sum())
        solution = graph.classify(
            W, labelled, classes, GraphSpec(), replace(estimate, lam=estimate.lam * self.unit),
            prior, space.mass, labels.supervised, self.plan.overlap, nodes, grounded,
        )  # fmt: skip
        solution = self.with_proportions(solution, prior, solution.coefficients)
        if len(present) < K:
            solution = _with_absent_classes(solution, present, K)
        return solution if space is self.space else replace(solution, space=space)

    def _with_labels(self, labels: Labels) -> tuple[NodeSpace, Array]:
        """The nodes with the off-sample labels, and the positions of all labels among them.

        An off-sample label has its neighbours as if it were a row.
        """
        positions, mass = self.positions(labels.index).copy(), self.sample_weight
        off_sample, weights = positions < 0, labels.weights
        if not off_sample.any():
            return self.space, positions
        positions[off_sample] = len(self.rows) + np.arange(off_sample.sum())
        added, graph = labels.X[off_sample], self.graph.graph
        if mass is not None and weights is not None:
            mass = np.r_[mass, weights[off_sample]]

        def compute() -> NodeSpace:
            X = np.vstack([self.rows, added])
            return replace(self.space, nodes=X, weights=graph.weights_of(X), mass=mass, cached=None)

        added_mass = None if mass is None else tuple(mass[len(self.rows) :].tolist())
        key = "nodes and labels", graph, tuple(map(tuple, added.tolist())), added_mass
        return self.sample.keep(key, compute), positions


def _with_absent_classes(solution: Solution, present: Array, n_classes: int) -> Solution:
    """The solution among all classes: those without a label get no share anywhere."""
    if len(present) == 1:
        solution = replace(solution, verdict=Verdict("only one class has labels"))
    shares = codes.class_shares(solution.balanced, len(present))
    all_shares = np.zeros((len(shares), n_classes))
    all_shares[:, present] = shares
    identity = codes.Balance(np.ones(n_classes), np.zeros(n_classes))
    scores = codes.class_scores(all_shares)
    return replace(solution, coefficients=scores, balance=identity, far=None)


def problem(
    X: Array | Sample,
    labelled: Array,
    space: SpaceSpec,
    energy: EnergySpec,
    estimate: EstimateSpec,
    sample_weight: Array | None = None,
) -> Problem:
    """Everything up to the classes of the labels; parameters as in :func:`lapviz.fit.plans.plan`.

    ``sample_weight`` (n,) are positive weights of the rows of X. A :class:`lapviz.fit.Sample` in
    place of X has its own, and keeps the results of steps for further calls.

    Raises
    ------
    ValueError
        If a parameter cannot be chosen or used.
    """
    sample = X if isinstance(X, Sample) else Sample.of(X, sample_weight)
    plan, sample = plans.plan(sample, labelled, space, energy, estimate)
    rows, weights = sample.load()
    if plan.nodes:
        kernel = kernels.get(plan.space.kernel, plan.space.bandwidth)
        weighted = sample.graph(plan.energy.operator)
        operator, W = weighted.graph, weighted.weights
        unit = sample.keep(("unit", operator), lambda: weighted.unit(rows, weights))
        nodes = NodeSpace(rows, W, operator.n_neighbors, operator.weights, weights)
        solver = sample.keep(
            ("nodes", operator), lambda: Nodes.of(graphs.with_mass(W, weights), weights)
        )
        return NodeProblem(
            plan.with_unit(unit), rows, weights, W, kernel, rows, nodes, solver, weighted, unit,
            sample,
        )  # fmt: skip
    method = Galerkin(sample, plan.space, plan.energy)
    plan = plan.with_mu(method)
    method = replace(method, energy=plan.energy)
    plan = plan.with_lam(method)
    constant = plan.estimate.fit_intercept
    assembled = method.assembled(constant)
    solver = method.solver(plan.estimate.data_term, constant)
    if not plan.automatic:  # scores are balanced over a sample
        rows, weights = rows[plan.rows], None if weights is None else weights[plan.rows]
    W = method.operator.weights if plan.automatic else None
    return FunctionProblem(
        plan, rows, weights, W, method.kernel, method.centres, assembled.space, solver, assembled
    )
