"""Points in space: the projection against numpy, and turning, hovering and labelling by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import stage_scenes
from explorer_page import Explorer
from test_stage_alone import opened, until

from lapviz.labels import Label
from lapviz.scenes import Panel, Points, Scene

EYE = 5  # distance of the eye in radii
STAGE = "const s = window.__lapviz.stages.alone;"


def seen_from(xyz, azimuth, elevation):
    """Places in the picture and depths: turned about the third axis, then tipped, then projected.

    The third axis stands upright, and the eye looks along the second.
    """
    middle = 0.5 * (xyz.min(axis=0) + xyz.max(axis=0))
    Z = xyz - middle
    radius = np.linalg.norm(Z, axis=1).max()
    c, s = np.cos(azimuth), np.sin(azimuth)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(elevation), np.sin(elevation)
    tip = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    turned = Z @ about.T @ tip.T
    depth = -turned[:, 1]  # towards the eye
    return turned[:, [0, 2]] * (EYE * radius / (EYE * radius - depth))[:, None], depth / radius


LOOK = """([xyz, azimuth, elevation]) => {
  const space = new window.stageModules.space.Space(
    Float32Array.from(xyz), new Float32Array((2 * xyz.length) / 3));
  space.look({ azimuth, elevation });
  return { xy: [...space.xy], near: [...space.near], order: [...space.order], view: space.view };
}"""


@pytest.mark.parametrize("angles", [(0, 0), (0.7, 0.3), (-2.5, 1.2), (3.0, -np.pi / 2)])
def test_the_projection_is_a_turn_a_tip_and_a_perspective(js, angles):
    xyz = np.random.default_rng(0).normal(size=(200, 3)) * [1, 3, 2] + [5, 0, -2]
    found = js.evaluate(LOOK, [xyz.ravel().tolist(), *angles])
    xy, depth = seen_from(xyz, *angles)
    np.testing.assert_allclose(np.reshape(found["xy"], (-1, 2)), xy, atol=2e-5)
    np.testing.assert_allclose(found["near"], 0.5 * (1 + depth), atol=1e-6)
    ordered = depth[found["order"]]
    assert sorted(found["order"]) == list(range(200))
    assert np.diff(ordered).min() > -2 / 2048, "from the back to the front, up to a bucket"


def test_a_ball_is_seen_as_a_disc_that_fits_the_picture(js):
    rng = np.random.default_rng(1)
    ball = rng.normal(size=(20_000, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    found = js.evaluate(LOOK, [ball.ravel().tolist(), 0.4, 0.5])
    xy = np.reshape(found["xy"], (-1, 2))
    outline = EYE / np.sqrt(EYE**2 - 1)
    for angle in np.linspace(0, 2 * np.pi, 12):
        reach = (xy @ [np.cos(angle), np.sin(angle)]).max()
        assert reach == pytest.approx(outline, rel=0.01)
    x0, x1, y0, y1 = found["view"]
    assert -x0 == x1 == -y0 == y1 > outline


# ---- by hand --------------------------------------------------------------------------------


def ball_scene(**changes):
    """Three panels of a ball, the last two points on one line of sight at the start view."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    azimuth, elevation = -0.44, 0.35
    c, s, e, f = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
    front = np.array([-s * e, -c * e, f])
    X = X[np.linalg.norm(np.cross(X, front), axis=1) > 0.35]  # nothing else on that line
    box = np.vstack([np.eye(3), -np.eye(3)])  # the middle of the box is the middle of the ball
    X = np.vstack([X, box, front, -front])
    n = len(X)
    panels = tuple(Panel(f"f{k}", X[:, k : k + 1].T) for k in range(3))
    images = np.zeros((n, 2, 3), np.uint8)
    images[n - 2] = [[0, 255, 0], [255, 0, 255]]
    given = {
        "panels": panels,
        "points": Points(X[:, :2], 10 * np.arange(n), np.arange(n) % 2, X, images),
        "view": (-1, 1, -1, 1),
        "view_key": "ball",
        "classes": ("A", "B"),
        "axes": ("x₁", "x₂", "x₃"),
        "editable": True,
        "rev": 0,
    }
    return Scene(**given | changes)


class Ball:
    def __init__(self, page, scene):
        self.page, self.scene = opened(page, scene), scene
        self.n = len(scene.points.xyz)

    def ask(self, code):
        return self.page.evaluate(f"() => {{ {STAGE} return {code}; }}")

    def rest(self):
        until(self.page, f"(() => {{ {STAGE} return !s.board.pending && !s.board.moving; }})()")

    def spot(self, i, panel=0):
        """Place on the page of a drawn point."""
        px, py = self.ask(
            f"s.view.toPixel(s.scene.points.xy[{2 * i}], s.scene.points.xy[{2 * i + 1}],"
            " s.board.place.box)"
        )
        frame = self.page.locator(".plot").nth(panel).bounding_box()
        return frame["x"] + px, frame["y"] + py

    def hover(self, i, panel=0):
        self.page.mouse.move(0, 0)
        self.page.mouse.move(*self.spot(i, panel))
        self.rest()
        return self.ask("s.hand.target && s.hand.target.point")

    def drag(self, start, way):
        (x, y), (dx, dy) = start, way
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for share in (0.5, 1.0):
            self.page.mouse.move(x + share * dx, y + share * dy)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.rest()

    @property
    def angles(self):
        return self.ask("[s.view.azimuth, s.view.elevation]")

    @property
    def pictures(self):
        return self.page.evaluate(
            f"() => {{ {STAGE} return s.panels.map(({{ base }}) => base.toDataURL()); }}"
        )


@pytest.fixture
def ball(page):
    return Ball(page, ball_scene())


def test_the_side_that_is_seen_follows_the_hand_in_all_panels(ball):
    front, before = ball.n - 2, ball.pictures
    x, y = ball.spot(front, panel=1)
    ball.drag((x, y), (30, 18))
    assert all(a != b for a, b in zip(before, ball.pictures, strict=True)), "they turn together"
    u, v = ball.spot(front, panel=1)
    assert 24 < u - x < 45
    assert 14 < v - y < 28
    xy, _ = seen_from(ball.scene.points.xyz, *ball.angles)
    np.testing.assert_allclose(np.reshape(ball.ask("[...s.scene.points.xy]"), (-1, 2)), xy,
                               atol=1e-5)  # fmt: skip


def test_a_double_click_and_home_bring_the_start_view_back(ball):
    start, x, y = ball.angles, *ball.spot(ball.n - 2)
    assert not ball.ask("s.view.zoomed")
    ball.drag((x, y), (30, 18))
    assert ball.ask("s.view.zoomed")
    ball.page.mouse.dblclick(x + 90, y - 100)
    ball.rest()
    assert ball.angles == start
    ball.drag((x, y), (30, 18))
    ball.page.locator(".plots").focus()
    ball.page.keyboard.press("Home")
    ball.rest()
    assert ball.angles == start


def test_hover_and_click_find_the_near_point_and_not_the_one_behind_it(ball):
    near, far = ball.n - 2, ball.n - 1
    assert np.hypot(*np.subtract(ball.spot(near), ball.spot(far))) < 0.5, "on one line of sight"
    assert ball.hover(near) == near
    tip = ball.page.locator(".tip").first
    words = ", ".join(f"{v:.3g}" for v in ball.scene.points.xyz[near]).replace("-", "−")
    assert tip.inner_text().startswith(words)
    assert f"row {10 * near + 1}" in tip.inner_text()
    ball.page.mouse.click(*ball.spot(near, panel=2))
    ball.rest()
    assert ball.ask("s.labels.map((l) => l.index)") == [10 * near]
    ball.page.evaluate(
        f"() => {{ {STAGE} s.view.turn(Math.PI, 0); s.view.elevation *= -1; s.moved(); }}"
    )
    ball.rest()
    assert ball.hover(near) == far, "from the other side it is the other way round"


def test_empty_space_gets_neither_a_note_nor_a_label(ball):
    frame = ball.page.locator(".plot").first.bounding_box()
    ball.page.mouse.click(frame["x"] + 5, frame["y"] + 5)
    ball.rest()
    assert ball.ask("s.labels") == []
    assert not ball.page.locator(".tip").first.is_visible()


def test_the_mark_of_a_label_stays_on_its_point(page):
    scene = ball_scene()
    row = len(scene.points.xyz) - 2
    ball = Ball(page, ball_scene(labels=(Label(10 * row, 1, (9.0, 9.0)),)))

    def orange():
        """Pixels of the second class within a few pixels of the labelled point."""
        x, y = ball.ask(f"s.view.toPixel(s.scene.points.xy[{2 * row}], "
                        f"s.scene.points.xy[{2 * row + 1}], s.board.place.box)")  # fmt: skip
        return ball.ask(
            f"""(() => {{
              const c = s.panels[0].over.getContext("2d"), [r, g, b] = s.board.theme.classes[1];
              const {{ data }} = c.getImageData({round(x)} - 4, {round(y)} - 4, 9, 9);
              let n = 0;
              for (let p = 0; p < data.length; p += 4)
                n += data[p] === r && data[p + 1] === g && data[p + 2] === b;
              return n;
            }})()"""
        )

    assert orange() > 30
    ball.drag(ball.spot(row), (40, -25))
    assert orange() > 30


def test_keys_turn_go_from_point_to_point_and_label(ball):
    plots, start = ball.page.locator(".plots"), ball.angles
    plots.focus()
    ball.page.keyboard.press("Shift+ArrowRight")
    ball.page.keyboard.press("Shift+ArrowDown")
    ball.rest()
    turned = ball.angles
    assert turned[0] > start[0]
    assert turned[1] > start[1]
    assert "Shift with arrow keys turns" in plots.get_attribute("aria-label")
    ball.page.keyboard.press("ArrowRight")
    point = ball.ask("s.hand.cursor.point")
    assert ball.ask(f"s.scene.space.near[{point}]") > 0.5, "the near side comes first"
    ball.page.keyboard.press("Shift+ArrowLeft")  # the cursor stays on its point
    ball.rest()
    assert ball.ask("s.hand.cursor.point") == point
    place = ball.ask("[s.hand.cursor.x, s.hand.cursor.y]")
    assert place == ball.ask(f"[...s.scene.points.xy.slice({2 * point}, {2 * point + 2})]")
    ball.page.keyboard.press("2")
    ball.page.keyboard.press("Enter")
    ball.rest()
    assert ball.ask("s.labels.map((l) => [l.index, l.code])") == [[10 * point, 1]]


def test_a_far_point_is_fainter_than_a_near_one(ball):
    def strength(i):
        """Distance of the point's own colour from the page's, in the third panel."""
        pixel = ball.ask(
            f"""(() => {{
              const {{ xy }} = s.scene.points;
              const at = s.view.toPixel(xy[{2 * i}], xy[{2 * i + 1}], s.board.place.box);
              const context = s.panels[2].base.getContext("2d");
              return [...context.getImageData(...at.map(Math.round), 1, 1).data];
            }})()"""
        )
        return np.linalg.norm(np.subtract(pixel[:3], ball.ask("s.board.theme.background")))

    poles = [i for i in range(ball.n) if abs(ball.scene.points.xyz[i, 2]) == 1]
    near = ball.ask("[...s.scene.space.near]")
    front, back = sorted(poles, key=lambda i: -near[i])
    assert near[front] > 0.6 > 0.4 > near[back]
    assert strength(front) > 1.15 * strength(back)


def test_the_image_of_a_point_is_in_its_note(ball):
    ball.hover(ball.n - 2)
    picture = ball.page.locator(".tip .portrait").first
    frame = picture.bounding_box()
    assert (round(frame["width"]), round(frame["height"])) == (72, 48)
    assert picture.evaluate("(c) => getComputedStyle(c).imageRendering") == "pixelated"
    found = picture.evaluate(
        "(c) => [...c.getContext('2d').getImageData(0, 0, 3, 2).data].filter((_, i) => i % 4 < 3)"
    )
    ink, page = ball.ask("s.board.theme.text"), ball.ask("s.board.theme.background")
    wanted = [ink if bit else page for bit in (0, 1, 0, 1, 0, 1)]
    np.testing.assert_allclose(np.reshape(found, (6, 3)), wanted, atol=1)


# ---- one panel at a time --------------------------------------------------------------------


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    errors = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def in_view(page):
    """Which panels lie wholly within the window's width."""
    return page.evaluate(
        """[...document.querySelectorAll(".panel")].flatMap((node, i) => {
          const { left, right } = node.querySelector(".plot").getBoundingClientRect();
          return left >= -1 && right <= innerWidth + 1 ? [i] : [];
        })"""
    )


def swipe(page, dx, dy=0):
    """One finger across the middle of the pictures, as the browser's own input."""
    frame = page.locator(".plots").bounding_box()
    x, y = 195 - dx / 2, frame["y"] + frame["height"] / 2 - dy / 2
    client = page.context.new_cdp_session(page)

    def touch(kind, *places):
        points = [{"x": px, "y": py} for px, py in places]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x, y))
    for share in np.linspace(0.05, 1, 20):
        touch("touchMove", (x + share * dx, y + share * dy))
        page.wait_for_timeout(16)
    touch("touchEnd")
    page.wait_for_timeout(700)


def test_panels_are_swiped_and_named(phone):
    scene = stage_scenes.scene((Label(0, 0, (0.2, 0.2)), Label(10, 1, (0.7, 0.6))))
    page = opened(phone, scene)
    assert in_view(page) == [0]
    tabs = page.get_by_role("navigation", name="Panels").get_by_role("button")
    names = [panel.title for panel in scene.panels]
    assert tabs.all_inner_texts() == names
    height = page.evaluate("document.querySelector('.stage').getBoundingClientRect().height")
    assert height < 844, "λ and a panel share the window"
    before = page.evaluate(f"() => {{ {STAGE} return s.labels.length; }}")
    swipe(page, -250)
    assert in_view(page) == [1]
    assert [tab.get_attribute("aria-current") for tab in tabs.all()] == [None, "true", None]
    swipe(page, 250)
    assert in_view(page) == [0]
    assert page.evaluate(f"() => {{ {STAGE} return s.labels.length; }}") == before
    tabs.nth(2).click()
    page.wait_for_timeout(700)
    assert in_view(page) == [2]
    frame = page.locator(".plot").nth(2).bounding_box()
    page.touchscreen.tap(frame["x"] + 200, frame["y"] + 150)
    until(page, f"(() => {{ {STAGE} return s.labels.length === {before + 1}; }})()")


def test_a_finger_turns_what_lies_in_space_and_scrolls_the_page_upright(phone):
    ball = Ball(phone, ball_scene())
    start = ball.angles
    swipe(phone, -120)
    assert ball.angles[0] < start[0] - 0.2
    assert in_view(phone) == [0], "the tabs and the heads swipe"
    turned = ball.angles
    phone.evaluate("document.body.style.height = '3000px'")
    swipe(phone, 0, -150)
    assert ball.angles == turned
    assert phone.evaluate("scrollY") > 60


def test_a_wide_stage_shows_all_panels_at_once(page):
    opened(page, stage_scenes.scene((Label(0, 0, (0.2, 0.2)),)))
    assert in_view(page) == [0, 1, 2]
    assert page.get_by_role("navigation", name="Panels").count() == 0


# ---- in the explorer ------------------------------------------------------------------------


@pytest.fixture
def explorer(page, app):
    tab = Explorer(page, app(Path(__file__).parents[2] / "app.py").partition("/?")[0])
    page.set_default_timeout(30_000)  # the first page of a server takes long
    yield tab
    tab.fine()


def test_the_turn_survives_reruns_and_ends_with_the_data(page, explorer):
    explorer.open("labels", data="swiss_roll", n=300, p=40)
    page.wait_for_function("Object.values(window.__lapviz?.stages ?? {})[0]?.view")
    explorer.rest()
    start = explorer.stage("s.view.azimuth")
    page.get_by_role("application").focus()
    page.keyboard.press("Shift+ArrowRight")
    turned = explorer.stage("s.view.azimuth")
    assert turned > start
    explorer.choose("Kernel", "Exponential (Matérn 1/2)").until("kernel", "exponential")
    assert explorer.stage("s.view.azimuth") == turned
    explorer.choose("Data set", "Surface · Sphere").until("data", "sphere")
    assert explorer.stage("s.view.azimuth") == start


def test_a_click_in_space_labels_the_row_in_python(page, explorer):
    explorer.open("labels", data="swiss_roll", n=120, p=40, labels="0c0")
    x, y = explorer.stage(
        """(() => { const { xy, count } = s.scene.points, { near } = s.scene.space;
          let at = 0; for (let i = 0; i < count; i++) if (near[i] > near[at]) at = i;
          window.__at = at; return [xy[2 * at], xy[2 * at + 1]]; })()"""
    )
    row = page.evaluate("window.__at")
    page.mouse.click(*explorer.spot(x, y))
    explorer.until("labels", f"0c0~{row}c0")
    explorer.agree()
