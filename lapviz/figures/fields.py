"""Properties of the values that a picture shows: range, winning class, errors, nearby data."""

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
    """The values as float32; those that are not finite become NaN, which Plotly leaves blank."""
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
    filled = _filled(scores)
    best = decode(np.moveaxis(filled, 0, -1))
    top = filled.max(axis=0)
    np.put_along_axis(filled, best[None], -np.inf, axis=0)
    with np.errstate(invalid="ignore"):  # all scores NaN: inf - inf
        margins = top - filled.max(axis=0)
    codes = np.where(np.isinf(top), -1, best)
    margins[np.isinf(margins)] = 0  # the margin of a single finite score is undefined
    return codes, margins


def _filled(scores: Array) -> Array:
    """Scores in full precision, since a score of 1e-50 may win; -inf where Plotly draws none."""
    return np.where(np.isnan(finite(scores)), -np.inf, np.asarray(scores, dtype=float))


def scale_end(values: Array, classes: bool, inside: Array | None = None) -> float:
    """End of a panel's colour scale, by the stage's rule (``scaleOf`` in raster.js), or 0.

    Parameters
    ----------
    values : array (1, ...) or (K, ...)
        The field, or the values at the points where there is no field.
    classes : bool
        Whether they are scores of classes rather than functions.
    inside : array (...) of bool, optional
        The places that count; by default all. Away from the data a field may be large without
        meaning anything.
    """
    if inside is not None:
        values = np.asarray(values)[:, inside]
    top = largest(values)
    return top if classes or not is_constant(values) else _SCALE["flat_room"] * top


def is_constant(values: Array) -> bool:
    """Whether a function (1, ...) is constant, up to rounding, and not 0."""
    top, finite_values = largest(values), finite(values)
    if len(values) != 1 or not top > 0:
        return False
    spread = float(np.nanmax(finite_values)) - float(np.nanmin(finite_values))
    return spread < _SCALE["flat_below"] * top


def largest(values: Array) -> float:
    """Largest |value| of (1, ...) or largest margin of (K, ...), or 0."""
    sizes = np.abs(finite(values)) if len(values) == 1 else winners(values)[1]
    return float(np.nanmax(sizes, initial=0)) if not np.isnan(sizes).all() else 0.0


def per_class(scores: Array) -> Array:
    """Scores of K classes unchanged; a signed score (1, ...) as those of two classes.

    A score of 0 counts for the first class: the estimators, too, predict the second class where
    the score is positive.
    """
    return np.concatenate([-scores, scores]) if len(scores) == 1 else scores


def boundaries(scores: Array) -> list[Array]:
    """Signed fields (ny, nx) whose zero lines together are the decision boundaries of K scores.

    One for each class that wins somewhere: its score minus the best score of the other classes.
    """
    filled = _filled(scores)
    present = [int(code) for code in np.unique(winners(scores)[0]) if code >= 0]
    if len(present) < 2:
        return []
    with np.errstate(invalid="ignore"):  # all scores NaN: inf - inf
        return [finite(filled[c] - np.delete(filled, c, 0).max(axis=0)) for c in present]


def wrong_points(scene: Scene, panel: Panel) -> Array:
    """Mask (m,) of the unlabelled drawn points whose predicted class is not the known one."""
    truth = scene.points.truth
    if scene.kind != "classes" or truth is None or panel.note:
        return np.zeros(len(scene.points.xy), bool)
    labelled = np.isin(scene.points.index, [label.index for label in scene.labels])
    codes = winners(per_class(panel.points))[0]
    return (np.asarray(truth) >= 0) & ~labelled & (codes != truth)


# ---- nearness to the data: for colour scales, and for fading empty space ----


def nearness(grid: Grid, xy: Array) -> Array:
    """How near a grid's nodes are to the points, array (ny, nx) of uint8.

    255 up to ``inner`` typical spacings from the nearest point, 0 beyond ``outer`` of them, and
    smooth in between. The typical spacing is a high quantile of the points' distances to their
    nearest neighbours, and at least a small share of the grid's diagonal, so that a gap between
    two groups of dense points does not count as far.

    Parameters
    ----------
    grid : Grid
    xy : array (m, 2)
        The points; without any, all nodes count as near.
    """
    finite_points = np.asarray(xy, dtype=float)
    finite_points = finite_points[np.isfinite(finite_points).all(axis=1)]
    shape = (len(grid.y), len(grid.x))
    if not len(finite_points):
        return np.full(shape, 255, np.uint8)
    diagonal = np.hypot(np.ptp(grid.x), np.ptp(grid.y))
    return _faded(cKDTree(finite_points), grid.sites(), diagonal).reshape(shape)


def nearness_of(X: Array, sites: Array) -> Array:
    """Nearness at points (m, d) of a slice through data (n, d) of more than two features.

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


def scene_nearness(scene: Scene) -> Array:
    """Nearness of a scene's grid to the data: the scene's own, or that in its plane."""
    if scene.near is not None:
        return scene.near
    assert scene.grid is not None
    return nearness(scene.grid, scene.points.xy)


def _faded(tree: cKDTree, sites: Array, diagonal: float) -> Array:
    spacing = _NEAR["least"] * diagonal
    if tree.n > 1:
        gaps = tree.query(tree.data, k=2)[0][:, 1]
        spacing = max(float(np.quantile(gaps, _NEAR["quantile"])), spacing)
    distances = tree.query(sites)[0] / spacing
    t = np.clip((distances - _NEAR["inner"]) / (_NEAR["outer"] - _NEAR["inner"]), 0, 1)
    return np.floor(255 * (1 - t * t * (3 - 2 * t))).astype(np.uint8)


def region(scene: Scene) -> Array | None:
    """Mask (ny, nx) of the nodes that determine the colour scales; None: all of them."""
    if scene.grid is None:
        return None
    inside = scene_nearness(scene) == 255
    return inside if inside.any() else None
