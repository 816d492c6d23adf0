"""What Streamlit does not offer in public: here and nowhere else.

(But for its protocol, which :mod:`lapviz.explorer.host.check` speaks.) Without a session (a test of
a page, or a bare import) every function says so by its result. A test names each private thing that
is used here, and the upper bound on Streamlit is raised when it passes.
"""

from __future__ import annotations

import time
from urllib.parse import parse_qs

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

__all__ = [
    "connected",
    "drop_files",
    "drop_upload",
    "embedded",
    "flush",
    "fragments",
    "keep_uploads_in_memory",
    "session",
]

LOOK = 0.01  # seconds between two looks; Streamlit sends every 10 ms
PATIENCE = 3.0  # seconds: then nobody listens
BLIND = 0.05  # seconds to wait where the queue cannot be seen


def session() -> str:
    """Identity of the session that runs; empty without one."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def fragments() -> int:
    """How many fragments of the page run, or are about to; 0: the whole page."""
    context = get_script_run_ctx()
    return 0 if context is None else len(context.fragment_ids_this_run or ())


def embedded() -> str:
    """The link's ``embed=``, which Streamlit keeps from the script; "" without one."""
    context = get_script_run_ctx()
    return parse_qs(context.query_string).get("embed", [""])[-1] if context else ""


def connected(session: str) -> bool:
    """Whether a session's browser is there."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def flush() -> None:
    """Wait until the browser has been sent all that this run of the page has drawn.

    When a fragment starts to run, Streamlit drops the messages of that fragment which still wait to
    be sent, but not the word that the run before has finished. After a run of the whole page the
    browser then takes the missing stage for one that the page no longer has: it removes it, under
    the hand that moves it, and puts up another one a moment later. So a run ends when it is sent.
    """
    if not runtime.exists():  # no browser: a test of a page, or a bare import
        return
    end = time.monotonic() + PATIENCE
    empty = 0
    while empty < 2 and time.monotonic() < end:  # the first look may come before the last message
        time.sleep(LOOK)
        try:
            info = runtime.get_instance()._session_mgr.get_active_session_info(session())
            waiting = info is not None and not info.session._browser_queue.is_empty()
        except AttributeError:  # Streamlit does not say
            time.sleep(BLIND)
            return
        empty = 0 if waiting else empty + 1


def drop_upload(file_id: str) -> None:
    """Let Streamlit forget an uploaded file of this session."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)


def drop_files(session: str) -> None:
    """Let Streamlit forget all uploads of a session, and files that were made for it."""
    if runtime.exists():
        server = runtime.get_instance()
        server.uploaded_file_mgr.remove_session_files(session)
        server.media_file_mgr.clear_session_refs(session)
        server.media_file_mgr.remove_orphaned_files()


def keep_uploads_in_memory(nbytes: int) -> None:
    """Uploads of so many bytes are not written to a temporary file while they arrive."""
    MultiPartParser.spool_max_size = nbytes
