"""The pages, by name."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from lapviz.explorer import hosting

# The stage is what people come for: less air above it, and a smaller title.
_STYLE = """<style>
.stMainBlockContainer { padding-top: 3.5rem; padding-bottom: 3rem; }
.stMainBlockContainer h1 { font-size: 1.9rem; padding: 0.4rem 0; }
@media (max-width: 640px) {
  .stMainBlockContainer { padding-left: 0.75rem; padding-right: 0.75rem; }
}
</style>"""

_PAGES: dict[str, StreamlitPage] = {}


def page_named(name: str) -> StreamlitPage:
    """A page for `st.switch_page`."""
    return _PAGES[name]


def run(pages: dict[str, StreamlitPage]) -> None:
    """Show the page that the URL asks for.

    Parameters
    ----------
    pages : dict
        The explorer's pages by name, in menu order.
    """
    hosting.limit_threads()
    _PAGES.update(pages)
    st.set_page_config(page_title="lapviz", page_icon=":material/waves:", layout="wide")
    st.html(_STYLE)
    st.navigation(list(pages.values()), position="top").run()
