"""A page of the explorer without a browser, and waiting for a condition."""

import time
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

WAIT = 60.0  # seconds; more than any test needs


def until(met: Callable[[], object]) -> None:
    """Wait until a condition is met."""
    end = time.monotonic() + WAIT
    while not met():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)


def _page(place: str) -> None:
    from importlib import import_module

    import_module(f"lapviz.explorer.pages.{place}.page").page()


def page_of(place: str, **query: object) -> AppTest:
    """Return a page opened by a link with this query; it has not run yet."""
    app = AppTest.from_function(_page, args=(place,), default_timeout=90)
    for key, value in query.items():
        app.query_params[key] = str(value)
    return app


def opened(place: str, **query: object) -> AppTest:
    return page_of(place, **query).run()


def uploaded(raw: bytes, name: str, until: Callable = lambda app: app.header) -> AppTest:
    """The page of own data with an uploaded file, run until its table is shown."""
    app = page_of("data")
    app.session_state["lapviz_raw"] = {"file": (raw, name)}
    return run_until(app, until)


def run_until(app: AppTest, shows: Callable) -> AppTest:
    """Run a page again until it shows something, since a busy machine answers late."""
    for _ in range(100):
        if shows(app.run()):
            return app
    raise AssertionError("it is not shown")


def address(app: AppTest) -> dict[str, str]:
    """The query in the address bar."""
    pairs = app.query_params.items()
    return {key: value[-1] if isinstance(value, list) else value for key, value in pairs}


class Session:
    """A session on a page that makes the calls in ``calls``; ``query`` is in the address bar."""

    def __init__(self, page: Callable[[], None], **query: str):
        self.app = AppTest.from_function(page)
        self.go(**query)

    def run(self) -> Any:
        """Run the page and return its settings."""
        self.app.run()
        assert not self.app.exception
        return self.settings

    def go(self, **query: str) -> Any:
        """Follow a link within the session."""
        self.app.query_params.clear()
        for key, value in query.items():
            self.app.query_params[key] = value
        return self.run()

    def turn_to(self, page: str, **query: str) -> Any:
        """Go to another page; the menu carries no parameters."""
        self.app.session_state["page"] = page
        return self.go(**query)

    def do(self, name: str, *args: object, **changes: object) -> Any:
        self.app.session_state["calls"] = [(name, args, changes)]
        return self.run()

    @property
    def settings(self) -> Any:
        return self.app.session_state["current_settings"]

    @property
    def notes(self) -> list[str]:
        return self.app.session_state["shown_notes"]

    @property
    def query(self) -> dict[str, str]:
        return address(self.app)
