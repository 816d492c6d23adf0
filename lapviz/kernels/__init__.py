r"""Kernels: one class, one formula.

There are two families. A *distance* kernel is k(x, c) = q(r), r = ‖x − c‖, with
∇ₓk = q′(r)/r · (x − c); a *dot-product* kernel is k(x, c) = q(u), u = xᵀc, with ∇ₓk = q′(u) · c.
A class defines q and q′; forms, estimators, the explorer's menus and the Python export find it in
the registry. A class that also defines ``curvature`` has mixed second derivatives ∂ₓ∂_c k, which
the exact estimate of the representer theorem needs.

To add a kernel: subclass :class:`DistanceKernel` or :class:`DotKernel`, write ``profile`` (and
``curvature``, if it exists), the same q as the formula ``browser``, and decorate it with
``@register``.
"""

from lapviz.kernels.base import REGISTRY, Kernel, get, names, options, parameters, register, scale
from lapviz.kernels.distance import (
    DistanceKernel,
    Exponential,
    Gaussian,
    Matern32,
    Matern52,
    clear_coincidences,
    squared_distances,
)
from lapviz.kernels.dot import DotKernel, Polynomial

__all__ = [
    "REGISTRY",
    "DistanceKernel",
    "DotKernel",
    "Exponential",
    "Gaussian",
    "Kernel",
    "Matern32",
    "Matern52",
    "Polynomial",
    "clear_coincidences",
    "get",
    "names",
    "options",
    "parameters",
    "register",
    "scale",
    "squared_distances",
]
