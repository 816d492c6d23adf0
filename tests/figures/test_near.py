"""Nearness to the data against brute force."""

import weakref

import numpy as np
import pytest

from lapviz.contract import CONTRACT
from lapviz.figures.near import nearness
from lapviz.scenes import Grid

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
