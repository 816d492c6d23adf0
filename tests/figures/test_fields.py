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
    assert len(lines) == np.ceil(np.log2(n_classes))
    winner = scores.argmax(axis=0)
    crossed = np.zeros((12, 14), bool)
    for line in lines:
        crossed |= line[:, 1:] * line[:, :-1] < 0
    np.testing.assert_array_equal(crossed, winner[:, 1:] != winner[:, :-1])


def test_one_winner_has_no_boundary():
    scores = np.stack([np.ones((4, 4)), np.zeros((4, 4)), np.full((4, 4), np.nan)])
    assert fields.boundaries(scores) == []


def test_levels_sit_at_whole_numbers():
    unbend = np.square
    at = [6.0 * unbend(i / 4) for i in range(4)]
    values = np.array([*at, *(-a for a in at)])
    found = fields.levels(values, 6.0, 3, unbend)
    np.testing.assert_allclose(found, [0, 1, 2, 3, 0, -1, -2, -3], atol=1e-6)
    steep = fields.levels(np.linspace(-6, 6, 501), 6.0, 3, unbend)
    assert (np.diff(steep) > 0).all()


def test_upsampling_is_exact_on_bilinear_functions():
    x, y = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 2, 4))
    fine_x, fine_y = np.meshgrid(np.linspace(0, 1, 13), np.linspace(0, 2, 10))
    f = [lambda x, y: 1 + 2 * x - y + x * y, lambda x, y: x - 3 * x * y]
    found = fields.upsample(np.array([g(x, y) for g in f]), 3)
    np.testing.assert_allclose(found, [g(fine_x, fine_y) for g in f], atol=1e-12)


def test_a_hole_leaves_its_neighbours_alone():
    values = np.ones((1, 3, 3))
    values[0, 1, 1] = np.nan
    fine = fields.upsample(values, 4)
    assert np.isnan(fine[0, 4, 4])
    assert np.isfinite(fine[0, ::4, ::4]).sum() == 8
