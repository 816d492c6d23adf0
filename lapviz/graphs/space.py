"""The nodes of a graph as functions: one a node, between them averages by the graph's weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from lapviz.graphs.neighbours import Neighbours, search
from lapviz.graphs.points import squared_distances
from lapviz.graphs.weights import knn_extension
from lapviz.spaces import TrialSpace
from lapviz.spaces.reach import FAR

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class NodeSpace(TrialSpace):
    """p = n functions: coefficients are the values at the nodes of a k-NN graph.

    At another point a function has the average of its nearest nodes
    (:func:`lapviz.graphs.extend_knn`), as a harmonic function has at a node that has no label.

    Parameters
    ----------
    nodes : array (n, d)
    weights : CSR matrix (n, n), of the graph by :func:`lapviz.graphs.knn_weights`
    n_neighbors : int, k
    rule : str, of the weights, as of :func:`lapviz.graphs.knn_weights`
    mass : array (n,) or None, of the nodes
    """

    nodes: Array
    weights: sp.csr_matrix
    n_neighbors: int
    rule: str
    mass: Array | None = None
    constant = False

    @property
    def n_functions(self) -> int:
        return len(self.nodes)

    @property
    def n_features(self) -> int:
        return self.nodes.shape[1]

    def extension(self, X: Array) -> tuple[sp.csr_matrix, Array]:
        """Weights (m, n) of the nodes at points X (m, d), and distances (m,) to the nearest one.

        The nodes themselves, all in their order, have their own values.
        """
        X, n = self.check(X, keep_single=True), len(self.nodes)
        if X.shape == self.nodes.shape and np.array_equal(X, self.nodes):
            return sp.identity(n, format="csr"), np.zeros(n)
        near, w, r = knn_extension(
            self.nodes, X, self.n_neighbors, weights=self.rule, mass=self.mass,
            search=self.search, graph=self.weights,
        )  # fmt: skip
        start = np.arange(0, near.size + 1, near.shape[1])
        return sp.csr_matrix((w.ravel(), near.ravel(), start), shape=(len(X), n)), r.min(axis=1)

    def phi(self, X: Array) -> Array:
        """Values (m, n) of all functions, nearly all of them 0."""
        return self.extension(X)[0].toarray()

    def evaluate(self, X: Array, coefficients: Array, block: int | None = None) -> Array:
        """Values (m, …) of functions with the coefficients (n, …)."""
        return self.extension(X)[0] @ coefficients

    def gradient(self, X: Array) -> Array:
        """There are none: the functions jump where neighbours change."""
        raise NotImplementedError(
            "Functions of a graph's nodes have no gradients: use kernel functions, for example by "
            'n_landmarks=300 or bandwidth="auto" with a named operator.'
        )

    @cached_property
    def search(self) -> Neighbours:
        """Among the nodes; made when it is first asked for."""
        return search(self.nodes, self.n_neighbors)

    @cached_property
    def apart(self) -> float:
        """The largest distance of a node to the nearest other one: as far apart as the data are."""
        edges = sp.triu(self.weights, 1).tocoo()
        if not edges.nnz:
            return 0.0
        gap = squared_distances(self.nodes, self.nodes, edges.row, edges.col)
        least = np.full(len(self.nodes), np.inf)
        for ends in (edges.row, edges.col):
            np.minimum.at(least, ends, gap)
        return float(np.sqrt(least[np.isfinite(least)].max()))

    def __getstate__(self):  # a search may hold what cannot be pickled, and is found again
        return {name: value for name, value in vars(self).items() if name != "search"}


@dataclass(frozen=True, eq=False)
class NodeReach:
    """How near to the nodes points are, in place of :class:`lapviz.spaces.Reach`.

    Attributes
    ----------
    space : NodeSpace
    bandwidth : float, σ in the units of the points
    """

    space: NodeSpace
    bandwidth: float

    def share(self, X: Array) -> Array:
        """1 at points as near as the nodes are to each other, and less beyond, towards 0; (n,)."""
        return self._share(self.space.extension(X)[1])

    def _share(self, r: Array) -> Array:
        beyond = np.maximum(r**2 - self.space.apart**2, 0.0)
        return np.exp(-0.5 * beyond / self.bandwidth**2)

    def far(self, X: Array) -> Array:
        """Which points are far from all data, boolean (n,)."""
        return self.share(X) < FAR

    def evaluate(self, space: TrialSpace, X: Array, coefficients: Array) -> tuple[Array, Array]:
        """Values (n, k) of functions of the nodes, and the shares (n,), by one search."""
        weights, r = self.space.extension(X)
        return weights @ coefficients, self._share(r)
