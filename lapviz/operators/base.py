"""What an operator is, the registry of named ones, and the assembly of forms for one.

An operator is a frozen record that says which derivatives of a function the Dirichlet energy
counts. Most are fields of directions: at each sample x a few vectors u_1(x), …, u_q(x), and the
energy of g is the mean of Σ_l ⟨u_l(x), ∇g(x)⟩². They have one method, ``directions(X)``: None for
the coordinate axes (the forms then use faster formulas), else an array (n, q, d). One whose energy
is not a mean of squared directional derivatives offers ``stiffness(space, X)`` instead: its form
on the trial space, a symmetric positive semi-definite array (p, p), as a mean over the samples.

To add one: write the record and, if it has a name of its own, decorate it with ``@register``.
"""

from __future__ import annotations

import numpy as np

from lapviz import forms
from lapviz.spaces.base import TrialSpace

Array = np.ndarray
_REGISTRY: dict[str, type] = {}


def register(cls: type) -> type:
    """Make an operator that needs no argument available under its ``name``."""
    _REGISTRY[cls.name] = cls
    return cls


def names() -> tuple[str, ...]:
    """Names accepted by every ``operator=`` parameter, in menu order."""
    return tuple(_REGISTRY)


def get(operator):
    """Operator from a name, one of :func:`names`, or an object, which is returned as it is.

    Raises
    ------
    ValueError
        If the name is unknown, or the object has neither method.
    """
    if isinstance(operator, str):
        if operator in _REGISTRY:
            return _REGISTRY[operator]()
        raise ValueError(
            f"Unknown operator {operator!r}: choose one of {', '.join(_REGISTRY)}, or pass an "
            "operator object from lapviz.operators."
        )
    if not any(callable(getattr(operator, name, None)) for name in ("directions", "stiffness")):
        raise ValueError(
            "operator must be a name or have a method directions(X) or stiffness(space, X), got "
            f"{operator!r}."
        )
    return operator


def assemble(
    space: TrialSpace,
    X: Array,
    operator="laplacian",
    *,
    y: Array | None = None,
    labelled: Array | None = None,
    block: int | None = None,
) -> forms.Forms:
    """Forms of ``space`` over the sample ``X`` (SSL21 Algorithm 1; GAL23 Algorithm 2, as means).

    Parameters
    ----------
    space : TrialSpace
    X : array (n, d)
    operator : str or operator object, default "laplacian"
    y : array (n,) or (n, k), optional
        Targets; with them the load is assembled in the same pass.
    labelled : boolean array (n,), optional
        Which rows of ``y`` count; all of them by default.
    block : int, optional
        Rows handled at once; by default such that a few blocks fit the cache.

    Returns
    -------
    Forms

    Raises
    ------
    ValueError
        If shapes do not fit, X is not finite, or the operator is unknown.
    """
    operator, X = get(operator), space.check(X)
    if not hasattr(operator, "stiffness"):
        directions = operator.directions(X)
        return forms.assemble(space, X, directions, y=y, labelled=labelled, block=block)
    energy_free = np.empty((len(X), 0, space.n_features))
    partial = forms.assemble(space, X, energy_free, y=y, labelled=labelled, block=block)
    return partial.with_stiffness(operator.stiffness(space, X))
