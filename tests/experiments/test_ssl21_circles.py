"""Four circles: the numbers behind SSL21 Figures 1, 2 and 6."""

import numpy as np
import pytest

from lapviz.experiments import ssl21_circles as circles


def test_the_labelled_points_are_the_papers():
    s = circles.draw(50, 0.0, np.random.default_rng(0))
    assert len(s.X) == 54
    np.testing.assert_allclose(np.hypot(*s.X[:4].T), [4, 3, 2, 1])
    np.testing.assert_array_equal(s.y[:4], [-1, 1, -1, 1])
    np.testing.assert_array_equal(s.y, np.where(s.radius % 2 == 1, 1, -1))
    assert circles.accuracy(s, np.append(-s.y[:4], s.y[4:])) == 1  # the labelled ones do not count
    assert circles.accuracy(s, -s.y) == 0


def test_the_constant_part_of_functions():
    s = circles.draw(2000, 0.0, np.random.default_rng(0))
    assert circles.constant_part(s, s.radius**2) == pytest.approx(1.0)
    wave = np.cos(3 * np.arctan2(s.X[:, 1], s.X[:, 0]))
    assert circles.constant_part(s, wave) < 0.02
    assert circles.constant_part(s, 1 + wave) == pytest.approx(2 / 3, abs=0.03)
