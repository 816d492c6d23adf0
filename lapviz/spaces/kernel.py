"""The span of kernel functions at landmarks, the trial space of the papers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.checks import check_points
from lapviz.kernels import Kernel
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class KernelSpace(TrialSpace):
    """Span of k(·, c_1), …, k(·, c_p) and, if asked, the constant 1 (first function).

    The constant has no gradient and no RKHS cost: it is the unpenalised bias of SSL21 C.2.

    Parameters
    ----------
    kernel : Kernel
    landmarks : array (p, d)
    constant : bool, default True
    """

    kernel: Kernel
    landmarks: Array
    constant: bool = True

    def __post_init__(self):
        object.__setattr__(self, "landmarks", check_points(self.landmarks, "landmarks"))

    @property
    def n_functions(self) -> int:
        return len(self.landmarks) + self.constant

    @property
    def n_features(self) -> int:
        return self.landmarks.shape[1]

    @cached_property
    def center(self) -> Array:
        """Origin (d,), so that ‖x‖² + ‖c‖² − 2xᵀc loses no digits for a distance kernel."""
        return self.kernel.center(self.landmarks)

    @cached_property
    def gram(self) -> Array:
        """RKHS Gram matrix (n_functions, n_functions); zero row and column for the constant."""
        K = self.kernel(self.landmarks, self.landmarks)
        K += K.T
        K *= 0.5
        if not self.constant:
            return K
        gram = np.zeros((self.n_functions, self.n_functions))
        gram[1:, 1:] = K
        return gram

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        X = self.check(X)
        values = np.empty((len(X), self.n_functions))
        if self.constant:
            values[:, 0] = 1.0
        values[:, self.constant :] = self.kernel(X, self.landmarks)
        return values

    def gradient(self, X: Array) -> Array:
        """Gradients ∂_l φ_j(x_i), shape (n, d, n_functions); n·d·p numbers, so for small n."""
        X = self.check(X)
        values = np.zeros((len(X), self.n_features, self.n_functions))
        values[:, :, self.constant :] = self.kernel.gradients(X, self.landmarks)
        return values

    def slope(self, X: Array, U: Array) -> Array:
        """⟨u, ∇φ_j⟩ in O(npd): q′(r)/r ⟨x − c, u⟩, or q′(xᵀc) cᵀu (GAL23 eqs. 23 and 24)."""
        X, C = self.check(X) - self.center, self.landmarks - self.center
        slopes = np.zeros((len(X), self.n_functions))
        slopes[:, self.constant :] = self.kernel.slopes(X, C, U)
        return slopes
