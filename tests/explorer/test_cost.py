"""How long a picture will take, learnt from how long pictures took."""

import pytest

from lapviz.explorer import cost, presets

MOONS = presets.for_data("half_moons")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(cost, "_SPEED", {"value": 1.0})


def test_more_rows_functions_or_features_take_longer():
    small = MOONS.change(n=10_000, p=200)
    assert cost.expected(small.change(n=20_000)) == pytest.approx(2 * cost.expected(small), rel=0.1)
    assert cost.expected(small.change(p=400)) > 2 * cost.expected(small)
    blobs = presets.for_data("blobs").change(n=10_000, p=200)
    wide = blobs.change(options=(("dimension", 20), ("n_blobs", 5)))
    assert cost.expected(wide) > cost.expected(blobs)


def test_there_are_no_more_functions_than_samples():
    few = MOONS.change(n=100)
    assert cost.expected(few.change(p=2000)) == cost.expected(few.change(p=100))


def test_a_host_half_as_fast_is_known_after_a_few_pictures():
    long = MOONS.change(n=100_000, p=1000)
    first = cost.expected(long)
    for _ in range(20):
        cost.learn(long, 2 * first)
    assert cost.expected(long) == pytest.approx(2 * first, rel=1e-2)


def test_what_the_cache_answered_at_once_says_nothing_about_the_host():
    long = MOONS.change(n=100_000, p=1000)
    first = cost.expected(long)
    cost.learn(long, 0.01)
    assert cost.expected(long) == first
