"""The outputs of a neural network as a trial space (GAL23 §6.2), in plain NumPy.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class NetworkSpace(TrialSpace):
    """Span of 1 and the m outputs of a tanh network W_L tanh(… tanh(W_1 (x − center)/scale + b_1)).

    The constant comes first: it is the first eigenfunction, and need not be learnt exactly.

    Attributes
    ----------
    weights : tuple of (W, b) with W (in, out) and b (out,), the first layer first
    center : array (d,); scale : float
    landmarks : array (k, d), samples at which signs of eigenfunctions are decided
    """

    weights: tuple[tuple[Array, Array], ...]
    center: Array
    scale: float
    landmarks: Array
    constant = True

    @property
    def n_functions(self) -> int:
        return 1 + len(self.weights[-1][1])

    @property
    def n_features(self) -> int:
        return len(self.center)

    def phi(self, X: Array) -> Array:
        """1 and the outputs of the network, shape (n, m + 1)."""
        H = (self.check(X) - self.center) / self.scale
        for W, b in self.weights[:-1]:
            H = np.tanh(H @ W + b)
        W, b = self.weights[-1]
        return np.column_stack([np.ones(len(H)), H @ W + b])

    def gradient(self, X: Array) -> Array:
        """Their gradients, shape (n, d, m + 1), by forward differentiation."""
        H = (self.check(X) - self.center) / self.scale
        D = np.broadcast_to(np.eye(self.n_features) / self.scale, (len(H), *(self.n_features,) * 2))
        for W, b in self.weights[:-1]:
            H = np.tanh(H @ W + b)
            D = (D @ W) * (1.0 - H * H)[:, None, :]
        out = np.zeros((len(H), self.n_features, self.n_functions))
        out[:, :, 1:] = D @ self.weights[-1][0]
        return out
