"""Cross-validation that hides labels but keeps all points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from lapviz.checks import check_choice, check_count
from lapviz.estimates.leave_one_out import label_folds
from lapviz.estimators.targets import is_unlabelled

Array = np.ndarray


class LabelledKFold(BaseCrossValidator):
    """Folds of the labelled points; every training set also holds all unlabelled ones.

    For ``cv=`` of scikit-learn's `GridSearchCV`, `cross_val_score` and the like: unlabelled points
    are never scored and always in the training set. Classes are spread evenly over the folds.

    Parameters
    ----------
    n_splits : int, default 5
        Number of folds, from 2 to the number of labelled points.
    random_state : int, RandomState or None, default 0
        Seed of the folds.
    mark : {"auto", "nan", -1}, default "auto"
        The mark of unlabelled points in y. "auto" is NaN if y has one, else -1; in floating-point
        y, -1 is a mark only if all values are whole.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import LabelledKFold
    >>> y = np.array([0, 1, 0, 1, -1, -1, -1])
    >>> for train, test in LabelledKFold(2).split(None, y):
    ...     print(len(train), sorted(y[test].tolist()))
    5 [0, 1]
    5 [0, 1]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        random_state: int | np.random.RandomState | None = 0,
        mark: str | int = "auto",
    ):
        self.n_splits = n_splits
        self.random_state = random_state
        self.mark = mark

    def get_n_splits(self, X=None, y=None, groups=None) -> int:
        """Number of folds.

        Parameters
        ----------
        X, y, groups : object
            Ignored.

        Returns
        -------
        int
            ``n_splits``.
        """
        return check_count("n_splits", self.n_splits, minimum=2)

    def split(self, X, y=None, groups=None) -> Iterator[tuple[Array, Array]]:
        """Generate the folds.

        Parameters
        ----------
        X : object
            Ignored.
        y : array (n,) or (n, k)
            Classes or targets; required.
        groups : object
            Ignored.

        Yields
        ------
        train, test : int array (n_train,), int array (n_test,)
            Row indices; ``test`` holds labelled points only.

        Raises
        ------
        ValueError
            If y is missing, or fewer points are labelled than there are folds.
        """
        if y is None:
            raise ValueError("LabelledKFold needs y, to know which points are labelled.")
        y = np.asarray(y)
        labelled, classes = self._labelled(y)
        rows = np.flatnonzero(labelled)
        codes = np.unique(y[rows], return_inverse=True)[1] if classes else None
        for fold in label_folds(len(rows), self.n_splits, codes, self.random_state):
            test = rows[fold]
            yield np.setdiff1d(np.arange(len(y)), test), test

    def _labelled(self, y: Array) -> tuple[Any, bool]:
        """Mask of the labelled rows, and whether y holds classes."""
        check_choice("mark", self.mark, ("auto", "nan", -1))
        real = y.dtype.kind == "f"
        missing = np.isnan(y).reshape(len(y), -1).any(axis=1) if real else np.zeros(len(y), bool)
        if self.mark == "nan" or (self.mark == "auto" and real and missing.any()):
            return ~missing, False
        if real and self.mark == "auto" and (y.ndim > 1 or (y != np.round(y)).any()):
            return ~missing, False
        return ~is_unlabelled(y), y.ndim == 1
