"""The stage in a real page: clicks, keys, undo, zoom, stale answers, what is sent to Python."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect
from stage_page import SCRIPT, Stage


@pytest.fixture
def stage(page, app) -> Stage:
    return Stage(page, app(SCRIPT))


def test_a_click_labels_recolours_and_removes(stage):
    i = stage.lonely()
    place = stage.point(i)
    stage.click(*place, panel=1)
    assert stage.labels[2] == pytest.approx([*place, 10 * i, 0])  # Python's place has more digits
    assert len(stage.labels) == 3
    assert stage.said == f"labelled point {10 * i} as class A; 3 labels"
    stage.settled(1)
    stage.page.get_by_role("radio", name="Label as B").click()
    stage.click(*place)
    assert stage.labels[2][3] == 1
    assert stage.said.startswith("changed")
    stage.click(*place, panel=2)
    assert len(stage.labels) == 2
    assert stage.said == f"removed point {10 * i}; 2 labels"
    stage.settled(3)
    stage.page.get_by_text("labels=2").wait_for()


def test_a_click_in_empty_space_adds_a_label_of_its_own(stage):
    hole = stage.holes()[0]
    stage.click(*hole)
    *place, index, code = stage.labels[-1]
    assert (index, code) == (-1, 0)
    assert place == pytest.approx(hole, abs=0.004)
    stage.settled(1)
    stage.page.get_by_text("labels=3").wait_for()


def test_undo_takes_back_a_free_label_that_python_has_answered(stage):
    """Python keeps six digits of its place: that is the same label, not a new edit."""
    start = stage.labels
    stage.click(*stage.holes()[0])
    stage.settled(1)
    assert stage.ask("s.stack.past.length") == 1
    stage.page.get_by_role("button", name="Undo").click()
    stage.settled(2)
    assert stage.labels == start
    expect(stage.page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.parametrize("key", ["Control+z", "Space", "Delete"])
def test_a_free_label_goes_again_by_keyboard(stage, key):
    start = stage.labels
    stage.plots.focus()
    for step in ("+", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowUp", "Space"):
        stage.page.keyboard.press(step)
    assert stage.labels[-1][2] == -1
    stage.settled(1)
    stage.page.keyboard.press(key)
    assert stage.labels == start
    stage.settled(2)
    assert stage.labels == start


def test_the_picture_follows_a_label_at_once(stage):
    """The local model repaints without Python, which here never hears of it."""
    stage.ask("(s.channel.send = () => {}, 0)")
    before = stage.ask("Array.from(s.panels[1].field.grid)")
    stage.click(*stage.holes()[0])
    after = stage.ask("Array.from(s.panels[1].field.grid)")
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) > 0.05
    assert stage.ask("s.panels[2].node.classList.contains('waiting')")
    assert not stage.ask("s.panels[1].node.classList.contains('waiting')")


def test_undo_redo_and_clear(stage):
    start = stage.labels
    stage.click(*stage.holes()[0])
    added = stage.labels
    stage.plots.press("Control+z")
    assert stage.labels == start
    stage.plots.press("Control+Shift+z")
    assert stage.labels == added
    stage.plots.press("Control+z")
    stage.plots.press("Control+y")
    assert stage.labels == added
    stage.page.get_by_role("button", name="Remove all labels").click()
    assert stage.labels == []
    assert stage.said == "all labels removed"
    stage.page.get_by_role("button", name="Undo").click()
    stage.page.get_by_role("button", name="Undo").click()
    assert stage.labels == start
    expect(stage.page.get_by_role("button", name="Undo")).to_be_disabled()
    stage.settled(stage.ask("s.channel.rev"))
    stage.page.get_by_role("button", name="Redo").click()
    assert stage.labels == added


def test_by_keyboard_alone(stage):
    page = stage.page
    stage.plots.focus()
    page.keyboard.press("ArrowRight")
    first = stage.ask("s.hand.cursor")
    assert first["snapped"]
    assert f"row {first['index'] + 1}" in stage.said
    page.keyboard.press("ArrowRight")
    second = stage.ask("s.hand.cursor")
    assert second["x"] > first["x"]
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert stage.labels[-1] == [second["x"], second["y"], second["index"], 1]
    assert stage.said == f"labelled point {second['index']} as class B; 3 labels"
    page.keyboard.press("Delete")
    assert len(stage.labels) == 2
    page.keyboard.press("Shift+ArrowUp")
    free = stage.ask("s.hand.cursor")
    assert free["index"] == -1
    assert free["y"] > second["y"]
    page.keyboard.press("Space")
    assert stage.labels[-1][2] == -1
    page.keyboard.press("+")
    assert stage.ask("s.view.zoomed")
    page.keyboard.press("0")
    assert not stage.ask("s.view.zoomed")
    page.keyboard.press("Escape")
    assert stage.ask("s.hand.cursor") is None
    stage.settled(stage.ask("s.channel.rev"))


def test_digits_choose_the_class_of_that_name(page, app):
    stage = Stage(page, app(SCRIPT, query={"digits": 1}))
    stage.plots.focus()
    for key in ("3", "0", "9"):
        page.keyboard.press(key)
        assert stage.said == f"Class {key}"
        chosen = page.get_by_role("radio", name="Label as", checked=True)
        expect(chosen).to_have_attribute("title", f"Label as {key} (key {key})")
    assert "0–9: class" in page.locator(".hint").inner_text()


def test_clearing_puts_lambda_and_filter_to_sleep_where_they_are(page, app):
    stage = Stage(page, app(SCRIPT, query={"notes": 1}))
    tools = [page.locator(name) for name in (".lam", ".filter", ".palette", ".plot >> nth=0")]
    before = [tool.bounding_box() for tool in tools]
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Remove all labels").click()
    stage.page.wait_for_function("window.__lapviz.stages.demo.panels[0].panel.note !== ''")
    expect(page.locator(".lam")).to_be_disabled()
    expect(page.locator(".filter")).to_be_disabled()
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
    assert [tool.bounding_box() for tool in tools] == before
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".lam")).to_be_enabled()
    expect(page.locator(".filter")).to_be_enabled()


TOOLS = {"labels": "button.swatch, .set", "lam": ".lams", "filter": ".filter", "zoom": ".zooms"}


@pytest.mark.parametrize("hide", TOOLS)
def test_hidden_tools_are_these_alone(page, app, hide):
    stage = Stage(page, app(SCRIPT, query={"hide": hide}))
    for name, tools in TOOLS.items():
        for tool in page.locator(tools).all():
            assert tool.is_visible() == (name != hide)
    assert page.get_by_role("list", name="Classes").count() == (hide == "labels")  # the legend
    assert [swatch.inner_text() for swatch in page.locator(".swatch").all()] == ["A", "B"]
    before = stage.labels
    stage.click(*stage.holes()[0])
    for key in ("ArrowRight", "Enter", "Control+z"):
        stage.plots.press(key)
    done = stage.ask("s.stack.past.length + s.stack.future.length")
    assert done == (0 if hide == "labels" else 2)
    assert (stage.labels == before) == (hide == "labels")
    hint = page.locator(".hint").inner_text()
    assert ("label" in hint) == (hide != "labels")
    assert ("zoom" in hint) == (hide != "zoom")


WORDS = """(() => {
  const draw = CanvasRenderingContext2D.prototype.fillText;
  window.__words = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
    const [size, place] = [this.measureText(text), this.getTransform()];
    const squeeze = Math.min(1, (most ?? Infinity) / size.width);
    const [left, right] = [-size.actualBoundingBoxLeft, size.actualBoundingBoxRight];
    const ends = [x + squeeze * left, x + squeeze * right].map((u) => place.transformPoint(
      { x: u, y }));
    window.__words.push({ text, ends: ends.map((p) => [p.x, p.y]),
      room: [this.canvas.width, this.canvas.height] });
    return draw.call(this, text, x, y, most);
  };
})()"""


def test_words_on_the_axes_stay_within_the_picture(fresh_page, app):
    page = fresh_page
    page.add_init_script(WORDS)
    for width in (390, 900, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        Stage(page, app(SCRIPT, query={"axes": 1}))
        words = page.evaluate("window.__words")
        assert {"component 1", "component 2"} <= {word["text"] for word in words}
        for word in words:
            assert np.all(np.array(word["ends"]) >= -0.5), word
            assert np.all(np.array(word["ends"]) <= np.array(word["room"]) + 0.5), word


def test_a_stage_ends_with_its_page(stage):
    """However the page goes: no λ keeps sweeping, nothing listens to the store any more."""
    page = stage.page
    page.get_by_role("button", name="Play").click()
    page.evaluate("window.__old = window.__lapviz.stages.demo")
    page.evaluate("document.querySelector('[data-testid=\"stMain\"]').remove()")
    page.wait_for_function("window.__old.gone")
    assert page.evaluate("[window.__old.player.on, 'demo' in window.__lapviz.stages]") == [
        False,
        False,
    ]
    page.evaluate("(window.__old.left(), window.__old.destroy(), 0)")  # once more does no harm


def test_dragging_lambda_repaints_here_and_tells_python_once(stage):
    page = stage.page
    page.evaluate(
        "() => { window.__seen = [];"
        "addEventListener('lapviz:painted', (e) => window.__seen.push(e.detail)); }"
    )
    box = page.locator(".lam").bounding_box()
    y = box["y"] + box["height"] / 2
    start = stage.ask("s.lam")
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.02 * step), y)
    page.mouse.up()
    assert stage.ask("s.lam") > 10 * start
    stage.settled(1)
    seen = page.evaluate("window.__seen")
    drawn = [paint for paint in seen if paint["reason"] == "lam"]
    assert len(drawn) > 3
    assert not any(paint["exact"] for paint in drawn)
    assert stage.ask("s.scene.lam === s.lam && s.scene.rev === 1")


def test_arrow_keys_on_the_slider_walk_in_round_steps(stage):
    slider = stage.page.get_by_role("slider")
    slider.press("ArrowRight")
    assert stage.ask("Math.log10(s.lam)") == pytest.approx(-0.95)
    slider.press("Shift+ArrowLeft")
    assert stage.ask("Math.log10(s.lam)") == pytest.approx(-1.45)
    stage.settled(stage.ask("s.channel.rev"))


def test_filter_and_play(stage):
    page = stage.page
    page.get_by_label("Filter").select_option("heat")
    stage.settled(1)
    assert stage.ask("s.scene.filter") == "heat"
    start = stage.ask("s.lam")
    page.get_by_role("button", name="Play").click()
    stage.until(f"s.lam > {start}")
    page.get_by_role("button", name="Pause").click()
    assert stage.ask("s.lam") > start
    stage.settled(2)


def test_play_steps_for_those_who_want_less_motion(page, app):
    page.emulate_media(reduced_motion="reduce")
    stage = Stage(page, app(SCRIPT))
    page.get_by_role("button", name="Play").click()
    assert stage.ask("s.lam") == 0.1
    stage.until("s.lam !== 0.1")
    assert stage.ask("Math.log10(s.lam)") == pytest.approx(-0.5)
    stage.painted()
    shown = np.sort(np.log10(list(stage.seen("lams"))))
    assert shown == pytest.approx([-1, -0.5]), "no value between"


def test_a_late_answer_does_not_undo_what_was_done_since(page, app):
    stage = Stage(page, app(SCRIPT, query={"slow": 1}))
    first, second = stage.holes(2)
    stage.click(*first)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "running")
    stage.click(*second)
    assert len(stage.labels) == 4
    stage.seen("labels")
    stage.settled(2)
    page.get_by_text("labels=4").wait_for()
    assert stage.seen("labels") == {4}
    assert len(stage.labels) == 4


def test_zoom_pan_and_undo_survive_reruns(stage):
    page = stage.page
    x, y = stage.spot(0.3, 0.3)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -240)
    page.keyboard.up("Control")
    stage.until("s.view.zoomed && !s.board.moving && !s.board.pending")
    zoomed = stage.ask("s.view.range")
    assert zoomed[1] - zoomed[0] < 0.95
    there = stage.ask(
        "s.view.toPlane(...s.view.toPixel(0.3, 0.3, s.board.place.box), s.board.place.box)"
    )
    assert there == pytest.approx([0.3, 0.3])
    assert stage.spot(0.3, 0.3) == pytest.approx((x, y), abs=1)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    panned = stage.ask("s.view.range")
    assert panned[0] < zoomed[0]
    assert len(stage.labels) == 2  # a drag is no click
    stage.click(0.35, 0.35)
    stage.settled(1)
    runs = int(page.get_by_text("run ").inner_text().removeprefix("run "))
    page.get_by_role("button", name="again").click()
    page.get_by_text(f"run {runs + 1}").wait_for()
    stage.painted()
    assert stage.ask("s.view.range") == pytest.approx(panned)
    assert stage.ask("s.stack.past.length") == 1
    x, y = stage.spot(0.35, 0.45)
    page.mouse.dblclick(x, y)
    stage.until("!s.view.zoomed")
    assert stage.ask("s.view.range") == [0, 1, 0, 1]
    assert len(stage.labels) == 3  # nor are two


def test_the_wheel_alone_scrolls_the_page(stage):
    stage.page.mouse.move(*stage.spot(0.5, 0.5))
    stage.page.mouse.wheel(0, 200)
    expect(stage.page.locator(".flash")).to_contain_text("wheel zooms")
    assert not stage.ask("s.view.zoomed")


def test_hover_reads_off_every_panel_and_stays_inside(stage):
    page = stage.page
    i = stage.lonely()
    page.mouse.move(*stage.spot(*stage.point(i), panel=2))
    tip = page.locator(".tip:visible")
    expect(tip).to_have_count(1)
    assert tip.count() == 1
    assert f"row {10 * i + 1}, true class" in tip.inner_text()
    for corner in ((0.002, 0.002), (0.998, 0.002), (0.998, 0.998), (0.002, 0.998)):
        page.mouse.move(*stage.spot(*corner, panel=1))
        there = "Math.hypot(s.hand.target?.x - {}, s.hand.target?.y - {}) < 0.1".format(*corner)
        stage.until(f"{there} && !s.board.pending")
        inner, outer = tip.bounding_box(), page.locator(".plot").nth(1).bounding_box()
        assert inner["x"] >= outer["x"]
        assert inner["y"] >= outer["y"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    page.mouse.move(5, 5)
    expect(tip).to_have_count(0)


def test_without_labels_the_stage_invites_to_set_some(page, app):
    stage = Stage(page, app(SCRIPT, query={"empty": 1}))
    assert stage.labels == []
    expect(page.get_by_role("button", name="Remove all labels")).to_be_disabled()
    stage.click(0.5, 0.5)
    assert len(stage.labels) == 1
    stage.settled(1)


def test_a_circle_is_round_and_everything_fits_a_phone(browser, app):
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        device_scale_factor=3,
        has_touch=True,
        is_mobile=True,
    )
    stage = Stage(context.new_page(), app(SCRIPT))
    page = stage.page
    box = stage.ask("s.board.place.box")
    assert box["w"] == box["h"]
    plots = [page.locator(".plot").nth(i).bounding_box() for i in range(3)]
    assert [round(plot["x"] / 390) for plot in plots] == [0, 1, 2], "swiped, one at a time"
    assert plots[0]["x"] >= 0
    assert plots[0]["x"] + plots[0]["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    hint = page.locator(".hint")
    assert "tap: label" in hint.inner_text()
    assert hint.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    for tool in page.locator(".tool:visible, .swatch:visible, .lam:visible, .filter:visible").all():
        tool.scroll_into_view_if_needed()  # some stand in a row that scrolls sideways
        frame = tool.bounding_box()
        assert min(frame["width"], frame["height"]) >= 40
        assert frame["x"] >= 0
        assert frame["x"] + frame["width"] <= 390
    assert stage.ask("s.panels[0].base.width") == 3 * round(plots[0]["width"])
    page.touchscreen.tap(*stage.spot(*stage.holes()[0]))
    stage.until("s.labels.length > 2")
    assert len(stage.labels) == 3
    context.close()


def test_the_theme_is_followed_without_reload(stage):
    page = stage.page
    assert stage.ask("s.board.theme.dark") is False
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("window.__lapviz.stages.demo.board.theme.dark")
    assert page.locator(".stage").get_attribute("data-theme") == "dark"


def test_what_cannot_be_read_becomes_a_sentence(stage):
    for blob in ("new Uint8Array(3)", "null", "new Uint8Array(64).fill(255)"):
        stage.ask(f"(s.receive({{ data: {blob}, setStateValue: s.channel.send }}), 0)")
        assert "could not be drawn" in stage.page.get_by_role("alert").first.inner_text()
    place = stage.page.locator(".plot").first.bounding_box()
    stage.page.mouse.move(*stage.spot(0.5, 0.5))
    stage.painted()
    assert stage.page.locator(".plot").first.bounding_box() == place  # no jump under the pointer
    assert "could not be drawn" in stage.page.get_by_role("alert").first.inner_text()
    stage.click(*stage.holes()[0])
    assert len(stage.labels) == 3
    stage.settled(1)
    expect(stage.page.locator(".message")).to_be_empty()  # Python's next answer takes it away
