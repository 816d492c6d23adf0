"""A real Chromium and real Streamlit servers for the tests that look at the app as people do."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUNDLE = ROOT / "lapviz" / "explorer" / "stage" / "bundle.js"
sys.path.append(str(HERE))  # the tests here share helpers with the small apps that they start
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 60


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Chromium through Playwright; the tests are skipped only where there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("NO BROWSER: install Chromium, or name it in the variable CHROMIUM.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(ARGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser) -> Iterator:
    """A fresh page of 1280 x 900; the test fails if the page threw an error."""
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
def app(tmp_path_factory) -> Iterator[Callable[..., str]]:
    """``app(script, port=None, query=None) -> url``: a running Streamlit, one per script.

    Servers start on a free port unless one is given, and end with the session.
    """
    running: dict[tuple[str, int | None], tuple[subprocess.Popen, int]] = {}
    folder = tmp_path_factory.mktemp("streamlit")

    def start(script: str | Path, port: int | None = None, query: dict | None = None) -> str:
        place = (str(script), port)
        if place not in running:
            chosen = port or _free_port()
            log = (folder / f"{chosen}.log").open("w")
            process = subprocess.Popen(
                _command(script, chosen), stdout=log, stderr=log, env=_environment(), cwd=ROOT
            )
            running[place] = process, chosen
            _wait_until_healthy(process, chosen, Path(log.name))
        return f"http://localhost:{running[place][1]}/?{urlencode(query or {})}"

    yield start
    for process, _ in running.values():
        process.terminate()
        process.wait(10)


def _command(script: str | Path, port: int) -> list[str]:
    options = {
        "server.port": port,
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(script), *flags]


def _environment() -> dict[str, str]:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    joined = os.pathsep.join(filter(None, paths))
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": joined}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(process: subprocess.Popen, port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"Streamlit ended at once:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    process.terminate()
    raise RuntimeError(f"Streamlit did not answer in {START_SECONDS} s:\n{log.read_text()}")
