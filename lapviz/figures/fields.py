"""Properties of values that a picture shows: range, winning class, errors, data near them."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from lapviz.contract import CONTRACT
from lapviz.estimates.codes import decode
from lapviz.scenes import Grid, Panel, Scene

Array = np.ndarray

_SCALE, _NEAR = CONTRACT["scale"], CONTRACT["near"]
COVER = _NEAR["cover"]  # how much a field is faded far from the data


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
    """End of the colour scale of a panel, by the stage's rule (``scaleOf`` in raster.js); or 0.

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


# ---- where a field has data near it: for colour scales, and the fading of empty space ----


def nearness(grid: Grid, xy: Array) -> Array:
    """How near the nodes of a grid are to the points, array (ny, nx) of uint8.

    255 up to ``inner`` typical spacings from the nearest point, 0 from ``outer`` ones on, and
    smooth between. The typical spacing is a high quantile of the points' distances to their
    nearest neighbours, and at least a small share of the grid's diagonal, so that a gap between
    two groups of dense points does not count as far.

    Parameters
    ----------
    grid : Grid
    xy : array (m, 2)
        The points; without any, all nodes count as near.
    """
    known = np.asarray(xy, dtype=float)
    known = known[np.isfinite(known).all(axis=1)]
    shape = (len(grid.y), len(grid.x))
    if not len(known):
        return np.full(shape, 255, np.uint8)
    diagonal = np.hypot(np.ptp(grid.x), np.ptp(grid.y))
    return _faded(cKDTree(known), grid.sites(), diagonal).reshape(shape)


def nearness_of(X: Array, sites: Array) -> Array:
    """The same at points (m, d) of a slice through data (n, d) of more features, array (m,).

    Parameters
    ----------
    X : array (n, d)
        The data.
    sites : array (m, d)
        Nodes of a grid in the slice.

    Returns
    -------
    array (m,) of uint8
        255 near the data, 0 far from them.
    """
    span = np.maximum(np.ptp(X, axis=0), np.ptp(sites, axis=0))
    return _faded(cKDTree(X), sites, float(np.linalg.norm(span)))


def near_of(scene: Scene) -> Array:
    """How near the nodes of a scene's grid are to the data: as it says, or else in its plane."""
    if scene.near is not None:
        return scene.near
    assert scene.grid is not None
    return nearness(scene.grid, scene.points.xy)


def _faded(tree: cKDTree, sites: Array, diagonal: float) -> Array:
    spacing = _NEAR["least"] * diagonal
    if tree.n > 1:
        gaps = tree.query(tree.data, k=2)[0][:, 1]
        spacing = max(float(np.quantile(gaps, _NEAR["quantile"])), spacing)
    away = tree.query(sites)[0] / spacing
    t = np.clip((away - _NEAR["inner"]) / (_NEAR["outer"] - _NEAR["inner"]), 0, 1)
    return np.floor(255 * (1 - t * t * (3 - 2 * t))).astype(np.uint8)


def region(scene: Scene) -> Array | None:
    """Mask (ny, nx) of the nodes that colour scales are chosen from; None: all of them."""
    if scene.grid is None:
        return None
    inside = near_of(scene) == 255
    return inside if inside.any() else None
