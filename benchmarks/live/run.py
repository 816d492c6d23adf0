"""The parts of the live benchmark, and how they are run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.browser import NoBrowserError, chromium
from benchmarks.cases import Row
from benchmarks.live import pointer, server, visitors
from benchmarks.live.page import EIGENFUNCTIONS, LABELS, WINDOW, Measured, new_page
from benchmarks.process import ONE_THREAD
from benchmarks.streamlit_server import serve


@dataclass(frozen=True)
class Part:
    """``run(page, address)`` in Chromium, ``run(log)`` without: rows and all measurements."""

    title: str
    run: Callable[..., Measured]


IN_CHROMIUM = {
    "live-lam": Part("λ dragged on the Labels page, three panels", pointer.drag_lam),
    "live-saved": Part("λ dragged in a saved page of three panels, without a server or a network",
                       pointer.drag_lam_saved),
    "live-click": Part("Click on a picture to the repaint with the new label",
                       pointer.click_labels),
    "live-sigma-labels": Part("σ by keyboard on the Labels page, every value a new one",
                              partial(pointer.press_sigma, LABELS)),
    "live-sigma-eigen": Part("σ by keyboard on the Eigenfunctions page, every value a new one",
                             partial(pointer.press_sigma, EIGENFUNCTIONS)),
    "live-scrub-labels": Part("σ scrubbed with the mouse held, Labels page",
                              partial(pointer.scrub_sigma, LABELS)),
    "live-scrub-eigen": Part("σ scrubbed with the mouse held, Eigenfunctions page",
                             partial(pointer.scrub_sigma, EIGENFUNCTIONS)),
    "live-first-cold": Part("First picture of a server and a browser that have just started",
                            server.first_picture_cold),
    "live-first-warm": Part("First picture for a new visitor of a server that has shown the page",
                            server.first_picture_warm),
    "live-second": Part("σ by keyboard while another visitor computes n = 100 000, p = 2000",
                        server.second_visitor),
    "live-memory-tour": Part("Resident memory of the server after a visit to every story",
                             server.memory_after_tour),
    "live-memory-large": Part("Memory after n = 100 000, p = 2000 was asked for five times",
                              server.memory_of_large),
}  # fmt: skip
WITHOUT = {
    "live-visitors": Part("Sixteen visitors for 75 s, and twenty for two minutes, on 1 GB",
                          visitors.visitors),
    "live-visitors-samples": Part("Sixteen visitors who move n and noise, and come back",
                                  visitors.visitors_of_samples),
}  # fmt: skip
PARTS = IN_CHROMIUM | WITHOUT


def run(only=None, log=print) -> tuple[list[Row], dict, list[str]]:
    """Rows, all measurements, and one message for each part that failed.

    ``only`` names some of ``PARTS``; all of them by default.
    """
    names = list(only or PARTS)
    results: tuple[list[Row], dict, list[str]] = [], {"load_before": os.getloadavg()}, []
    if os.getloadavg()[0] > 0.5 * (os.cpu_count() or 1):
        log(f"This host is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores): "
            "the times below are wall times, and will be too long.")  # fmt: skip
    try:
        if in_chromium := [name for name in names if name in IN_CHROMIUM]:
            with chromium() as browser, serve(variables=ONE_THREAD) as address:
                for name in in_chromium:
                    _in_chromium(name, browser, address, log, *results)
    except NoBrowserError as error:
        results[2].append(str(error))
    for name in filter(WITHOUT.get, names):
        _run_part(name, (log,), log, *results)
    return results


def _in_chromium(name, browser, address, log, rows, measured, failed) -> None:
    """Run a part on its own page; exceptions thrown in the page count as failures too."""
    context = browser.new_context(viewport=WINDOW)
    page = new_page(context)
    page.on("pageerror", lambda error: failed.append(f"{name!r}: the page threw {error}"))
    _run_part(name, (page, address), log, rows, measured, failed)
    context.close()


def _run_part(name, arguments, log, rows, measured, failed) -> None:
    load = os.getloadavg()[0]
    log(f"… {PARTS[name].title} (load {load:.1f})")
    try:
        new_rows, values = PARTS[name].run(*arguments)
    except Exception as error:  # the others still run
        failed.append(f"{name!r} failed: {(str(error) or repr(error)).splitlines()[0]}")
        return
    rows += [replace(row, case=name) for row in new_rows]
    measured[name] = {"load_before": load, **values}
