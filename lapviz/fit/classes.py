"""Classes from labels by a plan: with kernel functions, or on the nodes of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz import graphs
from lapviz.estimates import codes, passes
from lapviz.estimates.labelled import EnergyFactor
from lapviz.estimates.passes import Nodes
from lapviz.fit import graph, guard, steps
from lapviz.fit.galerkin import Galerkin, Sample
from lapviz.fit.plans import plan
from lapviz.fit.problems import Labels, Problem, Solution, Verdict
from lapviz.fit.specs import EnergySpec, EstimateSpec, GraphSpec, SpaceSpec
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.operators.graph import WeightedGraph
from lapviz.spaces import Reach

Array = np.ndarray

_SINGLE = "Passes of thresholding need labels of one class each."


@dataclass(frozen=True, eq=False)
class FunctionProblem(Problem):
    """Estimates with functions that have forms: of kernels, random waves.

    Attributes
    ----------
    assembled : Assembled, over ``rows``
    """

    assembled: steps.Assembled

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
        if not estimate.n_passes:
            scores, weights = self.space.evaluate(self.rows, start), self.sample_weight
            balance = codes.balance(scores, prior.shares, estimate.balance, weights=weights)
            return Solution(start, balance)
        if not labels.are_single:
            raise ValueError(_SINGLE)
        classes, held = labels.shares.argmax(axis=1), []
        if self.plan.automatic:
            own = codes.class_shares(self.space.evaluate(labels.X, start), len(prior.shares))
            held = guard.folds(classes, own)
        others = (np.delete(np.arange(len(classes)), fold) for fold in held)
        starts = np.hstack([start, *(self._start(labels, estimate, rows) for rows in others)])
        sample, places, scores = self._with(labels, starts)
        before = np.split(scores, 1 + len(held), axis=1)
        if self.plan.automatic:
            solved = guard.guarded_passes(
                sample, before, held, places, classes, prior, estimate, start, labels.supervised
            )
        else:
            known = guard.known(places, classes, held, len(scores))
            done = passes.threshold_passes(
                sample, known, before, estimate.lam, prior.shares, estimate.n_passes, prior.strength
            )[0]
            solved = Solution(done.theta, done.balance, done.temperature, done.moved)
        if not solved.moved:
            return solved
        theta = solved.coefficients
        c = self.factor.coefficients(theta, np.zeros(theta.shape[1]))
        return replace(solved, coefficients=c)

    def _start(
        self, labels: Labels, estimate: EstimateSpec, rows: Array | slice = slice(None)
    ) -> Array:
        """Coefficients of the estimate from some of the labels."""
        weights = None if labels.weights is None else labels.weights[rows]
        X, targets = labels.X[rows], labels.targets[rows]
        return steps.solve(self.space, self.solver, X, targets, estimate, weights)

    def _with(self, labels: Labels, starts: Array) -> tuple[passes.Whitened, Array, Array]:
        """The sample as the energy sees it, the labels' places in it, and its scores.

        Labels of points that are no rows go behind these.
        """
        sample, places = self.whitened, self.positions(labels.index)
        scores, beyond = self.space.evaluate(self.rows, starts), places < 0
        if beyond.any():
            X, own = labels.X[beyond], labels.weights
            sample = sample.with_points(
                self.factor.whiten(self.space.phi(X)), None if own is None else own[beyond]
            )
            scores = np.vstack([scores, self.space.evaluate(X, starts)])
            places = np.where(beyond, len(self.rows) + np.cumsum(beyond) - 1, places)
        return sample, places, scores

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


@dataclass(frozen=True, eq=False)
class NodeProblem(Problem):
    """Harmonic functions and passes of thresholding on a graph, for every set of labels.

    Attributes
    ----------
    graph : WeightedGraph, the energy
    unit : float, λ of the passes for λ = 1
    sample : Sample, of the rows: its memo keeps what all labels share
    """

    space: NodeSpace
    solver: Nodes
    graph: WeightedGraph
    unit: float
    sample: Sample

    @property
    def grounded(self) -> graphs.GroundedLaplacian | None:
        """Of the graph, if harmonic functions are found with it."""

        def make() -> graphs.GroundedLaplacian | None:
            W = graphs.with_mass(self.space.weights, self.space.mass)
            return graphs.GroundedLaplacian.of(W)

        return self.sample.keep(("grounded", self.graph.graph), make)

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

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        if not labels.are_single:
            raise ValueError(_SINGLE)
        labels = self.completed(labels, estimate)
        space, places = self._with(labels)
        order = np.argsort(places, kind="stable")
        labelled = np.zeros(space.n_functions, dtype=bool)
        labelled[places] = True
        W, nodes, grounded = graphs.bridged(space.weights, space.nodes, labelled), None, None
        shared = W is self.space.weights  # by all labels at rows that reach every component
        W = graphs.with_mass(W, space.mass)
        if shared:
            nodes, grounded = self.solver, self.grounded
        elif estimate.n_passes:
            grounded = graphs.GroundedLaplacian.of(W)
        prior, K = labels.proportions, labels.shares.shape[1]
        assert prior is not None
        supervised = labels.supervised and labels.supervised.reordered(order)
        present, classes = np.unique(labels.shares[order].argmax(axis=1), return_inverse=True)
        prior = replace(prior, shares=prior.shares[present] / prior.shares[present].sum())
        found = graph.classify(
            W, labelled, classes, GraphSpec(), replace(estimate, lam=estimate.lam * self.unit),
            prior, space.mass, supervised, self.plan.overlap, nodes, grounded,
        )  # fmt: skip
        if found.verdict.held is not None:
            verdict = replace(found.verdict, held=order[found.verdict.held])
            found = replace(found, verdict=verdict)
        if len(present) < K:
            found = _among(found, present, K)
        return found if space is self.space else replace(found, space=space)

    def _with(self, labels: Labels) -> tuple[NodeSpace, Array]:
        """The nodes with the labelled points that are no rows, and the labels' places among them.

        Each has its neighbours as if it were a row.
        """
        places, mass = self.positions(labels.index).copy(), self.sample_weight
        beyond, own = places < 0, labels.weights
        if not beyond.any():
            return self.space, places
        places[beyond] = len(self.rows) + np.arange(beyond.sum())
        more, graph = labels.X[beyond], self.graph.graph
        if mass is not None and own is not None:
            mass = np.r_[mass, own[beyond]]

        def make() -> NodeSpace:
            X = np.vstack([self.rows, more])
            return replace(self.space, nodes=X, weights=graph.weights_of(X), mass=mass, cached=None)

        added = None if mass is None else tuple(mass[len(self.rows) :].tolist())
        key = "nodes and labels", graph, tuple(map(tuple, more.tolist())), added
        return self.sample.keep(key, make), places


def _among(found: Solution, present: Array, n_classes: int) -> Solution:
    """The solution among all classes, of which some have no label: nothing tells where they are."""
    if len(present) == 1:
        found = replace(found, verdict=Verdict("only one class has labels"))
        shares = np.ones((len(found.coefficients), 1))
    else:
        shares = codes.class_shares(found.balanced, len(present))
    whole = np.zeros((len(shares), n_classes))
    whole[:, present] = shares
    as_it_is = codes.Balance(np.ones(n_classes), np.zeros(n_classes))
    return replace(found, coefficients=codes.class_scores(whole), balance=as_it_is, far=None)


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
    rows, weights = seen.load()
    kernel = steps.kernel(rows, made.space)
    if made.nodes:
        weighted = seen.graph(made.energy.operator)
        its, W = weighted.graph, weighted.weights
        unit = seen.keep(("unit", its), lambda: weighted.unit(rows, weights))
        nodes = NodeSpace(rows, W, its.n_neighbors, its.weights, weights)
        solver = seen.keep(("nodes", its), lambda: Nodes.of(graphs.with_mass(W, weights), weights))
        return NodeProblem(
            made.with_unit(unit), rows, weights, W, kernel, rows, nodes, solver, weighted, unit,
            seen,
        )  # fmt: skip
    method = Galerkin(seen, made.space, made.energy)
    made = made.with_mu(method)
    method = replace(method, energy=made.energy)
    made = made.with_lam(method)
    constant = made.estimate.fit_intercept
    assembled = method.assembled(constant)
    solver = method.solver(made.estimate.data_term, constant)
    if not made.automatic:  # scores are balanced over a sample
        rows, weights = rows[made.rows], None if weights is None else weights[made.rows]
    W = method.operator.weights if made.automatic else None
    return FunctionProblem(
        made, rows, weights, W, kernel, assembled.basis.centres, assembled.space, solver, assembled
    )
