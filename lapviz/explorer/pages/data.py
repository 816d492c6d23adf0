"""Your data: so far, pictures."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.pages.picture import picture


def page() -> None:
    """The page, for `st.Page`."""
    st.title("Your data", anchor=False)
    picture()
