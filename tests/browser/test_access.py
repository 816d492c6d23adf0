"""No page violates a rule of axe-core: WCAG 2.2, levels A and AA, and best practice."""

from __future__ import annotations

import re
from pathlib import Path

import axe_playwright_python
import pytest
from explorer_page import Explorer

ROOT = Path(__file__).parents[2]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]  # what another theme can change
RUN = "(runOnly) => axe.run(document, { runOnly, resultTypes: ['violations'] })"
WORN = """(wanted) => {
  const { backgroundColor } = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  const dark = backgroundColor.match(/[\\d.]+/g).slice(0, 3).every((part) => part < 100);
  return dark === wanted
    && Object.values(window.__lapviz?.stages ?? {})
      .every((s) => (s.board.theme ?? s.theme ?? { dark }).dark === dark)
    && !document.getAnimations().some((one) => one instanceof CSSTransition
      && one.playState === "running");
}"""
PAGES = {
    "start": "",
    "eigenfunctions": "eigenfunctions?story=square",
    "labels": "labels?story=circles",
    "draw": "labels?data=drawn",  # an empty sheet with the tools of drawing
    "stop": "regression?story=stop",
    "slopes": "regression?story=slopes",
    "exact": "regression?story=exact",
    "manifold": "regression?story=roll-values",
    "lab": "lab?experiment=sweep",
    "data": "data",
    "notes": "notes",
    "picture": "data?story=flower",
}
# What Streamlit draws and an app cannot change: rule, pattern of the element's HTML, reason.
NOT_OURS = (
    ("region", r'<div id="react-aria[^>]* role="listbox"',
     "the open list of a menu: react-aria puts it at the end of the body, outside every landmark"),
    ("presentation-role-conflict", r'<section role="presentation"[^>]*stFileUploaderDropzone',
     "where files are dropped: Streamlit names it though it is no control; its button is one"),
)  # fmt: skip


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    explorer = Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    explorer.page.set_default_timeout(60_000)
    yield explorer
    context.close()


def violations(explorer: Explorer) -> list[str]:
    """What axe complains about, in the theme that is worn and then in the other: a line each."""
    page = explorer.page
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    found = _run(page, TAGS)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if dark else "dark")  # followed without a reload
    page.wait_for_function(WORN, arg=not dark)
    explorer.rest()
    return found + [f"in the other theme: {line}" for line in _run(page, OF_COLOURS)]


def _run(page, only: list[str]) -> list[str]:
    answer = page.evaluate(RUN, only)
    assert "error" not in answer
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for rule in answer["violations"]
        for node in rule["nodes"]
        if not any(
            rule["id"] == name and re.match(html, node["html"]) for name, html, _ in NOT_OURS
        )
    ]


def visit(explorer: Explorer, name: str) -> None:
    explorer.page.goto(f"{explorer.root}/{PAGES[name]}")
    own = {"lab": ".st-key-lab-run", "notes": "h2", "data": "[data-testid=stFileUploader]"}
    drawn = own.get(name, ".panel:visible, svg.chart:visible")
    explorer.page.locator(drawn).first.wait_for()
    explorer.rest()


@pytest.mark.parametrize("name", [name for name in PAGES if name != "labels"])
def test_a_page_violates_no_rule(explorer, name):
    """With every fold open, where a page has folds."""
    visit(explorer, name)
    unfold_all(explorer)
    assert violations(explorer) == []


def unfold_all(explorer: Explorer) -> None:
    for fold in explorer.page.get_by_test_id("stExpander").all():
        if fold.locator("details[open]").count() == 0:
            fold.locator("summary").first.click()
    explorer.rest()


def test_the_labels_page_violates_no_rule_whatever_is_open(explorer):
    """The page as it opens, a story, a menu, all folds, and as it is presented."""
    visit(explorer, "labels")
    page = explorer.page
    assert violations(explorer) == []
    page.get_by_test_id("stPopoverButton").first.click()
    page.get_by_text("Look for:").wait_for()
    assert violations(explorer) == []
    page.keyboard.press("Escape")
    page.get_by_text("Look for:").wait_for(state="detached")
    explorer.combobox("Kernel").press("ArrowDown")
    page.get_by_role("option").first.wait_for()
    assert violations(explorer) == []
    page.keyboard.press("Escape")
    unfold_all(explorer)
    assert page.locator("details:not([open])").count() == 0
    assert violations(explorer) == []
    page.get_by_role("button", name="Present: large type").click()
    page.wait_for_function("Object.values(__lapviz.stages)[0].display.present.on")
    explorer.rest()
    assert violations(explorer) == []
    page.keyboard.press("Escape")
    page.wait_for_function("!Object.values(__lapviz.stages)[0].display.present.on")
    explorer.rest()
    axe_finds_what_is_wrong(explorer)


def axe_finds_what_is_wrong(explorer: Explorer) -> None:
    explorer.page.evaluate(
        """() => {
          const { root } = Object.values(__lapviz.stages)[0].board;
          root.querySelector(".lam").removeAttribute("aria-label");
          root.querySelector(".lam").removeAttribute("title");
          root.querySelector(".hint").style.opacity = 0.3;
        }"""
    )
    found = "\n".join(["", *violations(explorer)])
    assert "label:" in found
    assert "\ncolor-contrast:" in found
    assert "in the other theme: color-contrast:" in found


def test_a_table_of_ones_own_violates_no_rule(explorer):
    visit(explorer, "data")
    page = explorer.page
    page.get_by_role("button", name="Take the sample").click()
    page.get_by_text("Take away", exact=True).wait_for()
    explorer.rest()
    unfold_all(explorer)
    assert violations(explorer) == []
    explorer.choose("Label column", "year").rest()
    page.get_by_text("“year” is the label, and so no feature").wait_for()
    assert violations(explorer) == []
    page.get_by_role("button", name="Another table").click()
    page.get_by_text("Bring a table").wait_for()
