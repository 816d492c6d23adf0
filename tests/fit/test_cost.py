"""What a fit will take: laws that are known, and one that is measured."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from lapviz import LaplacianClassifier, LaplacianRegressor
from lapviz.fit import apart, cost
from lapviz.fit.apart import expected_apart
from lapviz.progress import Cancelled, listening


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
def test_three_costs_determine_the_law(exponent):
    def law(n):
        return 0.3 + 2e-4 * n**exponent

    sizes = [500, 1000, 2000]
    found = cost.extrapolate(sizes, [law(n) for n in sizes], 64_000)
    assert found == pytest.approx(law(64_000), rel=1e-9)


def test_less_than_three_costs():
    assert cost.extrapolate([100], [2.0], 300) == 6.0
    assert cost.extrapolate([100, 200], [1.0, 4.0], 800) == pytest.approx(64.0)
    assert cost.extrapolate([100, 200], [3.0, 3.0], 800) == pytest.approx(12.0)


def test_costs_that_no_longer_grow_stay():
    assert cost.extrapolate([1, 2, 4], [1.0, 2.0, 2.0], 100) == 2.0
    assert cost.extrapolate([1, 2, 4], [1.0, 2.0, 1.5], 100) == 1.5


class Hungry(LaplacianRegressor):
    """Holds 800 bytes for each row, and remembers how often it was fitted."""

    fits = []  # noqa: RUF012

    def fit(self, X, y):
        self.fits.append((len(X), set(y[y >= 0])))
        np.empty((len(X), 100)).fill(1.0)  # a sum would take a buffer, with older NumPy
        return self


def test_memory_is_measured_and_extrapolated():
    n = 100_000
    y = np.full(n, -1)
    y[n // 2], y[7], y[8] = 0, 1, 2
    Hungry.fits.clear()
    found = cost.expected(Hungry(), np.zeros((n, 3)), y, budget=0.0)
    assert found.memory == pytest.approx(800 * n, rel=0.05)
    assert (found.rows, found.columns, found.measured) == (n, 3, cost.FIRST)
    assert Hungry.fits == [(cost.FIRST, {0, 1, 2})] * 2


def test_a_small_fit_is_measured_whole():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), np.full(300, -1)
    y[:2] = 0, 1
    found = cost.expected(LaplacianClassifier(operator="laplacian"), X, y)
    assert found.measured == found.rows == 300
    assert found.sentence().startswith("300 rows of 2 columns take ")


def test_what_does_not_fit_is_said():
    said = cost.Cost(10**6, 5, 7300.0, 9 * 10**9, 10**9, 2000).sentence()
    assert said == (
        "1,000,000 rows of 5 columns take about 2 hours and 9.0 GB of memory, and 1.0 GB are left: "
        "take fewer rows or landmarks."
    )


@pytest.mark.slow
def test_apart_finds_the_same_memory():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 3)), rng.integers(-1, 2, size=2000)
    model = LaplacianClassifier(operator="laplacian", random_state=0)
    here, there = cost.expected(model, X, y, budget=0.0), expected_apart(model, X, y, budget=0.0)
    assert (there.rows, there.columns, there.measured) == (2000, 3, cost.FIRST)
    assert there.memory == pytest.approx(here.memory, rel=0.1)
    assert there.available > 0


@pytest.mark.slow
def test_apart_does_not_trace_beside_other_threads(monkeypatch):
    monkeypatch.setattr(tracemalloc, "start", lambda *_: pytest.fail("traced in this process"))
    X = np.random.default_rng(0).normal(size=(600, 2))
    assert expected_apart(LaplacianRegressor(), X, X[:, 0], budget=0.0).memory > 0


@pytest.mark.slow
def test_apart_sends_a_part_and_tells_of_all(monkeypatch):
    monkeypatch.setattr(apart, "ROWS", 700)
    X = np.random.default_rng(0).normal(size=(5000, 2))
    found = expected_apart(LaplacianRegressor(), X, X[:, 0], budget=60.0)
    assert (found.rows, found.measured) == (5000, 700)


def test_apart_sends_more_than_a_pipe_holds_to_a_child_that_is_slow_to_start():
    X = np.random.default_rng(0).normal(size=(20_000, 10))  # 1.6 MB; a pipe takes 64 kB
    waited = []

    def give_up(report):
        waited.append(report)
        if len(waited) * apart.LOOK > 60:
            raise TimeoutError("The child still waits for its rows.")

    with listening(give_up):
        found = expected_apart(LaplacianRegressor(), X, X[:, 0], budget=0.0)
    assert found.rows == 20_000
    assert waited  # it took longer than a look


def test_apart_without_processes_measures_time(monkeypatch):
    def refused(*_, **__):
        raise OSError

    monkeypatch.setattr(apart.subprocess, "Popen", refused)
    X = np.random.default_rng(0).normal(size=(600, 2))
    found = expected_apart(LaplacianRegressor(), X, X[:, 0], budget=0.0)
    assert found.memory == 0
    assert found.seconds > 0


def test_apart_can_be_cancelled():
    def cancel(_):
        raise Cancelled

    X = np.random.default_rng(0).normal(size=(600, 2))
    with pytest.raises(Cancelled), listening(cancel):
        expected_apart(LaplacianRegressor(), X, X[:, 0], budget=60.0)


@pytest.mark.slow
def test_apart_says_that_the_samples_failed():
    X = np.full((600, 2), np.nan)
    with pytest.raises(RuntimeError, match="small sample failed"):
        expected_apart(LaplacianRegressor(), X, X[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("function", [cost.expected, expected_apart])
def test_weights_reach_the_fits_of_the_samples(function):
    X = np.random.default_rng(0).normal(size=(700, 2))
    y = np.where(X[:, 0] > 0, 1, 0)
    model = LaplacianRegressor(random_state=0)
    assert function(model, X, 1.0 * y, sample_weight=np.arange(700.0), budget=0.1).rows == 700
    with pytest.raises((ValueError, RuntimeError)):
        function(model, X, 1.0 * y, sample_weight=-np.ones(700), budget=0.1)
