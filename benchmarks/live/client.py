"""A client without a browser that also uses the page: Streamlit's protocol over a WebSocket.

Load tests with browsers measure the browsers. This client sends what a browser would send (the
state of a component, its fragment, the messages in the cache) and keeps the contents of the page:
the header of the stage's last answer, the widgets, errors.
"""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lapviz.explorer.host import check
from lapviz.explorer.host.check import header_of

SHEET = "lapviz_knobs"  # a group of sliders beside the stage; there may be several


@dataclass
class Session(check.Session):
    """One visitor's connection.

    Attributes
    ----------
    received : int
        Number of bytes.
    pages : dict
        Pages of the menu, from their addresses to their identifiers.
    texts : list of str
        Headings, captions and other text received since the page was opened.
    """

    received: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    id: str = ""
    _cached: dict[str, list] = field(default_factory=dict)  # from hashes to [message, age in runs]
    _max_age: int = 0  # runs for which a browser keeps an unused message
    _upload_urls: object = None  # for the next file
    _timers: dict[str, asyncio.Task] = field(default_factory=dict)  # of fragments with run_every

    async def close(self) -> None:
        """Close the connection."""
        self._stop(self._timers)
        await super().close()

    async def choose(self, name: str, text: str) -> None:
        """Choose the option of a menu that contains this text."""
        widget = self.widgets[name]
        option = next(option for option in widget.proto.options if text in option)
        await self.send(widget, WidgetState(id=widget.id, string_value=option))

    async def press(self, name: str) -> None:
        """Press a button."""
        widget = self.widgets[name]
        await self.send(widget, WidgetState(id=widget.id, trigger_value=True))
        del self._states[widget.id]

    async def go(self, page: str) -> None:
        """Open another page of the menu."""
        self._stop(self._timers)
        self.stage, self.widgets, self._states, self.texts = {}, {}, {}, []
        message = BackMsg()
        message.rerun_script.page_script_hash = self.pages[page]
        message.rerun_script.cached_message_hashes.extend(self._cached)
        await self.connection.send(message.SerializeToString())

    async def upload(self, text: str, name: str, content: bytes, patience: float = 30.0) -> None:
        """Upload a file with the uploader whose label contains this text.

        Raises
        ------
        ConnectionError
            If the server does not accept it.
        """
        widget = next(
            w for label, w in self.widgets.items() if text in label and w.kind == "file_uploader"
        )
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.id
        self._upload_urls = None
        await self.connection.send(message.SerializeToString())
        if not await self.until(lambda s: s._upload_urls is not None, patience):
            raise ConnectionError("The server gave no address for the file.")
        await asyncio.to_thread(self._put_file, self._upload_urls.upload_url, name, content)
        state = WidgetState(id=widget.id)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = self._upload_urls.file_id, name, len(content)
        info.file_urls.CopyFrom(self._upload_urls)
        await self.send(widget, state)

    def _put_file(self, url: str, name: str, content: bytes) -> None:
        """Send a file as a browser does: a form with one file, and the token of the cookie."""
        jar = urllib.request.HTTPCookieProcessor()
        client = urllib.request.build_opener(jar)
        client.open(f"{self.address}/_stcore/health", timeout=30).close()
        token = next((c.value for c in jar.cookiejar if c.name == "_streamlit_xsrf"), "")
        boundary = "lapviz-boundary"
        about = f'form-data; name="{name}"; filename="{name}"\r\nContent-Type: text/csv'
        head = f"--{boundary}\r\nContent-Disposition: {about}\r\n\r\n".encode()
        body = head + content + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        headers = {"Content-Type": kind, "X-Xsrftoken": token}
        url = f"{self.address}{url}"
        request = urllib.request.Request(url, body, headers, method="PUT")
        client.open(request, timeout=60).close()

    async def _rerun(self, fragment: str, **options: object) -> None:
        await super()._rerun(fragment, cached_message_hashes=list(self._cached), **options)

    async def _repeat(self, fragment: str, interval: float) -> None:
        """Rerun a fragment periodically, as its ``run_every`` requires of the browser."""
        while True:
            await asyncio.sleep(interval)
            await self._rerun(fragment, is_auto_rerun=True)

    def _stop(self, fragments: Iterable[str]) -> None:
        for fragment in list(fragments):
            if timer := self._timers.pop(fragment, None):
                timer.cancel()

    # ---- from the server --------------------------------------------------------------------

    def _take(self, message: ForwardMsg) -> None:
        self.received += message.ByteSize()
        if message.WhichOneof("type") == "ref_hash":
            cached = self._cached.get(message.ref_hash)
            if cached is None:
                self.errors.append("a reference to a message that is not in the cache")
                return
            cached[1] = 0
            message = cached[0]
        elif message.metadata.cacheable:
            self._cached[message.hash] = [message, 0]
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.id = message.new_session.initialize.session_id or self.id
            self._max_age = message.new_session.config.max_cached_message_age
        elif kind == "auto_rerun":
            settings = message.auto_rerun
            self._stop([settings.fragment_id])
            repeat = self._repeat(settings.fragment_id, settings.interval)
            self._timers[settings.fragment_id] = asyncio.create_task(repeat)
        elif kind == "stop_auto_rerun":
            self._stop(message.stop_auto_rerun.fragment_ids)
        elif kind == "file_urls_response":
            self._upload_urls = message.file_urls_response.file_urls[0]
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash
                          for page in message.navigation.app_pages}  # fmt: skip
        elif kind == "script_finished" and (
            message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        ):
            self._age_cache()
        super()._take(message)

    def _age_cache(self) -> None:
        """After a run, drop messages that have been unused for too many runs."""
        for cached in self._cached.values():
            cached[1] += 1
        for name in [name for name, (_, age) in self._cached.items() if age > self._max_age]:
            del self._cached[name]

    def _element(self, kind: str, proto, fragment: str) -> None:
        super()._element(kind, proto, fragment)
        if kind in ("markdown", "heading", "text"):
            self.texts.append(proto.body)
        elif hasattr(proto, "id") and hasattr(proto, "label"):
            self._widget(proto.label, kind, proto, fragment)

    def _widget(self, name: str, kind: str, proto, fragment: str) -> None:
        if name == SHEET:
            sliders = header_of(proto.bytes)["knobs"]
            name = f"{SHEET}:{'+'.join(slider['name'] for slider in sliders)}"
        super()._widget(name, kind, proto, fragment)
