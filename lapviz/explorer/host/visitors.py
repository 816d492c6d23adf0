"""Visitors, what their sessions hold, and the clean-up when a visitor has left.

    session ─holds─> Visitor ─> own data and their results (host/store.py), by owner
                        └─────> dictionaries of the session: jobs, pictures, a file to be read

Streamlit reports when the browser disconnects, also for a short loss of the connection. A visitor
who does not come back for as long as Streamlit would keep the session is forgotten. Streamlit
itself drops a session only when another one is saved: on a quiet server that may be never.
"""

from __future__ import annotations

import threading

import streamlit as st

from lapviz.explorer.host import _streamlit
from lapviz.explorer.host.store import STORE

GRACE = 120.0  # seconds for which a visitor may come back, as in Streamlit
_VISITOR = "lapviz_visitor"


class Visitor:
    """One session; the owner of its data and results.

    Parameters
    ----------
    session : str
        Streamlit's identifier of the session.
    """

    def __init__(self, session: str):
        self.session = session
        self.dicts: dict[str, dict] = {}
        self._leaving: threading.Timer | None = None

    def stay(self) -> None:
        """Note that the browser is connected (again)."""
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def disconnected(self) -> None:
        """Note that the browser is gone: forget everything unless it comes back."""
        self.stay()
        self._leaving = threading.Timer(GRACE, self._leave)
        self._leaving.daemon = True
        self._leaving.start()

    def forget(self) -> None:
        """Drop everything that the session holds."""
        for token in STORE.owned(self):
            STORE.forget(token)
        for mapping in self.dicts.values():
            mapping.clear()
        _streamlit.drop_files(self.session)

    def _leave(self) -> None:
        if _streamlit.connected(self.session):  # it is back, and has requested nothing yet
            self.disconnected()
        else:
            self.forget()


@st.cache_resource(scope="session", on_release=Visitor.disconnected, show_spinner=False)
def _until_disconnected(_visitor: Visitor) -> Visitor:
    return _visitor


def current() -> Visitor:
    """Visitor of this session."""
    if _VISITOR not in st.session_state:
        st.session_state[_VISITOR] = Visitor(_streamlit.session())
    visitor = st.session_state[_VISITOR]
    if visitor.session:
        _until_disconnected(visitor)
        visitor.stay()
    return visitor


def session_dict(name: str) -> dict:
    """Dictionary of the session that is emptied when the visitor has left."""
    mapping = st.session_state.setdefault(name, {})
    current().dicts[name] = mapping
    return mapping
