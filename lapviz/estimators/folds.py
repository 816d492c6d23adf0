"""Cross-validation that hides labels and never points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from lapviz.checks import check_choice, check_count
from lapviz.estimates.leave_one_out import label_folds
from lapviz.estimators.targets import is_unlabelled

Array = np.ndarray


class LabelledKFold(BaseCrossValidator):
    """Folds of the labelled points; every training set also holds all unlabelled ones.

    For ``cv=`` of scikit-learn's `GridSearchCV`, `cross_val_score` and the like: no unlabelled
    point is ever scored, none is ever lost. Classes are spread evenly over the folds.

    Parameters
    ----------
    n_splits : int, default 5
    random_state : int, RandomState or None, default 0
    mark : {"auto", "nan", -1}, default "auto"
        What means unlabelled in y. "auto" is NaN if there is one, else -1; among real numbers -1
        is a mark only if all are whole.
    """

    def __init__(self, n_splits=5, *, random_state=0, mark="auto"):
        self.n_splits = n_splits
        self.random_state = random_state
        self.mark = mark

    def get_n_splits(self, X=None, y=None, groups=None) -> int:
        return check_count("n_splits", self.n_splits, minimum=2)

    def split(self, X, y=None, groups=None) -> Iterator[tuple[Array, Array]]:
        """Pairs of row indices (train, test); y (n,) or (n, k) is required."""
        if y is None:
            raise ValueError("LabelledKFold needs y, to know which points are labelled.")
        y = np.asarray(y)
        labelled, classes = self._labelled(y)
        rows = np.flatnonzero(labelled)
        codes = np.unique(y[rows], return_inverse=True)[1] if classes else None
        for fold in label_folds(len(rows), self.n_splits, codes, self.random_state):
            test = rows[fold]
            yield np.setdiff1d(np.arange(len(y)), test), test

    def _labelled(self, y: Array) -> tuple[Array, bool]:
        """Mask of the labelled rows, and whether y holds classes."""
        check_choice("mark", self.mark, ("auto", "nan", -1))
        real = y.dtype.kind == "f"
        missing = np.isnan(y).reshape(len(y), -1).any(axis=1) if real else np.zeros(len(y), bool)
        if self.mark == "nan" or (self.mark == "auto" and real and missing.any()):
            return ~missing, False
        if real and self.mark == "auto" and (y.ndim > 1 or (y != np.round(y)).any()):
            return ~missing, False
        return ~is_unlabelled(y), y.ndim == 1
