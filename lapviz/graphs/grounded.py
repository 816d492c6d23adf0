"""Harmonic functions for many sets of labels on one graph, by one factor of its Laplacian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU

from lapviz.graphs.laplacians import laplacian
from lapviz.graphs.solvers import factor, has_large_diameter, is_badly_scaled

Array = np.ndarray

MOST_NODES = 20_000  # so that a factor that is kept takes some 20 MB
MOST_LABELS = 64  # each takes a solve, and as many as these take as long as a factor


@dataclass(frozen=True, eq=False)
class GroundedLaplacian:
    r"""A factor of a graph's Laplacian L with one node of every component grounded.

    A function f is harmonic but at the labels exactly if Lf = Σ_l q_l e_l with charges q_l at the
    labels, of sum 0 over each component. So f = c + Σ_l q_l g_l, where c is constant on components,
    and g_l has L g_l = e_l but at the grounded node, where it is 0. Charges and constants follow
    from the values at the labels: a system of their number, in place of a factor for each set.

    Attributes
    ----------
    part : int array (n,), of each node its component
    free : int array, the nodes that are not grounded
    factor : SuperLU, of L over these
    """

    part: Array
    free: Array
    factor: SuperLU

    @classmethod
    def of(cls, W) -> GroundedLaplacian | None:
        """Of symmetric weights W (n, n).

        None where W is dense or large, where factors would fill in, or where the weights differ so
        much that differences of the g_l would lose digits.
        """
        if not sp.issparse(W) or not 1 < W.shape[0] <= MOST_NODES:
            return None
        if is_badly_scaled(W) or not has_large_diameter(W):
            return None
        part = connected_components(W, directed=False)[1]
        grounded = np.unique(part, return_index=True)[1]
        free = np.setdiff1d(np.arange(W.shape[0]), grounded)
        return cls(part, free, factor(laplacian(W)[free][:, free]))

    def reached(self, labelled: Array) -> Array:
        """Which nodes (n,) are in a component with one of the labelled nodes (m,)."""
        found = np.zeros(self.part.max() + 1, dtype=bool)
        found[self.part[labelled]] = True
        return found[self.part]

    def harmonic(self, labelled: Array, values: Array) -> Array:
        """Values (n, k) of the harmonic functions, from those (m, k) at different nodes (m,).

        They are 0 in a component without labels.
        """
        m = len(labelled)
        parts, own = np.unique(self.part[labelled], return_inverse=True)
        charges = np.zeros((len(self.part), m))
        charges[labelled, np.arange(m)] = 1.0
        G = np.zeros_like(charges)
        G[self.free] = self.factor.solve(charges[self.free])
        joined = np.eye(len(parts))[own]  # (m, components), which label is where
        system = np.block([[G[labelled], joined], [joined.T, np.zeros((len(parts),) * 2)]])
        known = np.vstack([values, np.zeros((len(parts), values.shape[1]))])
        q, c = np.split(np.linalg.solve(system, known), [m])
        constants = np.zeros((self.part.max() + 1, values.shape[1]))
        constants[parts] = c
        return G @ q + constants[self.part]
