"""The stage's arithmetic against numpy."""

import dataclasses
import itertools

import numpy as np
import pytest
import stage_scenes
from stage_scenes import evaluate

from lapviz import formulas
from lapviz.contract import CONTRACT
from lapviz.estimates import class_codes, filters
from lapviz.figures import colours, fields
from lapviz.figures.stage import encode
from lapviz.figures.stage.container import unpack
from lapviz.labels import Label
from lapviz.markdown import Share
from lapviz.scenes import accuracy_words


def first_labels(n, n_classes=2, seed=0):
    """Labels on the first n drawn points; the row in the data set is 10 times the position."""
    codes = np.random.default_rng(seed).integers(0, n_classes, n)
    codes[:n_classes] = np.arange(n_classes)[:n]
    xy = stage_scenes.scene(()).points.xy
    return tuple(Label(10 * i, int(codes[i])).at(*xy[i]) for i in range(n))


def sent_modes(scene):
    """The browser's data: γ, the quantised modes at grid, points and labels, and the codes."""
    sent = unpack(encode(scene))["static"]["modes"][0]
    rows = [p.index // 10 for p in scene.labels]
    y = class_codes(np.array([p.code for p in scene.labels]), max(2, len(scene.classes)))
    points = sent["points"].astype(float)
    field = sent["grid"].reshape(len(points), -1).astype(float)
    return np.array(sent["gamma"]), field, points, points[:, rows], y


UNKNOWN = (
    "fetch('x')",
    ["fetch", "lam"],
    ["constructor", 1.0],
    ["+", "lam"],
    ["exp", "sigma"],
    None,
    {},
)


@pytest.mark.parametrize("formula", UNKNOWN)
def test_an_expression_beyond_arithmetic_is_refused(js, formula):
    rules = {"bad": {"label": "bad", "formula": formula}}
    code = "(f) => window.stageModules.formulas.compileFilters(f).bad.h"
    assert js.evaluate(code, rules) is None


@pytest.mark.parametrize(
    ("number", "text"),
    [(9.996e-4, "1e−3"), (-9.94e-4, "−9.9e−4"), (1e-3, "0.001"), (0, "0"), (-0.0, "0"),
     (99999, "100000"), (999_999, "1e6"), (1.26e-7, "1.3e−7"), (0.12345, "0.123")],
)  # fmt: skip
def test_numbers_as_text(js, number, text):
    assert js.evaluate("(value) => window.stageModules.view.short(value)", number) == text


OPERATIONS = ("x + y - x * y / 3", "x ** y", "-exp(x) + expm1(y) * log(x)", "log1p(x) - sqrt(y)",
              "abs(x - y) + floor(5 * x)", "minimum(x, y) - maximum(x, 1)",
              "(x < y) + (x <= 1) + (x > 2) + (x >= y) + (x == y)",
              "sqrt(x - 1) if x >= 1 else 7")  # fmt: skip


@pytest.mark.parametrize("text", OPERATIONS)
def test_a_formula_of_variables_and_constants_has_the_value_in_python(js, text):
    x = np.random.default_rng(0).uniform(0.1, 3, 40)
    formula = formulas.parse(text, ("x", "y"))
    for y in (1.3, x[::-1].copy()):
        values = js.evaluate(
            """([f, x, y]) => {
              const { compileFormula } = window.stageModules.formulas;
              if (!Array.isArray(y)) return x.map((v) => compileFormula(f, ["x"], { y })([v]));
              return x.map((v, i) => compileFormula(f, ["x", "y"])([v, y[i]]));
            }""",
            [formula, x.tolist(), y if isinstance(y, float) else y.tolist()],
        )
        np.testing.assert_allclose(values, formulas.evaluate(formula, x=x, y=y), rtol=1e-13)


def test_eigenpairs_rebuild_the_matrix(js):
    rng = np.random.default_rng(0)
    roots = [rng.normal(size=(n, max(1, n - 2))) for n in (1, 2, 3, 7, 40)]  # rank deficient
    exact = [np.zeros((4, 4)), np.eye(5), np.diag([3.0, -1.0, 3.0]), np.ones((6, 6))]
    for matrix in [root @ root.T * 10.0 ** rng.uniform(-6, 6) for root in roots] + exact:
        n = len(matrix)
        pairs = js.evaluate(
            "([a, n]) => { const e = window.stageModules.eigen.eigSymmetric(a, n);"
            "return [Array.from(e.values), Array.from(e.vectors)]; }",
            [matrix.ravel().tolist(), n],
        )
        values, vectors = np.array(pairs[0]), np.array(pairs[1]).reshape(n, n)
        scale = np.abs(matrix).max() + 1e-300
        np.testing.assert_allclose(
            vectors.T @ np.diag(values) @ vectors, matrix, atol=1e-12 * scale
        )
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(n), atol=1e-12)
        assert (np.diff(values) <= 0).all()


def test_sampling_is_exact_for_bilinear_functions(js):
    grid = {"x": [-1.0, 2.0, 7], "y": [0.0, 1.0, 5]}
    gx, gy = np.meshgrid(np.linspace(-1, 2, 7), np.linspace(0, 1, 5))
    places = np.random.default_rng(1).uniform([-1, 0], [2, 1], (20, 2))
    samples = js.evaluate(
        "([f, grid, xy]) => xy.map(([x, y]) => window.stageModules.linalg.sample(f, grid, x, y))",
        [(2 + gx - 3 * gy + gx * gy).ravel().tolist(), grid, places.tolist()],
    )
    x, y = places.T
    np.testing.assert_allclose(samples, 2 + x - 3 * y + x * y, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_several_candidates_have_the_mean_of_their_codes(js, n_classes):
    labels = first_labels(6, n_classes)
    several = (*labels[:-1], dataclasses.replace(labels[-1], others=(1 - labels[-1].code % 2,)))
    scene = stage_scenes.scene(several, n_classes=n_classes, shift=3.0)
    certain = [dataclasses.replace(labels[-1], code=code) for code in several[-1].candidates]
    parts = [evaluate(js, scene, 1, 0.05, labels=(*labels[:-1], label)) for label in certain]
    grids = [next(iter(part)) for part in parts]
    mixed, _ = evaluate(js, scene, 1, 0.05)
    np.testing.assert_allclose(mixed, sum(grids) / len(grids), atol=1e-5)


def test_new_candidates_wait_for_the_answer_of_python(js):
    """The browser has no local values for them: Python averages over the candidates."""
    labels = first_labels(6, 3)
    scene = stage_scenes.scene(labels, n_classes=3, shift=3.0)
    several = (*labels[:-1], dataclasses.replace(labels[-1], others=(0, 1)))
    for panel in (0, 1):
        assert evaluate(js, scene, panel, 0.05, labels=several) is None


def test_many_points_get_a_class_in_one_edit(js):
    edits = js.evaluate(
        """() => {
          const { labelMany, toggle, sameLabels } = window.stageModules.labels;
          const at = (index) => ({ x: index, y: 0, index });
          const rows = (labels) => labels.map((p) => [p.index, p.code, ...p.others]);
          const one = labelMany([], [1, 2, 3].map(at), 0, { most: 10 });
          const two = labelMany(one.labels, [3, 4].map(at), 2, { most: 10 });
          const also = labelMany(two.labels, [1, 4].map(at), 1, { addCandidate: true, most: 10 });
          const full = labelMany(two.labels, [5, 6, 7].map(at), 1, { most: 5 });
          const added = toggle(one.labels, at(2), 2, true).labels;
          const back = toggle(added, at(2), 0, true).labels;
          const gone = toggle(back, at(2), 2, true).labels;
          return { two: rows(two.labels), count: two.count, also: rows(also.labels),
            full: [full.labels.length, full.count, full.full], added: rows(added),
            back: rows(back), gone: rows(gone), same: sameLabels(one.labels, added) };
        }"""
    )
    assert edits["two"] == [[1, 0], [2, 0], [3, 2], [4, 2]]
    assert edits["count"] == 2
    assert edits["also"] == [[1, 0, 1], [2, 0], [3, 2], [4, 2, 1]]
    assert edits["full"] == [5, 1, True]
    assert edits["added"] == [[1, 0], [2, 0, 2], [3, 0]]
    assert edits["back"] == [[1, 0], [2, 2], [3, 0]]
    assert edits["gone"] == [[1, 0], [3, 0]]
    assert edits["same"] is False


def estimate_by_gram_matrix(scene, name, lam):
    """The estimate from labels alone on the grid, by the Gram matrix of the sent modes."""
    model = scene.panels[1].model
    gamma, field, _, E, y = sent_modes(scene)
    inverse = np.divide(1, gamma, where=gamma > 1e-9, out=np.zeros_like(gamma))
    gram, n = E.T @ (inverse[:, None] * E), len(y)
    centre = np.eye(n) - 1 / n
    if name == "poisson":
        a = centre @ y / n
        fitted = centre @ gram @ a if model.intercept else gram @ a
        a = a * (fitted * (centre @ y)).sum() / (fitted**2).sum()
    else:
        P = centre if model.intercept else np.eye(n)
        s, u = np.linalg.eigh(P @ gram @ P / n)
        positive = s > 1e-12 * s[-1]
        h = filters.get(name)(1 / s[positive], lam, 1 / s[-1]) / s[positive]
        a = u[:, positive] @ (h[:, None] * (u[:, positive].T @ P @ y)) / n
    constant = (y - gram @ a).mean(axis=0)[:, None] if model.intercept else 0
    return a.T @ (E.T @ (inverse[:, None] * field)) + constant


@pytest.mark.parametrize("name", ["poisson", *filters.names()])
@pytest.mark.parametrize("intercept", [False, True])
def test_estimates_of_few_and_of_many_labels_agree_with_their_gram_matrix(js, name, intercept):
    term, filter = ("poisson", "heat") if name == "poisson" else ("labelled", name)
    for n in (6, 55):  # there are 40 modes
        labels = first_labels(n)
        shift = 0.0 if intercept else 2.0
        scene = stage_scenes.scene(labels, intercept=intercept, shift=shift, data_term=term)
        grid, _ = evaluate(js, scene, 1, 0.003, filter)
        expected = estimate_by_gram_matrix(scene, name, 0.003)
        np.testing.assert_allclose(grid, expected, atol=1e-4 * np.abs(expected).max())


def estimate_by_all_modes(scene, lam=0.01):
    """Tikhonov's estimate from labels alone on the grid, by all modes of the scene."""
    gamma, field, _, E, y = sent_modes(scene)
    K = E.T @ (E / gamma[:, None])
    c = np.linalg.solve(K + len(y) * lam * np.eye(len(y)), y)
    return c.T @ (E.T @ (field / gamma[:, None]))


def test_exact_columns_replace_modes_and_stay_when_a_label_is_added(js):
    labels = first_labels(5)
    full = stage_scenes.scene(labels, m=60, shift=2.0, with_columns=True)
    cut = stage_scenes.scene(labels, m=10, shift=2.0)
    truth = estimate_by_all_modes(full)
    # Columns of all 60 modes beside only 10 modes: a drag must not show the truncation.
    exact = full.panels[1].model
    columns = {
        f"columns_{of}": getattr(exact, f"columns_{of}") for of in ("grid", "points", "gram")
    }
    mixed = dataclasses.replace(cut.panels[1].model, **columns)
    panels = (cut.panels[0], dataclasses.replace(cut.panels[1], model=mixed), cut.panels[2])
    scene = dataclasses.replace(cut, panels=panels)
    scale = np.abs(truth).max()
    grid, _ = evaluate(js, scene, 1, 0.01)
    np.testing.assert_allclose(grid, truth, atol=2e-3 * scale)
    rough, _ = evaluate(js, cut, 1, 0.01)
    assert np.abs(rough - truth).max() > 0.05 * scale
    # One more label: exact old columns and a truncated new one.
    extended = first_labels(6)
    truth = estimate_by_all_modes(stage_scenes.scene(extended, m=60, shift=2.0))
    grid, _ = evaluate(js, scene, 1, 0.01, labels=extended)
    rough, _ = evaluate(js, cut, 1, 0.01, labels=extended)
    assert np.abs(grid - truth).mean() < 0.5 * np.abs(rough - truth).mean()


@pytest.mark.slow
@pytest.mark.parametrize("data_term", ["all", "labelled"])
def test_the_exact_answer_corrects_for_missing_modes(js, data_term):
    """Exact fields of 60 modes, of which the browser has 10: exact at the answer, better nearby."""
    labels = first_labels(5)
    full = stage_scenes.scene(labels, m=60, shift=2.0, data_term=data_term)
    cut = stage_scenes.scene(labels, m=10, shift=2.0, data_term=data_term, lam=0.02)
    at_answer = [values.reshape(1, -1) for values in evaluate(js, full, 1, 0.02)]
    exact = dataclasses.replace(
        cut.panels[1], grid=at_answer[0].reshape(1, 24, 24), points=at_answer[1]
    )
    scene = dataclasses.replace(cut, panels=(cut.panels[0], exact, cut.panels[2]))
    for values, truth in zip(evaluate(js, scene, 1, 0.02, anchored=True), at_answer, strict=True):
        np.testing.assert_allclose(values, truth, atol=1e-5)
    for lam in (0.01, 0.015, 0.03, 0.04):
        truth, _ = evaluate(js, full, 1, lam)
        rough, _ = evaluate(js, scene, 1, lam)
        anchored, _ = evaluate(js, scene, 1, lam, anchored=True)
        assert np.abs(anchored - truth).max() < 0.6 * np.abs(rough - truth).max()
    # After adding a label, the correction of the others still helps.
    extended = first_labels(6)
    truth, _ = evaluate(js, dataclasses.replace(full, labels=extended), 1, 0.02)
    rough, _ = evaluate(js, scene, 1, 0.02, labels=extended)
    anchored, _ = evaluate(js, scene, 1, 0.02, labels=extended, anchored=True)
    assert np.abs(anchored - truth).mean() < np.abs(rough - truth).mean()


def test_an_accuracy_is_rounded_alike_in_picture_table_and_sentence(js):
    """As in scripts: 75.25 and 75.75 are ties, rounded to even; 54.55 is less in binary."""
    shares = [0.7525, 0.7575, 0.5455, *np.random.default_rng(0).integers(0, 2001, 300) / 2000]
    written = js.evaluate(
        "(all) => all.map((x) => window.stageModules.codes.rightParts(x, false).join(''))", shares
    )
    assert written == [accuracy_words(share) for share in shares]
    numbers = [words.removeprefix("accuracy ").removesuffix(" %") for words in written]
    assert numbers[:3] == ["75.2", "75.8", "54.5"]
    assert numbers == [f"{100 * share:.1f}" for share in shares]
    assert [f"{Share(share)}" for share in shares] == [
        f"{text}\N{NO-BREAK SPACE}%" for text in numbers
    ]


def test_no_label_gives_zero(js):
    for panel in (0, 1):
        for values in evaluate(js, stage_scenes.scene(()), panel, 0.1):
            assert not values.any()


LINES = """([field, k, nx, ny, top]) => {
  const { contours } = window.stageModules;
  const values = Float32Array.from(field);
  const { zero, faint } = k > 1
    ? contours.boundaries(values, k, nx, ny, top)
    : contours.signedLines(values, nx, ny, { top, size: top }, 0, (t) => t);
  const nodes = (lines) => lines.map((line) => line.map((place) => place.map((v) => v - 0.5)));
  return [nodes(zero), nodes(faint)];
}"""


def segments(js, fields, k, n, top):
    """The segments (m, 2, 2) of the zero lines and of their faint parts, in nodes of the grid."""
    for lines in js.evaluate(LINES, [fields.ravel().tolist(), k, n, n, top]):
        pairs = [pair for line in lines for pair in itertools.pairwise(line)]
        yield np.array(pairs).reshape(-1, 2, 2)


def distance(segments, point):
    """Distance of a point to the nearest segment."""
    a, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    t = ((point - a) * along).sum(1) / np.maximum((along**2).sum(1), 1e-12)
    return np.linalg.norm(a + np.clip(t, 0, 1)[:, None] * along - point, axis=1).min()


def test_the_zero_line_of_a_circle_is_the_circle(js):
    n, r = 40, 12.3
    y, x = np.mgrid[:n, :n] - 19.5
    zero, faint = segments(js, x**2 + y**2 - r**2, 1, n, 600.0)
    np.testing.assert_allclose(np.linalg.norm(zero - 19.5, axis=2), r, atol=0.02)
    angles = np.linspace(0, 2 * np.pi, 60)
    ring = 19.5 + np.column_stack([np.cos(angles), np.sin(angles)]) * r
    assert max(distance(zero, point) for point in ring) < 0.05
    assert not len(faint)  # and no line along the frame


def test_a_zero_line_fades_with_the_field(js):
    """tanh(x - 20.5) fading by 16 orders from the first row to the last: heavy, faint, gone."""
    n = 48
    y, x = np.mgrid[:n, :n].astype(float)
    zero, faint = segments(js, np.tanh(x - 20.5) * 10.0 ** (-y / 3), 1, n, 1.0)
    for line, ends in ((zero, (0, 8)), (faint, (8, 27))):  # 10^(-8/3) and 10^-9 of the largest
        np.testing.assert_allclose(line[..., 0], 20.5, atol=0.6)
        np.testing.assert_allclose([line[..., 1].min(), line[..., 1].max()], ends, atol=2)


CORNER = np.ones((1, 9, 9))
CORNER[0, 0, 0] = 1e4
SCALES = {
    "signed": (np.random.default_rng(0).normal(size=(1, 9, 9)), 0),
    "classes": (np.random.default_rng(1).normal(size=(4, 9, 9)), 0),
    "constant": (np.full((1, 9, 9), -3.0), 6.0),
    "nearly constant": (3 + 0.1 * np.random.default_rng(2).random((1, 9, 9)), 0),
    "corner": (CORNER, 1e4),
    "zero": (np.zeros((1, 9, 9)), 0),
    "holes": (np.where(np.eye(9) > 0, np.nan, 2.0)[None], 4.0),
    "infinite": (np.where(np.eye(9) > 0, np.inf, 2.0)[None], 4.0),
}


@pytest.mark.parametrize("kind", ["functions", "classes"])
@pytest.mark.parametrize("name", SCALES)
def test_figure_and_stage_have_the_same_scale(js, name, kind):
    values, end = SCALES[name]
    scale_end = js.evaluate(
        "([v, k, kind]) => window.stageModules.raster.scaleOf("
        "Float32Array.from(v, (x) => (x === null ? NaN : Number(x))), k, kind).size",
        [[None if np.isnan(v) else str(v) for v in values.ravel()], len(values), kind],
    )
    assert scale_end == pytest.approx(fields.scale_end(values, kind == "classes"), rel=1e-6)
    if kind == "functions" and end:
        assert scale_end == end


def test_boundaries_of_three_classes_meet(js):
    n = 41
    y, x = np.mgrid[:n, :n] - 20.0
    angles = 2 * np.pi * np.arange(3) / 3
    fields = np.stack([np.cos(a) * x + np.sin(a) * y for a in angles])
    zero, _ = segments(js, fields, 3, n, 60.0)
    for a in angles:
        between, inside = (np.array([np.cos(b), np.sin(b)]) for b in (a + np.pi / 3, a))
        assert max(distance(zero, 20 + d * between) for d in (5, 12)) < 0.15
        assert distance(zero, 20 + 10 * inside) > 5


def test_class_colours_are_distinct(js):
    """OKLab distances between the ten class colours, and of the first six with colour blindness."""
    palettes = [CONTRACT["themes"][name]["classes"] for name in ("light", "dark")]
    lab = "(c) => c.map((rgb) => window.stageModules.colour.toLab(rgb))"
    # Machado, Oliveira & Fernandes 2009, severity 1, on linear RGB.
    colour_blindness = {
        "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    }
    for palette in [[colours.rgb(c).tolist() for c in names] for names in palettes]:
        assert len(palette) == 10
        assert _closest(js.evaluate(lab, palette)) > 0.085
        linear = (np.array(palette[:6]) / 255) ** 2.2
        for matrix in colour_blindness.values():
            seen = 255 * np.clip(linear @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
            assert _closest(js.evaluate(lab, seen.tolist())) > 0.03


def test_blending_in_oklab(js):
    """Ottosson's published reference points: white has L = 1 and no hue; greys stay grey."""
    blend = "([a, b, t]) => window.stageModules.colour.blend(a, b, t)"
    white, black, blue = [255] * 3, [0] * 3, [0, 114, 178]
    for t, end in ((0, blue), (1, white)):
        np.testing.assert_allclose(js.evaluate(blend, [blue, white, t]), end, atol=1e-6)
    for colour, lightness in ((white, 1), (js.evaluate(blend, [black, white, 0.5]), 0.5)):
        lab = js.evaluate("(c) => window.stageModules.colour.toLab(c)", colour)
        np.testing.assert_allclose(lab, [lightness, 0, 0], atol=1e-4)


def _closest(points):
    points = np.array(points)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    return gaps[np.triu_indices(len(points), 1)].min()


TICKS = """([lo, hi, count, most, low, high]) =>
  window.stageModules.view.ticks(lo, hi, count, most, (v) => v > low && v < high)"""


@pytest.mark.slow
def test_an_axis_has_at_least_three_numbers_if_there_is_room(js):
    rng = np.random.default_rng(5)
    for _ in range(200):
        lo = rng.normal() * 10 ** rng.uniform(-3, 3)
        hi = lo + 10 ** rng.uniform(-3, 4)
        low, high = lo + 0.1 * (hi - lo), hi - 0.05 * (hi - lo)
        ticks = js.evaluate(TICKS, [lo, hi, 3.5, 14, low, high])
        values = np.array(ticks["values"])
        shown = values[(values > low) & (values < high)]
        assert 3 <= len(shown) <= 14
        step = np.diff(values).mean()
        np.testing.assert_allclose(values / step, np.rint(values / step), atol=1e-6)
        assert min(abs(np.log10(step / m) % 1 - r) for m in (1, 2, 5) for r in (0, 1)) < 1e-6
        np.testing.assert_allclose(np.round(values, ticks["digits"]), values, rtol=1e-9, atol=1e-9)
