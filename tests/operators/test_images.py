"""Shifts and turns of images: exact where they can be, linear, and refused in words."""

import numpy as np
import pytest

from lapviz.operators import ImageMoves

rng = np.random.default_rng(0)
IMAGES = rng.uniform(size=(5, 7, 7))
X = IMAGES.reshape(5, 49)
MOVES = ImageMoves(1.0, 10.0, 7, 7)


def moved(shift, angle):
    n = len(X)
    out = MOVES.moved(X, np.tile(np.asarray(shift, float), (n, 1)), np.full(n, np.deg2rad(angle)))
    return out.reshape(IMAGES.shape)


def test_whole_pixels_move_exactly():
    wanted = np.zeros_like(IMAGES)
    wanted[:, 2:, :-1] = IMAGES[:, :-2, 1:]
    np.testing.assert_allclose(moved((2, -1), 0), wanted, atol=1e-12)
    np.testing.assert_allclose(moved((0, 0), 0), IMAGES, atol=1e-12)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_quarter_turns_are_exact(quarters):
    turned = moved((0, 0), 90 * quarters)
    either = [np.rot90(IMAGES, s * quarters, axes=(1, 2)) for s in (1, -1)]
    assert min(np.abs(turned - wanted).max() for wanted in either) < 1e-10


def test_draws_keep_their_range_and_follow_the_generator():
    ramp = np.tile(np.arange(7.0), (400, 7, 1)).reshape(400, 49)  # value = column
    shifted = ImageMoves(0.4, 0.0, 7, 7)(ramp, np.random.default_rng(3)).reshape(400, 7, 7)
    distance = 3 - shifted[:, 3, 3]
    assert np.abs(distance).max() <= 0.4
    assert distance.std() == pytest.approx(0.4 / 3**0.5, rel=0.1)
    again = ImageMoves(0.4, 0.0, 7, 7)(ramp, np.random.default_rng(3)).reshape(400, 7, 7)
    np.testing.assert_array_equal(shifted, again)
