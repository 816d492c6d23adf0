"""Two-way binding of widgets and settings, whatever the order of events.

The browser sends the values of *all* widgets with every event. A value that the server has just
written to a widget (μ follows σ, a text a slider) may not have reached the browser yet: then
the old value arrives with the event of another widget, and looks like a user's change. So the
values that the browser may still have are remembered. One of them that arrives together with a
change elsewhere, or right after the server wrote, is such an echo and is ignored.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

_HELD, _WRITTEN = "lapviz_held", "lapviz_written_to"
_ACTED, _DOUBTFUL = "lapviz_acted", "lapviz_doubtful"
ECHO_SECONDS = 0.25  # after this an old value that arrives alone is the user's


def _slot(name: str) -> dict:
    return st.session_state.setdefault(name, {})


def moved(key: str, use: Callable[[object], None]) -> None:
    """Handle a widget's callback: call ``use`` with its value if the user changed it.

    Parameters
    ----------
    key : str
        Of the widget.
    use : callable
        What to do with the value; called at once, or by :func:`settle`.
    """
    value = st.session_state[key]
    if value in _slot(_HELD).get(key, ()):
        st.session_state.setdefault(_DOUBTFUL, []).append((key, value, use))
    else:
        _take(key, value, use)


def _take(key: str, value: object, use: Callable[[object], None]) -> None:
    acted()
    _slot(_HELD).pop(key, None)
    use(value)


def acted() -> None:
    """Note that the user changed something in this event: a widget, the stage, a button."""
    st.session_state[_ACTED] = True


def settle() -> None:
    """Decide what the callbacks left in doubt; called before a page reads its settings."""
    doubtful = st.session_state.pop(_DOUBTFUL, [])
    elsewhere = st.session_state.pop(_ACTED, False)
    for key, value, use in doubtful:
        _, when = _slot(_WRITTEN).get(key, (None, 0.0))
        if not elsewhere and time.monotonic() - when > ECHO_SECONDS:
            _take(key, value, use)
    st.session_state.pop(_ACTED, None)


def follow(key: str, value: object) -> None:
    """Set a widget's value if it is not that of its setting.

    All that the user did is in the settings by now. What differs is an echo, or was changed by
    something else, or was written in a run that ended before the browser heard of it.

    Parameters
    ----------
    key : str
        Of the widget that is about to be drawn.
    value : object
        What its setting is now.
    """
    held, written = _slot(_HELD), _slot(_WRITTEN)
    if key not in st.session_state:  # a new widget: the browser has no value of it
        held.pop(key, None)
    elif st.session_state[key] != value:
        held.setdefault(key, []).extend((st.session_state[key], written.get(key, (value,))[0]))
    else:
        held.pop(key, None)  # the browser has sent what its setting is
        return
    st.session_state[key] = value
    written[key] = value, time.monotonic()
