"""Data sets with values: their functions, noise, and the position on the roll."""

from __future__ import annotations

import numpy as np
import pytest

from lapviz import datasets
from tests.helpers import quotients

ALL = datasets.names("values")


def test_sets_with_values_and_sets_with_classes():
    assert set(ALL) == {"swiss_roll", "waves", "step", "hills"}
    assert set(datasets.names()) & set(ALL) == {"swiss_roll"}
    assert datasets.load("circle", n_samples=5).values is None


@pytest.mark.parametrize("name", ["waves", "step", "hills"])
def test_noise_is_on_the_values_bounded_and_of_the_given_size(name):
    clean, noisy = (datasets.load(name, n_samples=2000, noise=s, random_state=3) for s in (0, 0.5))
    np.testing.assert_array_equal(clean.X, noisy.X)
    noise = noisy.values - clean.values
    assert np.abs(noise).max() <= 1.5 + 1e-9
    assert noise.std() == pytest.approx(0.5, rel=0.05)
    assert abs(noise.mean()) < 0.05


def test_formulas_by_hand():
    quarter = np.array([[0.25]])
    assert datasets.load("waves").target(quarter)[0] == pytest.approx(1.0)
    np.testing.assert_array_equal(
        datasets.load("step").target(np.array([[0.39], [0.4]])), [-1.0, 1.0]
    )
    hill = datasets.load("hills").target(np.array([[0.5, 0.0]]))[0]
    assert hill == pytest.approx(np.sin(3) + 1)


@pytest.mark.parametrize("name", ["waves", "step", "hills"])
def test_gradients_against_finite_differences(name):
    data = datasets.load(name, n_samples=200, random_state=1)
    X = data.X[np.abs(data.X[:, 0] - 0.4) > 2e-5]  # without the step
    np.testing.assert_allclose(data.gradient(X), quotients(data.target, X), atol=1e-6)


def test_the_rolls_value_is_the_length_along_the_sheet():
    """Against the arc length of a fine polygon."""
    data = datasets.load("swiss_roll", n_samples=40)
    t = np.hypot(data.X[:, 0], data.X[:, 2])
    fine = np.linspace(1.5 * np.pi, 4.5 * np.pi, 200_001)
    steps = np.hypot(np.diff(fine * np.cos(fine)), np.diff(fine * np.sin(fine)))
    length = np.concatenate([[0], np.cumsum(steps)])
    expected = np.interp(t, fine, length) - length[-1] / 2
    np.testing.assert_allclose(data.values, expected, atol=1e-3)
