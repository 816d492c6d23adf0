"""Where samples lie in a picture: planes through the data, views, grids, which rows are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.explorer import pipeline
from lapviz.explorer.cache import step
from lapviz.explorer.hosting import MAX_DRAWN
from lapviz.explorer.settings import Settings
from lapviz.figures import projections
from lapviz.scenes import Grid

Array = np.ndarray
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
N_AXES = 16  # eigenfunctions that can be an axis


@dataclass(frozen=True, eq=False)
class Plane:
    """Where the samples lie in the picture. ``field`` says whether functions live on the plane."""

    xy: Array
    axes: tuple[str, str]
    field: bool
    key: str


def plane_of(settings: Settings) -> Plane:
    """Coordinates of all samples in the picture's plane."""
    data = pipeline.sample(settings)
    X, names = data.X, data.feature_names
    identity = "-".join(map(str, (settings.data, settings.n, settings.noise, settings.seed,
                                  settings.options, settings.plane)))  # fmt: skip
    key = f"{identity}-{settings.ax}-{settings.ay}"
    if X.shape[1] == 2:
        return Plane(X, (names[0], names[1]), True, identity)
    if settings.plane == "features":
        pair = [settings.ax, settings.ay]
        return Plane(X[:, pair], (names[pair[0]], names[pair[1]]), False, key)
    if settings.plane == "pca":
        scores = principal_components(settings)
        pair = [min(a, scores.shape[1] - 1) for a in (settings.ax, settings.ay)]
        return Plane(scores[:, pair], tuple(f"component {a + 1}" for a in pair), False, key)
    _, found = pipeline.eigenfunctions(settings, N_AXES + 1)
    pair = [min(a + 1, found.vectors.shape[1] - 1) for a in (settings.ax, settings.ay)]
    values = pipeline.trial(settings).space.evaluate(X, found.vectors[:, pair])
    return Plane(values, tuple(f"e{str(a).translate(SUBSCRIPTS)}" for a in pair), False, key)


@step("data", "n", "noise", "seed", "options")
def principal_components(settings: Settings) -> Array:
    """Scores of the samples on up to ten principal components."""
    return projections.principal_components(pipeline.sample(settings).X, 10)


def view_of(xy: Array) -> tuple[float, float, float, float]:
    """Box around the points with a margin; never empty."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    span = np.maximum(high - low, 1e-9 + 0.05 * (high - low).max())
    span = np.where((high - low).max() > 0, span, 1.0)
    middle, half = 0.5 * (low + high), 0.56 * span
    x0, y0, x1, y1 = *(middle - half), *(middle + half)
    return float(x0), float(x1), float(y0), float(y1)


def grid_of(view: tuple[float, float, float, float], longest: int) -> Grid:
    """Grid over the view with about square cells, ``longest`` nodes along the longer side."""
    x0, x1, y0, y1 = view
    wide, high = x1 - x0, y1 - y0
    unit = max(wide, high) / (longest - 1)
    count = [max(12, round(side / unit) + 1) for side in (wide, high)]
    return Grid(np.linspace(x0, x1, count[0]), np.linspace(y0, y1, count[1]))


def drawn_rows(settings: Settings, given: pipeline.Labels | None) -> Array:
    """Rows that are drawn: a fixed random subset of very many, and every labelled one."""
    n = len(pipeline.sample(settings).X)
    if n <= MAX_DRAWN:
        return np.arange(n)
    rows = np.sort(np.random.default_rng(0).permutation(n)[:MAX_DRAWN])
    return rows if given is None else np.union1d(rows, given.index[given.index >= 0])
