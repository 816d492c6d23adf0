"""The last thing that a hand did holds: in control, URL, stage and numbers, however fast it was."""

from __future__ import annotations

import random
import time

import pytest
from explorer_page import Explorer

from lapviz.explorer.settings.records import Settings

PATIENCE = 60  # seconds for Python to catch up with the last event
STRIP = {"Reach σ": "sigma", "Detail p": "p", "Stability μ": "mu"}
SHEET = {"Samples n": "n", "Noise": "noise"}
KNOBS = STRIP | SHEET
TYPED = {"sigma": ("0.2", "0.35", ".5", "3e-1"), "p": ("40", "55", "80"), "n": ("250", "300"),
         "mu": ("1e-3", "0", "0.01"), "noise": ("0", "0.07", "0.1")}  # fmt: skip
MENUS = {"Kernel": ("Gaussian", "Exponential (Matérn 1/2)", "Matérn 3/2"),
         "Landmarks": ("Stratified", "k-means++")}  # fmt: skip
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001, "noise": 0.05}
GAPS = (20, 33, 50, 100)  # milliseconds
LONGER = pytest.param(True, marks=pytest.mark.long)
# A busy browser may still have events in its queue when the driver goes on.
ALL_EVENTS_IN = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"


class Hands:
    """Fast hands on a page, and what they last said of every setting."""

    def __init__(self, explorer: Explorer, seed: object):
        self.explorer, self.page, self.chance = explorer, explorer.page, random.Random(seed)
        self.said: dict[str, object] = {}
        self.did: list[str] = []
        explorer.ask("window.theStage = s, 0")

    def pause(self) -> None:
        self.page.wait_for_timeout(self.chance.choice(GAPS))

    def value(self, name: str) -> float:
        return float(self.explorer.slider(name).get_attribute("aria-valuetext").replace(",", ""))

    def note(self, act: str, name: str) -> None:
        self.page.evaluate(ALL_EVENTS_IN)
        self.said[KNOBS[name]] = self.value(name)
        self.did.append(f"{act} {name}: {self.said[KNOBS[name]]}")

    def hold(self, name: str, times: int = 10) -> None:
        key = self.chance.choice(("ArrowLeft", "ArrowRight"))
        self.explorer.slider(name).focus()
        for _ in range(times):
            self.page.keyboard.press(key)
            self.pause()
        self.note("hold", name)

    def drag(self, name: str, times: int = 2) -> None:
        slider = self.explorer.slider(name)
        slider.evaluate("(node) => node.scrollIntoView({ block: 'nearest' })")
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        for _ in range(times):
            share = slider.evaluate("s => (s.value - s.min) / (s.max - s.min)")
            x = box["x"] + 9 + (box["width"] - 18) * share
            self.page.mouse.move(x, y)
            self.page.mouse.down()
            to = min(max(x + self.chance.randint(-30, 30), box["x"]), box["x"] + box["width"])
            self.page.mouse.move(to, y, steps=3)
            self.page.mouse.up()
        self.note("drag", name)

    def type(self, name: str) -> None:
        field = self.explorer.field(name)
        field.fill(self.chance.choice(TYPED[KNOBS[name]]))
        field.press("Enter")
        self.note("type", name)

    def play_lambda(self) -> None:
        slider = self.explorer.slider("Smoothness λ")
        slider.focus()
        for _ in range(4):
            self.page.keyboard.press(self.chance.choice(("ArrowLeft", "ArrowRight")))
            self.pause()
        self.page.evaluate(ALL_EVENTS_IN)
        text = slider.get_attribute("aria-valuetext")
        self.said["lam"] = float(text.removeprefix("λ = "))
        self.did.append(f"lambda {text}")

    def choose(self, name: str) -> None:
        option = self.chance.choice(MENUS[name])
        self.explorer.choose(name, option)
        self.said[name] = option
        self.did.append(f"choose {name}: {option}")

    def wild(self, rounds: int, acts: list) -> None:
        """Act at random; after a few acts wait, and check that all of it holds."""
        for _ in range(rounds):
            for _ in range(self.chance.randint(2, 6)):
                act, *args = self.chance.choice(acts)
                getattr(self, act)(*args)
                self.pause()
            self.until_it_holds()

    def until_it_holds(self) -> Settings:
        """Wait until control, URL and stage say what the hand said, and nothing else moved."""
        end = time.monotonic() + PATIENCE
        while True:
            self.explorer.rest()
            settings = self.explorer.fine().settings
            try:
                self.check(settings)
            except AssertionError as error:
                if time.monotonic() > end:
                    error.add_note(f"after {self.did[-8:]}")
                    raise
                self.page.wait_for_timeout(100)
            else:
                return settings

    def check(self, settings: Settings) -> None:
        assert self.explorer.ask("window.theStage === s"), "another stage than at the start"
        wanted = {key: value for key, value in START.items() if key != "data"} | self.said
        shown = {key: self.value(name) for name, key in KNOBS.items()}
        for key in KNOBS.values():
            assert shown[key] == pytest.approx(wanted[key], rel=1e-3, abs=1e-12), key
            assert settings.get(key) == pytest.approx(wanted[key], rel=3e-3, abs=1e-12), key
        specs = self.explorer.ask("s.specs.map((k) => [k.name, k.value])")
        for key, value in specs:
            assert value == pytest.approx(wanted[key], rel=3e-3, abs=1e-12), f"stage's {key}"
        for name in MENUS.keys() & self.said.keys():
            assert self.said[name] in self.explorer.combobox(name).get_attribute("aria-label") or (
                self.explorer.combobox(name).input_value() == self.said[name]
            )
        if "lam" in self.said:
            assert settings.estimate.lam == pytest.approx(self.said["lam"], rel=6e-3)
            assert self.explorer.ask("s.lam") == pytest.approx(self.said["lam"], rel=6e-3)


def test_a_button_holds_though_another_control_cuts_its_run_short(explorer):
    """A button of the guide, and in the same moment “Ask the truth”."""
    explorer.open("labels", story="next-label")
    asked = explorer.ask("s.scene.marked")
    explorer.page.locator(".st-key-ask-truth button").first.wait_for()
    explorer.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("button")];
          all.find((b) => b.innerText.includes("Leave the story")).click();
          document.querySelector(".st-key-ask-truth button").click();
        }"""
    )
    explorer.until("story", None).until_not("labels", None)
    assert asked in {label.index for label in explorer.settings.labels.chosen}
    explorer.agree()


def test_undos_in_the_moment_before_another_page_opens_hold(explorer):
    """Quick labels, and as quick undos, the last of which Python may not have answered."""
    page = explorer.open("labels", data="half_moons", n=10_000).page
    page.get_by_role("radio", name="From data").click()
    explorer.until("lam", "auto")
    start = explorer.ask("s.labels.length")
    box = page.locator(".plot").first.bounding_box()
    for k in range(6):
        x, y = 0.3 + 0.06 * k, 0.4 + 0.03 * k
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.wait_for_timeout(30)
    explorer.wait(f"s.labels.length === {start + 6}")
    explorer.rest()
    page.locator(".plots").focus()
    for _ in range(4):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(25)
    for name in ("Eigenfunctions", "Labels"):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**/{name.lower()}?**")
    explorer.rest()
    assert explorer.ask("[s.labels.length, s.scene.labels.length]") == [start + 2] * 2
    assert len(explorer.settings.labels.chosen) == start + 2


ACTS = ("hold", "drag", "type")


@pytest.mark.parametrize("longer", [False, LONGER])
@pytest.mark.parametrize("place", ["labels", "eigenfunctions"])
def test_the_last_thing_that_a_hand_did_holds(explorer, place, longer):
    """Every act with its share of the knobs, five sliders in a row, then anything."""
    explorer.open(place, **START)
    hands = Hands(explorer, place)
    pairs = [(act, name) for act in ACTS for name in KNOBS]
    for act, name in pairs if longer else pairs[place == "labels" :: 7]:
        getattr(hands, act)(name)
        hands.until_it_holds()
    for name in ("Reach σ", "Samples n", "Detail p", "Noise", "Reach σ"):
        hands.hold(name, 6)
    hands.until_it_holds()
    acts = [*pairs, *(("choose", name) for name in MENUS)]
    if place == "labels":
        acts += [("play_lambda",)] * 3
    hands.wild(60 if longer else 1, acts)  # rounds of two to six acts
    if place == "labels":
        explorer.agree()
