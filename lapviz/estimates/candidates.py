"""Candidate sets of classes, in any of the accepted forms, as a boolean matrix (SSL21 A.2)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Array = np.ndarray


def candidate_matrix(candidates, n_samples: int) -> tuple[Array, Array, Array]:
    """Candidate sets as a matrix, with its classes and its informative rows.

    Parameters
    ----------
    candidates : boolean array (n, K) or sequence of n sets of classes
        Column j of the array is class j. A row that allows every class is uninformative, and so is
        None in place of a set. A single class instead of a set counts as a set of one.
    n_samples : int
        Required number of rows.

    Returns
    -------
    classes : array (K,)
        All classes that are named.
    informative : boolean array (n,)
        Rows that rule out a class.
    allowed : boolean array (n_informative, K)
        Their candidate sets.

    Raises
    ------
    ValueError
        If a set is empty, the number of rows is not ``n_samples``, or no row is informative.
    """
    candidates = np.asarray(candidates) if hasattr(candidates, "__array__") else candidates
    if _looks_like_matrix(candidates):
        allowed = _boolean_matrix(np.asarray(candidates))
        classes = np.arange(allowed.shape[1])
        given = np.ones(len(allowed), dtype=bool)
    else:
        sets = [_as_set(entry) for entry in candidates]
        given = np.array([entry is not None for entry in sets], dtype=bool)
        classes = _classes(set().union(*(entry for entry in sets if entry is not None)))
        place = {label: j for j, label in enumerate(classes.tolist())}
        allowed = np.zeros((len(sets), len(classes)), dtype=bool)
        for i, entry in enumerate(sets):
            allowed[i, [place[label] for label in entry or ()]] = True
    if len(allowed) != n_samples:
        raise ValueError(
            f"There are {len(allowed)} candidate sets for {n_samples} samples: give one for each."
        )
    empty = np.flatnonzero(given & ~allowed.any(axis=1))
    if empty.size:
        raise ValueError(
            f"The candidate set of row {empty[0]} is empty ({empty.size} in all): a point of which "
            "nothing is known may have any class; say so with None, or with all of them."
        )
    informative = given & ~(allowed.all(axis=1) & (allowed.shape[1] > 1))
    if not informative.any():
        raise ValueError(
            "No candidate set rules out any class: give at least one row with fewer candidates."
        )
    return classes, informative, allowed[informative]


def _looks_like_matrix(candidates) -> bool:
    """A 2-d array, or lists of truth values in place of rows."""
    if isinstance(candidates, np.ndarray):
        return candidates.ndim == 2
    return len(candidates) > 0 and all(
        isinstance(row, list | tuple) and row and all(isinstance(v, bool) for v in row)
        for row in candidates
    )


def _boolean_matrix(candidates: Array) -> Array:
    if candidates.dtype != bool and not np.isin(candidates, (0, 1)).all():
        raise ValueError(
            "A matrix of candidates must be boolean, one column for each class: True where that "
            "class is possible."
        )
    if candidates.shape[1] < 1:
        raise ValueError("A matrix of candidates needs one column for each class.")
    return candidates.astype(bool)


def _as_set(entry) -> set | None:
    if entry is None:
        return None
    if isinstance(entry, str) or not isinstance(entry, Iterable):
        entry = (entry,)
    return {item.item() if isinstance(item, np.generic) else item for item in entry}


def _classes(labels: set) -> Array:
    try:
        return np.array(sorted(labels))
    except TypeError as error:
        raise ValueError("The classes in the candidate sets must be of one type.") from error
