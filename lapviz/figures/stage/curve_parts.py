"""A curve scene as two trees: what a scrubbed path or a dragged value leaves, and what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapviz.figures.curve_scenes import CurveScene, Path
from lapviz.figures.stage.container import Half, f4

# Fields of a scene that are sent as they are
ANSWER = ("view", "view_key", "path", "step", "axes", "note", "rev")


def static_part(scene: CurveScene) -> dict[str, Any]:
    """All that a scrubbed path or a dragged value leaves as it is."""
    return {
        "x": f4(scene.x),
        "points": f4(scene.points),
        "known": np.asarray(scene.known, "i4"),
        "curves": [vars(c) | {"values": f4(c.values)} for c in scene.curves],
        "paths": [_path(path) for path in scene.paths],
        "responses": [vars(r) | {"matrix": f4(r.matrix)} for r in scene.responses],
    }


def answer_part(scene: CurveScene) -> dict[str, Any]:
    """What is shown, and the settings that the browser can change."""
    answer = {name: getattr(scene, name) for name in ANSWER}
    return answer | {"handles": [[h.x, h.value, h.slope] for h in scene.handles]}


def _path(path: Path) -> dict[str, Any]:
    return vars(path) | {
        "positions": [float(v) for v in path.positions],
        "curves": Half(path.curves),
        "series": [vars(s) | {"values": f4(s.values)} for s in path.series],
        "marks": [vars(mark) for mark in path.marks],
    }
