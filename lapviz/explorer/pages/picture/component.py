"""The picture's stage: mounting it, and its messages to the browser."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import streamlit as st
from PIL import Image

from lapviz.explorer.host import preload as opening
from lapviz.explorer.pages.picture.messages import PictureState, clean_picture
from lapviz.explorer.pages.picture.settings import PictureSettings
from lapviz.explorer.pages.picture.steps import Answer
from lapviz.explorer.stage.component import STORE, Waiting
from lapviz.explorer.widgets.stage_knobs import Knob
from lapviz.figures.stage import PLACE
from lapviz.figures.stage.payload import fingerprint, pack
from lapviz.pictures import Picture, Segmentation, write_strokes

Array = np.ndarray

LEVELS = 28  # of certainty; times nine classes they fit into a byte
QUALITY = 92  # of the picture as it is shown; the numbers are made from the file
_PICTURE = st.components.v2.component(
    "lapviz_picture",
    js=opening.waiting_for("__lapvizPicture"),
    css="\n".join((PLACE / name).read_text("utf-8") for name in ("stage.css", "picture.css")),
)


def picture_stage(
    picture: Picture,
    settings: PictureSettings,
    answer: Answer | Waiting,
    *,
    key: str,
    view_key: str,
    rev: int,
    knobs: tuple[Knob, ...],
    on_change: Callable[[PictureState], None],
) -> None:
    """Show a picture to be scribbled on, and the answer to the scribbles.

    Parameters
    ----------
    picture : Picture
    settings : PictureSettings
    answer : Answer or Waiting
    key : str
        Name of this stage, unique in the app.
    view_key : str
        Of the picture; zoom and undo are kept for each.
    rev : int
        The revision of the message that this answers.
    knobs : tuple of Knob
    on_change : callable
        Called with the new :class:`PictureState` before the page is run again.
    """
    shape = picture.rgb.shape[:2]

    def relay() -> None:
        result = st.session_state.get(key)
        raw = result.get("state") if hasattr(result, "get") else None
        said = clean_picture(raw, view_key, shape, knobs)
        if said is not None:
            on_change(said)

    static = static_blob(picture)
    told: dict[str, Any] = {
        "key": key,
        "needs": fingerprint(static),
        "view_key": view_key,
        "rev": rev,
        "strokes": write_strokes(settings.strokes),
        "classes": settings.classes,
        "knobs": [asdict(knob) for knob in knobs],
    }
    with st.container(gap=None):
        STORE(key=f"{key}.store", data=static)
        _PICTURE(key=key, data=pack(told | _said(answer)), on_state_change=relay,
                 on_tick_change=_look)  # fmt: skip


def static_blob(picture: Picture) -> bytes:
    """The picture as the browser shows it."""
    out = io.BytesIO()
    Image.fromarray(picture.rgb).save(out, "JPEG", quality=QUALITY)
    jpeg = np.frombuffer(out.getvalue(), dtype=np.uint8)
    h, w = picture.rgb.shape[:2]
    return pack({"static": {"image": jpeg, "width": w, "height": h, "name": picture.name}})


def _said(answer: Answer | Waiting) -> dict[str, Any]:
    if isinstance(answer, Waiting):
        pending = {"words": answer.words, "spent": answer.spent, "seconds": answer.seconds}
        return {"failed": answer.failed} if answer.failed else {"pending": pending}
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


def _look() -> None:
    """To be run again is all that the browser wants."""
