"""Trial spaces: the functions that the Galerkin method combines.

A trial space has functions φ = (1, φ_1, …, φ_p), their gradients and their Gram matrix in the norm
whose weight is μ. To add one: subclass :class:`TrialSpace`, define ``n_functions``, ``n_features``,
``constant`` and, where it is not the identity, ``gram``, write ``phi`` and ``gradient``; forms,
spectra, estimates and :func:`lapviz.galerkin_svd` then work on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz.checks import check_points
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray
CACHED_NUMBERS, LEAST_ROWS = 100_000, 64  # of φ in a block: 0.8 MB, twice as fast as 8 MB


class TrialSpace:
    """Base of the trial spaces, with the methods that need values and gradients only.

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
        """By default the identity, so that μ weighs Σ c_j², with a 0 for the constant."""
        return np.diag((np.arange(self.n_functions) >= self.constant).astype(float))

    def phi(self, X: Array) -> Array:
        """Values φ_j(x_i), shape (n, n_functions)."""
        raise NotImplementedError

    def gradient(self, X: Array) -> Array:
        """Gradients ∂_l φ_j(x_i), shape (n, d, n_functions)."""
        raise NotImplementedError

    def slope(self, X: Array, U: Array) -> Array:
        """⟨u(x_i), ∇φ_j(x_i)⟩ along a field of directions U (n, d), shape (n, n_functions)."""
        return np.einsum("il,ilj->ij", U, self.gradient(X))

    def evaluate(self, X: Array, coefficients: Array, block: int | None = None) -> Array:
        """Σ_j φ_j(x) c_j without holding all of φ(X): shape (n, …) for coefficients (p, …).

        ``block`` rows at once; by default so few that their φ stays in a processor's cache.
        """
        out = np.empty((len(X), *coefficients.shape[1:]))
        for rows, phi in self.blocks(X, block):
            out[rows] = phi @ coefficients
        return out

    def blocks(self, X: Array, block: int | None = None) -> Iterator[tuple[slice, Array]]:
        """Some rows of X and φ there (rows, n_functions), until all rows have had their turn."""
        X = self.check(X, keep_single=True)
        block = block or max(LEAST_ROWS, CACHED_NUMBERS // max(self.n_functions, 1))
        for rows in blocks(len(X), block):
            yield rows, self.phi(X[rows])
            report("values", rows.stop, len(X))

    def check(self, X: Array, keep_single: bool = False) -> Array:
        """X as a finite float array (n, d) of the right dimension.

        float64, or float32 as given if ``keep_single``: for what converts one block at a time.

        Raises
        ------
        ValueError
            If X is not finite or has another number of columns.
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
        return self._shaped(self.functions(X), (len(X), self.n_functions), "functions")

    def gradient(self, X: Array) -> Array:
        """Gradients (n, d, p)."""
        X = self.check(X)
        return self._shaped(self.gradients(X), (*X.shape, self.n_functions), "gradients")

    @staticmethod
    def _shaped(values, shape: tuple, name: str) -> Array:
        values = np.ascontiguousarray(values, dtype=float)
        if values.shape != shape:
            raise ValueError(f"{name}(X) must have shape {shape}, got {values.shape}.")
        return values
