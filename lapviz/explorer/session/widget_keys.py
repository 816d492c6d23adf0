"""Two-way binding of Streamlit's widgets and settings, whatever the order of events.

The browser sends the values of all widgets with every event, and it may not have heard yet of what
the server wrote: a value that is written to a widget can come back old, and pass for a user's
change. So nothing is ever written to a widget that stands. A widget whose setting was changed by
something else is replaced by a new one, with a key of its own. The old one may send its value once
more, which Streamlit takes for a change; only what differs from the value that it had last is one.
A setting has one widget or knob only.

The widget's call takes the value too, as its default: what is written here is sent once, with the
run that makes the widget, and a slow browser may first draw it from the run after that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

_NUMBERS = "lapviz_widgets"
_HEARD = "lapviz_heard"  # by each key that ever was: the value that its widget had last


def bind(name: str, value: object, use: Callable[[Any], object]) -> dict[str, Any]:
    """Arguments ``key`` and ``on_change`` of the widget of a setting, which shows ``value``.

    Parameters
    ----------
    name : str
        Of the widget; its key is the name, "#" and a number.
    value : object
        What its setting is now.
    use : callable
        Called with the new value when a user has changed it. Where it returns False, the value is
        not taken and the widget replaced.
    """
    numbers = st.session_state.setdefault(_NUMBERS, {})
    key = f"{name}#{numbers.get(name, 0)}"
    if key not in st.session_state or st.session_state[key] != value:
        numbers[name] = numbers.get(name, -1) + 1
        key = f"{name}#{numbers[name]}"
        st.session_state[key] = value
    heard = st.session_state.setdefault(_HEARD, {})
    heard[key] = value

    def change() -> None:
        new = st.session_state[key]
        if new != heard[key]:
            heard[key] = new
            if use(new) is False:
                del st.session_state[key]

    return {"key": key, "on_change": change}


def place(options: Sequence, value: object) -> int:
    """Where the value stands among the options; 0 for one that a link alone may have."""
    return options.index(value) if value in options else 0
