"""Two-way binding of Streamlit's widgets and settings, whatever the order of events.

The browser sends the values of all widgets with every event, and it may not have heard yet of what
the server wrote: a value that is written to a widget can come back old, and pass for a user's
change. So nothing is ever written to a widget that stands. A widget whose setting was changed by
something else is replaced by a new one, with a key of its own: what still comes from the old one
is a user's change, whenever it comes, and nothing else is. A setting has one widget or knob only.

The widget's call takes the value too, as its default: what is written here is sent once, with the
run that makes the widget, and a slow browser may first draw it from the run after that.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

_NUMBERS = "lapviz_widgets"


def bind(name: str, value: object) -> str:
    """Key of the widget of a setting, which shows ``value``.

    Parameters
    ----------
    name : str
        Of the widget; its key is the name, "#" and a number.
    value : object
        What its setting is now.
    """
    numbers = st.session_state.setdefault(_NUMBERS, {})
    key = f"{name}#{numbers.get(name, 0)}"
    if key in st.session_state and st.session_state[key] == value:
        return key
    numbers[name] = numbers.get(name, -1) + 1
    key = f"{name}#{numbers[name]}"
    st.session_state[key] = value
    return key


def place(options: Sequence, value: object) -> int:
    """Where the value stands among the options; 0 for one that a link alone may have."""
    return options.index(value) if value in options else 0


def drop(key: str) -> None:
    """Replace the widget of that key at the next run: it holds what was not taken."""
    st.session_state.pop(key, None)
