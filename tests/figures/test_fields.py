import numpy as np
import pytest

from lapviz.figures import fields


def brute_winner(scores):
    """Winner and margin at one place, by sorting what is a number."""
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


def test_top_ignores_what_is_not_finite():
    assert fields.top_of(np.array([[1.0, -3.0, np.nan, np.inf]])) == 3
    assert fields.top_of(np.array([[1.0, 0.0], [0.0, 5.0], [-1.0, 4.0]])) == 1
    assert fields.top_of(np.full((1, 4), np.nan)) == 0
    assert fields.top_of(np.empty((1, 0))) == 0


@pytest.mark.parametrize("n_classes", [2, 3, 5, 10])
def test_boundaries_lie_just_where_the_winner_changes(n_classes):
    scores = np.random.default_rng(n_classes).standard_normal((n_classes, 12, 15))
    lines = fields.boundaries(scores)
    assert len(lines) == n_classes
    winner = scores.argmax(axis=0)
    crossed = np.zeros((12, 14), bool)
    for line in lines:
        crossed |= line[:, 1:] * line[:, :-1] < 0
    np.testing.assert_array_equal(crossed, winner[:, 1:] != winner[:, :-1])


def test_one_winner_has_no_boundary():
    scores = np.stack([np.ones((4, 4)), np.zeros((4, 4)), np.full((4, 4), np.nan)])
    assert fields.boundaries(scores) == []
