"""Properties of the values that a picture shows, against sorting and brute force."""

import weakref

import numpy as np
import pytest

from lapviz.contract import CONTRACT
from lapviz.figures import fields
from lapviz.scenes import Grid

NEAR = CONTRACT["near"]
GRID = Grid(np.linspace(0, 1, 41), np.linspace(0, 2, 61))


def brute_winner(scores):
    """Winner and margin at one place, by sorting the finite scores."""
    order = sorted((-v, c) for c, v in enumerate(scores) if np.isfinite(v))
    if not order:
        return -1, np.nan
    return order[0][1], (order[1][0] - order[0][0] if len(order) > 1 else 0.0)


def test_winners_match_sorting():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((4, 300))
    scores[rng.uniform(size=scores.shape) < 0.4] = np.nan
    scores[0, 0], scores[1, 1] = np.inf, -np.inf
    codes, margins = fields.winners(scores)
    expected = [brute_winner(column) for column in scores.T]
    assert {-1, 0, 1, 2, 3} == set(codes.tolist())
    np.testing.assert_array_equal(codes, [c for c, _ in expected])
    np.testing.assert_allclose(margins, [m for _, m in expected], atol=1e-6)


def test_a_score_below_single_precision_wins():
    scores = np.array([[0.0, 1e-98], [3e-70, 1e-99], [0.0, np.nan]])
    codes, margins = fields.winners(scores)
    assert codes.tolist() == [1, 0]
    np.testing.assert_allclose(margins, [3e-70, 9e-99])
    assert len(fields.boundaries(scores[:, None])) == 2


@pytest.mark.parametrize(
    ("values", "top"),
    [([[1, -3, np.nan, np.inf]], 3), ([[1, 0], [0, 5], [-1, 4]], 1), ([[np.nan]], 0), ([[]], 0)],
)
def test_largest_ignores_values_that_are_not_finite(values, top):
    assert fields.largest(np.array(values, float)) == top


@pytest.mark.parametrize("n_classes", [2, 5])
def test_boundaries_lie_just_where_the_winner_changes(n_classes):
    scores = np.random.default_rng(n_classes).standard_normal((n_classes, 12, 15))
    lines = fields.boundaries(scores)
    assert len(lines) == n_classes
    winner = scores.argmax(axis=0)
    crossed = np.zeros((12, 14), bool)
    for line in lines:
        crossed |= line[:, 1:] * line[:, :-1] < 0
    np.testing.assert_array_equal(crossed, winner[:, 1:] != winner[:, :-1])
    constant = np.stack([np.ones((4, 4)), np.zeros((4, 4)), np.full((4, 4), np.nan)])
    assert fields.boundaries(constant) == []


@pytest.mark.parametrize("n", [12, 300])
def test_nearness_is_full_near_points_and_zero_far_away(n):
    xy = np.random.default_rng(n).uniform(0, 0.3, (n, 2))
    gaps = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    unit = max(np.quantile(gaps.min(axis=1), NEAR["quantile"]), NEAR["least"] * np.hypot(1, 2))
    distances = np.linalg.norm(GRID.sites()[:, None] - xy[None], axis=2).min(axis=1) / unit
    nearness = fields.nearness(GRID, xy).ravel()
    np.testing.assert_array_equal(nearness == 255, distances <= NEAR["inner"])
    np.testing.assert_array_equal(nearness[distances >= NEAR["outer"]], 0)
    assert (np.diff(nearness[np.argsort(distances)].astype(int)) <= 0).all()
    assert {0, 255} < set(np.unique(nearness))


def test_without_points_every_node_counts_as_near():
    assert (fields.nearness(GRID, np.empty((0, 2))) == 255).all()
    assert (fields.nearness(GRID, np.full((3, 2), np.nan)) == 255).all()
    reference = weakref.ref(fields.nearness(GRID, np.ones((9, 2))))
    assert reference() is None, "points may be a visitor's own"
    nearness = fields.nearness(GRID, np.array([[0.5, 1.0]]))
    assert (nearness[30, 20], nearness[0, 0]) == (255, 0)
