"""Two-way binding of widgets and settings, whatever the order of events.

The browser sends the values of *all* widgets with every event. A value that the server has just
written to a widget (μ follows σ, a box follows a slider) may not have reached the browser yet: then
the old value arrives with the event of another widget, and looks like a user's change. So the
values that the browser may still have are remembered, and none of them counts as a change by the
user until the browser has sent another one.
"""

from __future__ import annotations

import streamlit as st

_AGREED, _HELD, _ECHOED = "lapviz_agreed", "lapviz_held", "lapviz_echoed"
_ABSENT = object()


def _slot(name: str) -> dict:
    return st.session_state.setdefault(name, {})


def follow(key: str, value: object) -> None:
    """Set a widget's value if its setting was changed by anything but the widget itself.

    Parameters
    ----------
    key : str
        Key of the widget that is about to be drawn.
    value : object
        Current value of its setting.
    """
    agreed, held = _slot(_AGREED), _slot(_HELD)
    echoed = _slot(_ECHOED).pop(key, False)
    if key not in st.session_state:  # a new widget: the browser has no value of it
        held.pop(key, None)
        st.session_state[key] = value
    elif echoed or agreed.get(key, _ABSENT) != value:
        before = (st.session_state[key], agreed.get(key, _ABSENT))
        held.setdefault(key, []).extend(old for old in before if old is not _ABSENT)
        st.session_state[key] = value
    else:
        held.pop(key, None)  # nothing written, no old value arrived: the browser is up to date
    agreed[key] = value


def moved(key: str) -> tuple[bool, object]:
    """Whether the user changed the widget whose callback runs, and its value.

    Returns
    -------
    hand : bool
        False if the browser only repeats the value from before the server wrote to the widget.
    value : object
        The widget's value.
    """
    value = st.session_state[key]
    if value in _slot(_HELD).get(key, ()):
        _slot(_ECHOED)[key] = True
        return False, value
    _slot(_HELD).pop(key, None)
    _slot(_AGREED)[key] = value
    return True, value
