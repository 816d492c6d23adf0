"""Your data: a table of your own, a drawing, or a picture."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer import shell, state
from lapviz.explorer.pages import data_draw, data_table

PARTS = {"table": ("Table", data_table.table), "draw": ("Draw", data_draw.draw)}


def page() -> None:
    """The page, for `st.Page`."""
    state.enter("data")
    st.title("Your data", anchor=False)
    shell.show_notes()
    names = list(PARTS)
    part = "table"
    if len(names) > 1:
        # Not bound to the link: Streamlit would then leave the page for no other one.
        asked = st.query_params.get("part")
        part = st.segmented_control(
            "What you bring", names, default=asked if asked in names else names[0],
            format_func=lambda name: PARTS[name][0], key="part", required=True,
            label_visibility="collapsed",
            help="A table from a file, a drawing on an empty sheet, or a picture.",
        )  # fmt: skip
        if st.query_params.get("part", names[0]) != part:
            st.query_params["part"] = part
    with st.container(key="own"), shell.guarded(f"“{PARTS[part][0]}”"):
        PARTS[part][1]()
