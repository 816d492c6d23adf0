"""Parts of a page that are switched on: in the link as ``open=path,plotly``."""

from __future__ import annotations

import streamlit as st

_ASKED = "lapviz_asked"
# Of each page the parts, and the keys of their switches.
PARTS = {
    "labels": {
        "path": "path-on",
        "seeds": "path-seeds",
        "random": "query-on",
        "plotly": "labels-stage-plotly",
    },
    "eigenfunctions": {"plotly": "eigen-stage-plotly"},
    "regression": {"plotly": "regression-fields-plotly"},
}


def opened(page: str) -> list[str]:
    """Names of the parts that are on."""
    return [name for name, key in PARTS.get(page, {}).items() if is_on(key)]


def read(page: str, text: str) -> list[str]:
    """Switch on what a link asks for, and everything else off; sentences on what is unknown."""
    asked, known = set(filter(None, text.split(","))), PARTS.get(page, {})
    for name, key in known.items():
        st.session_state[key] = name in asked
    st.session_state[_ASKED] = asked
    if not asked - known.keys():
        return []
    have = ", ".join(known) or "nothing here"
    return [f"open= takes {have}; everything else in it was ignored."]


def is_on(key: str) -> bool:
    """Whether the switch of that key is on; its default, too (:mod:`~.session.widget_keys`)."""
    return bool(st.session_state.get(key))


def asked_for(name: str) -> bool:
    """Whether the link asked for a part: then the fold around its switch starts unfolded."""
    return name in st.session_state.get(_ASKED, ())
