"""The only module that uses private parts of Streamlit.

Only its protocol is used elsewhere, in :mod:`lapviz.explorer.host.check`. Without a session (in a
test of a page, or after a bare import) the functions return empty results. A test names each
private object that is used here; when it passes, the upper bound on Streamlit can be raised.
"""

from __future__ import annotations

import time
from urllib.parse import parse_qs

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

LOOK = 0.01  # seconds between two checks; Streamlit sends every 10 ms
PATIENCE = 3.0  # seconds after which the browser is taken to be gone
BLIND = 0.05  # seconds to wait where the queue is not accessible


def session() -> str:
    """Identifier of the current session; "" without one."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def fragments() -> int:
    """Number of fragments that this run executes; 0: it runs the full page."""
    context = get_script_run_ctx()
    return 0 if context is None else len(context.fragment_ids_this_run or ())


def embedded() -> str:
    """Value of ``embed=`` in the link, which Streamlit hides from the script; "" without one."""
    context = get_script_run_ctx()
    return parse_qs(context.query_string).get("embed", [""])[-1] if context else ""


def connected(session: str) -> bool:
    """Whether a session's browser is connected."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def flush() -> None:
    """Wait until everything that this run has drawn was sent to the browser.

    When a fragment starts to run, Streamlit drops messages of that fragment that have not been sent
    yet, but not the message that the previous run has finished. After a run of the full page, the
    browser then concludes that the page has no stage any more: it removes the stage while a hand
    moves it, and creates another one a moment later. So a run ends only when it has been sent.
    """
    if not runtime.exists():  # no browser: a test of a page, or a bare import
        return
    end = time.monotonic() + PATIENCE
    empty = 0
    while empty < 2 and time.monotonic() < end:  # the first check may come before the last message
        time.sleep(LOOK)
        try:
            info = runtime.get_instance()._session_mgr.get_active_session_info(session())
            waiting = info is not None and not info.session._browser_queue.is_empty()
        except AttributeError:  # not accessible in this version
            time.sleep(BLIND)
            return
        empty = 0 if waiting else empty + 1


def drop_upload(file_id: str) -> None:
    """Remove an uploaded file of this session from Streamlit."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)


def drop_files(session: str) -> None:
    """Remove all uploads and generated files of a session from Streamlit."""
    if runtime.exists():
        server = runtime.get_instance()
        server.uploaded_file_mgr.remove_session_files(session)
        server.media_file_mgr.clear_session_refs(session)
        server.media_file_mgr.remove_orphaned_files()


def keep_uploads_in_memory(nbytes: int) -> None:
    """Keep uploads of at most so many bytes in memory, not in temporary files."""
    MultiPartParser.spool_max_size = nbytes
