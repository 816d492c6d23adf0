"""The pages, by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import streamlit as st
from PIL import Image

from lapviz.explorer.host import limits as hosting

_STYLE = (Path(__file__).parents[1] / "page.css").read_text("utf-8")
_PAGES: dict[str, object] = {}  # as st.Page makes them
_ASKED = "lapviz_asked_page"


def page_named(name: str) -> object:
    """A page for `st.switch_page`."""
    return _PAGES[name]


def ask(name: str) -> None:
    """Open a page at the next run: for callbacks, which cannot switch themselves."""
    st.session_state[_ASKED] = name


def follow() -> None:
    """Open the page that a callback asked for; for the whole script, and fragments with one."""
    if name := st.session_state.pop(_ASKED, ""):
        st.switch_page(_PAGES[name])


def _icon() -> Image.Image:
    """An eigenfunction of the square: Streamlit would fetch a named icon from a font server."""
    t = np.linspace(0, np.pi, 32)
    blend = 0.5 + 0.5 * np.cos(t)[None, :, None] * np.cos(2 * t)[:, None, None]
    low, high = np.array([0, 114, 178]), np.array([224, 123, 0])  # the stage's first two colours
    return Image.fromarray((low + blend * (high - low)).astype(np.uint8))


def run(pages: dict[str, object]) -> None:
    """Show the page that the URL asks for.

    Parameters
    ----------
    pages : dict
        The explorer's pages by name, in menu order.
    """
    hosting.prepare()
    _PAGES.update(pages)
    st.set_page_config(page_title="lapviz", page_icon=_icon(), layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    shown = st.navigation(list(pages.values()), position="top")
    follow()
    shown.run()
