"""The stopping experiment on small sizes: what its columns say, and the claims it supports."""

import numpy as np
import pytest

from lapviz.experiments import stopping


@pytest.fixture(scope="module")
def rows():
    return stopping.rules_table(("smooth",), ((100, 0), (30, 70)), n_seeds=3)


def test_columns_say_what_they_should(rows):
    for n_labelled in (100, 30):
        part = {row.rule: row for row in rows if row.n_labelled == n_labelled}
        best = part["best in hindsight"]
        assert best.times_best == 1
        assert all(row.error >= best.error for row in part.values())
        for row in part.values():
            assert row.times_best == pytest.approx(row.error / best.error)


def test_the_theorems_constants_stop_at_zero_and_hold_out_does_not(rows):
    """What is reported: at n = 100 both rules give the mean, whose error is the target's size."""
    part = {row.rule: row for row in rows if row.n_labelled == 100}
    size = np.sqrt((1 + 0.25) / 2)
    for rule, row in part.items():
        if "τ = 1.1" in rule or "τ′ = 1.6" in rule:
            assert row.iterations == 0
            assert row.error == pytest.approx(size, rel=0.05)
    assert part["hold-out of a fifth"].times_best < 2
    assert part["(8), τ = .01"].iterations > 0


def test_the_best_point_of_each_path_is_alike():
    row = stopping.methods_table(("smooth",), (100,), n_seeds=2)[0]
    errors = [getattr(row, method) for method in stopping.METHODS]
    assert max(errors) < 1.5 * min(errors)
    assert max(errors) < 0.2


def test_progress_and_markdown():
    seen = []
    part = stopping.rules_table(("step",), ((20, 0),), 1, lambda row: seen.append(row) or True)
    assert part == seen
    assert len(seen) == 1
    lines = stopping.markdown(part).splitlines()
    assert len(lines) == 3
    assert lines[0].count("|") == lines[2].count("|") == 8
