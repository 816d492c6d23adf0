"""Mounting what the browser draws: a Streamlit component for each kind, all of one code.

What Python sends is one blob (:mod:`lapviz.figures.stage.container`) that names the revision of the
last message that it knows. What lasts of a scene (modes, points) is in a blob of its own, under its
content hash: Streamlit does not send an unchanged message again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lapviz.explorer.channel import messages
from lapviz.explorer.channel.messages import Allowed, Message
from lapviz.explorer.host import preload
from lapviz.figures.stage import PLACE
from lapviz.figures.stage.container import fingerprint, pack

NOTHING = pack({"static": None})
_HEARD = (
    "lapviz_heard"  # of each key: the last message's revision, and whether the hand still moves
)


def _component(kind: str, *styles: str) -> Callable:
    """The component of a kind; its code comes once for a page, with ``preload``."""
    css = "\n".join((PLACE / name).read_text("utf-8") for name in styles)
    return st.components.v2.component(f"lapviz_{kind}", js=preload.waiting_for(kind), css=css)


_STORE = _component("store")
_KINDS = {
    "stage": _component("stage", "stage.css"),
    "curve": _component("curve", "stage.css", "curve.css"),
    "picture": _component("picture", "stage.css", "picture.css"),
    "knobs": _component("knobs", "stage.css"),
}


@dataclass(frozen=True)
class Waiting:
    """What a stage shows while there is no answer: it keeps its last picture, marked as old.

    Attributes
    ----------
    words : str
        What is being done, or "".
    spent : float
        Seconds so far.
    seconds : float or None
        Seconds expected in all.
    failed : str
        A sentence in place of the answer, if there will be none.
    """

    words: str = ""
    spent: float = 0.0
    seconds: float | None = None
    failed: str = ""

    def told(self) -> dict[str, Any]:
        """The same for the browser."""
        if self.failed:
            return {"answer": None, "failed": self.failed}
        pending = {"words": self.words, "spent": self.spent, "seconds": self.seconds}
        return {"answer": None, "pending": pending}


def revision(key: str) -> int:
    """Revision of the last message of that key."""
    return st.session_state.get(_HEARD, {}).get(key, (0, False))[0]


def hand(key: str) -> bool:
    """Whether a hand still moves something there."""
    return st.session_state.get(_HEARD, {}).get(key, (0, False))[1]


def show(
    kind: str,
    told: Mapping[str, Any],
    *,
    key: str,
    allowed: Allowed,
    lasting: bytes | None = None,
    on_change: Callable[[Message], None] | None = None,
    on_cancel: Callable[[], None] | None = None,
    on_tick: Callable[[], None] | None = None,
) -> None:
    """Show something that hands can change.

    Parameters
    ----------
    kind : {"stage", "curve", "picture", "knobs"}
    told : dict
        What the browser is told.
    key : str
        Name, unique in the app.
    allowed : Allowed
        What a message may change.
    lasting : bytes or None
        What lasts of it, for a stage.
    on_change : callable or None
        Called with the new :class:`~lapviz.explorer.channel.messages.Message` before the page is
        run again.
    on_cancel : callable or None
        Called when a visitor gives up waiting.
    on_tick : callable or None
        Called when the browser asks again for an answer.

    Raises
    ------
    ValueError
        If ``key`` contains "__", which Streamlit reserves.
    """
    if "__" in key:
        raise ValueError(f"The stage's key {key!r} contains '__': choose one without it.")

    def relay() -> None:
        state = st.session_state.get(key)
        said = messages.read(state.get("state") if hasattr(state, "get") else None, allowed)
        if said is None or (said.again and said.rev <= revision(key)):
            return  # what was heard before is answered by this run, and changes nothing more
        st.session_state.setdefault(_HEARD, {})[key] = said.rev, said.hand
        if on_change is not None:
            on_change(said)

    told = {"rev": revision(key), **told}
    place = nullcontext()
    if lasting is not None:
        told |= {"key": key}
        told |= {} if lasting is NOTHING else {"needs": fingerprint(lasting)}
        place = st.container(gap=None, key=f"place-{key}")
    with place:
        if lasting is not None:
            _STORE(key=f"{key}.store", data=lasting)
        _KINDS[kind](
            key=key,
            data=pack(told),
            on_state_change=relay,
            on_tick_change=on_tick or _look,
            on_cancel_change=on_cancel or _look,
        )


def _look() -> None:
    """To be run again is all that the browser wants."""
