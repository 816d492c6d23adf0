"""Controls made from an experiment's configuration: one for each of its settings."""

from __future__ import annotations

import streamlit as st

from lapviz.experiments.registry import Setting
from lapviz.explorer.pages.lab import state as lab_state
from lapviz.explorer.pages.lab.settings import LabSettings
from lapviz.explorer.session import user_data
from lapviz.explorer.session import widget_keys as hands
from lapviz.explorer.widgets import shell


def show(settings: LabSettings) -> None:
    """All settings of the present experiment."""
    if settings.takes_data:
        _own(settings)
    for said in settings.config.settings():
        if settings.run.data is not None and said.name in ("data", "noise"):
            continue
        _control(settings.run.name, said, getattr(settings.config, said.name))


def _own(settings: LabSettings) -> None:
    brought = lab_state.brought()
    key = hands.bind("w-lab-own", settings.run.data is not None)
    st.toggle("On my own data", key=key, disabled=brought is None,
              on_change=lambda: lab_state.take_own(st.session_state[key]),
              help="The table that you uploaded or the points that you drew on the page “Your "
              "data”. Bring some there first.")  # fmt: skip
    thing = user_data.get(settings.run.data.source) if settings.run.data is not None else None
    if getattr(getattr(thing, "prepared", None), "weights", None) is not None:
        st.caption(f"Rows count by the column “{shell.plain(thing.asked.weight)}”.")


def _control(experiment: str, said: Setting, value: object) -> None:
    name = f"w-lab-{experiment}-{said.name}"
    label = said.words[0].upper() + said.words[1:]
    if said.many and not said.choices:
        _list(name, label, said, value)
        return
    if said.many:
        key = hands.bind(name, list(value))
        st.multiselect(label, said.choices, key=key, help=said.help, on_change=_take,
                       args=(said, key))  # fmt: skip
    elif said.choices:
        key = hands.bind(name, value)
        st.selectbox(label, said.choices, key=key, help=said.help, on_change=_take,
                     args=(said, key))  # fmt: skip
    elif said.kind is bool:
        key = hands.bind(name, value)
        st.toggle(label, key=key, help=said.help, on_change=_take, args=(said, key))
    elif said.kind is str:
        key = hands.bind(name, value)
        st.text_input(label, key=key, help=said.help, on_change=_take, args=(said, key))
    else:
        key = hands.bind(name, value)
        low, high = (None if v is None else said.kind(v) for v in (said.low, said.top(True)))
        step = 1 if said.kind is int else None
        shape = "%d" if said.kind is int else "%g"
        st.number_input(label, min_value=low, max_value=high, step=step, format=shape, key=key,
                        help=said.help, on_change=_take, args=(said, key))  # fmt: skip


def _list(name: str, label: str, said: Setting, value: tuple) -> None:
    """Several numbers or texts in one line."""
    key = hands.bind(name, said.text(value).replace(",", ", "))
    st.text_input(label, key=key, help=f"{said.help} Separate several by commas.",
                  on_change=_read, args=(said, key))  # fmt: skip


def _take(said: Setting, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None:  # an emptied field
        lab_state.update(said.name, tuple(value) if said.many else value)


def _read(said: Setting, key: str) -> None:
    try:
        value = said.parse(st.session_state.get(key, ""), page=True)
    except ValueError as error:
        lab_state.tell(f"{error} It was left as it was.")
        hands.drop(key)
        return
    lab_state.update(said.name, value)
