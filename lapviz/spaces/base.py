"""The base class of trial spaces, and the spaces that need no kernel.

A trial space has functions φ = (1, φ_1, …, φ_p), their gradients and their Gram matrix in the norm
that μ weighs. To add one: subclass :class:`TrialSpace`, define ``n_functions``, ``n_features``,
``constant`` and, if it is not the identity, ``gram``, and write ``phi`` and ``gradient``; forms,
spectra, estimates and :func:`lapviz.galerkin_svd` then work on it.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from lapviz.checks import check_points, check_shape
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray
CACHED_NUMBERS, LEAST_ROWS = 100_000, 64  # values of φ in a block: 0.8 MB, twice as fast as 8 MB


class TrialSpace:
    """Base class of trial spaces, with the methods that need values and gradients only.

    Attributes
    ----------
    n_functions, n_features : int
    constant : bool, whether function 0 is the constant 1
    gram : array (n_functions, n_functions), symmetric, positive semi-definite
    """

    n_functions: int
    n_features: int
    constant: bool

    @cached_property
    def gram(self) -> Array:
        """Gram matrix; by default the identity (μ weighs Σ c_j²), with a 0 for the constant."""
        return np.diag((np.arange(self.n_functions) >= self.constant).astype(float))

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        raise NotImplementedError

    def gradient(self, X: Array) -> Array:
        """Gradients ∂_l φ_j(x_i), shape (n, d, n_functions)."""
        raise NotImplementedError

    def slope(self, X: Array, U: Array) -> Array:
        """⟨u(x_i), ∇φ_j(x_i)⟩ along a direction field U (n, d), shape (n, n_functions)."""
        return np.einsum("il,ilj->ij", U, self.gradient(X))

    def evaluate(self, X: Array, coefficients: Array, block: int | None = None) -> Array:
        """Σ_j φ_j(x) c_j without storing all of φ(X): shape (n, …) for coefficients (p, …).

        ``block`` rows at once; by default few enough for their φ to stay in the processor's cache.
        """
        out = np.empty((len(X), *coefficients.shape[1:]))
        for rows, phi in self.blocks(X, block):
            out[rows] = phi @ coefficients
        return out

    def blocks(self, X: Array, block: int | None = None) -> Iterator[tuple[slice, Array]]:
        """Yield each block of rows of X and φ there, shape (rows, n_functions)."""
        X = self.check(X, keep_single=True)
        block = block or max(LEAST_ROWS, CACHED_NUMBERS // max(self.n_functions, 1))
        for rows in blocks(len(X), block):
            yield rows, self.phi(X[rows])
            report("values", rows.stop, len(X))

    def check(self, X: Array, keep_single: bool = False) -> Array:
        """X as a finite float array (n, d) of the right dimension.

        float64; ``keep_single`` keeps float32 for callers that convert one block at a time.

        Raises
        ------
        ValueError
            If X is not finite or has the wrong number of columns.
        """
        X = check_points(X, keep_single=keep_single)
        if X.shape[1] != self.n_features:
            raise ValueError(
                f"X has {X.shape[1]} features, but the trial space was built on "
                f"{self.n_features}: pass points of the same dimension."
            )
        return X


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

    def phi(self, X: Array) -> Array:
        """Values (n, p)."""
        X = self.check(X)
        values = check_shape("functions(X)", self.functions(X), (len(X), self.n_functions))
        return np.ascontiguousarray(values)

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, p)."""
        X = self.check(X)
        slopes = check_shape("gradients(X)", self.gradients(X), (*X.shape, self.n_functions))
        return np.ascontiguousarray(slopes)


@dataclass(frozen=True, eq=False)
class LinearSpace(TrialSpace):
    """The constant 1 and the coordinates (x_l − center_l)/scale.

    The Gram matrix is the identity, with a zero for the constant.

    Parameters
    ----------
    center : array (d,)
    scale : float
    """

    center: Array
    scale: float = 1.0
    constant = True

    @property
    def n_features(self) -> int:
        return len(self.center)

    @property
    def n_functions(self) -> int:
        return len(self.center) + 1

    def phi(self, X: Array) -> Array:
        """Values (n, d + 1)."""
        X = self.check(X)
        return np.column_stack([np.ones(len(X)), (X - self.center) / self.scale])

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, d + 1)."""
        slopes = np.eye(self.n_features, self.n_functions, 1) / self.scale
        return np.broadcast_to(slopes, (len(self.check(X)), *slopes.shape)).copy()


@dataclass(frozen=True, eq=False)
class DirectSum(TrialSpace):
    """Functions of several trial spaces side by side, orthogonal in the norm that μ weighs.

    Parameters
    ----------
    parts : tuple of TrialSpace
        Over the same features. Only the first may have the constant.
    """

    parts: tuple[TrialSpace, ...]

    @property
    def constant(self) -> bool:  # type: ignore[override]
        return self.parts[0].constant

    @property
    def n_features(self) -> int:
        return self.parts[0].n_features

    @property
    def n_functions(self) -> int:
        return sum(part.n_functions for part in self.parts)

    @property
    def gram(self) -> Array:
        return block_diag(*(part.gram for part in self.parts))

    def phi(self, X: Array) -> Array:
        """Values (n, n_functions)."""
        return np.hstack([part.phi(X) for part in self.parts])

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, n_functions)."""
        return np.concatenate([part.gradient(X) for part in self.parts], axis=2)


@dataclass(frozen=True, eq=False)
class NetworkSpace(TrialSpace):
    """Span of 1 and the m outputs of a tanh network W_L tanh(… tanh(W_1 (x − center)/scale + b_1)).

    In plain NumPy (GAL23 §6.2). The constant comes first: it is the first eigenfunction, which the
    network then need not learn.

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
        """Gradients, shape (n, d, m + 1), by forward differentiation."""
        H = (self.check(X) - self.center) / self.scale
        D = np.broadcast_to(np.eye(self.n_features) / self.scale, (len(H), *(self.n_features,) * 2))
        for W, b in self.weights[:-1]:
            H = np.tanh(H @ W + b)
            D = (D @ W) * (1.0 - H * H)[:, None, :]
        out = np.zeros((len(H), self.n_features, self.n_functions))
        out[:, :, 1:] = D @ self.weights[-1][0]
        return out
