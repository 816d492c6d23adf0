"""A visitor without a browser: Streamlit's protocol over a WebSocket.

Loading tests with browsers measures the browsers. This client says what a browser would say (the
state of a component, the fragment that it stands in, the messages that it still holds) and keeps
of the answers what is on the page: the header of the stage's last answer, the widgets, errors.
"""

from __future__ import annotations

import asyncio
import json
import struct
import time
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from lapviz.contract import CONTRACT

START = CONTRACT["blob"]["start"]
LARGEST = 200 * 2**20  # bytes of a message
STAGE, SHEET = "lapviz_stage", "lapviz_knobs"
LOOK = 0.3  # seconds between two questions whether a long computation is done, as the stage's


def header_of(blob: bytes) -> dict:
    """The JSON header of a message of the stage (:mod:`lapviz.figures.stage.payload`)."""
    (size,) = struct.unpack_from("<I", blob)
    return json.loads(blob[START : START + size])


@dataclass
class Widget:
    """An element that can send values: its identity, its fragment, and what was sent last."""

    id: str
    fragment: str
    kind: str
    proto: object
    data: dict = field(default_factory=dict)


@dataclass
class Session:
    """One visitor's connection.

    Attributes
    ----------
    stage : dict
        Header of the stage's last message.
    widgets : dict
        By name: the key of a component, the label of another widget.
    errors : list of str
        Exceptions and error boxes that the page showed.
    runs : int
        Runs of the script that have ended.
    received : int
        Bytes.
    pages : dict
        Of the menu: the address of each and its identity.
    texts : list of str
        Headings, captions and other text that has come since the page was opened.
    """

    connection: ClientConnection
    address: str = ""
    query: str = ""
    stage: dict = field(default_factory=dict)
    widgets: dict[str, Widget] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    runs: int = 0
    received: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    id: str = ""
    _page: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _held: dict[str, list] = field(default_factory=dict)  # hash: [message, age in runs]
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _reader: asyncio.Task | None = None
    _oldest: int = 0  # runs over which a browser keeps a message that it has not seen again
    _urls: object = None  # where the next file goes
    _clocks: dict[str, asyncio.Task] = field(default_factory=dict)  # of fragments that repeat

    @classmethod
    async def open(cls, address: str, page: str, query: str = "") -> Session:
        """Connect and ask for a page, as a browser does that opens a link."""
        connection = await connect(
            f"ws://{urlsplit(address).netloc}/_stcore/stream",
            subprotocols=["streamlit", "none"],
            max_size=LARGEST,
            compression=None,
            open_timeout=60,
            ping_interval=None,
        )
        session = cls(connection, address.rstrip("/"), query)
        session._reader = asyncio.create_task(session._read())
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        await connection.send(message.SerializeToString())
        return session

    async def close(self) -> None:
        """Leave."""
        if self._reader is not None:
            self._reader.cancel()
        self._stop(self._clocks)
        await self.connection.close()

    async def until(self, met: Callable[[Session], bool], patience: float) -> bool:
        """Wait until what has arrived meets a condition; False if it takes longer than that."""
        end = time.monotonic() + patience
        async with self._news:
            while not met(self):
                if self._reader.done():
                    raise ConnectionError("The server closed the connection.")
                try:
                    await asyncio.wait_for(self._news.wait(), max(end - time.monotonic(), 0))
                except TimeoutError:
                    return False
        return True

    async def until_answered(self, met: Callable[[Session], bool], patience: float) -> bool:
        """Wait; while Python says that it still computes, ask again, as the stage does.

        False if it takes longer than that, or the computation failed.
        """
        end, asked = time.monotonic() + patience, None
        while (left := end - time.monotonic()) > 0 and not self.stage.get("failed"):
            seen = self.stage
            ask = "pending" in seen and seen is not asked

            def news(session: Session, seen: dict = seen) -> bool:
                return met(session) or session.stage is not seen

            if await self.until(news, min(LOOK, left) if ask else left):
                if met(self):
                    return True
            elif ask:
                asked = seen
                await self.say(STAGE, tick=int(1000 * time.time()))
        return False

    async def say(self, name: str, **state: object) -> None:
        """Change the state of a component, which runs its fragment or else the page."""
        widget = self.widgets[name]
        widget.data |= state
        value = WidgetState(id=widget.id, json_value=json.dumps(widget.data))
        await self.send(widget, value)

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
        self._stop(self._clocks)
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

    async def send(self, widget: Widget, value: WidgetState) -> None:
        """Send the new value of a widget, with those of all others, as browsers do."""
        self._states[widget.id] = value
        await self._rerun(widget.fragment)

    async def _rerun(self, fragment: str, *, by_clock: bool = False) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self._page
        state.fragment_id, state.is_auto_rerun = fragment, by_clock
        state.widget_states.widgets.extend(self._states.values())
        state.cached_message_hashes.extend(self._held)
        await self.connection.send(message.SerializeToString())

    async def _repeat(self, fragment: str, interval: float) -> None:
        """Run a fragment again and again, as its ``run_every`` asks of the browser."""
        while True:
            await asyncio.sleep(interval)
            await self._rerun(fragment, by_clock=True)

    def _stop(self, fragments: Iterable[str]) -> None:
        for fragment in list(fragments):
            if clock := self._clocks.pop(fragment, None):
                clock.cancel()

    # ---- from the server --------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            async for raw in self.connection:
                self.received += len(raw)
                message = ForwardMsg()
                message.ParseFromString(raw)
                async with self._news:
                    self._take(message)
                    self._news.notify_all()
        except websockets.ConnectionClosed:
            pass
        except Exception as error:  # the visitor must hear of it
            self.errors.append(f"the client failed: {error!r}")
        finally:
            async with self._news:
                self._news.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            held = self._held.get(message.ref_hash)
            if held is None:
                self.errors.append("a message that this browser does not hold")
                return
            held[1] = 0
            message, kind = held[0], "delta"
        elif message.metadata.cacheable:
            self._held[message.hash] = [message, 0]
        if kind == "new_session":
            self.id = message.new_session.initialize.session_id or self.id
            self._oldest = message.new_session.config.max_cached_message_age
        elif kind == "auto_rerun":
            again = message.auto_rerun
            self._stop([again.fragment_id])
            repeat = self._repeat(again.fragment_id, again.interval)
            self._clocks[again.fragment_id] = asyncio.create_task(repeat)
        elif kind == "stop_auto_rerun":
            self._stop(message.stop_auto_rerun.fragment_ids)
        elif kind == "file_urls_response":
            self._urls = message.file_urls_response.file_urls[0]
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
            self.pages = {page.url_pathname: page.page_script_hash
                          for page in message.navigation.app_pages}  # fmt: skip
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished":
            self.runs += 1
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                self._grow_old()
        elif kind == "session_event" and message.session_event.HasField(
            "script_compilation_exception"
        ):
            self.errors.append(message.session_event.script_compilation_exception.message)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._element(message.delta.new_element, message.delta.fragment_id)

    def _grow_old(self) -> None:
        for held in self._held.values():
            held[1] += 1
        for name in [name for name, (_, age) in self._held.items() if age > self._oldest]:
            del self._held[name]

    def _element(self, element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.errors.append(element.alert.body)
        elif kind == "bidi_component":
            self._component(element.bidi_component, fragment)
        else:
            proto = getattr(element, kind)
            if kind in ("markdown", "heading", "text"):
                self.texts.append(proto.body)
            if hasattr(proto, "id") and hasattr(proto, "label"):
                known = self.widgets.get(proto.label)
                data = known.data if known and known.id == proto.id else {}
                self.widgets[proto.label] = Widget(proto.id, fragment, kind, proto, data)

    def _component(self, proto, fragment: str) -> None:
        if not proto.id:
            return
        name = proto.component_name
        if name == SHEET:
            told = json.loads(proto.json)
            name = f"{SHEET}:{'+'.join(knob['name'] for knob in told['knobs'])}"
        known = self.widgets.get(name)
        data = known.data if known and known.id == proto.id else {}
        self.widgets[name] = Widget(proto.id, fragment, "component", proto, data)
        if name == STAGE:
            self.stage = header_of(proto.bytes)


async def _first_picture(address: str, patience: float) -> str:
    """What is wrong with a server; "" if it shows a picture within that many seconds."""
    try:
        session = await Session.open(address, "labels")
    except (OSError, websockets.WebSocketException) as error:
        return f"No explorer answers at {address}: {error}."
    try:
        shown = await session.until_answered(
            lambda s: bool(s.stage.get("answer")) or bool(s.errors), patience
        )
    except ConnectionError as error:
        return f"{address}: {error}"
    finally:
        await session.close()
    if wrong := session.errors or list(filter(None, [session.stage.get("failed")])):
        return f"{address} shows an error: {wrong[0]}"
    return "" if shown else f"{address} has shown no picture in {patience:g} s."


def in_a_loop(coroutine):
    """The coroutine's value, also where this thread has an event loop (Playwright's) already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def check(address: str, patience: float = 30.0) -> str:
    """Whether a server shows pictures: a visit to the Labels page.

    ``/_stcore/health`` says that the server runs; this, that it computes.

    Parameters
    ----------
    address : str
        As in a browser, without a page.
    patience : float
        Seconds until the first picture.

    Returns
    -------
    str
        What is wrong, or "".
    """
    return in_a_loop(_first_picture(address, patience))
