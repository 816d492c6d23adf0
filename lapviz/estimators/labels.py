"""What y means: classes, targets, and which of them are missing."""

from __future__ import annotations

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

Array = np.ndarray


def is_unlabelled(y: Array) -> Array:
    """Mask of the entries -1, the mark of `sklearn.semi_supervised`; among strings "-1"."""
    if y.dtype.kind in "OUS":
        return np.array([v in (-1, "-1", b"-1") for v in y.tolist()], dtype=bool)
    return y == -1


def split_labels(y: Array) -> tuple[Array, Array, Array]:
    """Classes (K,), the mask of labelled rows (n,), and their codes 0…K−1 (n_labelled,).

    Raises
    ------
    ValueError
        If no row is labelled, or the labels are not classes.
    """
    labelled = ~is_unlabelled(y)
    if not labelled.any():
        raise ValueError("y holds no class, only unlabelled points: label at least one point.")
    check_classification_targets(y[labelled])
    classes, codes = np.unique(y[labelled], return_inverse=True)
    return classes, labelled, codes
