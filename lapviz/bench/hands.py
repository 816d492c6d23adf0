"""One visitor's hand on a page: λ dragged, labels clicked, σ by keys and with the mouse held."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from lapviz.bench.cases import Row
from lapviz.bench.page import CLEAR, PAGES, QUIET, delay, press_keys, settle
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets
from lapviz.figures import live_page

DRAG_SECONDS = 2.0
ROUNDS = 5  # drags; there are more clicks and key presses, which are quick
CLICKS, PRESSES = 15, 11
SCRUB_SECONDS, SCRUBS = 4.0, 3  # with the mouse held; how often
BEAT = 1 / 60  # seconds between two moves of a mouse
# Of the slider, swept once: every value is a new one. At the widest σ few eigenfunctions are left.
ENDS = {"live-scrub-labels": (0.03, 0.97), "live-scrub-eigen": (0.03, 0.8)}


def drag_lam(page, address: str) -> tuple[Row, dict]:
    """λ dragged on the Labels page, three panels"""
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    return _drag(page, "live-lam", "", lambda: settle(page, None, PAGES.panels_on_labels))


def drag_lam_saved(page, address: str) -> tuple[Row, dict]:
    """λ dragged in a saved page of three panels, without a server or a network"""
    scene = labels_view(presets.for_story("circles").change(p=200)).scene
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "live.html"
        file.write_bytes(live_page(scene))
        page.context.set_offline(True)
        settle(page, file.as_uri(), PAGES.panels_on_labels)
        return _drag(page, "live-saved", " in a saved page", lambda: page.wait_for_timeout(QUIET))


def _drag(page, name: str, where: str, rest: Callable[[], None]) -> tuple[Row, dict]:
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
        rest()
        span = seen[-1]["at"] - seen[0]["at"]
        rates.append(1000 * (len(seen) - 1) / span)
        costs += [p["ms"] for p in seen]
    rate = statistics.median(rates)
    row = Row(name, f"λ dragged{where} for {DRAG_SECONDS:g} s, {PAGES.panels_on_labels} panels "
              f"({statistics.median(costs):.1f} ms a repaint)", f"{rate:.0f} repaints/s",
              ratio=rate, bound="≥ 30", ok=rate >= 30)  # fmt: skip
    return row, {"repaints_per_second": rates, "ms_per_repaint": costs}


def click_labels(page, address: str) -> tuple[Row, dict]:
    """Click on a picture to the repaint with the new label"""
    settle(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels)
    box = page.locator(PAGES.plot).first.bounding_box()
    rng, waits = random.Random(0), []
    for _ in range(CLICKS):
        page.evaluate(CLEAR)
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
    return _press(
        page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels, "live-sigma-labels", "Labels"
    )


def press_sigma_eigenfunctions(page, address: str) -> tuple[Row, dict]:
    """σ by keyboard on the Eigenfunctions page, n = 2000, p = 200, every value a new one"""
    return _press(
        page, f"{address}/{PAGES.eigenfunctions}", PAGES.panels_on_eigenfunctions,
        "live-sigma-eigen", "Eigenfunctions",
    )  # fmt: skip


def _press(page, url: str, panels: int, case: str, title: str) -> tuple[Row, dict]:
    settle(page, url, panels)
    waits, values = press_keys(page, panels, PRESSES)
    what = f"σ by keyboard → the exact new picture, {title}, {panels} panels, n=2000, p=200"
    row = delay(case, what, waits, 300, "≤ 300 ms")
    return row, {"ms": waits, "values": values}


def scrub_labels(page, address: str) -> tuple[Row, dict]:
    """σ scrubbed with the mouse held, Labels page, n = 2000, p = 200, three panels"""
    return _scrub(page, f"{address}/{PAGES.labels}", PAGES.panels_on_labels, "live-scrub-labels",
                  "Labels, 3 panels", 8)  # fmt: skip


def scrub_eigenfunctions(page, address: str) -> tuple[Row, dict]:
    """σ scrubbed with the mouse held, Eigenfunctions page, n = 2000, p = 200, 8 of 16 panels"""
    return _scrub(page, f"{address}/{PAGES.eigenfunctions}", PAGES.panels_on_eigenfunctions,
                  "live-scrub-eigen", "Eigenfunctions, 8 of 16 panels", 6)  # fmt: skip


def _scrub(page, url: str, panels: int, case: str, title: str, goal: float) -> tuple[Row, dict]:
    """Sweep σ on fresh data each time; an exact picture is one of a revision newly adopted."""
    rates, waits, sizes, received = [], [], [], []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: received.append(len(data))),
    )
    for seed in range(1, SCRUBS + 1):
        settle(page, f"{url}&seed={seed}", panels)
        pictures, bytes_ = _sweep(page, received, ENDS[case])
        rates.append(1000 * (len(pictures) - 1) / (pictures[-1]["at"] - pictures[0]["at"]))
        sizes.append(bytes_ / len(pictures))
        sent = {message["rev"]: message["at"] for message in page.evaluate("bench.sent")}
        waits += [p["at"] - sent[p["adopted"]] for p in pictures if p["adopted"] in sent]
        settle(page, None, None)
    rate, wait, size = map(statistics.median, (rates, waits, sizes))
    what = (f"σ scrubbed for {SCRUB_SECONDS:g} s, {title}, n=2000, p=200 "
            f"({wait:.0f} ms from message to picture, worst {max(waits):.0f}; "
            f"{size / 1e3:.0f} kB a picture)")  # fmt: skip
    row = Row(case, what, f"{rate:.1f} exact/s", ratio=rate, bound=f"≥ {goal:g}", ok=rate >= goal)
    return row, {"pictures_per_second": rates, "ms": waits, "bytes_per_picture": sizes}


def _sweep(page, received: list, ends: tuple) -> tuple[list[dict], int]:
    """The first paints of newly adopted revisions while the mouse moves, and bytes received."""
    box = page.locator(PAGES.sigma).first.bounding_box()
    y = box["y"] + box["height"] / 2
    low, high = (box["x"] + share * box["width"] for share in ends)
    page.mouse.move(low, y)
    page.mouse.down()
    settle(page, None, None)
    before = page.evaluate("stageOf().scene.rev")
    page.evaluate(CLEAR)
    received.clear()
    start = time.monotonic()
    while (share := (time.monotonic() - start) / SCRUB_SECONDS) < 1:
        page.mouse.move(low + share * (high - low), y)
        time.sleep(BEAT)
    paints = page.evaluate("bench.paints")
    count = sum(received)
    page.mouse.up()
    pictures: dict[int, dict] = {}
    for paint in paints:
        if paint["adopted"] != before:  # whatever else the same frame was for
            pictures.setdefault(paint["adopted"], paint)
    return list(pictures.values()), count
