"""The browser's code, sent before anything else.

Importing the numerics takes a second at the server's first visit. Meanwhile the browser can fetch
what Streamlit needs for a component, and read the stage's code. So this module imports neither.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

KEY = "lapviz-code"  # page.css takes it out of the page's flow

# bundle.js is built from stage/js, by stage/build.mjs. The package that it stands in imports the
# numerics, so it is not imported here.
_STAGE = Path(__file__).parents[1] / "stage"
_BUNDLE = Path(__file__).parents[2] / "figures" / "stage" / "bundle.js"
_CODE = st.components.v2.component("lapviz_code", js=_BUNDLE.read_text("utf-8"))


def waiting_for(kind: str) -> str:
    """All the code of a component that hands over to a kind of stage in this code (main.js)."""
    return (_STAGE / "loader.js").read_text("utf-8").replace("KIND", kind)


def show() -> None:
    """Bring the code of all stages and knobs, which are small messages of their own."""
    _CODE(key=KEY)
