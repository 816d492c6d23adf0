"""Every story on a laptop, a projector, a tablet and a phone, in light and in dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer import presets, tries
from lapviz.explorer.picture_settings import TRIES

ROOT = Path(__file__).parents[2]
SIZES = {
    "laptop": (1280, 720),
    "projector": (1920, 1080),
    "tablet": (820, 1180),
    "phone": (390, 844),
}
PAIRS = (("laptop", "projector"), ("phone", "tablet"))  # seen after each other, without a reload
LEAST = 12  # pixels of the smallest letters
SLOW = {"moons"}  # 100 000 points
STORIES = [
    pytest.param(story, id=story.name, marks=[pytest.mark.slow] if story.name in SLOW else [])
    for story in presets.STORIES
]
# Every element that is seen and has text of its own: its text, size of letters, and place.
TEXTS = """() => {
  const found = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
      if (!own || !node.checkVisibility({ visibilityProperty: true })) continue;
      const { width, height } = node.getBoundingClientRect();
      if (width < 2 || height < 2) continue; // said to screen readers only
      if (node.matches("tspan")) continue; // an index in a Plotly figure
      const size = parseFloat(getComputedStyle(node).fontSize);
      found.push([node.textContent.trim().slice(0, 40), size]);
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return found;
}"""
# Elements of the page that end outside the window's width, though nothing there scrolls sideways.
OUTSIDE = """() => {
  const found = [];
  const scrolls = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) {
        if (at.matches('[data-testid="stMain"], .stApp, body, html')) return false;
        return true;
      }
    return false;
  };
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const { left, right, width, height } = node.getBoundingClientRect();
      if (!width || !height || !node.checkVisibility({ visibilityProperty: true })) continue;
      if ((right > innerWidth + 1 || left < -1) && !scrolls(node.parentElement))
        found.push(node.outerHTML.slice(0, 120));
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return found;
}"""


@pytest.fixture(scope="module")
def tab(browser, app):
    context = browser.new_context()
    explorer = Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    explorer.page.set_default_timeout(60_000)
    yield explorer
    context.close()


def resize(explorer: Explorer, size: str) -> None:
    width, height = SIZES[size]
    explorer.page.set_viewport_size({"width": width, "height": height})


def paint(explorer: Explorer, theme: str) -> None:
    """Light or dark from here on, without a reload."""
    explorer.page.emulate_media(color_scheme=theme)
    explorer.page.wait_for_function(
        """(dark) => Object.values(window.__lapviz?.stages ?? {})
          .every((s) => (s.board.theme ?? s.theme ?? { dark }).dark === dark)""",
        arg=theme == "dark",
    )


@pytest.mark.parametrize("story", STORIES)
def test_a_story_fits(tab, story):
    """Opened at one pair's size; light and dark alternate, so that each size sees both."""
    index, page = presets.STORIES.index(story), tab.page
    pairs = PAIRS if index // 2 % 2 == 0 else PAIRS[::-1]
    resize(tab, pairs[0][0])
    page.goto(f"{tab.root}/{story.page}?story={story.name}")
    page.locator(".panel:visible, svg.chart:visible").first.wait_for()
    for pair in pairs:
        paint(tab.rest(), ("light", "dark")[(index + PAIRS.index(pair)) % 2])
        for size in pair:
            resize(tab, size)
            tab.rest().page.wait_for_timeout(300)  # the stage looks again where it stands
            fits(tab, story, size)


def fits(explorer: Explorer, story, size: str) -> None:
    page = explorer.page
    assert explorer.errors == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert page.evaluate(OUTSIDE) == []
    assert [text for text in page.evaluate(TEXTS) if text[1] < LEAST - 0.01] == []
    title = page.locator('[data-testid="stPopoverButton"]:visible').first
    assert story.title in title.inner_text()
    under_header(explorer, title)
    under_header(explorer, page.locator("h1"))
    if size in ("laptop", "projector"):
        everything_in_view(explorer, story)
    elif size == "phone" and page.locator("input.lam:visible").count():
        share_a_screen(explorer, page.locator("input.lam"), page.locator(".plot").first)


def under_header(explorer: Explorer, node) -> None:
    header = explorer.page.get_by_test_id("stHeader")
    end = header.evaluate("node => node.getBoundingClientRect().bottom")
    assert node.bounding_box()["y"] >= end, "hidden behind Streamlit's header"


def everything_in_view(explorer: Explorer, story) -> None:
    """What the story asks for, the knobs and the visible panels, without scrolling."""
    page = explorer.page
    height = page.viewport_size["height"]
    steps = TRIES[story.name] if story.page == "data" else tries.of(story.name)
    wanted = [page.get_by_role("button", name=step.text, exact=True) for step in steps]
    wanted += page.locator(".toolbar input:visible, .toolbar button:visible").all()
    wanted += page.locator(".panel:visible .plot, .panel:visible .photo, svg.chart:visible").all()
    assert len(wanted) > len(steps) + 1
    for node in wanted:
        box = node.first.bounding_box()
        assert box, node
        assert box["y"] >= 0
        what = node.first.evaluate("node => node.outerHTML.slice(0, 90)")
        assert box["y"] + box["height"] <= height, what


def share_a_screen(explorer: Explorer, *nodes) -> None:
    boxes = [node.bounding_box() for node in nodes]
    top = min(box["y"] for box in boxes)
    assert max(box["y"] + box["height"] for box in boxes) - top <= SIZES["phone"][1]


def test_the_start_page_fits(tab):
    page = tab.page
    resize(tab, "phone")
    tab.open()
    for size, theme in zip(SIZES, ("light", "dark", "light", "dark"), strict=True):
        paint(tab, theme)
        resize(tab, size)
        tab.rest().page.wait_for_timeout(300)
        assert page.evaluate(OUTSIDE) == []
        assert [text for text in page.evaluate(TEXTS) if text[1] < LEAST - 0.01] == []
        under_header(tab, page.locator("h1"))


def test_the_notes_fit(tab):
    for size, theme in (("laptop", "light"), ("phone", "dark")):
        resize(tab, size)
        if size == "laptop":
            tab.open("notes")
        paint(tab, theme)
        tab.rest().page.wait_for_timeout(300)
        assert tab.page.evaluate(OUTSIDE) == []
        under_header(tab, tab.page.locator("h1"))
