"""Your data, drawn by hand: how it works, and the way to the sheet."""

from __future__ import annotations

import streamlit as st

from lapviz.datasets import drawings
from lapviz.explorer import drawing, drawing_state, presets, state
from lapviz.explorer.navigation import page_named


def draw() -> None:
    """The part of the page, with a button that opens the sheet on the page of Labels."""
    st.markdown(
        "Paint points of two or more classes with mouse, pen, finger or keys, and watch the "
        "estimates follow. The same tools are behind **Draw** on the pictures of Labels and "
        "Eigenfunctions, where they also start from any data set in the plane."
    )
    before = drawing_state.last()
    n = before.info.n_samples
    left, right = st.columns(2) if n else (st.container(), None)
    if left.button("Draw on an empty sheet", icon=":material/draw:", key="draw-new",
                   help="Open Labels with an empty sheet and the brush."):  # fmt: skip
        _open(presets.for_data(drawing.NAME))
    if right and right.button(f"Go on with your drawing of {n:,} points", key="draw-on",
                              help="Open Labels with the drawing as you left it."):  # fmt: skip
        _open(presets.for_own(before) if before.source else presets.for_data(drawing.NAME))
    st.caption(
        f"Up to {drawings.MOST_IN_LINK} points are in the link of the page: whoever opens it sees "
        "exactly your points. Larger drawings stay in this server's memory until you leave; save "
        "them as a file (CSV: x, y, class, labelled)."
    )


def _open(settings) -> None:
    state.hand_over(settings)
    st.switch_page(page_named("labels"))
