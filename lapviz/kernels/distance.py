"""Kernels of the distance: k(x, c) = q(‖x − c‖)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lapviz.checks import check_powers
from lapviz.kernels.base import Array, Kernel, as_points, register

_ROUNDING = 45  # rounding units of ‖x‖² + ‖c‖²: a smaller r² means x = c


def squared_distances(X: Array, C: Array) -> Array:
    """Squared distances ‖x − c‖² between two sets of points.

    From differences for d ≤ 3, otherwise as ‖x‖² + ‖c‖² − 2xᵀc in BLAS; exactly 0 where x = c.

    Parameters
    ----------
    X : array (n, d)
        Points.
    C : array (p, d)
        Centres.

    Returns
    -------
    array (n, p)
        Squared distances, in squared units of the data.
    """
    if X.shape[1] <= 3:
        r2 = np.subtract.outer(X[:, 0], C[:, 0])
        r2 *= r2
        for l in range(1, X.shape[1]):
            diff = np.subtract.outer(X[:, l], C[:, l])
            diff *= diff
            r2 += diff
        return r2
    center = C.mean(axis=0)
    X, C = X - center, C - center
    xx, cc = np.einsum("ij,ij->i", X, X), np.einsum("ij,ij->i", C, C)
    r2 = X @ (-2.0 * C.T)
    r2 += xx[:, None]
    r2 += cc
    clear_coincidences(r2, xx, cc)
    return r2


def clear_coincidences(r2: Array, xx: Array, cc: Array) -> tuple[Array, Array]:
    """Set r² to exactly 0, in place, where x = c left only rounding of ‖x‖² + ‖c‖² − 2xᵀc.

    Each pair is judged by its own rounding, so that a far point does not change the others.

    Parameters
    ----------
    r2 : array (n, p)
        Squared distances; changed in place.
    xx : array (n,)
        ‖x‖².
    cc : array (p,)
        ‖c‖².

    Returns
    -------
    tuple of two int arrays
        Row and column indices of the zeros.
    """
    unit = _ROUNDING * np.finfo(r2.dtype).eps
    rows = np.flatnonzero(r2.min(axis=1) <= unit * (xx + cc.max(initial=0.0)))
    inner, cols = np.nonzero(r2[rows] <= unit * (xx[rows, None] + cc))
    zeros = rows[inner], cols
    r2[zeros] = 0.0
    return zeros


def _tiny(r2: Array) -> float:
    """Keeps 0/0 out of q′(r)/r where x = c; the gradient is T·(x − c) = 0 there."""
    return 1e-300 if r2.dtype == np.float64 else float(np.finfo(r2.dtype).tiny)


class DistanceKernel(Kernel):
    """k(x, c) = q(‖x − c‖)."""

    argument = "r2"
    shift_invariant = True
    cusp: ClassVar[bool] = False  # q′(r)/r diverges at 0: the gradient is set to 0 there
    # Degrees of freedom of the Student-t distribution of frequencies; inf: normal; 0: unknown
    frequency_dof: ClassVar[float] = 0.0

    def __call__(self, X, C):
        return self._values(squared_distances(*as_points(X, C)))

    def diagonal(self, X):
        return self._values(np.zeros(len(X)))

    def center(self, C):
        return C.mean(axis=0)

    def gradients(self, X, C):
        X, C = as_points(X, C)
        diff = X[:, :, None] - C.T[None]
        r2 = np.einsum("ilj,ilj->ij", diff, diff)
        return self._derivatives(r2)[:, None, :] * diff

    def slopes(self, X, C, U):
        X, C = as_points(X, C)
        r2 = squared_distances(X, C)
        distinct = r2 > 0  # the gradient is 0 where x = c
        t = self._derivatives(r2)
        t *= np.where(distinct, np.einsum("il,il->i", X, U)[:, None] - U @ C.T, 0.0)
        return t

    def jet(self, X, C):
        diff = [np.subtract.outer(X[:, l], C[:, l]) for l in range(X.shape[1])]
        return sum(d * d for d in diff), diff, diff, -1.0

    def draw_frequencies(self, n_frequencies, n_features, rng):
        """Normal, or multivariate Student-t, of scale 1/σ (``frequency_dof``)."""
        if not self.frequency_dof > 0:
            return super().draw_frequencies(n_frequencies, n_features, rng)
        waves = rng.standard_normal((n_frequencies, n_features)) / self.bandwidth
        if np.isfinite(self.frequency_dof):
            squares = rng.chisquare(self.frequency_dof, size=(n_frequencies, 1))
            waves *= np.sqrt(self.frequency_dof / squares)
        return waves


@register
@dataclass(frozen=True)
class Gaussian(DistanceKernel):
    r"""q(r) = exp(−r²/2σ²),  q′(r)/r = −q(r)/σ²."""

    name = "gaussian"
    title = "Gaussian"
    formula = r"\exp(-r^2/2\sigma^2)"
    browser = "exp(-r2 / (2 * sigma**2))"
    frequency_dof = np.inf

    @property
    def slope_factor(self) -> float:
        """q′(r)/r is −1/σ² times q, so that TᵀT is the mass matrix again."""
        return -1.0 / self.bandwidth**2

    def profile(self, r2, q, t):
        np.multiply(r2, -0.5 / self.bandwidth**2, out=q)
        np.exp(q, out=q)
        if t is not None:
            np.multiply(q, self.slope_factor, out=t)

    def curvature(self, value):
        """W = q(r)/σ⁴."""
        check_powers(self.bandwidth, 4)
        return np.exp(-0.5 * value / self.bandwidth**2) / self.bandwidth**4


@register
@dataclass(frozen=True)
class Exponential(DistanceKernel):
    r"""q(r) = exp(−r/σ),  q′(r)/r = −q(r)/(σr), taken with gradient 0 at r = 0."""

    name = "exponential"
    title = "Exponential (Matérn 1/2)"
    formula = r"\exp(-r/\sigma)"
    browser = "exp(-sqrt(r2) / sigma)"
    scale = 4.0
    cusp = True
    frequency_dof = 1.0

    def profile(self, r2, q, t):
        if r2.size and not r2.min() > 0:  # the check is five times faster than the write
            np.maximum(r2, _tiny(r2), out=r2)
        r = np.sqrt(r2, out=r2)
        if t is None:
            np.multiply(r, -1.0 / self.bandwidth, out=q)
            np.exp(q, out=q)
            return
        np.multiply(r, -self.bandwidth, out=t)
        np.multiply(r, -1.0 / self.bandwidth, out=q)
        np.exp(q, out=q)
        np.divide(q, t, out=t)

    def curvature(self, value):
        """Not defined: k has a cusp at r = 0, so that ∂ₓ∂_c k does not exist there.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError(
            "The exponential kernel has no second derivative where x = c, and functions of its "
            "space have no slope at a point: use matern32, matern52 or gaussian instead."
        )


@register
@dataclass(frozen=True)
class Matern32(DistanceKernel):
    r"""q(r) = (1 + √3 r/σ) exp(−√3 r/σ),  q′(r)/r = −3/σ² exp(−√3 r/σ)."""

    name = "matern32"
    title = "Matérn 3/2"
    formula = r"(1+\sqrt3 r/\sigma)\exp(-\sqrt3 r/\sigma)"
    browser = "(1 + sqrt(3 * r2) / sigma) * exp(-sqrt(3 * r2) / sigma)"
    scale = 2.5
    frequency_dof = 3.0

    def profile(self, r2, q, t):
        s = np.sqrt(r2, out=r2)
        s *= 3**0.5 / self.bandwidth
        e = np.exp(-s) if t is None else np.exp(np.negative(s, out=t), out=t)
        s += 1.0
        np.multiply(s, e, out=q)
        if t is not None:
            t *= -3.0 / self.bandwidth**2

    def curvature(self, value):
        """W = 3√3/(σ³r) exp(−√3 r/σ): diverges at 0, but W·(x − c)(x − c)ᵀ tends to 0.

        The mixed second derivatives therefore exist; only the third ones have a cusp.
        """
        check_powers(self.bandwidth, 4)
        r = np.sqrt(np.maximum(value, _tiny(value)))
        return np.exp(-np.sqrt(3.0) * r / self.bandwidth) * (27**0.5 / self.bandwidth**3) / r


@register
@dataclass(frozen=True)
class Matern52(DistanceKernel):
    r"""q(r) = (1 + s + s²/3) e⁻ˢ, s = √5 r/σ;  q′(r)/r = −5/(3σ²) (1 + s) e⁻ˢ."""

    name = "matern52"
    title = "Matérn 5/2"
    formula = r"(1+s+s^2/3)\,e^{-s},\ s=\sqrt5 r/\sigma"
    browser = "(1 + sqrt(5 * r2) / sigma + 5 * r2 / (3 * sigma**2)) * exp(-sqrt(5 * r2) / sigma)"
    scale = 1.8
    frequency_dof = 5.0

    def profile(self, r2, q, t):
        s = np.sqrt(r2, out=r2)
        s *= np.sqrt(5.0) / self.bandwidth
        e = np.exp(-s)
        if t is not None:
            np.add(s, 1.0, out=t)
            t *= e
            t *= -5.0 / (3.0 * self.bandwidth**2)
        poly = s / 3.0
        poly += 1.0
        poly *= s
        poly += 1.0
        np.multiply(poly, e, out=q)

    def curvature(self, value):
        """W = 25/(3σ⁴) e⁻ˢ."""
        check_powers(self.bandwidth, 4)
        s = np.sqrt(5.0 * value) / self.bandwidth
        return np.exp(-s) * (25.0 / (3.0 * self.bandwidth**4))
