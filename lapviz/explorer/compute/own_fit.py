"""Fits to a visitor's full table: predictions for every row, and their estimated accuracy.

A fit takes about :data:`MOST_LABELS` labels at most, those set by hand among them; the others check
it. Everything here runs in jobs; nothing imports Streamlit.
:mod:`lapviz.explorer.pages.data.script` writes the same computation as a script.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.estimators import (
    GalerkinEmbedding,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
)
from lapviz.explorer.compute import points
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.progress import report, track

Array = np.ndarray

LARGE = 5000  # rows above which a fit starts only on request
MOST_LABELS = 5000  # labels that a fit takes: its time and memory grow with them
SPLITS = 5
BLOCK = 20_000  # rows predicted at once


@dataclass(frozen=True, eq=False)
class Targets:
    """Labels and row weights of a fit. Labels of rows of weight 0 do not count.

    Attributes
    ----------
    y : array (n,)
        Codes or values of the labels that the fit takes, -1 or NaN elsewhere.
    known : array (n,)
        All known labels.
    weights : array (n,) or None
        Weights of the rows.
    """

    y: Array
    known: Array
    weights: Array | None = None

    @property
    def used(self) -> Array:
        """Rows (m,) whose labels the fit takes."""
        return np.flatnonzero(_is_known(self.y))

    @property
    def held_out(self) -> Array:
        """Rows whose label is known, but not taken by the fit."""
        return np.flatnonzero(_is_known(self.known) & ~_is_known(self.y))


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted estimator and its predictions for every row.

    Attributes
    ----------
    model : LaplacianClassifier or LaplacianRegressor
    targets : Targets
    predicted : array (n,)
        Class codes, or values.
    probabilities : array (n, n_classes) or None
        Class probabilities, one column for each of ``model.classes_``.
    std : array (n,) or None
        Standard deviations of new values.
    far : array (n,) of bool
        Rows far from all data of the fit.
    seconds : float
        Time of the fit and its predictions.
    score : float or None
        Accuracy or R² on the labels that the fit did not take, weighted as the rows are.
    """

    model: object
    targets: Targets
    predicted: Array
    probabilities: Array | None
    std: Array | None
    far: Array
    seconds: float
    score: float | None


def _is_known(y: Array) -> Array:
    return ~np.isnan(y) if y.dtype.kind == "f" else y >= 0


def targets(data: DataSpec, marks: tuple[tuple[int, int], ...] = ()) -> Targets:
    """Labels of the table, with those set by hand.

    Parameters
    ----------
    data : DataSpec
    marks : tuple of (int, int)
        Rows and class codes of the labels set by hand, −1 for those removed.

    Raises
    ------
    ValueError
        If a fit needs more labels.
    """
    table = STORE.get(data.source)
    values = table.prepared.task == "values"
    known, weights = (table.prepared.y if values else table.codes).copy(), table.prepared.weights
    for row, code in marks:
        known[row] = code
    of_weight = ""
    if weights is not None and not weights.all():
        known[weights == 0] = np.nan if values else -1
        of_weight = f" and of a positive {table.roles.weight!r}"
    rows = np.flatnonzero(_is_known(known))
    if values:
        if len(rows) < 2:
            raise ValueError(f"A fit needs two rows with a value in the label column{of_weight}.")
    elif len(np.unique(known[rows])) < 2:
        how, numbers = "choose another label column", ""
        if table.roles.label is None:
            how, numbers = "choose a label column", ", or rows with numbers to learn"
            blank = [column.name for column in table.table.columns if column.n_missing]
            if len(blank) == 1:  # perhaps to be predicted
                how += f" (only {blank[0]!r} has blank cells)"
        elif table.prepared.task == "none":
            is_text = table.table.column(table.roles.label).is_text
            how = f"choose “Classes”{'' if is_text else ' or “Values”'} as “The label is”"
        raise ValueError(
            f"A fit needs labelled rows of at least two classes{of_weight}{numbers}: {how}, or "
            "label points by hand on the page “Labels”."
        )
    if len(rows) <= MOST_LABELS:
        return Targets(known, known, weights)
    chosen = np.random.default_rng(0).permutation(rows)[:MOST_LABELS]
    chosen = np.union1d(chosen, rows[np.isin(rows, [row for row, _ in marks])])
    if not values:  # one of each class at least
        chosen = np.union1d(chosen, rows[np.unique(known[rows], return_index=True)[1]])
    y = np.full(len(known), np.nan) if values else np.full(len(known), -1)
    y[chosen] = known[chosen]
    return Targets(y, known, weights)


def estimator(y: Array, class_prior: tuple[float, ...] | None = None):
    """Unfitted estimator for labels, with the proportions of all classes if they are known."""
    if y.dtype.kind == "f":
        return LaplacianRegressor(random_state=0)
    class_prior = points.proportions_of_labelled(class_prior, y)
    return LaplacianClassifier(class_prior=class_prior, random_state=0)


@step
def fitted(
    data: DataSpec,
    marks: tuple[tuple[int, int], ...] = (),
    class_prior: tuple[float, ...] | None = None,
) -> Fitted:
    """Fit to the full table and predict every row."""
    start = time.perf_counter()
    X, labels = STORE.get(data.source).prepared.X, targets(data, marks)
    report("fit", 0)
    model = estimator(labels.y, class_prior).fit(X, labels.y, sample_weight=labels.weights)
    probabilities, std, far = None, None, np.zeros(len(X), dtype=bool)
    if isinstance(model, LaplacianRegressor):
        predicted, std = by_block(lambda rows: model.predict(rows, return_std=True), X)
    else:
        probabilities, far = by_block(
            lambda rows: (model.predict_proba(rows), model.far_from_data(rows)), X
        )
        predicted = model.classes_[probabilities.argmax(axis=1)]
    rows = labels.held_out
    score = _score(labels, rows, predicted[rows]) if rows.size else None
    seconds = time.perf_counter() - start
    return Fitted(model, labels, predicted, probabilities, std, far, seconds, score)


def by_block(function: Callable[[Array], tuple[Array, ...]], X: Array) -> list[Array]:
    """Arrays of a function for all rows X (n, d), computed block by block, with progress."""
    starts = range(0, len(X), BLOCK)
    blocks = [function(X[i : i + BLOCK]) for i in track(starts, "predictions", len(starts))]
    return [np.concatenate(parts) for parts in zip(*blocks, strict=True)]


def _score(labels: Targets, rows: Array, predicted: Array) -> float:
    """Accuracy or R² of predictions (m,) at some rows, weighted as the rows are."""
    known = labels.known[rows]
    weights = np.ones(len(rows)) if labels.weights is None else labels.weights[rows]
    if known.dtype.kind != "f":
        return float(np.average(known == predicted, weights=weights))
    spread = weights @ (known - np.average(known, weights=weights)) ** 2
    return float(1 - weights @ (known - predicted) ** 2 / spread) if spread else float("nan")


@step
def cross_validated(
    data: DataSpec,
    marks: tuple[tuple[int, int], ...] = (),
    class_prior: tuple[float, ...] | None = None,
) -> float:
    """Cross-validated accuracy or R²: each fold of the labels is hidden in turn."""
    X, labels = STORE.get(data.source).prepared.X, targets(data, marks)
    values = labels.y.dtype.kind == "f"
    n_splits = min(SPLITS, len(labels.used))
    predicted = np.full(len(X), np.nan)
    folds = list(LabelledKFold(n_splits, mark="nan" if values else -1).split(X, labels.y))
    for _, hidden in track(folds, "labels hidden in turn", n_splits):
        y = labels.y.copy()
        y[hidden] = np.nan if values else -1
        if not values:  # a hidden label whose class has no other cannot be predicted
            hidden = hidden[np.isin(labels.y[hidden], y)]
            if not hidden.size or len(np.unique(y[y >= 0])) < 2:
                continue
        model = estimator(y, class_prior).fit(X, y, sample_weight=labels.weights)
        predicted[hidden] = model.predict(X[hidden])
    rows = labels.used[~np.isnan(predicted[labels.used])]
    if not rows.size:
        raise ValueError("There are too few labels to hide some: a class needs two.")
    return _score(labels, rows, predicted[rows])


@step
def embedded(data: DataSpec, n_components: int) -> GalerkinEmbedding:
    """Fitted embedding of the full table: the constant, and ``n_components`` eigenfunctions."""
    prepared = STORE.get(data.source).prepared
    model = GalerkinEmbedding(n_components=n_components + 1, random_state=0)
    return model.fit(prepared.X, sample_weight=prepared.weights)


def coordinates(model: GalerkinEmbedding, X: Array) -> Array:
    """Coordinates (n, m) of rows in the embedding."""
    return by_block(lambda rows: (model.transform(rows),), X)[0]
