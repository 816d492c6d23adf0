r"""Gaussian process regression on features, with the noise and the scale integrated out.

    g(x) = F(x)ᵀθ,  θ ~ N(0, s²I),  y_i = g(x_i) + ε_i,  ε_i ~ N(0, s²ν/w_i)

Every quadratic penalty is such a prior: for E_n‖∇g‖² + μ‖g‖²_H the features are F(x) = L⁻¹φ(x) with
LLᵀ = S + μK (:meth:`lapviz.estimates.EnergyFactor.whiten`), the covariance is
G(x, x′) = φ(x)ᵀ(S + μK)⁻¹φ(x′), and the posterior mean is the estimate of
:func:`lapviz.estimates.labelled_estimate` with λ = ν/m.

One eigenproblem of the size of the labels, or of the features if these are fewer, gives the
evidence and the posterior for all noise levels ν together (Rasmussen and Williams, 2006, eqs. 2.25,
2.26 and 2.30). s² has the prior InvGamma(1, 1): targets should have a variance near 1. Its
posterior has a closed form; the evidence is then that of a multivariate t distribution.

Rasmussen and Williams (2006), *Gaussian Processes for Machine Learning*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.linalg import eigh

Array = np.ndarray

SHAPE, RATE = 1.0, 1.0  # of the inverse gamma prior of s²
NULL = 1e-14  # share of the largest eigenvalue that is rounding


@dataclass(frozen=True, eq=False)
class Modes:
    """Eigenvectors of the prior covariance FᵀF at the labelled points, and targets in their basis.

    Attributes
    ----------
    s : array (q,), eigenvalues
    directions : array (r, q), orthonormal in feature space; 0 where s is 0
    targets : array (q, k), coordinates of y in the eigenvectors
    residual : array (k,), |y|² outside their span
    n_labelled : int, m
    """

    s: Array
    directions: Array
    targets: Array
    residual: Array
    n_labelled: int

    @classmethod
    def of(cls, F: Array, y: Array, weights: Array | None = None) -> Modes:
        """Modes of features F (r, m) and targets y (m, k), optionally with weights w_i (m,)."""
        if weights is not None:
            root = np.sqrt(weights)
            F, y = F * root, y * root[:, None]
        r, m = F.shape
        if m <= r:
            s, V = eigh(F.T @ F)
            s = np.where(s > NULL * s.max(initial=0.0), s, 0.0)
            root = np.sqrt(s)
            U = (F @ V) * np.divide(1.0, root, out=np.zeros_like(s), where=s > 0)
            return cls(s, U, V.T @ y, np.zeros(y.shape[1]), m)
        s, U = eigh(F @ F.T)
        positive = s > NULL * s.max(initial=0.0)
        s, U = s[positive], U[:, positive]
        targets = (U.T @ (F @ y)) / np.sqrt(s)[:, None]
        residual = np.maximum((y**2).sum(axis=0) - (targets**2).sum(axis=0), 0.0)
        return cls(s, U, targets, residual, m)

    def log_determinant(self, noise: Array) -> Array:
        """log |FᵀF + νI| for every ν (v,)."""
        null_part = (self.n_labelled - len(self.s)) * np.log(noise)
        return np.log(self.s[:, None] + noise).sum(axis=0) + null_part

    def squares(self, noise: Array) -> Array:
        """yᵀ(FᵀF + νI)⁻¹y for every ν and every output, (v, k)."""
        inverse = 1.0 / (self.s[:, None] + noise)
        return inverse.T @ self.targets**2 + self.residual / noise[:, None]

    def log_evidence(self, noise: Array) -> Array:
        """log p(y) for every ν (v,), with each output's s² integrated out, up to a constant."""
        exponent = SHAPE + 0.5 * self.n_labelled
        squares = self.squares(noise)
        n_outputs = np.count_nonzero(squares.any(axis=0))  # constant ones know nothing of the prior
        fits = exponent * np.log(RATE + 0.5 * squares).sum(axis=1)
        return -0.5 * n_outputs * self.log_determinant(noise) - fits

    def scales(self, noise: Array) -> Array:
        """The posterior mean of s² for every ν and every output, (v, k)."""
        return (RATE + 0.5 * self.squares(noise)) / (SHAPE - 1.0 + 0.5 * self.n_labelled)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of a Gaussian process, a mixture over noise levels.

    Attributes
    ----------
    modes : Modes
    noise, shares : arrays (v,), ν and the posterior weight of each
    """

    modes: Modes
    noise: Array
    shares: Array

    @property
    def likeliest(self) -> float:
        """The ν of the largest weight."""
        return float(self.noise[self.shares.argmax()])

    @property
    def coefficients(self) -> Array:
        """θ (r, k) of the posterior mean."""
        return (self.modes.directions @ self._means(self.noise) @ self.shares).T

    def _means(self, noise: Array) -> Array:
        """Posterior mean of θ in the modes, for every output and ν: (k, q, v)."""
        s = self.modes.s[:, None]
        return (self.modes.targets * np.sqrt(s)).T[:, :, None] / (s + noise)

    def moments(self, F: Array, variance: Array) -> tuple[Array, Array]:
        """Mean and mean square (n, k) of new observations of weight 1.

        Parameters
        ----------
        F : array (r, n)
            Features of the points.
        variance : array (n,)
            Prior variance at the points, at least |F|².
        """
        modes, noise = self.modes, self.noise
        A = modes.directions.T @ F
        s = modes.s[:, None]
        spread = np.maximum(variance[:, None] - (A**2).T @ (s / (s + noise)), 0.0) + noise
        first, second = [], []
        for mean, scale in zip(self._means(noise), modes.scales(noise).T, strict=True):
            values = A.T @ mean
            first.append(values @ self.shares)
            second.append((values**2 + scale * spread) @ self.shares)
        return np.column_stack(first), np.column_stack(second)

    @property
    def noise_variance(self) -> Array:
        """Mean of s²ν for every output, (k,)."""
        return (self.shares * self.noise) @ self.modes.scales(self.noise)
