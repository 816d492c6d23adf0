"""Cross-validation that hides labels but keeps all points, and scores over labelled points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import BaseCrossValidator

from lapviz._sklearn import rows_of
from lapviz.checks import (
    are_missing,
    check_choice,
    check_count,
    check_weights,
    entries_of,
    floats_of,
)
from lapviz.estimates.leave_one_out import label_folds
from lapviz.estimators.targets import is_unlabelled, mark_unlabelled, scored_rows

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
        The mark of unlabelled points in y. "auto" is NaN if y contains one, else -1; in a
        floating-point y, -1 is a mark only if all values are integers.

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
        labelled, classes, y = self._labelled(y)
        rows = np.flatnonzero(labelled)
        codes = np.unique(y[rows], return_inverse=True)[1] if classes else None
        for fold in label_folds(len(rows), self.n_splits, codes, self.random_state):
            test = rows[fold]
            yield np.setdiff1d(np.arange(len(y)), test), test

    def _labelled(self, y) -> tuple[Any, bool, Array]:
        """Mask of the labelled rows, whether y holds classes, and y as an array."""
        check_choice("mark", self.mark, ("auto", "nan", -1))
        entries = entries_of(y)
        kind = entries.dtype.kind
        if kind == "O":  # that of the entries that are not missing
            present = entries[~are_missing(entries)].tolist()
            kind = np.array(present).dtype.kind if present else "f"
        several = entries.ndim == 2 and entries.shape[1] > 1
        if several and kind == "b":  # candidates of every point, as PartialLabelClassifier takes
            return ~np.all(entries, axis=1), False, entries
        if several and self.mark == -1:
            raise ValueError(
                "mark=-1 marks one column of classes: several outputs take mark='nan'."
            )
        if several and kind in "iu":
            entries, kind = floats_of(entries), "f"
        if kind == "f" or (kind in "iubO" and self.mark == "nan"):
            values = floats_of(entries)
            missing = np.isnan(values).reshape(len(values), -1).any(axis=1)
            whole = values.ndim == 1 and not missing.any() and (values == np.round(values)).all()
            if self.mark == "nan" or (self.mark == "auto" and not whole):
                return ~missing, False, values
        elif self.mark == "nan":
            return np.ones(len(entries), bool), False, entries
        y = mark_unlabelled(y)
        return ~is_unlabelled(y), y.ndim == 1, y


class LabelledScorer:
    """A score of scikit-learn over the labelled points only, for any folds.

    For ``scoring=`` of scikit-learn's `GridSearchCV`, `cross_val_score` and the like. Given by its
    name, such as ``scoring="accuracy"``, a score takes -1 for a class and counts unlabelled points
    as mistakes, unless the folds leave them out, as those of :class:`LabelledKFold` do.

    Parameters
    ----------
    scoring : str or callable, default "accuracy"
        Name of a scikit-learn score, or a scorer.

    Examples
    --------
    >>> from lapviz import LabelledScorer, LaplacianClassifier, datasets
    >>> from sklearn.model_selection import KFold, cross_val_score
    >>> data = datasets.load("half_moons", n_samples=200, labels_per_class=20, random_state=0)
    >>> model, y = LaplacianClassifier(random_state=0), data.semi_supervised_target()
    >>> scores = cross_val_score(model, data.X, y, cv=KFold(4), scoring=LabelledScorer("f1_macro"))
    >>> bool(scores.min() > 0.9)
    True
    """

    def __init__(self, scoring: str | Callable[..., float] = "accuracy"):
        self.scoring = scoring
        self._scorer = get_scorer(scoring)

    def __call__(self, estimator, X, y, sample_weight=None) -> float:
        """Compute the score over the labelled points.

        Parameters
        ----------
        estimator : object
            A fitted estimator.
        X : array (n, n_features)
            Points.
        y : array (n,)
            Classes, -1 where unlabelled; of a regressor targets, NaN where unlabelled.
        sample_weight : array (n,), optional
            Weights of the points.

        Returns
        -------
        float
            The score; higher is better.

        Raises
        ------
        ValueError
            If no point is labelled, or X, y and the weights differ in length.
        """
        y, rows = scored_rows(X, y, sample_weight, is_classifier(estimator))
        params = {}
        if sample_weight is not None:
            params["sample_weight"] = check_weights(sample_weight, len(y))[rows]
        return self._scorer(estimator, rows_of(X, rows), y[rows], **params)

    def __repr__(self) -> str:
        return f"LabelledScorer({self.scoring!r})"
