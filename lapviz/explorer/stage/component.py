"""The stages of the pages: scenes in the plane or in space, and curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from lapviz.datasets import drawings
from lapviz.explorer.channel import component
from lapviz.explorer.channel.component import NOTHING, Allowed, Message, Waiting
from lapviz.explorer.settings.texts import MAX_SIZE
from lapviz.explorer.widgets.knobs import Knob
from lapviz.figures.curve_scenes import CurveScene, Handle
from lapviz.figures.stage.payload import answer_of, encode_lasting
from lapviz.figures.stage.rows import label_of, number
from lapviz.labels import Label
from lapviz.scenes import Scene

MIN_HEIGHT, MAX_HEIGHT = 160, 1200
STORIES = (-1, 1)  # the previous one and the next
_ALLOWED = "lapviz_allowed"  # by each stage's last scene


@dataclass(frozen=True, eq=False)
class Encoded:
    """A scene as it is sent, and what may be changed on it.

    Attributes
    ----------
    answer : dict
        As of :func:`~lapviz.figures.stage.payload.answer_of`.
    lasting : bytes
        As of :func:`~lapviz.figures.stage.payload.encode_lasting`.
    allowed : Allowed
    """

    answer: dict[str, Any]
    lasting: bytes
    allowed: Allowed

    @classmethod
    def of(cls, scene: Scene) -> Encoded:
        """A scene in this form."""
        return cls(answer_of(scene), encode_lasting(scene), allowed_by(scene))

    def at(self, rev: int, *hide: str) -> Encoded:
        """The same as the answer to a message, with more tools hidden."""
        hidden = (*self.answer["hide"], *hide)
        return replace(self, answer=self.answer | {"rev": rev, "hide": hidden})


def stage(
    scene: Scene | Encoded | Waiting,
    *,
    key: str,
    height: int | None = None,
    title: str = "",
    words: str = "",
    story: bool = False,
    on_change: Callable[[Message], None] | None = None,
    on_cancel: Callable[[], None] | None = None,
    on_tick: Callable[[], None] | None = None,
    knobs: tuple[Knob, ...] = (),
    point: dict[str, object] | None = None,
    formula: str = "",
    useful: Sequence[float] = (),
) -> None:
    """Show a scene on the interactive canvas.

    Parameters
    ----------
    scene : Scene, Encoded or Waiting
        What to show; its ``rev`` is the revision of the message that it is the answer to.
    key : str
        Name of this stage, unique in the app. Zoom is kept for each key and ``scene.view_key``.
    height : int or None
        Maximal height of each panel's picture in pixels; None: chosen from the window.
    title : str
        What the pictures are about, seen above them in present mode.
    words : str
        A sentence below that title.
    story : bool
        Whether they are of a story, which arrow keys go through in present mode.
    on_change : callable or None
        Called with what a hand has changed before the page is run again: "lam", "filter", "labels",
        "drawing" (its code), "story" (-1 or 1), and knobs.
    on_cancel : callable or None
        Called when a visitor gives up waiting.
    on_tick : callable or None
        Called when the browser asks again for an answer.
    knobs : tuple of Knob
        Sliders above the picture; all but the one that leads behind “More”.
    point : dict or None
        ``{"name", "count"}``: a control to point at, once for each count.
    formula : str
        What is computed, as :func:`~lapviz.explorer.words.formula_line.as_html` writes it.
    useful : sequence of float
        From where to where λ is worth moving, as a time: a new label runs through it. Empty: none.

    Raises
    ------
    ValueError
        If ``key`` contains "__", which Streamlit reserves.
    """
    kept = st.session_state.setdefault(_ALLOWED, {})
    told = {
        "height": 0 if height is None else min(max(int(height), MIN_HEIGHT), MAX_HEIGHT),
        "title": title,
        "words": words,
        "story": story,
        "knobs": [asdict(knob) for knob in knobs],
        "point": point or None,
        "formula": formula,
        "useful": list(useful),
    }
    if isinstance(scene, Waiting):
        told |= scene.payload()
        lasting = NOTHING
    else:
        shown = scene if isinstance(scene, Encoded) else Encoded.of(scene)
        kept[key], told["answer"], lasting = shown.allowed, shown.answer, shown.lasting
    component.show(
        "stage",
        told,
        key=key,
        allowed=with_knobs(kept.get(key, Allowed("stage")), knobs),
        lasting=lasting,
        on_change=on_change,
        on_cancel=on_cancel,
        on_tick=on_tick,
    )


def curve_stage(
    scene: CurveScene,
    *,
    key: str,
    on_change: Callable[[Message], None] | None = None,
    formula: str = "",
) -> None:
    """Show curves; scrubbed paths and dragged points are answered in the browser first.

    Parameters
    ----------
    scene : CurveScene
        What to show; its ``rev`` is the revision of the message that it answers.
    key : str
        Name of this stage, unique in the app.
    on_change : callable or None
        Called with what a hand has changed before the page is run again: "path", "step" and
        "handles".
    formula : str
        As of :func:`stage`.
    """
    component.show("curve", {"answer": answer_of(scene), "formula": formula}, key=key,
                   allowed=allowed_by_curves(scene), lasting=encode_lasting(scene),
                   on_change=on_change)  # fmt: skip


def settings_of(said: Message) -> dict[str, Any]:
    """What a message changes by the names of settings, with as many digits as a link keeps."""
    changes = dict(said.changes)
    if isinstance(changes.get("lam"), float):
        changes["lam"] = float(f"{changes['lam']:.4g}")
    if "labels" in changes:
        changes["marks"] = tuple(label.lasting() for label in changes.pop("labels"))
    return changes


def with_knobs(allowed: Allowed, knobs: Sequence[Knob]) -> Allowed:
    """The same with these knobs, and "auto" for a λ that can be chosen from the data."""
    automatic = any(knob.name == "lam" and knob.auto is not None for knob in knobs)
    of_scene = dict(allowed.of_scene)
    if "lam" in of_scene:
        of_scene["lam"] = "auto" if automatic else None
    return replace(allowed, of_scene=of_scene, knobs=tuple(knobs))


def allowed_by(scene: Scene) -> Allowed:
    """What may be changed on a scene; kept between runs in place of it."""
    of_scene = {
        "lam": None,
        "filter": tuple(f.name for f in scene.filters) or (scene.filter,),
        "story": STORIES,
    }
    if scene.editable:
        of_scene["labels"] = _LabelRows.of(scene)
    if scene.drawing is not None:
        of_scene["drawing"] = _drawing
    return Allowed("stage", scene.view_key, of_scene)


def allowed_by_curves(scene: CurveScene) -> Allowed:
    """What may be changed on curves."""
    of_scene = {}
    if scene.paths:
        of_scene |= {"path": tuple(path.name for path in scene.paths), "step": None}
    if scene.handles:
        of_scene["handles"] = _handles
    return Allowed("curve", scene.view_key, of_scene)


def _drawing(rows: list) -> str | None:
    """The code of a drawing, which comes as the four numbers of its sheet, then its points."""
    numbers = [number(value) for value in rows]
    known = [value for value in numbers if value is not None]
    if len(known) < len(numbers) or any(value != int(value) for value in known[4:]):
        return None
    try:
        return drawings.encode(drawings.Drawing.of_numbers(known[4:], known[:4]))
    except (ValueError, OverflowError):
        return None


def _handles(rows: list) -> tuple[Handle, ...] | None:
    """The points of a message, each within its limits; those that are no points are left out."""
    return tuple(filter(None, map(_handle, rows))) or None


def _handle(row: object) -> Handle | None:
    if not isinstance(row, list) or len(row) != 3:
        return None
    x, value, slope = (number(v) for v in row)
    if x is None or value is None:
        return None
    value, slope = (None if v is None else min(max(v, -MAX_SIZE), MAX_SIZE) for v in (value, slope))
    return Handle(min(max(x, 0.0), 1.0), value, slope).rounded()


@dataclass(frozen=True, eq=False)
class _LabelRows:
    """The labels that a scene allows: of its points and, where that is offered, free ones."""

    n_codes: int
    index: np.ndarray
    xy: np.ndarray
    box: tuple[float, float, float, float]
    labels: tuple[Label, ...]
    free: bool

    @classmethod
    def of(cls, scene: Scene) -> _LabelRows:
        """A free label may lie up to one width of the view outside it: a view can be zoomed out."""
        x0, x1, y0, y1 = scene.view
        wide, high = x1 - x0, y1 - y0
        box = (x0 - wide, x1 + wide, y0 - high, y1 + high)
        index, xy = np.asarray(scene.points.index), np.asarray(scene.points.xy, dtype=float)
        n_codes = max(2, len(scene.classes))
        return cls(n_codes, index, xy, box, tuple(scene.labels), scene.free_labels)

    def __call__(self, rows: list) -> tuple[Label, ...]:
        """Labels from the browser's rows; of several rows about one point the last one counts."""
        labels = (self._label(label_of(row)) for row in rows)
        return tuple({label.key: label for label in labels if label is not None}.values())

    def _label(self, label: Label | None) -> Label | None:
        """The label, at its point's place if it is of a row; None if the scene does not allow it"""
        if label is None or not all(0 <= code < self.n_codes for code in label.candidates):
            return None
        if not label.off_sample:
            place = self._place(label.index)
            return None if place is None else label.at(*place)
        x0, x1, y0, y1 = self.box
        label = label.snapped((x1 - x0) / 3, (y1 - y0) / 3)  # the box is three views wide
        known = any(other.off_sample and other.place == label.place for other in self.labels)
        inside = self.free and x0 <= label.x <= x1 and y0 <= label.y <= y1
        return label if known or inside else None

    def _place(self, index: int) -> tuple[float, float] | None:
        """Of a row that is drawn, or labelled already."""
        drawn = np.flatnonzero(self.index == index)
        if len(drawn):
            x, y = self.xy[drawn[-1]].tolist()
            return x, y
        places = (label.place for label in self.labels if label.index == index)
        return next(places, None)
