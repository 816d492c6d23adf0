"""Chromium through Playwright: for pictures, measurements and browser tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lapviz._extras import command

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync")  # fmt: skip

# True once Python has finished and every stage, including those not yet mounted, has shown its
# exact answer for 70 ms.
AT_REST = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const quiet = app?.dataset.testScriptState === "notRunning"
    && !document.querySelector('[data-testid="stSkeleton"]')
    && document.querySelector("h1");
  const stages = Object.values(window.__lapviz?.stages ?? {});
  const places = document.querySelectorAll('[class*="st-key-place-"]').length;
  const shown = stages.length >= places && stages.every(
    (s) => (s.failed || (s.scene && s.exact && s.board.place))
    && !s.channel.unsent && s.board.root.isConnected && !s.board.pending);
  const calm = quiet && shown;
  const now = performance.now();
  window.__calm = calm ? (window.__calm ?? now) : null;
  return calm && now - window.__calm > 70;
}"""


class NoBrowserError(RuntimeError):
    """Chromium or Playwright is missing."""

    def __init__(self):
        super().__init__(
            "Chromium and Playwright's Python package are needed, and one is missing: install "
            f"Chromium (or name its path in the variable CHROMIUM) and `{command('bench')}`."
        )


def find_chromium(*preferred: str) -> str | None:
    """Path of Chromium: the environment variable CHROMIUM, or the first on the search path."""
    names = (*preferred, *NAMES)
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium(*flags: str, preferred: Sequence[str] = ()) -> Iterator:
    """Playwright's browser for the duration of the block.

    Parameters
    ----------
    *flags : str
        Further command-line options of Chromium.
    preferred : sequence of str
        Programs to look for before those of ``NAMES``.

    Raises
    ------
    NoBrowserError
        If Chromium or Playwright is missing.
    """
    path = find_chromium(*preferred)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        path = None
    if path is None:
        raise NoBrowserError
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()


def wait_at_rest(page, timeout: float | None = None) -> None:
    """Wait until a page of the explorer is at rest; ``timeout`` in milliseconds."""
    page.wait_for_function(AT_REST, polling=25, timeout=timeout)
    page.evaluate("() => { window.__calm = null; }")
