"""What Streamlit keeps private is where the explorer looks for it."""

import pytest
import streamlit
from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from lapviz.explorer.host import _streamlit

PRIVATE = [  # where it is, its name, and the function that looks for it
    (runtime, "exists", _streamlit.flush),
    (runtime, "get_instance", _streamlit.connected),
    (Runtime, "is_active_session", _streamlit.connected),
    (ScriptRunContext, "session_id", _streamlit.session),
    (ScriptRunContext, "fragment_ids_this_run", _streamlit.fragments),
    (ScriptRunContext, "query_string", _streamlit.embedded),
    (Runtime, "_session_mgr", _streamlit.flush),
    (WebsocketSessionManager, "get_active_session_info", _streamlit.flush),
    (AppSession, "_browser_queue", _streamlit.flush),
    (ForwardMsgQueue, "is_empty", _streamlit.flush),
    (ScriptRunContext, "uploaded_file_mgr", _streamlit.drop_upload),
    (MemoryUploadedFileManager, "remove_file", _streamlit.drop_upload),
    (Runtime, "uploaded_file_mgr", _streamlit.drop_files),
    (MemoryUploadedFileManager, "remove_session_files", _streamlit.drop_files),
    (Runtime, "media_file_mgr", _streamlit.drop_files),
    (MediaFileManager, "clear_session_refs", _streamlit.drop_files),
    (MediaFileManager, "remove_orphaned_files", _streamlit.drop_files),
    (MultiPartParser, "spool_max_size", _streamlit.keep_uploads_in_memory),
]


def moved(owner, name, needs) -> str:
    """A sentence, if it is not there; "" if it is."""
    code = getattr(owner.__init__, "__code__", None)  # an attribute of its instances
    if hasattr(owner, name) or (code is not None and name in code.co_names):
        return ""
    return (
        f"{owner.__name__}.{name} is gone in Streamlit {streamlit.__version__}: "
        f"_streamlit.{needs.__name__} has to find it elsewhere, or do without."
    )


@pytest.mark.parametrize(("owner", "name", "needs"), PRIVATE)
def test_it_is_still_there(owner, name, needs):
    assert not (sentence := moved(owner, name, needs)), sentence


def test_a_missing_name_is_reported_and_every_function_is_checked():
    assert "Runtime.nothing is gone" in moved(Runtime, "nothing", _streamlit.flush)
    own = [
        f for f in vars(_streamlit).values() if getattr(f, "__module__", "") == _streamlit.__name__
    ]
    assert {needs for *_, needs in PRIVATE} == set(own)


def test_without_a_server_each_says_so():
    _streamlit.flush()
    assert _streamlit.session() == ""
    assert _streamlit.fragments() == 0
    assert _streamlit.connected("a session")
    _streamlit.drop_upload("a file")
    _streamlit.drop_files("a session")
