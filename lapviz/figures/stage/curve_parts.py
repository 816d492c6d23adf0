"""A curve scene as two trees: what a scrubbed path or a dragged value leaves, and what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapviz.figures.curve_scenes import CurveScene, Path
from lapviz.figures.stage.container import Half


def static_part(scene: CurveScene) -> dict[str, Any]:
    """All that a scrubbed path or a dragged value leaves as it is."""
    return {
        "x": np.asarray(scene.x, "f4"),
        "points": np.asarray(scene.points, "f4"),
        "known": np.asarray(scene.known, "i4"),
        "curves": [
            {"title": c.title, "role": c.role, "values": np.asarray(c.values, "f4")}
            for c in scene.curves
        ],
        "paths": [_path(path) for path in scene.paths],
        "responses": [
            {"title": r.title, "role": r.role, "matrix": np.asarray(r.matrix, "f4")}
            for r in scene.responses
        ],
    }


def answer_part(scene: CurveScene) -> dict[str, Any]:
    """What is shown, and the settings that the browser can change."""
    return {
        "view": [float(v) for v in scene.view],
        "view_key": scene.view_key,
        "path": scene.path,
        "step": int(scene.step),
        "handles": [[h.x, h.value, h.slope] for h in scene.handles],
        "axes": list(scene.axes),
        "note": scene.note,
        "rev": scene.rev,
    }


def _path(path: Path) -> dict[str, Any]:
    return {
        "name": path.name,
        "title": path.title,
        "symbol": path.symbol,
        "log": path.log,
        "positions": [float(v) for v in path.positions],
        "curves": Half(path.curves),
        "series": [
            {"title": s.title, "dashed": s.dashed, "values": np.asarray(s.values, "f4")}
            for s in path.series
        ],
        "marks": [{"title": m.title, "step": int(m.step)} for m in path.marks],
    }
