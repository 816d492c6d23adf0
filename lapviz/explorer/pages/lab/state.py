"""The session's Lab: settings from the URL and the controls, and the run that was asked for."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer.host.store import DataExpired
from lapviz.explorer.pages.lab import settings as lab_settings
from lapviz.explorer.pages.lab.settings import LabSettings, Run
from lapviz.explorer.session import drawing_state, state, user_data
from lapviz.explorer.session.address import Address
from lapviz.explorer.settings.specs import DataSpec

_SETTINGS, _ASKED = "lapviz_lab", "lapviz_lab_asked"


def enter() -> None:
    """Begin a run of the page: take what a new link says, drop what is lost."""
    state.enter("lab", ADDRESS)
    if ADDRESS.is_linked():
        linked, complaints = lab_settings.from_query(ADDRESS.query(), brought())
        put(linked)
        for sentence in complaints:
            tell(sentence)
    data = settings().run.data
    if data is not None and data.private and user_data.get(data.source) is None:
        put(settings().on_data(None))
        tell(str(DataExpired()))


def settings() -> LabSettings:
    """What the page shows now."""
    return st.session_state[_SETTINGS]


ADDRESS = Address(_SETTINGS, lambda: st.session_state.get(_SETTINGS))
tell, notes = ADDRESS.tell, ADDRESS.notes


def put(new: LabSettings) -> None:
    """Show these settings from the next run on."""
    st.session_state[_SETTINGS] = new


def choose(name: str, size: str) -> None:
    """Show another experiment or size, as it comes."""
    put(lab_settings.base(name, size))


def update(name: str, value: object) -> bool:
    """Set one field; whether it could be: else that is said, and the previous value kept."""
    try:
        put(settings().change(**{name: value}))
    except ValueError as error:
        tell(f"{error} Ignored; previous value kept.")
        return False
    return True


def take_own(wanted: bool) -> None:
    """Measure on the visitor's own data, or on those of the settings."""
    put(settings().on_data(brought() if wanted else None))


def brought() -> DataSpec | None:
    """The visitor's own data: the table, or else what was drawn; None if there is nothing."""
    table = user_data.latest("table")
    if table is not None:
        return table
    drawn = drawing_state.last()
    return drawn if drawn.source else None


def ask() -> None:
    """Ask for the run of the present settings."""
    st.session_state[_ASKED] = settings().run


def asked() -> Run | None:
    """The run that was asked for last."""
    return st.session_state.get(_ASKED)


def link() -> dict[str, str]:
    """The query that gives this page."""
    return lab_settings.to_query(settings())


def write_url() -> None:
    """Put the settings into the URL."""
    ADDRESS.write(link())
