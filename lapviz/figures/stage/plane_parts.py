"""A scene in the plane or in space as two trees: what lasts of it, and the answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lapviz.datasets import drawings
from lapviz.estimates.filters import first_energy
from lapviz.estimates.labelled import RIDGE_FLOOR
from lapviz.figures.fields import near_of
from lapviz.figures.stage.container import Half, Signed, f4
from lapviz.figures.stage.rows import row_of
from lapviz.scenes import Array, Known, Modes, Panel, RidgeModel, Scene

# Fields of a scene and of a panel that are sent as they are
ANSWER = (
    "kind", "classes", "view", "view_key", "lam", "mu", "filter", "data_term", "editable",
    "free_labels", "axes", "columns", "rev", "hide", "first", "n_samples", "seconds", "light",
    "about", "marked", "remark",
)  # fmt: skip
PANEL = ("title", "subtitle", "note", "depends", "accuracy")


def static_part(scene: Scene) -> dict[str, Any]:
    """Grid, points and modes; modes that several panels share are sent once."""
    models = _distinct_modes(scene)
    points = scene.points
    truth = points.truth
    return {
        "grid": _grid(scene),
        "points": {
            "xy": None if points.xyz is not None else f4(points.xy),
            "xyz": None if points.xyz is None else f4(points.xyz),
            "index": np.asarray(points.index, "i4"),
            "truth": None if truth is None else np.asarray(truth, "i4"),
            "images": points.images,
            "notes": points.notes,
        },
        "landmarks": None if scene.landmarks is None else f4(scene.landmarks),
        "modes": [
            {
                "gamma": [float(g) for g in modes.gamma],
                "gamma1": first_energy(modes.gamma),
                "grid": None if modes.grid is None else Half(modes.grid),
                "points": Half(modes.points),
            }
            for modes in models
        ],
    }


def answer_part(scene: Scene) -> dict[str, Any]:
    """Everything else: settings, labels, and each panel's exact values."""
    models = _distinct_modes(scene)
    return {name: getattr(scene, name) for name in ANSWER} | {
        "labels": [row_of(label) for label in scene.labels],
        "drawing": _drawing(scene.drawing),
        "filters": {f.name: {"label": f.title, "formula": f.formula} for f in scene.filters},
        "panels": [_panel(panel, models) for panel in scene.panels],
    }


@lru_cache(maxsize=16)
def _drawing(code: str | None) -> dict[str, Any] | str | None:
    """A drawing as the browser has it; None and "" (there is none yet) as they are."""
    if not code:
        return code
    drawing = drawings.decode(code)
    return {"sheet": list(drawing.sheet), "points": drawing.numbers.astype("i4")}


def _distinct_modes(scene: Scene) -> list[Modes]:
    models: list[Modes] = []
    for panel in scene.panels:
        model = panel.model
        if isinstance(model, Modes) and not any(model.points is m.points for m in models):
            models.append(model)
    return models


def _grid(scene: Scene) -> dict[str, Any] | None:
    if scene.grid is None:
        return None
    x, y = scene.grid.x, scene.grid.y
    return {
        "x": [float(x[0]), float(x[-1]), len(x)],
        "y": [float(y[0]), float(y[-1]), len(y)],
        "near": near_of(scene),
    }


def _panel(panel: Panel, models: list[Modes]) -> dict[str, Any]:
    grid = None
    if panel.grid is not None:
        # The values of one output are shown as numbers; of K scores only the winner and its margin.
        grid = f4(panel.grid) if len(panel.grid) == 1 else Half(panel.grid)
    return {name: getattr(panel, name) for name in PANEL} | {
        "kind": panel.kind or None,
        "grid": grid,
        "points": None if panel.note else Signed(panel.points),
        "model": _model(panel.model, models),
    }


def _model(model: Modes | RidgeModel | None, models: list[Modes]) -> dict[str, Any] | None:
    if model is None:
        return None
    if isinstance(model, RidgeModel):
        values, floor = dict(model.values), RIDGE_FLOOR
        kernel = {"argument": model.argument, "formula": model.formula, "values": values}
        return {"is": "ridge", **kernel, "floor": floor}
    which = next(k for k, other in enumerate(models) if other.points is model.points)
    return {
        "is": "modes",
        "modes": which,
        "intercept": bool(model.intercept),
        "balance": model.balance,
        "pseudo": float(model.pseudo),
        "fade": None if model.fade is None else f4(model.fade),
        "known": None if model.known is None else _known(model.known),
        **_columns(model),
    }


def _columns(model: Modes) -> dict[str, Any]:
    """Representers, turned to the axes of their Gram matrix.

    An estimate for a small lambda is a sum of large multiples of them that nearly cancel: rounded
    as they are, nothing would be left of it. Along an axis with a small eigenvalue the sum is
    small, and so is its rounding.
    """
    gram = model.columns_gram
    if gram is None:
        return dict.fromkeys(("columns_grid", "columns_points", "columns_gram", "columns_turn"))
    _, turn = np.linalg.eigh(np.asarray(gram, float))

    def turned(columns: Array | None) -> Half | None:
        return None if columns is None else Half(np.tensordot(turn.T, columns, 1))

    return {
        "columns_grid": turned(model.columns_grid),
        "columns_points": turned(model.columns_points),
        "columns_gram": np.asarray(gram, float).tolist(),
        "columns_turn": turn.tolist(),
    }


def _known(known: Known) -> dict[str, Any]:
    return {
        "xy": f4(known.xy),
        "index": np.asarray(known.index, "i4"),
        "values": f4(known.values),
        "offset": float(known.offset),
    }
