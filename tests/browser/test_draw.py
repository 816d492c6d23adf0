"""Drawing on the stage: by mouse, finger and keys; and the drawing in links and on other pages.

The code of a drawing in both languages, and the brush: tests/explorer/stage/test_geometry.py.
"""

import math
import random

import numpy as np
import pytest
from explorer_page import Explorer
from playwright.sync_api import expect
from stage_page import touch

from lapviz import datasets
from lapviz.datasets.drawings import Drawing, decode, encode
from lapviz.explorer.compute import fits
from lapviz.explorer.host.limits import LOCAL_MODES

GAMMA = "s.channel.staticPart.modes[0].gamma"


def ring(x, y, r, n=24):
    turns = [2 * math.pi * k / n for k in range(n + 1)]
    return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]


def spots(tab, path):
    """Places in the window of places on the sheet, which fills its box."""
    (x0, y0), (x1, y1) = tab.spot(0, 0), tab.spot(1, 1)
    return [(x0 + x * (x1 - x0), y0 + y * (y1 - y0)) for x, y in path]


def by_mouse(tab, path):
    tab.stroke(*spots(tab, path))


def by_finger(tab, path):
    touch(tab.page, spots(tab, path))


def count(tab):
    return tab.ask("s.draw.current.points.length")


def dense(tab, points):
    """Set how many points a stroke paints, behind *More*."""
    tab.page.get_by_role("radio", name="class 1", exact=True).wait_for()
    tab.open_more()
    tab.page.get_by_role("slider", name="Density", exact=True).fill(str(points))
    tab.page.get_by_role("button", name="More", exact=True).click()


def drawn(tab, source="s.draw.current"):
    """The drawing in the browser."""
    points = f"Array.from({source}.points)"
    sheet, numbers = tab.ask(f"[{source}.sheet, {points}]")
    return Drawing.of_numbers(numbers, sheet)


def agree(tab):
    """Check that editor, URL and stage have the same drawing; returns its code."""
    code = encode(drawn(tab.settle()))
    tab.until("drawing", code).fine()  # the link may follow a moment after the picture
    assert encode(drawn(tab)) == encode(drawn(tab, "s.scene.drawing")) == code
    return code


@pytest.mark.parametrize("draw", [by_mouse, by_finger])
def test_a_hundred_points_are_the_same_for_another_visitor(visitor, draw):
    count_per_class = 60
    tab = visitor(has_touch=draw is by_finger).open("labels", data="drawn")
    dense(tab, 12)
    for k, path in ((1, ring(-0.4, 0, 0.4, 12)), (2, ring(0.4, 0, 0.4, 12))):
        tab.page.get_by_role("radio", name=f"class {k}", exact=True).click()
        while count(tab) < k * count_per_class:
            draw(tab, path)
    code = agree(tab)
    data = datasets.load("drawn", source=code)
    assert 2 * count_per_class <= len(data.X) <= 500
    assert set(data.y) == {0, 1}
    means = [data.X[data.y == k].mean(axis=0) for k in range(2)]
    assert np.allclose(means, [[-0.4, 0], [0.4, 0]], atol=0.1)
    below = f"{len(data.X)} points, 4 labels"  # the numbers below follow the picture
    tab.page.get_by_text(below).wait_for(state="attached")
    gamma, scores = tab.ask(GAMMA), tab.settle().scores
    assert gamma == fits.method(tab.settings).spectrum(LOCAL_MODES, False).gamma.tolist()
    if draw is by_finger:  # the link does not depend on the kind of input
        return
    other = visitor()
    other.page.goto(tab.page.url)
    other.page.get_by_text(below).wait_for(state="attached")
    assert agree(other) == code
    assert other.ask(GAMMA) == gamma  # to the last digit
    assert other.scores == scores


def test_a_palm_beside_the_pen_ends_no_stroke(visitor):
    tab = visitor(has_touch=True).open("labels", data="drawn")
    (x, y), *rest = spots(tab, [(-0.5 + 0.1 * k, 0) for k in range(9)])
    cdp = tab.page.context.new_cdp_session(tab.page)

    def pen(kind, x, y):
        cdp.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left",
                 "buttons": 1, "clickCount": 1, "pointerType": "pen", "force": 0.5})  # fmt: skip

    pen("mousePressed", x, y)
    for place in rest[:4]:
        pen("mouseMoved", *place)
    tab.wait("s.draw.busy && s.draw.current.points.length > 6")
    before = count(tab)
    for kind, points in (("touchStart", [{"x": x + 20, "y": y + 90}]), ("touchEnd", [])):
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert tab.ask("s.draw.busy")
    for place in rest[4:]:
        pen("mouseMoved", *place)
    pen("mouseReleased", *rest[-1])
    tab.wait(f"!s.draw.busy && s.draw.current.points.length > {before}")
    agree(tab)
    X = drawn(tab).X
    assert np.ptp(X[:, 0]) > 0.7
    assert np.ptp(X[:, 1]) < 0.4  # nothing where the palm was


ROWS = """[...s.board.root.querySelectorAll('.toolbar > .bar')].filter((bar) => bar.offsetWidth)
  .map((bar) => new Set([...bar.children].filter((n) => n.offsetWidth)
    .map((n) => n.getBoundingClientRect())
    .map(({ top, bottom }) => Math.round((top + bottom) / 40))).size)"""


@pytest.mark.parametrize(("width", "height", "rows"), [(820, 1180, 1), (390, 844, 2)])
def test_drawing_has_one_bar_and_further_tools_behind_more(new_page, address, width, height, rows):
    """On a phone two full rows, as in other bars; λ and less frequent tools are behind More."""
    page = new_page(viewport={"width": width, "height": height})
    tab = Explorer(page, address).open("labels", data="drawn")
    page.get_by_role("radio", name="class 1", exact=True).wait_for()
    assert tab.ask(ROWS) == [rows]
    density = page.get_by_role("slider", name="Density", exact=True)
    expect(density).to_be_hidden()
    page.get_by_role("button", name="More", exact=True).click()
    expect(density).to_be_visible()
    expect(page.locator("input.lam")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    top = "s.panels[0].plot.getBoundingClientRect().top - s.root.getBoundingClientRect().top"
    before = tab.ask(top)
    for key in ("1", *["ArrowRight"] * 3, "Space", "2", *["ArrowUp"] * 2, "Space"):
        page.get_by_role("application").press(key)
    agree(tab)  # errors could be marked now that there are classes
    assert abs(tab.ask(top) - before) < 2, "the picture does not move while one draws"
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator(".bar input.lam")).to_be_visible()
    tab.fine()


def test_keys_alone_paint_erase_and_move(explorer):
    keys = explorer.open("labels", data="drawn").page.keyboard

    def press(*names):
        for name in names:
            keys.press(name)
        return count(explorer)

    explorer.page.get_by_role("application").focus()
    painted = press(*["Shift+ArrowLeft"] * 3, "Space")
    assert painted > 1
    assert press("2", *["Shift+ArrowRight"] * 6, "Space") == 2 * painted
    press("0", "Space")
    data = datasets.load("drawn", source=agree(explorer))
    assert sorted(data.y) == [-1] * painted + [0] * painted + [1] * painted
    assert data.X[data.y == 0, 0].max() < -0.3 < 0.3 < data.X[data.y == 1, 0].min()
    assert np.abs(data.X[:, 1]).max() < 0.3

    assert press("e", "Space") == painted  # both heaps on the right
    assert press("Control+z") == 3 * painted
    press("m", "Space", "ArrowUp", "Escape", "ArrowDown")  # put back; the cursor goes on
    assert press("m", "Space", "1", "ArrowUp", "ArrowDown") == 3 * painted  # put down
    press("m", "Space", *["ArrowUp"] * 5, "Space")
    data = datasets.load("drawn", source=agree(explorer))
    assert data.X[data.y == 1, 1].mean() > 0.15
    assert abs(data.X[data.y == 0, 1].mean()) < 0.1
    assert press(*["Control+z"] * 4) == 0
    assert press("Control+y") == painted
    keys.press("Escape")
    assert explorer.ask("s.draw.on") is False
    agree(explorer)


def test_the_last_of_many_quick_actions_holds(explorer):
    tab, page, rng = explorer, explorer.page, random.Random(3)
    tab.open("labels", data="half_moons", n=200, p=40)
    page.get_by_role("button", name="Draw", exact=True).click()
    tab.push("These points").until("data", "drawn")
    assert count(tab) == 200
    by_mouse(tab, ring(0.5, 0.5, 0.1))
    painted, bar = count(tab), page.get_by_role("toolbar", name="Drawing")
    bar.get_by_role("button", name="Undo").click()
    bar.get_by_role("button", name="Redo").click()
    assert count(tab) == painted > 200
    page.keyboard.press("Control+z")  # by key, after a button has redone it
    assert count(tab) == 200
    for _ in range(10):
        action = rng.choice(["paint", "paint", "erase", "undo", "redo", "class", "middle"])
        path = [(rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 1.9)) for _ in range(3)]
        if action == "middle":  # another class and an undo while the button is down
            page.mouse.move(*tab.spot(*path[0]))
            page.mouse.down()
            page.mouse.move(*tab.spot(*path[1]), steps=4)
            page.keyboard.press(rng.choice("123"))
            page.keyboard.press("Control+z")
            page.mouse.move(*tab.spot(*path[2]), steps=4)
            page.mouse.up()
        elif action in ("paint", "erase"):
            page.keyboard.press(action[0].replace("p", "b"))
            by_mouse(tab, path)
        else:
            keys = {"undo": "Control+z", "redo": "Control+y"}
            page.keyboard.press(keys.get(action, rng.choice("0123")))
        page.wait_for_timeout(rng.choice((0, 20, 120)))
    code = agree(tab)
    assert tab.ask("s.scene.n_samples") == len(decode(code).cells)
    # Other data end drawing; the drawing comes back unchanged.
    tab.choose("Data set", "Plane · Circle").until("data", "circle")
    assert tab.ask("[s.draw.on, s.draw.current]") == [False, None]
    tab.choose("Data set", "Your data · Drawing").until("data", "drawn")
    assert agree(tab) == code


def test_a_drawing_and_what_it_replaces_can_be_gone_on_with(explorer):
    """With the labels, those of the data set that it starts from and its own."""
    tab, page, marks = explorer, explorer.page, "3c0~5c1~9c0"
    tab.open("labels", data="half_moons", n=200, p=40, labels=marks)
    tab.open_more()
    page.get_by_role("button", name="Draw", exact=True).click()
    tab.push("An empty sheet").until("data", "drawn").settle()
    tab.push("Revert").until("labels", marks).settle()
    page.get_by_role("button", name="Draw", exact=True).click()
    tab.push("These points").until("data", "drawn").settle()
    page.get_by_role("button", name="Done").click()
    _, x, y = tab.isolated_point()
    page.mouse.click(*tab.spot(x, y))
    labels = tab.settle().query["labels"]
    page.get_by_role("link", name="Your data").click()
    page.wait_for_url("**/data*")
    tab.settle().page.get_by_text("Draw", exact=True).click()  # before: a tool of Labels
    tab.push("Draw on an empty sheet", "link").until("drawing", None).settle()
    assert count(tab) == 0
    page.get_by_role("link", name="Your data").click()
    page.get_by_role("button", name="Go on with your drawing of 200 points").wait_for()
    page.get_by_role("link", name="Labels", exact=True).click()
    tab.push("Revert").until("labels", labels).settle()
    page.get_by_role("link", name="Your data").click()
    tab.push("Go on with your drawing of 200 points").until("labels", labels).settle()
    assert count(tab) == 200


def test_too_many_points_for_a_link_stay_in_the_visitors_session(explorer, visitor):
    explorer.open("labels", data="drawn", p=40)
    dense(explorer, 40)
    while count(explorer) <= 500:
        by_mouse(explorer, ring(0, 0, 0.7, 12))
    explorer.settle().fine()
    assert explorer.query["drawing"] == "large"
    assert "too many for a link" in explorer.text
    rows = explorer.open_more().saved("Save as a file", exact=False).decode().splitlines()
    assert rows[0] == "x,y,class,labelled"
    drawing = drawn(explorer)
    X = np.array([[float(v) for v in row.split(",")[:2]] for row in rows[1:]])
    assert np.array_equal(X, drawing.X)
    other = visitor()
    other.page.goto(explorer.page.url)
    assert any("more than 500 points" in words for words in other.settle().warnings)
    assert count(other) == 0
