"""The pages, by name."""

from __future__ import annotations

import numpy as np
import streamlit as st
from PIL import Image
from streamlit.navigation.page import StreamlitPage

from lapviz.explorer import hosting

# Less space above the stage, and a smaller title.
_STYLE = """<style>
.stMainBlockContainer { padding-top: 3.5rem; padding-bottom: 3rem; }
.stMainBlockContainer h1 { font-size: 1.9rem; padding: 0.4rem 0; }
[data-testid="stTopNavLink"]:focus-visible, [data-testid="stTopNavDropdownLink"]:focus-visible,
[data-testid="stSidebarNavLink"]:focus-visible {
  outline: 2px solid currentColor !important; outline-offset: 1px;
}
/* Streamlit's sliders and switches are drawn by backgrounds, which forced colours take away. */
@media (forced-colors: active) {
  .stSlider [data-orientation]:not([role]) > div:first-child,
  .stSlider div:has(> div > input[type="range"]),
  .stCheckbox label > div:first-of-type { forced-color-adjust: none; }
  [data-testid="stSliderThumbValue"] { forced-color-adjust: auto; }
}
@media (max-width: 640px) {
  .stMainBlockContainer { padding-left: 0.75rem; padding-right: 0.75rem; }
}
</style>"""

_PAGES: dict[str, StreamlitPage] = {}


def page_named(name: str) -> StreamlitPage:
    """A page for `st.switch_page`."""
    return _PAGES[name]


def _icon() -> Image.Image:
    """An eigenfunction of the square: Streamlit would fetch a named icon from a font server."""
    t = np.linspace(0, np.pi, 32)
    blend = 0.5 + 0.5 * np.cos(t)[None, :, None] * np.cos(2 * t)[:, None, None]
    low, high = np.array([0, 114, 178]), np.array([224, 123, 0])  # the stage's first two colours
    return Image.fromarray((low + blend * (high - low)).astype(np.uint8))


def run(pages: dict[str, StreamlitPage]) -> None:
    """Show the page that the URL asks for.

    Parameters
    ----------
    pages : dict
        The explorer's pages by name, in menu order.
    """
    hosting.limit_threads()
    _PAGES.update(pages)
    st.set_page_config(page_title="lapviz", page_icon=_icon(), layout="wide")
    st.html(_STYLE)
    st.navigation(list(pages.values()), position="top").run()
