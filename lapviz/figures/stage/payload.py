"""Scenes as the bytes that the browser reads: a static blob, and another with the answer.

The static one (grid, points, modes; curves) makes up most of the bytes and depends only on data and
spectrum. Streamlit does not send an unchanged message twice, so a change of lambda or of a label
costs only the second blob, which names the first by its content hash.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lapviz.datasets import drawings
from lapviz.estimates.filters import first_energy
from lapviz.estimates.labelled import RIDGE_FLOOR
from lapviz.figures.curve_scenes import CurveScene, Path
from lapviz.figures.fields import scene_nearness
from lapviz.figures.stage.container import Half, Signed, f4, fingerprint, pack
from lapviz.labels import Label
from lapviz.scenes import Array, Modes, Panel, RidgeModel, Scene

# Fields that are sent unchanged: of a CurveScene, of a Scene, and of a Panel
CURVES = ("view", "view_key", "path", "step", "axes", "note")
PLANE = (
    "kind", "classes", "view", "view_key", "lam", "mu", "filter", "data_term", "editable",
    "free_labels", "axes", "columns", "hide", "first", "n_samples", "light",
    "about", "marked", "known", "remark", "rows",
)  # fmt: skip
PANEL = ("title", "subtitle", "note", "depends", "accuracy")


def encode(scene: Scene | CurveScene) -> bytes:
    """Encode a scene as one blob, with the entries ``static`` and ``answer``."""
    return pack({"static": lasting_of(scene), "answer": answer_of(scene)})


def encode_lasting(scene: Scene | CurveScene) -> bytes:
    """Encode the static blob, the first of :func:`encode_parts`."""
    return pack({"static": lasting_of(scene)})


def encode_parts(
    scene: Scene | CurveScene, mount: dict[str, Any] | None = None
) -> tuple[bytes, bytes]:
    """Encode a scene as two blobs; ``mount`` (key, title, ...) is sent with the second."""
    lasting = encode_lasting(scene)
    answer = {"answer": answer_of(scene)} | (mount or {}) | {"needs": fingerprint(lasting)}
    return lasting, pack(answer)


def lasting_of(scene: Scene | CurveScene) -> dict[str, Any]:
    """The part that a label, a setting, a scrubbed path or a dragged value does not change."""
    if isinstance(scene, CurveScene):
        return {
            "x": f4(scene.x),
            "points": f4(scene.points),
            "known": np.asarray(scene.known, "i4"),
            "curves": [vars(c) | {"values": f4(c.values)} for c in scene.curves],
            "paths": [_path(path) for path in scene.paths],
            "responses": [vars(r) | {"matrix": f4(r.matrix)} for r in scene.responses],
        }
    points, truth, grid = scene.points, scene.points.truth, None
    if scene.grid is not None:
        x, y = scene.grid.x, scene.grid.y
        ends = {name: [float(v[0]), float(v[-1]), len(v)] for name, v in (("x", x), ("y", y))}
        grid = ends | {"near": scene_nearness(scene)}
    return {
        "grid": grid,
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
                "complete": modes.complete,
                "grid": None if modes.grid is None else Half(modes.grid),
                # All functions at the labels make up a matrix, the inverse of which is large.
                "points": (f4 if modes.complete else Half)(modes.points),
            }
            for modes in _distinct_modes(scene)
        ],
    }


def answer_of(scene: Scene | CurveScene) -> dict[str, Any]:
    """The part that is shown, and the settings that the browser can change."""
    if isinstance(scene, CurveScene):
        answer = {name: getattr(scene, name) for name in CURVES}
        return answer | {"handles": [[h.x, h.value, h.slope] for h in scene.handles]}
    models = _distinct_modes(scene)
    return {name: getattr(scene, name) for name in PLANE} | {
        "labels": [row_of(label) for label in scene.labels],
        "drawing": _drawing(scene.drawing),
        "filters": {f.name: {"label": f.title, "formula": f.formula} for f in scene.filters},
        "panels": [_panel(panel, models) for panel in scene.panels],
    }


def _path(path: Path) -> dict[str, Any]:
    return vars(path) | {
        "positions": [float(v) for v in path.positions],
        "curves": f4(path.curves),  # their offset may be large
        "series": [vars(s) | {"values": f4(s.values)} for s in path.series],
        "marks": [vars(mark) for mark in path.marks],
    }


def row_of(label: Label) -> list[float]:
    """A label as the browser has it: x, y, index or -1, code, further candidates."""
    return [float(label.x), float(label.y), int(label.index), *map(int, label.candidates)]


@lru_cache(maxsize=16)
def _drawing(code: str | None) -> dict[str, Any] | str | None:
    """Decode a drawing for the browser; None and "" (no drawing yet) are returned unchanged."""
    if not code:
        return code
    drawing = drawings.decode(code)
    return {"sheet": list(drawing.sheet), "points": drawing.numbers.astype("i4")}


def _distinct_modes(scene: Scene) -> list[Modes]:
    """The modes of all panels; modes that several panels share are sent once."""
    models: list[Modes] = []
    for panel in scene.panels:
        model = panel.model
        if isinstance(model, Modes) and not any(model.points is m.points for m in models):
            models.append(model)
    return models


def _panel(panel: Panel, models: list[Modes]) -> dict[str, Any]:
    grid = None
    if panel.grid is not None:
        # The values of one output are displayed, but of K scores only the winner and its margin.
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
    known = model.known and {
        "xy": f4(model.known.xy),
        "index": np.asarray(model.known.index, "i4"),
        "values": f4(model.known.values),
        "offset": float(model.known.offset),
    }
    return {
        "is": "modes",
        "modes": next(k for k, other in enumerate(models) if other.points is model.points),
        "intercept": bool(model.intercept),
        "balance": model.balance,
        "pseudo": float(model.pseudo),
        "fade": None if model.fade is None else f4(model.fade),
        "known": known,
        **_columns(model),
    }


def _columns(model: Modes) -> dict[str, Any]:
    """Representers, rotated to the axes of their Gram matrix.

    An estimate for a small lambda is a sum of large multiples of representers that nearly cancel:
    rounding the representers themselves would destroy it. Along an axis with a small eigenvalue the
    sum is small, and so is its rounding error.
    """
    gram = model.columns_gram
    if gram is None:
        return dict.fromkeys(("columns_grid", "columns_points", "columns_gram", "columns_turn"))
    _, rotation = np.linalg.eigh(np.asarray(gram, float))

    # With a constant that costs nothing they may be large and nearly constant.
    packed = f4 if model.intercept else Half

    def rotated(columns: Array | None) -> Array | Half | None:
        return None if columns is None else packed(np.tensordot(rotation.T, columns, 1))

    return {
        "columns_grid": rotated(model.columns_grid),
        "columns_points": rotated(model.columns_points),
        "columns_gram": np.asarray(gram, float).tolist(),
        "columns_turn": rotation.tolist(),
    }
