"""The picture as the browser receives it, and what it may change."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

import numpy as np
from PIL import Image

from lapviz.explorer.channel.component import Allowed, Waiting
from lapviz.explorer.pages.picture.settings import PictureSettings
from lapviz.explorer.pages.picture.steps import Answer
from lapviz.explorer.widgets.knobs import Knob
from lapviz.figures.stage.container import pack
from lapviz.pictures import Picture, Segmentation, Stroke, read_strokes, write_strokes

Array = np.ndarray

LEVELS = 28  # of certainty; times nine classes they fit into a byte
QUALITY = 92  # of the picture as shown; the numbers are computed from the file


def message(
    settings: PictureSettings, answer: Answer | Waiting, knobs: tuple[Knob, ...]
) -> dict[str, Any]:
    """Message to the browser about a picture, its strokes, and their answer."""
    content = {
        "view_key": settings.view_key,
        "strokes": [[s.code, s.radius, *chain.from_iterable(s.points)] for s in settings.strokes],
        "classes": settings.classes,
        "knobs": [asdict(knob) for knob in knobs],
    }
    if isinstance(answer, Waiting):
        return content | answer.payload()
    panels, shares = [], []
    if answer.result is not None:
        main = answer.result
        panels.append(_panel("Kernel Laplacian", "", main.step, codes_of(main)))
        shares = [[code, share] for code, share in main.shares.items()]
    for side in answer.sides:
        codes = side.mask * np.uint8(LEVELS) + np.uint8(LEVELS - 1)
        panels.append(_panel(side.title, side.note, side.step, codes))
    return content | {"answer": {"panels": panels, "fine": answer.fine, "shares": shares}}


def allowed_on(shape: tuple[int, int], view_key: str, knobs: Sequence[Knob]) -> Allowed:
    """Changes that are allowed on a picture of that shape."""
    changes = {"classes": None, "strokes": lambda rows: _strokes(rows, shape)}
    return Allowed("picture", view_key, changes, knobs)


def _strokes(rows: list, shape: tuple[int, int]) -> tuple[Stroke, ...] | None:
    """Strokes from rows [code, radius, x, y, x, y, …], without those that touch no pixel."""
    high, wide = shape
    try:
        drawn = [
            Stroke(code, radius, tuple(zip(xy[::2], xy[1::2], strict=True)))
            for code, radius, *xy in rows
        ]
        strokes = read_strokes(write_strokes(drawn))
    except (TypeError, ValueError):  # a stroke that a link could not hold either
        return None
    return tuple(s for s in strokes
                 if any(0 <= x < wide and 0 <= y < high for x, y in s.points))  # fmt: skip


def static_blob(picture: Picture) -> bytes:
    """The picture as a JPEG for the browser."""
    out = io.BytesIO()
    Image.fromarray(picture.rgb).save(out, "JPEG", quality=QUALITY)
    jpeg = np.frombuffer(out.getvalue(), dtype=np.uint8)
    h, w = picture.rgb.shape[:2]
    return pack({"static": {"image": jpeg, "width": w, "height": h, "name": picture.name}})


def _panel(title: str, note: str, step: int, codes: Array) -> dict[str, Any]:
    packed = np.frombuffer(zlib.compress(codes.tobytes(), 1), dtype=np.uint8)
    return {"title": title, "note": note, "step": step, "codes": packed, "shape": [*codes.shape]}


def codes_of(result: Segmentation) -> Array:
    """Class and certainty of each pixel in one byte: code · 28 + level, uint8 (h, w)."""
    best = result.probabilities.max(axis=2)
    least = 1 / len(result.codes)
    level = np.clip((best - least) / (1 - least) * LEVELS, 0, LEVELS - 1).astype(np.uint8)
    return result.mask * np.uint8(LEVELS) + level
