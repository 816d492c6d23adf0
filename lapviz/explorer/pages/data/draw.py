"""Your data, drawn by hand: how it works, and the way to the sheet."""

from __future__ import annotations

import streamlit as st

from lapviz.datasets import drawings
from lapviz.explorer.session import drawing_state
from lapviz.explorer.session.navigation import page_named
from lapviz.explorer.settings import drawing


def draw() -> None:
    """The part of the page, with links that open the sheet on the page of Labels."""
    st.markdown(
        "Paint points of two or more classes with mouse, pen, finger or keys, and watch the "
        "estimates follow. The same tools are behind **Draw** on the pictures of Labels and "
        "Eigenfunctions, where they also start from any data set in the plane."
    )
    query = {"data": drawing.NAME}
    st.page_link(
        page_named("labels"),
        label="Draw on an empty sheet",
        icon=":material/draw:",
        query_params=query,
        help="Open Labels with an empty sheet and the brush.",
    )
    before = drawing_state.last()
    if before.source:
        n = before.info.n_samples
        st.page_link(
            page_named("labels"),
            label=f"Go on with your drawing of {n:,} points",
            icon=":material/edit:",
            query_params=query | {"drawing": drawing.in_link(before)},
            help="Open Labels with the drawing as you left it.",
        )
    st.caption(
        f"Up to {drawings.MOST_IN_LINK} points are in the link of the page: whoever opens it sees "
        "exactly your points. Larger drawings stay in this server's memory until you leave; save "
        "them as a file (CSV: x, y, class, labelled)."
    )
