"""Two-way binding of Streamlit's widgets and settings, whatever the order of events.

The browser sends the values of all widgets with every event, perhaps before it has received what
the server wrote: an old value would then come back and look like a user's change. So nothing is
ever written to an existing widget. If its setting was changed by something else, it is replaced by
a new widget with another key. The old widget may send its value once more, which Streamlit takes
for a change; here a value counts as a change only if it differs from the widget's last one. A
setting has one widget or knob only.

The widget's call also takes the value as its default: the value written here is sent only with the
run that creates the widget, and a slow browser may first draw the widget from the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

_NUMBERS = "lapviz_widgets"
_HEARD = "lapviz_heard"  # for each key ever used: the last value of its widget


def bind(name: str, value: object, use: Callable[[Any], object]) -> dict[str, Any]:
    """Arguments ``key`` and ``on_change`` of the widget of a setting, which shows ``value``.

    Parameters
    ----------
    name : str
        Name of the widget; its key is the name, "#" and a number.
    value : object
        Current value of the setting.
    use : callable
        Called with the new value when the user has changed it. If the setting keeps its value all
        the same, the next run replaces the widget.
    """
    numbers = st.session_state.setdefault(_NUMBERS, {})
    key = f"{name}#{numbers.get(name, 0)}"
    if key not in st.session_state or st.session_state[key] != value:
        numbers[name] = numbers.get(name, -1) + 1
        key = f"{name}#{numbers[name]}"
        st.session_state[key] = value
    last = st.session_state.setdefault(_HEARD, {})
    last[key] = value

    def change() -> None:
        new = st.session_state[key]
        if new != last[key]:
            last[key] = new
            use(new)  # a refused value stays in the session: a later one may come before the run

    return {"key": key, "on_change": change}


def menu(
    draw: Callable,
    label: str,
    titles: Mapping[Any, str],
    value: object,
    use: Callable[[Any], object],
    *,
    key: str,
    **options: object,
) -> None:
    """A choice among values by their titles, bound to one of them.

    ``draw`` is ``st.selectbox``, ``st.segmented_control`` or ``st.select_slider``; ``key`` and
    ``use`` are ``name`` and ``use`` of :func:`bind`.
    """
    values, bound = list(titles), bind(key, value, use)
    name = {"selectbox": "index", "segmented_control": "default"}.get(draw.__name__, "value")
    start = place(values, value) if name == "index" else value
    draw(label, values, format_func=titles.get, **{name: start}, **bound, **options)


def place(options: Sequence, value: object) -> int:
    """Index of the value among the options; 0 for a value that only a link can have."""
    return options.index(value) if value in options else 0
