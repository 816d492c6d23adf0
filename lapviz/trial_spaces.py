"""Trial spaces: the functions among which the Galerkin method looks.

A trial space knows its functions φ = (1, φ_1, …, φ_p), their gradients and their Gram matrix in the
norm that μ weighs. To add one: subclass :class:`TrialSpace`, state ``n_functions``, ``n_features``,
``constant`` and ``gram``, write ``phi`` and ``gradient``; forms, spectra, estimates and
:func:`lapviz.galerkin_svd` then work on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.checks import check_points
from lapviz.kernels import DistanceKernel, Kernel, squared_distances

Array = np.ndarray


class TrialSpace:
    """Base of the trial spaces, and what follows from values and gradients alone.

    Attributes
    ----------
    n_functions, n_features : int
    constant : bool, whether function 0 is the constant 1
    gram : array (n_functions, n_functions), symmetric, positive semi-definite
    """

    n_functions: int
    n_features: int
    constant: bool
    gram: Array

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        raise NotImplementedError

    def gradient(self, X: Array) -> Array:
        """Gradients ∂_l φ_j(x_i), shape (n, d, n_functions)."""
        raise NotImplementedError

    def slope(self, X: Array, U: Array) -> Array:
        """⟨u(x_i), ∇φ_j(x_i)⟩ along a field of directions U (n, d), shape (n, n_functions)."""
        return np.einsum("il,ilj->ij", U, self.gradient(X))

    def evaluate(self, X: Array, coefficients: Array, block: int = 4096) -> Array:
        """Σ_j φ_j(x) c_j without holding all of φ(X): shape (n, …) for coefficients (p, …)."""
        X = self._check(X)
        out = np.empty((len(X), *coefficients.shape[1:]))
        for start in range(0, len(X), block):
            out[start : start + block] = self.phi(X[start : start + block]) @ coefficients
        return out

    def _check(self, X: Array) -> Array:
        X = check_points(X)
        if X.shape[1] != self.n_features:
            raise ValueError(
                f"X has {X.shape[1]} features, but the trial space was built on "
                f"{self.n_features}: pass points of the same dimension."
            )
        return X


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
        """Origin (d,) for distance kernels, so that ‖x‖² + ‖c‖² − 2xᵀc loses no digits."""
        if isinstance(self.kernel, DistanceKernel):
            return self.landmarks.mean(axis=0)
        return np.zeros(self.n_features)

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
        X = self._check(X)
        values = np.empty((len(X), self.n_functions))
        if self.constant:
            values[:, 0] = 1.0
        values[:, self.constant :] = self.kernel(X, self.landmarks)
        return values

    def gradient(self, X: Array) -> Array:
        """Gradients ∂_l φ_j(x_i), shape (n, d, n_functions); n·d·p numbers, so for small n."""
        X = self._check(X)
        values = np.zeros((len(X), self.n_features, self.n_functions))
        C = self.landmarks
        if isinstance(self.kernel, DistanceKernel):
            diff = X[:, :, None] - C.T[None]
            r2 = np.einsum("ilj,ilj->ij", diff, diff)
        else:
            diff = np.broadcast_to(C.T[None], (len(X), *C.T.shape))
            r2 = X @ C.T
        q, t = np.empty_like(r2), np.empty_like(r2)
        self.kernel.profile(r2, q, t)
        values[:, :, self.constant :] = t[:, None, :] * diff
        return values

    def slope(self, X: Array, U: Array) -> Array:
        """⟨u, ∇φ_j⟩ in O(npd): q′(r)/r ⟨x − c, u⟩, or q′(xᵀc) cᵀu (GAL23 eqs. 23 and 24)."""
        X, C = self._check(X) - self.center, self.landmarks - self.center
        slopes = np.zeros((len(X), self.n_functions))
        distance = isinstance(self.kernel, DistanceKernel)
        q = squared_distances(X, C) if distance else X @ C.T
        away = q > 0  # the gradient is 0 at a coincidence
        t = np.empty_like(q)
        self.kernel.profile(q, q, t)
        if distance:
            t *= np.where(away, np.einsum("il,il->i", X, U)[:, None] - U @ C.T, 0.0)
        else:
            t *= U @ C.T
        slopes[:, self.constant :] = t
        return slopes


@dataclass(frozen=True, eq=False)
class FunctionSpace(TrialSpace):
    """Span of any functions with known gradients: monomials, waves, a model's features.

    The Gram matrix is the identity, so that μ weighs Σ c_j².

    Parameters
    ----------
    functions : callable, points (n, d) to values (n, p)
    gradients : callable, points (n, d) to slopes ∂_l φ_j (n, d, p)
    n_features : int, d
    constant : bool, default False; whether function 0 is the constant 1
    """

    functions: Callable[[Array], Array]
    gradients: Callable[[Array], Array]
    n_features: int
    constant: bool = False

    @cached_property
    def n_functions(self) -> int:
        return np.shape(self.functions(np.zeros((1, self.n_features))))[-1]

    @property
    def gram(self) -> Array:
        return np.diag((np.arange(self.n_functions) >= self.constant).astype(float))

    def phi(self, X: Array) -> Array:
        """Values (n, p)."""
        X = self._check(X)
        return self._shaped(self.functions(X), (len(X), self.n_functions), "functions")

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, p)."""
        X = self._check(X)
        return self._shaped(self.gradients(X), (*X.shape, self.n_functions), "gradients")

    @staticmethod
    def _shaped(values, shape: tuple, name: str) -> Array:
        values = np.ascontiguousarray(values, dtype=float)
        if values.shape != shape:
            raise ValueError(f"{name}(X) must have shape {shape}, got {values.shape}.")
        return values
