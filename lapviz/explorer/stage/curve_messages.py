"""Validation of what the curve stage sends: nothing from outside is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapviz.explorer.settings.regression_specs import MAX_HANDLES, MAX_SIZE, Handle
from lapviz.explorer.stage.messages import MAX_REV
from lapviz.figures.curve_scenes import CurveScene
from lapviz.figures.stage.rows import number

CHANGES = ("path", "step", "handles")


@dataclass(frozen=True)
class CurveState:
    """What the browser last sent; ``changed`` names what was changed there."""

    path: str
    step: int
    handles: tuple[Handle, ...]
    rev: int
    changed: tuple[str, ...]


@dataclass(frozen=True)
class CurveLimits:
    """The values that a curve scene allows in a message."""

    view_key: str
    steps: tuple[tuple[str, int], ...]  # paths and the number of their steps
    path: str
    step: int
    handles: tuple[Handle, ...]


def curve_limits(scene: CurveScene) -> CurveLimits:
    """The limits that a scene sets."""
    steps = tuple((path.name, len(path.positions)) for path in scene.paths)
    return CurveLimits(scene.view_key, steps, scene.path, scene.step, scene.handles)


def clean_curve(raw: Any, allowed: CurveLimits) -> CurveState | None:
    """A message as a :class:`CurveState`; None if it cannot be used, or is about other data."""
    if not isinstance(raw, dict) or raw.get("view_key") != allowed.view_key:
        return None
    steps = dict(allowed.steps)
    path, step, rev = raw.get("path"), number(raw.get("step")), number(raw.get("rev"))
    changed = raw.get("changed")
    path = path if isinstance(path, str) and path in steps else allowed.path
    last = steps.get(path, 1) - 1
    handles = _handles(raw.get("handles")) if allowed.handles else ()
    return CurveState(
        path=path,
        step=allowed.step if step is None else int(min(max(step, 0), last)),
        handles=handles or allowed.handles,
        rev=0 if rev is None else int(min(max(rev, 0), MAX_REV)),
        changed=tuple(c for c in CHANGES if isinstance(changed, list) and c in changed),
    )


def _handles(raw: Any) -> tuple[Handle, ...]:
    """The points of a message, each within its limits; those that are no points are left out."""
    if not isinstance(raw, list):
        return ()
    return tuple(filter(None, map(_handle, raw[:MAX_HANDLES])))


def _handle(row: Any) -> Handle | None:
    if not isinstance(row, list) or len(row) != 3:
        return None
    x, value, slope = (number(v) for v in row)
    if x is None or value is None:
        return None
    value, slope = (None if v is None else min(max(v, -MAX_SIZE), MAX_SIZE) for v in (value, slope))
    return Handle(min(max(x, 0.0), 1.0), value, slope).rounded()
