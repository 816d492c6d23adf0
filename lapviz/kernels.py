r"""Kernels: one class, one formula.

Two families. A *distance* kernel is k(x, c) = q(r), r = ‖x − c‖, with ∇ₓk = q′(r)/r · (x − c);
a *dot-product* kernel is k(x, c) = q(u), u = xᵀc, with ∇ₓk = q′(u) · c. A class states q and its
slope; everything else (forms, estimators, the explorer's menus, the Python export) follows from
the registry. One that also states its ``curvature`` has mixed second derivatives ∂ₓ∂_c k, which
the exact representer needs.

To add a kernel: subclass :class:`DistanceKernel` or :class:`DotKernel`, write ``profile`` (and
``curvature``, if it exists) and the same q as ``browser``, and decorate with ``@register``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from lapviz import formulas
from lapviz.checks import check_bandwidth

Array = np.ndarray
_TINY = 1e-300  # keeps 0/0 out of q′(r)/r where x = c; the gradient is T·(x − c) = 0 there
_REGISTRY: dict[str, type[Kernel]] = {}


def register(cls: type[Kernel]) -> type[Kernel]:
    """Add a kernel class to the menus and to every ``kernel=`` parameter.

    Raises
    ------
    ValueError
        If its ``browser`` formula is outside the language of :mod:`lapviz.formulas`.
    """
    cls.browser_formula()
    _REGISTRY[cls.name] = cls
    return cls


def names() -> tuple[str, ...]:
    """Names accepted by every ``kernel=`` parameter, in menu order."""
    return tuple(_REGISTRY)


def options(name: str) -> tuple[str, ...]:
    """Names of a kernel's fields beside the bandwidth: ``("degree",)`` of the polynomial one.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return tuple(f.name for f in fields(_class(name)) if f.name != "bandwidth")


def _class(name: str) -> type[Kernel]:
    if name not in _REGISTRY:
        raise ValueError(f"Unknown kernel {name!r}: choose one of {', '.join(_REGISTRY)}.")
    return _REGISTRY[name]


def get(kernel: str | Kernel, bandwidth: float = 1.0, **options) -> Kernel:
    """Kernel of that name with that bandwidth; a kernel object is returned as it is.

    Parameters
    ----------
    kernel : str or Kernel
    bandwidth : float, in the units of the data
    **options : further fields of the kernel class (``degree`` of the polynomial one)

    Raises
    ------
    ValueError
        If the name is unknown or the bandwidth is not a positive finite number.
    """
    if isinstance(kernel, Kernel):
        return kernel
    return _class(kernel)(bandwidth=bandwidth, **options)


@dataclass(frozen=True)
class Kernel:
    """Base: ``bandwidth`` σ in the units of the data.

    Attributes
    ----------
    name, title, formula : str
        Registry name, label for a menu, and the formula in LaTeX.
    scale : float
        How much wider than a Gaussian's this kernel's σ is for a comparable fit; used by
        :func:`lapviz.bandwidths.auto_bandwidth`.
    argument : str
        What q is a function of, as ``browser`` calls it: "r2" or "u".
    browser : str
        q once more, as the explorer's canvas computes it for labels that Python has not seen: an
        expression of :mod:`lapviz.formulas` in ``argument``, ``sigma`` and the class's own fields.
        Empty: the canvas then waits for Python.
    """

    bandwidth: float = 1.0

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    scale: ClassVar[float] = 1.0
    shift_invariant: ClassVar[bool] = False
    argument: ClassVar[str] = ""
    browser: ClassVar[str] = ""

    def __post_init__(self):
        check_bandwidth(self.bandwidth)

    @classmethod
    def browser_formula(cls) -> formulas.Formula | None:
        """``browser``, parsed; None if the class states none."""
        own = (f.name for f in fields(cls) if f.name != "bandwidth")
        return formulas.parse(cls.browser, (cls.argument, "sigma", *own)) if cls.browser else None

    def browser_values(self) -> dict[str, float]:
        """Values of the names in ``browser``, all but the argument."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "bandwidth"}
        numbers = {name: float(v) for name, v in own.items() if isinstance(v, int | float)}
        return {"sigma": float(self.bandwidth)} | numbers

    def __call__(self, X: Array, C: Array) -> Array:
        """Kernel matrix k(X, C), shape (n, p)."""
        raise NotImplementedError

    def diagonal(self, X: Array) -> Array:
        """k(x, x) at every row of X, shape (n,)."""
        raise NotImplementedError

    def center(self, C: Array) -> Array:
        """Origin (d,) from which points may be counted without changing k, for accuracy."""
        raise NotImplementedError

    def gradients(self, X: Array, C: Array) -> Array:
        """∇ₓk(x, c), shape (n, d, p); 0 where x = c for a distance kernel."""
        raise NotImplementedError

    def slopes(self, X: Array, C: Array, U: Array) -> Array:
        """⟨u_i, ∇ₓk(x_i, c)⟩ for directions U (n, d), shape (n, p), in O(npd)."""
        raise NotImplementedError

    def jet(self, X: Array, C: Array) -> tuple[Array, Sequence[Array], Sequence[Array], float]:
        """What first and mixed second derivatives are made of.

        Returns
        -------
        value : array (n, p)
            r² or u, the argument of ``profile`` and ``curvature``.
        left, right : d arrays (n, p)
            ∂_{x_m}k = T·left_m, ∂_{c_l}k = sign·T·right_l,
            ∂_{x_m}∂_{c_l}k = sign·(δ_lm T + W·left_m·right_l).
        sign : float
        """
        raise NotImplementedError

    def draw_frequencies(self, n_frequencies: int, n_features: int, rng) -> Array:
        """Random frequencies of Bochner's theorem, shape (n_frequencies, n_features), in 1/length.

        Raises
        ------
        ValueError
            If the spectral law of the kernel is not known.
        """
        known = ", ".join(n for n, c in _REGISTRY.items() if getattr(c, "frequency_dof", 0) > 0)
        raise ValueError(
            f"The kernel {self.name or type(self).__name__!r} has no known law of frequencies: "
            f"random Fourier features need one of {known}."
        )

    @property
    def slope_factor(self) -> float | None:
        """The number a with T = a·q everywhere, if there is one: TᵀT is then a² times QᵀQ."""
        return None

    @property
    def has_curvature(self) -> bool:
        """Whether ∂ₓ∂_c k exists everywhere, and is stated."""
        try:
            self.curvature(np.zeros(1))
        except ValueError:
            return False
        return True

    def curvature(self, value: Array) -> Array:
        """The second slope W, of the shape of ``value``: r² or u, as ``profile`` takes it.

        For a distance kernel W = (q′/r)′/r, with ∂_{x_m}∂_{c_l}k = −δ_lm q′/r − W (x−c)_l (x−c)_m;
        for a dot-product kernel W = q″, with ∂_{x_m}∂_{c_l}k = δ_lm q′ + W x_l c_m.

        Raises
        ------
        ValueError
            If the kernel has no mixed second derivatives, or states none.
        """
        raise ValueError(
            f"The kernel {self.name or type(self).__name__!r} states no second derivatives: "
            "write its curvature, or choose one of "
            f"{', '.join(n for n, c in _REGISTRY.items() if c.curvature is not Kernel.curvature)}."
        )


class DistanceKernel(Kernel):
    """k(x, c) = q(‖x − c‖)."""

    argument = "r2"
    shift_invariant = True
    cusp: ClassVar[bool] = False  # q′(r)/r diverges at 0: the gradient is set to 0 there
    # Degrees of freedom of the Student-t law of its frequencies, scale 1/σ; inf: normal; 0: unknown
    frequency_dof: ClassVar[float] = 0.0

    def profile(self, r2: Array, q: Array, t: Array | None) -> None:
        """Write q(r) into ``q`` and q′(r)/r into ``t`` (unless None), given r² ≥ 0.

        ``r2`` may be overwritten; all arrays share one shape.
        """
        raise NotImplementedError

    def __call__(self, X, C):
        X, C = np.atleast_2d(X), np.atleast_2d(C)
        q = squared_distances(X, C)
        self.profile(q, q, None)
        return q

    def diagonal(self, X):
        q = np.zeros(len(X))
        self.profile(q, q, None)
        return q

    def center(self, C):
        return C.mean(axis=0)

    def gradients(self, X, C):
        diff = X[:, :, None] - C.T[None]
        r2 = np.einsum("ilj,ilj->ij", diff, diff)
        q, t = np.empty_like(r2), np.empty_like(r2)
        self.profile(r2, q, t)
        return t[:, None, :] * diff

    def slopes(self, X, C, U):
        q = squared_distances(X, C)
        away = q > 0  # the gradient is 0 at a coincidence
        t = np.empty_like(q)
        self.profile(q, q, t)
        t *= np.where(away, np.einsum("il,il->i", X, U)[:, None] - U @ C.T, 0.0)
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


class DotKernel(Kernel):
    """k(x, c) = q(xᵀc)."""

    argument = "u"

    def profile(self, u: Array, q: Array, t: Array | None) -> None:
        """Write q(u) into ``q`` and q′(u) into ``t`` (unless None); ``u`` may be overwritten."""
        raise NotImplementedError

    def __call__(self, X, C):
        q = np.atleast_2d(X) @ np.atleast_2d(C).T
        self.profile(q, q, None)
        return q

    def diagonal(self, X):
        q = (X**2).sum(axis=1)
        self.profile(q, q, None)
        return q

    def center(self, C):
        return np.zeros(C.shape[1])

    def gradients(self, X, C):
        u = X @ C.T
        q, t = np.empty_like(u), np.empty_like(u)
        self.profile(u, q, t)
        return t[:, None, :] * C.T[None]

    def slopes(self, X, C, U):
        q = X @ C.T
        t = np.empty_like(q)
        self.profile(q, q, t)
        t *= U @ C.T
        return t

    def jet(self, X, C):  # ∂ₓk = q′ c, ∂_c k = q′ x
        shape = len(X), len(C)
        left = [np.broadcast_to(C[:, m], shape) for m in range(X.shape[1])]
        right = [np.broadcast_to(X[:, l, None], shape) for l in range(X.shape[1])]
        return X @ C.T, left, right, 1.0


def squared_distances(X: Array, C: Array) -> Array:
    """‖x − c‖², shape (n, p): by differences for d ≤ 3 (exact at coincidences), else by BLAS."""
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
    """Set to exactly 0, in place, the r² that are rounding of ‖x‖² + ‖c‖² − 2xᵀc at x = c.

    Returns their row and column indices.
    """
    floor = 1e-14 * (xx.max(initial=0.0) + cc.max(initial=0.0))
    rows = np.flatnonzero(r2.min(axis=1) <= floor)
    inner, cols = np.nonzero(r2[rows] <= floor)
    zeros = rows[inner], cols
    r2[zeros] = 0.0
    return zeros


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
        np.maximum(r2, _TINY, out=r2)
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
        """None: k has a cusp at r = 0, so that ∂ₓ∂_c k does not exist there."""
        raise ValueError(
            "The exponential kernel has no second derivative where two points meet, and functions "
            "of its space have no slope at a point: use matern32, matern52 or gaussian instead."
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
        s *= np.sqrt(3.0) / self.bandwidth
        e = np.exp(-s) if t is None else np.exp(np.negative(s, out=t), out=t)
        s += 1.0
        np.multiply(s, e, out=q)
        if t is not None:
            t *= -3.0 / self.bandwidth**2

    def curvature(self, value):
        """W = 3√3/(σ³r) exp(−√3 r/σ): diverges at 0, but W·(x − c)(x − c)ᵀ is 0 there.

        So the mixed second derivatives exist, and only third ones have a cusp.
        """
        r = np.sqrt(np.maximum(value, _TINY))
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
        s = np.sqrt(5.0 * value) / self.bandwidth
        return np.exp(-s) * (25.0 / (3.0 * self.bandwidth**4))


@register
@dataclass(frozen=True)
class Polynomial(DotKernel):
    r"""q(u) = (1 + u/σ²)^degree,  q′(u) = degree/σ² · (1 + u/σ²)^(degree − 1)."""

    degree: int = 3

    name = "polynomial"
    title = "Polynomial"
    formula = r"(1+x^\top c/\sigma^2)^{\text{degree}}"
    browser = "(1 + u / sigma**2) ** degree"

    def __post_init__(self):
        super().__post_init__()
        if isinstance(self.degree, bool) or self.degree != int(self.degree) or self.degree < 1:
            raise ValueError(f"degree must be an integer of at least 1, got {self.degree!r}.")

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
