"""A visitor without a browser, who also moves: Streamlit's protocol over a WebSocket.

Loading tests with browsers measures the browsers. This client says what a browser would say (the
state of a component, the fragment that it stands in, the messages that it still holds) and keeps
of the answers what is on the page: the header of the stage's last answer, the widgets, errors.
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

SHEET = "lapviz_knobs"  # a row of sliders beside the stage; there may be several


@dataclass
class Session(check.Session):
    """One visitor's connection.

    Attributes
    ----------
    received : int
        Bytes.
    pages : dict
        Of the menu: the address of each and its identity.
    texts : list of str
        Headings, captions and other text that has come since the page was opened.
    """

    received: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    id: str = ""
    _held: dict[str, list] = field(default_factory=dict)  # hash: [message, age in runs]
    _oldest: int = 0  # runs over which a browser keeps a message that it has not seen again
    _urls: object = None  # where the next file goes
    _timers: dict[str, asyncio.Task] = field(default_factory=dict)  # of fragments that repeat

    async def close(self) -> None:
        """Leave."""
        self._stop(self._timers)
        await super().close()

    async def choose(self, name: str, words: str) -> None:
        """Choose the option of a menu that contains these words."""
        widget = self.widgets[name]
        option = next(option for option in widget.proto.options if words in option)
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
        message.rerun_script.cached_message_hashes.extend(self._held)
        await self.connection.send(message.SerializeToString())

    async def upload(self, words: str, name: str, content: bytes, patience: float = 30.0) -> None:
        """Give a file to the uploader whose label contains these words.

        Raises
        ------
        ConnectionError
            If the server does not take it.
        """
        widget = next(
            w for label, w in self.widgets.items() if words in label and w.kind == "file_uploader"
        )
        message = BackMsg()
        message.file_urls_request.request_id = name
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.id
        self._urls = None
        await self.connection.send(message.SerializeToString())
        if not await self.until(lambda s: s._urls is not None, patience):
            raise ConnectionError("The server did not say where a file goes.")
        await asyncio.to_thread(self._put, self._urls.upload_url, name, content)
        state = WidgetState(id=widget.id)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = self._urls.file_id, name, len(content)
        info.file_urls.CopyFrom(self._urls)
        await self.send(widget, state)

    def _put(self, url: str, name: str, content: bytes) -> None:
        """As a browser does: a form with one file, and the token of the cookie."""
        jar = urllib.request.HTTPCookieProcessor()
        client = urllib.request.build_opener(jar)
        client.open(f"{self.address}/_stcore/health", timeout=30).close()
        token = next((c.value for c in jar.cookiejar if c.name == "_streamlit_xsrf"), "")
        edge = "lapviz-edge"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
        body = f"{head}Content-Type: text/csv\r\n\r\n".encode() + content
        headers = {"Content-Type": f"multipart/form-data; boundary={edge}", "X-Xsrftoken": token}
        request = urllib.request.Request(
            f"{self.address}{url}", body + f"\r\n--{edge}--\r\n".encode(), headers, method="PUT"
        )
        client.open(request, timeout=60).close()

    async def _rerun(self, fragment: str, **more: object) -> None:
        await super()._rerun(fragment, cached_message_hashes=list(self._held), **more)

    async def _repeat(self, fragment: str, interval: float) -> None:
        """Run a fragment again and again, as its ``run_every`` asks of the browser."""
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
            held = self._held.get(message.ref_hash)
            if held is None:
                self.errors.append("a message that this browser does not hold")
                return
            held[1] = 0
            message = held[0]
        elif message.metadata.cacheable:
            self._held[message.hash] = [message, 0]
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.id = message.new_session.initialize.session_id or self.id
            self._oldest = message.new_session.config.max_cached_message_age
        elif kind == "auto_rerun":
            again = message.auto_rerun
            self._stop([again.fragment_id])
            repeat = self._repeat(again.fragment_id, again.interval)
            self._timers[again.fragment_id] = asyncio.create_task(repeat)
        elif kind == "stop_auto_rerun":
            self._stop(message.stop_auto_rerun.fragment_ids)
        elif kind == "file_urls_response":
            self._urls = message.file_urls_response.file_urls[0]
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash
                          for page in message.navigation.app_pages}  # fmt: skip
        elif kind == "script_finished" and (
            message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        ):
            self._age()
        super()._take(message)

    def _age(self) -> None:
        """A run later: what has not been seen for too many of them is no longer held."""
        for held in self._held.values():
            held[1] += 1
        for name in [name for name, (_, age) in self._held.items() if age > self._oldest]:
            del self._held[name]

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
