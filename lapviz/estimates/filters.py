r"""Spectral filters: one class, one low-pass filter h(γ; λ).

The estimate is g = Σ h(γ_i) ⟨b, v_i⟩ e_i (SSL21 eqs. 7 and 9, in frequency form, where γ is a
Dirichlet energy and 1/γ the paper's λ_{i,μ}; ψ(x) = h(1/x)/x). Every class also has the same
formula as an expression of :mod:`lapviz.formulas`, which the explorer's canvas evaluates in
JavaScript.

To add a filter: subclass :class:`Filter`, write ``h`` and ``browser``, decorate with ``@register``.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import ClassVar, TypeVar, cast

import numpy as np

from lapviz import formulas
from lapviz.checks import Registry, check_nonnegative

Array = np.ndarray
REGISTRY: Registry[type[Filter]] = Registry("filter", titled=True)
Registered = TypeVar("Registered", bound="type[Filter]")


def register(filter_class: Registered) -> Registered:
    """Add a filter class to the menus and to every ``filter=`` parameter.

    Parameters
    ----------
    filter_class : type
        A subclass of :class:`Filter` with a ``name``.

    Returns
    -------
    type
        The class itself: this is a decorator.

    Raises
    ------
    ValueError
        If its ``h`` does not return one finite number for each γ, its ``browser`` formula is
        outside the language of :mod:`lapviz.formulas` or not h, or it has no name or title of its
        own.
    """
    name, formula = filter_class.__name__, filter_class.browser_formula()
    try:
        rule = cast(Filter, filter_class())
    except TypeError as error:
        raise ValueError(
            f"{name} must need no arguments: give its fields defaults. ({error})"
        ) from error
    gamma, gamma1, lam = np.array([0.0, 0.4, 1.3, 7.0]), 0.4, 0.3
    h = np.asarray(rule.h(gamma, lam, gamma1), dtype=float)
    if h.shape != gamma.shape or not np.isfinite(h).all():
        raise ValueError(
            f"The method h of {name} must return one finite number for each energy; for γ = 0, "
            f"0.4, 1.3, 7 and λ = 0.3 it returns {h.tolist()}."
        )
    formulas.check_same(
        f"The formula browser of {name}", formula, h, gamma=gamma, gamma1=gamma1, lam=lam
    )
    REGISTRY.add(filter_class)
    return filter_class


def names() -> tuple[str, ...]:
    """List the names accepted by every ``filter=`` parameter.

    Returns
    -------
    tuple of str
        In menu order.
    """
    return tuple(REGISTRY)


def get(name: str | Filter) -> Filter:
    """Filter of a given name.

    Parameters
    ----------
    name : str or Filter
        One of :func:`names`, or an object, which is returned as it is.

    Returns
    -------
    Filter
        Callable as h(γ, λ).

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return name if isinstance(name, Filter) else REGISTRY[name]()


def first_energy(gamma: Array) -> float:
    """Smallest energy that is not a numerical zero, which sets the step of gradient descent.

    Parameters
    ----------
    gamma : array (m,)
        Energies, at least 0.

    Returns
    -------
    float
        Smallest energy above 1e−10 of the largest; 1.0 if there is none.
    """
    gamma = np.asarray(gamma, dtype=float)
    if not gamma.size:
        return 1.0
    positive = gamma[gamma > 1e-10 * gamma.max(initial=0.0)]
    return float(positive.min()) if positive.size else 1.0


@dataclass(frozen=True)
class Filter:
    """Base class of filters.

    ``browser`` is h as an expression of :mod:`lapviz.formulas` in ``gamma``, ``gamma1`` and
    ``lam``; if it is empty, the explorer's canvas waits for values from Python.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    browser: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        try:
            inspect.signature(cls.h).bind("self", "gamma", "lam", "gamma1")
        except TypeError:
            raise ValueError(
                f"The method h of {cls.__name__} must take the arguments of "
                "h(self, gamma, lam, gamma1), also if it does not use gamma1, the first energy "
                "that is not 0."
            ) from None

    @classmethod
    def browser_formula(cls) -> formulas.Formula | None:
        """``browser``, parsed; None if it is empty."""
        return formulas.parse(cls.browser, ("gamma", "gamma1", "lam")) if cls.browser else None

    def h(self, gamma: Array, lam: float, gamma1: float) -> Array:
        """The filter h(γ; λ) for λ > 0; ``gamma1`` is the first non-zero energy."""
        raise NotImplementedError

    def __call__(self, gamma: Array, lam: float, gamma1: float | None = None) -> Array:
        """Weights h(γ) in [0, 1], the shape of ``gamma``.

        Parameters
        ----------
        gamma : array
            Energies γ, at least 0, in 1/length².
        lam : float
            λ, at least 0; 0 keeps every frequency.
        gamma1 : float, optional
            The first non-zero energy; by default taken from ``gamma``.

        Returns
        -------
        array
            h(γ).
        """
        lam = check_nonnegative("lam", lam)
        gamma = np.maximum(np.asarray(gamma, dtype=float), 0.0)
        if lam == 0:
            return np.ones_like(gamma)
        return self.h(gamma, lam, first_energy(gamma) if gamma1 is None else gamma1)

    def psi(self, x: Array, lam: float) -> Array:
        """ψ(x) = h(1/x)/x, SSL21's form of the filter; 0 at x = 0."""
        x = np.asarray(x, dtype=float)
        positive = x > 1e-15 * x.max(initial=0.0)
        safe = np.where(positive, x, 1.0)
        gamma = 1.0 / safe
        gamma1 = float(gamma[positive].min()) if positive.any() else 1.0
        return np.where(positive, self(gamma, lam, gamma1) / safe, 0.0)


@register
@dataclass(frozen=True)
class Tikhonov(Filter):
    r"""h = 1/(1 + λγ): regularised least squares (SSL21 eq. 4, ψ(x) = 1/(x + λ))."""

    name = "tikhonov"
    title = "Tikhonov"
    formula = r"1/(1+\lambda\gamma)"
    browser = "1 / (1 + lam * gamma)"

    def h(self, gamma, lam, gamma1):
        return 1.0 / (1.0 + lam * gamma)


@register
@dataclass(frozen=True)
class CutOff(Filter):
    r"""h = 1[λγ < 1]: the leading eigenfunctions, as they are."""

    name = "cutoff"
    title = "Cut-off"
    formula = r"1[\lambda\gamma<1]"
    browser = "1 if lam * gamma < 1 else 0"

    def h(self, gamma, lam, gamma1):
        return (lam * gamma < 1.0).astype(float)


@register
@dataclass(frozen=True)
class Heat(Filter):
    r"""h = exp(−λγ): diffusion for time λ."""

    name = "heat"
    title = "Heat"
    formula = r"\exp(-\lambda\gamma)"
    browser = "exp(-lam * gamma)"

    def h(self, gamma, lam, gamma1):
        return np.exp(-lam * gamma)


@register
@dataclass(frozen=True)
class Landweber(Filter):
    r"""h = 1 − (1 − η/γ)ᵗ: t steps of gradient descent from 0, stopped early.

    Descent on ½E|g − y|² in the geometry of L + μI multiplies the residual along e_i by
    1 − η/γ_i at each step. The step is the largest that changes no sign, η = γ_1, and
    t = 1/(λη), rounded, is at least 1: few steps smooth as a large λ does. Directions with γ ≤ η
    are fitted in one step.
    """

    name = "landweber"
    title = "Landweber (gradient descent)"
    formula = r"1-(1-\eta/\gamma)^t,\ t=1/(\lambda\eta)"
    browser = (
        "1 if gamma <= gamma1 else "
        "-expm1(maximum(1, floor(1 / (lam * gamma1) + 0.5)) * log1p(-gamma1 / gamma))"
    )

    def steps(self, lam: float, gamma1: float) -> float:
        """Number t of gradient steps, at least 1."""
        return max(1.0, np.floor(1.0 / max(lam * gamma1, np.finfo(float).tiny) + 0.5))

    def h(self, gamma, lam, gamma1):
        rate = gamma1 / np.maximum(gamma, gamma1)
        with np.errstate(divide="ignore"):  # log(0) = −∞ where the first step fits exactly
            return -np.expm1(self.steps(lam, gamma1) * np.log1p(-rate))
