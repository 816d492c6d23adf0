"""The page Start, and behaviour across pages: links, stories, visitors, typed numbers."""

import re

import numpy as np

from lapviz.explorer.compute import points
from lapviz.explorer.pages.start.page import HEIGHT
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.settings.fields import GROUPS
from lapviz.explorer.stories import presets

LAMBDA = "Smoothness λ"
SMALL = {"data": "half_moons", "n": 200, "p": 50, "noise": 0.2}
PICTURES = """[...document.querySelectorAll('[data-testid=stImage] img')]
  .every((i) => i.complete && i.naturalWidth > 100)"""


def test_start_asks_answers_and_opens_stories_and_back_is_one_step(explorer):
    """Stories of two pages; all buttons: tests/explorer/pages/test_start.py."""
    explorer.page.emulate_media(reduced_motion="no-preference")
    page = explorer.open().page
    assert explorer.ask("s.panels.length") == 1
    height = f"Math.abs(s.board.place.box.h - Math.max({HEIGHT}, 0.38 * innerHeight)) < 1"
    usual = page.viewport_size
    page.set_viewport_size({"width": 1920, "height": 1080})  # with the question by its picture
    explorer.wait(height)
    right = explorer.ask("s.root.getBoundingClientRect().right")
    assert right + 300 < 1920
    assert page.get_by_role("heading", name="You know").bounding_box()["x"] < right + 40
    page.set_viewport_size(usual)
    explorer.wait(height)
    page.get_by_role("button", name="orange squares").click()
    page.get_by_text("You are right").wait_for()
    assert explorer.settle().ask("s.panels.length") == 2
    row = explorer.ask("s.scene.marked")
    assert points.sample(presets.for_story("spread").data).y[row] == 1
    page.get_by_text("Graph beside").click()
    explorer.until("beside", "1")
    assert explorer.ask("s.panels.length") == 3
    page.get_by_role("button", name="Start again").click()
    page.get_by_text("Guess first").wait_for()
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("The ringed point is one of").wait_for()
    assert page.get_by_test_id("stImage").locator("img").count() == len(presets.STORIES)
    page.wait_for_function(PICTURES)
    for name in ("stop", "circles"):
        story = presets.BY_NAME[name]
        page.locator(f".st-key-story-{name}").click(position={"x": 40, "y": 20})  # its picture
        page.wait_for_url(re.compile(f"/{story.page}\\?story={name}$"))
        page.get_by_role("heading", name=story.title).wait_for()
        explorer.settle().fine()
        assert explorer.settings == presets.for_story(name)
        if name == "circles":
            for _ in range(2):  # these must not be entries of the history
                explorer.does("press", LAMBDA, "ArrowRight", key="lam")
        page.go_back()
        page.get_by_role("heading", name="You know the class").wait_for()
        explorer.settle()


def test_back_leads_to_the_story_that_start_has_too(explorer):
    page, spread = explorer.open().page, presets.for_story("spread")
    for name in ("spread", "noisy-circles"):
        page.locator(f".st-key-story-{name}").click(position={"x": 40, "y": 20})
        page.wait_for_url(re.compile(rf"\?story={name}$"))
        explorer.settle()
        if name == "spread":
            page.get_by_role("button", name="All stories").click()
            page.get_by_role("heading", name="You know the class").wait_for()
            explorer.settle()
    for address in (r"/(\?story=spread)?$", r"/labels\?story=spread$"):
        page.go_back()
        page.wait_for_url(re.compile(address))
        explorer.settle()
    assert explorer.settings == spread
    page.get_by_role("heading", name=presets.BY_NAME["spread"].title).wait_for()


def test_every_new_label_spreads_around_its_circle(visitor):
    """λ runs from an early time to its previous value, whatever is clicked meanwhile."""
    tab = visitor(reduced_motion="no-preference")
    page = tab.open().page
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("The ringed point is one of").wait_for()
    plot = tab.settle().page.locator(".panel:visible .plot").last
    box = plot.bounding_box()
    for x, y in ((0.53, 0.3), (0.7, 0.4)):
        plot.click(position={"x": x * box["width"], "y": y * box["height"]})
        tab.wait("s.player.on && s.lam < 5")
    tab.settle()
    assert tab.ask("s.lam") == presets.for_story("spread").estimate.lam
    assert len(tab.labels) == 6


def test_python_answers_early_times_during_a_drag(explorer):
    """The browser's modes cannot, after an answer from later times."""
    explorer.open("labels", story="spread", n=500)
    explorer.wait("s?.panels[1]?.model")
    explorer.ask("s.setLam(0.001), 0")
    explorer.wait("s.panels[1].waiting")
    explorer.ask("s.setLam(0.002), 0")
    explorer.wait("!s.panels[1].waiting && s.scene.lam === 0.002")
    early = presets.for_story("spread").change(n=500, lam=0.002)
    shown = np.array(explorer.ask("Array.from(s.panels[1].field.points)"))
    np.testing.assert_allclose(shown, labels_view(early).scene.panels[1].points[0], atol=1e-4)
    explorer.ask("s.setLam(0.002, { done: true }), 0")


def test_start_again_while_lambda_plays_discards_its_value(visitor):
    """Python gets early times during play, and that it has ended."""
    tab = visitor(reduced_motion="no-preference").open()
    page = tab.page
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("The ringed point is one of").wait_for()
    tab.settle().ask("s.spread(), 0")
    tab.wait("s.channel.sentMoving")
    page.get_by_role("button", name="Start again").click()
    page.get_by_text("Guess first").wait_for()
    tab.until("lam", None)
    assert tab.settings == presets.for_story("spread")
    assert not tab.ask("s.channel.sentMoving")


GROUPS_SHOWN = {"data": "Data", "labels": "Labels", "kernel": "Kernel", "operator": "Energy",
                "regularisation": "Estimate", "graph": "Graph to compare"}  # fmt: skip


def test_from_page_to_page_settings_and_hidden_groups_stay(explorer):
    def shown() -> set[str]:
        folds = explorer.page.get_by_test_id("stExpander")
        titles = GROUPS_SHOWN.items()
        return {name for name, title in titles if folds.get_by_text(title, exact=True).count()}

    explorer.open("labels", **SMALL, sigma=0.4, seed=3, hide="graph,data")
    assert shown() == GROUPS_SHOWN.keys() - {"data", "graph"}
    explorer.does("press", "Detail p", "ArrowRight", key="p", value="75")
    page, link = explorer.page, explorer.page.get_by_role("link", name="Eigenfunctions")
    page.get_by_role("link", name="Start").focus()
    page.keyboard.press("Tab")
    outline = link.evaluate("(node) => getComputedStyle(node).outline")
    assert "solid 2px" in outline, "the menu's focus is visible"
    link.click()
    page.wait_for_url(re.compile(r"/eigenfunctions\?.*hide="))
    page.wait_for_function("document.title === 'Eigenfunctions · lapviz'")
    expected = {"data": "half_moons", "n": "200", "p": "75", "noise": "0.2", "sigma": "0.4",
                "seed": "3", "hide": "data,graph"}  # fmt: skip
    assert explorer.settle().query == expected
    assert explorer.slider("Samples n").count() == 0
    page.get_by_role("link", name="Labels").click()
    page.wait_for_url(re.compile(r"/labels\?.*seed=3"))
    assert explorer.settle().agree().query == expected
    explorer.open("labels", **SMALL, hide=",".join(GROUPS))
    assert shown() == set()
    assert page.get_by_test_id("stSidebar").count() == 0


def test_a_number_typed_while_another_page_opens_is_not_lost(explorer):
    """The link is followed, and σ typed into the page that is still open."""
    explorer.open("labels", data="half_moons", n=300, p=50, sigma=0.3)
    box = explorer.field("Reach σ")
    box.focus()
    box.evaluate("""(box) => {
      const links = [...document.querySelectorAll("a")];
      links.find((link) => link.innerText.includes("Eigenfunctions")).click();
      box.value = "0.4";
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    }""")
    explorer.page.wait_for_url("**/eigenfunctions**")
    explorer.until("sigma", "0.4")
    assert float(explorer.field("Reach σ").input_value()) == 0.4


def test_an_invalid_number_gets_a_message(explorer):
    explorer.open("labels", **SMALL)
    for name, text, problem in (
        ("Samples n", "0", "must be a whole number from 1 to 100,000"),
        ("Noise", "9", "must be from 0 to 0.5"),
        ("Reach σ", "nan", "is not a valid number"),
        ("Detail p", "1.5", "must be a whole number"),
        ("Stability μ", "1e99", "must be from 0 to 1e24"),
        (LAMBDA, "<b>$x$</b>", "is not a valid number"),
    ):
        before, value = explorer.query, explorer.field(name).input_value()
        explorer.type(name, text)
        explorer.page.locator(".complaint", has_text=problem).wait_for()
        explorer.settle()
        sentence = next(s for s in explorer.complaints_of_knobs if problem in s)
        assert f"“{text}” for {name}" in sentence
        assert sentence.endswith(f"it stays at {value}.")
        assert explorer.field(name).input_value() == value
        assert explorer.query == before
    explorer.type(LAMBDA, "2").until("lam", "2")
    (sentence,) = explorer.complaints_of_knobs  # of the sidebar
    explorer.type("Noise", explorer.field("Noise").input_value())
    assert explorer.complaints_of_knobs == [], "the value is valid, though not a new one"
    explorer.type("Reach σ", " 0,5 ").until("sigma", "0.5")
    explorer.type("Samples n", "1 200").until("n", "1200")
    explorer.type("Noise", " ").page.get_by_text("Noise needs a number; it stays at").wait_for()
    for name in ("Samples n", LAMBDA):
        explorer.type(name, "-1").page.locator(".complaint", has_text=f"for {name}").wait_for()
    explorer.reset("data=half_moons")
    assert explorer.complaints_of_knobs == [], "they do not stay at those values"
