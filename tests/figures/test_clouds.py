"""Scenes whose points lie in space, as Plotly figures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lapviz import figures
from lapviz.labels import Label
from lapviz.scenes import Panel, Points, Scene

N = 30
RNG = np.random.default_rng(2)
XYZ = RNG.normal(size=(N, 3))
POINTS = Points(XYZ[:, :2], 5 * np.arange(N), np.arange(N) % 3, XYZ)


def scene(count, **changes):
    panels = tuple(
        Panel(f"f{i}", RNG.normal(size=(1, N)), subtitle=f"γ = {i}") for i in range(count)
    )
    given = {"panels": panels, "points": POINTS, "view": (0, 1, 0, 1), "view_key": "k"}
    return Scene(**given | {"axes": ("x₁", "x₂", "x₃")} | changes)


def test_the_points_are_where_they_are_and_have_their_values():
    given = scene(1)
    (trace,) = figures.scene(given).data
    assert trace.type == "scatter3d"
    np.testing.assert_allclose(np.column_stack([trace.x, trace.y, trace.z]), XYZ)
    np.testing.assert_allclose(trace.marker.color, given.panels[0].points[0])
    assert trace.marker.cmin == -trace.marker.cmax
    assert "x₃ %{z" in trace.hovertemplate


def test_a_ball_stays_a_ball():
    space = figures.scene(scene(1)).layout.scene
    assert space.aspectmode == "data"
    assert space.zaxis.title.text == "x₃"


def test_a_few_panels_stand_side_by_side_and_do_not_overlap():
    layout = figures.scene(scene(3)).layout
    ends = [layout[name].domain.x for name in ("scene", "scene2", "scene3")]
    assert all(a[1] < b[0] for a, b in itertools.pairwise(ends))
    assert [note.text for note in layout.annotations] == [
        f"<b>f{i}</b><br>γ = {i}" for i in range(3)
    ]


def test_two_rows_leave_room_for_their_titles():
    layout = figures.scene(scene(4), columns=2).layout
    upper, lower = layout.scene.domain.y, layout.scene3.domain.y
    title = layout.annotations[2].y
    assert lower[1] <= title < upper[0]


def test_many_panels_share_a_picture_with_a_menu():
    figure = figures.scene(scene(16))
    assert {trace.scene for trace in figure.data} == {"scene"}, "browsers have few contexts"
    assert [trace.visible for trace in figure.data] == [True] + [False] * 15
    (menu,) = figure.layout.updatemenus
    assert menu.buttons[4].label == "f4 · γ = 4"
    assert menu.buttons[4].args[0]["visible"] == [i == 4 for i in range(16)]


def test_classes_have_a_legend_and_labels_their_places():
    scores = RNG.normal(size=(3, N))
    labels = (Label(10, 2, (0.0, 0.0)), Label(0, 1, (0.0, 0.0)))
    panel = Panel("m", scores, accuracy=0.5)
    given = scene(1, panels=(panel,), kind="classes", classes=("a", "b", "c"), labels=labels)
    figure = figures.scene(given)
    assert {trace.type for trace in figure.data} == {"scatter3d"}, "no axes of a plane"
    marked = {t.text[0]: t for t in figure.data if t.text is not None and len(t.text) == 1}
    for label in labels:
        trace = marked[f"row {label.index + 1}"]
        np.testing.assert_allclose([trace.x[0], trace.y[0], trace.z[0]], XYZ[label.index // 5])
        assert trace.name == "abc"[label.code]
    shown = [trace.name for trace in figure.data if trace.showlegend is not False and trace.name]
    assert shown == ["a", "b", "c"]


@pytest.mark.parametrize("panel", [
    Panel("m", np.zeros((1, N)), note="Nothing is labelled."),
    Panel("m", np.full((1, N), np.nan)),
])  # fmt: skip
def test_without_values_the_points_are_drawn_bare(panel):
    (trace,) = figures.scene(scene(1, panels=(panel,))).data
    assert len(trace.x) == N
    assert isinstance(trace.marker.color, str)
