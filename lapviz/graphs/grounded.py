"""Harmonic functions for many label sets on one graph, by one factor of its Laplacian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import spsolve_triangular

from lapviz.graphs.laplacians import laplacian
from lapviz.graphs.solvers import factor, has_large_diameter, is_badly_scaled

Array = np.ndarray

MOST_NODES = 20_000  # so that a stored factor takes some 10 MB
MOST_LABELS = 32  # each takes a solve, and this many take as long as a factor


@dataclass(frozen=True, eq=False)
class GroundedLaplacian:
    r"""A factor of a graph's Laplacian L with one node of every component grounded.

    A function f is harmonic off the labels if and only if Lf = Σ_l q_l e_l with charges q_l at the
    labels that sum to 0 over each component. So f = c + Σ_l q_l g_l, where c is constant on
    components, and L g_l = e_l except at the grounded node, where g_l is 0. Charges and constants
    follow from the values at the labels: a small system in place of a factor for each label set.

    Attributes
    ----------
    component : int array (n,), of each node
    free : int array (m,), the nodes that are not grounded, in the order of elimination
    lower : csc array (m, m)
        The triangle T, with a diagonal of ones, of L = T diag(pivots) Tᵀ over the free nodes. As
        arrays, which any thread may drop: see :func:`lapviz.graphs.solvers.factor`.
    pivots : array (m,)
    """

    component: Array
    free: Array
    lower: sp.csc_array
    pivots: Array

    @classmethod
    def of(cls, W) -> GroundedLaplacian | None:
        """From symmetric weights W (n, n).

        None if W is dense or large, if factors would fill in, or if the weights differ so much that
        differences of the g_l would lose digits.
        """
        if not sp.issparse(W) or not 1 < W.shape[0] <= MOST_NODES:
            return None
        if is_badly_scaled(W) or not has_large_diameter(W):
            return None
        component = connected_components(W, directed=False)[1]
        grounded = np.unique(component, return_index=True)[1]
        free = np.setdiff1d(np.arange(W.shape[0]), grounded)
        factors = factor(laplacian(W)[free][:, free])
        order = np.argsort(factors.perm_c)  # that of the rows, too
        return cls(component, free[order], sp.csc_array(factors.L), factors.U.diagonal())

    def reached(self, labelled: Array) -> Array:
        """Whether each node (n,) is in a component with one of the labelled nodes (m,)."""
        has_label = np.zeros(self.component.max() + 1, dtype=bool)
        has_label[self.component[labelled]] = True
        return has_label[self.component]

    def harmonic(self, labelled: Array, values: Array) -> Array:
        """Values (n, k) of harmonic functions from their values (m, k) at distinct nodes (m,).

        They are 0 in components without labels.
        """
        m = len(labelled)
        components, position = np.unique(self.component[labelled], return_inverse=True)
        charges = np.zeros((len(self.component), m))
        charges[labelled, np.arange(m)] = 1.0
        G = np.zeros_like(charges)
        G[self.free] = self._solve(charges[self.free])
        members = np.eye(len(components))[position]  # one-hot component of each label
        system = np.block([[G[labelled], members], [members.T, np.zeros((len(components),) * 2)]])
        right_side = np.vstack([values, np.zeros((len(components), values.shape[1]))])
        q, c = np.split(np.linalg.solve(system, right_side), [m])
        constants = np.zeros((self.component.max() + 1, values.shape[1]))
        constants[components] = c
        return G @ q + constants[self.component]

    def _solve(self, B: Array) -> Array:
        """Solve LX = B (m, k) over the free nodes."""
        Y = spsolve_triangular(self.lower, B, lower=True, unit_diagonal=True)
        Y /= self.pivots[:, None]
        return spsolve_triangular(self.lower.T, Y, lower=False, unit_diagonal=True)
