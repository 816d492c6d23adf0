"""The server in the live benchmark: first pictures, several visitors, resident memory."""

from __future__ import annotations

import statistics
import time

from benchmarks.browser import wait_at_rest
from benchmarks.cases import Row
from benchmarks.live.page import (
    EIGENFUNCTIONS,
    LABELS,
    LARGE,
    WINDOW,
    Measured,
    delay,
    first_exact,
    new_browser,
    new_page,
    press_keys,
    settle,
    visit,
)
from benchmarks.process import ONE_THREAD, process_of, resident
from benchmarks.streamlit_server import serve
from lapviz.explorer.host.limits import HOST_BYTES
from lapviz.explorer.stories.presets import STORIES

COLD_STARTS = 3
LONG = 300_000  # milliseconds for a picture with n = 100 000 and p = 2000
# Between two requests of the large problem: another σ, μ, p, and page.
OTHERS = (
    "eigenfunctions?data=half_moons&n=100000&p=200&sigma=0.3",
    "labels?data=half_moons&n=100000&p=500",
    "eigenfunctions?data=half_moons&n=2000&p=1000&sigma=0.1",
    "labels?story=digits",
)


def first_picture_cold(page, address: str) -> Measured:
    times = []
    for i in range(COLD_STARTS):
        with serve(variables=ONE_THREAD) as fresh:
            times.append(_first_picture(page, fresh, (LABELS, EIGENFUNCTIONS)[i % 2]))
    return _first("server and browser just started", times)


def first_picture_warm(page, address: str) -> Measured:
    visit(page, address, LABELS)
    times = [_first_picture(page, address, LABELS) for _ in range(COLD_STARTS)]
    return _first("new visitor and browser, server warm", times)


def _first_picture(page, address: str, place) -> float:
    with new_browser(page) as fresh_page:
        fresh_page.goto(f"{address}/{place.path}")
        return first_exact(fresh_page)


def _first(condition: str, times: list[float]) -> Measured:
    return [delay(f"first picture, {condition}", times, "≤", 3000)], {"ms": times}


def second_visitor(page, address: str) -> Measured:
    busy = new_page(page.context.browser.new_context(viewport=WINDOW))
    visit(page, address, LABELS)
    alone, _ = press_keys(page, LABELS.panels)
    busy.goto(f"{address}/{LARGE.path}")
    busy.wait_for_function("Object.values(window.__lapviz?.stages ?? {})[0]?.behind")
    visit(page, address, LABELS, "&seed=5")
    waits, _ = press_keys(page, LABELS.panels)
    still_busy = busy.evaluate("Object.values(window.__lapviz.stages)[0].behind")
    busy.context.close()
    what = (f"σ by keyboard while another visitor computes n=100 000, p=2000 "
            f"(alone {statistics.median(alone):.0f} ms)")  # fmt: skip
    if not still_busy:
        what += "; the other was done before the last key"
    values = {"ms": waits, "alone_ms": alone, "still_computing": still_busy}
    return [delay(what, waits, "≤", 1000)], values


def memory_after_tour(page, address: str) -> Measured:
    with serve(variables=ONE_THREAD) as fresh:
        process = process_of(fresh)
        start = resident(process)
        page.goto(f"{fresh}/")
        sizes = []
        for story in STORIES:
            page.goto(f"{fresh}/{story.page}?story={story.name}")
            wait_at_rest(page, LONG)
            page.wait_for_timeout(300)
            sizes.append(resident(process)[0])
        current, peak = resident(process)
    what = f"server's memory after a tour of {len(STORIES)} stories"
    values = {"start": start, "after_each": sizes, "now": current, "peak": peak}
    return [_memory(what, current, peak)], values


def memory_of_large(page, address: str) -> Measured:
    """Between two requests other settings are requested."""
    with serve(variables=ONE_THREAD) as fresh:
        process, times, sizes = process_of(fresh), [], []
        for path in (*OTHERS, None):
            start = time.monotonic()
            visit(page, fresh, LARGE, timeout=LONG)
            times.append(time.monotonic() - start)
            sizes.append(resident(process)[0])
            if path is not None:
                page.goto(f"{fresh}/{path}")
                settle(page, timeout=LONG)
        current, peak = resident(process)
    what = (f"server's memory, n=100 000, p=2000 asked five times (first {times[0]:.0f} s, "
            f"then {', '.join(f'{t:.0f}' for t in times[1:])} s)")  # fmt: skip
    values = {"seconds": times, "after_each": sizes, "now": current, "peak": peak}
    return [_memory(what, current, peak)], values


def _memory(what: str, current: float, peak: float) -> Row:
    text = f"{current / 1e6:.0f} MB (peak {peak / 1e6:.0f})"
    return Row(what, text, ratio=peak / HOST_BYTES,
               bound=f"peak ≤ {HOST_BYTES / 1e6:.0f} MB", ok=peak <= HOST_BYTES)  # fmt: skip
