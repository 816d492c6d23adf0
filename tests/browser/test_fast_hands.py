"""The last change holds in control, URL, stage and numbers, however fast the changes come."""

import random
import time

import pytest
from explorer_page import Explorer

from benchmarks.streamlit_server import serve
from lapviz.explorer.settings.records import Settings

PATIENCE = 60  # seconds for Python to catch up with the last event
STAGE = {"Reach σ": "sigma", "Detail p": "p", "Stability μ": "mu"}
SIDEBAR = {"Samples n": "n", "Noise": "noise"}
KNOBS = STAGE | SIDEBAR
LAMBDA = "Smoothness λ"
KEYS = KNOBS | {LAMBDA: "lam"}
TYPED = {"sigma": ("0.2", "0.35", ".5", "3e-1"), "p": ("40", "55", "80"), "n": ("250", "300"),
         "mu": ("1e-3", "0", "0.01"), "noise": ("0", "0.07", "0.1")}  # fmt: skip
MENUS = {"Kernel": ("Gaussian", "Exponential (Matérn 1/2)", "Matérn 3/2"),
         "Landmarks": ("Stratified", "k-means++")}  # fmt: skip
START = {"data": "half_moons", "n": 300, "p": 50, "sigma": 0.3, "mu": 0.001, "noise": 0.05}
GAPS = (20, 33, 50, 100)  # milliseconds
LONGER = pytest.param(True, marks=pytest.mark.long)
# A busy browser may still have events in its queue when Playwright continues.
EVENTS_DONE = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"


class FastUser:
    """A fast user of a page, with the last value of every setting that was changed."""

    def __init__(self, explorer: Explorer, seed: object):
        self.explorer, self.page, self.rng = explorer, explorer.page, random.Random(seed)
        self.latest: dict[str, object] = {}
        self.actions: list[str] = []
        explorer.ask("window.theStage = s, 0")

    def pause(self) -> None:
        self.page.wait_for_timeout(self.rng.choice(GAPS))

    def value(self, name: str) -> float:
        text = self.explorer.slider(name).get_attribute("aria-valuetext")
        return float(text.removeprefix("λ = ").replace(",", ""))

    def record(self, action: str, name: str) -> None:
        self.page.evaluate(EVENTS_DONE)
        self.latest[KEYS[name]] = self.value(name)
        self.actions.append(f"{action} {name}: {self.latest[KEYS[name]]}")

    def hold(self, name: str, times: int = 10) -> None:
        key = self.rng.choice(("ArrowLeft", "ArrowRight"))
        self.explorer.slider(name).focus()
        for _ in range(times):
            self.page.keyboard.press(key)
            self.pause()
        self.record("hold", name)

    def drag(self, name: str, times: int = 2) -> None:
        slider = self.explorer.slider(name)
        slider.evaluate("(node) => node.scrollIntoView({ block: 'nearest' })")
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        for _ in range(times):
            share = slider.evaluate("s => (s.value - s.min) / (s.max - s.min)")
            x = box["x"] + 9 + (box["width"] - 18) * share
            end = min(max(x + self.rng.randint(-30, 30), box["x"]), box["x"] + box["width"])
            self.explorer.stroke((x, y), (end, y), steps=3)
        self.record("drag", name)

    def type(self, name: str) -> None:
        field = self.explorer.field(name)
        field.fill(self.rng.choice(TYPED[KNOBS[name]]))
        field.press("Enter")
        self.record("type", name)

    def choose(self, name: str) -> None:
        option = self.rng.choice(MENUS[name])
        self.explorer.choose(name, option)
        self.latest[name] = option
        self.actions.append(f"choose {name}: {option}")

    def until_it_holds(self) -> Settings:
        """Wait until control, URL and stage have the latest values and all others are unchanged."""
        end = time.monotonic() + PATIENCE
        while True:
            self.explorer.settle()
            settings = self.explorer.fine().settings
            try:
                self.check(settings)
            except AssertionError as error:
                if time.monotonic() > end:
                    error.add_note(f"after {self.actions[-8:]}")
                    raise
                self.page.wait_for_timeout(100)
            else:
                return settings

    def check(self, settings: Settings) -> None:
        assert self.explorer.ask("window.theStage === s"), "another stage than at the start"
        expected = {key: value for key, value in START.items() if key != "data"} | self.latest
        shown = {key: self.value(name) for name, key in KNOBS.items()}
        for key in KNOBS.values():
            assert shown[key] == pytest.approx(expected[key], rel=1e-3, abs=1e-12), key
            assert settings.get(key) == pytest.approx(expected[key], rel=3e-3, abs=1e-12), key
        specs = self.explorer.ask("s.specs.map((k) => [k.name, k.value])")
        for key, value in specs:
            assert value == pytest.approx(expected[key], rel=3e-3, abs=1e-12), f"stage's {key}"
        for name in MENUS.keys() & self.latest.keys():
            option, box = self.latest[name], self.explorer.combobox(name)
            assert option in box.get_attribute("aria-label") or box.input_value() == option
        if "lam" in self.latest:
            assert settings.estimate.lam == pytest.approx(self.latest["lam"], rel=6e-3)
            assert self.explorer.ask("s.lam") == pytest.approx(self.latest["lam"], rel=6e-3)


def test_a_button_holds_though_another_control_interrupts_its_run(explorer):
    """A button of the guide, and in the same moment “Ask the truth”."""
    explorer.open("labels", story="next-label")
    marked = explorer.ask("s.scene.marked")
    explorer.page.locator(".st-key-ask-truth button").first.wait_for()
    explorer.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("button")];
          all.find((b) => b.innerText.includes("Leave the story")).click();
          document.querySelector(".st-key-ask-truth button").click();
        }"""
    )
    explorer.until("story", None).until_not("labels", None)
    assert marked in {label.index for label in explorer.settings.labels.chosen}
    explorer.agree()


def test_undos_just_before_another_page_opens_hold(explorer):
    """Quick labels and undos, the last of which Python may not have answered."""
    page = explorer.open("labels", data="half_moons", n=10_000).page
    explorer.push("From data", "radio").until("lam", "auto")
    start = explorer.ask("s.labels.length")
    box = page.locator(".plot").first.bounding_box()
    for k in range(6):
        x, y = 0.3 + 0.06 * k, 0.4 + 0.03 * k
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.wait_for_timeout(30)
    explorer.wait(f"s.labels.length === {start + 6}")
    explorer.settle()
    page.locator(".plots").focus()
    for _ in range(4):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(25)
    for name in ("Eigenfunctions", "Labels"):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**/{name.lower()}?**")
    explorer.settle()
    assert explorer.ask("[s.labels.length, s.scene.labels.length]") == [start + 2] * 2
    assert len(explorer.settings.labels.chosen) == start + 2


ACTIONS = ("hold", "drag", "type")


@pytest.mark.parametrize("longer", [False, LONGER])
@pytest.mark.parametrize("place", ["labels", "eigenfunctions"])
def test_the_last_change_holds(explorer, place, longer):
    """Every action with some of the knobs, five sliders in a row, then random actions."""
    explorer.open(place, **START)
    user = FastUser(explorer, place)
    pairs = [(action, name) for action in ACTIONS for name in KNOBS]
    for action, name in pairs if longer else pairs[place == "labels" :: 7]:
        getattr(user, action)(name)
        user.until_it_holds()
    for name in ("Reach σ", "Samples n", "Detail p", "Noise", "Reach σ"):
        user.hold(name, 6)
    user.until_it_holds()
    actions = [*pairs, *(("choose", name) for name in MENUS)]
    if place == "labels":
        actions += [("hold", LAMBDA, 4)] * 3
    for _ in range(60 if longer else 1):
        for _ in range(user.rng.randint(2, 6)):
            action, *args = user.rng.choice(actions)
            getattr(user, action)(*args)
            user.pause()
        user.until_it_holds()
    if place == "labels":
        explorer.agree()


def test_a_server_that_was_restarted_answers(new_page):
    """The new session has no fragment for the stage's messages before it runs the full page."""
    with serve() as address:
        tab = Explorer(new_page(), address).open("labels", **START, more=1)
    lost = tab.page.get_by_role("dialog", name="Connection error")
    lost.wait_for()
    with serve(port=int(address.rpartition(":")[2])):
        lost.wait_for(state="detached")
        tab.slider("Reach σ").press("ArrowRight")
        shows = f"!location.search.includes('sigma={START['sigma']}&')"
        tab.page.wait_for_function(shows, timeout=1000 * PATIENCE)
        tab.settle()
        assert float(tab.query["sigma"]) > START["sigma"]
