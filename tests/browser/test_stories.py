"""Every story: its contents, and that it fits every size of window, in light and dark."""

import io

import numpy as np
import pytest
from explorer_page import Explorer
from PIL import Image

from lapviz.explorer.pages.picture.settings import STEPS
from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.stories import presets, steps

LAMBDA = "Smoothness λ"
SIZES = {
    "laptop": (1280, 720),
    "projector": (1920, 1080),
    "tablet": (820, 1180),
    "phone": (390, 844),
}
# True if stages and page have not moved since the last call.
STILL = """() => {
  const roots = Object.values(window.__lapviz?.stages ?? {}).map((s) => s.board?.root ?? s.root);
  const nodes = roots.flatMap((root) => [root, ...root.querySelectorAll("*")]);
  nodes.push(...document.querySelectorAll("h1, [data-testid=stMainBlockContainer]"));
  const boxes = JSON.stringify(nodes.map((node) => node.getBoundingClientRect()));
  const same = window.__boxes === boxes;
  window.__boxes = boxes;
  return same;
}"""
LEAST = 12  # pixels of the smallest letters
# Their sentences are tested in tests/explorer/stories; their layout is that of other stories.
SIMILAR = {"noisy-circles", "gaussians", "sphere", "square", "rotation", "ornstein", "landmarks",
           "unlabelled", "exact", "hermite", "methods", "sources", "invariances"}  # fmt: skip
STORIES = [
    pytest.param(story, id=story.name, marks=[pytest.mark.long] if story.name in SIMILAR else [])
    for story in presets.STORIES
]
EXPECTED = {  # text on the page of each story
    "spread": "100.0 %",
    "circles": "100.0 %",
    "noisy-circles": "100.0 %",
    "moons": "100,000 points",
    "hermite": "20,000 points",
    "digits": "1,797 points",
    "sources": "10 labels",
    "candidates": "60 labels",
    "next-label": "Ask the truth",
    "gaussians": "300 points",
    "sphere": "10,000 points",
    "roll": "4,000 points",
    "square": "10,000 points",
    "stop": "200 known values",
    "unlabelled": "50 known values",
    "slopes": "10 test functions",
    "exact": "200 points",
    "roll-values": "2,000 points",
    "methods": "GAL23, eq. 21",
    "landmarks": "2,000 points",
    "rotation": "5,000 points",
    "ornstein": "20,000 points",
    "invariances": "1,797 points",
    "single-points": "live on 3 points or fewer",
    "neural": "2,000 points",
    "flower": "273,280 pixels",
}
CURVES = "s.curves.map((c) => [c.role, Array.from(c.values)])"
# Among visible elements: letters that are too small, and elements that end outside the window's
# width though nothing there scrolls sideways.
FAULTS = """(least) => {
  const small = [], outside = [];
  const scrolls = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX))
        return !at.matches('[data-testid="stMain"], .stApp, body, html');
    return false;
  };
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const { left, right, width, height } = node.getBoundingClientRect();
      if (!width || !height || !node.checkVisibility({ visibilityProperty: true })) continue;
      if ((right > innerWidth + 1 || left < -1) && !scrolls(node.parentElement))
        outside.push(node.outerHTML.slice(0, 120));
      const hasText = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
      if (!hasText || width < 2 || height < 2) continue;
      if (node.matches("tspan")) continue; // an index in Plotly
      if (parseFloat(getComputedStyle(node).fontSize) < least - 0.01)
        small.push(node.textContent.trim().slice(0, 40));
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return { small, outside, wide: document.documentElement.scrollWidth > innerWidth };
}"""
PLACE = """(node) => { const { top, bottom } = node.getBoundingClientRect();
  return [top, bottom, node.outerHTML.slice(0, 90)]; }"""
# Whether the page's own method is in view, and the sidebar's button is not over it.
SEEN = """(() => {
  const box = (node) => node.getBoundingClientRect(), plot = box(s.panels[s.scene.first].plot);
  const button = box(document.querySelector("[data-testid=stExpandSidebarButton]"));
  const apart = button.bottom <= plot.top
    || button.top >= box(document.querySelector("[data-testid=stMain]")).bottom - 1;
  return apart && plot.left >= 0 && plot.right <= innerWidth + 1;
})()"""
SENTENCE = ".st-key-guide-sentence"
NEXT_STEP = ".st-key-guide-list button:has(strong)"
NO_FAULTS = {"small": [], "outside": [], "wide": False}


def resize(explorer, size: str) -> None:
    width, height = SIZES[size]
    explorer.page.set_viewport_size({"width": width, "height": height})


@pytest.mark.parametrize("story", STORIES)
def test_a_story_opens_and_fits(explorer, story):
    """Each at one size in light and at another in dark; together in all sizes and themes."""
    index, page = presets.STORIES.index(story), explorer.page
    large, small = ("laptop", "projector")[index % 2], ("phone", "tablet")[index // 2 % 2]
    light, dark = ("light", "dark")[:: 1 if index // 4 % 2 else -1]
    resize(explorer, large)
    explorer.set_theme(light)
    page.goto(f"{explorer.root}/{story.page}?story={story.name}")
    page.locator(".panel:visible, svg.chart:visible").first.wait_for()
    page.get_by_text(EXPECTED[story.name]).first.wait_for(state="attached")
    check_contents(explorer.settle(), story)
    for size, theme in ((large, light), (small, dark)):
        explorer.set_theme(theme)
        resize(explorer, size)
        wait_until_still(explorer)
        check_layout(explorer, story, size)


def wait_until_still(explorer: Explorer) -> None:
    """Wait until the stage has measured its place and nothing moves any more."""
    explorer.settle().page.wait_for_function(STILL, polling=120)


def check_contents(explorer: Explorer, story) -> None:
    if story.page == "data":  # test_picture.py
        return
    settings = explorer.settings
    assert settings == presets.for_story(story.name)
    if story.page != "regression":
        scores = int(settings.get("ask") != "off")  # a panel of scores
        panels = 3 + scores if story.page == "labels" else 16
        assert explorer.ask("s.panels.length") == panels
        return
    view = regression_view(settings)
    if story.name == "roll-values":
        assert explorer.ask("s.panels.length") == 4
    elif view.scene.paths:
        shown = next(v for role, v in explorer.ask(CURVES) if role == "main")
        np.testing.assert_allclose(shown, view.scene.shown.curves[view.scene.step], atol=2e-3)
    text = explorer.text
    for row in view.tables[0].rows:
        assert row[0] in text


def check_layout(explorer: Explorer, story, size: str) -> None:
    page = explorer.page
    assert explorer.errors == []
    assert page.evaluate(FAULTS, LEAST) == NO_FAULTS
    title = page.locator("h1")
    assert story.title in title.inner_text()
    assert_below_header(explorer, title)
    if size in ("laptop", "projector"):
        assert_all_in_view(explorer, story)
    elif size == "phone" and page.locator("input.lam:visible").count():  # λ beside a picture
        boxes = [
            node.bounding_box() for node in (page.locator("input.lam"), page.locator(".plot").first)
        ]
        top = min(box["y"] for box in boxes)
        assert max(box["y"] + box["height"] for box in boxes) - top <= SIZES["phone"][1]
    if size == "phone":
        assert_sentence_and_step_in_view(page)
        assert story.page != "labels" or explorer.ask(SEEN)
        if story.name == "circles":
            assert explorer.ask("s.scene.panels[s.scene.first].title") == "Kernel Laplacian"


def assert_sentence_and_step_in_view(page) -> None:
    """At the bottom of the window without scrolling, below the top of the picture."""
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    sentence, step = (page.locator(s).first.bounding_box() for s in (SENTENCE, NEXT_STEP))
    assert sentence["y"] > 400
    assert sentence["y"] + sentence["height"] <= step["y"] + 16
    assert step["y"] + step["height"] <= SIZES["phone"][1] - 52  # above the sheet's button


def assert_below_header(explorer: Explorer, node) -> None:
    header = explorer.page.get_by_test_id("stHeader")
    end = header.evaluate("node => node.getBoundingClientRect().bottom")
    assert node.bounding_box()["y"] >= end, "hidden behind Streamlit's header"


def assert_all_in_view(explorer: Explorer, story) -> None:
    """The steps of the story, the knobs and the visible panels, without scrolling."""
    page = explorer.page
    height = page.viewport_size["height"]
    story_steps = STEPS[story.name] if story.page == "data" else steps.STEPS[story.name]
    buttons = [page.get_by_role("button", name=step.text).first for step in story_steps]
    rest = page.locator(
        ":is(.toolbar input, .toolbar button, .panel .plot, .panel .photo, svg.chart):visible"
    )
    nodes = [button.evaluate(PLACE) for button in buttons]
    nodes += rest.evaluate_all(f"(nodes) => nodes.map({PLACE})")
    assert len(nodes) > len(story_steps) + 1
    for top, bottom, html in nodes:
        assert 0 <= top < bottom <= height, html


def sentence_of(explorer: Explorer) -> str:
    return explorer.settle().page.locator(SENTENCE).inner_text()


def test_every_sentence_of_a_story_agrees_with_the_screen(explorer):
    """Steps, undone one by one, another draw, λ changed by hand, and the way back."""
    page = explorer.open("labels", story="spread").page
    states = steps.walk(presets.for_story("spread"), steps.STEPS["spread"])

    def check(at: int, draw: int = 0) -> None:
        settings = explorer.settle().settings
        place = steps.place_of(settings)
        assert (place.at, place.changed, settings.data.random_state) == (at, (), draw)
        before = None if place.before is None else labels_view(place.before).numbers
        expected = place.sentence(labels_view(settings).numbers, before)
        assert expected.holds
        page.locator(SENTENCE, has_text=expected.text).wait_for()

    check(0)
    for button, key, value, at, draw in (
        ("Early: time 0.1", "lam", "0.1", 1, 0),
        ("Later: time 1", "lam", "1", 2, 0),
        ("Another draw", "seed", "1", 2, 1),
        ("Back", "lam", "0.1", 1, 1),
    ):
        explorer.push(button, exact=button == "Back").until(key, value)
        check(at, draw)
    explorer.press(LAMBDA, "PageUp").until_not("lam", "0.1")
    assert "Not as in the story any more" in sentence_of(explorer)
    explorer.push("Start again").until("lam", None)
    check(0)
    explorer.push("Next story").until("story", "circles")
    assert "Kernel ridge gives four bumps" in sentence_of(explorer)
    for labels in ("1c1~2c0~3c1", None):  # the second click undoes it, and opens no other step
        explorer.push("Remove a label").until("labels", labels)
    assert "lam" not in explorer.query
    page.get_by_role("button", name="All stories").click()
    page.get_by_role("heading", name="You know the class").wait_for()
    explorer.settle().page.wait_for_function("[...document.images].every((i) => i.complete)")
    page.go_back()
    page.get_by_role("heading", name="Four labels").wait_for()
    explorer.settle()
    page.get_by_role("button", name="Next story").click()  # on another page
    page.wait_for_url("**/eigenfunctions?story=moons")
    page.get_by_role("heading", name=presets.BY_NAME["moons"].title).wait_for()
    page.go_back()
    page.get_by_role("heading", name=presets.BY_NAME["circles"].title).wait_for()
    page.wait_for_url("**/labels?story=circles")
    explorer.settle().push("Leave the story").until("story", None)
    explorer.until("data", "four_circles").fine()
    assert len(states) == 4


@pytest.mark.parametrize("by", ["keys", "play"])
def test_a_step_is_taken_while_lambda_still_moves(explorer, by):
    explorer.page.emulate_media(reduced_motion="no-preference")
    page = explorer.open("labels", story="spread").fine().page
    slider, step = page.get_by_role("slider", name=LAMBDA), page.locator("[class*=step-spread-1]")
    if by == "keys":
        slider.focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
    else:
        page.get_by_role("button", name="Play").click()
        page.wait_for_timeout(300)
    step.get_by_role("button").click()  # hits it although the sentence above grows with λ
    explorer.until("lam", "0.1")
    page.wait_for_timeout(1000)  # no later message of the move may follow
    explorer.fine()
    assert explorer.settings.estimate.lam == explorer.ask("s.lam") == 0.1
    assert sentence_of(explorer).startswith("The colour is still close to the labels")


def test_a_new_label_leaves_lambda_automatic(explorer):
    explorer.page.emulate_media(reduced_motion="no-preference")
    explorer.open("labels", story="spread", lam="auto")
    _, x, y = explorer.isolated_point()
    explorer.page.mouse.click(*explorer.spot(x, y))
    explorer.until_not("labels", None)
    # λ would run through its useful range, and end as a number
    explorer.page.wait_for_timeout(1500)
    assert explorer.settle().query["lam"] == "auto"


def test_a_step_in_present_mode_leaves_more_closed_and_cuts_off_no_number(explorer):
    """The step changes p, whose slider is behind More, for which there is no room."""
    page = explorer.open("eigenfunctions", story="moons", present="1", n=2000).fine().page
    resize(explorer, "laptop")
    page.keyboard.press("ArrowRight")
    explorer.until("p", "20").fine()
    assert page.get_by_role("group", name="More").count() == 0
    n_cut = "(nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth).length"
    subtitles = page.locator(".panel .subtitle")
    assert subtitles.count() >= 8
    assert subtitles.evaluate_all(n_cut) == 0


def test_a_step_in_present_mode_keeps_its_title_in_view_above_pinned_pictures(explorer):
    page = explorer.open("labels", story="circles", more="1").fine().page
    resize(explorer, "laptop")
    for name in ("Compare: pin", "Present"):
        page.get_by_role("button", name=name).click()
    explorer.until("present", "1")
    for until in (explorer.until_not, explorer.until):  # the second step points at the pictures
        page.keyboard.press("ArrowRight")
        until("lam", None).fine()
    title = page.get_by_text("Four labels colour four circles: Remove a label").last
    assert title.bounding_box()["y"] >= 0


def test_on_a_phone_the_sentence_covers_open_boxes_behind_it(explorer):
    page = explorer.open("labels", story="circles", more="1").fine().page
    page.set_viewport_size({"width": 390, "height": 800})
    on_top = """() => {
      const sentence = document.querySelector(".st-key-guide-sentence");
      const { left, top, width, height } = sentence.getBoundingClientRect();
      return sentence.contains(document.elementFromPoint(left + width / 2, top + height / 4));
    }"""
    page.wait_for_function(on_top, timeout=10_000)


def test_the_start_page_fits(explorer):
    """And its thumbnails have the background of the theme."""
    page = explorer.open().page
    for size, theme in zip(SIZES, ("light", "dark", "light", "dark"), strict=True):
        explorer.set_theme(theme)
        resize(explorer, size)
        wait_until_still(explorer)
        assert page.evaluate(FAULTS, LEAST) == NO_FAULTS
        assert_below_header(explorer, page.locator("h1"))
    for theme in ("dark", "light"):
        explorer.set_theme(theme)
        image = page.locator(".st-key-story-rotation img").screenshot()
        pixels = Image.open(io.BytesIO(image)).convert("L")
        inside = pixels.getpixel((pixels.width // 2, pixels.height // 2))
        assert inside < 40 if theme == "dark" else inside == 255
