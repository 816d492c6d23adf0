"""The span of kernel functions at landmarks, the trial space of the papers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from lapviz.checks import check_points
from lapviz.kernels import Kernel
from lapviz.spaces.base import TrialSpace

Array = np.ndarray

NEAR_SPAN, FEW = 1e-8, 0.1  # see KernelSpace.takes_single


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

    @cached_property
    def takes_single(self) -> bool:
        """Whether products in float32 are enough: hardly any function is in the others' span.

        Over the landmarks at most a tenth of the functions may be that near to it (squared
        distance, relative). Rounding then changes the leading eigenvalues by 10⁻⁶ to 10⁻⁴; wide
        kernels in few dimensions have up to nine in ten there, and eigenvalues would be lost.
        """
        K = self.kernel(self.landmarks, self.landmarks)
        mass = K.T @ K
        diagonal = mass.diagonal().copy()
        if not (np.isfinite(diagonal).all() and diagonal.all()):
            return False
        mass /= np.sqrt(np.outer(diagonal, diagonal))
        rank = lapack.dpstrf(mass, tol=NEAR_SPAN, lower=1, overwrite_a=1)[2]
        return rank >= (1 - FEW) * len(K)

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "gram"}

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        X = self.check(X)
        if not self.constant:
            return self.kernel(X, self.landmarks)
        values = np.empty((len(X), self.n_functions))
        values[:, 0] = 1.0
        values[:, 1:] = self.kernel(X, self.landmarks)
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
