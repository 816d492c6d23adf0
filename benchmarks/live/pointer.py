"""One visitor on a page: dragging λ, clicking labels, changing σ by keys and by dragging."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.cases import Row, verdict
from benchmarks.live.page import (
    CLEAR,
    LABELS,
    LAM,
    PLOT,
    QUIET,
    SIGMA,
    Measured,
    Place,
    delay,
    press_keys,
    settle,
    visit,
)
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets
from lapviz.figures import live_page

DRAG_SECONDS = 2.0
ROUNDS = 5  # drags; clicks and key presses are faster, so there are more
CLICKS = 15
SCRUB_SECONDS, SCRUBS = 4.0, 3  # duration and number of sweeps with the mouse button down
BEAT = 1 / 60  # seconds between two moves of a mouse
SIZE = "n=2000, p=200"


def drag_lam(page, address: str) -> Measured:
    visit(page, address, LABELS)
    return _drag(page, "", lambda: settle(page, LABELS.panels))


def drag_lam_saved(page, address: str) -> Measured:
    scene = labels_view(presets.for_story("circles").change(p=200)).scene
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "live.html"
        file.write_bytes(live_page(scene))
        page.context.set_offline(True)
        page.goto(file.as_uri())
        settle(page, LABELS.panels)
        return _drag(page, " in a saved page", lambda: page.wait_for_timeout(QUIET))


def _drag(page, suffix: str, wait: Callable[[], None]) -> Measured:
    box = page.locator(LAM).first.bounding_box()
    y = box["y"] + box["height"] / 2
    rates, costs = [], []
    for _ in range(ROUNDS):
        position = 0.2
        page.mouse.move(box["x"] + position * box["width"], y)
        page.mouse.down()
        page.evaluate("bench.paints.length = 0")
        start, moves = time.monotonic(), 0
        while time.monotonic() - start < DRAG_SECONDS:
            moves += 1
            # back and forth, a new value every time
            position = 0.2 + 0.6 * abs(1 - (moves / 60) % 2)
            page.mouse.move(box["x"] + position * box["width"], y)
        paints = [p for p in page.evaluate("bench.paints") if p["reason"] == "lam"]
        page.mouse.up()
        wait()
        span = paints[-1]["at"] - paints[0]["at"]
        rates.append(1000 * (len(paints) - 1) / span)
        costs += [p["ms"] for p in paints]
    rate = statistics.median(rates)
    row = Row(f"λ dragged{suffix} for {DRAG_SECONDS:g} s, {LABELS.panels} panels "
              f"({statistics.median(costs):.1f} ms a repaint)", f"{rate:.0f} repaints/s",
              ratio=rate, **verdict(rate, "≥", 30))  # fmt: skip
    return [row], {"repaints_per_second": rates, "ms_per_repaint": costs}


def click_labels(page, address: str) -> Measured:
    visit(page, address, LABELS)
    box = page.locator(PLOT).first.bounding_box()
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
        settle(page, LABELS.panels)
    return [delay(f"label clicked → repainted, {LABELS.panels} panels", waits, "<", 50)], {
        "ms": waits
    }


def press_sigma(place: Place, page, address: str) -> Measured:
    visit(page, address, place)
    waits, values = press_keys(page, place.panels)
    what = f"σ by keyboard → the exact new picture, {place.title}, {place.panels} panels, {SIZE}"
    return [delay(what, waits, "≤", 300)], {"ms": waits, "values": values}


def scrub_sigma(place: Place, page, address: str) -> Measured:
    """Sweep σ on new data each time; exact pictures are those of newly adopted revisions."""
    rates, waits, sizes, received = [], [], [], []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: received.append(len(data))),
    )
    for seed in range(1, SCRUBS + 1):
        visit(page, address, place, f"&seed={seed}")
        pictures, n_bytes = _sweep(page, received, place.sweep)
        rates.append(1000 * (len(pictures) - 1) / (pictures[-1]["at"] - pictures[0]["at"]))
        sizes.append(n_bytes / len(pictures))
        sent = {message["rev"]: message["at"] for message in page.evaluate("bench.sent")}
        waits += [p["at"] - sent[p["adopted"]] for p in pictures if p["adopted"] in sent]
        settle(page)
    rate, wait, size = map(statistics.median, (rates, waits, sizes))
    what = (f"σ scrubbed for {SCRUB_SECONDS:g} s, {place.title}, {place.shown}, {SIZE} "
            f"({wait:.0f} ms from message to picture, worst {max(waits):.0f}; "
            f"{size / 1e3:.0f} kB a picture)")  # fmt: skip
    row = Row(what, f"{rate:.1f} exact/s", ratio=rate, **verdict(rate, "≥", place.rate))
    return [row], {"pictures_per_second": rates, "ms": waits, "bytes_per_picture": sizes}


def _sweep(page, received: list, ends: tuple) -> tuple[list[dict], int]:
    """The first paints of newly adopted revisions while the mouse moves, and bytes received."""
    box = page.locator(SIGMA).first.bounding_box()
    y = box["y"] + box["height"] / 2
    low, high = (box["x"] + share * box["width"] for share in ends)
    page.mouse.move(low, y)
    page.mouse.down()
    settle(page)
    before = page.evaluate("stageOf().scene.rev")
    page.evaluate(CLEAR)
    received.clear()
    start = time.monotonic()
    while (share := (time.monotonic() - start) / SCRUB_SECONDS) < 1:
        page.mouse.move(low + share * (high - low), y)
        time.sleep(BEAT)
    paints = page.evaluate("bench.paints")
    n_bytes = sum(received)
    page.mouse.up()
    pictures: dict[int, dict] = {}
    for paint in paints:
        if paint["adopted"] != before:  # whatever else caused the same frame
            pictures.setdefault(paint["adopted"], paint)
    return list(pictures.values()), n_bytes
