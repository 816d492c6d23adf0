"""A visit without a browser, by Streamlit's protocol, which checks that a server shows a picture.

``/_stcore/health`` only reports that a server runs; :func:`check` tests that it computes.
"""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from lapviz.contract import CONTRACT

START = CONTRACT["blob"]["start"]
LARGEST = 200 * 2**20  # bytes of a message
STAGE = "lapviz_stage"
POLL = 0.3  # seconds between two requests for the result of a long computation, as in the stage


def header_of(blob: bytes) -> dict:
    """JSON header of a stage's message (:mod:`lapviz.figures.stage.container`)."""
    (size,) = struct.unpack_from("<I", blob)
    return json.loads(blob[START : START + size])


@dataclass
class Widget:
    """An element that can send values, with its fragment and the last values sent."""

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
    connection : ClientConnection
    address, query : str
        Address of the server, and the query of the page.
    stage : dict
        Header of the stage's last message.
    widgets : dict of Widget
        Widgets by name: the key of a component, or the label of another widget.
    errors : list of str
        Exceptions and error boxes that the page showed.
    """

    connection: ClientConnection
    address: str = ""
    query: str = ""
    stage: dict = field(default_factory=dict)
    widgets: dict[str, Widget] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    _page: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _reader: asyncio.Task | None = None

    @classmethod
    async def open(cls, address: str, page: str, query: str = "") -> Self:
        """Connect and request a page, like a browser that opens a link."""
        parts = urlsplit(address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        connection = await connect(
            f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/_stcore/stream",
            subprotocols=["streamlit", "none"],
            max_size=LARGEST,
            compression=None,
            open_timeout=60,
            ping_interval=None,
        )
        session = cls(connection, address.rstrip("/"), query)
        session._reader = asyncio.create_task(session._read())
        await session._rerun("", page_name=page)
        return session

    async def close(self) -> None:
        """Close the connection."""
        if self._reader is not None:
            self._reader.cancel()
        await self.connection.close()

    async def until(self, met: Callable[[Session], bool], patience: float) -> bool:
        """Wait until a condition is met; return False if that takes longer than ``patience``."""
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
        """Wait until a condition is met; ask again during a computation, as the stage does.

        Return False if that takes longer than ``patience``, or the computation failed.
        """
        end, last_asked = time.monotonic() + patience, None
        while (remaining := end - time.monotonic()) > 0 and not self.stage.get("failed"):
            current = self.stage
            pending = "pending" in current and current is not last_asked

            def changed(session: Session, current: dict = current) -> bool:
                return met(session) or session.stage is not current

            if await self.until(changed, min(POLL, remaining) if pending else remaining):
                if met(self):
                    return True
            elif pending:
                last_asked = current
                await self.say(STAGE, tick=int(1000 * time.time()))
        return False

    async def say(self, name: str, **state: object) -> None:
        """Change the state of a component, which runs its fragment or the page."""
        widget = self.widgets[name]
        widget.data |= state
        await self.send(widget, WidgetState(id=widget.id, json_value=json.dumps(widget.data)))

    async def send(self, widget: Widget, value: WidgetState) -> None:
        """Send the new value of a widget with those of all others, as a browser does."""
        self._states[widget.id] = value
        await self._rerun(widget.fragment)

    async def _rerun(self, fragment: str, **options: object) -> None:
        request = {
            "query_string": self.query,
            "page_script_hash": self._page,
            "fragment_id": fragment,
            "widget_states": {"widgets": list(self._states.values())},
        }
        message = BackMsg(rerun_script=request | options)
        await self.connection.send(message.SerializeToString())

    # ---- from the server --------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            async for raw in self.connection:
                message = ForwardMsg()
                message.ParseFromString(raw)
                async with self._news:
                    self._take(message)
                    self._news.notify_all()
        except websockets.ConnectionClosed:
            pass
        except Exception as error:  # report it to whoever waits
            self.errors.append(f"the client failed: {error!r}")
        finally:
            async with self._news:
                self._news.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        """Record a message: errors, and elements that can send values."""
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "session_event" and message.session_event.HasField(
            "script_compilation_exception"
        ):
            self.errors.append(message.session_event.script_compilation_exception.message)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            kind = element.WhichOneof("type")
            self._element(kind, getattr(element, kind), message.delta.fragment_id)

    def _element(self, kind: str, proto, fragment: str) -> None:
        if kind == "exception":
            self.errors.append(f"{proto.type}: {proto.message}")
        elif kind == "alert" and proto.format == proto.ERROR:
            self.errors.append(proto.body)
        elif kind == "bidi_component" and proto.id:
            self._widget(proto.component_name, kind, proto, fragment)
            if proto.component_name == STAGE:
                self.stage = header_of(proto.bytes)

    def _widget(self, name: str, kind: str, proto, fragment: str) -> None:
        known = self.widgets.get(name)
        data = known.data if known and known.id == proto.id else {}
        self.widgets[name] = Widget(proto.id, fragment, kind, proto, data)


async def _first_picture(address: str, patience: float) -> str:
    """What is wrong with a server; "" if it shows a picture within ``patience`` seconds."""
    try:
        try:
            session = await Session.open(address, "labels")
        except websockets.InvalidStatus:  # the address may be that of a page
            base = address.partition("?")[0].rpartition("/")[0]
            if not urlsplit(base).netloc:
                raise
            session = await Session.open(base, "labels")
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
    if errors := session.errors or list(filter(None, [session.stage.get("failed")])):
        return f"{address} shows an error: {errors[0]}"
    return "" if shown else f"{address} has shown no picture in {patience:g} s."


def in_a_loop(coroutine):
    """Run a coroutine, also where this thread already has an event loop (Playwright's)."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def check(address: str, patience: float = 30.0) -> str:
    """Visit the Labels page of a server, and check that it shows a picture.

    Parameters
    ----------
    address : str
        Address as in a browser, without a page.
    patience : float
        Maximal number of seconds until the first picture.

    Returns
    -------
    str
        What is wrong, or "".
    """
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018
    except ValueError as error:
        return f"{address} is not an address: {error}."
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return f"{address} is not a whole address: write it with http:// or https:// in front."
    return in_a_loop(_first_picture(address, patience))
