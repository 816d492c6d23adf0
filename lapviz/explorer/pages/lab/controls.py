"""Controls made from an experiment's configuration: one for each of its settings."""

from __future__ import annotations

import streamlit as st

from lapviz.experiments.registry import Setting
from lapviz.explorer.pages.lab import state as lab_state
from lapviz.explorer.pages.lab.settings import LabSettings
from lapviz.explorer.session import user_data, widget_keys
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
    taken = settings.run.data is not None
    key = widget_keys.bind("w-lab-own", taken)
    st.toggle("On my own data", taken, key=key, disabled=brought is None,
              on_change=lambda: lab_state.take_own(st.session_state[key]),
              help="The table that you uploaded or the points that you drew on the page “Your "
              "data”. Bring some there first.")  # fmt: skip
    thing = user_data.get(settings.run.data.source) if settings.run.data is not None else None
    if getattr(getattr(thing, "prepared", None), "weights", None) is not None:
        st.caption(f"Rows count by the column “{shell.plain(thing.asked.weight)}”.")


def _control(experiment: str, said: Setting, value: object) -> None:
    label = said.label[0].upper() + said.label[1:]
    line = said.many and not said.choices  # several numbers or texts
    shown = said.write(value).replace(",", ", ") if line else list(value) if said.many else value
    key = widget_keys.bind(f"w-lab-{experiment}-{said.name}", shown)
    own = {"key": key, "help": said.help, "on_change": _take, "args": (said, key)}
    if line:
        st.text_input(label, shown, **own | {"help": f"{said.help} Separate several by commas."})
    elif said.many:
        st.multiselect(label, said.choices, shown, **own)
    elif said.choices:
        st.selectbox(label, said.choices, widget_keys.place(said.choices, shown), **own)
    elif said.kind == "flag":
        st.toggle(label, shown, **own)
    elif said.kind == "text":
        st.text_input(label, shown, **own)
    else:
        number = int if said.whole else float
        low, high = (None if end is None else number(end) for end in said.range(page=True))
        value = None if shown is None else number(shown)
        st.number_input(label, low, high, value, step=1 if said.whole else None,
                        format="%d" if said.whole else "%g", **own)  # fmt: skip


def _take(said: Setting, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None and not lab_state.update(said.name, value):  # None: an emptied field
        widget_keys.drop(key)
