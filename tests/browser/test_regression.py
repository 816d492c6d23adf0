"""The Regression page in Chromium: paths scrubbed, points and slopes dragged, links.

Its stories and their sizes: test_stories.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from explorer_page import Explorer

from lapviz.explorer.pages.regression.page import regression_view
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.settings.regression_specs import TOPICS, read_handles
from lapviz.explorer.stories import presets

ROOT = Path(__file__).parents[2]
CURVES = "s.curves.map((c) => [c.role, Array.from(c.values)])"


@pytest.fixture
def root(app) -> str:
    return app(ROOT / "app.py").partition("/?")[0]


@pytest.fixture
def explorer(page, root):
    """A tab; after the test no error may stand on the page or in the console."""
    tab = Explorer(page, root)
    yield tab
    tab.fine()


def settings_of(explorer: Explorer):
    query = explorer.query
    story = query.get("story")
    base = presets.for_story(story) if story else presets.for_data(query["data"])
    return from_query(query, base)[0]


def main_curve(explorer: Explorer) -> np.ndarray:
    return np.array(next(v for role, v in explorer.stage(CURVES) if role == "main"))


def listen(explorer: Explorer) -> None:
    """Count what the stage sends to Python."""
    explorer.stage("(() => { window.sent = 0; const f = s.channel.send; "
                   "s.channel.send = (...a) => { window.sent += 1; f(...a); }; })()")  # fmt: skip


def sent(explorer: Explorer) -> int:
    return explorer.page.evaluate("window.sent")


def middle(explorer: Explorer, selector: str) -> tuple[float, float]:
    box = explorer.page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def knob(explorer: Explorer, name: str):
    return explorer.page.get_by_role("slider", name=name, exact=True)


def drag(explorer: Explorer, name: str, dx: float, dy: float, drop: bool = True) -> None:
    handle = knob(explorer, name)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = explorer.page.mouse
    mouse.move(x, y)
    mouse.down()
    for k in range(1, 6):
        mouse.move(x + dx * k / 5, y + dy * k / 5)
    if drop:
        mouse.up()


def test_the_iteration_is_scrubbed_without_python(explorer):
    explorer.open("regression", story="stop")
    listen(explorer)
    path = regression_view(presets.for_story("stop")).scene.shown
    slider = explorer.page.get_by_role("slider", name="Position on the path, m")
    before, words = main_curve(explorer), explorer.page.locator("output.readout").first
    told = words.inner_text()
    # A hand that has not let go: input events alone.
    slider.evaluate(
        "(e) => { e.value = 12; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    explorer.page.wait_for_function("Object.values(window.__lapviz.stages)[0].head.textContent"
                                    ".startsWith('m = 12 ')")  # fmt: skip
    np.testing.assert_allclose(main_curve(explorer), path.curves[12], atol=2e-3)
    assert np.abs(main_curve(explorer) - before).max() > 0.01
    assert words.inner_text() != told
    assert f"error {path.series[1].values[12]:.3g}" in words.inner_text()
    explorer.page.wait_for_timeout(300)
    assert sent(explorer) == 0
    assert "m" not in explorer.query
    slider.evaluate("(e) => e.dispatchEvent(new Event('change', {bubbles: true}))")
    explorer.until("m", "12")
    assert sent(explorer) == 1
    explorer.page.reload()
    explorer.rest()
    np.testing.assert_allclose(main_curve(explorer), path.curves[12], atol=2e-3)


def test_rules_methods_and_the_chart_set_the_place(explorer):
    explorer.open("regression", story="stop")
    view = regression_view(presets.for_story("stop"))
    held = next(mark.step for mark in view.scene.shown.marks if mark.title == "Hold-out")
    explorer.page.get_by_role("button", name=f"Hold-out: {held}").click()
    explorer.until("m", str(held))
    explorer.page.get_by_role("combobox", name="Regularisation").select_option("ridge")
    explorer.until("along", "ridge")
    ridge = next(path for path in view.scene.paths if path.name == "ridge")
    best = ridge.marks[-1].step
    assert settings_of(explorer).regression.step == best
    np.testing.assert_allclose(main_curve(explorer), ridge.curves[best], atol=2e-3)
    chart = explorer.page.locator(".along svg.chart").first.bounding_box()
    explorer.page.mouse.click(chart["x"] + chart["width"] - 20, chart["y"] + chart["height"] / 2)
    explorer.until_not("m", str(best))
    explorer.page.locator("input.steps").press("ArrowLeft")
    explorer.rest()
    assert explorer.stage("s.exact")


def test_values_and_slopes_are_dragged_and_python_agrees(explorer):
    explorer.open("regression", story="slopes")
    listen(explorer)
    before = main_curve(explorer)
    drag(explorer, "Point 2", 0, -40, drop=False)
    explorer.page.wait_for_timeout(200)
    local = main_curve(explorer)
    assert np.abs(local - before).max() > 0.2
    assert sent(explorer) == 0, "a value that moves needs no Python"
    explorer.page.mouse.up()
    explorer.until_not("points", None)
    handles = read_handles(explorer.query["points"])
    assert handles[1].value > 1.1
    assert handles[1].x == 0.3, "straight up keeps the input"
    np.testing.assert_allclose(main_curve(explorer), local, atol=2e-3)
    shown = regression_view(settings_of(explorer))
    assert shown.scene.handles == handles
    said = explorer.query["points"]
    drag(explorer, "Slope of point 3", 0, -60)
    explorer.until_not("points", said)
    turned = read_handles(explorer.query["points"])
    assert turned[2].slope > handles[2].slope + 1
    assert turned[2].value == handles[2].value
    curve = main_curve(explorer)
    explorer.page.reload()
    explorer.rest()
    np.testing.assert_allclose(main_curve(explorer), curve, atol=1e-5)


def test_an_input_that_moves_is_answered_by_python(explorer):
    explorer.open("regression", story="slopes")
    listen(explorer)
    drag(explorer, "Point 4", 60, 0, drop=False)
    explorer.page.wait_for_function("window.sent > 0")
    explorer.page.mouse.up()
    explorer.until_not("points", None)
    handles = read_handles(explorer.query["points"])
    assert handles[3].x > 0.78
    view = regression_view(settings_of(explorer))
    matrix = view.scene.responses[0].matrix
    given = [h.value for h in handles] + [h.slope or 0.0 for h in handles]
    np.testing.assert_allclose(main_curve(explorer), matrix @ given, atol=1e-3)


def test_points_by_keyboard_alone(explorer):
    explorer.open("regression", story="slopes")
    knob(explorer, "Point 1").focus()
    explorer.page.keyboard.press("ArrowUp")
    explorer.until_not("points", None)
    first = read_handles(explorer.query["points"])[0]
    assert first.value > 0.2
    said = explorer.query["points"]
    explorer.page.keyboard.press("ArrowRight")
    explorer.until_not("points", said)
    assert read_handles(explorer.query["points"])[0].x == pytest.approx(0.09)
    explorer.page.keyboard.press("Shift+Tab")
    explorer.page.keyboard.press("ArrowUp")
    said = explorer.query["points"]
    explorer.until_not("points", said)
    assert read_handles(explorer.query["points"])[0].slope > 4
    knob(explorer, "Point 5").focus()
    explorer.page.keyboard.press("Delete")
    explorer.page.get_by_role("slider", name="Point 5", exact=True).wait_for(state="detached")
    explorer.rest()
    explorer.page.get_by_role("button", name="Add a point").click()
    knob(explorer, "Point 5").wait_for()
    explorer.rest()
    assert len(read_handles(explorer.query["points"])) == 5
    explorer.page.get_by_role("button", name="Give a slope").click()
    said = explorer.query["points"]
    explorer.until_not("points", said)
    assert read_handles(explorer.query["points"])[-1].slope is not None


def test_every_topic_by_its_button_and_the_refusal(explorer):
    explorer.open("regression", data="waves")
    for name, title in TOPICS.items():
        explorer.page.get_by_role("radio", name=title).click()
        for _ in range(50):
            explorer.rest()
            if settings_of(explorer).regression.topic == name:
                break
            explorer.page.wait_for_timeout(100)
        assert settings_of(explorer).regression.topic == name
        explorer.fine()
    explorer.open("regression", data="waves", topic="exact", n=2000, sigma=0.2, kernel="gaussian")
    explorer.page.get_by_text("256 MB").first.wait_for()
    (sentence,) = {w for w in explorer.warnings if "exact estimate" in w}
    assert "256 MB" in sentence
    assert "4,000 functions" in explorer.text


def test_two_inputs_are_fields(explorer):
    explorer.open("regression", data="hills", p=30)
    assert explorer.stage("s.panels.map((p) => p.panel.title)") == [
        "Truth", "Exact", "Galerkin, p = 30",
    ]  # fmt: skip


def test_links_to_what_cannot_be_get_a_sentence(explorer):
    explorer.open("regression", data="waves", topic="manifold", points="1,2,3,4", m="x")
    assert len(explorer.warnings) == 3
    explorer.open("regression", data="four_circles")
    assert "There is no data set" in explorer.warnings[0].replace("\u2060", "")


def test_a_finger_moves_a_point(browser, root):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    tab = Explorer(context.new_page(), root).open("regression", story="slopes")
    box = knob(tab, "Point 2").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    client = context.new_cdp_session(tab.page)
    for kind, dy in (("touchStart", 0), ("touchMove", -15), ("touchMove", -30), ("touchEnd", None)):
        points = [] if dy is None else [{"x": x, "y": y + dy}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    tab.until_not("points", None)
    assert 1.1 < read_handles(tab.query["points"])[1].value < 2
    assert tab.stage("s.point.textContent").startswith("Point 2: x = 0.3 ")
    tab.fine()
    context.close()


def test_another_theme_reaches_curves_and_legend_without_a_reload(explorer):
    page = explorer.page
    page.emulate_media(color_scheme="light")
    explorer.open("regression", story="stop")
    colour = "s.root.style.getPropertyValue('--c0')"
    light = explorer.stage(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "([key, before]) => __lapviz.stages[key].root.style.getPropertyValue('--c0') !== before",
        arg=["regression-stage", light],
    )
