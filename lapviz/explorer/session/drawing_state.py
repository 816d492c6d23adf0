"""The session's drawing: where a new one goes, and the last one that was shown."""

from __future__ import annotations

import streamlit as st

from lapviz import datasets
from lapviz.datasets import drawings
from lapviz.explorer.host.store import is_token
from lapviz.explorer.session import user_data
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets

_LAST = "lapviz_drawn"  # source of the last drawing


def last() -> DataSpec:
    """The drawing that this session showed last; the empty sheet at first."""
    source = st.session_state.get(_LAST, "")
    if is_token(source) and user_data.get(source) is None:
        source = ""
    return DataSpec(drawing.NAME, source=source)


def take(settings: Settings, code: str) -> Settings:
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
    data = DataSpec(drawing.NAME, source=source)
    return drawing.onto(settings, data, presets.of(data))


def linked(text: str | None) -> tuple[Settings, str]:
    """Defaults of the drawing in a link, and a sentence if there is something to say."""
    if text == drawing.HELD and last().private:
        return presets.of(last()), ""
    try:
        source, said = drawing.read(text) if text else "", ""
    except ValueError as error:
        source, said = "", str(error)
    st.session_state[_LAST] = source
    return presets.of(DataSpec(drawing.NAME, source=source)), said


def _held(code: str) -> str:
    """The token of a large drawing; the oldest ones of the visitor are forgotten."""
    held = {
        token: thing
        for token, thing in user_data.all_mine().items()
        if isinstance(thing, drawing.Held)
    }
    for token, thing in held.items():
        if thing.code == code:
            return token
    for token in list(held)[: -drawing.KEPT + 1]:
        user_data.forget(token)
    return user_data.add(drawing.Held(code, datasets.info(drawing.NAME, source=code)))
