"""Fits of a visitor's whole table: predictions for every row, and how good they may be.

Labels above :data:`MOST_LABELS` are not needed for a fit and check it instead. Everything here runs
in jobs; nothing imports Streamlit. :mod:`lapviz.explorer.pages.data.script` writes the same as a
script.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lapviz.estimators import (
    GalerkinEmbedding,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
)
from lapviz.explorer.compute.cache import step
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.specs import DataSpec
from lapviz.progress import report, track

Array = np.ndarray

LARGE = 5000  # rows of a table whose fit begins only when it is asked for
MOST_LABELS = 5000  # that a fit takes: its time and memory grow with them
SPLITS = 5
BLOCK = 20_000  # rows predicted at once


@dataclass(frozen=True, eq=False)
class Targets:
    """What a fit is told. Labels of rows of weight 0 do not count.

    Attributes
    ----------
    y : array (n,)
        Codes or values of the labels that the fit takes, -1 or NaN elsewhere.
    known : array (n,)
        All that are known.
    drawn : bool
        Whether only a part of them is taken.
    weights : array (n,) or None
        Of the rows.
    """

    y: Array
    known: Array
    drawn: bool
    weights: Array | None = None

    @property
    def used(self) -> Array:
        """Rows (m,) of the labels that are taken."""
        return np.flatnonzero(_given(self.y))

    @property
    def held_out(self) -> Array:
        """Rows whose label is known and not taken."""
        return np.flatnonzero(_given(self.known) & ~_given(self.y))


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted estimator and what it says of every row.

    Attributes
    ----------
    model : LaplacianClassifier or LaplacianRegressor
    targets : Targets
    predicted : array (n,)
        Class codes, or values.
    chances : array (n, n_classes) or None
        Class probabilities, one column for each of ``model.classes_``.
    std : array (n,) or None
        Standard deviations of new values.
    far : array (n,) of bool
        Rows that are far from all data of the fit.
    seconds : float
    right : float or None
        On labels that the fit did not take: the share right, or R², weighted as the rows are.
    """

    model: object
    targets: Targets
    predicted: Array
    chances: Array | None
    std: Array | None
    far: Array
    seconds: float
    right: float | None


def _given(y: Array) -> Array:
    return ~np.isnan(y) if y.dtype.kind == "f" else y >= 0


def targets(data: DataSpec, marks: tuple[tuple[int, int], ...] = ()) -> Targets:
    """The table's labels, and those set by hand, ``marks``, as rows and codes.

    Raises
    ------
    ValueError
        If they do not suffice.
    """
    thing = STORE.get(data.source)
    values = thing.prepared.task == "values"
    known, weights = (thing.prepared.y if values else thing.codes).copy(), thing.prepared.weights
    for row, code in marks:
        known[row] = code
    if weights is not None:
        known[weights == 0] = np.nan if values else -1
    rows = np.flatnonzero(_given(known))
    if values:
        if len(rows) < 2:
            raise ValueError("At least two rows need a value in the label column.")
    elif len(np.unique(known[rows])) < 2:
        raise ValueError(
            "A fit needs labelled rows of at least two classes: choose a label column, or label "
            "points by hand on the page “Labels”."
        )
    if len(rows) <= MOST_LABELS:
        return Targets(known, known, False, weights)
    taken = np.random.default_rng(0).permutation(rows)[:MOST_LABELS]
    if not values:  # one of each class at least
        taken = np.union1d(taken, rows[np.unique(known[rows], return_index=True)[1]])
    y = np.full(len(known), np.nan) if values else np.full(len(known), -1)
    y[taken] = known[taken]
    return Targets(y, known, True, weights)


def estimator(data: DataSpec):
    """The unfitted estimator of a table."""
    if STORE.get(data.source).prepared.task == "values":
        return LaplacianRegressor(random_state=0)
    return LaplacianClassifier(random_state=0)


@step
def fitted(data: DataSpec, marks: tuple[tuple[int, int], ...] = ()) -> Fitted:
    """The fit to the whole table and its predictions."""
    start = time.perf_counter()
    X, told = STORE.get(data.source).prepared.X, targets(data, marks)
    report("fit", 0)
    model = estimator(data).fit(X, told.y, sample_weight=told.weights)
    predicted, chances, std, far = predictions(model, X)
    rows, right = told.held_out, None
    if rows.size:
        right = _score(told, rows, predicted[rows])
    return Fitted(model, told, predicted, chances, std, far, time.perf_counter() - start, right)


def predictions(model, X: Array) -> tuple[Array, Array | None, Array | None, Array]:
    """Classes or values (n,), chances (n, k) or std (n,), and which rows are far from all data."""
    far = np.zeros(len(X), dtype=bool)
    if isinstance(model, LaplacianRegressor):
        predicted, std = np.empty(len(X)), np.empty(len(X))
        for rows in blocks(len(X)):
            predicted[rows], std[rows] = model.predict(X[rows], return_std=True)
        return predicted, None, std, far
    predicted, chances = np.empty(len(X), dtype=np.int64), np.empty((len(X), len(model.classes_)))
    for rows in blocks(len(X)):
        chances[rows] = model.predict_proba(X[rows])
        predicted[rows] = model.classes_[chances[rows].argmax(axis=1)]
        far[rows] = model.far_from_data(X[rows])
    return predicted, chances, None, far


def blocks(n: int) -> Iterator[slice]:
    starts = range(0, n, BLOCK)
    for start in track(starts, "predictions", len(starts)):
        yield slice(start, start + BLOCK)


def _score(told: Targets, rows: Array, predicted: Array) -> float:
    """The share right, or R², of predictions (m,) at some rows; weighted as the rows are."""
    known = told.known[rows]
    weights = np.ones(len(rows)) if told.weights is None else told.weights[rows]
    if known.dtype.kind != "f":
        return float(np.average(known == predicted, weights=weights))
    spread = weights @ (known - np.average(known, weights=weights)) ** 2
    return float(1 - weights @ (known - predicted) ** 2 / spread) if spread else float("nan")


@step
def checked(data: DataSpec, marks: tuple[tuple[int, int], ...] = ()) -> float:
    """The share right, or R², of labels that were hidden in turn."""
    X, told = STORE.get(data.source).prepared.X, targets(data, marks)
    values = told.y.dtype.kind == "f"
    n_splits = min(SPLITS, len(told.used))
    guesses = np.full(len(X), np.nan)
    folds = list(LabelledKFold(n_splits, mark="nan" if values else -1).split(X, told.y))
    for _, hidden in track(folds, "labels hidden in turn", n_splits):
        y = told.y.copy()
        y[hidden] = np.nan if values else -1
        if not values and len(np.unique(y[y >= 0])) < 2:
            continue
        model = estimator(data).fit(X, y, sample_weight=told.weights)
        guesses[hidden] = model.predict(X[hidden])
    rows = told.used[~np.isnan(guesses[told.used])]
    if not rows.size:
        raise ValueError("There are too few labels to hide some of them.")
    return _score(told, rows, guesses[rows])


@step
def embedded(data: DataSpec, n_components: int) -> GalerkinEmbedding:
    """The fitted embedding of the whole table."""
    made = STORE.get(data.source).prepared
    model = GalerkinEmbedding(n_components=n_components, random_state=0)
    return model.fit(made.X, sample_weight=made.weights)


def coordinates(model: GalerkinEmbedding, X: Array) -> Array:
    """Values (n, m) of the embedding at rows, block by block."""
    return np.concatenate([model.transform(X[rows]) for rows in blocks(len(X))])
