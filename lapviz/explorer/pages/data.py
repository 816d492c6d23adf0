"""Your data: a table of your own, a drawing, or a picture."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer import picture_state, shell, state
from lapviz.explorer.pages import data_table
from lapviz.explorer.pages.picture import picture

PARTS = {"table": ("Table", data_table.table), "picture": ("Picture", picture)}
OWN_STATE = ("picture",)  # parts with settings of another kind, which look after their own links


def page() -> None:
    """The page, for `st.Page`."""
    if picture_state.asked():
        st.session_state["part"] = "picture"
    st.title("Your data", anchor=False)
    names = list(PARTS)
    part = st.segmented_control(
        "What you bring", names, default=names[0], format_func=lambda name: PARTS[name][0],
        key="part", bind="query-params", required=True, label_visibility="collapsed",
        help="A table from a file, a drawing on an empty sheet, or a picture.",
    )  # fmt: skip
    if part not in OWN_STATE:
        state.enter("data")
        shell.show_notes()
    with st.container(key="own"), shell.guarded(f"“{PARTS[part][0]}”"):
        PARTS[part][1]()
