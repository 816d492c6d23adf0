import base64
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from lapviz import figures
from lapviz.contract import CONTRACT
from lapviz.figures import colours, fields
from lapviz.scenes import Grid, Label, Panel, Points, Scene


def cosine(k, l, x, y):
    """A Neumann mode of the unit square: its sign, zero lines and range are known."""
    return np.cos(np.pi * k * x) * np.cos(np.pi * l * y)


def make_scene(fields, **more):
    """A scene on [0, 1] x [0, 2] of fields (n_panels, n_outputs) of functions of (x, y)."""
    grid = Grid(np.linspace(0, 1, 21), np.linspace(0, 2, 31))
    gx, gy = np.meshgrid(grid.x, grid.y)
    xy = np.random.default_rng(0).uniform(size=(40, 2)) * [1, 2]
    panels = tuple(
        Panel(
            title=f"panel {i}",
            points=np.array([f(*xy.T) for f in outputs]),
            grid=np.array([f(gx, gy) for f in outputs]),
        )
        for i, outputs in enumerate(fields)
    )
    points = Points(xy=xy, index=np.arange(100, 140), truth=np.arange(40) % 2)
    view = (-0.1, 1.1, -0.1, 2.1)
    return Scene(panels=panels, points=points, view=view, view_key="v", grid=grid, **more)


def modes(count):
    return [[lambda x, y, k=k: (k + 1) * cosine(k, 1, x, y)] for k in range(count)]


def classes(count):
    """Scores of classes whose regions are vertical stripes."""
    return [
        [lambda x, y, c=c: -((x - (c + 0.5) / count) ** 2) + 0 * y for c in range(count)],
    ]


def traces(figure, kind):
    return [trace for trace in figure.data if trace.type == kind]


def zero_lines(figure):
    found = traces(figure, "contour")
    return [c for c in found if c.contours.start == 0 and c.contours.end == 0]


def decoded(source):
    """Pixels (height, width, 4) of an 8-bit RGBA PNG, and its checksums tested."""
    head, body = source.split(",")
    assert head == "data:image/png;base64"
    raw = base64.b64decode(body)
    Image.open(io.BytesIO(raw)).verify()  # the checksum of every chunk
    image = Image.open(io.BytesIO(raw))
    assert (image.format, image.mode) == ("PNG", "RGBA")
    return np.asarray(image)


def test_functions_carry_the_scenes_numbers():
    scene = make_scene(modes(3))
    figure = figures.scene(scene)
    heats = traces(figure, "heatmap")
    assert len(heats) == 3
    for k, (heat, panel) in enumerate(zip(heats, scene.panels, strict=True)):
        np.testing.assert_allclose(heat.z, panel.grid[0], atol=1e-6)
        np.testing.assert_array_equal(heat.x, scene.grid.x)
        np.testing.assert_array_equal(heat.y, scene.grid.y)
        assert heat.zmax == pytest.approx(k + 1)
        assert heat.zmin == -heat.zmax
    for zero, panel in zip(zero_lines(figure), scene.panels, strict=True):
        # zeros are moved off zero by a thousandth of what is drawn faintly
        small = 1.1e-3 * fields.FAINT * np.abs(panel.grid[0]).max()
        np.testing.assert_allclose(zero.z, panel.grid[0], atol=small)
    thin = [c for c in traces(figure, "contour") if c.contours.end > 0]
    assert all(t.line.width < z.line.width for t, z in zip(thin, zero_lines(figure), strict=True))
    dots = [t for t in traces(figure, "scatter") if t.customdata is not None]
    for dot, panel in zip(dots, scene.panels, strict=True):
        np.testing.assert_array_equal(np.column_stack([dot.x, dot.y]), scene.points.xy)
        np.testing.assert_allclose(dot.customdata[:, 0], panel.points[0], atol=1e-6)
        np.testing.assert_array_equal(dot.customdata[:, 1], scene.points.index + 1)


@pytest.mark.parametrize(("count", "width"), [(1, "zero_width"), (8, "zero_width_many")])
def test_lines_are_as_on_the_stage(count, width):
    rule = CONTRACT["lines"]
    figure = figures.scene(make_scene(modes(count)))
    assert {line.line.width for line in zero_lines(figure)} == {rule[width]}
    thin = [c for c in traces(figure, "contour") if c.contours.end > 0]
    assert {line.line.width for line in thin} == {rule["thin_width"]}
    assert all(line.line.color.endswith(f", {rule['thin_alpha']})") for line in thin)


def test_the_share_right_stands_below_the_title():
    scene = make_scene(modes(1))
    panel = replace(scene.panels[0], accuracy=0.5454)
    figure = figures.scene(replace(scene, panels=(panel,)))
    assert "accuracy 54.5 %" in figure.layout.annotations[0].text


def test_panels_zoom_together_and_keep_the_aspect():
    layout = figures.scene(make_scene(modes(4))).layout
    assert (layout.xaxis.range, layout.yaxis.range) == ((-0.1, 1.1), (-0.1, 2.1))
    assert layout.yaxis.scaleanchor == "x"
    for i in (2, 3, 4):
        assert layout[f"xaxis{i}"].matches == "x"
        assert layout[f"yaxis{i}"].matches == "y"
    assert layout.uirevision == "v"


@pytest.mark.parametrize(("count", "columns", "expected"), [(1, 0, 1), (3, 0, 3), (16, 0, 4)])
def test_panels_do_not_overlap(count, columns, expected):
    layout = figures.scene(make_scene(modes(count), columns=columns)).layout
    names = ["", *range(2, count + 1)]
    boxes = [(*layout[f"xaxis{i}"].domain, *layout[f"yaxis{i}"].domain) for i in names]
    assert len({box[0] for box in boxes}) == expected
    for a, box in enumerate(boxes):
        assert 0 <= box[0] < box[1] <= 1
        assert 0 <= box[2] < box[3] <= 1
        for other in boxes[:a]:
            apart_x = box[0] >= other[1] or other[0] >= box[1]
            apart_y = box[2] >= other[3] or other[2] >= box[3]
            assert apart_x or apart_y


def test_columns_come_from_the_scene_or_the_caller():
    scene = make_scene(modes(4), columns=2)
    two, one = figures.scene(scene).layout, figures.scene(scene, columns=1).layout
    assert two.xaxis3.domain == two.xaxis.domain
    assert two.xaxis2.domain != two.xaxis.domain
    assert one.xaxis2.domain == one.xaxis.domain


def test_two_classes_run_between_their_colours():
    scene = make_scene(modes(1), kind="classes", classes=("no", "yes"))
    heat = traces(figures.scene(scene, theme="light"), "heatmap")[0]
    ends = [colours.rgb(c) for c in colours.CLASSES_LIGHT[:2]]
    assert [heat.colorscale[0][1], heat.colorscale[-1][1]] == [colours.css(c) for c in ends]
    expected = np.where(scene.panels[0].grid[0] > 0, "yes", "no")
    np.testing.assert_array_equal(heat.text, expected)


def test_several_classes_show_the_winner_at_every_node():
    scene = make_scene(classes(4), kind="classes", classes=tuple("abcd"))
    figure = figures.scene(scene, theme="light")
    image = traces(figure, "image")[0]
    pixels = decoded(image.source)
    fx = round((scene.grid.x[1] - scene.grid.x[0]) / image.dx)
    fy = round((scene.grid.y[1] - scene.grid.y[0]) / image.dy)
    assert (image.x0, image.y0) == (scene.grid.x[0], scene.grid.y[0])
    assert pixels.shape == (30 * fy + 1, 20 * fx + 1, 4)
    assert (pixels[..., 3] == 255).all()
    scores = scene.panels[0].grid
    two_best = np.sort(scores, axis=0)[-2:]
    margin = two_best[1] - two_best[0]
    clear = margin > 0.05 * margin.max()
    palette = np.array([colours.rgb(c) for c in colours.CLASSES_LIGHT[:4]])
    tint = pixels[::fy, ::fx, :3].astype(float) - colours.theme("light").middle
    hue = palette - colours.theme("light").middle
    cosines = (tint @ hue.T) / np.linalg.norm(tint, axis=-1)[..., None]
    closest = (cosines / np.linalg.norm(hue, axis=1)).argmax(axis=-1)
    np.testing.assert_array_equal(closest[clear], scores.argmax(axis=0)[clear])
    hover = traces(figure, "heatmap")[0]
    np.testing.assert_array_equal(hover.text, np.array(list("abcd"))[scores.argmax(axis=0)])
    np.testing.assert_allclose(hover.z, margin, atol=1e-6)
    assert zero_lines(figure)


def test_labels_have_their_classes_colour_and_shape():
    labels = tuple(Label(c, c, (0.05 * c, 0.1 * c)) for c in range(10))
    scene = make_scene(
        classes(10), kind="classes", classes=tuple("ABCDEFGHIJ"), labels=labels, columns=1
    )
    figure = figures.scene(scene)
    legend = [t for t in traces(figure, "scatter") if t.showlegend is not False]
    assert [t.name for t in legend] == list("ABCDEFGHIJ")
    assert len({(t.marker.symbol, t.marker.color) for t in legend}) == 10
    assert len({t.marker.symbol for t in legend}) == len({t.marker.color for t in legend}) == 10
    marks = [t for t in figure.data if (t.hovertemplate or "").startswith("labelled")]
    for code, (mark, entry) in enumerate(zip(marks, legend, strict=True)):
        assert (mark.x[0], mark.y[0]) == (labels[code].x, labels[code].y)
        assert (mark.marker.symbol, mark.marker.color) == (entry.marker.symbol, entry.marker.color)
        assert mark.legendgroup == entry.legendgroup


def test_functions_without_labels_have_no_legend():
    figure = figures.scene(make_scene(modes(2)))
    assert all(t.showlegend is False for t in figure.data)


def test_points_without_a_field_are_coloured_by_value():
    scene = make_scene(modes(1))
    bare = replace(scene.panels[0], grid=None)
    figure = figures.scene(replace(scene, panels=(bare,), grid=None))
    marker = traces(figure, "scatter")[0].marker
    np.testing.assert_allclose(marker.color, bare.points[0], atol=1e-6)
    assert marker.cmax == -marker.cmin == pytest.approx(np.abs(bare.points).max())
    assert marker.showscale


@pytest.mark.parametrize("count", [2, 10])
def test_points_without_a_field_are_coloured_by_class(count):
    fields = modes(1) if count == 2 else classes(count)
    names = tuple(f"k{c}" for c in range(count))
    scene = make_scene(fields, kind="classes", classes=names)
    bare = replace(scene.panels[0], grid=None)
    figure = figures.scene(replace(scene, panels=(bare,), grid=None))
    points = next(t for t in traces(figure, "scatter") if t.text is not None)
    scores = bare.points
    expected = (scores[0] > 0).astype(int) if count == 2 else scores.argmax(axis=0)
    np.testing.assert_array_equal(np.floor(points.marker.color), expected)
    assert (points.marker.cmin, points.marker.cmax) == (0, count)
    truth = scene.points.truth
    assert list(points.text) == [
        f"k{c}<br>true class k{t}" for c, t in zip(expected, truth, strict=True)
    ]


def test_a_note_takes_the_place_of_a_picture():
    scene = make_scene(modes(2))
    noted = replace(scene.panels[1], note="Too few points.", points=np.empty((1, 0)), grid=None)
    figure = figures.scene(replace(scene, panels=(scene.panels[0], noted)))
    assert len(traces(figure, "heatmap")) == 1
    (dots,) = [t for t in traces(figure, "scatter") if t.xaxis == "x2"]
    np.testing.assert_array_equal(np.column_stack([dots.x, dots.y]), scene.points.xy)
    assert dots.text[3] == "row 104<br>true class class 1"
    assert any(
        a.text == "Too few points." and a.xref == "x2 domain" for a in figure.layout.annotations
    )


@pytest.mark.parametrize("many", [False, True])
def test_labels_stay_under_a_note(many):
    label = Label(100, 1, (0.5, 1.5))
    scene = make_scene(modes(2), kind="classes", classes=("a", "b"), labels=(label,))
    panel = Panel(title="none", note="One class only.", points=np.empty((1, 0)))
    figure = figures.scene(replace(scene, panels=(panel,) * (8 if many else 1)))
    marked = [t for t in traces(figure, "scatter") if t.name == "b" and t.x[0] == 0.5]
    assert len(marked) == (8 if many else 1)
    assert traces(figure, "heatmap") == []


def test_the_zero_line_ends_where_the_field_fades_to_nothing():
    """sin(4πx) exp(-30 y) on [0, 1] x [0, 2]: clear to y = 0.2, faint to 0.7, then nothing."""
    fading = [[lambda x, y: np.sin(4 * np.pi * (x - 0.02)) * np.exp(-30 * y)]]
    figure = figures.scene(make_scene(fading))
    clear, faint = zero_lines(figure)
    assert clear.line.width > faint.line.width
    known = [np.isfinite(np.array(c.z, float)).any(axis=1) for c in (clear, faint)]
    y = np.asarray(clear.y)
    step = y[1] - y[0]
    ends = [-np.log(share) / 30 for share in (fields.FAINT, fields.NOTHING)]
    assert y[known[0]].max() == pytest.approx(ends[0], abs=1.5 * step)
    assert y[known[1]].max() == pytest.approx(ends[1], abs=1.5 * step)
    (thin,) = [c for c in traces(figure, "contour") if c.contours.end > 0]  # has level 0 as well
    seen = np.isfinite(np.array(thin.z, float)).any(axis=1)
    assert y[seen].max() == pytest.approx(ends[0], abs=1.5 * step)
    assert y[known[0]].min() == 0
    assert y[known[1]].min() == pytest.approx(ends[0], abs=1.5 * step)


def test_a_boundary_between_classes_that_fade_ends_as_well():
    fading = [
        [lambda x, y, c=c: np.cos(2 * np.pi * (x - c / 3)) * np.exp(-30 * y) for c in range(3)]
    ]
    for line in zero_lines(figures.scene(make_scene(fading))):
        seen = np.isfinite(np.array(line.z, float)).any(axis=1)
        assert 0 < np.asarray(line.y)[seen].max() < 1


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("value", [0.0, 5.0, np.nan, np.inf])
@pytest.mark.parametrize("with_grid", [True, False])
def test_constant_and_missing_values(outputs, value, with_grid):
    """A field that is one value everywhere, or none, still gives a figure of finite JSON."""
    scene = make_scene([[lambda x, y: np.full_like(x, value)] * outputs], kind="classes")
    panel = scene.panels[0] if with_grid else replace(scene.panels[0], grid=None)
    figure = figures.scene(replace(scene, panels=(panel,)))
    parsed = json.loads(figure.to_json())
    heats = [t for t in parsed["data"] if t["type"] == "heatmap" and "zmin" in t]
    assert all(t["zmax"] > 0 and t["zmin"] == -t["zmax"] for t in heats)
    if not np.isfinite(value):
        assert any("not" in a.text or "No value" in a.text for a in figure.layout.annotations)


def test_holes_stay_holes():
    scene = make_scene(modes(1))
    field = scene.panels[0].grid.copy()
    field[0, 3:6, 4] = np.nan, np.inf, -np.inf
    figure = figures.scene(replace(scene, panels=(replace(scene.panels[0], grid=field),)))
    heat = traces(figure, "heatmap")[0]
    assert np.isnan(heat.z[3:6, 4]).all()
    assert np.isnan(heat.z).sum() == 3
    assert np.isfinite([heat.zmin, heat.zmax]).all()


def test_no_points_and_hostile_names():
    names = ("<b>x</b> %{y} $a$", "y")
    scene = make_scene(modes(1), kind="classes", classes=("<i>", "%{z}"), axes=names)
    none = Points(xy=np.empty((0, 2)), index=np.empty(0, int))
    panel = replace(scene.panels[0], title="<script>", points=np.empty((1, 0)))
    figure = figures.scene(replace(scene, points=none, panels=(panel,)))
    assert figure.layout.annotations[0].text.startswith("&lt;script&gt;")
    assert "<b>" not in figure.layout.xaxis.title.text
    template = traces(figure, "heatmap")[0].hovertemplate
    assert re.findall(r"%\{(\w+)", template) == ["x", "y", "z", "text"]


@pytest.mark.slow
def test_many_points_are_drawn_by_webgl():
    scene = make_scene(modes(16))
    xy = np.random.default_rng(0).uniform(size=(2000, 2))
    points = Points(xy=xy, index=np.arange(2000))
    panels = tuple(replace(p, points=np.zeros((1, 2000))) for p in scene.panels)
    figure = figures.scene(replace(scene, points=points, panels=panels))
    assert len(traces(figure, "scattergl")) == 16
    assert not traces(figures.scene(scene), "scattergl")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"panels": ()}, "no panel"),
        ({"view": (0, 0, 0, 1)}, "x0 < x1"),
        ({"grid": None}, "ny, nx"),
        ({"points": Points(xy=np.zeros((3, 2)), index=np.arange(3))}, "3 points"),
    ],
)
def test_a_scene_that_does_not_fit_together(change, message):
    with pytest.raises(ValueError, match=message):
        figures.scene(replace(make_scene(modes(1)), **change))


def test_unknown_theme():
    with pytest.raises(ValueError, match="theme"):
        figures.scene(make_scene(modes(1)), theme="sepia")
