"""Every page by keyboard alone: all controls are reached, the focus is seen, nothing holds it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from explorer_page import Explorer
from playwright.sync_api import TimeoutError

ROOT = Path(__file__).parents[2]
MOST = 400  # presses of Tab that go around any page
PAGES = {
    "start": "",
    "eigenfunctions": "eigenfunctions?data=half_moons&n=300&p=50",
    "labels": "labels?data=half_moons&n=300&p=50",
    "stop": "regression?story=stop",
    "slopes": "regression?story=slopes",
    "exact": "regression?story=exact",
    "manifold": "regression?story=roll-values&n=500",
}
SCRIPT = """
window.deep = () => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
};
window.nameOf = (node) => node === document.body || !node ? "" :
  node.matches("main") ? "the page" : node.getAttribute("aria-label")
  || node.labels?.[0]?.innerText || node.innerText?.trim() || node.title || node.tagName;
// How an element and what it is in look: what must differ where the focus is.
window.look = (node) => {
  const looks = [];
  for (let at = node, i = 0; at && i < 5; i++) {
    for (const part of [null, "::before", "::after"]) {
      const s = getComputedStyle(at, part);
      const outline = s.outlineStyle === "none" ? "" : s.outline;
      looks.push([outline, s.boxShadow, s.borderColor, s.backgroundColor, s.color, s.opacity]);
    }
    if (at.parentElement) for (const one of at.parentElement.children) {
      const s = getComputedStyle(one);
      looks.push([s.boxShadow, s.borderColor, s.backgroundColor, s.stroke]);
    }
    for (const one of at.querySelectorAll?.("circle, rect") ?? [])
      looks.push([getComputedStyle(one).stroke]);
    at = at.parentElement ?? at.getRootNode().host;
  }
  return JSON.stringify(looks);
};
"""
VISIT = """() => {
  const node = deep();
  const before = window.last, was = window.lastLook;
  const name = nameOf(node);
  const unseen = before && before.isConnected && before !== document.body && look(before) === was;
  window.last = node;
  window.lastLook = node && node !== document.body ? look(node) : "";
  window.first ??= node;
  return [name, unseen ? nameOf(before) + " " + before.outerHTML.slice(0, 140) : "",
          node === window.first, node === document.body];
}"""


@pytest.fixture(scope="module")
def explorer(browser, app):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(SCRIPT)
    explorer = Explorer(page, app(ROOT / "app.py").partition("/?")[0])
    page.set_default_timeout(60_000)
    yield explorer
    context.close()


def visit(explorer: Explorer, name: str) -> None:
    page = explorer.page
    page.goto(f"{explorer.root}/{PAGES[name]}")
    page.locator(".panel:visible, svg.chart:visible").first.wait_for()
    explorer.rest()
    page.wait_for_timeout(300)


def name_of_focus(explorer: Explorer) -> str:
    return explorer.page.evaluate("nameOf(deep())")


def reach(explorer: Explorer, name: str, key: str = "Tab"):
    """Press Tab until the focus is on the control of that name."""
    passed = []
    for _ in range(MOST):
        explorer.page.keyboard.press(key)
        passed.append(name_of_focus(explorer))
        if passed[-1].partition("\n")[0] == name or name in passed[-1].split("\n"):
            return
    raise AssertionError(f"{name!r} is not reached, only {sorted(set(passed))}")


@pytest.mark.parametrize("place", PAGES)
def test_tab_goes_around_and_the_focus_is_seen(explorer, place):
    visit(explorer, place)
    page = explorer.page
    names, unseen = [], []
    for press in range(MOST):
        page.keyboard.press("Tab")
        page.wait_for_timeout(20)
        name, faint, again, outside = page.evaluate(VISIT)
        unseen += [faint] if faint else []
        if press and (again or outside):
            break
        names.append(name)
    else:
        raise AssertionError(f"the focus does not come around: {names[-5:]}")
    assert unseen == []
    assert len(names) > 15
    assert "" not in names
    page.keyboard.press("Shift+Tab")
    assert name_of_focus(explorer) in (names[-1], "")
    if place in ("eigenfunctions", "labels"):
        every_knob_moves(explorer)


def every_knob_moves(explorer: Explorer) -> None:
    page = explorer.page
    knobs = [
        slider.get_attribute("aria-label") for slider in page.locator("input.slide:visible").all()
    ]
    assert len(knobs) >= 5
    moved = set()
    for _ in range(MOST):
        page.keyboard.press("Tab")
        name = name_of_focus(explorer)
        slider = page.evaluate("deep().matches('input.slide')")
        if not slider or name in moved:
            continue
        before = page.evaluate("deep().value")
        key = "ArrowRight" if page.evaluate("+deep().value < +deep().max - .01") else "ArrowLeft"
        page.keyboard.press(key)
        assert page.evaluate("deep().value") != before, name
        moved.add(name)
        if moved == set(knobs):
            break
    assert moved == set(knobs)
    explorer.rest().fine()


def test_a_story_is_read_and_its_steps_are_done(explorer):
    page = explorer.page
    page.goto(f"{explorer.root}/labels?story=circles&n=300&p=60")
    page.locator(".panel").first.wait_for()
    explorer.rest()
    reach(explorer, "Four labels colour four circles")
    page.keyboard.press("Enter")
    page.get_by_text("Look for:").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("Look for:").wait_for(state="detached")
    reach(explorer, "Remove a label")
    page.keyboard.press("Enter")
    page.wait_for_function("Object.values(__lapviz.stages)[0].labels.length === 3")


def test_a_point_is_labelled_and_the_label_removed(explorer):
    visit(explorer, "labels")
    page = explorer.page
    count = len(explorer.labels)
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate("deep().matches('.plots')"):
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert abs(len(explorer.labels) - count) == 1
    page.keyboard.press("Enter")
    explorer.rest()
    assert len(explorer.labels) == count
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    explorer.rest()
    assert len(explorer.labels) == count


def test_a_panel_is_enlarged_the_stage_presented_and_all_is_back(explorer):
    visit(explorer, "labels")
    page = explorer.page
    reach(explorer, "Enlarge Kernel Laplacian")
    page.keyboard.press("Enter")
    assert explorer.stage("s.enlarged") == 1
    page.keyboard.press("Escape")
    assert explorer.stage("s.enlarged") is None
    reach(explorer, "Present: large type")
    page.keyboard.press("Enter")
    page.wait_for_function("Object.values(__lapviz.stages)[0].display.present.on")
    page.keyboard.press("Tab")
    assert page.evaluate("Boolean(deep().closest('.stage'))"), "the focus stays in sight"
    page.keyboard.press("Escape")
    page.wait_for_function("!Object.values(__lapviz.stages)[0].display.present.on")
    a_focus_that_is_not_seen_is_noticed(explorer.rest())


def a_focus_that_is_not_seen_is_noticed(explorer: Explorer) -> None:
    page = explorer.page
    page.evaluate(
        """() => {
          const root = Object.values(__lapviz.stages)[0].board.root.getRootNode();
          const style = document.createElement("style");
          style.textContent = ".tool { outline: none !important; }";
          root.append(style);
        }"""
    )
    reach(explorer, "Zoom in (+)")
    page.evaluate(VISIT)
    page.keyboard.press("Tab")
    assert "Zoom in" in page.evaluate(VISIT)[1]


def test_a_menu_is_opened_and_chosen_from(explorer):
    visit(explorer, "labels")
    page = explorer.page
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if "Kernel" in name_of_focus(explorer) and page.evaluate("deep().role === 'combobox'"):
            break
    option = page.locator("[role=listbox] [role=option]").first
    for _ in range(5):  # a menu that Streamlit has just replaced may miss the key
        page.keyboard.press("ArrowDown")
        with contextlib.suppress(TimeoutError):
            option.wait_for(timeout=2000)
            break
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    explorer.until_not("kernel", None)
    assert explorer.settings.space.kernel != "gaussian"


def test_another_topic_and_a_handle_moved(explorer):
    visit(explorer, "stop")
    page = explorer.page
    reach(explorer, "Stop early")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.locator(".handle").first.wait_for()
    explorer.rest()
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(deep().closest('.handle'))"):
            break
    before = page.evaluate("deep().getAttribute('aria-valuetext')")
    page.keyboard.press("ArrowUp")
    moved = "(before) => deep().getAttribute('aria-valuetext') !== before"
    page.wait_for_function(moved, arg=before)  # drawn with the next frame
    explorer.rest().fine()
