"""The stopping experiment on small sizes: what its columns say, and the claims it supports."""

import numpy as np
import pytest

from lapviz.experiments import stopping


@pytest.fixture(scope="module")
def rows(rows_of):
    # 30 labelled with 70 unlabelled; and 100 labelled alone
    both = rows_of("stopping", trials=3, targets=("smooth",), labelled=(30, 100), unlabelled=70)
    lines = (dict(zip(stopping.RULE_HEADS, line, strict=True)) for line in
             stopping.rule_table(both))  # fmt: skip
    return {(its["n labelled"], its["n unlabelled"], its["rule"]): its for its in lines}


@pytest.mark.slow
def test_columns_say_what_they_should(rows):
    for n, m, rule in rows:
        its, best = rows[n, m, rule], rows[n, m, stopping.BEST]
        assert its["error"] >= best["error"]
        assert its["times best"] == pytest.approx(its["error"] / best["error"])


def test_the_theorems_constants_stop_at_zero_and_hold_out_does_not(rows):
    """What is reported: at n = 100 both rules give the mean, whose error is the target's size."""
    part = {rule: its for (n, _, rule), its in rows.items() if n == 100}
    size = np.sqrt((1 + 0.25) / 2)
    for rule, its in part.items():
        if "τ = 1.1" in rule or "τ′ = 1.6" in rule:
            assert its["iterations"] == 0
            assert its["error"] == pytest.approx(size, rel=0.05)
    assert part["hold-out of a fifth"]["times best"] < 2
    assert part["(8), τ = .01"]["iterations"] > 0
