"""Classes from labels on the nodes of a graph, which are all functions there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from lapviz import graphs
from lapviz.estimates.nodes import Nodes
from lapviz.fit import graph
from lapviz.fit.galerkin import Galerkin
from lapviz.fit.labels import Labels, Solution
from lapviz.fit.plans import Plan, seen_by
from lapviz.fit.problems import Problem
from lapviz.fit.sample import Sample
from lapviz.fit.specs import EstimateSpec, GraphSpec
from lapviz.graphs import NodeReach, NodeSpace
from lapviz.kernels import Kernel
from lapviz.operators.graph import WeightedGraph

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class NodeProblem(Problem):
    """Harmonic functions and passes of thresholding on a graph, for every set of labels.

    Attributes
    ----------
    weights : CSR matrix (n, n)
    graph : WeightedGraph, the energy with these weights
    width : Kernel, by whose σ scores fade far from the nodes
    unit : float, λ of the passes for λ = 1
    """

    graph: WeightedGraph
    width: Kernel
    unit: float

    @classmethod
    def of(cls, plan: Plan, sample: Sample) -> NodeProblem:
        """From a plan whose μ and λ may still be to be chosen."""
        method = Galerkin(seen_by(plan, sample), plan.space, plan.energy)
        plan = plan.with_lam(method).with_mu(method)
        X, mass = method.sample.load()
        over = method.operator
        return cls(plan, X, over.weights, mass, over, method.kernel, method.edge_energy())

    @cached_property
    def space(self) -> NodeSpace:
        its = self.graph.graph
        return NodeSpace(self.rows, self.weights, its.n_neighbors, its.weights, self.sample_weight)

    @property
    def kernel(self) -> Kernel:
        return self.width

    @property
    def centres(self) -> Array:
        return self.rows

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
        weights = self.solver.weights.sum()
        values = np.sum(coefficients * (self.solver.laplacian @ coefficients))
        return max(float(values), 0.0) / weights * self.unit

    def solve(
        self, labels: Labels, estimate: EstimateSpec | None = None, guarded: bool = True
    ) -> Solution:
        estimate = self.plan_for(labels).estimate if estimate is None else estimate
        if labels.shares.max(axis=1).min() < 1:
            raise ValueError("Passes of thresholding need labels of one class each.")
        X, W, mass, places = self._with(labels)
        order = np.argsort(places, kind="stable")
        labelled = np.zeros(len(X), dtype=bool)
        labelled[places] = True
        W = graphs.bridged(W, X, labelled)
        found = graph.classify(
            graphs.with_mass(W, mass), labelled, labels.shares[order].argmax(axis=1),
            GraphSpec(), estimate, self.proportions(labels), mass,
            labels.shares.shape[1], estimate.lam * self.unit, guarded,
        )  # fmt: skip
        return replace(found, coefficients=found.coefficients[: len(self.rows)])

    def _with(self, labels: Labels) -> tuple[Array, sp.csr_matrix, Array | None, Array]:
        """Nodes, weights and masses with the labelled points that are no rows; the labels' places.

        Among the rows each has its neighbours as if it were one.
        """
        places, mass = self.positions(labels.index).copy(), self.sample_weight
        beyond, own = places < 0, self.weights_of(labels)
        if not beyond.any():
            return self.rows, self.weights, mass, places
        places[beyond] = len(self.rows) + np.arange(beyond.sum())
        X = np.vstack([self.rows, labels.X[beyond]])
        if mass is not None and own is not None:
            mass = np.r_[mass, own[beyond]]
        return X, self.graph.graph.weights_of(X), mass, places
