"""What the browser sends back, cleaned: nothing that arrives from outside is trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lapviz.scenes import Label, Scene

LAM_RANGE = (1e-6, 1e4)  # the slider's ends
MAX_LAM = 1e12
MAX_LABELS = 5000
MAX_REV = 2**53 - 1  # the largest integer that JavaScript counts to exactly
REASONS = ("lam", "filter", "labels")


@dataclass(frozen=True)
class StageState:
    """The settings that the browser last sent.

    Attributes
    ----------
    lam : float
        Weight of the Dirichlet energy, finite, in [0, 1e12].
    filter : str
        One of the scene's filters.
    labels : tuple of Label
        The labels as they stand after the last click.
    rev : int
        The browser's count of changes. Give it back as ``scene.meta["rev"]``: the stage shows
        an answer once its rev has caught up.
    reason : str
        What changed last: "lam", "filter" or "labels".
    view_key : str
        The data set that all this is about.
    """

    lam: float
    filter: str
    labels: tuple[Label, ...]
    rev: int
    reason: str
    view_key: str


@dataclass(frozen=True)
class Limits:
    """What a scene allows the browser to say; kept between runs in place of the whole scene."""

    view_key: str
    n_codes: int
    places: dict[int, tuple[float, float]]
    box: tuple[float, float, float, float]
    filters: tuple[str, ...]
    lam: float
    filter: str
    labels: tuple[Label, ...]
    editable: bool
    free_labels: bool


def limits(scene: Scene) -> Limits:
    """Read off the scene what may come back.

    A free label may lie up to one view's width outside the view (people zoom out).
    """
    x0, x1, y0, y1 = scene.view
    wide, high = x1 - x0, y1 - y0
    places = {label.index: (label.x, label.y) for label in scene.labels if label.index >= 0}
    drawn = zip(scene.points.index, scene.points.xy, strict=True)
    places |= {int(i): (float(x), float(y)) for i, (x, y) in drawn}
    return Limits(
        view_key=scene.view_key,
        n_codes=max(2, len(scene.classes)),
        places=places,
        box=(x0 - wide, x1 + wide, y0 - high, y1 + high),
        filters=tuple(scene.meta.get("filters", ())) or (scene.filter,),
        lam=scene.lam,
        filter=scene.filter,
        labels=tuple(scene.labels),
        editable=scene.editable,
        free_labels=scene.free_labels,
    )


def clean(raw: Any, allowed: Limits) -> StageState | None:
    """Turn what the browser sent into a :class:`StageState`, or None when it is of no use.

    Values out of range are clamped, unknown filters and broken labels dropped. A message about
    another data set (a click that crossed a change of data on its way) counts as none.

    Parameters
    ----------
    raw : Any
        The component's state, as Streamlit decoded it.
    allowed : Limits
        What the scene on screen allows.
    """
    if not isinstance(raw, dict) or raw.get("view_key") != allowed.view_key:
        return None
    lam = _number(raw.get("lam"))
    name = raw.get("filter")
    rev = _number(raw.get("rev"))
    reason = raw.get("reason")
    return StageState(
        lam=allowed.lam if lam is None else min(max(lam, 0.0), MAX_LAM),
        filter=name if isinstance(name, str) and name in allowed.filters else allowed.filter,
        labels=_labels(raw.get("labels"), allowed),
        rev=0 if rev is None else int(min(max(rev, 0), MAX_REV)),
        reason=reason if isinstance(reason, str) and reason in REASONS else "",
        view_key=allowed.view_key,
    )


def _labels(raw: Any, allowed: Limits) -> tuple[Label, ...]:
    """Labels from rows [x, y, index, code]; the last word on a point counts."""
    if not allowed.editable or not isinstance(raw, list):
        return allowed.labels
    kept: dict[Any, Label] = {}
    for row in raw[:MAX_LABELS]:
        label = _label(row, allowed)
        if label is not None:
            kept[label.index if label.index >= 0 else (label.x, label.y)] = label
    return tuple(kept.values())


def _label(row: Any, allowed: Limits) -> Label | None:
    if not isinstance(row, list) or len(row) != 4:
        return None
    numbers = [_number(value) for value in row]
    if any(value is None for value in numbers):
        return None
    x, y, index, code = numbers
    if index != int(index) or code != int(code) or not 0 <= code < allowed.n_codes:
        return None
    if index >= 0:
        place = allowed.places.get(int(index))
        return None if place is None else Label(*place, int(index), int(code))
    x0, x1, y0, y1 = allowed.box
    known = any(label.index < 0 and (label.x, label.y) == (x, y) for label in allowed.labels)
    inside = allowed.free_labels and x0 <= x <= x1 and y0 <= y <= y1
    return Label(x, y, -1, int(code)) if known or inside else None


def _number(value: Any) -> float | None:
    """A finite float, or None; truth values are not numbers here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
