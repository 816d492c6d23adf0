"""What Streamlit does not offer in public: here and nowhere else.

(But for its protocol, which :mod:`lapviz.explorer.host.check` speaks.) Without a session (a test of
a page, or a bare import) every function says so by its result. A test names each private thing that
is used here, and the upper bound on Streamlit is raised when it passes.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

__all__ = [
    "connected",
    "drop_files",
    "drop_upload",
    "embedded",
    "fragments",
    "keep_uploads_in_memory",
    "messages_wait",
    "served",
    "session",
]


def served() -> bool:
    """Whether there is a server, and so perhaps a browser."""
    return runtime.exists()


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


def messages_wait() -> bool | None:
    """Whether messages wait for this session's browser; None where Streamlit does not say."""
    try:
        sessions = runtime.get_instance()._session_mgr
        info = sessions.get_active_session_info(session())
        return info is not None and not info.session._browser_queue.is_empty()
    except AttributeError:
        return None


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
