"""A warning before the visitor leaves a page whose labels set by hand would be lost.

A table and its labels are kept in the visitor's session only: reloading the page loses both.
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
    """Let the browser ask before it leaves the page, as long as there are unsaved labels."""
    data = {"unsaved": unsaved(state.SHARED.settings())}
    _GUARD(key=f"leaving-{place}", data=data)  # page.css hides it


def unsaved(settings: Settings | None) -> bool:
    """Whether a table has labels set by hand that were changed since they were downloaded."""
    if settings is None or settings.data.name != "table" or not settings.labels.chosen:
        return False
    exists = user_data.get(settings.data.source) is not None
    return exists and (settings.data, settings.labels.chosen) != st.session_state.get(_SAVED)


def saved() -> None:
    """Record that the current labels were downloaded."""
    settings = state.SHARED.settings()
    st.session_state[_SAVED] = settings and (settings.data, settings.labels.chosen)
