"""Forms of a whole sample at once."""

from __future__ import annotations

import numpy as np

from lapviz.checks import check_weights
from lapviz.forms.base import Forms, accumulator
from lapviz.spaces.base import TrialSpace

Array = np.ndarray


def assemble(
    space: TrialSpace,
    X: Array,
    directions: Array | None = None,
    *,
    y: Array | None = None,
    labelled: Array | None = None,
    sample_weight: Array | None = None,
    block: int | None = None,
) -> Forms:
    """Forms of ``space`` over the sample X, in one pass.

    :func:`lapviz.operators.assemble` takes the name of an operator instead of directions.

    Parameters
    ----------
    space : TrialSpace
        Trial space of p functions φ.
    X : array (n, d)
        Samples.
    directions : array (n, q, d), optional
        The vectors u_1(x_i), …, u_q(x_i); by default the coordinate axes. With q = 0 the stiffness
        is 0 at no cost.
    y : array (n,) or (n, k), optional
        Targets; if given, the load is assembled in the same pass.
    labelled : boolean array (n,), optional
        Rows of ``y`` to use; all by default.
    sample_weight : array (n,), optional
        Weights of the rows, at least 0; the forms are weighted means. By default all are equal.
    block : int, optional
        Rows processed at once.

    Returns
    -------
    Forms
        Mass, stiffness and Gram matrix (p, p), and the load if y is given.

    Raises
    ------
    ValueError
        If shapes do not fit, X is not finite, or weights are negative, not finite or all 0.
    """
    if directions is not None and not hasattr(directions, "shape"):
        named = " (lapviz.operators.assemble takes names)" if isinstance(directions, str) else ""
        raise ValueError(
            "directions must be a NumPy array of shape (n, q, d), or None for the coordinate axes; "
            f"got a {type(directions).__name__}{named}."
        )
    energy = "ambient" if directions is None else "directions"
    if directions is not None and directions.shape == (len(X), 0, space.n_features):
        energy, directions = "none", None
    weights = None if sample_weight is None else check_weights(sample_weight, len(X))
    return accumulator(space, energy, block).update(X, directions, y, labelled, weights).forms()


def mass(space: TrialSpace, X: Array, sample_weight: Array | None = None) -> Array:
    """Mass matrix M = E_n[φφᵀ].

    Parameters
    ----------
    space : TrialSpace
        Trial space of p functions φ.
    X : array (n, d)
        Samples.
    sample_weight : array (n,), optional
        Weights of the samples.

    Returns
    -------
    array (p, p)
        M, symmetric.
    """
    weights = None if sample_weight is None else check_weights(sample_weight, len(X))
    return accumulator(space, "none").update(X, weights=weights).forms().mass
