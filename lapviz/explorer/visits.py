"""This session's visitor, and when a visit is over (:mod:`lapviz.explorer.own`)."""

from __future__ import annotations

import threading
import time

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lapviz.explorer import own
from lapviz.explorer.specs import DataSpec

LOOK = 15.0  # seconds between two looks at who has left
HELD = ("lapviz_jobs", "lapviz_shown")  # results and pictures that a session holds
_VISITOR = "lapviz_visitor"
_WATCH: dict[str, threading.Thread] = {}
_LOCK = threading.Lock()


def visitor() -> own.Visitor:
    """The visitor of this session: the session holds the only lasting reference."""
    if _VISITOR not in st.session_state:
        ctx = get_script_run_ctx()
        st.session_state[_VISITOR] = own.Visitor(ctx.session_id if ctx else "")
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
    """Drop data of this session, and all that was computed from them."""
    own.forget(visitor(), source)


def drop_upload(file_id: str) -> None:
    """Let Streamlit forget an uploaded file, once it was read."""
    ctx = get_script_run_ctx()
    if ctx is not None:
        ctx.uploaded_file_mgr.remove_file(ctx.session_id, file_id)


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
        for session in own.see_off(own.present(), _connected, time.monotonic()):
            _drop_files(session)


def _drop_files(session: str) -> None:
    """What Streamlit itself still keeps of a session: uploads, and files made to download."""
    if runtime.exists():
        server = runtime.get_instance()
        server.uploaded_file_mgr.remove_session_files(session)
        server.media_file_mgr.clear_session_refs(session)
        server.media_file_mgr.remove_orphaned_files()


def _connected(session: str) -> bool:
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
