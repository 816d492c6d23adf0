"""How long a picture will take, learnt from how long pictures took."""

import pytest

from lapviz.explorer import cost, presets, steps
from lapviz.explorer.cache import clear

MOONS = presets.papers_for("half_moons")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(cost, "_SPEED", {"value": 1.0})


def test_more_rows_functions_or_features_take_longer():
    small = MOONS.change(n=10_000, p=200)
    assert cost.expected(small.change(n=20_000)) == pytest.approx(2 * cost.expected(small), rel=0.1)
    assert cost.expected(small.change(p=400)) > 2 * cost.expected(small)
    blobs = presets.papers_for("blobs").change(n=10_000, p=200)
    wide = blobs.change(options=(("dimension", 20), ("n_blobs", 5)))
    assert cost.expected(wide) > cost.expected(blobs)


def test_there_are_no_more_functions_than_samples():
    few = MOONS.change(n=100)
    assert cost.expected(few.change(p=2000)) == cost.expected(few.change(p=100))


def took(monkeypatch, seconds):
    monkeypatch.setattr(cost.steps, "seconds_of_assembly", lambda problem: seconds)


def test_a_host_half_as_fast_is_known_after_a_few_pictures(monkeypatch):
    long = MOONS.change(n=100_000, p=1000)
    first = cost.expected(long)
    took(monkeypatch, 2 * first)
    for seed in range(20):
        cost.learn(long.change(seed=seed))
    assert cost.expected(long) == pytest.approx(2 * first, rel=1e-2)


def test_one_assembly_is_learnt_once_however_often_it_is_shown(monkeypatch):
    long = MOONS.change(n=100_000, p=1000)
    took(monkeypatch, 2 * cost.expected(long))
    cost.learn(long)
    once = cost.expected(long)
    cost.learn(long.change(lam=7.0))
    assert cost.expected(long) == once


@pytest.mark.parametrize("seconds", [None, 0.01])
def test_short_or_unknown_times_say_nothing_about_the_host(monkeypatch, seconds):
    long = MOONS.change(n=100_000, p=1000)
    first = cost.expected(long)
    took(monkeypatch, seconds)
    cost.learn(long)
    assert cost.expected(long) == first


def test_the_time_is_that_of_the_assembly_in_the_cache():
    clear()
    problem = steps.Problem.of(MOONS.change(n=200, p=20))
    assert steps.seconds_of_assembly(problem) is None
    whole = steps.assembled(problem)
    assert steps.seconds_of_assembly(problem) == whole.seconds
