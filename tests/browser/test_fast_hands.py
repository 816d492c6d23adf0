"""The last thing that a hand did is what holds: in widget, URL, stage and numbers alike.

Keys, drags, ticks and typing at gaps of 20 to 100 ms, a minute on each page, with no wait for
Python in between.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from explorer_page import Explorer

ROOT = Path(__file__).parents[2]
SECONDS, PATIENCE = 60, 6
SLIDERS = {"Width σ": "sigma", "Test functions p": "p", "Noise": "noise", "RKHS weight μ": "mu"}
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001, "noise": 0.1}


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    context.close()


class Hands:
    """One visitor in a hurry, who remembers what every control said when it was let go."""

    def __init__(self, explorer: Explorer, seed: int):
        self.explorer, self.page, self.chance = explorer, explorer.page, random.Random(seed)
        self.said: dict[str, float] = {}
        self.did: list[str] = []

    def value(self, name: str) -> float:
        return float(self.explorer.slider(name).get_attribute("aria-valuetext").replace(",", ""))

    def pause(self) -> None:
        self.page.wait_for_timeout(self.chance.choice((20, 33, 50, 100)))  # the gap under test

    def hold(self, name: str) -> None:
        key = self.chance.choice(("ArrowLeft", "ArrowRight"))
        self.explorer.slider(name).focus()
        for _ in range(self.chance.randint(1, 10)):
            self.page.keyboard.press(key)
            self.pause()
        self.let_go(name, key)

    def drag(self, name: str) -> None:
        slider = self.explorer.slider(name)
        slider.scroll_into_view_if_needed()
        for _ in range(2):  # at once: a double drag
            box = slider.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            self.page.mouse.move(x + self.chance.randint(-25, 25), y, steps=3)
            self.page.mouse.up()
            self.pause()
        self.let_go(name, "drag")

    def let_go(self, name: str, how: str) -> None:
        self.said[name] = self.value(name)
        self.did.append(f"{name} {how} -> {self.said[name]:g}")

    def type(self) -> None:
        """An exact number for p, which has a slider too."""
        p = self.chance.randint(20, 80)
        box = self.page.get_by_role("textbox", name="Test functions p")
        box.fill(str(p))
        box.press("Enter")
        self.pause()
        self.said["Test functions p"] = p
        self.did.append(f"typed p = {p}")

    def lam(self) -> None:
        """The stage's own slider, on the page that has it."""
        slider = self.page.locator("input.lam")
        slider.focus()
        for _ in range(self.chance.randint(1, 6)):
            self.page.keyboard.press(self.chance.choice(("ArrowLeft", "ArrowRight")))
            self.pause()
        self.said["λ"] = self.page.evaluate("window.__lapviz.stages['labels-stage'].lam")
        self.did.append(f"λ -> {self.said['λ']:.4g}")

    def compare(self) -> None:
        """What the hands did last holds, once Python has caught up."""
        end = time.monotonic() + PATIENCE
        while True:
            self.explorer.rest()
            try:
                return self.check()
            except AssertionError:
                if time.monotonic() > end:
                    raise

    def check(self) -> None:
        self.explorer.fine()
        story = " | ".join(self.did[-8:])
        settings = self.explorer.settings
        for name, said in self.said.items():
            if name == "λ":
                assert settings.estimate.lam == pytest.approx(said, rel=1e-3), story
                shown = 10 ** float(self.page.locator("input.lam").input_value())
                assert shown == pytest.approx(said, rel=1e-3), story
                continue
            assert self.value(name) == pytest.approx(said, rel=1e-6), f"{name}: {story}"
            held = settings.get(SLIDERS[name])
            assert held == pytest.approx(said, rel=2e-3), f"{name} in the URL: {story}"
        for name, key in SLIDERS.items():  # nothing else moved
            if name not in self.said:
                assert settings.get(key) == START[key], f"{name} moved untouched: {story}"


def hurry(explorer: Explorer, page: str, seed: int) -> Hands:
    explorer.open(page, **START)
    for title in ("Estimate" if page == "labels" else "Regulariser", "Exact numbers"):
        explorer.unfold(title)
    hands = Hands(explorer, seed)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for _ in range(hands.chance.randint(1, 4)):
            others = (hands.type, hands.lam) if page == "labels" else (hands.type,)
            act = hands.chance.choice((hands.hold, hands.hold, hands.drag, *others))
            if act in others:
                act()
            else:
                act(hands.chance.choice(list(SLIDERS)))
        hands.compare()
    assert len(hands.did) > 12
    return hands


def test_a_minute_of_fast_hands_on_labels(explorer):
    hurry(explorer, "labels", 1)
    assert explorer.scores == explorer.scores_of(explorer.settings)


def test_a_minute_of_fast_hands_on_eigenfunctions(explorer):
    hurry(explorer, "eigenfunctions", 2)
