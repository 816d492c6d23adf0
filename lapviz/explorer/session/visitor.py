"""This session's visitor, and when a visit is over (:mod:`lapviz.explorer.host.visitors`)."""

from __future__ import annotations

import threading
import time

import streamlit as st

from lapviz.explorer.compute import jobs
from lapviz.explorer.host import _streamlit
from lapviz.explorer.host import visitors as own
from lapviz.explorer.settings.specs import DataSpec

LOOK = 15.0  # seconds between two looks at who has left
HELD = ("lapviz_jobs", "lapviz_shown")  # results and pictures that a session holds
_VISITOR = "lapviz_visitor"
_WATCH: dict[str, threading.Thread] = {}
_LOCK = threading.Lock()


def visitor() -> own.Visitor:
    """The visitor of this session: the session holds the only lasting reference."""
    if _VISITOR not in st.session_state:
        st.session_state[_VISITOR] = own.Visitor(_streamlit.session())
    return st.session_state[_VISITOR]


def put(thing: own.Thing, instead_of: str = "") -> str:
    """Keep something for this session, perhaps in place of another thing; its token.

    Raises
    ------
    ValueError
        If it does not fit: the sentence says what to do.
    """
    here = visitor()
    token = own.put(here, thing, instead_of)
    for name in HELD:
        held(name)
    return token


def held(name: str) -> dict:
    """A dictionary of the session that is emptied when the visitor has left."""
    mapping = st.session_state.setdefault(name, {})
    visitor().tie(mapping)
    _watch()
    return mapping


def mine(source: str) -> own.Thing | None:
    """The data of a token, if this session brought them; else None."""
    return visitor().things.get(source)


def current(name: str) -> DataSpec | None:
    """What this session brought last under that name of data; None if nothing is here."""
    things = visitor().things
    tokens = [token for token, thing in things.items() if thing.info.name == name]
    return DataSpec(name, source=tokens[-1]) if tokens else None


def forget(source: str) -> None:
    """Drop data of this session, and what of their results is cached."""
    own.forget(visitor(), source)


def withdraw(source: str) -> None:
    """Drop data of this session and all that was computed from them; what still computes ends."""
    forget(source)
    for name, job in list(st.session_state.get("lapviz_jobs", {}).items()):
        if own.source_in(job.work) == source:
            jobs.forget(name)
    shown = st.session_state.get("lapviz_shown", {})
    for key in [key for key, last in shown.items() if last.settings.data.source == source]:
        del shown[key]


def _watch() -> None:
    """Look after what visitors brought, as long as there is anything.

    Streamlit keeps a session that lost its connection for somebody who comes back, and drops it
    only when another one is saved: on a quiet server that may be never.
    """
    with _LOCK:
        thread = _WATCH.get("thread")
        if thread is None or not thread.is_alive():
            _WATCH["thread"] = threading.Thread(target=_look, name="lapviz-visits", daemon=True)
            _WATCH["thread"].start()


def _look() -> None:
    while True:
        time.sleep(LOOK)
        with _LOCK:
            if not own.present():
                del _WATCH["thread"]
                return
        for session in own.see_off(own.present(), _streamlit.connected, time.monotonic()):
            _streamlit.drop_files(session)
