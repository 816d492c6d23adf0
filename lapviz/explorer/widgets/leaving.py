"""A warning before a page is left on which labels by hand would be lost.

A table is in the visitor's session alone, and so are its labels: to reload the page forgets both.
"""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.session import state, user_data
from lapviz.explorer.settings.records import Settings

_SAVED = "lapviz_labels_saved"
_GUARD = st.components.v2.component(
    "lapviz_leaving",
    js="""
export default function ({ data }) {
  const guard = (globalThis.__lapvizLeaving ??= (event) => event.preventDefault());
  if (data.unsaved) window.addEventListener("beforeunload", guard);
  else window.removeEventListener("beforeunload", guard);
}
""",
)


def guard(place: str) -> None:
    """Let the browser ask before it leaves, as long as there are labels that no file has."""
    _GUARD(
        key=f"leaving-{place}", data={"unsaved": unsaved(state.SHARED.settings())}
    )  # page.css hides it


def unsaved(settings: Settings | None) -> bool:
    """Whether there are labels by hand of a table that were not taken away as they are now."""
    if settings is None or settings.data.name != "table" or not settings.labels.chosen:
        return False
    kept = user_data.get(settings.data.source) is not None
    return kept and (settings.data, settings.labels.chosen) != st.session_state.get(_SAVED)


def saved() -> None:
    """The labels are in a file as they are now."""
    now = state.SHARED.settings()
    st.session_state[_SAVED] = now and (now.data, now.labels.chosen)
