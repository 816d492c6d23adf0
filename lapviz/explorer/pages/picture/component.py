"""The picture's stage: mounting it, and its messages to the browser."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from PIL import Image

from lapviz.explorer.channel import component as channel
from lapviz.explorer.channel.component import Waiting
from lapviz.explorer.channel.messages import Allowed, Message
from lapviz.explorer.pages.picture.settings import PictureSettings
from lapviz.explorer.pages.picture.steps import Answer
from lapviz.explorer.widgets.stage_knobs import Knob
from lapviz.figures.stage.container import pack
from lapviz.pictures import Picture, Segmentation, Stroke, read_strokes, write_strokes

Array = np.ndarray

LEVELS = 28  # of certainty; times nine classes they fit into a byte
QUALITY = 92  # of the picture as it is shown; the numbers are made from the file


def picture_stage(
    picture: Picture,
    settings: PictureSettings,
    answer: Answer | Waiting,
    *,
    key: str,
    knobs: tuple[Knob, ...],
    on_change: Callable[[Message, str], None],
) -> None:
    """Show a picture to be scribbled on, and the answer to the scribbles.

    Parameters
    ----------
    picture : Picture
    settings : PictureSettings
    answer : Answer or Waiting
    key : str
        Name of this stage, unique in the app.
    knobs : tuple of Knob
    on_change : callable
        Called with what a hand has changed ("strokes", "classes" and knobs), and the key of the
        picture that it was changed on, before the page is run again.
    """
    view_key = settings.pixels.view_key
    told = {
        "view_key": view_key,
        "strokes": write_strokes(settings.strokes),
        "classes": settings.classes,
        "knobs": [asdict(knob) for knob in knobs],
    }
    channel.show(
        "picture",
        told | _told(answer),
        key=key,
        allowed=allowed_on(picture.rgb.shape[:2], view_key, knobs),
        lasting=static_blob(picture),
        on_change=lambda said: on_change(said, view_key),
    )


def allowed_on(shape: tuple[int, int], view_key: str, knobs: Sequence[Knob]) -> Allowed:
    """What may be changed on a picture of that shape."""
    of_scene = {"classes": None, "strokes": lambda text: _strokes(text, shape)}
    return Allowed("picture", view_key, of_scene).with_knobs(knobs)


def _strokes(text: str, shape: tuple[int, int]) -> tuple[Stroke, ...]:
    """Strokes without those that touch no pixel."""
    high, wide = shape
    return tuple(s for s in read_strokes(text)
                 if any(0 <= x < wide and 0 <= y < high for x, y in s.points))  # fmt: skip


def static_blob(picture: Picture) -> bytes:
    """The picture as the browser shows it."""
    out = io.BytesIO()
    Image.fromarray(picture.rgb).save(out, "JPEG", quality=QUALITY)
    jpeg = np.frombuffer(out.getvalue(), dtype=np.uint8)
    h, w = picture.rgb.shape[:2]
    return pack({"static": {"image": jpeg, "width": w, "height": h, "name": picture.name}})


def _told(answer: Answer | Waiting) -> dict[str, Any]:
    if isinstance(answer, Waiting):
        return answer.told()
    panels = []
    if answer.result is not None:
        main = answer.result
        panels.append(_panel("Kernel Laplacian", "", main.step, codes_of(main)))
    for side in answer.sides:
        sure = side.mask * np.uint8(LEVELS) + np.uint8(LEVELS - 1)
        panels.append(_panel(side.title, side.note, side.step, sure))
    shares = answer.result.shares if answer.result else {}
    listed = [[code, share] for code, share in shares.items()]
    return {"answer": {"panels": panels, "fine": answer.fine, "shares": listed}}


def _panel(title: str, note: str, step: int, codes: Array) -> dict[str, Any]:
    packed = np.frombuffer(zlib.compress(codes.tobytes(), 1), dtype=np.uint8)
    return {"title": title, "note": note, "step": step, "codes": packed, "shape": [*codes.shape]}


def codes_of(result: Segmentation) -> Array:
    """Class and certainty of each pixel in one byte: code · 28 + level, uint8 (h, w)."""
    best = result.probabilities.max(axis=2)
    least = 1 / len(result.codes)
    level = np.clip((best - least) / (1 - least) * LEVELS, 0, LEVELS - 1).astype(np.uint8)
    return result.mask * np.uint8(LEVELS) + level
