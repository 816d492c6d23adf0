"""Held keys and double drags end where the hand left them: in widget, URL and numbers."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from explorer_page import Explorer

ROOT = Path(__file__).parents[2]
PATIENCE = 8  # seconds for Python to catch up with the last event
SLIDERS = {"Width σ": "sigma", "Test functions p": "p", "RKHS weight μ": "mu"}
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001}
FOLDS = {"labels": "Estimate", "eigenfunctions": "Regulariser"}


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    context.close()


def value(explorer: Explorer, name: str) -> float:
    return float(explorer.slider(name).get_attribute("aria-valuetext").replace(",", ""))


def hold(explorer: Explorer, name: str, chance: random.Random) -> None:
    key = chance.choice(("ArrowLeft", "ArrowRight"))
    explorer.slider(name).focus()
    for _ in range(10):
        explorer.page.keyboard.press(key)
        explorer.page.wait_for_timeout(chance.choice((20, 33, 50, 100)))  # the gap under test


def drag_twice(explorer: Explorer, name: str, chance: random.Random) -> None:
    slider = explorer.slider(name)
    slider.scroll_into_view_if_needed()
    for _ in range(2):
        box = slider.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        explorer.page.mouse.move(x, y)
        explorer.page.mouse.down()
        explorer.page.mouse.move(x + chance.randint(-25, 25), y, steps=3)
        explorer.page.mouse.up()


def until_it_holds(explorer: Explorer, said: dict[str, float]) -> None:
    """Wait until widget and URL say what the hand said, and nothing else has moved."""
    end = time.monotonic() + PATIENCE
    while True:
        explorer.rest()
        settings = explorer.fine().settings
        wanted = {name: said.get(name, START[key]) for name, key in SLIDERS.items()}
        shown = {name: value(explorer, name) for name in SLIDERS}
        held = {name: settings.get(key) for name, key in SLIDERS.items()}
        try:
            assert shown == pytest.approx(wanted, rel=1e-6)
            assert held == pytest.approx(wanted, rel=2e-3)
        except AssertionError:
            if time.monotonic() > end:
                raise
        else:
            return


@pytest.mark.parametrize("page", FOLDS)
@pytest.mark.parametrize("act", [hold, drag_twice])
def test_the_last_thing_that_a_hand_did_holds(explorer, page, act):
    chance = random.Random(f"{page}-{act.__name__}")
    explorer.open(page, **START)
    explorer.unfold(FOLDS[page])
    explorer.unfold("Exact numbers")  # the same settings once more, as texts
    said: dict[str, float] = {}
    for _ in range(2):
        for name in SLIDERS:
            act(explorer, name, chance)
            said[name] = value(explorer, name)
            until_it_holds(explorer, said)
    if page == "labels":
        assert explorer.scores == explorer.scores_of(explorer.settings)


def test_two_sliders_in_a_row_without_a_pause(explorer):
    chance = random.Random(5)
    explorer.open("labels", **START)
    explorer.unfold(FOLDS["labels"])
    said = {}
    for name in ("Width σ", "Test functions p", "Width σ"):
        hold(explorer, name, chance)
        said[name] = value(explorer, name)
    until_it_holds(explorer, said)
