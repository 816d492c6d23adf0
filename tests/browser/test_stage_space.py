"""Points in space on the stage: rotated, hovered and labelled by mouse, finger and keys.

The projection against numpy: tests/explorer/stage/test_geometry.py.
"""

import numpy as np
import pytest
from stage_page import PHONE, bare, in_view, swipe

from lapviz.labels import Label
from lapviz.scenes import Panel, Points, Scene

ANGLES = "[s.view.azimuth, s.view.elevation]"
PICTURES = "s.panels.map(({ base }) => base.toDataURL())"
PIXELS = """((layer, i, size) => {
  const { xy } = s.scene.points;
  const [x, y] = s.view.toPixel(xy[2 * i], xy[2 * i + 1], s.board.place.box).map(Math.round);
  const half = (size - 1) / 2, context = layer.getContext("2d");
  return [...context.getImageData(x - half, y - half, size, size).data];
})"""


def ball_scene(**changes) -> Scene:
    """Three panels of a ball, the last two points on one line of sight at the start view."""
    X = np.random.default_rng(3).normal(size=(60, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    azimuth, elevation = -0.44, 0.35
    c, s, e, f = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
    front = np.array([-s * e, -c * e, f])
    X = X[np.linalg.norm(np.cross(X, front), axis=1) > 0.35]  # no other points near that line
    box = np.vstack([np.eye(3), -np.eye(3)])  # centres the box on the ball
    X = np.vstack([X, box, front, -front])
    n = len(X)
    images = np.zeros((n, 2, 3), np.uint8)
    images[n - 2] = [[0, 255, 0], [255, 0, 255]]
    parameters = {
        "panels": tuple(Panel(f"f{k}", X[:, k : k + 1].T) for k in range(3)),
        "points": Points(X[:, :2], 10 * np.arange(n), np.arange(n) % 2, X, images),
        "view": (-1, 1, -1, 1), "view_key": "ball", "classes": ("A", "B"),
        "axes": ("x₁", "x₂", "x₃"), "editable": True,
    }  # fmt: skip
    return Scene(**parameters | changes)


SCENE = ball_scene()
N = len(SCENE.points.xyz)
NEAR, FAR = N - 2, N - 1


@pytest.fixture
def ball(page):
    return bare(page, SCENE)


def spot(ball, i: int, panel: int = 0) -> tuple[float, float]:
    return ball.spot(*ball.places[i], panel)


def hover(ball, i: int):
    ball.page.mouse.move(0, 0)
    ball.page.mouse.move(*spot(ball, i))
    ball.settle()
    return ball.ask("s.hand.target && s.hand.target.point")


def test_a_drag_rotates_all_panels_until_the_view_is_reset(ball):
    start, before, (x, y) = ball.ask(ANGLES), ball.ask(PICTURES), spot(ball, NEAR, panel=1)
    assert not ball.ask("s.view.zoomed")
    ball.drag((x, y), (30, 18))
    assert all(a != b for a, b in zip(before, ball.ask(PICTURES), strict=True))
    u, v = spot(ball, NEAR, panel=1)
    assert 24 < u - x < 45
    assert 14 < v - y < 28
    assert ball.ask("s.view.zoomed")
    ball.page.mouse.dblclick(x + 90, y - 100)
    ball.settle()
    assert ball.ask(ANGLES) == start
    ball.drag((x, y), (30, 18))
    assert ball.ask(ANGLES) != start
    ball.plots.press("Home")
    ball.settle()
    assert ball.ask(ANGLES) == start
    frame = ball.page.locator(".plot").first.bounding_box()
    ball.page.mouse.click(frame["x"] + 5, frame["y"] + 5)
    ball.settle()
    assert ball.labels == [], "empty space has neither note nor label"
    assert not ball.page.locator(".tip").first.is_visible()


def test_points_with_known_values_are_ringed_wherever_the_turn_takes_them(page):
    ball = bare(page, ball_scene(known=(30,)))
    text = ball.ask("s.board.theme.text")

    def is_ringed(i: int) -> bool:
        block = np.reshape(ball.ask(f"{PIXELS}(s.panels[1].base, {i}, 13)"), (13, 13, 4))
        dark = np.abs(block[6, :, :3] - text).max(axis=1) < 30
        return bool(dark[:3].any() and dark[-3:].any())  # to the left and right, 4.8 pixels away

    assert (is_ringed(3), is_ringed(4)) == (True, False)
    before = ball.ask(ANGLES)
    ball.drag(spot(ball, NEAR), (20, 10))
    assert ball.ask(ANGLES) != before
    assert (is_ringed(3), is_ringed(4)) == (True, False)


def test_hover_and_click_find_the_near_point_and_not_the_one_behind_it(ball):
    assert np.hypot(*np.subtract(spot(ball, NEAR), spot(ball, FAR))) < 0.5, "on one line of sight"
    assert hover(ball, NEAR) == NEAR
    tip = ball.page.locator(".tip").first
    coordinates = ", ".join(f"{v:.3g}" for v in SCENE.points.xyz[NEAR]).replace("-", "−")
    assert tip.inner_text().startswith(coordinates)
    assert f"row {10 * NEAR + 1}" in tip.inner_text()

    image = tip.locator(".portrait").first
    frame = image.bounding_box()
    assert (round(frame["width"]), round(frame["height"])) == (72, 48)
    assert image.evaluate("(c) => getComputedStyle(c).imageRendering") == "pixelated"
    pixels = image.evaluate(
        "(c) => [...c.getContext('2d').getImageData(0, 0, 3, 2).data].filter((_, i) => i % 4 < 3)"
    )
    ink, paper = ball.ask("[s.board.theme.text, s.board.theme.background]")
    expected = [ink if bit else paper for bit in (0, 1, 0, 1, 0, 1)]
    np.testing.assert_allclose(np.reshape(pixels, (6, 3)), expected, atol=1)

    ball.page.mouse.click(*spot(ball, NEAR, panel=2))
    ball.settle()
    assert [label[2] for label in ball.labels] == [10 * NEAR]
    ball.ask("(s.view.rotate(Math.PI, 0), s.view.elevation *= -1, s.viewChanged(), 0)")
    ball.settle()
    assert hover(ball, NEAR) == FAR, "from the other side the order is reversed"


def test_a_label_stays_on_its_point_and_a_far_point_is_fainter(page):
    ball = bare(page, ball_scene(labels=(Label(10 * NEAR, 1, (9.0, 9.0)),)))

    def pixels_of_the_second_class() -> int:
        """Number of pixels in its colour near the labelled point."""
        pixels = ball.ask(f"{PIXELS}(s.panels[0].over, {NEAR}, 9)")
        colours = np.reshape(pixels, (-1, 4))[:, :3]
        return (colours == ball.ask("s.board.theme.classes[1]")).all(axis=1).sum()

    def strength(i: int) -> float:
        """Distance of the point's colour from the page's."""
        pixel = ball.ask(f"{PIXELS}(s.panels[2].base, {i}, 1)")[:3]
        return np.linalg.norm(np.subtract(pixel, ball.ask("s.board.theme.background")))

    poles = [i for i in range(N) if abs(SCENE.points.xyz[i, 2]) == 1]
    near = ball.ask("[...s.scene.space.near]")
    front, back = sorted(poles, key=lambda i: -near[i])
    assert near[front] > 0.6 > 0.4 > near[back]
    assert strength(front) > 1.15 * strength(back)
    assert pixels_of_the_second_class() > 30
    ball.drag(spot(ball, NEAR), (40, -25))
    assert pixels_of_the_second_class() > 30


def test_keys_rotate_go_from_point_to_point_and_label(ball):
    start = ball.ask(ANGLES)
    ball.plots.focus()
    ball.press("Shift+ArrowRight", "Shift+ArrowDown")
    ball.settle()
    rotated = ball.ask(ANGLES)
    assert rotated[0] > start[0]
    assert rotated[1] > start[1]
    assert "Shift with arrow keys turns" in ball.plots.get_attribute("aria-label")
    ball.press("ArrowRight")
    point = ball.ask("s.hand.cursor.point")
    assert ball.ask(f"s.scene.space.near[{point}]") > 0.5, "the near side comes first"
    ball.press("Shift+ArrowLeft")  # the cursor stays on its point
    ball.settle()
    assert ball.ask("s.hand.cursor.point") == point
    assert ball.ask("[s.hand.cursor.x, s.hand.cursor.y]") == ball.places[point].tolist()
    ball.press("2", "Enter")
    ball.settle()
    assert [label[2:] for label in ball.labels] == [[10 * point, 1]]


def test_a_finger_rotates_sideways_and_scrolls_the_page_vertically(new_page):
    page = new_page(**PHONE)
    ball = bare(page, SCENE)
    start = ball.ask(ANGLES)
    swipe(page, -120)
    rotated = ball.ask(ANGLES)
    assert rotated[0] < start[0] - 0.2
    assert in_view(page) == [0], "the tabs and the heads swipe"
    page.evaluate("document.body.style.height = '3000px'")
    swipe(page, 0, -150)
    assert ball.ask(ANGLES) == rotated
    assert page.evaluate("scrollY") > 60
