"""Data of this session's visitor: stored, looked up, and dropped with all results."""

from __future__ import annotations

from typing import Any

import streamlit as st

from lapviz import datasets
from lapviz.datasets import drawings
from lapviz.explorer.compute import jobs
from lapviz.explorer.host import visitors
from lapviz.explorer.host.store import STORE, UserData, is_token, token_in
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets

PICTURES = "lapviz_shown"  # the last picture of each stage
_LAST = "lapviz_drawn"  # source of the last drawing shown


def owned() -> dict[str, UserData]:
    """Data of this session by token."""
    return STORE.owned(visitors.current())


def add(data: UserData, instead_of: str = "") -> str:
    """Store data for this session, perhaps in place of others; return their token.

    Raises
    ------
    ValueError
        If there is no room for them; the message says what to do.
    """
    return STORE.add(visitors.current(), data, instead_of)


def get(source: str) -> UserData | None:
    """Data of a token if they are this session's, else None."""
    return owned().get(source)


def latest(name: str) -> DataSpec | None:
    """The session's latest data of that name; None if there are none."""
    mine = owned().items()
    tokens = [token for token, data in mine if data.info is not None and data.info.name == name]
    return DataSpec(name, source=tokens[-1]) if tokens else None


def tokens_of(kind: type) -> list[str]:
    """Tokens of the session's data of one class, oldest first."""
    return [token for token, data in owned().items() if isinstance(data, kind)]


def file_name(file: Any) -> str:
    """The name of an uploaded file, in which browsers write %22 for quotation marks."""
    return file.name.replace("%22", '"')


def forget(source: str) -> None:
    """Drop data of this session, their results and pictures, and cancel their jobs."""
    if get(source) is None:
        return
    STORE.forget(source)
    jobs.forget_all(lambda job: token_in(job.work) == source)
    pictures = visitors.session_dict(PICTURES)
    for key in [key for key, last in pictures.items() if token_in(last.settings) == source]:
        del pictures[key]


# ---- drawings ---------------------------------------------------------------------------------


def last_drawing() -> DataSpec:
    """Drawing that this session showed last; initially the empty sheet."""
    source = st.session_state.get(_LAST, "")
    if is_token(source) and get(source) is None:
        source = ""
    return DataSpec(drawing.NAME, source=source)


def take_drawing(settings: Settings, code: str) -> Settings:
    """Settings with a drawing from the stage.

    A small drawing is part of links; a larger one is stored for this visitor.

    Raises
    ------
    ValueError
        If the code is invalid, or there is no room for the drawing.
    """
    large = len(drawings.decode(code).cells) > drawings.MOST_IN_LINK
    source = _stored(code, settings.data.source) if large else drawing.read(code)
    st.session_state[_LAST] = source
    return drawing.with_drawing(settings, presets.for_spec(DataSpec(drawing.NAME, source=source)))


def linked_drawing(text: str | None) -> tuple[Settings, str]:
    """Defaults for the drawing in a link, and a message or ""."""
    if text == drawing.LARGE and last_drawing().private:
        return presets.for_spec(last_drawing()), ""
    try:
        source, message = drawing.read(text) if text else "", ""
    except ValueError as error:
        source, message = "", str(error)
    if source:  # on an empty sheet the last drawing can still be gone on with
        st.session_state[_LAST] = source
    return presets.for_spec(DataSpec(drawing.NAME, source=source)), message


def _stored(code: str, current: str) -> str:
    """Store a large drawing and drop the oldest ones but for the current; return its token."""
    tokens = tokens_of(drawing.LargeDrawing)
    for token in tokens:
        if get(token).code == code:
            return token
    for token in tokens[: -drawing.MOST_KEPT + 1]:
        if token != current:  # which is among the oldest after an undo
            forget(token)
    return add(drawing.LargeDrawing(code, datasets.info(drawing.NAME, source=code)))
