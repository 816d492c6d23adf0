"""Scribble on a picture by mouse, finger and keys; the answer and the files are Python's."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from explorer_page import Explorer
from PIL import Image

from lapviz import pictures
from lapviz.explorer.pages.picture import steps as picture_steps
from lapviz.explorer.pages.picture.settings import PictureSettings, from_query

ROOT = Path(__file__).parents[2]
# Class codes of a canvas, as the browser unpacked them.
CODES = "Array.from(s.views[0].panel.codes, (v) => Math.floor(v / 28))"


class Scribbler(Explorer):
    """A tab on the picture."""

    @property
    def settings(self) -> PictureSettings:
        found, complaints = from_query(self.query, PictureSettings())
        assert complaints == []
        return found

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Place in the window of a pixel of the picture."""
        canvas = self.page.locator(".pictured canvas").first
        canvas.scroll_into_view_if_needed()
        px, py = self.stage(f"s.frame.toScreen([{x}, {y}], s.views[0].box)")
        frame = canvas.bounding_box()
        return frame["x"] + px, frame["y"] + py

    def scribble(self, *path: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*self.place(*path[0]))
        mouse.down()
        for point in path[1:]:
            mouse.move(*self.place(*point), steps=6)
        mouse.up()

    def button(self, name: str):
        return self.page.locator(".picture").get_by_role("button", name=name)

    def right(self) -> Scribbler:
        """What is on screen is what Python says to the settings in the address."""
        wanted = picture_steps.answer(self.settings, fine=True).result
        np.testing.assert_array_equal(self.stage(CODES), wanted.mask.ravel())
        assert self.stage("s.strokes.length") == len(self.settings.strokes)
        return self


def test_the_browser_writes_strokes_as_python_does(js):
    strokes = (
        pictures.Stroke(1, 0, ((0, 0),)),
        pictures.Stroke(pictures.ERASER, 12, ((5, 9), (3, 9), (630, 0))),
        pictures.Stroke(8, 3, ((7, 7), (7, 7))),
    )
    text = pictures.write_strokes(strokes)
    found = js.evaluate(
        """(text) => {
          const { readStrokes, writeStrokes } = stageModules.pictureStrokes;
          return [readStrokes(text), writeStrokes(readStrokes(text)), readStrokes(text + ".zz")];
        }""",
        text,
    )
    assert found[1] == text
    assert found[0] == found[2]
    assert [(s["code"], s["radius"], s["points"]) for s in found[0]] == [
        (s.code, s.radius, [list(p) for p in s.points]) for s in strokes
    ]


@pytest.fixture
def tab(page, app):
    return Scribbler(page, app(ROOT / "app.py").partition("/?")[0])


def test_two_classes_by_mouse_undo_and_the_mask(tab):
    tab.open("data", picture="flower")
    assert tab.stage("s.views[0].panel ?? null") is None
    tab.scribble((60, 60), (60, 330))
    tab.page.keyboard.press("2")
    tab.scribble((230, 240), (300, 200), (380, 230))
    tab.until_not("strokes", None)
    tab.rest().right().fine()
    assert {s.code for s in tab.settings.strokes} == {0, 1}
    with tab.page.expect_download() as started:
        tab.page.get_by_role("button", name="Mask (PNG)").click()
    mask = np.asarray(Image.open(io.BytesIO(Path(started.value.path()).read_bytes())))
    np.testing.assert_array_equal(mask, picture_steps.fine(tab.settings).mask)
    assert tab.page.get_by_role("application").get_attribute("aria-label").count("%") == 2

    tab.button("Undo (Ctrl+Z)").click()
    tab.page.wait_for_function("new URLSearchParams(location.search).get('strokes').length < 60")
    tab.rest()
    assert [s.code for s in tab.settings.strokes] == [0]
    assert tab.stage("s.views[0].panel ?? null") is None
    tab.page.locator(".pictured").press("Control+Shift+Z")
    tab.page.get_by_role("button", name="Mask (PNG)").wait_for()
    tab.rest().right().fine()


def test_fast_strokes_and_a_dragged_weight_end_where_the_hand_left_them(tab):
    tab.open("data", story="flower")
    tab.right()
    for y in (20, 40, 400):
        tab.scribble((20, y), (120, y))
    slider = tab.slider("Position against colour")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    tab.page.keyboard.up("ArrowRight")
    tab.scribble((600, 20), (600, 120))
    tab.until("w", "0.66").right().fine()
    assert len(tab.settings.strokes) == 7
    before = tab.page.url
    tab.page.reload()
    tab.rest()
    assert tab.page.url == before
    tab.right()


def test_keys_alone(tab):
    tab.open("data", story="flower")
    plots = tab.page.locator(".pictured")
    plots.focus()
    for key in ("1", "ArrowDown", "ArrowDown", "Space", *["Shift+ArrowLeft"] * 4, "Space"):
        plots.press(key)
    tab.until_not("strokes", None).right().fine()
    stroke = tab.settings.strokes[-1]
    assert stroke.code == 0
    assert stroke.points[0][0] > stroke.points[-1][0]
    assert stroke.points[0][1] == stroke.points[-1][1] > 213


def test_keys_hold_wherever_the_focus_is_but_where_one_types(tab):
    tab.open("data", story="flower")
    tab.button("Add a class").click()
    tab.page.keyboard.press("3")
    assert tab.stage("[s.code, s.tool]") == [2, "brush"]
    strokes = tab.stage("s.strokes.length") + 1
    tab.scribble((100, 100), (160, 100))
    tab.button("Undo").click()
    tab.button("Redo").click()  # which disables itself
    tab.page.keyboard.press("Control+z")
    assert tab.stage("s.strokes.length") == strokes - 1
    weight = tab.page.locator(".picture .number").first
    weight.focus()
    tab.page.keyboard.press("1")
    assert tab.stage("s.code") == 2


def test_a_finger_scribbles_and_two_zoom(browser, app):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True,
                                  is_mobile=True)  # fmt: skip
    tab = Scribbler(context.new_page(), app(ROOT / "app.py").partition("/?")[0])
    tab.open("data", story="flower")
    fingers = context.new_cdp_session(tab.page)

    def touch(kind, *points):
        spots = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    (ax, ay), (bx, _) = tab.place(100, 60), tab.place(500, 60)
    touch("touchStart", (ax, ay))
    for k in range(1, 9):
        touch("touchMove", (ax + k * (bx - ax) / 8, ay))
    touch("touchEnd")
    tab.until_not("strokes", None).right()
    assert tab.settings.strokes[-1].points[-1][0] == pytest.approx(500, abs=2)
    count = tab.stage("s.strokes.length")
    (cx, cy), (dx, dy) = tab.place(200, 200), tab.place(400, 200)
    touch("touchStart", (cx, cy))
    touch("touchStart", (cx, cy), (dx, dy))
    for k in range(1, 6):
        touch("touchMove", (cx - 8 * k, cy), (dx + 8 * k, dy))
    touch("touchEnd")
    tab.rest().fine()
    assert tab.stage("s.frame.zoom") > 1.3
    assert tab.stage("s.strokes.length") == count
    wide = tab.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    context.close()


@pytest.mark.parametrize("bad", [False, True])
def test_an_upload_is_shown_or_refused_and_stays_out_of_the_address(tab, bad):
    y, x = np.mgrid[:60, :90]
    disc = ((x - 50) ** 2 + (y - 30) ** 2 < 300)[..., None]
    image = np.where(disc, [230, 160, 40], [20, 60, 140]).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(image).save(out, "PNG")
    data = out.getvalue()[:200] if bad else out.getvalue()
    tab.open("data", picture="flower")
    tab.page.get_by_role("button", name="Upload").first.click()
    tab.page.locator("input[type=file]").set_input_files(
        {"name": "disc.png", "mimeType": "image/png", "buffer": data}
    )
    if bad:
        tab.page.get_by_text("This file is broken").wait_for()
        assert tab.query["picture"] == "flower"
        return
    tab.page.get_by_text("90 × 60 = 5,400 pixels").wait_for()
    tab.until("picture", "own")
    tab.page.keyboard.press("Escape")
    tab.scribble((10, 10), (10, 50))
    tab.page.keyboard.press("2")
    tab.scribble((45, 30), (55, 30))
    tab.page.get_by_role("button", name="Mask (PNG)").wait_for()
    tab.rest().fine()
    mine = pictures.Picture("disc.png", image)
    strokes = pictures.read_strokes(tab.stage("s.history.state.now"))
    wanted = pictures.prepare(mine).segment(strokes).mask
    np.testing.assert_array_equal(tab.stage(CODES), wanted.ravel())
    np.testing.assert_array_equal(wanted == 1, disc[..., 0])
    assert "strokes" not in tab.query
