"""``python -m lapviz.bench --live``: the explorer in Chromium, its parts and how they are run."""

from __future__ import annotations

import os

from lapviz.bench import hands, host
from lapviz.bench.cases import Row
from lapviz.bench.child import ONE_THREAD
from lapviz.bench.page import WINDOW, prepared
from lapviz.explorer.browser import NoBrowserError, chromium
from lapviz.explorer.server import serve

PARTS = {
    "live-lam": hands.drag_lam,
    "live-saved": hands.drag_lam_saved,
    "live-click": hands.click_labels,
    "live-sigma-labels": hands.press_sigma_labels,
    "live-sigma-eigen": hands.press_sigma_eigenfunctions,
    "live-scrub-labels": hands.scrub_labels,
    "live-scrub-eigen": hands.scrub_eigenfunctions,
    "live-first-cold": host.first_picture_cold,
    "live-first-warm": host.first_picture_warm,
    "live-second": host.second_visitor,
    "live-memory-tour": host.memory_after_tour,
    "live-memory-large": host.memory_of_large,
}


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
            load = os.getloadavg()[0]
            say(f"… {part.__doc__.splitlines()[0]} (load {load:.1f})")
            context = browser.new_context(viewport=WINDOW)
            page = prepared(context)
            errors: list[str] = []
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            try:
                row, values = part(page, address)
                rows.append(row)
                measured[name] = {"load_before": load, **values}
            except (Error, RuntimeError) as error:
                failed.append(f"{name!r} failed: {str(error).splitlines()[0]}")
            failed += [f"{name!r}: the page threw {error}" for error in errors]
            context.close()
    return rows, measured, failed
