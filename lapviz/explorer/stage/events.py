"""What a stage's message changes: the settings."""

from __future__ import annotations

from typing import Any

from lapviz.explorer.channel.messages import Message
from lapviz.explorer.session import drawing_state, state


def settings_of(said: Message) -> dict[str, Any]:
    """What a message changes by the names of settings, with as many digits as a link keeps."""
    changes = dict(said.changes)
    if isinstance(changes.get("lam"), float):
        changes["lam"] = float(f"{changes['lam']:.4g}")
    if "labels" in changes:
        changes["marks"] = tuple(label.lasting() for label in changes.pop("labels"))
    return changes


def take_stage(said: Message) -> None:
    """Take λ, filter, labels, knobs, a drawing or another story from a stage."""
    if state.restored():  # the hand had let go before
        return
    changes = settings_of(said)
    if "story" in changes:
        state.turn(changes["story"])
        return
    drawing = changes.pop("drawing", None)
    now = state.settings().change(**changes)
    state.put(now if drawing is None else drawing_state.take(now, drawing))
