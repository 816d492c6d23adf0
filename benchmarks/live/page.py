"""Measuring a page of the explorer in Chromium: all that the live benchmark assumes about the app.

The stage dispatches the window event ``lapviz:painted`` after every repaint, with detail
``{reason, ms, panels, rev, exact, key}``, and keeps ``window.__lapviz = {paints, last, stages}``. A
script in the page records the times of these events, of pointer and key events, and of messages to
Python, on the browser's clock, which starts with the navigation.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.browser import FLAGS, find_chromium
from benchmarks.cases import Row, verdict

Measured = tuple[list[Row], dict]  # rows of the report, and all measurements


@dataclass(frozen=True)
class Place:
    """What the measurements need to know about a page of the app.

    Attributes
    ----------
    title, path : str
    panels : int
    sweep : tuple of float
        Ends of the sweep of σ, as fractions of the slider.
    rate : float
        Required exact pictures per second during the sweep.
    shown : str
        Description of the panels.
    """

    title: str
    path: str
    panels: int
    sweep: tuple[float, float] = (0.03, 0.97)
    rate: float = 8
    shown: str = "3 panels"


LABELS = Place("Labels", "labels?story=circles&p=200", 3)  # four circles, n = 2000
EIGENFUNCTIONS = Place(
    "Eigenfunctions",
    "eigenfunctions?data=half_moons&n=2000&p=200",
    16,
    sweep=(0.03, 0.8),  # at the largest σ few eigenfunctions remain
    rate=6,
    shown="8 of 16 panels",
)
LARGE = Place("Eigenfunctions", "eigenfunctions?data=half_moons&n=100000&p=2000", 16)

# Selectors of the app, to be updated with it.
LAM = 'input[type="range"][aria-label="Smoothness λ"]'
PLOT = ".stage .plots canvas"
SIGMA = '.toolbar input[type="range"][aria-label="Reach σ"]'
WINDOW = {"width": 1280, "height": 900}
TIMEOUT = 90_000  # milliseconds for any wait
QUIET = 700  # milliseconds without a repaint, after which the page is at rest
PRESSES = 11  # keys of one measurement

RECORDER = """
window.bench = { paints: [], inputs: [], sent: [] };
window.stageOf = () => Object.values(window.__lapviz?.stages ?? {})[0];
addEventListener("lapviz:painted", (event) => {
  const stage = stageOf();
  bench.paints.push({ at: performance.now(), adopted: stage?.scene?.rev ?? null, ...event.detail });
  // From now on note when each revision goes to Python.
  if (stage && !Object.getOwnPropertyDescriptor(stage.channel, "sentRev").set) {
    let last = stage.channel.sentRev;
    Object.defineProperty(stage.channel, "sentRev", {
      get: () => last,
      set: (rev) => { last = rev; bench.sent.push({ rev, at: performance.now() }); },
    });
  }
});
for (const kind of ["pointerup", "keydown"])
  addEventListener(kind, (event) => bench.inputs.push({ kind, at: event.timeStamp }), true);
"""
SETTLED = """([panels, quiet]) => {
  const last = bench.paints.at(-1);
  return Boolean(last && last.exact && (panels === null || last.panels === panels)
                 && performance.now() - last.at > quiet);
}"""
CLEAR = "bench.paints.length = bench.inputs.length = bench.sent.length = 0"


def new_page(context):
    """Open a page that records its events."""
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.add_init_script(RECORDER)
    return page


@contextmanager
def new_browser(page) -> Iterator:
    """A recording page in a fresh browser."""
    kind = page.context.browser.browser_type
    browser = kind.launch(executable_path=find_chromium(), args=list(FLAGS))
    try:
        yield new_page(browser.new_context(viewport=WINDOW))
    finally:
        browser.close()


def settle(page, panels: int | None = None, timeout: float | None = None) -> None:
    """Wait until the exact picture, with this number of panels, no longer changes."""
    page.wait_for_function(SETTLED, arg=[panels, QUIET], timeout=timeout)


def visit(page, address: str, place: Place, query: str = "", timeout: float | None = None) -> None:
    """Open a page of the app, and wait until its exact picture no longer changes."""
    page.goto(f"{address}/{place.path}{query}")
    settle(page, place.panels, timeout)


def first_exact(page) -> float:
    """Milliseconds from the start of the navigation to the first exact picture."""
    page.wait_for_function("window.bench?.paints.some((p) => p.exact)")
    return page.evaluate("bench.paints.find((p) => p.exact).at")


def press_keys(page, panels: int) -> tuple[list[float], list[str]]:
    """Change σ by keyboard: milliseconds from each key to its exact picture, and the values.

    The picture is the first that Python has computed for the new value; modes for λ and the rest of
    the page may follow.
    """
    slider = page.locator(SIGMA).first
    waits, values = [], [slider.get_attribute("aria-valuetext")]
    for _ in range(PRESSES):
        slider.focus()
        before = page.evaluate("stageOf().scene.rev")
        arrived = f"(p) => p.adopted > {before}"
        page.evaluate(CLEAR)
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"bench.paints.some({arrived})")
        waits.append(page.evaluate(
            f"bench.paints.find({arrived}).at"
            " - bench.inputs.find((i) => i.kind === 'keydown').at"
        ))  # fmt: skip
        settle(page, panels)
        values.append(slider.get_attribute("aria-valuetext"))
    return waits, values


def delay(what: str, waits: list[float], sign: str, limit: float) -> Row:
    """Row for a delay in milliseconds, judged by its median."""
    median = statistics.median(waits)
    text = f"{median:.0f} ms (worst {max(waits):.0f})"
    return Row(what, text, ratio=median, **verdict(median, sign, limit, "ms"))
