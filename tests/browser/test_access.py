"""Accessibility of every page: no rule of axe-core is violated, and the keyboard alone is enough.

WCAG 2.2, levels A and AA, and best practice, in light and dark.
"""

import contextlib
import re
from pathlib import Path

import axe_playwright_python
import pytest
from explorer_page import Explorer
from playwright.sync_api import TimeoutError

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # those that depend on the theme
RUN = "(runOnly) => axe.run(document, { runOnly, resultTypes: ['violations'] })"
# Elements of Streamlit that an app cannot change: rule, pattern of the element's HTML, reason.
NOT_OURS = (
    ("region", r'<div id="react-aria[^>]* role="listbox"',
     "the open list of a menu: react-aria puts it at the end of the body, outside every landmark"),
    ("presentation-role-conflict", r'<section role="presentation"[^>]*stFileUploaderDropzone',
     "the area for dropped files: Streamlit names it though it is no control; its button is one"),
)  # fmt: skip
MOST_TABS = 400  # more presses of Tab than any page has stops
SMALL = "data=half_moons&n=300&p=50"
PAGES = {  # a link, and whether its tab order is tested, too
    "start": ("?story=spread&lam=20", True),
    "eigenfunctions": (f"eigenfunctions?{SMALL}", False),
    "draw": ("labels?data=drawn", False),  # an empty sheet with the tools of drawing
    "slopes": ("regression?story=slopes", True),
    "stop": ("regression?story=stop", False),
    "lab": ("lab?experiment=sweep", False),
    "notes": ("notes", False),
    "picture": ("data?story=flower", False),
}
READY = {"lab": ".st-key-lab-run", "notes": "h2", "data": "[data-testid=stFileUploader]"}
SCRIPT = """() => {
window.deep = () => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
};
window.nameOf = (node) => node === document.body || !node ? "" :
  node.matches("main") ? "the page" : node.getAttribute("aria-label")
  || node.labels?.[0]?.innerText || node.innerText?.trim() || node.title || node.tagName;
// Styles of an element and its surroundings, which the focus must change.
window.look = (node) => {
  const styles = [];
  for (let at = node, i = 0; at && i < 5; i++) {
    for (const part of [null, "::before", "::after"]) {
      const s = getComputedStyle(at, part);
      const outline = s.outlineStyle === "none" ? "" : s.outline;
      styles.push([outline, s.boxShadow, s.borderColor, s.backgroundColor, s.color, s.opacity]);
    }
    if (at.parentElement) for (const child of at.parentElement.children) {
      const s = getComputedStyle(child);
      styles.push([s.boxShadow, s.borderColor, s.backgroundColor, s.stroke]);
    }
    for (const shape of at.querySelectorAll?.("circle, rect") ?? [])
      styles.push([getComputedStyle(shape).stroke]);
    at = at.parentElement ?? at.getRootNode().host;
  }
  return JSON.stringify(styles);
};
}"""
VISIT = """() => {
  const node = deep();
  const before = window.last, focused = window.lastLook;
  const name = nameOf(node);
  const present = before && before.isConnected && before !== document.body;
  const unseen = present && look(before) === focused;
  window.last = node;
  window.lastLook = node && node !== document.body ? look(node) : "";
  window.first ??= node;
  return [name, unseen ? nameOf(before) + " " + before.outerHTML.slice(0, 140) : "",
          node === window.first, node === document.body];
}"""
WITH_FAULTS = """() => {
  const { root } = Object.values(__lapviz.stages)[0].board;
  root.querySelector(".lam").removeAttribute("aria-label");
  root.querySelector(".lam").removeAttribute("title");
  root.querySelector(".hint").style.opacity = 0.3;
  const style = document.createElement("style");
  style.textContent = ".tool { outline: none !important; }";
  root.getRootNode().append(style);
}"""


def violations(explorer: Explorer) -> list[str]:
    """Violations that axe finds in the current theme and then in the other, a line each."""
    page = explorer.page
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE)
    lines = _run(page, TAGS)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    explorer.set_theme("light" if dark else "dark").settle()
    return lines + [f"in the other theme: {line}" for line in _run(page, COLOUR_RULES)]


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


def visit(explorer: Explorer, link: str, ready: str = ".panel:visible, svg.chart:visible"):
    explorer.page.goto(f"{explorer.root}/{link}")
    explorer.page.locator(ready).first.wait_for()
    explorer.page.evaluate(SCRIPT)
    return explorer.settle().page


def name_of_focus(explorer: Explorer) -> str:
    return explorer.page.evaluate("nameOf(deep())")


def reach(explorer: Explorer, name: str, condition: str = "true") -> list[str]:
    """Press Tab until the focus is on the control of that name; returns all names on the way."""
    names = []
    for _ in range(MOST_TABS):
        explorer.page.keyboard.press("Tab")
        names.append(name_of_focus(explorer))
        if name in names[-1] and explorer.page.evaluate(condition):
            return names
    raise AssertionError(f"{name!r} is not reached, only {sorted(set(names))}")


def check_tab_order(explorer: Explorer) -> list[str]:
    """Tab visits every control once, each has a name, and the focus is visible."""
    page = explorer.page
    names, invisible = [], []
    for press in range(MOST_TABS):
        page.keyboard.press("Tab")
        page.wait_for_timeout(10)
        name, unmarked, is_first, outside = page.evaluate(VISIT)
        invisible += [unmarked] if unmarked else []
        if press and (is_first or outside):
            break
        names.append(name)
    else:
        raise AssertionError(f"the focus does not come around: {names[-5:]}")
    assert invisible == []
    assert len(names) > 15
    assert "" not in names
    page.keyboard.press("Shift+Tab")
    assert name_of_focus(explorer) in (names[-1], "")
    return names


def check_knobs(explorer: Explorer) -> None:
    page = explorer.page
    sliders = page.locator("input.slide:visible").all()
    knobs = {slider.get_attribute("aria-label") for slider in sliders}
    assert len(knobs) >= 4
    moved: set[str] = set()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        name = name_of_focus(explorer)
        if not page.evaluate("deep().matches('input.slide')") or name in moved:
            continue
        before = page.evaluate("deep().value")
        key = "ArrowRight" if page.evaluate("+deep().value < +deep().max - .01") else "ArrowLeft"
        page.keyboard.press(key)
        assert page.evaluate("deep().value") != before, name
        moved.add(name)
        if moved == knobs:
            break
    assert moved == knobs
    explorer.settle().fine()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_violates_no_rule_and_tab_goes_around(explorer, name):
    """With all folds of the page open."""
    link, with_tabs = PAGES[name]
    ready = READY.get(name, ".panel:visible, svg.chart:visible")
    page = visit(explorer, link, ready)
    if with_tabs:
        names = check_tab_order(explorer)
        assert name != "start" or "Smoothness λ" in names[:10]
    page.evaluate("deep().blur?.()")  # closes the tip that the focus has opened
    explorer.unfold_all()
    assert violations(explorer) == []


def test_the_labels_page_violates_no_rule_whatever_is_open(explorer):
    """A story with its menu, all folds, and present mode; its first stop skips to the content."""
    page = visit(explorer, "labels?story=circles")
    assert reach(explorer, "Skip to main content") == ["Skip to main content"]
    page.keyboard.press("Enter")
    assert len(reach(explorer, "Smoothness λ")) < 10
    page.evaluate("deep().blur()")
    explorer.open_sidebar().combobox("Kernel").press("ArrowDown")
    page.get_by_role("option").first.wait_for()
    assert violations(explorer) == []
    page.keyboard.press("Escape")
    explorer.unfold_all()
    assert page.locator("details:not([open])").count() == 0
    assert violations(explorer) == []
    explorer.push("Present: large type").wait("s.display.present.on")
    assert violations(explorer.settle()) == []


def test_beside_a_sidebar_smoothness_is_within_ten_stops_of_the_pages_start(explorer):
    """The sidebar follows the page."""
    visit(explorer, f"labels?{SMALL}")
    assert len(reach(explorer, "Smoothness λ")) <= 10


def test_a_user_table_violates_no_rule(explorer):
    page = visit(explorer, "data", READY["data"])
    assert violations(explorer) == []
    page.get_by_role("button", name="Take the sample").click()
    page.get_by_text("Take away", exact=True).wait_for()
    explorer.settle().unfold_all()
    assert violations(explorer) == []
    explorer.choose("Label column", "year").settle()
    page.get_by_text("“year” is the label, so it is not a feature").wait_for()
    assert violations(explorer) == []
    page.get_by_role("button", name="Another table").click()
    page.get_by_text("Bring a table").wait_for()


def test_the_labels_page_works_by_keyboard_alone(explorer):
    """A story, its steps, a label, a panel enlarged, the stage presented, a menu."""
    page = visit(explorer, "labels?story=circles&n=300&p=60")
    check_tab_order(explorer)
    check_knobs(explorer)
    reach(explorer, "2. Remove a label")
    page.keyboard.press("Enter")
    explorer.wait("s.labels.length === 3")
    explorer.settle()

    reach(explorer, "", "deep().matches('.plots')")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert abs(len(explorer.labels) - 3) == 1
    page.keyboard.press("Enter")
    assert len(explorer.settle().labels) == 3
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    assert len(explorer.settle().labels) == 3

    reach(explorer, "Enlarge Kernel Laplacian")
    page.keyboard.press("Enter")
    assert explorer.ask("s.display.enlarged") == 1
    page.keyboard.press("Escape")
    assert explorer.ask("s.display.enlarged") is None
    reach(explorer, "Present: large type")
    page.keyboard.press("Enter")
    explorer.wait("s.display.present.on")
    page.keyboard.press("Tab")
    assert page.evaluate("Boolean(deep().closest('.stage'))"), "the focus stays in sight"
    page.keyboard.press("Escape")
    explorer.wait("!s.display.present.on")

    reach(explorer.settle().open_sidebar(), "Kernel", "deep().role === 'combobox'")
    option = page.locator("[role=listbox] [role=option]").first
    for _ in range(20):  # a menu that Streamlit has just replaced may miss the key
        page.keyboard.press("ArrowDown")
        with contextlib.suppress(TimeoutError):
            option.wait_for(timeout=500)
            break
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    explorer.until_not("kernel", None)
    assert explorer.settings.space.kernel != "gaussian"
    check_that_faults_are_found(explorer)


def check_that_faults_are_found(explorer: Explorer) -> None:
    """Both by axe and for an invisible focus."""
    page = explorer.page
    page.evaluate(WITH_FAULTS)
    reach(explorer, "Zoom in (+)")
    page.evaluate(VISIT)
    page.keyboard.press("Tab")
    assert "Zoom in" in page.evaluate(VISIT)[1]
    lines = "\n".join(["", *violations(explorer)])
    assert "label:" in lines
    assert "\ncolor-contrast:" in lines
    assert "in the other theme: color-contrast:" in lines
