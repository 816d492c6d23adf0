"""Kernels of the dot product: k(x, c) = q(xᵀc)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.kernels.base import Kernel, as_points, register
from lapviz.parameters import Slider, parameter


class DotKernel(Kernel):
    """k(x, c) = q(xᵀc)."""

    argument = "u"

    def __call__(self, X, C):
        X, C = as_points(X, C)
        return self._values(X @ C.T)

    def diagonal(self, X):
        return self._values((as_points(X, X)[0] ** 2).sum(axis=1))

    def center(self, C):
        return np.zeros(C.shape[1])

    @property
    def constant_part(self):
        return float(self.diagonal(np.zeros((1, 1)))[0])  # q(0)

    def gradients(self, X, C):
        X, C = as_points(X, C)
        return self._derivatives(X @ C.T)[:, None, :] * C.T[None]

    def slopes(self, X, C, U):
        X, C = as_points(X, C)
        t = self._derivatives(X @ C.T)
        t *= U @ C.T
        return t

    def jet(self, X, C):  # ∂ₓk = q′ c, ∂_c k = q′ x
        shape = len(X), len(C)
        left = [np.broadcast_to(C[:, m], shape) for m in range(X.shape[1])]
        right = [np.broadcast_to(X[:, l, None], shape) for l in range(X.shape[1])]
        return X @ C.T, left, right, 1.0


@register
@dataclass(frozen=True)
class Polynomial(DotKernel):
    r"""q(u) = (1 + u/σ²)^degree,  q′(u) = degree/σ² · (1 + u/σ²)^(degree − 1)."""

    degree: int = parameter(
        3, "Degree", "Degree of the polynomial kernel.", low=1, page_high=12, key="degree",
        slider=Slider(1, 12, 1),
    )  # fmt: skip

    name = "polynomial"
    title = "Polynomial"
    formula = r"(1+x^\top c/\sigma^2)^{\text{degree}}"
    browser = "(1 + u / sigma**2) ** degree"

    def profile(self, u, q, t):
        base = np.multiply(u, 1.0 / self.bandwidth**2, out=u)
        base += 1.0
        if t is None:
            np.power(base, self.degree, out=q)
            return
        power = np.power(base, self.degree - 1)
        np.multiply(power, base, out=q)
        np.multiply(power, self.degree / self.bandwidth**2, out=t)

    def curvature(self, value):
        """q″(u) = degree (degree − 1)/σ⁴ · (1 + u/σ²)^(degree − 2)."""
        if self.degree == 1:
            return np.zeros_like(value)
        base = 1.0 + value / self.bandwidth**2
        return base ** (self.degree - 2) * (self.degree * (self.degree - 1) / self.bandwidth**4)
