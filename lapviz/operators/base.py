"""The protocol of operators, the registry of named ones, the assembly of forms, and sums.

An operator is a frozen record that determines which derivatives of a function the Dirichlet energy
counts. Most are direction fields: at each sample x a few vectors u_1(x), …, u_q(x), and the
energy of g is the mean of Σ_l ⟨u_l(x), ∇g(x)⟩². They have one method, ``directions(X)``: None for
the coordinate axes (the forms then use faster formulas), else an array (n, q, d); X may be float32,
which :func:`lapviz.checks.check_points` converts. An operator whose energy
is not a mean of squared directional derivatives has ``stiffness(space, X)`` instead: its form
on the trial space, a symmetric positive semi-definite array (p, p), as a mean over the samples; it
sets ``local = True`` if each sample's term depends on that sample only. Directions that belong to
particular samples, or are learnt from all, need a method ``at_rows(X, rows)`` (:func:`at_rows`).

Weights of the samples enter the means without further code. If they also change the directions
(those learnt from the samples), ``directions`` takes a further argument ``sample_weight=None``, an
array (n,) of positive numbers, and so does every ``stiffness`` (:func:`assemble`).

To add one: write the record and, if it needs no arguments, decorate it with ``@register``. The
operators of lapviz are registered in :mod:`lapviz.operators`, in menu order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from lapviz import forms
from lapviz.checks import Registry, check_nonnegative, check_weights
from lapviz.spaces.base import TrialSpace

Array = np.ndarray
_REGISTRY: Registry[type] = Registry("operator")

Registered = TypeVar("Registered", bound=type)


def register(operator_class: Registered) -> Registered:
    """Make an operator that needs no argument available under its ``name``.

    Parameters
    ----------
    operator_class : type
        A class with a ``name`` and a method ``directions`` or ``stiffness``.

    Returns
    -------
    type
        The class itself: this is a decorator.

    Raises
    ------
    ValueError
        If it has no name of its own, or its constructor needs an argument.
    """
    try:
        inspect.signature(operator_class).bind()
    except TypeError as error:
        name = operator_class.__name__
        raise ValueError(
            f"{name} cannot be used by name, since it needs arguments ({error}): give them "
            f"defaults, or leave out the registration and pass objects, operator={name}(…)."
        ) from None
    _REGISTRY.add(operator_class)
    return operator_class


def names() -> tuple[str, ...]:
    """List the names accepted by every ``operator=`` parameter.

    Returns
    -------
    tuple of str
        In menu order.
    """
    return tuple(_REGISTRY)


def get(operator):
    """Operator of a given name.

    Parameters
    ----------
    operator : str or operator object
        One of :func:`names`, or an object, which is returned as it is.

    Returns
    -------
    operator object
        An object with a method ``directions(X)`` or ``stiffness(space, X)``.

    Raises
    ------
    ValueError
        If the name is unknown, or the object is a class or lacks both methods.
    """
    if isinstance(operator, str):
        if operator in _REGISTRY:
            return _REGISTRY[operator]()
        raise ValueError(
            f"Unknown operator {operator!r}: choose one of {', '.join(_REGISTRY)}, or pass an "
            "operator object from lapviz.operators."
        )
    if isinstance(operator, type):
        raise ValueError(
            f"operator is the class {operator.__name__}: pass an object of it, "
            f"{operator.__name__}(), or one of the names {', '.join(_REGISTRY)}."
        )
    if not any(callable(getattr(operator, name, None)) for name in ("directions", "stiffness")):
        raise ValueError(
            "operator must be a name or have a method directions(X) or stiffness(space, X), got "
            f"{operator!r}."
        )
    return operator


def at_rows(operator, X: Array, rows: Array, sample_weight: Array | None = None):
    """Operator on a subset of the samples, as needed to hold out the others.

    Parameters
    ----------
    operator : str or operator object
        As for :func:`assemble`.
    X : array (n, d)
        All samples.
    rows : int array (m,)
        The subset.
    sample_weight : array (m,), optional
        Weights of the subset.

    Returns
    -------
    operator object or None
        The operator for X[rows]; None if the energy is not a sum over single samples (a graph's).
    """
    operator = get(operator)
    if hasattr(operator, "at_rows"):
        return operator.at_rows(X, rows, **_weights_for(operator.at_rows, sample_weight))
    splits = not hasattr(operator, "stiffness") or getattr(operator, "local", False)
    return operator if splits else None


def assemble(
    space: TrialSpace,
    X: Array,
    operator: object = "laplacian",
    *,
    y: Array | None = None,
    labelled: Array | None = None,
    sample_weight: Array | None = None,
    block: int | None = None,
) -> forms.Forms:
    """Forms of ``space`` over the sample ``X`` (SSL21 Algorithm 1; GAL23 Alg. 2 and 3, as means).

    Parameters
    ----------
    space : TrialSpace
        Trial space of p functions φ.
    X : array (n, d)
        Samples.
    operator : str or operator object, default "laplacian"
        Derivatives that the stiffness counts: one of :func:`names`, or an object.
    y : array (n,) or (n, k), optional
        Targets; if given, the load is assembled in the same pass.
    labelled : boolean array (n,), optional
        Rows of ``y`` to use; all by default.
    sample_weight : array (n,), optional
        Weights of the samples: the forms are weighted means. A sample of weight 2 counts like two
        equal ones, one of weight 0 like none; the scale of the weights does not matter.
    block : int, optional
        Rows processed at once; by default few enough for several blocks to fit the cache.

    Returns
    -------
    Forms
        Mass, stiffness and Gram matrix (p, p), and the load if y is given.

    Raises
    ------
    ValueError
        If shapes do not fit, X is not finite, the operator is unknown or takes no weights, or
        weights are negative, not finite or all 0.
    """
    energy: Any = get(operator)
    X = space.check(X, keep_single=True)
    if sample_weight is not None:
        rows, sample_weight = weighted_rows(sample_weight, len(X))
        if len(rows) < len(X):
            energy, X = restricted(energy, X, rows), X[rows]
            y = None if y is None else np.asarray(y)[rows]
            labelled = None if labelled is None else np.asarray(labelled)[rows]
    options = {"y": y, "labelled": labelled, "sample_weight": sample_weight, "block": block}
    if not hasattr(energy, "stiffness"):
        return forms.assemble(space, X, directions(energy, X, sample_weight), **options)
    partial = forms.assemble(space, X, np.empty((len(X), 0, space.n_features)), **options)
    weights = _weights_for(energy.stiffness, sample_weight)
    if sample_weight is not None and not weights:
        raise ValueError(
            f"The energy of {energy!r} takes no sample_weight: its method stiffness(space, X) "
            "needs a further argument sample_weight=None."
        )
    return partial.with_stiffness(energy.stiffness(space, space.check(X), **weights))


def weighted_rows(sample_weight: Array, n: int) -> tuple[Array, Array | None]:
    """Rows of positive weight and their weights, divided exactly by a power of two.

    Parameters
    ----------
    sample_weight : array (n,)
        Finite numbers of at least 0, not all 0.
    n : int
        Number of rows.

    Returns
    -------
    rows : int array (m,)
        Rows of positive weight, ascending.
    weights : array (m,) or None
        Their weights, with a mean from ½ to 1; None if all are equal.

    Raises
    ------
    ValueError
        If the weights cannot be used.
    """
    weights = check_weights(sample_weight, n)
    rows = np.flatnonzero(weights > 0)
    weights = weights[rows]
    if (weights == weights[0]).all():
        return rows, None
    return rows, np.ldexp(weights, -np.frexp(weights.mean())[1])


def restricted(operator, X: Array, rows: Array):
    """Operator over a subset of the samples as if the others did not exist.

    Parameters
    ----------
    operator : operator object
        Operator over all samples.
    X : array (n, d)
        All samples.
    rows : int array (m,)
        The subset.

    Returns
    -------
    operator object
        The operator for X[rows].
    """
    for name in ("restricted", "at_rows"):
        if hasattr(operator, name):
            return getattr(operator, name)(X, rows)
    return operator


def directions(operator, X: Array, sample_weight: Array | None = None) -> Array | None:
    """Directions (n, q, d) at the samples, which may depend on their weights."""
    return operator.directions(X, **_weights_for(operator.directions, sample_weight))


def _weights_for(method: Callable, sample_weight: Array | None) -> dict:
    """The weights as keyword arguments of a method; empty if None or not accepted."""
    if sample_weight is None or "sample_weight" not in inspect.signature(method).parameters:
        return {}
    return {"sample_weight": sample_weight}


@dataclass(frozen=True)
class Sum:
    """Weighted sum of energies, each a named operator or an operator object.

    Parameters
    ----------
    parts : tuple of operators
    weights : tuple of as many numbers, at least 0
    match : bool, default False
        Scale every part to the trace of the first before weighting, for energies of arbitrary
        scale (a graph's).
    """

    parts: tuple
    weights: tuple[float, ...]
    match: bool = False
    name = "sum"
    title = "Sum of energies"

    def __post_init__(self):
        if not self.parts or len(self.parts) != len(self.weights):
            raise ValueError(
                f"A sum of energies needs one weight for each part, got {len(self.parts)} parts "
                f"and {len(self.weights)} weights."
            )
        for weight in self.weights:
            check_nonnegative("A weight of a sum of energies", weight)

    def at_rows(self, X: Array, rows: Array, sample_weight: Array | None = None) -> Sum | None:
        """The sum on a subset of the samples; None if a part is not defined there alone."""
        parts = tuple(at_rows(part, X, rows, sample_weight) for part in self.parts)
        return None if any(part is None for part in parts) else replace(self, parts=parts)

    def restricted(self, X: Array, rows: Array) -> Sum:
        """The sum over a subset of the samples as if the others did not exist."""
        return replace(self, parts=tuple(restricted(get(p), X, rows) for p in self.parts))

    def stiffness(self, space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
        """Σ w_i S_i, (p, p)."""
        return self.total(
            [assemble(space, X, part, sample_weight=sample_weight).stiffness for part in self.parts]
        )

    def total(self, forms: list[Array]) -> Array:
        """Σ w_i S_i of the stiffness (p, p) of every part."""
        scales = np.ones(len(forms))
        if self.match:
            traces = np.array([np.trace(S) for S in forms])
            scales = np.divide(traces[0], traces, out=scales, where=traces > 0)
        parts = zip(self.weights, scales, forms, strict=True)
        return sum((w * c * S for w, c, S in parts), start=np.zeros_like(forms[0]))
