"""What this session's visitor has brought: added, found, and forgotten with all its results."""

from __future__ import annotations

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
_LAST = "lapviz_drawn"  # source of the last drawing


def all_mine() -> dict[str, UserData]:
    """What this session has brought, by token."""
    return STORE.owned(visitors.current())


def add(data: UserData, instead_of: str = "") -> str:
    """Keep data for this session, perhaps in place of others; their token.

    Raises
    ------
    ValueError
        If they do not fit: the sentence says what to do.
    """
    return STORE.add(visitors.current(), data, instead_of)


def get(source: str) -> UserData | None:
    """The data of a token, if this session brought them; else None."""
    return all_mine().get(source)


def latest(name: str) -> DataSpec | None:
    """What this session brought last under that name of data; None if nothing is here."""
    mine = all_mine().items()
    tokens = [token for token, data in mine if data.info is not None and data.info.name == name]
    return DataSpec(name, source=tokens[-1]) if tokens else None


def tokens_of(kind: type) -> list[str]:
    """Tokens of all that this session brought of one class, the oldest first."""
    return [token for token, data in all_mine().items() if isinstance(data, kind)]


def forget(source: str) -> None:
    """Drop data of this session and all that was computed from them; what still computes ends."""
    if get(source) is None:
        return
    STORE.forget(source)
    jobs.forget_all(lambda job: token_in(job.work) == source)
    pictures = visitors.session_dict(PICTURES)
    for key in [key for key, last in pictures.items() if token_in(last.settings) == source]:
        del pictures[key]


# ---- drawings ---------------------------------------------------------------------------------


def last_drawing() -> DataSpec:
    """The drawing that this session showed last; the empty sheet at first."""
    source = st.session_state.get(_LAST, "")
    if is_token(source) and get(source) is None:
        source = ""
    return DataSpec(drawing.NAME, source=source)


def take_drawing(settings: Settings, code: str) -> Settings:
    """These settings with a drawing that came from the stage: in links if it is small.

    Else it is kept for this visitor.

    Raises
    ------
    ValueError
        If it is no code, or there is no room for it.
    """
    drawn = drawings.decode(code)
    source = _held(code) if len(drawn.cells) > drawings.MOST_IN_LINK else drawing.read(code)
    st.session_state[_LAST] = source
    return drawing.with_drawing(settings, presets.for_spec(DataSpec(drawing.NAME, source=source)))


def linked_drawing(text: str | None) -> tuple[Settings, str]:
    """Defaults of the drawing in a link, and a sentence if there is something to say."""
    if text == drawing.LARGE and last_drawing().private:
        return presets.for_spec(last_drawing()), ""
    try:
        source, said = drawing.read(text) if text else "", ""
    except ValueError as error:
        source, said = "", str(error)
    st.session_state[_LAST] = source
    return presets.for_spec(DataSpec(drawing.NAME, source=source)), said


def _held(code: str) -> str:
    """The token of a large drawing; the oldest ones of the visitor are forgotten."""
    held = {t: data for t, data in all_mine().items() if isinstance(data, drawing.LargeDrawing)}
    for token, data in held.items():
        if data.code == code:
            return token
    for token in list(held)[: -drawing.MOST_KEPT + 1]:
        forget(token)
    return add(drawing.LargeDrawing(code, datasets.info(drawing.NAME, source=code)))
