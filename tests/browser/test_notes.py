"""The Notes page in Chromium: formulas, links, live stages; the formula lines of other pages.

What a link says, sense or nonsense: tests/explorer/pages/test_notes.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explorer_page import Explorer

from lapviz.explorer.pages.notes.text import Heading, parts
from lapviz.explorer.pages.notes.view import STAGES

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000  # milliseconds
VIEWS = [(390, 844, "dark"), (1280, 720, "light")]
OUTSIDE = """() => [...document.querySelectorAll(
  "[data-testid=stMain] :is(p, li, h1, h2, h3, table, canvas, button, .lv-line)")]
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
    && !node.closest(".katex-display")).map((node) => node.outerHTML.slice(0, 90))"""
SCROLLED = "() => document.documentElement.scrollWidth"


@pytest.fixture
def root(app) -> str:
    return app(ROOT / "app.py").partition("/?")[0]


@pytest.fixture
def tab(page, root):
    explorer = Explorer(page, root)
    page.set_default_timeout(PATIENCE)  # ten stages on one page
    yield explorer
    explorer.fine()


@pytest.fixture(scope="module")
def notes(browser, app):
    """The page, opened once for the tests that change nothing that another one asks for."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    explorer = Explorer(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    explorer.page.set_default_timeout(PATIENCE)
    explorer.open("notes")
    yield explorer
    explorer.fine()
    context.close()


def test_the_page_opens(notes):
    page = notes.fine().page
    assert page.evaluate("Object.keys(window.__lapviz.stages).length") == len(STAGES)
    assert page.locator(".katex").count() > 200
    assert page.locator(".katex-error").count() == 0
    for head in (part for part in parts() if isinstance(part, Heading)):
        assert page.locator(f"[id='{head.anchor}']").count() == 1, head


def test_nothing_is_cut_off_on_a_laptop_and_on_a_phone(notes):
    page = notes.page
    for width, height, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        notes.rest().page.wait_for_timeout(300)  # the stages look again where they stand
        assert page.evaluate(OUTSIDE) == []
        header = page.get_by_test_id("stHeader").evaluate("n => n.getBoundingClientRect().bottom")
        assert page.locator("h1").bounding_box()["y"] >= header
        assert page.evaluate(SCROLLED) <= width


def test_links_lead_to_their_places(notes):
    page = notes.page
    page.get_by_role("link", name="How to add a kernel").first.click()
    page.wait_for_function(
        "() => { const top = document.getElementById('adding-a-kernel')"
        ".getBoundingClientRect().top; return top > -50 && top < innerHeight; }"
    )
    page.get_by_role("link", name="SSL21, eq. 2", exact=True).first.click()
    page.wait_for_function(
        "() => { const top = document.getElementById('ssl21').getBoundingClientRect().top;"
        " return top > -50 && top < innerHeight; }"
    )


def stage_of(page, name: str, code: str):
    """Value of an expression in ``s``, the live stage of that name."""
    return page.evaluate(
        f"() => {{ const s = window.__lapviz.stages['notes-{name}']; return {code}; }}"
    )


def test_lambda_moves_on_a_live_stage(notes):
    """λ on the stage: the picture, the table and the link follow, and are Python's numbers."""
    page = notes.page
    lam = page.get_by_role("slider", name=re.compile("^λ, weight")).first  # of the circles
    assert stage_of(page, "labels", "s.lam") == 1
    for _ in range(6):
        lam.press("ArrowLeft")
    moved = float(f"{stage_of(page, 'labels', 's.lam'):.4g}")
    assert moved < 1
    page.wait_for_function(
        "(moved) => +new URLSearchParams(location.search).get('labels.lam') === moved", arg=moved
    )
    notes.rest()
    shown = STAGES["labels"].view({"lam": moved}).rows
    table = page.get_by_role("table").filter(has_text="Kernel ridge").first
    for method, right, energy in shown:
        row = table.get_by_role("row").filter(has_text=method).inner_text().split()
        assert row[-2:] == [f"{right:.3g}", f"{energy:.3g}"]


def test_a_slider_below_a_stage_moves_it_alone(notes):
    page = notes.page
    others = stage_of(page, "spectrum", "s.channel.tag")
    slider = notes.slider("Test functions p").first
    slider.scroll_into_view_if_needed()
    slider.press("ArrowRight")
    page.wait_for_function("new URLSearchParams(location.search).get('galerkin.p') === '50'")
    notes.rest()
    wanted = STAGES["galerkin"].view({"p": 50}).scene.panels[0].caption
    page.get_by_text(wanted, exact=True).first.wait_for()
    assert stage_of(page, "spectrum", "s.channel.tag") == others


# ---- formula lines --------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "query"), [("labels", {"data": "half_moons", "n": 200, "p": 50}),
                                              ("eigenfunctions", {"n": 200, "p": 50})])  # fmt: skip
def test_a_moving_hand_lights_its_symbol(tab, place, query):
    page = tab.open(place, **query).page
    for term, symbol in (("sigma", "σ"), ("mu", "μ"), ("p", "p")):
        page.evaluate(
            "(term) => window.dispatchEvent(new CustomEvent('lapviz:hand', { detail: { term } }))",
            term,
        )
        lit = page.locator(".lv-formula .lit")
        assert {node.evaluate("n => n.firstChild.textContent") for node in lit.all()} == {symbol}
    page.evaluate(
        "() => window.dispatchEvent(new CustomEvent('lapviz:hand', { detail: { term: null } }))"
    )
    assert page.locator(".lit").count() == 0


@pytest.mark.parametrize(("width", "touch"), [(1280, False), (390, True)])
def test_a_symbol_explains_itself(browser, root, width, touch):
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=touch)
    explorer = Explorer(context.new_page(), root)
    explorer.page.set_default_timeout(PATIENCE)
    page = explorer.open("labels", data="half_moons", n=200, p=50).page
    term = page.locator('.lv-term[data-term="mu"]')
    tip = term.locator(".lv-tip")
    assert not tip.is_visible()
    if touch:
        term.tap()
    else:
        term.hover()
    tip.wait_for(state="visible")
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert "RKHS norm" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    if not touch:
        its_link_opens_by_keyboard(page, term, tip)
    explorer.fine()
    context.close()


def its_link_opens_by_keyboard(page, term, tip):
    page.mouse.move(1275, 800)
    term.evaluate("node => node.blur()")
    term.focus()  # by keyboard
    tip.wait_for(state="visible")
    page.keyboard.press("Tab")  # to its link
    assert page.evaluate("document.activeElement.getAttribute('href')") == "notes#parameters"
    assert tip.is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/notes#parameters")  # the page has it: test_the_page_opens


def test_the_formula_follows_the_controls(tab):
    page = tab.open("labels", data="half_moons", n=200, p=50, term="all").page
    line = page.locator(".lv-formula")
    assert "E" in line.inner_text()
    assert line.locator('[data-term="filter"]').count() == 2
    tab.open("labels", data="half_moons", n=200, p=50)
    assert page.locator(".lv-formula").locator('[data-term="filter"]').count() == 0
