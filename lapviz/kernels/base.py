"""The base class of kernels, and the registry of named ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import ClassVar, TypeVar

import numpy as np

from lapviz import formulas
from lapviz.checks import Refused, Registry, as_python, check_bandwidth, check_powers
from lapviz.parameters import Parameter, check_numbers, descriptions, parameter

Array = np.ndarray
REGISTRY: Registry[type[Kernel]] = Registry("kernel", titled=True)
Registered = TypeVar("Registered", bound="type[Kernel]")


def register(kernel_class: Registered) -> Registered:
    """Add a kernel class to the menus and to every ``kernel=`` parameter.

    Parameters
    ----------
    kernel_class : type
        A subclass of :class:`Kernel` with a ``name``.

    Returns
    -------
    type
        The class itself: this is a decorator.

    Raises
    ------
    ValueError
        If a field is no number or hides an attribute of :class:`Kernel`, its ``browser`` formula
        is outside the language of :mod:`lapviz.formulas` or not q, its ``profile`` does not write
        its arrays or t is not the derivative of q, or it has no name or title of its own.
    """
    name = kernel_class.__name__
    for param in kernel_class.parameters():
        if hasattr(Kernel, param.name):
            raise ValueError(
                f"The field {param.name!r} of {name} hides an attribute that every kernel has: "
                "give it another name, or leave its annotation out to set that attribute."
            )
    check_numbers(name, kernel_class.parameters())
    kernel_class.browser_formula()
    _check_profile(kernel_class)
    REGISTRY.add(kernel_class)
    return kernel_class


def _check_profile(kernel_class: type[Kernel]) -> None:
    """Refuse a profile that leaves its arrays as they were, or writes what does not agree."""
    name = kernel_class.__name__
    if not kernel_class.argument:
        return  # it computes its matrices itself
    if kernel_class.profile is Kernel.profile:
        raise ValueError(f"{name} needs a method profile(self, value, q, t), which writes q and t.")
    try:
        kernel = kernel_class()
    except TypeError:  # its constructor needs arguments
        return
    value, step = np.array([[0.45, 1.1, 2.3]]), 1e-3
    q, t, alone = np.full((3, *value.shape), np.nan)
    same, slopes = value.copy(), np.empty_like(t)
    try:
        kernel.profile(value.copy(), alone, None)
    except TypeError as error:
        raise ValueError(
            f"The profile of {name} fails where t is None, as it is if only values are needed: "
            f"write t under “if t is not None”. ({error})"
        ) from error
    kernel.profile(value.copy(), q, t)
    kernel.profile(same, same, slopes)
    for array, wrong in (("q", np.isnan([q, alone])), ("t", np.isnan(t))):
        if wrong.any():
            raise ValueError(
                f"The profile of {name} must write numbers into the array {array} that it is "
                f"given: {array}[...] = …, not {array} = …."
            )
    if not np.allclose([same, slopes], [q, t]):
        raise ValueError(
            f"The profile of {name} must read its first argument before it writes q: both may be "
            "the same array."
        )
    ahead, behind = np.empty_like(q), np.empty_like(q)
    kernel.profile(value + step, ahead, None)
    kernel.profile(value - step, behind, None)
    is_distance = kernel.argument == "r2"
    sides = np.array([ahead - q, q - behind]) / step * (2 if is_distance else 1)
    wrong = (np.abs(sides - t) > 0.02 * np.abs(sides) + 1e-3).all(axis=0)  # a kink has two slopes
    if wrong.any():
        place, written, slope = value[wrong][0], t[wrong][0], sides[0][wrong][0]
        raise ValueError(
            f"The profile of {name} must write {'q′(r)/r' if is_distance else 'q′(u)'} into t, the "
            f"derivative of q: at {kernel.argument} = {place:g} it writes {written:.4g}, and "
            f"differences of q give {slope:.4g}."
        )
    formulas.check_same(
        f"The formula browser of {name}", kernel.browser_formula(), q,
        **{kernel.argument: value}, **kernel.browser_values(),
    )  # fmt: skip


def names() -> tuple[str, ...]:
    """List the names accepted by every ``kernel=`` parameter.

    Returns
    -------
    tuple of str
        In menu order.
    """
    return tuple(REGISTRY)


def scale(name: str) -> float:
    """Ratio of the kernel's σ to a Gaussian's for a comparable fit.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    float
        1 for the Gaussian.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return REGISTRY[name].scale


def options(name: str) -> tuple[str, ...]:
    """Names of a kernel's parameters other than the bandwidth.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    tuple of str
        ``("degree",)`` for the polynomial kernel, empty for the other built-in ones.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return tuple(param.name for param in parameters(name))


def parameters(name: str) -> tuple[Parameter, ...]:
    """Parameters of a kernel other than its bandwidth, as its class describes them.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    tuple of lapviz.parameters.Parameter
        Names, ranges, defaults and texts.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return REGISTRY[name].parameters()


def get(kernel: str | Kernel, bandwidth: float = 1.0, **options) -> Kernel:
    """Kernel of a given name and bandwidth.

    Parameters
    ----------
    kernel : str or Kernel
        One of :func:`names`, or an object, which is returned as it is.
    bandwidth : float, default 1
        σ > 0, in the units of the data.
    **options : dict
        Further fields of the kernel class (``degree`` of the polynomial one).

    Returns
    -------
    Kernel
        A frozen record, callable as k(X, C).

    Raises
    ------
    ValueError
        If the name is unknown, the bandwidth is not a positive finite number, or the kernel has
        no such field.
    """
    if isinstance(kernel, Kernel):
        return kernel
    kernel_class = REGISTRY[kernel]
    known = [param.name for param in kernel_class.parameters()]
    for name in options:
        if name not in known:
            others = f"it has: {', '.join(known)}" if known else "it has only a bandwidth"
            raise ValueError(f"The {kernel} kernel has no parameter {name!r}; {others}.")
    return kernel_class(bandwidth=bandwidth, **options)


def as_points(X: Array, C: Array) -> tuple[Array, Array]:
    """Points and centres as float32 or float64 matrices of equally many columns."""
    kept = np.float32, np.float64  # in float16, squares overflow from 256
    X, C = (A if A.dtype in kept else A.astype(float) for A in map(np.atleast_2d, (X, C)))
    if X.shape[1] != C.shape[1]:
        raise ValueError(f"The points have {X.shape[1]} columns, and the centres {C.shape[1]}.")
    return X, C


@dataclass(frozen=True)
class Kernel:
    """Base class of kernels; ``bandwidth`` is σ in the units of the data.

    Attributes
    ----------
    name, title, formula : str
        Registry name, label for a menu, and the formula in LaTeX.
    scale : float
        Ratio of this kernel's σ to a Gaussian's for a comparable fit; used by
        :func:`lapviz.auto_bandwidth`.
    argument : str
        The variable of q in ``browser``: "r2" or "u".
    browser : str
        The formula of q for the explorer's canvas, which evaluates it in JavaScript: an
        expression of :mod:`lapviz.formulas` in ``argument``, ``sigma`` and the class's parameters.
        If empty, the canvas waits for values from Python.
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
        width = check_bandwidth(self.bandwidth)
        check_powers(width)
        object.__setattr__(self, "bandwidth", width)  # the square of a NumPy integer may overflow
        for param in self.parameters():
            value = as_python(getattr(self, param.name))
            object.__setattr__(self, param.name, value)
            try:
                param.checked(value)
            except Refused as refused:
                raise ValueError(f"{param.name} {refused}; got {value!r}.") from None

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Parameters other than the bandwidth; a plain field takes any number of its type."""
        params = {param.name: param for param in descriptions(cls)}
        for f in fields(cls):
            if f.name not in params and f.name != "bandwidth":
                label, name = f.name.replace("_", " ").capitalize(), f.name
                plain = parameter(f.default, label, f"The kernel's own parameter “{name}”.")
                params[name] = replace(plain.metadata["parameter"], name=name)
        return tuple(params[f.name] for f in fields(cls) if f.name != "bandwidth")

    @classmethod
    def browser_formula(cls) -> formulas.Formula | None:
        """``browser``, parsed; None if it is empty."""
        names = (cls.argument, "sigma", *(param.name for param in cls.parameters()))
        return formulas.parse(cls.browser, names) if cls.browser else None

    def browser_values(self) -> dict[str, float]:
        """Values of the variables in ``browser`` except the argument."""
        params = {param.name: getattr(self, param.name) for param in self.parameters()}
        numbers = {name: float(v) for name, v in params.items() if isinstance(v, int | float)}
        return {"sigma": float(self.bandwidth)} | numbers

    def profile(self, value: Array, q: Array, t: Array | None, /) -> None:
        """Write q into ``q`` and, unless None, q′(r)/r or q′(u) into ``t``, given r² or u.

        ``value`` may be overwritten; it may be the array ``q``. All arrays share one shape.
        """
        raise NotImplementedError(
            f"{type(self).__name__} needs a method profile(self, value, q, t), to write q and t."
        )

    def _values(self, value: Array) -> Array:
        """q at r² or u, in its place."""
        self.profile(value, value, None)
        return value

    def _derivatives(self, value: Array) -> Array:
        """q′(r)/r or q′(u) at r² or u, which is overwritten."""
        t = np.empty_like(value)
        self.profile(value, value, t)
        return t

    def __call__(self, X: Array, C: Array) -> Array:
        """Kernel matrix k(X, C), shape (n, p)."""
        raise NotImplementedError

    def diagonal(self, X: Array) -> Array:
        """k(x, x) at every row of X, shape (n,)."""
        raise NotImplementedError

    def center(self, C: Array) -> Array:
        """Origin (d,) to subtract from all points for accuracy, without changing k."""
        raise NotImplementedError

    def gradients(self, X: Array, C: Array) -> Array:
        """∇ₓk(x, c), shape (n, d, p); 0 where x = c for a distance kernel."""
        raise NotImplementedError

    def slopes(self, X: Array, C: Array, U: Array) -> Array:
        """⟨u_i, ∇ₓk(x_i, c)⟩ for directions U (n, d), shape (n, p), in O(npd)."""
        raise NotImplementedError

    def jet(self, X: Array, C: Array) -> tuple[Array, Sequence[Array], Sequence[Array], float]:
        """Factors of the first and mixed second derivatives of k.

        Returns
        -------
        value : array (n, p)
            r² or u, the argument of ``profile`` and ``curvature``.
        left, right : lists of d arrays (n, p)
            ∂_{x_m}k = T·left_m, ∂_{c_l}k = sign·T·right_l,
            ∂_{x_m}∂_{c_l}k = sign·(δ_lm T + W·left_m·right_l).
        sign : float
            −1 for distance kernels, 1 for dot-product kernels.
        """
        raise NotImplementedError

    def draw_frequencies(self, n_frequencies: int, n_features: int, rng) -> Array:
        """Random frequencies of Bochner's theorem, shape (n_frequencies, n_features), in 1/length.

        Raises
        ------
        ValueError
            If the kernel's distribution of frequencies is not known.
        """
        known = ", ".join(n for n, c in REGISTRY.items() if getattr(c, "frequency_dof", 0) > 0)
        raise ValueError(
            f"The kernel {self.name or type(self).__name__!r} has no known distribution of "
            f"frequencies: random Fourier features need one of {known}."
        )

    @property
    def constant_part(self) -> float:
        """The constant that can be subtracted from k: 1/‖1‖²_H; 0 where 1 is not in the RKHS."""
        return 0.0

    @property
    def slope_factor(self) -> float | None:
        """The number a with T = a·q everywhere, or None; with it TᵀT is a² times QᵀQ."""
        return None

    @property
    def has_curvature(self) -> bool:
        """Whether ∂ₓ∂_c k exists everywhere and the class defines it."""
        try:
            self.curvature(np.zeros(1))
        except ValueError:
            return False
        return True

    def curvature(self, value: Array) -> Array:
        """The second-derivative factor W, of the shape of ``value``: r² or u, as in ``profile``.

        For a distance kernel W = (q′/r)′/r, with ∂_{x_m}∂_{c_l}k = −δ_lm q′/r − W (x−c)_l (x−c)_m;
        for a dot-product kernel W = q″, with ∂_{x_m}∂_{c_l}k = δ_lm q′ + W x_l c_m.

        Raises
        ------
        ValueError
            If the kernel has no mixed second derivatives, or does not define them.
        """
        stated = (n for n, c in REGISTRY.items() if c.curvature is not Kernel.curvature)
        raise ValueError(
            f"The kernel {self.name or type(self).__name__!r} states no second derivatives: "
            f"write its curvature, or choose one of "
            f"{', '.join(n for n in stated if get(n, 1.0).has_curvature)}."
        )
