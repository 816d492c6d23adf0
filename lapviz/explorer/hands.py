"""Two-way binding of widgets and settings, whatever the order of events.

The browser sends the values of *all* widgets with every event. A value that the server has just
written to a widget (μ follows σ, a box follows a slider) may not have reached the browser yet: then
the old value arrives with the event of another widget, and looks like a user's change. So the
values that the browser may still have are remembered. One of them that arrives together with a
change elsewhere is such an echo and is ignored; one that arrives alone is the user's.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

_AGREED, _HELD, _ECHOED = "lapviz_agreed", "lapviz_held", "lapviz_echoed"
_ACTED, _DOUBTFUL = "lapviz_acted", "lapviz_doubtful"
_ABSENT = object()


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
    _slot(_AGREED)[key] = value
    use(value)


def acted() -> None:
    """Note that the user changed something in this event: a widget, the stage, a button."""
    st.session_state[_ACTED] = True


def settle() -> None:
    """Decide what the callbacks left in doubt; called before a page reads its settings."""
    doubtful = st.session_state.pop(_DOUBTFUL, [])
    elsewhere = st.session_state.pop(_ACTED, False)
    for key, value, use in doubtful:
        if elsewhere:
            _slot(_ECHOED)[key] = True
        else:
            _take(key, value, use)
    st.session_state.pop(_ACTED, None)


def follow(key: str, value: object) -> None:
    """Set a widget's value if its setting was changed by anything but the widget itself.

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
        held.pop(key, None)  # nothing written, no old value arrived: the browser is up to date
    agreed[key] = value
