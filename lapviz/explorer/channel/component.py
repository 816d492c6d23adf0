"""Mounting what the browser draws, and what it says: components of one code, one form of message.

What Python sends is one blob (:mod:`lapviz.figures.stage.container`) that names the revision of the
last message that it knows. What lasts of a scene (modes, points) is in a blob of its own, under its
content hash: Streamlit does not send an unchanged message again.

A message of the browser has what a hand has changed and Python has not answered yet, with a
revision::

    {"rev": 7, "view_key": "…", "hand": false, "changes": {"lam": 0.3, "labels": [[…], …]}}

One that has no answer after some seconds is told again, and has ``again`` besides.

``contract.json`` lists under ``changes`` what each kind of stage may change, its type and its
limits; ``of_data`` marks what means nothing on other data than those on screen. A scene narrows
that down. Nothing from outside is trusted: numbers are brought into their limits, and what is of
another type or not allowed is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from lapviz.contract import CONTRACT
from lapviz.explorer.host import preload
from lapviz.figures.stage import PLACE
from lapviz.figures.stage.container import fingerprint, pack
from lapviz.figures.stage.rows import number

MOST_REV = CONTRACT["message"]["most_rev"]  # the largest integer that JavaScript counts to exactly
SCHEMA = CONTRACT["changes"]
NOTHING = pack({"static": None})
# Of each key: the last message's revision, and whether the hand still moves.
_HEARD = "lapviz_heard"


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

    def payload(self) -> dict[str, Any]:
        """Return what the browser is sent."""
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
        Called with the new :class:`Message` before the page is
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
        said = read(state.get("state") if hasattr(state, "get") else None, allowed)
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


# ---- what the browser says --------------------------------------------------------------------


@dataclass(frozen=True)
class Message:
    """What a hand has changed.

    Attributes
    ----------
    rev : int
        The browser's count of changes; the answer names it.
    changes : dict
        The values by name, of the types of Python.
    hand : bool
        Whether the hand still moves.
    again : bool
        Whether it was told before, and no answer had come.
    """

    rev: int
    changes: dict[str, Any] = field(default_factory=dict)
    hand: bool = False
    again: bool = False


@dataclass(frozen=True)
class Allowed:
    """What a message may change.

    Attributes
    ----------
    kind : str
        Of the stage, as in the schema.
    view_key : str
        Names the data on screen.
    of_scene : dict
        For each name that may change what the schema's type needs: the values of a "name"; a
        function of a list or a text, for "rows" and "text"; for a "number" the word "auto" if it is
        one of the values.
    knobs : sequence of Knob
        What :class:`~lapviz.explorer.widgets.knobs.Knob` reads besides.
    """

    kind: str
    view_key: str = ""
    of_scene: Mapping[str, Any] = field(default_factory=dict)
    knobs: Sequence[Any] = ()


def read(raw: Any, allowed: Allowed) -> Message | None:
    """A message as it can be used; None if it is none.

    Parameters
    ----------
    raw : Any
        The component's state, as Streamlit decoded it.
    allowed : Allowed
    """
    rev = number(raw.get("rev")) if isinstance(raw, dict) else None
    if rev is None:
        return None
    said = raw.get("changes")
    said = said if isinstance(said, dict) else {}
    here = raw.get("view_key") == allowed.view_key
    changes = {}
    for name, given in allowed.of_scene.items():
        rule = SCHEMA[allowed.kind][name]
        if name in said and (here or not rule.get("of_data")):
            changes[name] = _TYPES[rule["is"]](said[name], rule, given)
    for knob in allowed.knobs:
        if knob.name in said and knob.name not in changes:
            changes[knob.name] = knob.read(said[knob.name])
    known = {name: value for name, value in changes.items() if value is not None}
    rev = int(min(max(rev, 0), MOST_REV))
    return Message(rev, known, raw.get("hand") is True, "again" in raw)


def _number(raw: Any, rule: Mapping[str, Any], given: Any) -> float | str | None:
    if given == raw == "auto":
        return "auto"
    value = number(raw)
    if value is None:
        return None
    value = min(max(value, rule["least"]), rule.get("most", math.inf))
    return int(value) if rule.get("whole") else value


def _name(raw: Any, rule: Mapping[str, Any], given: Any) -> Any:
    plain = isinstance(raw, str | int) and not isinstance(raw, bool)
    return raw if plain and raw in given else None


def _rows(raw: Any, rule: Mapping[str, Any], given: Any) -> Any:
    return given(raw[: rule["most"]]) if isinstance(raw, list) else None


def _text(raw: Any, rule: Mapping[str, Any], given: Any) -> Any:
    if not isinstance(raw, str) or len(raw) > rule["most"]:
        return None
    try:
        return given(raw)
    except ValueError:
        return None


_TYPES = {"number": _number, "name": _name, "rows": _rows, "text": _text}
