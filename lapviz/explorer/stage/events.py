"""What a stage's message changes: the settings, and which of its events they include."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.session import drawing_state, state
from lapviz.explorer.settings.records import AUTO
from lapviz.explorer.stage import CurveState, StageState

_REV, _HAND = "lapviz_rev", "lapviz_hand"


def revision(key: str) -> int:
    """Revision of the stage's last message that the settings include."""
    return st.session_state.get(_REV, {}).get(key, 0)


def hand(key: str) -> bool:
    """Whether a hand still moves a knob of that stage."""
    return st.session_state.get(_HAND, {}).get(key, False)


def take_curve(key: str, said: CurveState, **changes: object) -> None:
    """Take what a curve stage's message changed, as ``changes`` by the names of settings."""
    st.session_state.setdefault(_REV, {})[key] = said.rev
    state.put(state.settings().change(**changes))


def take_stage(key: str, said: StageState) -> None:
    """Take λ, filter, labels and knobs from a stage."""
    st.session_state.setdefault(_REV, {})[key] = said.rev
    st.session_state.setdefault(_HAND, {})[key] = said.hand
    if said.story:
        state.turn(said.story)
        return
    changes: dict[str, object] = dict(said.knobs)
    changed = said.changed or (() if said.knobs or said.drawing else ("lam", "filter", said.reason))
    chosen = state.settings().estimate.lam == AUTO and not said.changed  # no hand has moved λ
    if "lam" in changed and "lam" not in changes and not chosen:
        changes["lam"] = float(f"{said.lam:.4g}")
    if "filter" in changed:
        changes["filter"] = said.filter
    if "labels" in changed:
        changes["marks"] = tuple(label.lasting() for label in said.labels)
    now = state.settings().change(**changes)
    state.put(now if said.drawing is None else drawing_state.take(now, said.drawing))
