"""Scribble on a picture by mouse, finger and keys; the answer and the files are Python's."""

from __future__ import annotations

import io

import numpy as np
import pytest
from explorer_page import Explorer
from PIL import Image
from stage_page import touch

from lapviz import pictures
from lapviz.explorer.pages.picture import steps as picture_steps
from lapviz.explorer.pages.picture.settings import PICTURE, PictureSettings

# Class codes of a canvas, as the browser unpacked them: one digit per pixel, since Playwright takes
# seconds for a quarter of a million numbers.
CODES = "Array.from(s.views[0].panel.codes, (v) => Math.floor(v / 28)).join('')"

OPEN_LABELS = """() => {
  [...document.querySelectorAll("a")].find((link) => link.innerText === "Labels").click();
  history.pushState(null, "", "?data=four_circles");
}"""


class Scribbler(Explorer):
    """A tab on the picture."""

    @property
    def settings(self) -> PictureSettings:
        settings, complaints = PICTURE.read(self.query, PictureSettings())
        assert complaints == []
        return settings

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Place in the window of a pixel of the picture."""
        canvas = self.page.locator(".pictured canvas").first
        canvas.scroll_into_view_if_needed()
        px, py = self.ask(f"s.frame.toPixel({x}, {y}, s.views[0].box)")
        frame = canvas.bounding_box()
        return frame["x"] + px, frame["y"] + py

    def scribble(self, *path: tuple[float, float]) -> None:
        self.stroke(*(self.place(*point) for point in path), steps=6)

    def button(self, name: str):
        return self.page.locator(".picture").get_by_role("button", name=name)

    @property
    def codes(self) -> np.ndarray:
        return np.array(list(self.ask(CODES)), int)

    def agree(self) -> Scribbler:
        """Check that the page shows Python's answer for the settings in the address."""
        result = picture_steps.answer(self.settings, fine=True).result
        np.testing.assert_array_equal(self.codes, result.mask.ravel())
        assert self.ask("s.strokes.length") == len(self.settings.strokes)
        return self


@pytest.fixture
def tab(page, address):
    tab = Scribbler(page, address)
    yield tab
    tab.fine()


def test_two_classes_by_mouse_undo_and_the_mask(tab):
    page = tab.open("data", picture="flower", p=50).page
    assert tab.ask("s.views[0].panel ?? null") is None
    tab.scribble((60, 60), (60, 330))
    page.keyboard.press("2")
    tab.scribble((230, 240), (300, 200), (380, 230))
    tab.until_not("strokes", None)
    tab.settle().agree().fine()
    assert {s.code for s in tab.settings.strokes} == {0, 1}
    mask = np.asarray(Image.open(io.BytesIO(tab.saved("Mask (PNG)"))))
    np.testing.assert_array_equal(mask, picture_steps.fine(tab.settings).mask)
    assert page.get_by_role("application").get_attribute("aria-label").count("%") == 2

    strokes = tab.query["strokes"]
    tab.button("Undo (Ctrl+Z)").click()
    tab.until_not("strokes", strokes)
    assert [s.code for s in tab.settings.strokes] == [0]
    assert tab.ask("s.views[0].panel ?? null") is None
    page.locator(".pictured").press("Control+Shift+Z")
    page.get_by_role("button", name="Mask (PNG)").wait_for()
    tab.settle().agree()

    points = "Array.from({ length: 20000 }, (_, i) => [i % 600, 10])"  # with the others too many
    tab.ask(f"s.drawing = {{ code: 0, radius: 6, points: {points} }}, s.finish()")
    assert "at most 20000 corners" in page.locator(".picture .message").inner_text()
    tab.agree()

    left = page.url
    page.evaluate(OPEN_LABELS)  # Streamlit sometimes sets the next page's query first
    page.wait_for_url("**/labels?**")
    tab.settle()
    page.go_back()
    page.wait_for_url(left)
    tab.settle().agree()


def test_fast_strokes_and_keys_all_hold(tab):
    page = tab.open("data", story="flower", p=50).page
    for y in (20, 40, 400):
        tab.scribble((20, y), (120, y))
    slider = tab.slider("Position against colour")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    page.keyboard.up("ArrowRight")
    tab.scribble((600, 20), (600, 120))
    tab.until("w", "0.66").agree().fine()
    assert len(tab.settings.strokes) == 7
    before, codes = page.url, tab.ask(CODES)
    page.reload()
    assert tab.settle().ask(CODES) == codes
    assert page.url == before

    plots, strokes = page.locator(".pictured"), tab.query["strokes"]
    plots.focus()  # by keys alone
    for key in ("1", "ArrowDown", "ArrowDown", "Space", *["Shift+ArrowLeft"] * 4, "Space"):
        plots.press(key)
    tab.until_not("strokes", strokes)
    stroke = tab.settings.strokes[-1]
    assert stroke.code == 0
    assert stroke.points[0][0] > stroke.points[-1][0]
    assert stroke.points[0][1] == stroke.points[-1][1] > 213
    count = len(tab.settings.strokes)
    for key in ("Space", "ArrowLeft"):
        plots.press(key)
    page.mouse.move(*tab.place(400, 300))  # the brush is the keyboard's
    tab.scribble((300, 300), (330, 300))
    page.wait_for_function(
        f"new URLSearchParams(location.search).get('strokes').split('.').length === {count + 2}"
    )
    (key_stroke, mouse_stroke), at = tab.settings.strokes[-2:], stroke.points[-1]
    assert key_stroke.points[0] == at
    assert key_stroke.points[-1][1] == at[1]
    assert mouse_stroke.points[0] == (300, 300)
    for _ in range(2):
        tab.button("Add a class").click()
    page.keyboard.press("1")
    tab.button("Remove the last class").click()
    assert tab.ask("s.code") == 0
    tab.button("Undo").click()
    tab.button("Undo").click()
    tab.button("Remove the last class").click()
    tab.button("Add a class").click()  # keys work wherever the focus is, except where one types
    page.keyboard.press("3")
    assert tab.ask("[s.code, s.tool]") == [2, "brush"]
    count = tab.ask("s.strokes.length") + 1
    tab.scribble((100, 100), (160, 100))
    tab.button("Undo").click()
    tab.button("Redo").click()  # which disables itself
    page.keyboard.press("Control+z")
    assert tab.ask("s.strokes.length") == count - 1
    page.locator(".picture .number").first.focus()
    page.keyboard.press("1")
    assert tab.ask("s.code") == 2
    tab.settle()


def test_canvases_keep_their_places_during_a_stroke(tab):
    """Comparisons stay until the next come; a stroke ends where the page moves its canvas."""
    lines = [pictures.Stroke(c, 6, ((60, 60 + 240 * c), (160, 60 + 240 * c))) for c in (0, 1)]
    page = tab.open("data", picture="china", beside=1, strokes=pictures.write_strokes(lines)).page
    tab.wait("s.views.length === 3")
    tab.settle()
    path = [tab.place(x, 150) for x in range(300, 700, 20)]
    tab.scribble((300, 50), (400, 50))
    page.mouse.move(*path[0])
    page.mouse.down()
    counts = set()
    for place in path:
        page.mouse.move(*place)
        page.wait_for_timeout(50)
        counts.add(tab.ask("s.views.length"))
    page.mouse.up()
    assert counts == {3}
    tab.settle().agree()
    points = np.array(tab.settings.strokes[-1].points)
    assert len(points) > 15
    assert set(points[:, 1]) == {150}

    before = len(tab.settings.strokes)
    page.mouse.move(*path[0])
    page.mouse.down()
    page.mouse.move(*path[2], steps=4)
    tab.ask("s.root.style.marginTop = '70px'")
    page.mouse.move(*path[6], steps=4)
    page.mouse.up()
    tab.settle().agree()
    assert len(tab.settings.strokes) == before + 1
    points = np.array(tab.settings.strokes[-1].points)
    assert points[:, 0].max() <= 340
    assert set(points[:, 1]) == {150}


def test_a_long_computation_can_be_cancelled(tab):
    page = tab.open("data", story="flower", p=1000).page
    before, codes = page.url, tab.ask(CODES)
    slider = tab.slider("Reach σ")
    slider.press("ArrowRight")
    tab.wait("s.computing.task")
    tab.ask("s.computing.cancel.click()")  # the button is shown after 2 s
    page.get_by_text("Cancelled; settings restored.").wait_for()
    assert tab.settle().ask(CODES) == codes
    assert page.url == before


def test_a_finger_scribbles_and_two_zoom(new_page, address):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    tab = Scribbler(new_page(**phone), address)
    tab.open("data", story="flower", p=50)
    (ax, ay), (bx, _) = tab.place(100, 60), tab.place(500, 60)
    touch(tab.page, [(ax + k * (bx - ax) / 8, ay) for k in range(9)])
    tab.until_not("strokes", None).agree()
    assert tab.settings.strokes[-1].points[-1][0] == pytest.approx(500, abs=2)
    count = tab.ask("s.strokes.length")
    fingers = tab.page.context.new_cdp_session(tab.page)

    def pinch(kind, *points):
        spots = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    (cx, cy), (dx, dy) = tab.place(200, 200), tab.place(400, 200)
    pinch("touchStart", (cx, cy))
    pinch("touchStart", (cx, cy), (dx, dy))
    for k in range(1, 6):
        pinch("touchMove", (cx - 8 * k, cy), (dx + 8 * k, dy))
    pinch("touchEnd")
    tab.settle().fine()
    assert tab.ask("s.frame.zoom") > 1.3
    for _ in range(2):
        touch(tab.page, [(dx, dy)])  # not where the first finger was
    tab.wait("!s.frame.zoomed")  # and the first tap leaves no dot
    assert tab.settle().ask("s.strokes.length") == count
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_upload_is_shown_or_refused_and_not_in_the_address(tab):
    y, x = np.mgrid[:60, :90]
    disc = ((x - 50) ** 2 + (y - 30) ** 2 < 300)[..., None]
    image = np.where(disc, [230, 160, 40], [20, 60, 140]).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(image).save(out, "PNG")
    page = tab.open("data", picture="flower").page
    page.get_by_role("button", name="Upload").first.click()
    files = {"a.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is no PNG or"),
               "broken.png": (out.getvalue()[:200], "This file is broken"),
               "disc.png": (out.getvalue(), None)}  # fmt: skip
    for name, (data, sentence) in files.items():
        file = {"name": name, "mimeType": "image/png", "buffer": data}
        page.locator("input[type=file]").set_input_files(file)
        if sentence:
            page.get_by_text(sentence).wait_for()
            assert tab.settle().query["picture"] == "flower"
    page.get_by_text("90 × 60 = 5,400 pixels").wait_for()
    tab.until("picture", "own")
    page.keyboard.press("Escape")
    tab.scribble((10, 10), (10, 50))
    page.keyboard.press("2")
    tab.scribble((45, 30), (55, 30))
    page.get_by_role("button", name="Mask (PNG)").wait_for()
    strokes = [
        pictures.Stroke(s["code"], s["radius"], tuple(map(tuple, s["points"])))
        for s in tab.settle().ask("s.strokes")
    ]
    mask = pictures.prepare(pictures.Picture("disc.png", image)).segment(strokes).mask
    np.testing.assert_array_equal(tab.codes, mask.ravel())
    np.testing.assert_array_equal(mask == 1, disc[..., 0])
    assert "strokes" not in tab.query
