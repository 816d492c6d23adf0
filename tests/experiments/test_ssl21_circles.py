"""Four circles: the numbers behind SSL21 Figures 1, 2 and 6."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz.charts import points
from lapviz.experiments import registry
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


@pytest.mark.long
def test_only_the_energy_sees_the_circles(rows_of):
    """SSL21 Figure 6 at σ = .3: every point right with the Laplacian, few with the covariance."""
    rows = rows_of("ssl21-fig6", n=1200, p=400, sigmas=(0.3,), trials=1)
    best = {p.colour: p.y for p in points(rows, registry.get("ssl21-fig6").drawings[0])}
    assert best["covariance"] < 0.8
    assert best["ambient"] > 0.95
    assert best["tangential"] > 0.99


@pytest.mark.long
def test_the_width_of_figure_6_cannot_be_what_is_printed(rows_of):
    """At σ = .5 nothing helps: no λ, no filter, no μ; at .5/√2 most points are right."""
    rows = rows_of("ssl21-fig6", sigmas=(0.354, 0.5), mus=(1e-12, 1e-7, 5e-4), trials=1)
    drawing = replace(registry.get("ssl21-fig6").drawings[0], where=(("energy", "ambient"),))
    best = {(p.x, p.facet): p.y for p in points(rows, drawing)}
    for mu in (1e-12, 1e-7, 5e-4):
        assert best[0.5, mu] < 0.82
        assert best[0.354, mu] > 0.85


@pytest.mark.long
def test_labels_only_is_the_data_term_that_makes_figure_1(rows_of):
    rows = rows_of("ssl21-fig1", sizes=(1000,), trials=2)
    mean = {p.colour: p.y for p in points(rows, registry.get("ssl21-fig1").drawings[0])}
    assert mean["kernel ridge"] < 0.65
    assert mean["(5), ambient"] > mean["(9), ambient"] > mean["kernel ridge"]
