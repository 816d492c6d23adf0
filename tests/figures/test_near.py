"""Nearness to the data, and what follows from it: scales, fading, rings around errors."""

import weakref
from dataclasses import replace

import numpy as np
import pytest

from lapviz import figures
from lapviz.contract import CONTRACT
from lapviz.figures import fields
from lapviz.figures.marks import wrong_points
from lapviz.figures.near import nearness, region
from lapviz.labels import Label
from lapviz.scenes import Grid, Panel, Points, Scene

NEAR = CONTRACT["near"]
GRID = Grid(np.linspace(0, 1, 41), np.linspace(0, 2, 61))


def brute(grid, xy):
    """Distance of every node to the nearest point, in typical spacings."""
    gaps = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    span = np.hypot(grid.x[-1] - grid.x[0], grid.y[-1] - grid.y[0])
    unit = max(np.quantile(gaps.min(axis=1), NEAR["quantile"]), NEAR["least"] * span)
    away = np.linalg.norm(grid.sites()[:, None] - xy[None], axis=2).min(axis=1)
    return (away / unit).reshape(len(grid.y), len(grid.x))


@pytest.mark.parametrize("n", [12, 300])
def test_nearness_is_full_near_points_and_none_far_away(n):
    xy = np.random.default_rng(n).uniform(0, 0.3, (n, 2))
    found, away = nearness(GRID, xy), brute(GRID, xy)
    np.testing.assert_array_equal(found == 255, away <= NEAR["inner"])
    np.testing.assert_array_equal(found[away >= NEAR["outer"]], 0)
    order = np.argsort(away.ravel())
    assert (np.diff(found.ravel()[order].astype(int)) <= 0).all()
    assert {0, 255} < set(np.unique(found))


def test_without_points_all_counts_as_near():
    assert (nearness(GRID, np.empty((0, 2))) == 255).all()
    assert (nearness(GRID, np.full((3, 2), np.nan)) == 255).all()
    alone = nearness(GRID, np.array([[0.5, 1.0]]))
    assert alone[30, 20] == 255
    assert alone[0, 0] == 0


def test_nothing_is_kept_of_points_that_may_be_a_visitors_own():
    found = weakref.ref(nearness(GRID, np.random.default_rng(0).normal(size=(9, 2))))
    assert found() is None


def scene(panels, kind="functions", **more):
    rng = np.random.default_rng(3)
    points = Points(rng.uniform(0, 0.4, (50, 2)), np.arange(50), rng.integers(-1, 2, 50))
    return Scene(panels, points, (0, 1, 0, 2), "k", GRID, kind, classes=("a", "b"), **more)


def growing(factor):
    x, y = np.meshgrid(GRID.x, GRID.y)
    return Panel("f", np.ones((1, 50)), factor * np.exp(3 * (x + y))[None])


def test_a_scale_ends_where_the_data_end():
    made = scene((growing(1.0), growing(5.0)))
    inside = region(made)
    ends = [t.zmax for t in figures.scene(made).data if t.type == "heatmap" and t.zmin < 0]
    expected = [panel.grid[0][inside].max() for panel in made.panels]
    np.testing.assert_allclose(ends, expected, rtol=1e-6)
    assert ends[1] < made.panels[1].grid.max() / 20
    assert fields.scale_end(made.panels[0].grid, False) > 20 * ends[0]
    shared = figures.scene(made, same_scale=True).data
    same = [t.zmax for t in shared if t.type == "heatmap" and t.zmin < 0]
    np.testing.assert_allclose(same, [max(expected)] * 2, rtol=1e-6)


def test_what_is_far_is_covered_in_the_colour_of_zero():
    made = scene((growing(1.0),))
    (cover,) = [t for t in figures.scene(made).data if t.name == "far from the data"]
    np.testing.assert_array_equal(cover.z, 255 - nearness(GRID, made.points.xy))
    assert [stop[1][-3:] for stop in cover.colorscale] == [" 0)", f"{NEAR['cover']})"[-3:]]
    nodes = Points(GRID.sites(), np.arange(41 * 61))
    panel = replace(made.panels[0], points=np.ones((1, 41 * 61)))
    whole = figures.scene(replace(made, points=nodes, panels=(panel,)))
    assert not [t for t in whole.data if t.name == "far from the data"]


def test_rings_stand_around_errors_alone():
    rng = np.random.default_rng(0)
    panel = Panel("f", rng.standard_normal((1, 50)), rng.standard_normal((1, 61, 41)))
    made = scene((panel,), "classes", labels=(Label(0, 1, (0.1, 0.1)), Label(3, 0, (0.2, 0.1))))
    wrong = wrong_points(made, panel)
    for i, truth in enumerate(made.points.truth):
        expected = truth >= 0 and i not in (0, 3) and int(panel.points[0, i] > 0) != truth
        assert wrong[i] == expected
    (rings,) = [t for t in figures.scene(made, errors=True).data if t.name == "wrong class"]
    np.testing.assert_array_equal(np.column_stack([rings.x, rings.y]), made.points.xy[wrong])
    assert not [t for t in figures.scene(made).data if t.name == "wrong class"]
    unknown = replace(made, points=replace(made.points, truth=None))
    assert not wrong_points(unknown, panel).any()
