"""Scenes over the unit square whose modes are known: Neumann cosines, γ = π²(k² + l²)."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np

from lapviz import kernels
from lapviz.estimates import filters
from lapviz.figures.stage import encode
from lapviz.figures.stage.rows import row_of
from lapviz.labels import Label
from lapviz.scenes import FilterChoice, Grid, Modes, Panel, Points, RidgeModel, Scene

FILTERS = tuple(
    FilterChoice(name, filters.get(name).title, filters.get(name).browser_formula())
    for name in filters.names()
)


MODEL = """([blob, panel, given]) => {
  const { decode, scene: scenes } = window.stageModules;
  const bytes = Uint8Array.from(atob(blob), (c) => c.charCodeAt(0));
  const { answer, static: lasting } = decode.decode(bytes);
  const scene = scenes.makeScene(answer, lasting);
  const model = scene.models[panel];
  return (%s)(given);
}"""
EVALUATE = """([settings]) => {
  const local = settings.anchored ? model : model.inner ?? model;
  const k = local.outputs;
  const out = {
    grid: scene.grid && new Float32Array(k * scene.grid.x[2] * scene.grid.y[2]).fill(7),
    points: new Float32Array(k * scene.points.count).fill(7),
  };
  const labels = settings.labels
    ? settings.labels.map(([x, y, index, code, ...others]) => ({ x, y, index, code, others }))
    : scene.labels;
  const filter = scene.filters[settings.filter];
  const done = local.evaluate({ labels, lam: settings.lam, filter }, out);
  return done && { grid: Array.from(out.grid ?? []), points: Array.from(out.points) };
}"""


def ask_model(js, scene, panel, code, *given):
    """Value of a JavaScript function of ``given`` beside the scene and the model of a panel."""
    blob = base64.b64encode(encode(scene)).decode()
    return js.evaluate(MODEL % code, [blob, panel, given])


def cosines(m: int, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The m leading (γ, e) of the square; e (m, len(xy)), mean square 1."""
    waves = sorted((k * k + l * l, k, l) for k in range(12) for l in range(12))[:m]
    gamma = np.array([np.pi**2 * size for size, _, _ in waves])
    e = [
        np.sqrt((1 + (k > 0)) * (1 + (l > 0)))
        * np.cos(np.pi * k * xy[:, 0])
        * np.cos(np.pi * l * xy[:, 1])
        for _, k, l in waves
    ]
    return gamma, np.array(e)


def scene(
    labels: tuple[Label, ...],
    n_classes: int = 2,
    m: int = 40,
    shift: float = 0.0,
    intercept: bool = False,
    with_columns: bool = False,
    **more,
) -> Scene:
    """Panels: kernel ridge, Laplacian (m modes, γ + shift), and one that only Python knows."""
    n, side = 60, 24
    xy = np.random.default_rng(4).random((n, 2))
    grid = Grid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    gamma, on_grid = cosines(m, grid.sites())
    gamma = gamma + shift
    _, at_points = cosines(m, xy)
    k = n_classes if n_classes > 2 else 1
    columns = {}
    if with_columns and labels:
        _, at = cosines(m, np.array([[p.x, p.y] for p in labels]))
        inverse = np.where(gamma > 1e-9, 1 / np.maximum(gamma, 1e-9), 0.0)[:, None]
        columns = {
            "columns_grid": ((at * inverse).T @ on_grid).reshape(-1, side, side),
            "columns_points": (at * inverse).T @ at_points,
            "columns_gram": (at * inverse).T @ at,
        }
    modes = Modes(gamma, on_grid.reshape(m, side, side), at_points, intercept=intercept, **columns)
    blank, flat = np.zeros((k, n)), np.zeros((k, side, side))
    ripple = np.repeat(on_grid[1].reshape(1, side, side), k, axis=0)
    panels = (
        Panel("Kernel ridge", blank, flat, "", RidgeModel.of(kernels.get("gaussian", 0.3))),
        Panel("Kernel Laplacian", blank, flat, "", modes),
        Panel("Graph Laplacian", np.repeat(at_points[1:2], k, axis=0), ripple),
    )
    points = Points(xy, 10 * np.arange(n), (xy[:, 0] > 0.5).astype(int))
    classes = tuple("ABCDEFGHIJ"[:n_classes])
    given = {"data_term": "labelled", "lam": 0.1, "mu": 0.01, "editable": True, "columns": 3,
             "free_labels": True, "rev": 0, "filters": FILTERS}  # fmt: skip
    return Scene(panels, points, (0.0, 1.0, 0.0, 1.0), "square", grid, "classes", classes, labels,
                 **given | more)  # fmt: skip


def evaluate(js, scene, panel, lam, filter="tikhonov", labels=None, anchored=False):
    """Grid (k, ny * nx) and points (k, n) of a panel's local model.

    ``anchored``: with what it learns from the panel's exact values (blank in most scenes here).
    """
    settings = {"lam": lam, "filter": filter, "anchored": anchored}
    if labels is not None:
        settings["labels"] = [row_of(p) for p in labels]
    found = ask_model(js, scene, panel, EVALUATE, settings)
    if not found:
        return None
    k = len(scene.panels[0].points)
    return (np.array(found[name]).reshape(k, -1) for name in ("grid", "points"))


EYE = 5  # distance of the eye in radii


def seen_from(xyz, azimuth, elevation):
    """Places in the picture and depths: turned about the third axis, then tipped, then projected.

    The third axis stands upright, and the eye looks along the second.
    """
    middle = 0.5 * (xyz.min(axis=0) + xyz.max(axis=0))
    Z = xyz - middle
    radius = np.linalg.norm(Z, axis=1).max()
    c, s = np.cos(azimuth), np.sin(azimuth)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(elevation), np.sin(elevation)
    tip = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    turned = Z @ about.T @ tip.T
    depth = -turned[:, 1]  # towards the eye
    return turned[:, [0, 2]] * (EYE * radius / (EYE * radius - depth))[:, None], depth / radius


def two_labels(labels=None, **more) -> Scene:
    """A label of either class in empty space, unless told."""
    two = (Label(-1, 0, (0.2, 0.3)), Label(-1, 1, (0.8, 0.7)))
    return scene(two if labels is None else labels, with_columns=True, **more)


def labelled(js, lam=0.1, n_classes=2, truth=None, **more) -> Scene:
    """Ridge and Laplacian with their own models' values at λ as Python's answer."""
    xy = scene(()).points.xy
    labels = tuple(Label(10 * i, min(i, 1)).at(*xy[i]) for i in range(3))
    blank = scene(labels, n_classes=n_classes, lam=lam, n_samples=60, **more)
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
    _, there = cosines(n, grid.sites())
    _, at = cosines(n, xy)
    panels = tuple(
        Panel(f"e{i}", (1 + i) * at[i : i + 1], (1 + i) * there[i].reshape(1, side, side))
        for i in range(n)
    )
    hide = ("lam", "filter", "labels")
    points = Points(xy, np.arange(80))
    return Scene(panels, points, (0, 1, 0, 1), "cosines", grid, columns=4, hide=hide,
                 about="σ = 0.2 · p = 40")  # fmt: skip
