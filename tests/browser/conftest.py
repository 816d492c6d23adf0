"""Chromium and Streamlit servers for the tests of the whole app."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import pytest

from benchmarks.browser import NoBrowserError, chromium
from benchmarks.streamlit_server import serve

HERE = Path(__file__).parent
STAGE = HERE.parent / "explorer" / "stage"  # scenes, and the stage's modules under Node
sys.path += [str(HERE), str(STAGE)]
from explorer_page import Explorer  # noqa: E402
from shared_tab import SIZE, Tab, empty  # noqa: E402
from stage_node import js  # noqa: E402, F401

# The same pictures at lower cost: an emulated graphics card takes a tenth of the suite's time, V8's
# last optimisation does not pay off on pages that live for seconds, and Chromium's small headless
# program has neither the windows nor the profile of the large one.
FLAGS = (
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--num-raster-threads=1",
    "--js-flags=--no-opt",
    "--font-render-hinting=none",  # letters as wide as in the large program
)
SMALL = ("chromium-headless-shell",)
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A real browser on a busy machine: one failure is reported, two in a row fail the run.
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Chromium through Playwright; the tests are skipped only where there is none.

    With the variable LAPVIZ_REQUIRE_BROWSER set they fail instead.
    """
    with ExitStack() as stack:
        try:
            running = stack.enter_context(chromium(*FLAGS, preferred=SMALL))
        except NoBrowserError as error:
            if "LAPVIZ_REQUIRE_BROWSER" in os.environ:
                raise
            pytest.skip(f"NO BROWSER: {error}")
        yield running


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    explorer = getattr(item, "funcargs", {}).get("explorer")
    if explorer and call.when == "call" and call.excinfo:
        call.excinfo.value.add_note(explorer.whereabouts())
    report = yield
    if report.get_result().failed:
        item.stash[FAILED] = True


@pytest.fixture(scope="session")
def tabs(browser) -> Iterator[list]:
    """The worker's tab, in a list that is empty until there is one."""
    open_tabs: list = []
    yield open_tabs
    for tab in open_tabs:
        tab.context.close()


@pytest.fixture
def page(request, browser, tabs) -> Iterator:
    """A page of 1280 x 900 without any state; the test fails if the page threw an error."""
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
        tab.reset()
    assert not errors, f"The page threw: {errors}"


@pytest.fixture(scope="session")
def contexts(browser) -> Iterator[dict[str, list]]:
    """Browser contexts that no test uses, by their options: a new one has no files in its cache."""
    free: dict[str, list] = {}
    yield free
    for context in chain.from_iterable(free.values()):
        context.close()


@pytest.fixture
def new_page(request, browser, contexts) -> Iterator[Callable]:
    """``new_page(**options) -> page``: in a browser context without any state but its cache, by
    default of 1280 x 900.

    For another visitor, another kind of device, or scripts that run before every document.
    """
    errors: list[str] = []
    used: list[tuple[list, object]] = []

    def open_page(viewport=SIZE, color_scheme="light", reduced_motion="no-preference", **options):
        free = contexts.setdefault(repr(sorted(options.items())), [])
        context = free.pop() if free else browser.new_context(**options)
        used.append((free, context))
        context.grant_permissions(options.get("permissions", []))  # emptying a context takes them
        page = context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for free, context in used:
        if errors or request.node.stash.get(FAILED, False):
            context.close()
        else:
            empty(context)
            free.append(context)
    assert not errors, f"The page threw: {errors}"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the explorer's server, which ends with the session."""
    with serve(variables={"OPENBLAS_NUM_THREADS": "1"}) as address:
        yield address


@pytest.fixture
def explorer(page, address) -> Iterator:
    """The worker's tab on the explorer; after the test it may show no error.

    With reduced motion, since the animated sign that Python computes takes a tenth of the time.
    Tests of motion turn it on.
    """
    page.emulate_media(reduced_motion="reduce")
    tab = Explorer(page, address)
    yield tab
    tab.fine()


@pytest.fixture
def visitor(new_page, address) -> Iterator[Callable]:
    """``visitor(**options) -> Explorer``: another visitor, with a separate browser context."""
    explorers: list = []

    def visit(**options):
        explorers.append(Explorer(new_page(**options), address))
        return explorers[-1]

    yield visit
    for tab in explorers:
        if not tab.page.is_closed():
            tab.fine()
