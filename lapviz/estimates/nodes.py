"""The nodes of a graph as a trial space: p = n functions, one a node, and sparse forms.

The mass is diagonal, the weights of the nodes, and the energy that of the graph, Σ_ij w_ij
(g_i − g_j)²/2. Nothing is dense: a system of the passes takes a few products with the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from lapviz.estimates.passes import GUESSES
from lapviz.graphs.laplacians import degrees, laplacian
from lapviz.graphs.solvers import conjugate_gradients

Array = np.ndarray

# λ of the passes beside a Laplacian of mean degree 1. Of 1, 5 and 20, from Poisson's values on
# digits, circles, tables and images, 5 was at most .04 behind the best, 1 up to .06 (circles), and
# 20 up to .09 (50 columns of noise).
PASS_ENERGY = 5.0


@dataclass(frozen=True, eq=False)
class Nodes:
    """A graph's nodes, for :func:`lapviz.estimates.passes.threshold_passes`.

    Attributes
    ----------
    laplacian : CSR matrix (n, n)
        Symmetric, positive semi-definite, divided by the mean degree: a change of 1 along every
        edge then has the energy 1 at a node on average, and λ no unit.
    weights : array (n,)
        Of the nodes, positive.
    rtol : float
        Relative residual at which conjugate gradients end.
    """

    laplacian: sp.csr_matrix
    weights: Array
    rtol: float = 1e-4

    @classmethod
    def of(cls, W: sp.csr_matrix, weights: Array | None = None) -> Nodes:
        """From symmetric weights (n, n) of the edges, and those (n,) of the nodes."""
        weights = np.ones(W.shape[0]) if weights is None else weights
        mean = degrees(W).sum() / weights.sum()
        return cls(sp.csr_matrix(laplacian(sp.csr_matrix(W) / (mean or 1.0))), weights)

    def load(self, guesses: Array) -> Array:
        """Loads (n, k)."""
        return guesses * self.weights[:, None]

    def scores(self, theta: Array) -> Array:
        """Values (n, k): the coefficients are the values."""
        return theta

    def systems(
        self, labels: Sequence[tuple[Array, Array]], share: float, lam: float
    ) -> Callable[[Array], Array]:
        """By conjugate gradients, which begin where the last pass has ended.

        Guesses hold every node, so that the systems are well conditioned on any graph.
        """
        k = labels[0][1].shape[1]
        held = np.repeat(share * self.weights[:, None], k * len(labels), axis=1)
        given = np.zeros_like(held)
        for i, (labelled, targets) in enumerate(labels):
            part = (1 - GUESSES) / self.weights[labelled].sum() * self.weights[labelled, None]
            held[labelled, i * k : (i + 1) * k] += part
            given[labelled, i * k : (i + 1) * k] = part * targets
        A, last = lam / self.weights.sum() * self.laplacian, np.zeros_like(given)

        def solve(loads: Array) -> Array:
            loads = given + share * loads
            last[:] = conjugate_gradients(A, loads, last, shift=held, rtol=self.rtol)
            return last

        return solve
