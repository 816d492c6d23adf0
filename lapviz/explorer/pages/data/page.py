"""Your data: a table of your own, a drawing, or a picture."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lapviz.datasets import drawings
from lapviz.explorer.pages.data.table import open_on, table
from lapviz.explorer.pages.picture import page as picture_page
from lapviz.explorer.session import state, user_data, widget_keys
from lapviz.explorer.settings import drawing
from lapviz.explorer.stage.page import Page
from lapviz.explorer.widgets import shell

_PART, _LINK = "lapviz_part", "lapviz_part_link"


class _YourData(Page):
    """A page of parts, each with settings and links of its own."""

    def __call__(self) -> None:
        """Draw the open part."""
        part = _part()
        if part != "picture" or not picture_page.in_story():  # else the guide is there
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                st.title(self.title, anchor=False, width="content")
                # Not bound to the query, which each part rewrites: Streamlit refuses both together.
                titles = {name: page.title for name, page in PARTS.items()}
                words = "A table from a file, a drawing on an empty sheet, or a picture."
                widget_keys.menu(
                    st.segmented_control, "What you bring", titles, part, _open, key="w-part",
                    help=words, required=True, label_visibility="collapsed",
                )  # fmt: skip
        with st.container(key="own"), shell.guarded(f"“{PARTS[part].title}”"):
            PARTS[part]()


def _part() -> str:
    """Name of the part that a new link or a story requests, or else of the open one."""
    linked = st.query_params.to_dict().get("part")
    if linked in PARTS and linked != st.session_state.get(_LINK):
        st.session_state[_PART] = st.session_state[_LINK] = linked
    if picture_page.is_requested():
        st.session_state[_PART] = "picture"
    return st.session_state.setdefault(_PART, next(iter(PARTS)))


def _open(part: str) -> None:
    """Open another part, and clear the query of the last one."""
    st.session_state[_PART] = st.session_state[_LINK] = part
    st.query_params.clear()
    if part == "draw":  # the others write links of their own, or none
        st.query_params["part"] = part


def draw(_: object) -> None:
    """Say how drawing works, with links that open the sheet on the page of Labels."""
    st.markdown(
        "Paint points of two or more classes with mouse, pen, finger or keys, and watch the "
        "estimates follow. The same tools are behind **More**, **Draw** on the pictures of Labels "
        "and Eigenfunctions, where they also start from any built-in data set in the plane."
    )

    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.page_link(state.PAGES["labels"], label="Draw on an empty sheet", width="content",
                     query_params={"data": drawing.NAME}, icon=":material/draw:",
                     help="Open Labels with an empty sheet and the brush.")  # fmt: skip
        if (last := user_data.last_drawing()).source:
            shell.button(
                f"Go on with your drawing of {last.info.n_samples:,} points", "draw-on", "edit",
                "Open Labels with the drawing as you left it.", open_on, "labels", last,
                type="tertiary",
            )  # fmt: skip
    st.caption(
        f"Up to {drawings.MOST_IN_LINK} points are in the link of the page: whoever opens it sees "
        "exactly your points. Larger drawings stay in this server's memory until you leave; save "
        "them as a file (CSV: x, y, class, labelled)."
    )


TABLE = Page(
    path="data", title="Table", head=lambda *_: shell.show_notes(), footer=lambda _: table()
)
DRAW = replace(TABLE, title="Draw", footer=draw)
PARTS = {"table": TABLE, "draw": DRAW, "picture": picture_page.page}
page = _YourData(path="data", title="Your data")
