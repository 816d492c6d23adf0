"""How the stage shows its pictures: scales, errors, sizes, enlarging, comparing, presenting."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import stage_scenes
from bare_page import answer, opened, until

from lapviz.estimates import codes
from lapviz.figures.fields import wrong_points
from lapviz.figures.near import nearness
from lapviz.figures.style import short
from lapviz.labels import Label
from lapviz.scenes import Grid, Panel, Points, Scene

S = "window.__lapviz.stages.alone"
LABELS = (Label(0, 0, None), Label(10, 1, None), Label(20, 1, None))
FONTS = """
window.fonts = new Set();
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (...words) {
  if (String(words[0]).trim()) window.fonts.add(this.font);
  return fill.apply(this, words);
};
"""
SMALLEST = """() => {
  const root = window.__lapviz.stages.alone.board.root;
  const nodes = [...root.querySelectorAll("*")].filter((node) =>
    node.checkVisibility() && !node.closest(".live") &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const sizes = nodes.map((node) => parseFloat(getComputedStyle(node).fontSize));
  return [Math.min(...sizes), Math.max(...sizes), nodes.length];
}"""
NUMBERS = "[...document.querySelectorAll('.scale')].map((node) => node.lastChild.textContent)"
BOXES = """[...document.querySelectorAll('.plots > .panel')]
  .filter((node) => node.offsetHeight)
  .map((node) => { const { x, y, right, bottom } = node.getBoundingClientRect();
                   return [x, y, right, bottom]; })"""


def ask(page, code):
    return page.evaluate(f"() => {{ const s = {S}; return {code}; }}")


def rest(page):
    until(page, f"!{S}.board.pending && !{S}.board.moving")


def labelled(js, lam=0.1, n_classes=2, truth=None, **more) -> Scene:
    """Ridge and Laplacian with their own models' values at λ as Python's answer."""
    xy = stage_scenes.scene(()).points.xy
    labels = tuple(Label(label.index, label.code).at(*xy[label.index // 10]) for label in LABELS)
    scene = stage_scenes.scene(labels, n_classes=n_classes, lam=lam, n_samples=60, **more)
    side = len(scene.grid.x)
    panels = []
    for i in (0, 1):
        grid, points = stage_scenes.evaluate(js, scene, i, lam)
        values = {"grid": grid.reshape(-1, side, side), "points": points}
        panels.append(dataclasses.replace(scene.panels[i], accuracy=0.5, **values))
    if truth is not None:
        scene = dataclasses.replace(scene, points=dataclasses.replace(scene.points, truth=truth))
    return dataclasses.replace(scene, panels=tuple(panels))


def functions(n=16, side=24) -> Scene:
    grid = Grid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    xy = np.random.default_rng(1).random((80, 2))
    _, there = stage_scenes.cosines(n, grid.sites())
    _, at = stage_scenes.cosines(n, xy)
    panels = tuple(
        Panel(f"e{i}", (1 + i) * at[i : i + 1], (1 + i) * there[i].reshape(1, side, side))
        for i in range(n)
    )
    hide = ("lam", "filter", "labels")
    points = Points(xy, np.arange(80))
    return Scene(panels, points, (0, 1, 0, 1), "cosines", grid, columns=4, hide=hide,
                 about="σ = 0.2 · p = 40")  # fmt: skip


# ---- scales ---------------------------------------------------------------------------------


def test_the_scale_is_that_of_the_picture_under_a_hand_and_at_rest(page, js):
    opened(page, labelled(js))
    seen = []
    for lam in (0.03, 0.3, 3.0, 30.0):
        ask(page, f"s.setLam({lam}, false)")
        rest(page)
        seen.append(page.evaluate(NUMBERS))
        assert seen[-1] == [short(size, 2) for size in ask(page, sizes_of(2))]
    assert len({tuple(ends) for ends in seen}) == 4
    ask(page, "s.setLam(30, true)")  # the hand lets go
    rest(page)
    assert page.evaluate(NUMBERS) == seen[-1]
    until(page, "window.sent.length > 0")
    rev = page.evaluate("window.sent.at(-1).rev")
    answer(page, labelled(js, 30.0, rev=rev))
    rest(page)
    assert page.evaluate(NUMBERS) == seen[-1]


def sizes_of(n):
    return f"s.panels.slice(0, {n}).map((p) => p.field.size)"


def test_one_scale_for_all_panels_is_that_of_the_largest_and_is_kept(page):
    scene = functions(5)
    opened(page, scene)
    own = ask(page, "s.panels.map((p) => p.field.top)")
    most = max(own)
    assert min(own) < 0.5 * most
    page.get_by_role("button", name="Same colour scale").click()
    rest(page)
    assert page.get_by_role("button", name="Same colour scale", pressed=True).count() == 1
    assert ask(page, "s.panels.map((p) => p.field.top)") == [most] * 5
    page.reload()
    until(page, "window.__lapviz?.paints > 0")
    assert ask(page, "s.panels.map((p) => p.field.top)") == [most] * 5
    page.get_by_role("button", name="Same colour scale").click()
    rest(page)
    assert ask(page, "s.panels.map((p) => p.field.top)") == own


def cornered() -> Scene:
    """Points in one corner, a field that grows away from them."""
    scene = functions(1, side=40)
    xy = 0.25 * scene.points.xy
    x, y = np.meshgrid(scene.grid.x, scene.grid.y)
    panel = Panel("far", np.exp(4 * xy.sum(axis=1))[None], np.exp(4 * (x + y))[None])
    return dataclasses.replace(
        scene, panels=(panel,), points=Points(xy, np.arange(len(xy))), columns=0
    )


def test_empty_corners_neither_set_the_scale_nor_stand_at_full_strength(page):
    scene = cornered()
    opened(page, scene)
    near = nearness(scene.grid, scene.points.xy)
    field = scene.panels[0].grid[0]
    top = ask(page, "s.panels[0].field.top")
    assert top == pytest.approx(field[near == 255].max(), rel=1e-6)
    assert top < field.max() / 10
    colour = """(([x, y]) => {
      const { base } = s.panels[0], { box } = s.board.place, { ratio } = s.board;
      const [u, v] = s.view.toPixel(x, y, box);
      return [...base.getContext("2d").getImageData(u * ratio, v * ratio, 1, 1).data];
    })"""
    here = ask(page, f"{colour}([0.29, 0.29])")  # beyond the points, near them
    there = ask(page, f"{colour}([0.97, 0.97])")  # a larger value, far away
    middle = ask(page, "s.board.theme.middle")
    gap = [np.abs(np.subtract(c[:3], middle)).max() for c in (here, there)]
    assert gap[1] < 0.5 * gap[0]


# ---- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_as_many_rings_as_errors(page, js, n_classes):
    truth = np.random.default_rng(0).integers(-1, n_classes, 60)
    scene = labelled(js, n_classes=n_classes, truth=truth)
    opened(page, scene)
    rings = "s.panels.map((p) => [...p.wrong])"
    plain = ask(page, "s.panels[0].base.toDataURL()")
    assert ask(page, rings) == [[], []]
    page.get_by_role("button", name="Mark errors").click()
    rest(page)
    assert page.get_by_role("button", name="Mark errors", pressed=True).count() == 1
    expected = [np.flatnonzero(wrong_points(scene, panel)).tolist() for panel in scene.panels]
    assert ask(page, rings) == expected
    assert all(expected)
    assert ask(page, "s.panels[0].base.toDataURL()") != plain
    ask(page, "s.setLam(3, false)")
    rest(page)
    open_rows = (truth >= 0) & (np.arange(60) > 2)
    for i, found in enumerate(ask(page, rings)):
        _, at = stage_scenes.evaluate(js, scene, i, 3.0, anchored=True)
        wrong = open_rows & (codes.decode(at.T) != truth)
        assert found == np.flatnonzero(wrong).tolist()
    page.get_by_role("button", name="Mark errors").click()
    rest(page)
    assert ask(page, rings) == [[], []]


def test_errors_cannot_be_marked_where_no_class_is_known(page, js):
    opened(page, labelled(js, truth=np.full(60, -1)))
    assert page.get_by_role("button", name="Mark errors").count() == 0


# ---- sizes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["labels", "functions"])
def test_no_text_is_below_12_pixels_and_accuracy_is_the_largest(fresh_page, js, kind):
    fresh_page.add_init_script(FONTS)
    scene = labelled(js) if kind == "labels" else functions()
    for width, height in ((1280, 720), (1920, 1080), (820, 1180), (390, 844)):
        fresh_page.set_viewport_size({"width": width, "height": height})
        letters_are_large(opened(fresh_page, scene), kind)


def letters_are_large(page, kind):
    ask(page, "s.hand.hover(s.panels[0], s.board.place.box.x + 40, s.board.place.box.y + 40)")
    rest(page)
    least, most, count = page.evaluate(SMALLEST)
    assert count > 5
    assert least >= 12
    fonts = page.evaluate("[...window.fonts]")
    assert fonts
    assert min(float(font.split("px")[0].split()[-1]) for font in fonts) >= 12
    if kind == "labels":
        sizes = "[...document.querySelectorAll('.share')].map((n) => getComputedStyle(n).fontSize)"
        assert page.evaluate(sizes) == [f"{most:g}px"] * 2


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (900, 640)])
def test_eight_of_sixteen_fit_the_window_and_the_rest_comes_on_demand(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    opened(page, functions())
    boxes = np.array(page.evaluate(BOXES))
    assert len(boxes) == 8
    assert len(set(boxes[:, 1])) == 2  # two rows
    more = page.get_by_role("button", name="8 more")
    low = more.bounding_box()
    assert low["y"] + low["height"] <= height
    assert low["y"] + low["height"] > 0.9 * height or boxes[-1, 2] > 0.9 * width  # uses the room
    more.click()
    rest(page)
    after = np.array(page.evaluate(BOXES))
    assert len(after) == 16
    np.testing.assert_allclose(after[:8], boxes, atol=1)
    page.get_by_role("button", name="The first 8 only").click()
    rest(page)
    assert len(page.evaluate(BOXES)) == 8


def test_three_panels_leave_no_hole(js):
    columns = js.evaluate(
        """() => {
          const { arrange } = window.stageModules.layout;
          const found = [];
          for (let width = 250; width < 1400; width += 10)
            found.push(arrange({ width, count: 3, wish: 3, aspect: 1, available: 500 }).columns);
          return found;
        }"""
    )
    assert set(columns) == {1, 3}
    assert columns == sorted(columns)
    assert columns[(770 - 250) // 10] == 3  # a tablet


def test_pinned_copies_leave_pictures_that_can_be_read(js):
    """Three panels and their copies in a window of 1280 × 720: the page scrolls instead."""
    width, height = js.evaluate(
        """() => {
          const wishes = { width: 932, count: 3, times: 2, wish: 3, aspect: 1, available: 330 };
          const { box } = window.stageModules.layout.arrange(wishes);
          return [box.w, box.h];
        }"""
    )
    assert min(width, height) >= 180


# ---- one panel ------------------------------------------------------------------------------


def shown(page):
    return ask(page, "s.panels.map((p, i) => (p.node.offsetHeight ? i : -1)).filter((i) => i >= 0)")


def test_a_click_enlarges_a_panel_and_keys_go_on(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, functions())
    small = page.evaluate(BOXES)[3]
    page.locator(".plot").nth(3).click()
    rest(page)
    assert shown(page) == [3]
    assert ask(page, "s.enlarged") == 3
    (large,) = page.evaluate(BOXES)
    assert large[3] - large[1] > 1.9 * (small[3] - small[1])
    assert large[3] <= 720
    for key, index in (("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4)):
        page.keyboard.press(key)
        rest(page)
        assert shown(page) == [index]
    page.keyboard.press("Escape")
    rest(page)
    assert shown(page) == list(range(8))
    page.get_by_role("button", name="Enlarge e2").focus()
    page.keyboard.press("Enter")
    rest(page)
    assert shown(page) == [2]
    page.keyboard.press("ArrowRight")
    rest(page)
    assert shown(page) == [3]
    page.locator(".plot").nth(3).click()
    rest(page)
    assert ask(page, "s.enlarged") is None
    assert ask(page, "[s.enlarge(15), s.enlarge(16), s.enlarge(-1), s.enlarged]") == [
        True,
        False,
        False,
        15,
    ]


def test_where_a_click_labels_a_button_enlarges(page, js):
    opened(page, labelled(js))
    page.get_by_role("button", name="Enlarge Kernel Laplacian").click()
    rest(page)
    assert shown(page) == [1]
    count = len(ask(page, "s.labels"))
    page.locator(".plot").nth(1).click(position={"x": 200, "y": 120})
    assert len(ask(page, "s.labels")) == count + 1
    assert ask(page, "s.enlarged") == 1
    page.get_by_role("button", name="Show all panels").click()
    rest(page)
    assert shown(page) == [0, 1]


# ---- compare --------------------------------------------------------------------------------


def test_a_pinned_picture_stays_beside_the_next(page, js):
    scene = dataclasses.replace(labelled(js), about="σ = 0.3 · p = 40")
    opened(page, scene)
    before = ask(page, "s.panels.map((p) => Array.from(p.field.grid))")
    page.get_by_role("button", name="Compare").click()
    rest(page)
    ask(page, "s.setLam(20, false)")
    ask(page, "s.zoomBy(2)")
    rest(page)
    said = page.locator(".pincaption").inner_text()
    assert said == "Pinned: σ = 0.3 · p = 40 · λ = 0.1 · 3 labels"
    pinned = ask(page, "s.display.pins.panels.map((p) => Array.from(p.field.grid))")
    np.testing.assert_array_equal(pinned, before)
    now = ask(page, "s.panels.map((p) => Array.from(p.field.grid))")
    assert not np.allclose(now, before, atol=1e-3)
    boxes = np.array(page.evaluate(BOXES))
    assert len(boxes) == 4
    assert set(boxes[:2, 0]) == set(boxes[2:, 0])  # below each other, in the same columns
    page.get_by_role("button", name="Enlarge Kernel ridge").click()
    rest(page)
    live, kept = page.evaluate(BOXES)
    assert live[2] <= kept[0]  # side by side
    page.get_by_role("button", name="Take the pinned picture away").first.click()
    rest(page)
    assert len(page.evaluate(BOXES)) == 1
    assert page.locator(".pincaption").count() == 0


def test_a_pin_sets_no_label(page, js):
    opened(page, labelled(js))
    page.get_by_role("button", name="Compare").click()
    rest(page)
    page.locator(".pinned .plot").first.click(position={"x": 150, "y": 90})
    assert len(ask(page, "s.labels")) == 3


# ---- present --------------------------------------------------------------------------------


def test_presenting_fills_the_window_in_large_type(fresh_page, js):
    page = fresh_page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(FONTS)
    opened(page, labelled(js), title="Four labels")
    page.evaluate("window.fonts.clear()")
    page.get_by_role("button", name="Present").click()
    until(page, f"{S}.display.present.on")
    rest(page)
    frame = ask(page, "s.board.root.getBoundingClientRect().toJSON()")
    inner = page.evaluate("[innerWidth, innerHeight]")
    assert (frame["x"], frame["y"], frame["width"], frame["height"]) == (0, 0, *inner)
    assert page.get_by_text("Four labels").is_visible()
    words = ".title, .share, .what, .scale span, .heading, .name"
    sizes = page.evaluate(
        f"[...document.querySelectorAll({json.dumps(words)})]"
        ".filter((n) => n.checkVisibility() && n.textContent)"
        ".map((n) => parseFloat(getComputedStyle(n).fontSize))"
    )
    assert len(sizes) > 6
    assert min(sizes) >= 20
    fonts = page.evaluate("[...window.fonts].map((font) => parseFloat(font))")
    assert fonts
    assert min(fonts) >= 20
    for key, step in (("PageDown", 1), ("PageUp", -1), ("n", 1), ("p", -1)):
        page.keyboard.press(key)
        until(page, f"window.sent.at(-1)?.changes.story === {step}")
    sent = page.evaluate("window.sent.length")
    ask(page, "s.display.present.leave()")
    rest(page)
    assert not ask(page, "s.display.present.on")
    assert ask(page, "s.board.root.getAttribute('popover')") is None
    page.keyboard.press("PageDown")
    assert page.evaluate("window.sent.length") == sent


def test_without_fullscreen_escape_leaves_the_presentation(fresh_page, js):
    page = fresh_page
    page.add_init_script("Element.prototype.requestFullscreen = () => Promise.reject(Error('no'))")
    opened(page, labelled(js))
    page.get_by_role("button", name="Present").click()
    until(page, f"{S}.display.present.on")
    frame = ask(page, "s.board.root.getBoundingClientRect().toJSON()")
    assert (frame["width"], frame["height"]) == (1280, 900)
    page.keyboard.press("Escape")
    until(page, f"!{S}.display.present.on")


def test_the_grids_near_places_arrive(page):
    scene = cornered()
    opened(page, scene)
    near = nearness(scene.grid, scene.points.xy)
    assert ask(page, "Array.from(s.scene.grid.near.data)") == near.ravel().tolist()
    assert ask(page, "Array.from(s.scene.grid.inside)") == np.flatnonzero(near == 255).tolist()
