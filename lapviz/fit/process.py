"""The Gaussian process of a regressor: its priors, and the average of their posteriors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapviz import operators
from lapviz.estimates import EnergyFactor, factorise
from lapviz.estimates.gaussian_process import Posterior
from lapviz.forms import Forms
from lapviz.kernels import Kernel
from lapviz.linalg import blocks
from lapviz.spaces import DirectSum, KernelSpace, LinearSpace

Array = np.ndarray

BLOCK = 2000  # rows whose features are in memory at once


@dataclass(frozen=True, eq=False)
class Smooth:
    """A prior of the smooth part, by features F with G(x, x′) = F(x)ᵀF(x′).

    Attributes
    ----------
    space : KernelSpace
    factor : EnergyFactor, of S + μK
    operator : Graph or None, of S; None: S = 0, and G is the kernel
    mu : float
    level : array (r,) or float, subtracted from the whitened functions
    unit : float, by which they are then divided
    log_prior : float
    """

    space: KernelSpace
    factor: EnergyFactor
    operator: operators.Graph | None = None
    mu: float = 1.0
    level: Array | float = 0.0
    unit: float = 1.0
    log_prior: float = 0.0

    @classmethod
    def of_kernel(cls, kernel: Kernel, centres: Array, log_prior: float) -> Smooth:
        """G = k, with functions at the centres: the energy is the RKHS norm."""
        space = KernelSpace(kernel, centres, constant=False)
        forms = Forms(space.gram, np.zeros_like(space.gram), space.gram, len(centres))
        return cls(space, factorise(forms, 1.0, constant=False), log_prior=log_prior)

    def features(self, X: Array) -> Array:
        """F (r, n)."""
        W = self.factor.whiten(self.space.phi(X))
        return (W - np.reshape(self.level, (-1, 1))) / self.unit

    def coefficients(self, theta: Array) -> tuple[Array, Array]:
        """Coefficients (p, k) in the space and constants (k,), from θ (r, k)."""
        theta = theta / self.unit
        c = self.factor.coefficients(theta, np.zeros(theta.shape[1]))
        return c, -(np.reshape(self.level, (-1, 1)) * theta).sum(axis=0)

    def __str__(self) -> str:
        energy = "RKHS norm" if self.operator is None else "energy of the sample's graph"
        return f"{energy}, σ = {self.space.kernel.bandwidth:.3g}"


@dataclass(frozen=True, eq=False)
class Prior:
    """The prior of the sum: constant + linear, of share ρ, + smooth, of share 1 − ρ, if any."""

    linear: LinearSpace
    smooth: Smooth | None = None
    rho: float = 1.0

    def features(self, X: Array) -> tuple[Array, Array]:
        """F (r, n), those of the linear functions first; and the prior variance (n,)."""
        F = self.linear.phi(X).T
        F[1:] *= np.sqrt(self.rho)
        variance = (F**2).sum(axis=0)
        if self.smooth is None:
            return F, variance
        curved = np.sqrt(1 - self.rho) * self.smooth.features(X)
        smooth_variance = (curved**2).sum(axis=0)
        if self.smooth.operator is None:  # k(x, x) = 1, of which few functions cover only a part
            smooth_variance = np.maximum(smooth_variance, 1 - self.rho)
        return np.vstack([F, curved]), variance + smooth_variance

    def coefficients(self, theta: Array) -> tuple[Array, Array | None]:
        """Coefficients of the linear functions (d + 1, k), and of the smooth ones (p, k) if any."""
        straight, curved = np.split(theta, [self.linear.n_functions])
        straight = straight.copy()
        straight[1:] *= np.sqrt(self.rho)
        if self.smooth is None:
            return straight, None
        c, constant = self.smooth.coefficients(np.sqrt(1 - self.rho) * curved)
        straight[0] += constant
        return straight, c

    def __str__(self) -> str:
        return f"{self.smooth}, ρ = {self.rho:g}" if self.smooth else "linear alone"


@dataclass(frozen=True, eq=False)
class Process:
    """An average of posteriors: one function and its uncertainty.

    Attributes
    ----------
    parts : tuple of (Prior, Posterior)
        With the same linear space.
    shares : array, their weights, of sum 1
    """

    parts: tuple[tuple[Prior, Posterior], ...]
    shares: Array

    @cached_property
    def _smooth_spaces(self) -> list[KernelSpace]:
        """The distinct spaces of the smooth priors, in order."""
        spaces = [prior.smooth.space for prior, _ in self.parts if prior.smooth is not None]
        return list({id(space): space for space in spaces}.values())

    @property
    def space(self) -> DirectSum:
        """The linear functions, then those of every smooth prior."""
        return DirectSum((self.parts[0][0].linear, *self._smooth_spaces))

    @property
    def coefficients(self) -> Array:
        """Coefficients of the mean, (n_functions, k)."""
        of_space: dict[int, Array] = {}
        straight: Array | float = 0.0
        for (prior, posterior), share in zip(self.parts, self.shares, strict=True):
            a, c = prior.coefficients(share * posterior.coefficients)
            straight = straight + a
            if prior.smooth is not None and c is not None:
                key = id(prior.smooth.space)
                of_space[key] = of_space.get(key, 0.0) + c
        return np.vstack([straight, *(of_space[id(space)] for space in self._smooth_spaces)])

    def deviation(self, X: Array) -> Array:
        """Standard deviation (n, k) of new observations of weight 1."""
        linear = self.parts[0][0].linear
        parts = []
        for rows in blocks(len(X), BLOCK):
            points, first, second = linear.check(X[rows]), 0.0, 0.0
            for (prior, posterior), share in zip(self.parts, self.shares, strict=True):
                mean, square = posterior.moments(*prior.features(points))
                first, second = first + share * mean, second + share * square
            parts.append(np.sqrt(np.maximum(second - np.square(first), 0.0)))
        return np.concatenate(parts)

    @property
    def noise(self) -> Array:
        """Standard deviation (k,) of the noise."""
        return np.sqrt(self.shares @ [posterior.noise_variance for _, posterior in self.parts])

    @property
    def linear_share(self) -> float:
        """The mean of ρ."""
        return float(self.shares @ [prior.rho for prior, _ in self.parts])
