"""A scene as a Plotly figure, whose traces hold the scene's numbers."""

import itertools
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from lapviz import figures
from lapviz.figures import colours
from lapviz.figures.fields import nearness
from lapviz.scenes import Grid, Label, Panel, Points, Scene

GRID = Grid(np.linspace(0, 1, 21), np.linspace(0, 2, 31))
N = 40
RNG = np.random.default_rng(0)
XY = RNG.uniform(size=(N, 2)) * [1, 2]
XYZ = RNG.normal(size=(N, 3))
TRUTH = np.arange(N) % 2
VIEW = (-0.1, 1.1, -0.1, 2.1)


def scene(panels, **fields):
    """A scene on [0, 1] x [0, 2]; in space for ``xyz``."""
    xyz = fields.pop("xyz", None)
    points = Points(XY, np.arange(100, 100 + N), TRUTH, xyz)
    axes = ("x₁", "x₂", "x₃")[: 2 if xyz is None else 3]
    required = {"panels": panels, "points": points, "view": VIEW, "view_key": "v", "axes": axes}
    return Scene(**required | ({"grid": GRID} if xyz is None else {}) | fields)


def panel(*outputs, **fields):
    """A panel of functions of (x, y)."""
    x, y = np.meshgrid(GRID.x, GRID.y)
    field = {"grid": np.array([f(x, y) for f in outputs])}
    return Panel("f", np.array([f(*XY.T) for f in outputs]), **field | fields)


def cosine(k):
    """A Neumann mode of the rectangle, of size k + 1."""
    return panel(lambda x, y: (k + 1) * np.cos(np.pi * k * x) * np.cos(np.pi * y))


def stripes(count):
    """Scores of classes whose regions are vertical stripes."""
    return panel(
        *(lambda x, y, c=c: -((x - (c + 0.47) / count) ** 2) + 0 * y for c in range(count))
    )


def named(figure, text):
    """Traces whose hover text contains this."""
    return [t for t in figure.data if text in (t.hovertemplate or "")]


def maps(figure):
    return [t for t in figure.data if t.type in ("heatmap", "contour") and t.hovertemplate]


def lines(figure):
    """Level lines of 0, or boundaries."""
    return [t for t in figure.data if t.type == "contour" and t.contours.coloring == "none"]


def decided(values):
    """Best class and its margin; for a single function its sign and value."""
    if len(values) == 1:
        return (values[0] > 0).astype(int), values[0]
    order = np.sort(values, axis=0)
    return values.argmax(axis=0), order[-1] - order[-2]


MODES = scene(tuple(map(cosine, range(3))))
TWO = scene((cosine(0),), kind="classes", classes=("no", "yes"))
FOUR = scene((stripes(4),), kind="classes", classes=tuple("abcd"))
TWELVE = scene((stripes(12),), kind="classes", classes=tuple("abcdefghijkl"))
CLOUD = scene(tuple(Panel(f"f{i}", RNG.normal(size=(1, N)), subtitle=f"γ = {i}") for i in range(3)),
              xyz=XYZ)  # fmt: skip
SCORED = scene((Panel("f", RNG.normal(size=(3, N)), accuracy=0.5),), xyz=XYZ, kind="classes",
               classes=("a", "b", "c"))  # fmt: skip


THEMES = ("auto", "light", "dark")
DRAWN = [*zip((MODES, FOUR, TWELVE, CLOUD, SCORED), THEMES * 2, strict=False),
         *((TWO, theme) for theme in THEMES)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("picture", "theme"), DRAWN)
def test_traces_hold_the_scenes_numbers(picture, theme):
    figure, classes = figures.scene(picture, theme=theme), np.array(picture.classes)
    positions = XY if picture.points.xyz is None else XYZ
    dots = named(figure, "%{customdata:.3g}<br>%{text}")
    for trace, shown in zip(dots, picture.panels, strict=True):
        drawn = [trace[axis] for axis in "xyz"[: positions.shape[1]]]
        np.testing.assert_array_equal(np.column_stack(drawn), positions)
        best, values = decided(shown.points)
        np.testing.assert_allclose(trace.customdata, values, atol=1e-6)
        text = [f"row {row}" for row in range(101, 101 + N)]
        if picture.kind == "classes":
            text = [f"{word}<br>predicted {c}" for word, c in zip(text, classes[best], strict=True)]
        assert [word.partition("<br>true")[0] for word in trace.text] == text
        if shown.grid is None and picture.kind == "classes":
            np.testing.assert_array_equal(np.floor(trace.marker.color), best)
        elif shown.grid is None:
            np.testing.assert_allclose(trace.marker.color, values, atol=1e-6)
            ends = (-trace.marker.cmin, trace.marker.cmax)
            assert ends == pytest.approx([np.abs(values).max()] * 2)
    fields = [shown for shown in picture.panels if shown.grid is not None]
    for heat, shown in zip(maps(figure), fields, strict=True):
        np.testing.assert_array_equal([*heat.x, *heat.y], [*GRID.x, *GRID.y])
        best, values = decided(shown.grid)
        if len(shown.grid) == 1:
            np.testing.assert_allclose(heat.z, values, atol=1e-6)
            assert heat.zmin == -heat.zmax
            if picture.kind == "classes":
                ends = [heat.colorscale[end][1] for end in (0, -1)]
                assert ends == list(colours.theme(theme).classes[:2])
        else:
            np.testing.assert_array_equal(np.floor(heat.z), best)
            np.testing.assert_allclose(heat.customdata, values, atol=1e-6)
        if picture.kind == "classes":
            np.testing.assert_array_equal(heat.text, classes[best])
    zero = lines(figure)
    assert len(zero) == sum(len(shown.grid) for shown in fields)
    assert all(t.contours.start == t.contours.end == 0 and t.line.width > 1 for t in zero)


@pytest.mark.slow
def test_titles_scales_and_shares():
    first, other = replace(cosine(0), accuracy=0.5454, subtitle="γ = 1"), cosine(2)
    text = [a.text for a in figures.scene(scene((first, other))).layout.annotations]
    assert text == ["<b>f</b>  ±1<br>γ = 1 · accuracy 54.5 %", "<b>f</b>  ±3"]
    constant = replace(other, points=np.full_like(other.points, 3.0),
                       grid=np.full_like(other.grid, 3.0))  # fmt: skip
    text = [a.text for a in figures.scene(scene((constant, other))).layout.annotations]
    assert text == ["<b>f</b>  constant", "<b>f</b>  ±3"]
    single, same = figures.scene(scene((other,))), figures.scene(MODES, same_scale=True)
    assert [t.zmax for t in maps(same)] == [3] * 3
    for figure in (single, same):
        assert "±" not in figure.layout.annotations[0].text
        assert maps(figure)[0].showscale


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "columns", "expected"), [(1, 0, 1), (3, 0, 3), (4, 2, 2), (16, 0, 4)]
)
def test_panels_zoom_together_keep_the_aspect_and_do_not_overlap(count, columns, expected):
    layout = figures.scene(scene(tuple(map(cosine, range(count))), columns=columns)).layout
    names = ["", *range(2, count + 1)]
    assert (layout.xaxis.range, layout.yaxis.range) == (VIEW[:2], VIEW[2:])
    assert layout.uirevision == "v"
    heads = {}
    for a in "xy":  # one axis that all the others match
        leaders = [layout[f"{a}axis{i}"].matches for i in names]
        assert leaders.count(None) == len(set(leaders) - {None}) + (count == 1) == 1
        heads[a] = f"{a}{names[leaders.index(None)]}"
    assert layout[f"yaxis{heads['y'][1:]}"].scaleanchor == heads["x"]
    boxes = [(*layout[f"xaxis{i}"].domain, *layout[f"yaxis{i}"].domain) for i in names]
    assert len({box[0] for box in boxes}) == expected
    for a, b in itertools.combinations(boxes, 2):
        assert a[0] >= b[1] or b[0] >= a[1] or a[2] >= b[3] or b[2] >= a[3]


@pytest.mark.slow
@pytest.mark.parametrize("space", [False, True])
def test_labels_have_their_classes_colour_and_shape(space):
    labels = tuple(Label(100 + c, c, (0.05 * c, 0.1 * c)) for c in range(10))
    only_panel = stripes(10) if not space else Panel("f", RNG.normal(size=(10, N)))
    picture = scene((only_panel,), kind="classes", classes=tuple("ABCDEFGHIJ"), labels=labels,
                    xyz=XYZ if space else None)  # fmt: skip
    figure = figures.scene(picture)
    legend = [t for t in figure.data if t.showlegend is not False]
    assert [t.name for t in legend] == list("ABCDEFGHIJ")
    assert len({t.marker.color for t in legend}) == 10
    assert len({t.marker.symbol for t in legend}) == (5 if space else 10)
    assert len({t.type for t in figure.data} & {"scatter", "scatter3d"}) == 1
    for label, mark, entry in zip(labels, named(figure, "labelled"), legend, strict=True):
        expected = XYZ[label.index - 100] if space else (label.x, label.y)
        assert [mark[a][0] for a in ("xyz" if space else "xy")] == pytest.approx(list(expected))
        assert (mark.marker.symbol, mark.marker.color) == (entry.marker.symbol, entry.marker.color)
        assert (mark.legendgroup, mark.text[0]) == (entry.legendgroup, f"row {label.index + 1}")


@pytest.mark.slow
def test_several_candidates_landmarks_and_the_point_to_label_next():
    label = Label(-1, 2, (0.5, 0.5), (0,))
    picture = replace(FOUR, labels=(label,), landmarks=XY[:3], marked=107)
    figure = figures.scene(picture)
    main, other = named(figure, "labelled")
    assert (main.name, other.name) == ("c", "a")
    assert main.customdata[0] == other.customdata[0] == "c or a"
    assert other.marker.size < main.marker.size
    (rings,) = named(figure, "landmark")
    np.testing.assert_array_equal(np.column_stack([rings.x, rings.y]), XY[:3])
    (question,) = [t for t in figure.data if t.text is not None and list(t.text) == ["?"]]
    assert (question.x[0], question.y[0]) == tuple(XY[7])
    traces = list(figure.data)
    order = [traces.index(trace) for trace in (rings, main, question)]
    assert order == sorted(order), "the question mark lies over labels, and these over landmarks"
    assert all(t.showlegend is False for t in figures.scene(MODES).data)


@pytest.mark.parametrize("space", [False, True])
def test_known_values_are_ringed_where_their_points_are_drawn(space):
    picture = scene((Panel("g", XY[:, 0][None]),), xyz=XYZ if space else None, known=(103, 7, 105))
    (rings,) = [t for t in figures.scene(picture).data if t.name == "known value"]
    drawn = np.column_stack([rings.x, rings.y, *([rings.z] if space else [])])
    np.testing.assert_array_equal(drawn, (XYZ if space else XY)[[3, 5]])


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("empty", [False, True])
def test_a_note_takes_the_place_of_a_picture(space, empty):
    note = {} if empty else {"note": "Too few points."}
    only_panel = Panel("g", np.full((1, N), np.nan), **note)
    picture = scene((only_panel,), xyz=XYZ if space else None, labels=(Label(100, 1, (0.5, 1.5)),))
    figure = figures.scene(picture)
    text = " ".join(a.text.replace("<br>", " ") for a in figure.layout.annotations)
    assert ("No value here is a number" if empty else "Too few points.") in text
    assert maps(figure) == []
    dots = next(t for t in figure.data if t.text is not None and len(t.text) == N)
    assert isinstance(dots.marker.color, str)
    assert dots.text[3] == "row 104<br>true class class 1"
    assert len(named(figure, "labelled")) == 1


@pytest.mark.slow
def test_far_regions_neither_set_the_scale_nor_stand_out():
    exponential = panel(lambda x, y: np.exp(3 * (x + y)))
    picture = scene((exponential,))
    corner = replace(picture, points=replace(picture.points, xy=0.25 * XY))
    figure, near = figures.scene(corner), nearness(GRID, 0.25 * XY)
    (cover,) = [t for t in figure.data if t.name == "far from the data"]
    np.testing.assert_array_equal(cover.z, 255 - near)
    # Plotly draws traces of one type in their order, and every heat map below the contours.
    assert cover.type == maps(figure)[0].type == "contour"
    constant = replace(corner, panels=(panel(lambda x, y: 1 + 0 * x),))
    assert not [t for t in figures.scene(constant).data if t.name == "far from the data"]
    top = exponential.grid[0][near == 255].max()
    assert maps(figure)[0].zmax == pytest.approx(top, rel=1e-6)
    assert top < exponential.grid.max() / 10
    assert np.isnan(lines(figure)[0].z[near == 0]).all()
    everywhere = replace(corner, near=np.full((31, 21), 255, np.uint8))
    assert not [t for t in figures.scene(everywhere).data if t.name == "far from the data"]


@pytest.mark.slow
def test_only_errors_are_crossed_out():
    picture = replace(TWO, labels=(Label(101, 1, (0.1, 0.1)),))
    best = (picture.panels[0].points[0] > 0).astype(int)
    wrong = (best != TRUTH) & (np.arange(N) != 1)
    (crosses,) = [t for t in figures.scene(picture, errors=True).data if t.name == "wrong class"]
    np.testing.assert_array_equal(np.column_stack([crosses.x, crosses.y]), XY[wrong])
    assert not [t for t in figures.scene(picture).data if t.name == "wrong class"]
    assert figures.scene(SCORED, errors=True).data[-1].name == "wrong class"


@pytest.mark.slow
def test_many_panels_in_space_share_a_picture_with_a_menu():
    panels = tuple(replace(CLOUD.panels[0], title=f"f{i}") for i in range(16))
    figure = figures.scene(replace(CLOUD, panels=panels))
    assert {trace.scene for trace in figure.data} == {"scene"}, "browsers have few contexts"
    assert [trace.visible for trace in figure.data] == [True] + [False] * 15
    (menu,) = figure.layout.updatemenus
    assert menu.buttons[4].label == "f4 · γ = 0"
    assert menu.buttons[4].args[0]["visible"] == [i == 4 for i in range(16)]
    space = figures.scene(CLOUD).layout
    ends = [space[name].domain.x for name in ("scene", "scene2", "scene3")]
    assert all(a[1] < b[0] for a, b in itertools.pairwise(ends))
    assert (space.scene.aspectmode, space.scene.zaxis.title.text) == ("data", "x₃")


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("value", [0.0, 5.0, np.nan, np.inf])
@pytest.mark.parametrize("with_grid", [True, False])
def test_constant_and_missing_values(outputs, value, with_grid):
    """A field of one value everywhere, or of none, still gives a figure with finite JSON."""
    only_panel = panel(*[lambda x, y: np.full_like(x, value)] * outputs)
    only_panel = only_panel if with_grid else replace(only_panel, grid=None)
    parsed = json.loads(figures.scene(scene((only_panel,), kind="classes")).to_json())
    signed = [t for t in parsed["data"] if t.get("zmin", 0) < 0]
    assert all(t["zmax"] == -t["zmin"] for t in signed)


@pytest.mark.slow
def test_holes_stay_holes_and_a_constant_is_not_drawn_in_the_strongest_colour():
    field = np.full((1, 31, 21), 5.0)
    field[0, 3:6, 4] = np.nan, np.inf, -np.inf
    (heat,) = maps(figures.scene(scene((Panel("f", np.ones((1, N)), field),))))
    assert heat.zmax == 10
    assert np.isnan(heat.z[3:6, 4]).all()
    assert np.isnan(heat.z).sum() == 3


def test_no_points_and_hostile_names():
    names = ("<b>x</b> %{y} $a$", "y")
    picture = scene((cosine(0),), kind="classes", classes=("<i>", "%{z}"), axes=names)
    none = Points(np.empty((0, 2)), np.empty(0, int))
    only_panel = replace(cosine(0), title="<script>", points=np.empty((1, 0)))
    figure = figures.scene(replace(picture, points=none, panels=(only_panel,)))
    assert "<b>&lt;script&gt;" in figure.layout.annotations[0].text
    assert "<b>" not in figure.layout.xaxis.title.text
    tip = maps(figure)[0].hovertemplate
    assert re.findall(r"%\{(\w+)", tip) == ["x", "y", "z", "text"]


def test_long_titles_fit_above_panels_in_a_row():
    panels = [replace(panel(lambda x, y: x), title="long title " * 8) for _ in range(3)]
    figure = figures.scene(replace(scene(panels), view=(-3.0, 3.0, -1.0, 1.0)))
    assert len(figure.layout.annotations) >= 3


@pytest.mark.slow
def test_many_points_are_drawn_by_webgl():
    points = Points(RNG.uniform(size=(2000, 2)), np.arange(2000))
    panels = (Panel("f", np.zeros((1, 2000))),) * 7
    many = replace(MODES, points=points, panels=panels)
    for picture, webgl in ((many, True), (MODES, False)):
        assert ("scattergl" in {t.type for t in figures.scene(picture).data}) == webgl
