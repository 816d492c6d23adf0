"""Validation of what the browser sends: nothing from outside is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lapviz.contract import CONTRACT
from lapviz.datasets import drawings
from lapviz.explorer.widgets.stage_knobs import Knob, read
from lapviz.figures.stage.rows import label_of, number
from lapviz.labels import Label
from lapviz.scenes import Scene

MAX_LAM = CONTRACT["lam"]["limit"]
MAX_LABELS = CONTRACT["labels"]["most"]
MAX_REV = CONTRACT["message"]["most_rev"]  # the largest integer that JavaScript counts to exactly
REASONS = tuple(CONTRACT["message"]["reasons"])


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
        The browser's count of changes. Return it as ``Scene.rev``: the stage shows an answer
        once its rev is the latest one.
    reason : str
        What changed last: "lam", "filter" or "labels".
    view_key : str
        Key of the data set that the message is about.
    changed : tuple of str
        Which of "lam", "filter", "labels" were changed in the browser since Python's last answer;
        the others may be older than Python's.
    knobs : tuple of (str, float or "auto")
        Values of the knobs that a hand moved.
    hand : bool
        Whether the hand still moves one of them.
    story : {-1, 0, 1}
        Whether the previous or the next story was asked for.
    drawing : str or None
        Code of a drawing that is shown in place of the data, if one was painted.
    """

    lam: float
    filter: str
    labels: tuple[Label, ...]
    rev: int
    reason: str
    view_key: str
    changed: tuple[str, ...] = ()
    knobs: tuple[tuple[str, float | str], ...] = ()
    hand: bool = False
    story: int = 0
    drawing: str | None = None


@dataclass(frozen=True)
class Limits:
    """The values that a scene allows in a message; kept between runs in place of the scene."""

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
    knobs: tuple[Knob, ...] = ()
    drawable: bool = False


def limits(scene: Scene, knobs: tuple[Knob, ...] = ()) -> Limits:
    """The limits that a scene sets.

    A free label may lie up to one width of the view outside it, since the view can be zoomed out.
    """
    x0, x1, y0, y1 = scene.view
    wide, high = x1 - x0, y1 - y0
    places = {label.index: label.place for label in scene.labels if not label.free}
    drawn = np.asarray(scene.points.xy, dtype=float).tolist()
    places |= dict(zip(np.asarray(scene.points.index).tolist(), map(tuple, drawn), strict=True))
    return Limits(
        view_key=scene.view_key,
        n_codes=max(2, len(scene.classes)),
        places=places,
        box=(x0 - wide, x1 + wide, y0 - high, y1 + high),
        filters=tuple(f.name for f in scene.filters) or (scene.filter,),
        lam=scene.lam,
        filter=scene.filter,
        labels=tuple(scene.labels),
        editable=scene.editable,
        free_labels=scene.free_labels,
        knobs=knobs,
        drawable=scene.drawing is not None,
    )


def clean(raw: Any, allowed: Limits) -> StageState | None:
    """Turn a message from the browser into a :class:`StageState`; None if it cannot be used.

    Values out of range are clamped, unknown filters and invalid labels dropped. The labels of a
    message about another data set (sent before the data changed) are ignored.

    Parameters
    ----------
    raw : Any
        The component's state, as Streamlit decoded it.
    allowed : Limits
        What the scene on screen allows.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("view_key"), str):
        return None
    here = raw.get("view_key") == allowed.view_key
    lam = number(raw.get("lam"))
    name = raw.get("filter")
    rev = number(raw.get("rev"))
    reason, changed = raw.get("reason"), raw.get("changed")
    return StageState(
        changed=tuple(
            r
            for r in REASONS
            if isinstance(changed, list) and r in changed and (here or r != "labels")
        ),
        lam=allowed.lam if lam is None else min(max(lam, 0.0), MAX_LAM),
        filter=name if isinstance(name, str) and name in allowed.filters else allowed.filter,
        labels=_labels(raw.get("labels"), allowed) if here else allowed.labels,
        rev=0 if rev is None else int(min(max(rev, 0), MAX_REV)),
        reason=reason if isinstance(reason, str) and reason in REASONS else "",
        view_key=allowed.view_key,
        knobs=tuple(read({"values": raw.get("knobs")}, allowed.knobs).items()),
        hand=raw.get("hand") is True,
        story=int(raw["story"]) if raw.get("story") in (-1, 1) else 0,
        drawing=_drawing(raw.get("drawing")) if allowed.drawable else None,
    )


def _drawing(raw: Any) -> str | None:
    """The code of a drawing, which every browser writes in the same way; None if it is none."""
    try:
        drawings.decode(raw)
    except ValueError:
        return None
    return raw


def _labels(raw: Any, allowed: Limits) -> tuple[Label, ...]:
    """Labels from the browser's rows; of several rows about one point the last one counts."""
    if not allowed.editable or not isinstance(raw, list):
        return allowed.labels
    labels = (_allowed(label_of(row), allowed) for row in raw[:MAX_LABELS])
    return tuple({label.key: label for label in labels if label is not None}.values())


def _allowed(label: Label | None, allowed: Limits) -> Label | None:
    """The label, at its point's place if it is of a row; None if the scene does not allow it."""
    if label is None or not all(0 <= code < allowed.n_codes for code in label.candidates):
        return None
    if not label.free:
        place = allowed.places.get(label.index)
        return None if place is None else label.at(*place)
    x0, x1, y0, y1 = allowed.box
    label = label.snapped((x1 - x0) / 3, (y1 - y0) / 3)  # the box is three views wide
    known = any(other.free and other.place == label.place for other in allowed.labels)
    inside = allowed.free_labels and x0 <= label.x <= x1 and y0 <= label.y <= y1
    return label if known or inside else None
