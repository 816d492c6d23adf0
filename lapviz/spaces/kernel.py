"""The span of kernel functions at landmarks, the papers' trial space, and how far it reaches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.checks import check_points
from lapviz.kernels import Kernel
from lapviz.linalg import blocks, pivoted_cholesky
from lapviz.spaces.base import TrialSpace

Array = np.ndarray

NEAR_SPAN, FEW = 1e-8, 0.1  # see KernelSpace.takes_single
BLOCK = 4096  # rows whose largest kernel value is computed at once
FAR = 0.01  # share of the sample's least value at which scores have lost 99 % of their size


@dataclass(frozen=True, eq=False)
class KernelSpace(TrialSpace):
    """Span of k(·, c_1), …, k(·, c_p) and optionally the constant 1 (first function).

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
        """RKHS Gram matrix (n_functions, n_functions); with a constant, modulo constants: its row
        and column are zero, and a polynomial's own constant does not count either."""
        K = self.kernel(self.landmarks, self.landmarks)
        K += K.T
        K *= 0.5
        if not self.constant:
            return K
        K -= self.kernel.constant_part
        return np.pad(K, ((1, 0), (1, 0)))

    @cached_property
    def takes_single(self) -> bool:
        """Whether float32 products suffice: hardly any function is in the span of the others.

        At most a tenth of the functions may lie within ``NEAR_SPAN`` of it (relative squared
        distance over the landmarks). Rounding then changes the leading eigenvalues by 10⁻⁶ to
        10⁻³, and with μ = 0 by up to a few per cent; wide kernels in few dimensions have up to nine
        in ten there and would lose them.

        Whatever this says, products are float64 for blocks of rows some of which are close to
        landmarks but no copies of them, if the kernel has a cusp, as the exponential one has.
        """
        K = self.kernel(self.landmarks, self.landmarks)
        mass = K.T @ K
        diagonal = mass.diagonal().copy()
        if not (np.isfinite(diagonal).all() and diagonal.all()):
            return False
        mass /= np.sqrt(np.outer(diagonal, diagonal))
        rank = pivoted_cholesky(mass.T, NEAR_SPAN)[2]
        return rank >= (1 - FEW) * len(K)

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name != "gram"}

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        values = self.kernel(self.check(X), self.landmarks)
        return np.pad(values, ((0, 0), (1, 0)), constant_values=1.0) if self.constant else values

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


@dataclass(frozen=True, eq=False)
class Reach:
    """Nearness of points to the landmarks: the largest k(x, c) over the landmarks c.

    Attributes
    ----------
    kernel : Kernel, a function of x − c
    centres : array (p, d), the landmarks
    least : float, the least value over the sample
    """

    kernel: Kernel
    centres: Array
    least: float

    @classmethod
    def of(cls, kernel: Kernel, centres: Array | None, X: Array) -> Reach | None:
        """Reach of a sample X (n, d); None if functions do not vanish far from landmarks."""
        if centres is None or not kernel.shift_invariant:
            return None
        least = float(_nearness(kernel, centres, X).min())
        return cls(kernel, centres, max(least, np.finfo(float).tiny))

    def share(self, X: Array) -> Array:
        """1 at points as near as the sample, decreasing to 0 beyond, shape (n,)."""
        return np.minimum(_nearness(self.kernel, self.centres, X) / self.least, 1.0)

    def far(self, X: Array) -> Array:
        """True at points far from all data, boolean (n,)."""
        return self.share(X) < FAR

    def evaluate(self, space: TrialSpace, X: Array, coefficients: Array) -> tuple[Array, Array]:
        """Values (n, k) of functions in the landmarks' kernel space, and :meth:`share` (n,)."""
        values, nearness = np.empty((len(X), coefficients.shape[1])), np.empty(len(X))
        for rows, phi in space.blocks(X):
            values[rows] = phi @ coefficients
            nearness[rows] = phi[:, space.constant :].max(axis=1)
        return values, np.minimum(nearness / self.least, 1.0)


def _nearness(kernel: Kernel, centres: Array, X: Array) -> Array:
    parts = (X[rows] for rows in blocks(len(X), BLOCK))
    return np.concatenate([kernel(part, centres).max(axis=1) for part in parts])
