"""Your data: a table of your own, a drawing, or a picture."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.pages.data import draw as data_draw
from lapviz.explorer.pages.data import table as data_table
from lapviz.explorer.pages.picture import state as picture_state
from lapviz.explorer.pages.picture.page import picture
from lapviz.explorer.session import state, widget_keys
from lapviz.explorer.widgets import shell

PARTS = {
    "table": ("Table", data_table.table),
    "draw": ("Draw", data_draw.draw),
    "picture": ("Picture", picture),
}
OWN_STATE = ("picture",)  # parts with settings of another kind, which look after their own links
_PART, _LINK = "lapviz_part", "lapviz_part_link"


def page() -> None:
    """The page, for `st.Page`."""
    part = _part()
    st.title("Your data", anchor=False)
    # Not bound to the query: each part writes the whole of it, and Streamlit refuses that then.
    key = widget_keys.bind("w-part", part)
    st.segmented_control(
        "What you bring", list(PARTS), default=part, format_func=lambda name: PARTS[name][0],
        key=key, required=True, label_visibility="collapsed",
        on_change=lambda: _turn(st.session_state[key]),
        help="A table from a file, a drawing on an empty sheet, or a picture.",
    )  # fmt: skip
    if part not in OWN_STATE:
        state.enter("data")
        shell.show_notes()
    with st.container(key="own"), shell.guarded(f"“{PARTS[part][0]}”"):
        PARTS[part][1]()


def _part() -> str:
    """The part that a new link or a story asks for, or else the one that is open."""
    linked = st.query_params.to_dict().get("part")
    if linked in PARTS and linked != st.session_state.get(_LINK):
        st.session_state[_PART] = st.session_state[_LINK] = linked
    if picture_state.asked():
        st.session_state[_PART] = "picture"
    return st.session_state.setdefault(_PART, next(iter(PARTS)))


def _turn(part: str) -> None:
    """Open another part: what the address says of the last one goes."""
    st.session_state[_PART] = st.session_state[_LINK] = part
    st.query_params.clear()
    if part == "draw":  # the others write links of their own, or none
        st.query_params["part"] = part
