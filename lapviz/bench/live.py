"""``python -m lapviz.bench --live``: the explorer with people in front of it.

Most parts drive it in Chromium; crowds of visitors speak Streamlit's protocol instead.
"""

from __future__ import annotations

import os

from lapviz.bench import crowds, hands, host
from lapviz.bench.cases import Row
from lapviz.bench.child import ONE_THREAD
from lapviz.bench.page import WINDOW, prepared
from lapviz.explorer.host.browser import NoBrowserError, chromium
from lapviz.explorer.host.server import serve

IN_CHROMIUM = {
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
WITHOUT = {"live-visitors": crowds.visitors}
PARTS = IN_CHROMIUM | WITHOUT


def run(only=None, say=print) -> tuple[list[Row], dict, list[str]]:
    """Rows, everything measured, and one message for each part that failed.

    ``only`` names some of ``PARTS``; all of them by default.
    """
    names = list(only or PARTS)
    found: tuple[list[Row], dict, list[str]] = [], {"load_before": os.getloadavg()}, []
    if os.getloadavg()[0] > 0.5 * (os.cpu_count() or 1):
        say(f"This host is busy (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores): "
            "the times below are wall times, and will be too long.")  # fmt: skip
    try:
        if driven := [name for name in names if name in IN_CHROMIUM]:
            with chromium() as browser:
                _drive(browser, driven, say, *found)
    except NoBrowserError as error:
        found[2].append(str(error))
    for name in filter(WITHOUT.get, names):
        say(f"… {WITHOUT[name].__doc__.splitlines()[0]} (load {os.getloadavg()[0]:.1f})")
        try:
            rows, found[1][name] = WITHOUT[name](say)
            found[0].extend(rows)
        except (RuntimeError, OSError) as error:
            found[2].append(f"{name!r} failed: {str(error).splitlines()[0]}")
    return found


def _drive(browser, names, say, rows, measured, failed) -> None:
    from playwright.sync_api import Error

    with serve(variables=ONE_THREAD) as address:
        for name in names:
            part = IN_CHROMIUM[name]
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
