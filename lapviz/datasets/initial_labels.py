"""Choice of the labelled points."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

Array = np.ndarray


def generator(random_state: Any) -> np.random.Generator:
    """A numpy Generator from None, a non-negative int, a RandomState or a Generator."""
    if isinstance(random_state, np.random.RandomState):
        random_state = int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    whole = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if whole and int(random_state) >= 0:
        return np.random.default_rng(int(random_state))
    raise ValueError(
        "random_state must be None, a whole number from 0 on, or a numpy random generator; "
        f"got {random_state!r}."
    )


def draw_labels(y: Array, per_class: int, random_state: Any = 0) -> Array:
    """Label ``per_class`` points of every class, drawn without replacement.

    Parameters
    ----------
    y : int array (n,)
        Class codes; negative ones (class unknown) are never labelled.
    per_class : int
        Labels per class, from 0; a class with fewer points has all of them labelled.
    random_state : None, int, RandomState or Generator
        With the same seed the labels are nested: a larger ``per_class`` only adds some.

    Returns
    -------
    boolean array (n,)
        True where labelled.

    Raises
    ------
    ValueError
        If ``y`` is not a vector of whole numbers, or ``per_class`` or the seed is not valid.
    """
    y = np.asarray(y)
    if y.ndim != 1 or not np.issubdtype(y.dtype, np.integer):
        raise ValueError("y must be a vector of whole class codes, one per point.")
    if isinstance(per_class, bool) or not isinstance(per_class, Integral) or per_class < 0:
        raise ValueError(
            f"The number of labels per class must be a whole number from 0 on; got {per_class!r}."
        )
    rng = generator(random_state)
    labelled = np.zeros(y.size, dtype=bool)
    for code in np.unique(y[y >= 0]):
        labelled[rng.permutation(np.flatnonzero(y == code))[:per_class]] = True
    return labelled
