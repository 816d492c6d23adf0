"""Properties of values that a picture shows: range, winning class, errors."""

from __future__ import annotations

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.estimates.codes import decode
from lapviz.scenes import Panel, Scene

Array = np.ndarray

_SCALE = CONTRACT["scale"]


def finite(values: Array) -> Array:
    """The values as float32, with NaN, which Plotly leaves blank, for all that are not finite."""
    with np.errstate(over="ignore"):  # beyond float32's range counts as infinite
        values = np.asarray(values, dtype=np.float32)
    return np.where(np.isfinite(values), values, np.float32(np.nan))


def winners(scores: Array) -> tuple[Array, Array]:
    """Winning class and its margin over the runner-up.

    Parameters
    ----------
    scores : array (K, ...)
        Scores of K >= 2 classes; NaN never wins.

    Returns
    -------
    codes : array (...) of int
        -1 where all scores are NaN.
    margins : array (...)
        At least 0; NaN where all scores are NaN.
    """
    scores = finite(scores)
    filled = np.where(np.isnan(scores), -np.inf, scores)
    best = decode(np.moveaxis(filled, 0, -1))
    top = filled.max(axis=0)
    np.put_along_axis(filled, best[None], -np.inf, axis=0)
    with np.errstate(invalid="ignore"):  # no number at all: inf - inf
        margins = top - filled.max(axis=0)
    codes = np.where(np.isinf(top), -1, best)
    margins[np.isinf(margins)] = 0  # a single finite score wins by an undefined margin
    return codes, margins


def scale_end(values: Array, classes: bool, inside: Array | None = None) -> float:
    """End of the colour scale of a panel, by the stage's rule (``scaleEnd`` in raster.js); or 0.

    Parameters
    ----------
    values : array (1, ...) or (K, ...)
        The field, or the values at the points where there is none.
    classes : bool
        Whether they are scores of classes rather than functions.
    inside : array (...) of bool, optional
        The places that count; by default all. Where a field is beyond the data it may be large
        without meaning anything.
    """
    if inside is not None:
        values = np.asarray(values)[:, inside]
    top = top_of(values)
    if classes or len(values) != 1 or not top > 0:
        return top
    known = finite(values)
    spread = float(np.nanmax(known)) - float(np.nanmin(known))
    return _SCALE["flat_room"] * top if spread < _SCALE["flat_below"] * top else top


def top_of(values: Array) -> float:
    """Largest |value| of (1, ...), largest margin of (K, ...); or 0."""
    sizes = np.abs(finite(values)) if len(values) == 1 else winners(values)[1]
    return float(np.nanmax(sizes, initial=0)) if not np.isnan(sizes).all() else 0.0


def of_classes(scores: Array) -> Array:
    """Scores of K classes as they are; one signed score (1, ...) as those of two, 0 for the first.

    The estimators, too, predict the second class where the score is positive.
    """
    return np.concatenate([-scores, scores]) if len(scores) == 1 else scores


def boundaries(scores: Array) -> list[Array]:
    """Signed fields (ny, nx) whose zero lines together are the decision boundaries of K scores.

    For each class that wins somewhere: its score less the best of the others.
    """
    scores = finite(scores)
    filled = np.where(np.isnan(scores), -np.inf, scores)
    present = [int(code) for code in np.unique(winners(scores)[0]) if code >= 0]
    if len(present) < 2:
        return []
    with np.errstate(invalid="ignore"):  # no number at all: inf - inf
        return [finite(filled[c] - np.delete(filled, c, 0).max(axis=0)) for c in present]


def wrong_points(scene: Scene, panel: Panel) -> Array:
    """Mask (m,) of the drawn points, labelled ones left out, that do not get their known class."""
    truth = scene.points.truth
    if scene.kind != "classes" or truth is None or panel.note:
        return np.zeros(len(scene.points.xy), bool)
    given = np.isin(scene.points.index, [label.index for label in scene.labels])
    codes = winners(of_classes(panel.points))[0]
    return (np.asarray(truth) >= 0) & ~given & (codes != truth)
