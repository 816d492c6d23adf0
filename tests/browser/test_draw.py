"""Drawing on the stage: by mouse, finger and keys, and what becomes of it elsewhere."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from explorer_page import Explorer

from lapviz import datasets
from lapviz.datasets.drawings import SHEET, Drawing, decode, encode
from lapviz.explorer.compute import fits
from lapviz.explorer.host.limits import LOCAL_MODES

ROOT = Path(__file__).parents[2]
GAMMA = "s.channel.lasting.modes[0].gamma"


# ---- the code, in both languages --------------------------------------------------------------


def drawing_of(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, 40, 500]))
    X = rng.normal(size=(n, 2)) * 0.3 * 10 ** rng.uniform(-2, 2)
    codes = rng.integers(-1, rng.integers(1, 11), n)
    return Drawing.of(X, codes, rng.random(n) < 0.2, SHEET if seed % 2 else None)


def test_python_and_the_browser_write_and_read_the_same_codes(js):
    drawings = [drawing_of(seed) for seed in range(60)]
    codes = [encode(drawing) for drawing in drawings]
    read = js.evaluate(
        """(codes) => {
          const d = stageModules.drawing;
          return codes.map((code) => {
            const found = d.decode(code), shuffled = [...found.points].reverse();
            return {
              again: d.encode({ ...found, points: shuffled }),
              xy: found.points.map((p) => d.placeOf(p, found.sheet)),
              codes: found.points.map(d.codeOf),
              labelled: found.points.map(d.isLabel),
            };
          });
        }""",
        codes,
    )
    for drawing, code, there in zip(drawings, codes, read, strict=True):
        assert there["again"] == code
        assert np.array_equal(there["xy"], drawing.X)  # to the last bit
        assert there["codes"] == drawing.codes.tolist()
        assert there["labelled"] == drawing.labelled.tolist()


def test_both_refuse_the_same(js):
    rng, letters = np.random.default_rng(0), list("ABCDEFabcdef0123456789-_")
    good, broken = encode(drawing_of(2)), []
    for at in range(0, len(good), 7):
        other = rng.choice([letter for letter in letters if letter != good[at]])
        broken += [good[:at] + other + good[at + 1 :], good[:at]]
    broken += ["", "A", "=", "ä", "AQIAAAAAAA", good + "A", good + good]
    said = js.evaluate(
        """(codes) => codes.map((code) => {
          try { stageModules.drawing.decode(code); return "read"; } catch (e) { return e.message; }
        })""",
        [good, *broken],
    )
    assert said[0] == "read"
    assert all("drawing" in words for words in said[1:])
    for code in broken:
        with pytest.raises(ValueError, match="drawing"):
            decode(code)


def test_the_brush_is_seeded_stays_in_its_circle_and_knows_its_limits(js):
    found = js.evaluate(
        """() => {
          const { drawBrush: b, drawing: d } = stageModules;
          const spray = (seed) => b.spray([10, 20], [110, 20], 5, 400, b.randomFrom(seed));
          const many = Array(4998).fill([0, 0]);
          const [full] = b.painted([], many, d.SHEET, 1, true);
          return {
            spray: spray(1), again: spray(1), other: spray(2),
            full: b.painted(full, [[0, 0], [5, 0], [0, 0], [0, 0]], d.SHEET, -1, true)[0].length,
            left: b.painted(full, [[0, 0], [0, 0], [0, 0]], d.SHEET, 0, false)[1],
            labels: full.every((p) => d.codeOf(p) === 1 && d.isLabel(p)),
          };
        }"""
    )
    x, y = np.array(found["spray"]).T
    assert found["spray"] == found["again"] != found["other"]
    aside = np.maximum(np.maximum(10 - x, x - 110), 0)
    assert np.hypot(aside, y - 20).max() <= 5
    assert abs(x.mean() - 60) < 8  # uniform along 100 pixels: 400 of them have an error of 1.4
    assert abs(np.mean((y - 20) ** 2) - 25 / 4) < 1.5  # of a disc of radius 5
    assert (found["full"], found["left"], found["labels"]) == (5000, True, True)


def test_points_on_screen_become_a_drawing_and_labels_keep_their_points(js):
    found = js.evaluate(
        """() => {
          const { drawBrush: b, drawing: d, draw } = stageModules;
          const n = 900, xy = new Float32Array(2 * n), index = new Int32Array(n);
          for (let i = 0; i < n; i++) {
            xy[2 * i] = i / n; xy[2 * i + 1] = -i / n; index[i] = 2 * i;
          }
          const scene = { xy, index, truth: index.map((_, i) => i % 3 - 1) };
          const labels = [
            { index: 8, x: xy[8], y: xy[9], code: 1 },
            { index: -1, x: 0.5, y: 0.5, code: 0 },
            { index: 801, x: 9, y: 9, code: 0 },
          ];
          const points = b.pointsFrom(scene, labels, d.SHEET, 500);
          const after = { xy: xy.slice(2), index: index.slice(0, -1) }; // the first point is gone
          return {
            n: points.length, all: b.pointsFrom(scene, [], d.SHEET, 5000).length,
            labelled: points.filter(d.isLabel).map((p) => [...d.placeOf(p, d.SHEET), d.codeOf(p)]),
            codes: points.map(d.codeOf), xs: points.map((p) => d.placeOf(p, d.SHEET)[0]),
            moved: draw.relocated(labels, after),
          };
        }"""
    )
    assert (found["n"], found["all"]) == (500, 900)
    free, of_row = found["labelled"]
    assert np.allclose(free, [0.5, 0.5, 0], atol=1e-3)
    assert np.allclose(of_row, [4 / 900, -4 / 900, 1], atol=1e-3)
    counts = np.bincount(np.array(found["codes"]) + 1)
    assert counts.min() > 120  # every class is thinned alike
    assert np.histogram(found["xs"], bins=5, range=(0, 1))[0].min() > 80
    assert [(label["index"], label["code"]) for label in found["moved"]] == [(6, 1), (-1, 0)]


# ---- hands ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def root(app):
    return app(ROOT / "app.py").partition("/?")[0]


def tab_of(browser, root, **more):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **more)
    return Explorer(context.new_page(), root)


def ring(x, y, r, n=24):
    turns = [2 * math.pi * k / n for k in range(n + 1)]
    return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]


def spots(tab, path):
    """Places in the window of places on the sheet, which fills its box."""
    (x0, y0), (x1, y1) = tab.spot(0, 0), tab.spot(1, 1)
    return [(x0 + x * (x1 - x0), y0 + y * (y1 - y0)) for x, y in path]


def by_mouse(tab, path):
    mouse, (first, *rest) = tab.page.mouse, spots(tab, path)
    mouse.move(*first)
    mouse.down()
    for place in rest:
        mouse.move(*place)
    mouse.up()


def by_finger(tab, path):
    session = tab.page.context.new_cdp_session(tab.page)
    for k, (x, y) in enumerate(spots(tab, path)):
        kind = "touchMove" if k else "touchStart"
        points = [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def count(tab):
    return tab.stage("s.draw.current.points.length")


def agree(tab):
    """Hand, URL, stage and numbers say the same."""
    code = tab.rest().stage("s.draw.message")
    tab.until("drawing", code).fine()  # the link may follow a moment after the picture
    assert tab.stage("[s.draw.message, s.scene.drawing]") == [code, code]
    return code


@pytest.mark.parametrize(("hand", "touch", "half"), [(by_mouse, False, 150), (by_finger, True, 60)])
def test_hundreds_of_points_are_the_same_elsewhere(browser, root, hand, touch, half):
    tab = tab_of(browser, root, has_touch=touch)
    tab.open("labels", data="drawn")
    tab.page.get_by_role("slider", name="Density", exact=True).fill("12")
    for name, path in (("class 1", ring(-0.4, 0, 0.4)), ("class 2", ring(0.4, 0, 0.4))):
        tab.page.get_by_role("radio", name=name, exact=True).click()
        hand(tab, path)
        while count(tab) < (half if name == "class 1" else 2 * half):
            hand(tab, path)
    code = agree(tab)
    data = datasets.load("drawn", source=code)
    assert 2 * half <= len(data.X) <= 500
    assert set(data.y) == {0, 1}
    middles = [data.X[data.y == k].mean(axis=0) for k in range(2)]
    assert np.allclose(middles, [[-0.4, 0], [0.4, 0]], atol=0.1)
    below = f"{len(data.X)} points, 4 labels"  # the numbers below follow the picture
    tab.page.get_by_text(below).wait_for()
    gamma, scores = tab.stage(GAMMA), tab.rest().scores
    problem = fits.method(tab.settings)
    assert gamma == problem.spectrum(LOCAL_MODES, False).gamma.tolist()
    if touch:  # the link is of one kind, whatever hand made it
        tab.page.context.close()
        return

    other = tab_of(browser, root)
    other.page.goto(tab.page.url)
    other.page.get_by_text(below).wait_for()
    assert agree(other) == code
    assert other.stage(GAMMA) == gamma  # to the last digit
    assert other.scores == scores
    other.page.context.close()
    tab.page.context.close()


def test_keys_alone_paint_erase_and_move(page, root):
    tab = Explorer(page, root)
    keys = tab.page.keyboard
    tab.open("labels", data="drawn")
    tab.page.get_by_role("application").focus()
    for _ in range(3):
        keys.press("Shift+ArrowLeft")
    keys.press("Space")
    painted = count(tab)
    assert painted > 1
    keys.press("2")
    for _ in range(6):
        keys.press("Shift+ArrowRight")
    keys.press("Space")
    assert count(tab) == 2 * painted
    keys.press("0")
    keys.press("Space")
    data = datasets.load("drawn", source=agree(tab))
    assert sorted(data.y) == [-1] * painted + [0] * painted + [1] * painted
    assert data.X[data.y == 0, 0].max() < -0.3 < 0.3 < data.X[data.y == 1, 0].min()
    assert np.abs(data.X[:, 1]).max() < 0.3

    keys.press("e")
    keys.press("Space")  # both heaps on the right
    assert count(tab) == painted
    keys.press("Control+z")
    assert count(tab) == 3 * painted
    keys.press("m")
    keys.press("Space")
    for _ in range(5):
        keys.press("ArrowUp")
    keys.press("Space")
    data = datasets.load("drawn", source=agree(tab))
    assert data.X[data.y == 1, 1].mean() > 0.15
    assert abs(data.X[data.y == 0, 1].mean()) < 0.1
    for _ in range(4):
        keys.press("Control+z")
    assert count(tab) == 0
    keys.press("Control+y")
    assert count(tab) == painted
    keys.press("Escape")
    assert tab.stage("s.draw.on") is False
    agree(tab)


def test_a_key_undoes_what_a_button_has_redone(page, root):
    tab = Explorer(page, root)
    tab.open("labels", data="half_moons", n=200, p=40)
    tab.page.get_by_role("button", name="Draw", exact=True).click()
    tab.page.get_by_role("button", name="These points").click()
    tab.until("data", "drawn")
    by_mouse(tab, ring(0.5, 0.5, 0.1))
    painted = count(tab)
    bar = tab.page.get_by_role("toolbar", name="Drawing")
    bar.get_by_role("button", name="Undo").click()
    bar.get_by_role("button", name="Redo").click()
    assert count(tab) == painted > 200
    tab.page.keyboard.press("Control+z")
    assert count(tab) == 200
    agree(tab)


def test_the_last_thing_that_a_hand_did_holds(page, root):
    tab, chance = Explorer(page, root), random.Random(3)
    tab.open("labels", data="half_moons", n=200, p=40)
    tab.page.get_by_role("button", name="Draw", exact=True).click()
    tab.page.get_by_role("button", name="These points").click()
    tab.until("data", "drawn")
    assert count(tab) == 200
    keys = tab.page.keyboard
    for _ in range(14):
        act = chance.choice(["paint", "paint", "erase", "undo", "redo", "class", "middle"])
        path = [(chance.uniform(-0.9, 0.9), chance.uniform(-0.9, 1.9)) for _ in range(3)]
        if act == "middle":  # another class and an undo while the button is down
            tab.page.mouse.move(*tab.spot(*path[0]))
            tab.page.mouse.down()
            tab.page.mouse.move(*tab.spot(*path[1]), steps=4)
            keys.press(chance.choice("123"))
            keys.press("Control+z")
            tab.page.mouse.move(*tab.spot(*path[2]), steps=4)
            tab.page.mouse.up()
        elif act in ("paint", "erase"):
            keys.press(act[0].replace("p", "b"))
            by_mouse(tab, path)
        else:
            keys.press({"undo": "Control+z", "redo": "Control+y"}.get(act, chance.choice("0123")))
        tab.page.wait_for_timeout(chance.choice((0, 20, 120)))
    code = agree(tab)
    assert tab.stage("s.scene.n_samples") == len(decode(code).cells)
    # other data end it, and the drawing comes back as it was
    tab.choose("Data set", "Plane · Circle").until("data", "circle")
    assert tab.stage("[s.draw.on, s.draw.current]") == [False, None]
    tab.choose("Data set", "Your data · Drawing").until("data", "drawn")
    assert agree(tab) == code


def test_too_many_points_for_a_link_stay_with_their_visitor(browser, page, root):
    tab = Explorer(page, root)
    tab.open("labels", data="drawn", p=40)
    tab.page.get_by_role("slider", name="Density", exact=True).fill("40")
    while count(tab) <= 500:
        by_mouse(tab, ring(0, 0, 0.7))
    tab.rest().fine()
    assert tab.query["drawing"] == "large"
    assert "too many for a link" in tab.text
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("button", name="Save as a file").click()
    rows = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert rows[0] == "x,y,class,labelled"
    there = decode(tab.stage("s.draw.message"))
    X = np.array([[float(v) for v in row.split(",")[:2]] for row in rows[1:]])
    assert np.array_equal(X, there.X)
    other = tab_of(browser, root)
    other.page.goto(tab.page.url)
    other.rest()
    assert any("more than 500 points" in words for words in other.warnings)
    assert count(other) == 0
    other.page.context.close()
