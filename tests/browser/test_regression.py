"""The page Regression: paths scrubbed, points and slopes dragged, topics, links.

Its stories and their sizes: test_stories.py.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from lapviz.explorer.pages.regression.view import regression_view
from lapviz.explorer.settings.fields import from_query
from lapviz.explorer.settings.specs import TOPICS
from lapviz.explorer.settings.texts import read_handles
from lapviz.explorer.stories import presets

PATIENCE = 30  # seconds
MAIN = "Array.from(s.curves.find((c) => c.role === 'main').values)"
LISTEN = """(() => { window.sent = 0; const f = s.channel.send;
  s.channel.send = (...a) => { window.sent += 1; f(...a); }; })()"""
COLOUR = "s.root.style.getPropertyValue('--c0')"


def settings_of(explorer):
    query = explorer.query
    story = query.get("story")
    base = presets.for_story(story) if story else presets.for_data(query["data"])
    return from_query(query, base)[0]


def shows(explorer, wanted, atol: float = 2e-3) -> None:
    np.testing.assert_allclose(explorer.ask(MAIN), wanted, atol=atol)


def until(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def sent(explorer) -> int:
    """How many messages the stage has sent to Python since LISTEN."""
    return explorer.page.evaluate("window.sent")


def knob(explorer, name: str):
    return explorer.page.get_by_role("slider", name=name, exact=True)


def drag(explorer, name: str, dx: float, dy: float, drop: bool = True) -> None:
    handle, mouse = knob(explorer, name), explorer.page.mouse
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    for k in range(1, 6):
        mouse.move(x + dx * k / 5, y + dy * k / 5)
    if drop:
        mouse.up()


def handles_after(explorer, said: str | None):
    """The points in the link, once it says something else."""
    explorer.until_not("points", said)
    return read_handles(explorer.query["points"])


def test_the_path_is_scrubbed_without_python_and_rules_set_the_place(explorer):
    page = explorer.open("regression", story="stop").page
    explorer.ask(LISTEN)
    view = regression_view(presets.for_story("stop"))
    path = view.scene.shown
    slider = page.get_by_role("slider", name="Position on the path, m")
    words = page.locator("output.readout").first
    before, told = explorer.ask(MAIN), words.inner_text()
    # A hand that has not let go: input events alone.
    slider.evaluate(
        "(e) => { e.value = 12; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    explorer.wait("s.head.textContent.startsWith('m = 12 ')")
    shows(explorer, path.curves[12])
    assert np.abs(np.subtract(explorer.ask(MAIN), before)).max() > 0.01
    assert words.inner_text() != told
    assert f"error {path.series[1].values[12]:.3g}" in words.inner_text()
    page.wait_for_timeout(300)
    assert sent(explorer) == 0
    assert "m" not in explorer.query
    slider.evaluate("(e) => e.dispatchEvent(new Event('change', {bubbles: true}))")
    explorer.until("m", "12")
    assert sent(explorer) == 1
    explorer.reload()
    shows(explorer, path.curves[12])

    held = next(mark.step for mark in path.marks if mark.title == "Hold-out")
    page.get_by_role("button", name=f"Hold-out: {held}").click()
    explorer.until("m", None)  # where the story begins
    assert settings_of(explorer).regression.step == held
    page.get_by_role("combobox", name="Regularisation").select_option("ridge")
    explorer.until("along", "ridge")
    ridge = next(path for path in view.scene.paths if path.name == "ridge")
    best = ridge.marks[-1].step
    assert settings_of(explorer).regression.step == best
    shows(explorer, ridge.curves[best])
    chart = page.locator(".along svg.chart").first.bounding_box()
    page.mouse.click(chart["x"] + chart["width"] - 20, chart["y"] + chart["height"] / 2)
    explorer.until_not("m", str(best))
    page.locator("input.steps").press("ArrowLeft")
    assert explorer.rest().ask("s.exact")

    light = explorer.ask(COLOUR)
    page.emulate_media(color_scheme="dark")  # reaches curves and legend without a reload
    explorer.wait(f"{COLOUR} !== {light!r}")


def test_values_slopes_and_inputs_are_dragged_and_python_agrees(explorer):
    page = explorer.open("regression", story="slopes").page
    explorer.ask(LISTEN)
    before = explorer.ask(MAIN)
    drag(explorer, "Point 2", 0, -40, drop=False)
    page.wait_for_timeout(200)
    local = explorer.ask(MAIN)
    assert np.abs(np.subtract(local, before)).max() > 0.2
    assert sent(explorer) == 0, "a value that moves needs no Python"
    page.mouse.up()
    handles = handles_after(explorer, None)
    assert handles[1].value > 1.1
    assert handles[1].x == 0.3, "straight up keeps the input"
    shows(explorer, local)
    assert regression_view(settings_of(explorer)).scene.handles == handles
    said = explorer.query["points"]
    drag(explorer, "Slope of point 3", 0, -60)
    turned = handles_after(explorer, said)
    assert turned[2].slope > handles[2].slope + 1
    assert turned[2].value == handles[2].value
    curve = explorer.ask(MAIN)
    shows(explorer.reload(), curve, 1e-5)

    explorer.ask(LISTEN)
    said = explorer.query["points"]
    drag(explorer, "Point 4", 60, 0, drop=False)
    page.wait_for_function("window.sent > 0")  # an input that moves is answered by Python
    page.mouse.up()
    handles = handles_after(explorer, said)
    assert handles[3].x > 0.78
    matrix = regression_view(settings_of(explorer)).scene.responses[0].matrix
    shows(explorer, matrix @ [*(h.value for h in handles), *(h.slope or 0.0 for h in handles)])


def test_points_by_keyboard_alone(explorer):
    page = explorer.open("regression", story="slopes").page

    def press(*keys: str):
        said = explorer.query.get("points")
        for key in keys:
            page.keyboard.press(key)
        return handles_after(explorer, said)

    knob(explorer, "Point 1").focus()
    assert press("ArrowUp")[0].value > 0.2
    assert press("ArrowRight")[0].x == pytest.approx(0.09)
    assert press("Shift+Tab", "ArrowUp")[0].slope > 4
    knob(explorer, "Point 5").focus()
    assert len(press("Delete")) == 4
    said = explorer.query["points"]
    page.get_by_role("button", name="Add a point").click()
    assert len(handles_after(explorer, said)) == 5
    said = explorer.query["points"]
    page.get_by_role("button", name="Give a slope").click()
    assert handles_after(explorer, said)[-1].slope is not None


def test_every_topic_by_its_button(explorer):
    """What they show and refuse: tests/explorer/pages/test_regression.py."""
    page = explorer.open("regression", data="waves").page
    for name, title in TOPICS.items():  # which may choose other data, whose topic it is
        page.get_by_role("radio", name=title).click()
        until(lambda name=name: settings_of(explorer.rest()).regression.topic == name)
        explorer.fine()


def test_a_finger_moves_a_point(visitor):
    tab = visitor(viewport={"width": 390, "height": 844}, has_touch=True)
    tab.open("regression", story="slopes")
    box = knob(tab, "Point 2").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.touch([(x, y), (x, y - 15), (x, y - 30)])
    handles = handles_after(tab, None)
    assert 1.1 < handles[1].value < 2
    assert tab.ask("s.point.textContent").startswith("Point 2: x = 0.3 ")
