"""Classes from labels on the nodes of a graph, which are all functions there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapviz import graphs
from lapviz.estimates import codes
from lapviz.estimates.passes import Nodes
from lapviz.fit import graph, guard
from lapviz.fit.problems import Labels, Problem, Solution
from lapviz.fit.specs import EstimateSpec, GraphSpec
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.operators.graph import WeightedGraph

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class NodeProblem(Problem):
    """Harmonic functions and passes of thresholding on a graph, for every set of labels.

    Attributes
    ----------
    weights : CSR matrix (n, n)
    graph : WeightedGraph, the energy with these weights
    unit : float, λ of the passes for λ = 1
    """

    graph: WeightedGraph
    unit: float

    @cached_property
    def space(self) -> NodeSpace:
        its = self.graph.graph
        return NodeSpace(self.rows, self.weights, its.n_neighbors, its.weights, self.sample_weight)

    @cached_property
    def solver(self) -> Nodes:
        return Nodes.of(graphs.with_mass(self.weights, self.sample_weight), self.sample_weight)

    @cached_property
    def reach(self) -> NodeReach:
        return NodeReach(self.space, self.kernel.bandwidth)

    def scores_of_rows(self, places: Array, solution: Solution) -> Array:
        return self.scores(self.rows, solution)[places]  # which takes no search

    def prepare_passes(self) -> None:
        _ = self.solver, self.space.search

    def energy(self, coefficients: Array) -> float:
        coefficients = coefficients[: len(self.rows)]
        weights = self.solver.weights.sum()
        values = np.sum(coefficients * (self.solver.laplacian @ coefficients))
        return float(max(values, 0.0) / weights * self.unit)

    def solve(self, labels: Labels, estimate: EstimateSpec | None = None) -> Solution:
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        if not labels.are_single:
            raise ValueError("Passes of thresholding need labels of one class each.")
        space, places = self._with(labels)
        order = np.argsort(places, kind="stable")
        labelled = np.zeros(space.n_functions, dtype=bool)
        labelled[places] = True
        W = graphs.bridged(space.weights, space.nodes, labelled)
        labels = self.completed(labels, estimate)
        codes_, prior = labels.shares[order].argmax(axis=1), labels.proportions
        assert prior is not None
        supervised = labels.supervised and labels.supervised.reordered(order)
        present, classes = np.unique(codes_, return_inverse=True)
        prior = replace(prior, shares=prior.shares[present] / prior.shares[present].sum())
        found = graph.classify(
            graphs.with_mass(W, space.mass), labelled, classes, GraphSpec(), estimate, prior,
            space.mass, len(present), estimate.lam * self.unit, supervised,
            self.plan.overlap,
        )  # fmt: skip
        if found.verdict is not None and found.verdict.held is not None:
            verdict = replace(found.verdict, held=order[found.verdict.held])
            found = replace(found, verdict=verdict)
        found = _among(found, present, labels.shares.shape[1])
        return found if space is self.space else replace(found, space=space)

    def _with(self, labels: Labels) -> tuple[NodeSpace, Array]:
        """The nodes with the labelled points that are no rows, and the labels' places among them.

        Each has its neighbours as if it were a row.
        """
        places, mass = self.positions(labels.index).copy(), self.sample_weight
        beyond, own = places < 0, self.weights_of(labels)
        if not beyond.any():
            return self.space, places
        places[beyond] = len(self.rows) + np.arange(beyond.sum())
        X = np.vstack([self.rows, labels.X[beyond]])
        if mass is not None and own is not None:
            mass = np.r_[mass, own[beyond]]
        return replace(
            self.space, nodes=X, weights=self.graph.graph.weights_of(X), mass=mass
        ), places


def _among(found: Solution, present: Array, n_classes: int) -> Solution:
    """The solution among all classes, of which some may have no label: nothing tells where."""
    if len(present) == n_classes:
        return found
    if len(present) == 1:
        found = replace(found, verdict=guard.Verdict("only one class has labels", None, ""))
        shares = np.ones((len(found.coefficients), 1))
    else:
        shares = codes.class_shares(found.balanced, len(present))
    whole = np.zeros((len(shares), n_classes))
    whole[:, present] = shares
    as_it_is = codes.Balance(np.ones(n_classes), np.zeros(n_classes))
    return replace(found, coefficients=codes.class_scores(whole), balance=as_it_is, far=None)
