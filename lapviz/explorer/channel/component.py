"""Components that the browser draws, and the messages that it sends back.

Python sends one blob (:mod:`lapviz.figures.stage.container`), which holds the revision of the last
message received. The static part of a scene (modes, points) is a separate blob under its content
hash: Streamlit does not send an unchanged message again.

A message from the browser holds the user's changes that Python has not answered yet, and a
revision::

    {"rev": 7, "view_key": "…", "hand": false, "changes": {"lam": 0.3, "labels": [[…], …]}}

``point`` counts the buttons outside the stage whose effect it has shown. A message without an
answer after some seconds is sent again, with the key ``again``.

``contract.json`` lists under ``changes`` what each kind of stage may change, with types and limits;
``of_data`` marks values that are meaningless for data other than those on screen. A scene narrows
this down. Input is not trusted: numbers are clipped to their limits, and values of another type or
that are not allowed are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from lapviz.contract import CONTRACT
from lapviz.explorer.host import preload
from lapviz.figures.stage.container import fingerprint, pack

MOST_REV = CONTRACT["message"]["most_rev"]  # the largest integer exact in JavaScript
SCHEMA = CONTRACT["changes"]
NOTHING = pack({"static": None})
_HEARD = "lapviz_messages"  # for each key: the last message, without its changes


def declared(kind: str) -> Callable:
    """Component of a kind; its code and style are sent once for each page, by ``preload``."""
    return st.components.v2.component(f"lapviz_{kind}", js=preload.waiting_for(kind))


_STORE = declared("store")
_KINDS = {kind: declared(kind) for kind in ("stage", "curve", "picture", "knobs")}


@dataclass(frozen=True)
class Waiting:
    """State of a stage without an answer: it keeps its last picture, marked as outdated.

    Attributes
    ----------
    words : str
        What is being computed, or "".
    spent : float
        Seconds so far.
    seconds : float or None
        Expected total of seconds.
    failed : str
        Sentence in place of the answer, if there will be none.
    """

    words: str = ""
    spent: float = 0.0
    seconds: float | None = None
    failed: str = ""

    def payload(self) -> dict[str, Any]:
        """Return what the browser is sent."""
        if self.failed:
            return {"answer": None, "failed": self.failed}
        pending = {"words": self.words, "spent": self.spent, "seconds": self.seconds}
        return {"answer": None, "pending": pending}


def heard(key: str) -> Message:
    """The last message of a key."""
    return st.session_state.get(_HEARD, {}).get(key, Message(0))


def show(
    payload: Mapping[str, Any],
    *,
    key: str,
    allowed: Allowed,
    lasting: bytes | None = None,
    on_change: Callable[[Message], None] | None = None,
    on_cancel: Callable[[], None] | None = None,
    on_tick: Callable[[], None] | None = None,
) -> None:
    """Show a component that the user can change.

    Parameters
    ----------
    payload : dict
        Content for the browser.
    key : str
        Name, unique in the app.
    allowed : Allowed
        The kind of component, and what a message may change.
    lasting : bytes or None
        Static part of the content, for a stage.
    on_change : callable or None
        Called with the new :class:`Message` before the page is
        run again.
    on_cancel : callable or None
        Called when a visitor cancels the computation.
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
        message = read(state.get("state") if hasattr(state, "get") else None, allowed)
        if message is None or (message.again and message.rev <= heard(key).rev):
            return  # a repeated message: this run answers it, and it changes nothing
        st.session_state.setdefault(_HEARD, {})[key] = replace(message, changes={})
        if on_change is not None:
            on_change(message)

    payload = {"rev": heard(key).rev, **payload}
    container = nullcontext()
    if lasting is not None:
        payload |= {"key": key}
        payload |= {} if lasting is NOTHING else {"needs": fingerprint(lasting)}
        container = st.container(gap=None, key=f"place-{key}")
    with container:
        if lasting is not None:
            _STORE(key=f"{key}.store", data=lasting)
        _KINDS[allowed.kind](
            key=key,
            data=pack(payload),
            on_state_change=relay,
            on_tick_change=on_tick or _rerun,
            on_cancel_change=on_cancel or _rerun,
        )


def _rerun() -> None:
    """Do nothing: the run that follows a callback is all that the browser needs."""


# ---- messages from the browser ----------------------------------------------------------------


@dataclass(frozen=True)
class Message:
    """What the user has changed.

    Attributes
    ----------
    rev : int
        The browser's count of changes; the answer holds the same number.
    changes : dict
        Values by name, as Python types.
    hand : bool
        Whether the user is still moving something.
    again : bool
        Whether the message was sent before, and had no answer.
    point : float or None
        Number of buttons of the page whose effect the stage had shown.
    """

    rev: int
    changes: dict[str, Any] = field(default_factory=dict)
    hand: bool = False
    again: bool = False
    point: float | None = None


@dataclass(frozen=True)
class Allowed:
    """What a message may change.

    Attributes
    ----------
    kind : {"stage", "curve", "picture", "knobs"}
        Kind of the component, as in the schema.
    view_key : str
        Identifies the data on screen.
    of_scene : dict
        For each name that may change, what its type in the schema needs: the values of a "name"; a
        function of a list, for "rows"; None for a "number".
    knobs : sequence of Knob
        Knobs, which read their own values; that of λ reads only what is no number.
    """

    kind: str
    view_key: str = ""
    of_scene: Mapping[str, Any] = field(default_factory=dict)
    knobs: Sequence[Any] = ()


def read(raw: Any, allowed: Allowed) -> Message | None:
    """Validate a message; None if it is not one.

    Parameters
    ----------
    raw : Any
        The component's state, as Streamlit decoded it.
    allowed : Allowed
    """
    rev = number(raw.get("rev")) if isinstance(raw, dict) else None
    if rev is None:
        return None
    sent = raw.get("changes")
    sent = sent if isinstance(sent, dict) else {}
    same_data = raw.get("view_key") == allowed.view_key
    changes = {}
    for name, options in allowed.of_scene.items():
        rule = SCHEMA[allowed.kind][name]
        if name in sent and (same_data or not rule.get("of_data")):
            changes[name] = _TYPES[rule["is"]](sent[name], rule, options)
    for knob in allowed.knobs:
        if knob.name in sent and changes.get(knob.name) is None:
            changes[knob.name] = knob.read(sent[knob.name])
    valid = {name: value for name, value in changes.items() if value is not None}
    rev = int(min(max(rev, 0), MOST_REV))
    return Message(rev, valid, raw.get("hand") is True, "again" in raw, number(raw.get("point")))


def number(value: Any) -> float | None:
    """A finite float, or None; a bool is not accepted as a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        finite = float(value)
    except OverflowError:
        return None
    return finite if math.isfinite(finite) else None


def _number(raw: Any, rule: Mapping[str, Any], options: None) -> float | None:
    value = number(raw)
    if value is None:
        return None
    value = min(max(value, rule["least"]), rule.get("most", math.inf))
    return int(value) if rule.get("whole") else value


def _name(raw: Any, rule: Mapping[str, Any], options: Any) -> Any:
    plain = isinstance(raw, str | int) and not isinstance(raw, bool)
    return raw if plain and raw in options else None


def _rows(raw: Any, rule: Mapping[str, Any], convert: Any) -> Any:
    return convert(raw[: rule["most"]]) if isinstance(raw, list) else None


_TYPES = {"number": _number, "name": _name, "rows": _rows}
