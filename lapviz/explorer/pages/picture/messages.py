"""Validation of what the picture's stage sends: nothing from outside is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lapviz.explorer.stage.messages import MAX_REV
from lapviz.explorer.widgets.stage_knobs import Knob, read
from lapviz.figures.stage.rows import number
from lapviz.pictures import Stroke, read_strokes
from lapviz.pictures.strokes import MOST_CLASSES

CHANGES = ("strokes", "classes", "knobs")
MOST_TEXT = 200_000  # characters of strokes in a message


@dataclass(frozen=True)
class PictureState:
    """What the browser last sent; ``changed`` names what was changed there.

    Attributes
    ----------
    strokes : tuple of Stroke
    classes : int
    knobs : tuple of (str, float or "auto")
    rev : int
    hand : bool
        Whether the hand still moves a knob.
    changed : tuple of str
    view_key : str
        Of the picture that it is about.
    """

    strokes: tuple[Stroke, ...]
    classes: int
    knobs: tuple[tuple[str, float | str], ...]
    rev: int
    hand: bool
    changed: tuple[str, ...]
    view_key: str


def clean_picture(
    raw: Any, view_key: str, shape: tuple[int, int], knobs: Sequence[Knob]
) -> PictureState | None:
    """A message as a :class:`PictureState`; None if it cannot be used, or is of another picture.

    Parameters
    ----------
    raw : Any
        The component's state, as Streamlit decoded it.
    view_key : str
        Of the picture on screen.
    shape : (int, int)
        Its rows and columns; strokes that touch none of them are dropped.
    knobs : sequence of Knob
    """
    if not isinstance(raw, dict) or raw.get("view_key") != view_key:
        return None
    strokes = _strokes(raw.get("strokes"), shape)
    rev, classes, changed = number(raw.get("rev")), number(raw.get("classes")), raw.get("changed")
    named = [c for c in CHANGES if isinstance(changed, list) and c in changed]
    if strokes is None and "strokes" in named:
        named.remove("strokes")
    return PictureState(
        strokes=strokes or (),
        classes=2 if classes is None else int(min(max(classes, 2), MOST_CLASSES)),
        knobs=tuple(read({"values": raw.get("knobs")}, knobs).items()),
        rev=0 if rev is None else int(min(max(rev, 0), MAX_REV)),
        hand=raw.get("hand") is True,
        changed=tuple(named),
        view_key=view_key,
    )


def _strokes(text: Any, shape: tuple[int, int]) -> tuple[Stroke, ...] | None:
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        return None
    try:
        strokes = read_strokes(text)
    except ValueError:
        return None
    high, wide = shape
    return tuple(s for s in strokes if any(0 <= x < wide and 0 <= y < high for x, y in s.points))
