"""The stage's geometry: drawn points, the brush, the layout of panels, points in space."""

import numpy as np
import pytest
from stage_scenes import EYE, seen_from

from lapviz.datasets.drawings import SHEET, Drawing


@pytest.mark.slow
def test_the_browser_decodes_points_as_python_encodes_them_and_keeps_their_order(js):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.choice([1, 2, 40, 500]))
        X = rng.normal(size=(n, 2)) * 0.3 * 10 ** rng.uniform(-2, 2)
        codes = rng.integers(-1, rng.integers(1, 11), n)
        drawing = Drawing.of(X, codes, rng.random(n) < 0.2, SHEET if seed % 2 else None)
        numbers = rng.permutation(drawing.numbers).tolist()
        decoded = js.evaluate(
            """([sheet, numbers]) => {
              const { drawing: d } = window.stageModules;
              const drawing = d.fromParts({ sheet, points: Int32Array.from(numbers) });
              const cell = (p) => d.cellAt(...d.placeOf(p, sheet), sheet);
              const encoded = (p) => d.pointOf(...cell(p), d.groupOf(p));
              return { same: drawing.points.every((p) => encoded(p) === p),
                table: d.asTable(drawing), sent: d.toNumbers(drawing) };
            }""",
            [list(drawing.sheet), numbers],
        )
        assert decoded["same"]
        assert decoded["sent"] == [*drawing.sheet, *numbers]
        rows = [row.split(",") for row in decoded["table"].splitlines()[1:]]
        assert np.array_equal([[float(v) for v in row[:2]] for row in rows], drawing.X)
        assert [int(row[2][6:] or 0) - 1 for row in rows] == drawing.codes.tolist()
        assert [row[3] == "1" for row in rows] == drawing.labelled.tolist()


def test_the_brush_is_seeded_and_stays_in_its_circle_and_below_the_limit(js):
    result = js.evaluate(
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
    x, y = np.array(result["spray"]).T
    assert result["spray"] == result["again"] != result["other"]
    beyond = np.maximum(np.maximum(10 - x, x - 110), 0)
    assert np.hypot(beyond, y - 20).max() <= 5
    assert abs(x.mean() - 60) < 8  # uniform along 100 pixels: the standard error of 400 is 1.4
    assert abs(np.mean((y - 20) ** 2) - 25 / 4) < 1.5  # of a disc of radius 5
    assert (result["full"], result["left"], result["labels"]) == (5000, True, True)


def test_points_on_screen_become_a_drawing_and_labels_keep_their_points(js):
    result = js.evaluate(
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
          const changed = { xy: xy.slice(2), index: index.slice(0, -1) }; // the first point is gone
          return {
            n: points.length, all: d.pointsFrom(scene, [], d.SHEET, 5000).length,
            labelled: points.filter(d.isLabel).map((p) => [...d.placeOf(p, d.SHEET), d.codeOf(p)]),
            codes: points.map(d.codeOf), xs: points.map((p) => d.placeOf(p, d.SHEET)[0]),
            moved: window.stageModules.labels.relocated(labels, changed),
          };
        }"""
    )
    assert (result["n"], result["all"]) == (500, 900)
    off_sample, on_sample = result["labelled"]
    assert np.allclose(off_sample, [0.5, 0.5, 0], atol=1e-3)
    assert np.allclose(on_sample, [4 / 900, -4 / 900, 1], atol=1e-3)
    counts = np.bincount(np.array(result["codes"]) + 1)
    assert counts.min() > 120  # all classes are thinned equally
    assert np.histogram(result["xs"], bins=5, range=(0, 1))[0].min() > 80
    assert [(label["index"], label["code"]) for label in result["moved"]] == [(6, 1), (-1, 0)]


ARRANGE = "(requests) => requests.map((r) => window.stageModules.layout.arrange(r))"


def test_three_panels_leave_no_hole_and_pinned_copies_are_large_enough(js):
    """The page scrolls if the window is too low for three panels and their copies."""
    request = {"count": 3, "wish": 3, "aspect": 1}
    widths = list(range(250, 1400, 10))
    layouts = js.evaluate(ARRANGE, [request | {"width": w, "available": 500} for w in widths])
    columns = [layout["columns"] for layout in layouts]
    assert set(columns) == {1, 3}
    assert columns == sorted(columns)
    assert columns[widths.index(770)] == 3  # a tablet
    pinned = request | {"width": 932, "times": 2, "available": 330}
    (layout,) = js.evaluate(ARRANGE, [pinned])
    assert min(layout["box"]["w"], layout["box"]["h"]) >= 180


LOOK = """([xyz, azimuth, elevation]) => {
  const space = new window.stageModules.space.Space(
    Float32Array.from(xyz), new Float32Array((2 * xyz.length) / 3));
  space.look({ azimuth, elevation });
  return { xy: [...space.xy], near: [...space.near], order: [...space.order], view: space.view };
}"""


@pytest.mark.parametrize("angles", [(0, 0), (0.7, 0.3), (-2.5, 1.2), (3.0, -np.pi / 2)])
def test_the_projection_is_a_rotation_a_tilt_and_a_perspective(js, angles):
    xyz = np.random.default_rng(0).normal(size=(200, 3)) * [1, 3, 2] + [5, 0, -2]
    result = js.evaluate(LOOK, [xyz.ravel().tolist(), *angles])
    xy, depth = seen_from(xyz, *angles)
    np.testing.assert_allclose(np.reshape(result["xy"], (-1, 2)), xy, atol=2e-5)
    np.testing.assert_allclose(result["near"], 0.5 * (1 + depth), atol=1e-6)
    ordered = depth[result["order"]]
    assert sorted(result["order"]) == list(range(200))
    assert np.diff(ordered).min() > -1e-6, "sorted from back to front"
    x0, x1, y0, y1 = result["view"]
    radius = np.linalg.norm(xyz - (xyz.min(0) + xyz.max(0)) / 2, axis=1).max()
    outline = radius * EYE / np.sqrt(EYE**2 - 1)  # of the ball around the points
    assert 1.1 * outline > -x0 == x1 == -y0 == y1 > outline
