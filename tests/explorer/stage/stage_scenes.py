"""Scenes over the unit square whose modes are known: Neumann cosines, γ = π²(k² + l²)."""

import base64
from dataclasses import replace

import numpy as np

from lapviz import kernels
from lapviz.estimates import filters
from lapviz.figures.stage import encode
from lapviz.figures.stage.payload import row_of
from lapviz.labels import Label
from lapviz.scenes import FilterChoice, Grid, Modes, Panel, Points, RidgeModel, Scene

FILTERS = tuple(
    FilterChoice(name, filters.get(name).title, filters.get(name).browser_formula())
    for name in filters.names()
)


MODEL = """([blob, panel, args]) => {
  const { decode, scene: scenes } = window.stageModules;
  const bytes = Uint8Array.from(atob(blob), (c) => c.charCodeAt(0));
  const { answer, static: staticPart } = decode.decode(bytes);
  const scene = scenes.makeScene(answer, staticPart);
  const model = scene.models[panel];
  return (%s)(args);
}"""
EVALUATE = """([settings]) => {
  const unanchored = model.estimate ?? model.evaluate; // of modes, of kernel ridge
  const k = model.outputs;
  const values = {
    grid: scene.grid && new Float32Array(k * scene.grid.x[2] * scene.grid.y[2]).fill(7),
    points: new Float32Array(k * scene.points.count).fill(7),
  };
  const labels = settings.labels
    ? settings.labels.map(([x, y, index, code, ...others]) => ({ x, y, index, code, others }))
    : scene.labels;
  const filter = scene.filters[settings.filter];
  const run = settings.anchored ? model.evaluate : unanchored;
  const ready = run.call(model, { labels, lam: settings.lam, filter }, values);
  return ready && { grid: Array.from(values.grid ?? []), points: Array.from(values.points) };
}"""


def call_model(js, scene, panel, code, *args):
    """Call a JavaScript function of ``args``, which may use ``scene`` and a panel's ``model``."""
    blob = base64.b64encode(encode(scene)).decode()
    return js.evaluate(MODEL % code, [blob, panel, args])


def cosines(m: int, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The m leading eigenpairs (γ, e) of the square; e (m, len(xy)) has mean square 1."""
    frequencies = sorted((k * k + l * l, k, l) for k in range(12) for l in range(12))[:m]
    gamma = np.array([np.pi**2 * size for size, _, _ in frequencies])
    e = [
        np.sqrt((1 + (k > 0)) * (1 + (l > 0)))
        * np.cos(np.pi * k * xy[:, 0])
        * np.cos(np.pi * l * xy[:, 1])
        for _, k, l in frequencies
    ]
    return gamma, np.array(e)


def scene(
    labels: tuple[Label, ...],
    n_classes: int = 2,
    m: int = 40,
    shift: float = 0.0,
    intercept: bool = False,
    with_columns: bool = False,
    **fields,
) -> Scene:
    """Panels: kernel ridge, Laplacian (m modes, γ + shift), and one without a local model."""
    n, side = 60, 24
    xy = np.random.default_rng(4).random((n, 2))
    grid = Grid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    gamma, on_grid = cosines(m, grid.sites())
    gamma = gamma + shift
    _, at_points = cosines(m, xy)
    k = n_classes if n_classes > 2 else 1
    columns = {}
    if with_columns and labels:
        _, at_labels = cosines(m, np.array([[p.x, p.y] for p in labels]))
        inverse = np.where(gamma > 1e-9, 1 / np.maximum(gamma, 1e-9), 0.0)[:, None]
        columns = {
            "columns_grid": ((at_labels * inverse).T @ on_grid).reshape(-1, side, side),
            "columns_points": (at_labels * inverse).T @ at_points,
            "columns_gram": (at_labels * inverse).T @ at_labels,
        }
    modes = Modes(gamma, on_grid.reshape(m, side, side), at_points, intercept=intercept, **columns)
    zero_points, zero_grid = np.zeros((k, n)), np.zeros((k, side, side))
    first_mode = np.repeat(on_grid[1].reshape(1, side, side), k, axis=0)
    ridge = RidgeModel.of(kernels.get("gaussian", 0.3))
    panels = (
        Panel("Kernel ridge", zero_points, zero_grid, "", ridge),
        Panel("Kernel Laplacian", zero_points, zero_grid, "", modes),
        Panel("Graph Laplacian", np.repeat(at_points[1:2], k, axis=0), first_mode),
    )
    points = Points(xy, 10 * np.arange(n), (xy[:, 0] > 0.5).astype(int))
    classes = tuple("ABCDEFGHIJ"[:n_classes])
    defaults = {"data_term": "labelled", "lam": 0.1, "mu": 0.01, "editable": True, "columns": 3,
                "free_labels": True, "filters": FILTERS}  # fmt: skip
    return Scene(panels, points, (0.0, 1.0, 0.0, 1.0), "square", grid, "classes", classes, labels,
                 **defaults | fields)  # fmt: skip


def evaluate(js, scene, panel, lam, filter="tikhonov", labels=None, anchored=False):
    """Grid (k, ny * nx) and points (k, n) of a panel's local model.

    ``anchored``: corrected by the panel's exact values (zeros in most scenes here).
    """
    settings = {"lam": lam, "filter": filter, "anchored": anchored}
    if labels is not None:
        settings["labels"] = [row_of(p) for p in labels]
    values = call_model(js, scene, panel, EVALUATE, settings)
    if not values:
        return None
    k = len(scene.panels[0].points)
    return (np.array(values[name]).reshape(k, -1) for name in ("grid", "points"))


EYE = 5  # distance of the eye in radii


def seen_from(xyz, azimuth, elevation):
    """Positions in the picture and depths: rotated about the third axis, tilted, then projected.

    The third axis points upwards, and the eye looks along the second.
    """
    middle = 0.5 * (xyz.min(axis=0) + xyz.max(axis=0))
    Z = xyz - middle
    radius = np.linalg.norm(Z, axis=1).max()
    c, s = np.cos(azimuth), np.sin(azimuth)
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(elevation), np.sin(elevation)
    tilt = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    rotated = Z @ rotation.T @ tilt.T
    depth = -rotated[:, 1]  # towards the eye
    return rotated[:, [0, 2]] * (EYE * radius / (EYE * radius - depth))[:, None], depth / radius


def two_labels(labels=None, **fields) -> Scene:
    """By default, one off-sample label of each class."""
    default = (Label(-1, 0, (0.2, 0.3)), Label(-1, 1, (0.8, 0.7)))
    return scene(default if labels is None else labels, with_columns=True, **fields)


def labelled(js, lam=0.1, n_classes=2, truth=None, **fields) -> Scene:
    """Ridge and Laplacian whose exact values are those of their local models at λ."""
    xy = scene(()).points.xy
    labels = tuple(Label(10 * i, min(i, 1)).at(*xy[i]) for i in range(3))
    blank = scene(labels, n_classes=n_classes, lam=lam, n_samples=60, **fields)
    side = len(blank.grid.x)
    panels = []
    for i in (0, 1):
        grid, points = evaluate(js, blank, i, lam)
        values = {"grid": grid.reshape(-1, side, side), "points": points}
        panels.append(replace(blank.panels[i], accuracy=0.5, **values))
    points = blank.points if truth is None else replace(blank.points, truth=truth)
    return replace(blank, points=points, panels=tuple(panels))


def functions(n=16, side=24) -> Scene:
    grid = Grid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    xy = np.random.default_rng(1).random((80, 2))
    _, on_grid = cosines(n, grid.sites())
    _, at_points = cosines(n, xy)
    panels = tuple(
        Panel(f"e{i}", (1 + i) * at_points[i : i + 1], (1 + i) * on_grid[i].reshape(1, side, side))
        for i in range(n)
    )
    hide = ("lam", "filter", "labels")
    points = Points(xy, np.arange(80))
    return Scene(panels, points, (0, 1, 0, 1), "cosines", grid, columns=4, hide=hide,
                 about="σ = 0.2 · p = 40")  # fmt: skip
