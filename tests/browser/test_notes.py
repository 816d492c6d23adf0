"""The page Notes: formulas, links, live stages; the formula lines of other pages.

Valid and invalid links: tests/explorer/pages/test_notes.py.
"""

import re
from urllib.parse import urlsplit

import pytest
from stage_page import Stage as StageOnPage

from lapviz.explorer.pages.notes.settings import STAGES
from lapviz.explorer.pages.notes.text import Stage, sections
from lapviz.explorer.pages.notes.view import draw

OVERHANGING = """() => [...document.querySelectorAll(
  "[data-testid=stMain] :is(p, li, h1, h2, h3, table, canvas, button, .lv-line)")]
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
    && !node.closest(".katex-display")).map((node) => node.outerHTML.slice(0, 90))"""
MOUNTED = "Object.keys(window.__lapviz?.stages ?? {}).length"
IN_VIEW = """(id) => { const box = document.getElementById(id)?.getBoundingClientRect();
  return box && box.top > -50 && box.top < innerHeight; }"""


def test_all_sections_on_a_phone_in_the_dark_theme(explorer):
    width = 390
    explorer.page.set_viewport_size({"width": width, "height": 844})
    explorer.page.emulate_media(color_scheme="dark")
    page = explorer.open("notes").page
    for i, section in enumerate(sections()):
        if i:
            page.locator(".lv-turn a").last.click()
            page.wait_for_function(IN_VIEW, arg=section.head.anchor)
            explorer.settle()
        assert urlsplit(page.url).fragment == (section.head.anchor if i else "")
        stages = [part.name for part in section.parts if isinstance(part, Stage)]
        assert page.evaluate(MOUNTED) == len(stages)
        for anchor in section.anchors:
            assert page.locator(f"[id='{anchor}']").count() == 1
        assert page.locator(".katex-error").count() == 0
        assert page.evaluate(OVERHANGING) == [], section.head
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_contents_stay_and_links_lead_to_their_section(explorer):
    page = explorer.page
    page.goto(f"{explorer.root}/notes#effective-dimension")  # an old address still works
    page.wait_for_function(IN_VIEW, arg="effective-dimension")
    contents = page.locator(".lv-wide")
    contents.get_by_role("link", name="Misprints in the papers").click()
    page.wait_for_function(IN_VIEW, arg="misprints")
    page.locator("[id=small-slips]").scroll_into_view_if_needed()
    header = page.get_by_test_id("stHeader").evaluate("n => n.getBoundingClientRect().bottom")
    assert contents.bounding_box()["y"] >= header
    current = contents.locator("[aria-current]")
    assert current.inner_text() == "Misprints in the papers"
    page.get_by_role("link", name="SSL21, eq. 32", exact=True).click()
    page.wait_for_function(IN_VIEW, arg="ssl21")
    assert current.inner_text() == "References"
    page.go_back()
    page.wait_for_function(IN_VIEW, arg="misprints")

    page.set_viewport_size({"width": 390, "height": 844})
    folded = page.locator(".lv-narrow")
    assert not contents.is_visible()
    folded.locator("summary").click()
    folded.get_by_role("link", name="Rates").click()
    page.wait_for_function(IN_VIEW, arg="rates")
    folded.get_by_role("link", name="Rates").wait_for(state="hidden")


def test_the_stages_are_live(explorer):
    page = explorer.open("notes", topic="estimates").page
    # λ on a stage: picture, table and link follow, with Python's numbers
    lam = page.get_by_role("slider", name=re.compile("^Smoothness λ")).first  # of the circles
    circles = StageOnPage(page, "notes-labels")
    assert circles.ask("s.lam") == 1
    for _ in range(6):
        lam.press("ArrowLeft")
    moved = float(f"{circles.ask('s.lam'):.4g}")
    assert moved < 1
    explorer.until("labels.lam", f"{moved:g}")
    table = page.get_by_role("table").filter(has_text="Kernel ridge").first
    for method, right, energy in draw(STAGES["labels"], {"lam": moved}).rows:
        row = table.get_by_role("row").filter(has_text=method).inner_text().split()
        assert row[-2:] == [f"{right:.3g}", f"{energy:.3g}"]

    # *Back* from another section returns to that of the address
    page.get_by_role("link", name="Rates").first.click()
    page.wait_for_function(IN_VIEW, arg="rates")
    page.go_back()
    table.wait_for()


# ---- formula lines --------------------------------------------------------------------------

SMALL = {"data": "half_moons", "n": 200, "p": 50}
LIGHT_TERM = """(term) =>
  window.dispatchEvent(new CustomEvent('lapviz:hand', { detail: { term } }))"""


def test_a_moved_control_lights_its_symbol_and_the_formula_follows_the_controls(explorer):
    page = explorer.open("labels", **SMALL, term="all").page
    lit, line = page.locator(".lv-formula .lit"), page.locator(".lv-formula")
    for term, symbol in (("sigma", "σ"), ("mu", "μ"), ("p", "p")):
        page.evaluate(LIGHT_TERM, term)
        assert {node.evaluate("n => n.firstChild.textContent") for node in lit.all()} == {symbol}
    page.evaluate(LIGHT_TERM, None)
    assert lit.count() == 0
    assert line.locator('[data-term="filter"]').count() == 2
    explorer.open("labels", **SMALL)
    assert line.locator('[data-term="filter"]').count() == 0


@pytest.mark.parametrize(("width", "touch"), [(1280, False), (390, True)])
def test_a_symbol_explains_itself(visitor, width, touch):
    tab = visitor(viewport={"width": width, "height": 844}, has_touch=touch)
    page = tab.open("labels", **SMALL).open_more().page
    term = page.locator('.lv-term[data-term="mu"]')
    tip = term.locator(".lv-tip")
    assert not tip.is_visible()
    (term.tap if touch else term.hover)()
    tip.wait_for(state="visible")
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert "RKHS norm" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    if touch:
        return
    page.mouse.move(1275, 800)
    term.evaluate("node => node.blur()")
    term.focus()  # by keyboard
    tip.wait_for(state="visible")
    page.keyboard.press("Tab")  # to its link
    focused = "document.activeElement.shadowRoot.activeElement.getAttribute('href')"
    assert page.evaluate(focused) == "notes#parameters"
    assert tip.is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/notes#parameters")
