"""What the stage does with places: drawn points, the brush, panels in a window, points in space."""

from __future__ import annotations

import numpy as np
import pytest
from stage_scenes import EYE, seen_from

from lapviz.datasets.drawings import SHEET, Drawing


@pytest.mark.slow
def test_the_browser_reads_points_as_python_numbers_them_and_saves_them_in_their_order(js):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.choice([1, 2, 40, 500]))
        X = rng.normal(size=(n, 2)) * 0.3 * 10 ** rng.uniform(-2, 2)
        codes = rng.integers(-1, rng.integers(1, 11), n)
        drawing = Drawing.of(X, codes, rng.random(n) < 0.2, SHEET if seed % 2 else None)
        numbers = rng.permutation(drawing.numbers).tolist()
        there = js.evaluate(
            """([sheet, numbers]) => {
              const { drawing: d } = window.stageModules;
              const found = d.fromParts({ sheet, points: { data: Int32Array.from(numbers) } });
              const cell = (p) => d.cellAt(...d.placeOf(p, sheet), sheet);
              const again = (p) => d.pointOf(...cell(p), d.groupOf(p));
              return { same: found.points.every((p) => again(p) === p), table: d.asTable(found),
                sent: d.toNumbers(found) };
            }""",
            [list(drawing.sheet), numbers],
        )
        assert there["same"]
        assert there["sent"] == [*drawing.sheet, *numbers]
        rows = [row.split(",") for row in there["table"].splitlines()[1:]]
        assert np.array_equal([[float(v) for v in row[:2]] for row in rows], drawing.X)
        assert [int(row[2][6:] or 0) - 1 for row in rows] == drawing.codes.tolist()
        assert [row[3] == "1" for row in rows] == drawing.labelled.tolist()


def test_the_brush_is_seeded_stays_in_its_circle_and_knows_its_limits(js):
    found = js.evaluate(
        """() => {
          const { drawing: d } = window.stageModules;
          const spray = (seed) => d.spray([10, 20], [110, 20], 5, 400, d.randomFrom(seed));
          const many = Array(4998).fill([0, 0]);
          const [full] = d.painted([], many, d.SHEET, 1, true);
          return {
            spray: spray(1), again: spray(1), other: spray(2),
            full: d.painted(full, [[0, 0], [5, 0], [0, 0], [0, 0]], d.SHEET, -1, true)[0].length,
            left: d.painted(full, [[0, 0], [0, 0], [0, 0]], d.SHEET, 0, false)[1],
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
          const { drawing: d } = window.stageModules;
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
          const points = d.pointsFrom(scene, labels, d.SHEET, 500);
          const after = { xy: xy.slice(2), index: index.slice(0, -1) }; // the first point is gone
          return {
            n: points.length, all: d.pointsFrom(scene, [], d.SHEET, 5000).length,
            labelled: points.filter(d.isLabel).map((p) => [...d.placeOf(p, d.SHEET), d.codeOf(p)]),
            codes: points.map(d.codeOf), xs: points.map((p) => d.placeOf(p, d.SHEET)[0]),
            moved: window.stageModules.labels.relocated(labels, after),
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


ARRANGE = "(all) => all.map((wishes) => window.stageModules.layout.arrange(wishes))"


def test_three_panels_leave_no_hole_and_pinned_copies_can_be_read(js):
    """In a window that is low for three panels and their copies the page scrolls instead."""
    wishes = {"count": 3, "wish": 3, "aspect": 1}
    widths = list(range(250, 1400, 10))
    places = js.evaluate(ARRANGE, [wishes | {"width": w, "available": 500} for w in widths])
    columns = [place["columns"] for place in places]
    assert set(columns) == {1, 3}
    assert columns == sorted(columns)
    assert columns[widths.index(770)] == 3  # a tablet
    pinned = wishes | {"width": 932, "times": 2, "available": 330}
    (place,) = js.evaluate(ARRANGE, [pinned])
    assert min(place["box"]["w"], place["box"]["h"]) >= 180


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
    x0, x1, y0, y1 = found["view"]
    radius = np.linalg.norm(xyz - (xyz.min(0) + xyz.max(0)) / 2, axis=1).max()
    outline = radius * EYE / np.sqrt(EYE**2 - 1)  # of the ball around them
    assert 1.1 * outline > -x0 == x1 == -y0 == y1 > outline
