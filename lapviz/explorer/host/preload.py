"""The browser's code and style sheet, sent once, before anything else.

Importing the numerical code takes a second at the server's first visit. Meanwhile the browser can
load what Streamlit needs for a component, and the stage's code. So this module imports no
numerical code.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

KEY = "lapviz-code"  # page.css takes it out of the page's flow

# stage/build.mjs builds bundle.js from stage/js. The package that contains it imports the numerical
# code, so it is not imported here.
_STAGE = Path(__file__).parents[1] / "stage"
_PLACE = Path(__file__).parents[2] / "figures" / "stage"
_CODE = st.components.v2.component("lapviz_code", js=(_PLACE / "bundle.js").read_text("utf-8"))
_SHEETS = ("stage.css", "curve.css", "picture.css")
_STYLE = "\n".join((_PLACE / name).read_text("utf-8") for name in _SHEETS)


def waiting_for(kind: str) -> str:
    """Code of a component that waits for the bundle, which then draws a kind of stage (main.js)."""
    return (_STAGE / "loader.js").read_text("utf-8").replace("KIND", kind)


def show() -> None:
    """Send the bundle, the code of all stages and knobs, with their style sheet.

    It triggers ``run`` to run the full page: see ``channel.js``.
    """
    _CODE(key=KEY, data=_STYLE, on_run_change=lambda: None)
