"""The session's Lab: settings from the URL and the controls, and the run that was asked for."""

from __future__ import annotations

import streamlit as st

from lapviz.explorer import drawing_state, lab_settings, own, state, visits
from lapviz.explorer.lab_settings import LabSettings, Run
from lapviz.explorer.specs import DataSpec

_SETTINGS, _LINKS, _NOTES = "lapviz_lab", "lapviz_lab_links", "lapviz_lab_notes"
_ASKED = "lapviz_lab_asked"
_KEPT = 100  # addresses that the browser may still have


def enter() -> None:
    """Begin a run of the page: take what a new link says, drop what is lost."""
    if state.page() != "lab":  # a link to an older state of another page is followed
        del st.session_state.get(_LINKS, [])[:-1]
    state.enter("lab")
    query = _query()
    known = _SETTINGS in st.session_state
    if not known or (query and query not in st.session_state.get(_LINKS, ())):
        linked, complaints = lab_settings.from_query(query, brought())
        put(linked)
        for sentence in complaints:
            tell(sentence)
    data = settings().run.data
    if data is not None and data.private and visits.mine(data.source) is None:
        put(settings().on_data(None))
        tell(str(own.Gone()))


def settings() -> LabSettings:
    """What the page shows now."""
    return st.session_state[_SETTINGS]


def put(new: LabSettings) -> None:
    """Show these settings from the next run on."""
    st.session_state[_SETTINGS] = new


def choose(name: str, size: str) -> None:
    """Show another experiment or size, as it comes."""
    put(lab_settings.base(name, size))


def update(name: str, value: object) -> None:
    """Set one field; what cannot be is said, and left as it was."""
    try:
        put(settings().change(**{name: value}))
    except ValueError as error:
        tell(f"{error} It was left as it was.")


def take_own(wanted: bool) -> None:
    """Measure on the visitor's own data, or on those of the settings."""
    put(settings().on_data(brought() if wanted else None))


def brought() -> DataSpec | None:
    """The visitor's own data: the table, or else what was drawn; None if there is nothing."""
    table = visits.current("table")
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


def tell(sentence: str) -> None:
    """Show a message until a setting changes."""
    st.session_state.setdefault(_NOTES, []).append((sentence, settings()))


def notes() -> list[str]:
    """Messages to show."""
    now = settings()
    kept = [note for note in st.session_state.get(_NOTES, []) if note[1] == now]
    st.session_state[_NOTES] = kept
    return [sentence for sentence, _ in kept]


def _query() -> dict[str, str]:
    query = st.query_params.to_dict().items()
    return {k: v for k, v in query if isinstance(v, str) and k[:5] != "embed"}


def link() -> dict[str, str]:
    """The query that gives this page."""
    return lab_settings.to_query(settings())


def write_url() -> None:
    """Put the settings into the URL."""
    query = link()
    links = st.session_state.setdefault(_LINKS, [])
    fresh = not links or links[-1] != query
    if fresh:  # first: to write it may end this run
        links.append(query)
        del links[:-_KEPT]
    now = _query()
    if now != query and (fresh or not now):
        embed = {k: v for k, v in st.query_params.to_dict().items() if k[:5] == "embed"}
        st.query_params.from_dict(query | embed)
