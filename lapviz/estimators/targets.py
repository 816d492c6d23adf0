"""Validation of y: classes, targets, and which of them are missing."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from lapviz._sklearn import rows_of
from lapviz.checks import (
    check_weights,
    entries_of,
    floats_of,
    is_dask,
    is_missing,
    row_shares,
    stack_level,
)
from lapviz.estimates import decode, probabilities

Array = np.ndarray
Method = TypeVar("Method", bound=Callable[..., Any])


MARKS = (-1, "-1", b"-1", "", b"")


def is_unlabelled(y: Array) -> Array:
    """Mask (n,) of the entries -1, as in `sklearn.semi_supervised`; among objects and strings also
    of "-1", empty strings, None, NaN and pandas' NA and NaT.
    """
    if y.dtype.kind in "OUS":
        return np.array([is_missing(v) or v in MARKS for v in y.tolist()], dtype=bool)
    return y == -1


def mark_unlabelled(y) -> Any:
    """Prepare a classifier's y for scikit-learn's checks: -1 where unlabelled, numeric if possible.

    Booleans become 0 and 1 if some entries are unlabelled.

    Raises
    ------
    ValueError
        If y holds floats and NaN among them, as targets of a regression do; dates; or "nan" among
        strings, which NumPy makes of NaN.
    """
    if y is None:
        return None
    refuse_dates(y)
    entries, y = y, entries_of(y)
    if y.dtype.kind in "US" and not hasattr(entries, "dtype"):  # a list's None and NaN are texts
        y = np.asarray(entries, dtype=object)
    elif y.dtype.kind == "U" and (y == "nan").any():
        raise ValueError(
            "y holds the text 'nan', which NumPy makes of NaN among strings: mark unlabelled "
            "points by '' instead, or pass an array of dtype object."
        )
    n_missing = int(np.isnan(y).sum()) if y.dtype.kind == "f" else 0
    if n_missing:
        raise ValueError(
            f"Input y contains NaN ({n_missing} of {y.size} entries) among numbers: unlabelled "
            "points are marked by -1 here, as in sklearn.semi_supervised. Fill them in, for "
            "example by np.where(np.isnan(y), -1, y)."
        )
    if y.ndim == 2 and y.shape[1] == 1:
        y = column_or_1d(y, warn=True)
    if y.dtype.kind != "O" or y.ndim != 1:
        return y
    unlabelled = is_unlabelled(y)
    labels = np.array(y[~unlabelled].tolist())
    if labels.ndim == 1 and labels.dtype.kind in "iufb":  # else strings, or input refused later
        if not unlabelled.any():
            return labels
        if labels.dtype.kind == "u" and (labels >> 63).any():
            raise ValueError(
                "y holds whole numbers from 2⁶³ on beside unlabelled points, which are marked by "
                "-1: convert the classes to strings."
            )
        y = np.full(len(y), -1, float if labels.dtype.kind == "f" else np.int64)
        y[~unlabelled] = labels
        return y
    return np.where(unlabelled, -1, y)


def refuse_dates(y) -> None:
    """ValueError if y holds dates or durations, whose missing entries have no mark."""
    if np.asarray(y).dtype.kind in "mM":
        raise ValueError(
            "y holds dates or durations: convert them, to texts if they are classes, or to numbers "
            "with NaN where unlabelled if they are values."
        )


def scored_rows(X, y, sample_weight, classes: bool) -> tuple[Array, Array]:
    """y as an array, classes by :func:`mark_unlabelled`, and the numbers of its labelled rows.

    Raises
    ------
    ValueError
        If no row is labelled, or X, y and the weights differ in length.
    """
    if not is_dask(X):
        check_consistent_length(X, y, sample_weight)
    y = np.asarray(mark_unlabelled(y)) if classes else as_floats(y)
    rows = np.flatnonzero(~is_unlabelled(y) if classes else has_targets(y))
    if not len(rows):
        raise ValueError(
            "y holds no label to score against: use lapviz.LabelledKFold, whose test folds "
            "hold labelled points."
        )
    return y, rows


def split_labels(y: Array, n_rows: int | None = None) -> tuple[Array, Array, Array]:
    """Classes (K,), the mask of labelled rows (n,), and their codes 0…K−1 (n_labelled,).

    ``n_rows`` is the number of rows if y holds only those with a label.

    Raises
    ------
    ValueError
        If no row is labelled, or the labels are not classes.

    Warns
    -----
    UserWarning
        If some rows are unlabelled and all labels are of one class: -1 may be meant as a class.
    """
    y = mark_unlabelled(y)
    labelled = ~is_unlabelled(y)
    if not labelled.any():
        raise ValueError(
            "y holds no class apart from -1, NaN or blanks, only unlabelled points: label at least "
            "one point."
        )
    n_rows = n_rows or len(y)
    n_unlabelled = n_rows - int(labelled.sum())
    if n_unlabelled and y.dtype == bool:
        y = y.astype(np.int64)  # as by mark_unlabelled, had it seen all rows
    one_type = ValueError(
        "The classes in y must be of one type: convert them all to strings, or to numbers."
    )
    try:
        classes, codes = np.unique(y[labelled], return_inverse=True)
    except TypeError:
        raise one_type from None
    if classes.dtype.kind == "O" and not all(isinstance(name, str) for name in classes):
        raise one_type
    check_classification_targets(np.tile(classes, 2))  # once each, they look like values
    if len(classes) == 1 and n_unlabelled:
        warnings.warn(
            f"All labels are of one class, {classes[0]}, which every point will get. In y, -1 "
            f"marks unlabelled points, {n_unlabelled} of {n_rows} here; if it is a class, "
            "give it another name, for example by np.where(y == -1, 0, y).",
            stacklevel=stack_level(),
        )
    return classes, labelled, codes


def regression_targets(y, n_samples: int) -> Array:
    """y as floats, (n,) or (n, k), NaN where unlabelled.

    Raises
    ------
    ValueError
        If y is missing, has another shape, or holds infinite values.
    """
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    y = as_floats(y)
    if y.ndim not in (1, 2) or len(y) != n_samples or 0 in y.shape[1:]:
        raise ValueError(
            f"y must have shape ({n_samples},) or ({n_samples}, n_outputs), got {y.shape}."
        )
    if np.isinf(y).any():
        raise ValueError("y holds infinite values: only NaN may mark a row as unlabelled.")
    return y


def as_floats(y) -> Array:
    """A regressor's y as floats, NaN where entries are missing; ValueError if it holds dates,
    complex numbers or texts."""
    refuse_dates(y)
    if np.asarray(y).dtype.kind == "c":
        raise ValueError("y holds complex numbers: give real ones, such as y.real.")
    try:
        return floats_of(y)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            "y must be a dense array of numbers, NaN where unlabelled; for classes use classifiers."
        ) from None


def has_class(y: Array) -> Array:
    """Mask (n,) of the labelled rows in a part of a classifier's y."""
    entries = entries_of(y)
    if entries.dtype.kind == "f" and np.isnan(entries).all():  # pandas: of texts, all blank
        return np.zeros(len(entries), dtype=bool)
    return ~is_unlabelled(mark_unlabelled(y))


def has_targets(y: Array) -> Array:
    """Mask (n,) of the rows without NaN in (a part of) a regressor's y."""
    y = as_floats(y)
    return np.asarray(~np.isnan(y).any(axis=tuple(range(1, y.ndim))))


def warn_partly(y: Array) -> None:
    """UserWarning if rows of a regressor's y have some targets, but not all."""
    missing = np.isnan(as_floats(y).reshape(len(y), -1))
    count = int((missing.any(axis=1) & ~missing.all(axis=1)).sum())
    if count:
        warnings.warn(
            f"{count} of {len(y)} rows of y {'has' if count == 1 else 'have'} some of the "
            f"{missing.shape[1]} targets, but not all, and count as unlabelled: fit the columns "
            "one by one to use them.",
            stacklevel=stack_level(),
        )


def labelled_rows(y: Array) -> tuple[Array, Any]:
    """Targets (n, k) and the mask of the rows without NaN.

    Raises
    ------
    ValueError
        If there is no such row.

    Warns
    -----
    UserWarning
        If rows hold some targets, but not all.
    """
    targets = y if y.ndim == 2 else y[:, None]
    labelled, k = has_targets(y), targets.shape[1]
    if not labelled.any() and np.isnan(targets).all() and (len(y) or k == 1):
        raise ValueError("y holds no target, only NaN: give at least one.")
    if not labelled.any():
        raise ValueError(
            f"No row of y holds all {k} targets: give at least one without NaN, or fit the columns "
            "one by one."
        )
    warn_partly(targets)
    return targets, labelled


def weighted_mean(targets: Array, weights: Any, labelled: Any) -> Array:
    """Mean (k,) of targets (n_labelled, k), by the weights (n,) of all rows if there are any."""
    shares = None if weights is None else row_shares(weights[labelled], len(targets))
    mean = targets.mean(axis=0) if shares is None else shares @ targets
    return np.where((targets == targets[0]).all(axis=0), targets[0], mean)  # equal ones exactly


def decode_classes(scores: Array, classes: Array) -> Array:
    """Classes (n,) from scores (n, 1) or (n, K) and the array of classes (K,)."""
    codes = decode(scores)
    return classes[codes if len(classes) > 1 else np.zeros_like(codes)]


def lazy_on_dask(method: Method) -> Method:
    """Apply a method to Dask collections lazily, chunk by chunk, where `fit` takes collections."""

    @wraps(method)
    def dispatch(self, X):
        lazy = getattr(self, "takes_batches", False) and is_dask(X)
        return self._map_chunks(method.__name__, X) if lazy else method(self, X)

    return cast(Method, dispatch)


class LabelledScore:
    """Mixin before scikit-learn's: ``score`` over labelled points only, for any cross-validator."""

    def score(self, X, y, sample_weight=None) -> float:
        """Accuracy of a classifier, R² of a regressor, over the labelled points.

        Parameters
        ----------
        X : array (n, n_features)
            Points.
        y : array (n,) or (n, n_outputs)
            Classes, -1 where unlabelled; or targets, NaN where unlabelled.
        sample_weight : array (n,), optional
            Weights of the points.

        Returns
        -------
        float
            The score, at most 1.

        Raises
        ------
        ValueError
            If no point is labelled, or X, y and the weights differ in length.
        """
        y, rows = scored_rows(X, y, sample_weight, is_classifier(self))
        weights = None if sample_weight is None else check_weights(sample_weight, len(y))[rows]
        if is_dask(X):  # whose rows cannot be selected
            predicted = np.asarray(self.predict(X))  # type: ignore[attr-defined]
            check_consistent_length(predicted, y, sample_weight)
            measure = accuracy_score if is_classifier(self) else r2_score
            return float(measure(y[rows], predicted[rows], sample_weight=weights))
        score = super().score  # type: ignore[misc]  (of scikit-learn's mixin, next in the MRO)
        return score(rows_of(X, rows), y[rows], weights)


class ScoredClassifier(LabelledScore, ClassifierMixin):
    """Mixin to come first: decisions ``_scores(X)`` (n, 1) or (n, K) in the code of SSL21 A.1."""

    classes_: Array
    _scores: Callable[[Any], Array]

    @lazy_on_dask
    def decision_function(self, X) -> np.ndarray:
        """Scores of the classes: values of g in the code of SSL21 A.1.

        Parameters
        ----------
        X : array (n, n_features)
            Points; a Dask collection where `fit` takes one.

        Returns
        -------
        array (n,) or (n, n_classes)
            For two classes one score, positive for the second; otherwise one for each class. Of a
            Dask collection: a dask array, not yet computed.
        """
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) <= 2 else scores

    @lazy_on_dask
    def predict(self, X) -> np.ndarray:
        """Predict the class of the largest score.

        Parameters
        ----------
        X : array (n, n_features)
            Points; a Dask collection where `fit` takes one.

        Returns
        -------
        array (n,)
            Entries of ``classes_``. Of a Dask collection: a dask array, not yet computed.
        """
        return decode_classes(self._scores(X), self.classes_)


class ProbabilisticClassifier(ScoredClassifier):
    """Mixin for classifiers with probabilities."""

    def predict_proba(self, X) -> np.ndarray:
        """Least-squares class probabilities: positive parts of the shares, scaled to sum 1.

        Parameters
        ----------
        X : array (n, n_features)
            Points.

        Returns
        -------
        array (n, n_classes)
            Probabilities in the order of ``classes_``, rows of sum 1.
        """
        return probabilities(self._scores(X), len(self.classes_))


class TargetRegressor(LabelledScore, RegressorMixin):
    """Mixin to come first: values from ``_scores(X)`` (n, k), for targets centred by their mean."""

    target_mean_: Any
    _single: bool  # y had one dimension
    _scores: Callable[[Any], Array]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @lazy_on_dask
    def predict(self, X) -> np.ndarray:
        """Predict values.

        Parameters
        ----------
        X : array (n, n_features)
            Points; a Dask collection where `fit` takes one.

        Returns
        -------
        array (n,) or (n, n_outputs)
            Values of the estimate, in the units and the shape of y. Of a Dask collection: a dask
            array, not yet computed.
        """
        return self._shaped(self._scores(X) + self.target_mean_)

    def _shaped(self, values: Array) -> Array:
        """Values (…, k) without the last axis if y had one dimension."""
        return values[..., 0] if self._single else values
