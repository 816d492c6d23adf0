"""``python -m lapviz.bench --live``: the explorer in Chromium.

The stage dispatches the window event ``lapviz:painted`` after every repaint, with detail
``{reason, ms, panels, rev, exact, key}``, and keeps ``window.__lapviz = {paints, last, …}``. A
script in the page records the times of these events and of pointer and key events, by the browser's
clock. All that this module assumes about the app is in :class:`Pages`.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from dataclasses import dataclass

from lapviz.bench.cases import Row
from lapviz.bench.child import ONE_THREAD
from lapviz.explorer.browser import NoBrowserError, chromium
from lapviz.explorer.server import serve


@dataclass(frozen=True)
class Pages:
    """Addresses and selectors of the app: the only part to change when a page changes."""

    labels: str = "labels?story=circles&p=200"  # four circles, n = 2000, three panels
    eigenfunctions: str = "eigenfunctions?data=half_moons&n=2000&p=200"  # sixteen panels
    lam: str = ".stage input.lam"
    plot: str = ".stage .plots canvas"
    sigma: str = 'input[type="range"][aria-label="Width σ"]'
    panels_on_labels: int = 3
    panels_on_eigenfunctions: int = 16


PAGES = Pages()
WINDOW = {"width": 1280, "height": 900}
TIMEOUT = 90_000  # milliseconds for any wait
QUIET = 700  # milliseconds without a repaint, after which the page is at rest
DRAG_SECONDS = 2.0
ROUNDS = 5  # drags; there are more clicks and key presses, which are quick
CLICKS, PRESSES = 15, 11

RECORDER = """
window.bench = { paints: [], inputs: [] };
addEventListener("lapviz:painted", (event) =>
  bench.paints.push({ at: performance.now(), ...event.detail }));
for (const kind of ["pointerup", "keydown"])
  addEventListener(kind, (event) => bench.inputs.push({ kind, at: event.timeStamp }), true);
"""
SETTLED = """([panels, quiet]) => {
  const last = bench.paints.at(-1);
  return Boolean(last && last.exact && last.panels === panels
                 && performance.now() - last.at > quiet);
}"""


def run(only=None, say=print) -> tuple[list[Row], dict, list[str]]:
    """Rows, everything measured, and one message for each part that failed.

    ``only`` names some of ``PARTS``; all of them by default.
    """
    try:
        with chromium() as browser:
            return _run(browser, only or PARTS, say)
    except NoBrowserError as error:
        return [], {}, [str(error)]


def _run(browser, names, say) -> tuple[list[Row], dict, list[str]]:
    from playwright.sync_api import Error

    rows, measured, failed = [], {"load_before": os.getloadavg()}, []
    if os.getloadavg()[0] > 0.5 * (os.cpu_count() or 1):
        say(f"This host is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores): "
            "the times below are wall times, and will be too long.")  # fmt: skip
    with serve(variables=ONE_THREAD) as address:
        for name in names:
            part = PARTS[name]
            say(f"… {part.__doc__.splitlines()[0]}")
            context = browser.new_context(viewport=WINDOW)
            page = context.new_page()
            page.set_default_timeout(TIMEOUT)
            page.add_init_script(RECORDER)
            errors: list[str] = []
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            try:
                row, values = part(page, address)
                rows.append(row)
                measured[name] = values
            except Error as error:
                failed.append(f"{name!r} failed: {str(error).splitlines()[0]}")
            failed += [f"{name!r}: the page threw {error}" for error in errors]
            context.close()
    return rows, measured, failed


def drag_lam(page, address: str) -> tuple[Row, dict]:
    """λ dragged on the Labels page, three panels"""
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    box = page.locator(PAGES.lam).first.bounding_box()
    y = box["y"] + box["height"] / 2
    rates, costs = [], []
    for _ in range(ROUNDS):
        place = 0.2
        page.mouse.move(box["x"] + place * box["width"], y)
        page.mouse.down()
        page.evaluate("bench.paints.length = 0")
        start, moves = time.monotonic(), 0
        while time.monotonic() - start < DRAG_SECONDS:
            moves += 1
            place = 0.2 + 0.6 * abs(1 - (moves / 60) % 2)  # to and fro, a new value every time
            page.mouse.move(box["x"] + place * box["width"], y)
        seen = [p for p in page.evaluate("bench.paints") if p["reason"] == "lam"]
        page.mouse.up()
        settle(page, None, PAGES.panels_on_labels)
        span = seen[-1]["at"] - seen[0]["at"]
        rates.append(1000 * (len(seen) - 1) / span)
        costs += [p["ms"] for p in seen]
    rate = statistics.median(rates)
    row = Row("live-lam", f"λ dragged for {DRAG_SECONDS:g} s, {PAGES.panels_on_labels} panels "
              f"({statistics.median(costs):.1f} ms a repaint)", f"{rate:.0f} repaints/s",
              ratio=rate, bound="≥ 30", ok=rate >= 30)  # fmt: skip
    return row, {"repaints_per_second": rates, "ms_per_repaint": costs}


def click_labels(page, address: str) -> tuple[Row, dict]:
    """Click on a picture to the repaint with the new label"""
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    box = page.locator(PAGES.plot).first.bounding_box()
    rng, waits = random.Random(0), []
    for _ in range(CLICKS):
        page.evaluate("bench.paints.length = bench.inputs.length = 0")
        across, down = (rng.uniform(0.2, 0.8) for _ in range(2))
        page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
        page.wait_for_function("bench.paints.some((p) => p.reason === 'labels')")
        waits.append(page.evaluate(
            "bench.paints.find((p) => p.reason === 'labels').at"
            " - bench.inputs.find((i) => i.kind === 'pointerup').at"
        ))  # fmt: skip
        settle(page, None, PAGES.panels_on_labels)
    row = delay("live-click", f"label clicked → repainted, {PAGES.panels_on_labels} panels", waits,
                50, "< 50 ms")  # fmt: skip
    return row, {"ms": waits}


def press_sigma_labels(page, address: str) -> tuple[Row, dict]:
    """σ by keyboard on the Labels page, n = 2000, p = 200, every value a new one"""
    return press_sigma(
        page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels, "live-sigma-labels", "Labels"
    )


def press_sigma_eigenfunctions(page, address: str) -> tuple[Row, dict]:
    """σ by keyboard on the Eigenfunctions page, n = 2000, p = 200, every value a new one"""
    return press_sigma(
        page, f"{address}/{PAGES.eigenfunctions}", PAGES.panels_on_eigenfunctions,
        "live-sigma-eigen", "Eigenfunctions",
    )  # fmt: skip


def press_sigma(page, url: str, panels: int, case: str, title: str) -> tuple[Row, dict]:
    settle(page, url, panels)
    slider = page.locator(PAGES.sigma).first
    slider.scroll_into_view_if_needed()
    waits, values = [], [slider.get_attribute("aria-valuetext")]
    arrived = "(p) => p.exact && p.reason === 'scene'"
    for _ in range(PRESSES):
        slider.focus()
        page.evaluate("bench.paints.length = bench.inputs.length = 0")
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"bench.paints.some({arrived})")
        waits.append(page.evaluate(
            f"bench.paints.find({arrived}).at"
            " - bench.inputs.find((i) => i.kind === 'keydown').at"
        ))  # fmt: skip
        settle(page, None, panels)
        values.append(slider.get_attribute("aria-valuetext"))
    what = f"σ by keyboard → the exact new picture, {title}, {panels} panels, n=2000, p=200"
    row = delay(case, what, waits, 300, "≤ 300 ms")
    return row, {"ms": waits, "values": values}


PARTS = {
    "live-lam": drag_lam,
    "live-click": click_labels,
    "live-sigma-labels": press_sigma_labels,
    "live-sigma-eigen": press_sigma_eigenfunctions,
}


def delay(case: str, what: str, waits: list[float], limit: float, bound: str) -> Row:
    middle = statistics.median(waits)
    shown = f"{middle:.0f} ms (worst {max(waits):.0f})"
    ok = middle < limit if bound.startswith("<") else middle <= limit
    return Row(case, what, shown, ratio=middle, bound=bound, ok=ok)


def settle(page, url: str | None, panels: int) -> None:
    """Open the address, if given, and wait until the exact picture no longer changes."""
    if url is not None:
        page.goto(url)
    page.wait_for_function(SETTLED, arg=[panels, QUIET])
