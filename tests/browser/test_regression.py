"""The page Regression: paths scrubbed, points and slopes dragged, topics, links.

Its stories in windows of all sizes: test_stories.py.
"""

import re
import time

import numpy as np
import pytest
from stage_page import centre_of, touch

from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.settings.specs import TOPICS
from lapviz.explorer.stories import presets
from lapviz.figures.curve_scenes import read_handles

PATIENCE = 30  # seconds
MAIN = "Array.from(s.curves.find((c) => c.role === 'main').values)"
LISTEN = """(() => { window.sent = 0; const f = s.channel.send;
  s.channel.send = (...a) => { window.sent += 1; f(...a); }; })()"""
COLOUR = "s.root.style.getPropertyValue('--c0')"


def assert_shown(explorer, curve, atol: float = 2e-3) -> None:
    np.testing.assert_allclose(explorer.ask(MAIN), curve, atol=atol)


def until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def sent(explorer) -> int:
    """Number of messages that the stage has sent to Python since LISTEN."""
    return explorer.page.evaluate("window.sent")


def knob(explorer, name: str):
    return explorer.page.get_by_role("slider", name=name, exact=True)


def drag(explorer, name: str, dx: float, dy: float, drop: bool = True) -> None:
    knob(explorer, name).scroll_into_view_if_needed()
    x, y = centre_of(knob(explorer, name))
    explorer.stroke((x, y), (x + dx, y + dy), steps=5, release=drop)


def handles_after(explorer, before: str | None):
    """The points in the link, once they differ from ``before``."""
    explorer.until_not("points", before)
    return read_handles(explorer.query["points"])


def test_the_path_is_scrubbed_without_python_and_rules_set_the_step(explorer):
    page = explorer.open("regression", story="stop").page
    explorer.ask(LISTEN)
    view = regression_view(presets.for_story("stop"))
    path = view.scene.shown
    slider = page.get_by_role("slider", name="Position on the path, m")
    readout = page.locator("output.readout").first
    before, text = explorer.ask(MAIN), readout.inner_text()
    # During a drag there are only input events.
    slider.evaluate(
        "(e) => { e.value = 12; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    explorer.wait("s.head.textContent.startsWith('m = 12 ')")
    assert_shown(explorer, path.curves[12])
    assert np.abs(np.subtract(explorer.ask(MAIN), before)).max() > 0.01
    assert readout.inner_text() != text
    assert f"error {path.series[1].values[12]:.3g}" in readout.inner_text()
    page.wait_for_timeout(300)
    assert sent(explorer) == 0
    assert "m" not in explorer.query
    slider.evaluate("(e) => e.dispatchEvent(new Event('change', {bubbles: true}))")
    explorer.until("m", "12")
    assert sent(explorer) == 1
    explorer.reload()
    assert_shown(explorer, path.curves[12])

    held_out = next(mark.step for mark in path.marks if mark.title == "Hold-out")
    explorer.push(f"Hold-out: {held_out}").until("m", None)  # the first step of the story
    assert explorer.settings.regression.step == held_out
    page.get_by_role("combobox", name="Regularisation").select_option("ridge")
    explorer.until("along", "ridge")
    ridge = next(path for path in view.scene.paths if path.name == "ridge")
    best = ridge.marks[-1].step
    assert explorer.settings.regression.step == best
    assert_shown(explorer, ridge.curves[best])
    chart = page.locator(".along svg.chart").first.bounding_box()
    page.mouse.click(chart["x"] + chart["width"] - 20, chart["y"] + chart["height"] / 2)
    explorer.until_not("m", str(best))
    page.locator("input.steps").press("ArrowLeft")
    assert explorer.settle().ask("s.exact")

    lines = page.locator(".along .lines .series")
    assert lines.count() == len(ridge.series)
    assert lines.evaluate_all("(lines) => lines.every((line) => line.closest('[clip-path]'))")
    light = explorer.ask(COLOUR)
    page.emulate_media(color_scheme="dark")  # applies to curves and legend without a reload
    explorer.wait(f"{COLOUR} !== {light!r}")


def test_values_slopes_and_inputs_are_dragged_and_python_agrees(explorer):
    page = explorer.open("regression", story="slopes").page
    explorer.ask(LISTEN)
    before = explorer.ask(MAIN)
    drag(explorer, "Point 2", 0, -40, drop=False)
    page.wait_for_timeout(200)
    local = explorer.ask(MAIN)
    assert np.abs(np.subtract(local, before)).max() > 0.2
    assert sent(explorer) == 0, "values are changed without Python"
    page.mouse.up()
    handles = handles_after(explorer, None)
    assert handles[1].value > 1.1
    assert handles[1].x == 0.3, "a vertical drag keeps the input"
    assert_shown(explorer, local)
    assert regression_view(explorer.settings).scene.handles == handles
    before = explorer.query["points"]
    drag(explorer, "Slope of point 3", 0, -60)
    changed = handles_after(explorer, before)
    assert changed[2].slope > handles[2].slope + 1
    assert changed[2].value == handles[2].value
    curve = explorer.ask(MAIN)
    assert_shown(explorer.reload(), curve, 1e-5)

    explorer.ask(LISTEN)
    before = explorer.query["points"]
    drag(explorer, "Point 4", 60, 0, drop=False)
    page.wait_for_function("window.sent > 0")  # Python answers an input that moves
    page.mouse.up()
    handles = handles_after(explorer, before)
    assert handles[3].x > 0.78
    matrix = regression_view(explorer.settings).scene.responses[0].matrix
    observed = [*(h.value for h in handles), *(h.slope or 0.0 for h in handles)]
    assert_shown(explorer, matrix @ observed)


def test_points_by_keyboard_alone(explorer):
    page = explorer.open("regression", story="slopes").page

    def press(*keys: str):
        before = explorer.query.get("points")
        for key in keys:
            page.keyboard.press(key)
        return handles_after(explorer, before)

    knob(explorer, "Point 1").focus()
    assert press("ArrowUp")[0].value > 0.2
    assert press("ArrowRight")[0].x == pytest.approx(0.09)
    assert press("Shift+Tab", "ArrowUp")[0].slope > 4
    before, value = explorer.query["points"], "s.handles[2].value"
    knob(explorer, "Point 3").focus()
    start = explorer.ask(value)
    for _ in range(12):  # held: further presses repeat
        page.keyboard.down("ArrowUp")
    page.keyboard.press("Shift")  # another key ends the edit, too
    page.keyboard.up("ArrowUp")
    assert explorer.ask(value) > start
    for key in ("Control+z", "Control+z"):  # the first press and the others, not twelve edits
        page.keyboard.press(key)
    assert explorer.ask(value) == start
    explorer.settle().until("points", before)
    knob(explorer, "Point 5").focus()
    points = explorer.query["points"]
    assert len(press("Delete")) == 4
    removed = explorer.query["points"]
    for key, query in (("Control+z", points), ("Control+Shift+z", removed)):
        page.keyboard.press(key)
        explorer.until("points", query)
    for topic in ("stop", "slopes"):  # the history outlives the stage
        page.get_by_role("radio", name=TOPICS[topic]).click()
        until(lambda topic=topic: explorer.settle().settings.regression.topic == topic)
    explorer.push("Undo").until("points", points)
    explorer.push("Redo").until("points", removed)
    before = explorer.query["points"]
    page.get_by_role("button", name="Add a point").click()
    assert len(handles_after(explorer, before)) == 5
    without, before = before, explorer.query["points"]
    page.get_by_role("button", name="Give a slope").click()
    assert handles_after(explorer, before)[-1].slope is not None
    sloped = explorer.query["points"]
    for name, queries in (("Undo", (before, without)), ("Redo", (before, sloped))):
        for query in queries:
            explorer.push(name).until("points", query)


def test_every_topic_by_its_button(explorer):
    """Their contents and limits: tests/explorer/pages/test_regression.py."""
    page = explorer.open("regression", data="waves").page
    for name, title in TOPICS.items():  # which may also change the data
        page.get_by_role("radio", name=title).click()
        until(lambda name=name: explorer.settle().settings.regression.topic == name)
        explorer.fine()
        chips = page.locator(".chips:visible button").all_inner_texts()
        assert any("Truth" in text for text in chips) is (name == "stop"), "rules on a path"
        if name == "slopes":  # after a topic whose heading is that of a path
            picture = explorer.ask("s.saver.render('svg', 1280, 720).then((blob) => blob.text())")
            assert explorer.ask("s.point.textContent") in picture
            assert picture.count('stroke-dasharray="6 4"') == 1  # the mark of the plain estimate
            explorer.push("Add a point").until_not("points", None)
            page.get_by_role("button", name="Reset").click()  # stays in its topic
            explorer.until("points", None).settle()
            assert explorer.query["topic"] == "slopes"
            assert explorer.ask("[s.handles.length, s.selected]") == [5, 4]


def test_a_finger_moves_a_point(visitor):
    tab = visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    tab.open("regression", story="slopes")
    x, y = centre_of(knob(tab, "Point 2"))
    touch(tab.page, [(x, y), (x, y - 15), (x, y - 30)])
    handles = handles_after(tab, None)
    assert 1.1 < handles[1].value < 2
    assert tab.ask("s.point.textContent").startswith("Point 2: x = 0.3 ")
    slope = knob(tab, "Slope of point 1").bounding_box()
    touch(tab.page, [(slope["x"] + 12, slope["y"] + 6), (slope["x"] + 13, slope["y"] + 6)])
    tab.settle()
    assert tab.ask("s.rows[0][2]") == handles[0].slope, "a tap beside its centre turns nothing"
    (x, y), before = centre_of(knob(tab, "Point 2")), tab.query["points"]
    touch(tab.page, [(x + 10 * k, y) for k in range(9)])  # far: the page must not scroll instead
    handles_after(tab, before)
    assert centre_of(knob(tab, "Point 2"))[0] == pytest.approx(x + 80, abs=3)


def test_a_point_that_is_held_stays_under_the_pointer_and_is_one_step(explorer):
    """While answers arrive, whose axes are others."""
    page = explorer.open("regression", data="waves", topic="slopes").page
    first = explorer.ask("s.rows")
    x, y = centre_of(knob(explorer, "Point 2"))
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 11):
        page.mouse.move(x + 12 * k, y - 6 * k)
        page.wait_for_timeout(150)  # so that an answer comes between two moves
    held, rows = centre_of(knob(explorer, "Point 2")), explorer.ask("s.rows")
    assert held[1] == pytest.approx(y - 60, abs=2)
    page.mouse.up()
    explorer.settle()
    assert explorer.ask("s.rows") == rows
    explorer.push(re.compile("Undo")).settle()
    assert explorer.ask("s.rows") == first
