"""The stages of the pages: scenes in the plane or in space, and curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from lapviz.datasets import drawings
from lapviz.explorer.channel import component
from lapviz.explorer.channel.component import Allowed, Message, number
from lapviz.explorer.widgets.knobs import Knob
from lapviz.figures.curve_scenes import MAX_SIZE, CurveScene, Handle
from lapviz.figures.stage.payload import answer_of, encode_lasting
from lapviz.labels import Label
from lapviz.scenes import Scene

STORIES = (-1, 1)  # the previous story and the next
MAX_NUMBERS = 3 + 100  # of a label: x, y, index, and its classes; no data set has more


@dataclass(frozen=True, eq=False)
class Encoded:
    """What the browser is sent for a scene, and what may be changed on it.

    Attributes
    ----------
    content : dict
        The part of the payload with the scene's answer, or the reason why there is none.
    lasting : bytes
        From :func:`~lapviz.figures.stage.payload.encode_lasting`.
    allowed : Allowed
    """

    content: dict[str, Any]
    lasting: bytes
    allowed: Allowed

    @classmethod
    def of(cls, scene: Scene | CurveScene) -> Encoded:
        """Encode a scene."""
        allowed = allowed_by_curves if isinstance(scene, CurveScene) else allowed_by
        return cls({"answer": answer_of(scene)}, encode_lasting(scene), allowed(scene))

    def without_tools(self) -> Encoded:
        """Copy without the buttons that Scene.hide calls "tools"."""
        answer = self.content["answer"]
        return replace(self, content={"answer": answer | {"hide": (*answer["hide"], "tools")}})


def stage(
    scene: Encoded,
    *,
    key: str,
    height: int | None = None,
    knobs: tuple[Knob, ...] = (),
    shown: Mapping[str, object] | None = None,
    **callbacks: Callable[..., None],
) -> None:
    """Show a scene on the interactive canvas.

    Changed settings, scrubbed paths and dragged points are answered in the browser first.

    Parameters
    ----------
    scene : Encoded
    key : str
        Name of this stage, unique in the app. Zoom is kept for each key and ``scene.view_key``.
    height : int or None
        Maximal height of each panel's picture in pixels, or 0.38 of the window's height if that is
        more; None: chosen from the window.
    knobs : tuple of Knob
        Sliders above the picture; all but the leading one are behind “More”.
    shown : mapping, optional
        What is shown besides: in present mode the ``title`` above the pictures, a sentence
        (``words``), and whether arrow keys show the steps of a ``story``; ``point``, a control to
        point at, once for each count, as ``{"name", "count"}``; ``formula``, what is computed, as
        HTML of :func:`~lapviz.explorer.words.formula_line.as_html`; ``useful``, the ends of the
        useful range of λ, as a time, along which a new label spreads.
    **callbacks : callable
        As of :func:`lapviz.explorer.channel.component.show`. The changes in a message are "lam",
        "filter", "labels", "drawing" (its code), "story" (-1 or 1), and knobs; of curves "path",
        "step" and "handles".
    """
    sliders = [asdict(knob) for knob in knobs]
    component.show(
        {"height": height or 0, "knobs": sliders, **(shown or {}), **scene.content},
        key=key,
        allowed=replace(scene.allowed, knobs=knobs),
        lasting=scene.lasting,
        **callbacks,
    )


def settings_of(message: Message) -> dict[str, Any]:
    """Changes of a message by the names of settings, with as many digits as a link keeps."""
    changes = dict(message.changes)
    if isinstance(changes.get("lam"), float):
        changes["lam"] = float(f"{changes['lam']:.4g}")
    if "labels" in changes:
        changes["marks"] = tuple(label.lasting() for label in changes.pop("labels"))
    return changes


def allowed_by(scene: Scene) -> Allowed:
    """What may be changed on a scene; kept between runs in place of the scene."""
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
    """Code of a drawing from the four numbers of its sheet and the numbers of its points."""
    numbers = [number(value) for value in rows]
    valid = [value for value in numbers if value is not None]
    if len(valid) < len(numbers) or any(value != int(value) for value in valid[4:]):
        return None
    try:
        return drawings.encode(drawings.Drawing.of_numbers(valid[4:], valid[:4]))
    except (ValueError, OverflowError):
        return None


def _handles(rows: list) -> tuple[Handle, ...] | None:
    """Points of a message, clipped to their limits; invalid ones are ignored."""
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
    """Reader of the labels that a scene allows: of its points and, if offered, off the sample."""

    n_codes: int
    index: np.ndarray
    xy: np.ndarray
    view: tuple[float, float, float, float]
    labels: tuple[Label, ...]
    off_sample: bool

    @classmethod
    def of(cls, scene: Scene) -> _LabelRows:
        """Reader for a scene."""
        index, xy = np.asarray(scene.points.index), np.asarray(scene.points.xy, dtype=float)
        n_codes = max(2, len(scene.classes))
        return cls(n_codes, index, xy, scene.view, tuple(scene.labels), scene.free_labels)

    def __call__(self, rows: list) -> tuple[Label, ...]:
        """Read labels from the browser's rows; the last row about a point counts."""
        labels = map(self._label, rows)
        return tuple({label.key: label for label in labels if label is not None}.values())

    def _label(self, row: Any) -> Label | None:
        """The label of a row, at its point's coordinates; None if the scene does not allow it."""
        if not isinstance(row, list) or not 4 <= len(row) <= MAX_NUMBERS:
            return None
        numbers = [value for value in map(number, row) if value is not None]
        if len(numbers) < len(row):
            return None
        x, y, index, *codes = numbers
        if index != int(index) or any(not 0 <= c < self.n_codes or c != int(c) for c in codes):
            return None
        code, *others = map(int, codes)
        label = Label(max(int(index), -1), code, (x, y), tuple(others))
        if not label.off_sample:
            positions = np.flatnonzero(self.index == label.index)
            if len(positions):
                return label.at(*self.xy[positions[-1]].tolist())
            labelled = (other.place for other in self.labels if other.index == label.index)
            place = next(labelled, None)  # of a row that is labelled, and not drawn
            return None if place is None else label.at(*place)
        x0, x1, y0, y1 = self.view
        wide, high = x1 - x0, y1 - y0
        label = label.snapped(wide, high)
        is_present = any(other.off_sample and other.place == label.place for other in self.labels)
        reach = max(wide, high)  # outside the view, of which the browser shows more if it is flat
        is_near = x0 - reach <= label.x <= x1 + reach and y0 - reach <= label.y <= y1 + reach
        return label if is_present or (self.off_sample and is_near) else None
