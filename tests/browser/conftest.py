"""Chromium and Streamlit servers for the tests of the whole app."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.browser import NoBrowserError, chromium
from benchmarks.streamlit_server import serve

HERE = Path(__file__).parent
# An emulated graphics card draws the same pictures, and takes a tenth of the suite's time.
NO_CARD = ("--disable-gpu-compositing", "--disable-gpu-rasterization")
FAILED = pytest.StashKey[bool]()
BUNDLE = HERE.parents[1] / "lapviz" / "figures" / "stage" / "bundle.js"
sys.path.append(str(HERE))  # the tests here share helpers with the small apps that they start


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A real browser beside other work: one miss is said at the end, two are a failure.
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Chromium through Playwright; the tests are skipped only where there is none.

    With the variable LAPVIZ_REQUIRE_BROWSER set they fail there instead.
    """
    with ExitStack() as stack:
        try:
            found = stack.enter_context(chromium(*NO_CARD))
        except NoBrowserError as error:
            if "LAPVIZ_REQUIRE_BROWSER" in os.environ:
                raise
            pytest.skip(f"NO BROWSER: {error}")
        yield found


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.get_result().failed:
        item.stash[FAILED] = True


@pytest.fixture(scope="session")
def tabs(browser) -> Iterator[list]:
    """The worker's tab, or nothing as long as there is none."""
    found: list = []
    yield found
    for tab in found:
        tab.context.close()


@pytest.fixture
def page(request, browser, tabs) -> Iterator:
    """A page of 1280 x 900 that remembers nothing; the test fails if the page threw an error."""
    from shared_tab import Tab  # one of the helpers beside this file

    if not tabs:
        tabs.append(Tab(browser))
    (tab,) = tabs
    tab.errors.clear()
    yield tab.page
    errors = list(tab.errors)
    if errors or request.node.stash.get(FAILED, False):
        tabs.clear()
        tab.context.close()
    else:
        tab.forget()
    assert not errors, f"The page threw: {errors}"


@pytest.fixture
def fresh_page(browser) -> Iterator:
    """A page of its own, for scripts that run before every document."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"The page threw: {errors}"


LOAD = """async (source) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  window.stageModules = (await import(url)).modules;
}"""


@pytest.fixture(scope="module")
def js(browser) -> Iterator:
    """A blank page with every module of the stage, as ``window.stageModules``."""
    page = browser.new_page()
    page.goto("about:blank")
    page.evaluate(LOAD, BUNDLE.read_text("utf-8"))
    yield page
    page.close()


@pytest.fixture(scope="session")
def app() -> Iterator[Callable[..., str]]:
    """``app(script, port=None, query=None) -> url``: a running Streamlit, one per script.

    Servers start on a free port unless one is given, and end with the session.
    """
    running: dict[tuple[str, int | None], str] = {}
    with ExitStack() as stack:

        def start(script: str | Path, port: int | None = None, query: dict | None = None) -> str:
            place = (str(script), port)
            if place not in running:
                one_thread = {"OPENBLAS_NUM_THREADS": "1"}
                running[place] = stack.enter_context(serve(script, port, one_thread))
            return f"{running[place]}/?{urlencode(query or {})}"

        yield start
