"""What the browser says: one form of message for all kinds of stage, held to one schema.

A message has what a hand has changed and Python has not answered yet, with a revision::

    {"rev": 7, "view_key": "…", "hand": false, "changes": {"lam": 0.3, "labels": [[…], …]}}

One that has no answer after some seconds is told again, and has ``again`` besides.

``contract.json`` lists under ``changes`` what each kind of stage may change, its type and its
limits; ``of_data`` marks what means nothing on other data than those on screen. A scene narrows
that down. Nothing from outside is trusted: numbers are brought into their limits, and what is of
another type or not allowed is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lapviz.contract import CONTRACT
from lapviz.figures.stage.rows import number

MOST_REV = CONTRACT["message"]["most_rev"]  # the largest integer that JavaScript counts to exactly
SCHEMA = CONTRACT["changes"]


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
