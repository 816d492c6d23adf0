"""Where a field has data near it, for the limits of colour scales and the fading of empty space."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from lapviz.contract import CONTRACT
from lapviz.scenes import Grid, Scene

Array = np.ndarray
_NEAR = CONTRACT["near"]
COVER = _NEAR["cover"]  # how much a field is faded far from the data


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
    away = tree.query(sites)[0] / _spacing(tree, diagonal)
    t = np.clip((away - _NEAR["inner"]) / (_NEAR["outer"] - _NEAR["inner"]), 0, 1)
    return np.floor(255 * (1 - t * t * (3 - 2 * t))).astype(np.uint8)


def _spacing(tree: cKDTree, diagonal: float) -> float:
    least = _NEAR["least"] * diagonal
    if tree.n < 2:
        return least
    gaps = tree.query(tree.data, k=2)[0][:, 1]
    return max(float(np.quantile(gaps, _NEAR["quantile"])), least)


def region(scene: Scene) -> Array | None:
    """Mask (ny, nx) of the nodes that colour scales are chosen from; None: all of them."""
    if scene.grid is None:
        return None
    inside = near_of(scene) == 255
    return inside if inside.any() else None
