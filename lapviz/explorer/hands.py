"""Widgets and settings that follow each other, whatever the order of events.

The browser sends the values of *all* widgets with every event, as it has them. What the server
wrote to a widget a moment ago (μ follows σ, a box follows a slider) may not have reached it yet:
then the old value comes back with somebody else's event, and looks like a hand. So the values
that the browser may still hold are remembered, and none of them counts as a hand until the browser
has shown that it knows better.
"""

from __future__ import annotations

import streamlit as st

_AGREED, _HELD, _ECHOED = "lapviz_agreed", "lapviz_held", "lapviz_echoed"
_ABSENT = object()


def _slot(name: str) -> dict:
    return st.session_state.setdefault(name, {})


def follow(key: str, value: object) -> None:
    """Move a widget, if something else than its own hand changed its setting.

    Parameters
    ----------
    key : str
        Of the widget that is about to be drawn.
    value : object
        What its setting is now.
    """
    agreed, held = _slot(_AGREED), _slot(_HELD)
    echoed = _slot(_ECHOED).pop(key, False)
    if key not in st.session_state:  # a new widget: the browser has nothing of it
        held.pop(key, None)
        st.session_state[key] = value
    elif echoed or agreed.get(key, _ABSENT) != value:
        before = (st.session_state[key], agreed.get(key, _ABSENT))
        held.setdefault(key, []).extend(old for old in before if old is not _ABSENT)
        st.session_state[key] = value
    else:
        held.pop(key, None)  # nothing was written and nothing old came back: it is up to date
    agreed[key] = value


def moved(key: str) -> tuple[bool, object]:
    """Whether a hand moved the widget whose callback runs, and its value.

    Returns
    -------
    hand : bool
        False if the browser only repeats what it had before the server wrote to the widget.
    value : object
    """
    value = st.session_state[key]
    if value in _slot(_HELD).get(key, ()):
        _slot(_ECHOED)[key] = True
        return False, value
    _slot(_HELD).pop(key, None)
    _slot(_AGREED)[key] = value
    return True, value
