"""The server's side of the live benchmark: first pictures, several visitors, resident memory."""

from __future__ import annotations

import os
import re
import statistics
import time
from pathlib import Path
from urllib.parse import urlsplit

from lapviz.bench.cases import Row
from lapviz.bench.child import ONE_THREAD
from lapviz.bench.page import (
    PAGES,
    WINDOW,
    delay,
    first_exact,
    new_browser,
    prepared,
    press_keys,
    settle,
)
from lapviz.explorer.host.browser import wait_at_rest
from lapviz.explorer.host.limits import HOST_BYTES
from lapviz.explorer.host.server import serve
from lapviz.explorer.stories.presets import STORIES

COLD_STARTS = 3
PRESSES = 11
LONG = 300_000  # milliseconds for a picture with n = 100 000 and p = 2000
# Between two requests of the large problem: another σ, another μ, another p, another page.
OTHERS = (
    "eigenfunctions?data=half_moons&n=100000&p=200&sigma=0.3",
    "labels?data=half_moons&n=100000&p=500",
    "eigenfunctions?data=half_moons&n=2000&p=1000&sigma=0.1",
    "labels?story=digits",
)


def first_picture_cold(page, address: str) -> tuple[Row, dict]:
    """First picture of a server and a browser that have just started, Labels and Eigenfunctions"""
    times = []
    for turn in range(COLD_STARTS):
        path = (PAGES.labels, PAGES.eigenfunctions)[turn % 2]
        with serve(variables=ONE_THREAD) as fresh, new_browser(page) as other:
            other.goto(f"{fresh}/{path}")
            times.append(first_exact(other))
    row = delay("live-first-cold", "first picture, server and browser just started", times, 3000,
                "≤ 3000 ms")  # fmt: skip
    return row, {"ms": times}


def first_picture_warm(page, address: str) -> tuple[Row, dict]:
    """First picture for a new visitor of a server that has shown the page before"""
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    times = []
    for _ in range(COLD_STARTS):
        with new_browser(page) as other:
            other.goto(f"{address}/{PAGES.labels}")
            times.append(first_exact(other))
    row = delay("live-first-warm", "first picture, new visitor and browser, server warm", times,
                3000, "≤ 3000 ms")  # fmt: skip
    return row, {"ms": times}


def second_visitor(page, address: str) -> tuple[Row, dict]:
    """σ by keyboard for one visitor while another computes n = 100 000, p = 2000"""
    busy = prepared(page.context.browser.new_context(viewport=WINDOW))
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    alone, _ = press_keys(page, PAGES.panels_on_labels, PRESSES)
    busy.goto(f"{address}/{PAGES.large}")
    busy.wait_for_function("Object.values(window.__lapviz?.stages ?? {})[0]?.behind")
    settle(page, f"{address}/{PAGES.labels}&seed=5", PAGES.panels_on_labels)
    waits, _ = press_keys(page, PAGES.panels_on_labels, PRESSES)
    still = busy.evaluate("Object.values(window.__lapviz.stages)[0].behind")
    busy.context.close()
    what = (f"σ by keyboard while another visitor computes n=100 000, p=2000 "
            f"(alone {statistics.median(alone):.0f} ms)")  # fmt: skip
    if not still:
        what += "; the other was done before the last key"
    row = delay("live-second", what, waits, 1000, "≤ 1000 ms")
    return row, {"ms": waits, "alone_ms": alone, "still_computing": still}


def memory_after_tour(page, address: str) -> tuple[Row, dict]:
    """Resident memory of the server after a visit to every story"""
    with serve(variables=ONE_THREAD) as fresh:
        start = resident(fresh)
        page.goto(f"{fresh}/")
        seen = []
        for story in STORIES:
            page.goto(f"{fresh}/{story.page}?story={story.name}")
            wait_at_rest(page, LONG)
            page.wait_for_timeout(300)
            seen.append(resident(fresh)[0])
        now, peak = resident(fresh)
    row = _memory("live-memory-tour", f"server's memory after a tour of {len(STORIES)} stories",
                  now, peak)  # fmt: skip
    return row, {"start": start, "after_each": seen, "now": now, "peak": peak}


def memory_of_large(page, address: str) -> tuple[Row, dict]:
    """Memory after n = 100 000, p = 2000 was asked for five times, other settings in between"""
    with serve(variables=ONE_THREAD) as fresh:
        times, sizes = [], []
        for other in (*OTHERS, None):
            start = time.monotonic()
            settle(page, f"{fresh}/{PAGES.large}", PAGES.panels_on_eigenfunctions, LONG)
            times.append(time.monotonic() - start)
            sizes.append(resident(fresh)[0])
            if other is not None:
                settle(page, f"{fresh}/{other}", None, LONG)
        now, peak = resident(fresh)
    what = (f"server's memory, n=100 000, p=2000 asked five times (first {times[0]:.0f} s, "
            f"then {', '.join(f'{t:.0f}' for t in times[1:])} s)")  # fmt: skip
    row = _memory("live-memory-large", what, now, peak)
    return row, {"seconds": times, "after_each": sizes, "now": now, "peak": peak}


def _memory(case: str, what: str, now: float, peak: float) -> Row:
    shown = f"{now / 1e6:.0f} MB (peak {peak / 1e6:.0f})"
    return Row(case, what, shown, ratio=peak / HOST_BYTES,
               bound=f"peak ≤ {HOST_BYTES / 1e6:.0f} MB", ok=peak <= HOST_BYTES)  # fmt: skip


def process_of(address: str) -> int:
    """Identity of the process of a server of :func:`~lapviz.explorer.host.server.serve`.

    Raises
    ------
    RuntimeError
        Where processes cannot be looked at (/proc is Linux's).
    """
    flag = f"--server.port={urlsplit(address).port}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if flag in (process / "cmdline").read_bytes().split(b"\0"):
                return int(process.name)
        except OSError:  # it has just ended
            continue
    raise RuntimeError("The server's memory can be read on Linux only.")


def resident(address: str) -> tuple[float, float]:
    """Bytes that a server of :func:`~lapviz.explorer.host.server.serve` holds, now and at its peak.

    Raises
    ------
    RuntimeError
        Where processes cannot be looked at (/proc is Linux's).
    """
    return resident_of(process_of(address))


def resident_of(process: int) -> tuple[float, float]:
    """Bytes that a process holds in memory, now and at its peak.

    Raises
    ------
    RuntimeError
        If it has ended.
    """
    status = Path(f"/proc/{process}/status").read_text()
    found = [re.search(rf"{name}:\s*(\d+)", status) for name in ("VmRSS", "VmHWM")]
    if None in found:
        raise RuntimeError("The server has ended.")
    now, peak = (1024 * int(match[1]) for match in found)
    return now, peak


def cpu_seconds_of(process: int) -> float:
    """CPU seconds of all threads of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
