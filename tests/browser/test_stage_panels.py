"""The stage's panels: many, one enlarged, pinned, presented, swiped on a phone, another plane."""

import dataclasses
import re

import numpy as np
import pytest
from stage_page import CANVAS, PHONE, bare, in_view, swipe, until
from stage_scenes import functions, labelled, two_labels

from lapviz.labels import Label
from lapviz.scenes import Panel, Points, Scene

BOXES = """[...document.querySelectorAll('.plots > .panel')]
  .filter((node) => node.offsetHeight)
  .map((node) => { const { x, y, right, bottom } = node.getBoundingClientRect();
                   return [x, y, right, bottom]; })"""
SHOWN = "s.panels.map((p, i) => (p.node.offsetHeight ? i : -1)).filter((i) => i >= 0)"


# ---- panels: many, one, swiped, pinned, presented -----------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (900, 640)])
def test_eight_of_sixteen_fit_the_window_and_a_button_shows_all(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    stage = bare(page, functions())
    boxes, more = np.array(page.evaluate(BOXES)), stage.button("8 more")
    assert (len(boxes), len(set(boxes[:, 1]))) == (8, 2)  # two rows
    bottom = sum(more.bounding_box()[side] for side in ("y", "height"))
    assert bottom <= height
    assert bottom > 0.9 * height or boxes[-1, 2] > 0.9 * width  # uses the room
    more.click()
    stage.settle()
    after = np.array(page.evaluate(BOXES))
    assert len(after) == 16
    np.testing.assert_allclose(after[:8], boxes, atol=1)
    stage.push("The first 8 only").settle()
    assert len(page.evaluate(BOXES)) == 8


def test_a_click_or_a_button_enlarges_a_panel_and_keys_change_it(page, js):
    page.set_viewport_size({"width": 1280, "height": 720})
    stage = bare(page, functions())

    def press(key: str, shown: list[int]) -> None:
        page.keyboard.press(key)
        stage.settle()
        assert stage.ask(SHOWN) == shown, key

    small = page.evaluate(BOXES)[3]
    page.locator(".plot").nth(3).click()
    stage.settle()
    assert stage.ask("s.display.enlarged") == 3
    (large,) = page.evaluate(BOXES)
    assert large[3] - large[1] > 1.9 * (small[3] - small[1])
    assert large[3] <= 720
    press("ArrowRight", [4])
    press("ArrowLeft", [3])
    press("Escape", list(range(8)))
    stage.button("Enlarge e2").focus()
    press("Enter", [2])
    press("ArrowRight", [3])
    page.locator(".plot").nth(3).click()
    stage.settle()
    assert stage.ask("s.display.enlarged") is None
    results = stage.ask("[...[15, 16, -1].map((i) => s.display.enlarge(i)), s.display.enlarged]")
    assert results == [True, False, False, 15]
    for enlarged in (15, None):  # a double click resets the zoom, not what is enlarged
        stage.ask(f"s.display.enlarge({enlarged or 'null'}), s.zoomBy(2)")
        stage.settle()
        x0, y0, x1, y1 = page.evaluate(BOXES)[0]
        page.mouse.dblclick((x0 + x1) / 2 + 30, (y0 + y1) / 2)  # not where the last click was
        stage.wait("!s.view.zoomed")
        assert stage.ask("s.display.enlarged") == enlarged

    stage = bare(page, labelled(js))  # if clicks label, only a button enlarges
    stage.push("Enlarge Kernel Laplacian").settle()
    assert stage.ask(SHOWN) == [1]
    page.locator(".plot").nth(1).click(position={"x": 200, "y": 120})
    assert len(stage.labels) == 4
    assert stage.ask("s.display.enlarged") == 1
    stage.push("Show all panels").settle()
    assert stage.ask(SHOWN) == [0, 1]


def test_a_pinned_picture_stays_beside_the_next(page, js):
    stage = bare(page, dataclasses.replace(labelled(js, lam=0.112), about="σ = 0.3 · p = 40"))
    grids = "s.panels.map((p) => Array.from(p.field.grid))"
    before = stage.ask(grids)
    stage.push("Compare").settle()
    stage.lam(20)
    stage.ask("s.zoomBy(2)")
    stage.settle()
    caption = page.locator(".pincaption").inner_text()
    assert caption == "Pinned: σ = 0.3 · p = 40 · λ = 0.112 · 3 labels"
    picture = stage.ask("s.saver.render('svg', 1280, 720).then((blob) => blob.text())")
    live, pinned = (re.findall(rf">{start}Kernel \w+<", picture) for start in ("", "Pinned: "))
    assert len(live) == len(pinned) == 2
    assert picture.count(f">{caption}<") == 1
    assert re.search(
        r'aria-label="[^"]*Pinned: Kernel ridge, [^"]*: ' + re.escape(caption), picture
    )
    np.testing.assert_array_equal(stage.ask(f"s.display.pins.{grids[2:]}"), before)
    assert not np.allclose(stage.ask(grids), before, atol=1e-3)
    boxes = np.array(page.evaluate(BOXES))
    assert len(boxes) == 4
    assert set(boxes[:2, 0]) == set(boxes[2:, 0])  # below each other, in the same columns
    page.locator(".pinned .plot").first.click(position={"x": 150, "y": 90})
    assert len(stage.labels) == 3, "a pin sets no label"
    stage.push("Enlarge Kernel ridge").settle()
    live, pinned = page.evaluate(BOXES)
    assert live[2] <= pinned[0]  # side by side
    stage.button("Take the pinned picture away").first.click()
    stage.settle()
    assert len(page.evaluate(BOXES)) == 1
    assert page.locator(".pincaption").count() == 0
    stage.ask("s.panels[0].waiting = true, s.display.pins.toggle(), 0")  # before Python's answer
    words = "s.display.pins.panels.map(({ waiting, head }) => [waiting, head.wait.textContent])"
    assert stage.ask(words) == [[True, "outdated"], [False, "outdated"]]
    page.locator(".pinned.waiting .wait").wait_for()
    stage.ask("s.display.pins.toggle(), 0")
    stage.button("Compare").click()
    stage.ask("s.display.pins.panels.splice(0, 1)[0].node.remove()")  # of the enlarged panel
    stage.push("Show all panels").settle()
    assert page.locator(".pincaption").is_visible()
    stage.push("Enlarge Kernel ridge").settle()  # which has no pinned copy any more
    assert not page.locator(".pincaption").is_visible()
    stage.push("Show all panels").push("Enlarge Kernel Laplacian").settle()
    assert page.locator(".pincaption").is_visible()


def test_presenting_fills_the_window_in_large_type(new_page, js):
    page = new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(CANVAS)
    stage = bare(page, labelled(js), title="Four labels")
    stage.open_more().settle()
    page.evaluate("(window.words.length = 0)")
    stage.push("Present").wait("s.display.present.on")
    stage.settle()
    frame = "s.board.root.getBoundingClientRect().toJSON()"
    box, inner = stage.ask(frame), page.evaluate("[innerWidth, innerHeight]")
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, *inner)
    assert page.get_by_text("Four labels").is_visible()
    sizes = page.evaluate(
        "[...document.querySelectorAll('.title, .share, .what, .scale span, .heading, .name')]"
        ".filter((n) => n.checkVisibility() && n.textContent)"
        ".map((n) => parseFloat(getComputedStyle(n).fontSize))"
    )
    assert len(sizes) > 6
    assert min(*sizes, *(word["size"] for word in page.evaluate("window.words"))) >= 20
    stage.ask("s.display.present.leave()")
    stage.settle()
    assert not stage.ask("s.display.present.on || s.board.root.getAttribute('popover')")
    refuse = "Element.prototype.requestFullscreen = () => Promise.reject(Error('no'))"
    page.evaluate(f"void ({refuse})")
    stage.button("Present").click()  # without full screen Escape leaves
    stage.wait("s.display.present.on")
    box = stage.ask(frame)
    assert [box["width"], box["height"]] == page.evaluate("[innerWidth, innerHeight]")
    stage.press("Escape")
    stage.wait("!s.display.present.on")


def test_arrows_are_steps_of_a_story_if_nothing_else_needs_them(page, js):
    steps = "window.sent.flatMap((message) => message.changes.story ?? [])"
    stage = bare(page, labelled(js), story=True)
    stage.plots.focus()
    stage.press("ArrowRight")
    assert stage.ask("s.hand.cursor?.point >= 0")
    stage.press("Escape")
    stage.ask("s.display.present.cover()")
    stage.press("ArrowRight")
    until(page, f"{steps}.join() === '1'")
    for key, sent in (("ArrowLeft", "1,-1"), ("PageDown", "1,-1,1"), ("p", "1,-1,1,-1")):
        stage.press(key)
        waiting = page.evaluate(f"{steps}.join()")
        assert len(waiting) < len(sent), "a step waits for the answer to the previous one"
        stage.ask("s.acknowledge(s.channel.rev)")
        until(page, f"{steps}.join() === '{sent}'")
    stage.press("Shift+ArrowRight")  # sets the cursor, which arrows then move until it is dropped
    stage.press("ArrowRight")
    assert stage.ask("s.hand.cursor")
    stage.press("Escape")
    assert stage.ask("s.display.present.on && !s.hand.cursor")
    page.get_by_role("slider").first.focus()
    before = stage.ask("s.lam")
    stage.press("ArrowRight")
    stage.wait(f"s.lam > {before}")
    assert page.evaluate(f"{steps}.length") == 4
    stage.button("Next step").click()
    stage.ask("s.acknowledge(s.channel.rev)")
    until(page, f"{steps}.join() === '1,-1,1,-1,1'")
    stage.button("End the presentation").first.click()
    assert not stage.ask("s.display.present.on")
    stage = bare(page, labelled(js))  # no story
    stage.ask("s.display.present.cover()")
    stage.press("ArrowRight")
    assert stage.ask("s.hand.cursor?.point >= 0")
    assert page.evaluate(steps) == []


DRAWN = """
window.drawn = [];
const C = CanvasRenderingContext2D.prototype, { drawImage } = C;
C.drawImage = function (image, ...place) {
  if (image.width === 3 && image.height === 4) window.drawn.push([this.canvas.className, ...place]);
  return drawImage.call(this, image, ...place);
};
"""


def test_images_of_some_points_are_in_the_picture_without_overlaps(new_page):
    """Each at its point; a button hides them."""
    page = new_page()
    page.add_init_script(DRAWN)
    xy = np.random.default_rng(0).random((400, 2))
    images = np.random.default_rng(1).integers(0, 256, (400, 4, 3)).astype(np.uint8)
    panel = Panel("Kernel Laplacian", xy[None, :, 0] - 0.5)
    scene = Scene((panel,), Points(xy, np.arange(400), images=images), (0, 1, 0, 1), "images",
                  kind="classes", classes=("a", "b"))  # fmt: skip
    stage = bare(page, scene)
    stage.open_more().settle()
    page.evaluate("window.drawn.length = 0")
    stage.ask("s.board.schedule('view', 'base')")
    stage.settle()
    stage.wait("window.drawn.length > 0")
    drawn = page.evaluate("window.drawn")
    assert {name for name, *_ in drawn} == {"base"}
    corners, sizes = np.array([place[1:3] for place in drawn]), np.array([d[3:] for d in drawn])
    gaps = np.abs(corners[:, None] - corners[None])
    assert (np.any(gaps >= sizes[0], axis=-1) | np.eye(len(drawn), dtype=bool)).all()
    pixels = np.array([stage.ask(f"s.view.toPixel({x}, {y}, s.board.place.box)") for x, y in xy])
    offsets = np.linalg.norm((corners + sizes / 2)[:, None] - pixels[None], axis=2).min(axis=1)
    assert offsets.max() < 0.01
    assert 20 < len(drawn) < 200
    stage.button("Show the images").click()
    page.evaluate("window.drawn.length = 0")
    stage.ask("s.board.schedule('view', 'base')")
    stage.settle()
    assert page.evaluate("window.drawn") == []


# ---- a phone ------------------------------------------------------------------------------------


def test_on_a_phone_all_fits_and_panels_are_swiped(page, new_page):
    scene = two_labels()
    assert in_view(bare(page, scene).page) == [0, 1, 2], "a wide stage shows all at once"
    assert page.get_by_role("navigation", name="Panels").count() == 0
    page = new_page(**PHONE)
    stage = bare(page, scene)
    box = stage.ask("s.board.place.box")
    assert box["w"] == box["h"], "a circle is round"
    assert in_view(page) == [0]
    plot = page.locator(".plot").first.bounding_box()
    assert stage.ask("s.panels[0].base.width") == 3 * round(plot["width"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    hint = page.locator(".hint")
    assert "tap: label" in hint.inner_text()
    assert hint.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    stage.open_more()
    for tool in page.locator(".tool:visible, .swatch:visible, .lam:visible, .filter:visible").all():
        tool.scroll_into_view_if_needed()  # some are in a row that scrolls sideways
        frame = tool.bounding_box()
        assert min(frame["width"], frame["height"]) >= 40
        assert frame["x"] >= 0
        assert frame["x"] + frame["width"] <= 390
    words = page.locator(".drawer .word:visible").all_inner_texts()
    assert {"Compare", "Present", "Save"} <= set(words), "what the icons mean"
    for button in page.locator("button:visible").all():
        assert min(button.bounding_box()[side] for side in ("width", "height")) >= 32
    page.locator(".opens").click()
    stage.settle()
    tabs = page.get_by_role("navigation", name="Panels").get_by_role("button")
    assert tabs.all_inner_texts() == [panel.title for panel in scene.panels]
    height = page.evaluate("document.querySelector('.stage').getBoundingClientRect().height")
    assert height < 844, "λ and a panel share the window"
    swipe(page, -250)
    assert in_view(page) == [1]
    assert [tab.get_attribute("aria-current") for tab in tabs.all()] == [None, "true", None]
    swipe(page, 250)
    assert in_view(page) == [0]
    assert len(stage.labels) == 2
    tabs.nth(2).click()
    page.wait_for_timeout(700)
    assert in_view(page) == [2]
    page.touchscreen.tap(*stage.spot(*stage.holes()[0], panel=2))
    stage.wait("s.labels.length === 3 && s.hand.target")
    tabs.nth(2).tap()
    assert not stage.ask("s.hand.target"), "its note is gone with the next touch"


# ---- another plane ------------------------------------------------------------------------------

HISTORY = """window.frames_seen = [];
addEventListener("lapviz:painted", () => {
  const s = window.__lapviz.stages["planes-stage"];
  const at = (label) => 2 * s.scene.points.position.get(label.index);
  window.frames_seen.push(s.labels.every((label) =>
    Math.fround(label.x) === s.scene.points.xy[at(label)] &&
    Math.fround(label.y) === s.scene.points.xy[at(label) + 1]));
});"""


def plane(scale: float, code: int = 0) -> Scene:
    """Forty points whose second coordinate depends on the plane."""
    xy = np.random.default_rng(2).random((40, 2)) * [1.0, scale] + [scale, 0.1]
    labels = tuple(Label(row, code).at(*xy[row]) for row in (3, 8))
    panel = Panel("values", np.linspace(-1, 1, 40)[None])
    view = (scale - 0.1, scale + 1.1, 0.0, 0.2 + scale)
    return Scene((panel,), Points(xy, np.arange(40)), view, "table", kind="classes",
                 classes=("a", "b"), labels=labels, editable=True)  # fmt: skip


def test_labels_points_and_view_are_of_one_plane_in_every_frame(page):
    """A zoom lasts as long as the plane, and only the user's zoom is written into the address."""
    stage = bare(page, plane(1.0), key="planes-stage")

    def is_whole(scene: Scene) -> bool:
        return not stage.ask("s.view.zoomed") and np.allclose(stage.ask("s.view.range"), scene.view)

    stage.ask("s.commit(s.labels.map((label) => ({ ...label, code: 1 })), 'changed')")
    page.evaluate(HISTORY)
    stage.answer(plane(2.0, code=1), with_static=True)
    stage.settle()
    assert page.evaluate("window.frames_seen.length > 0 && window.frames_seen.every(Boolean)")
    assert is_whole(plane(2.0))
    stage.ask("s.travel('undo')")  # the restored labels are in the same plane
    xy = plane(2.0).points.xy[3]
    np.testing.assert_allclose(stage.ask("[s.labels[0].x, s.labels[0].y]"), xy, rtol=1e-6)
    page.wait_for_timeout(600)  # longer than the delay of the address
    assert "stage=" not in page.url
    stage.ask("s.zoomBy(2)")
    until(page, "location.search.includes('stage=z2')", 10)
    zoomed = stage.ask("s.view.range")
    stage.answer(dataclasses.replace(plane(2.0), lam=0.5), with_static=True)
    stage.settle()
    assert stage.ask("s.view.range") == zoomed
    stage.answer(plane(2.5), with_static=True)
    stage.settle()
    assert is_whole(plane(2.5))
    until(page, "!location.search.includes('stage=')", 10)
