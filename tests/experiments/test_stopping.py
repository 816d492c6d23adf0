"""The stopping experiment on small sizes: what its columns say, and the claims it supports."""

import numpy as np
import pytest

from lapviz.experiments import registry, runs, stopping


def rows_of(name, **config):
    experiment = registry.get(name)
    return runs.run(experiment, experiment.Config(**config)).rows


@pytest.fixture(scope="module")
def rows():
    # 30 labelled with 70 unlabelled; and 100 labelled alone
    both = rows_of("stopping", trials=3, targets=("smooth",), labelled=(30, 100), unlabelled=70)
    found = stopping.rule_rows(both)
    return [row for row in found if (row.n_labelled, row.n_unlabelled) != (30, 0)]


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
    row = stopping.method_rows(
        rows_of("stopping-filters", trials=2, targets=("smooth",), samples=(100,))
    )[0]
    errors = [getattr(row, method) for method in stopping.METHODS]
    assert max(errors) < 1.5 * min(errors)
    assert max(errors) < 0.2


def test_markdown(rows):
    lines = stopping.markdown(rows[:1]).splitlines()
    assert len(lines) == 3
    assert lines[0].count("|") == lines[2].count("|") == 8
