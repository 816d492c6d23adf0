"""The published setting in small: active choice against chance on four circles."""

import numpy as np
import pytest

from lapviz.experiments import registry, runs
from lapviz.experiments.active import LIMIT, SETTINGS, Row, labels_needed, markdown, summary


@pytest.mark.slow
def test_active_choice_needs_at_most_half_of_the_labels_of_chance():
    """SSL21 Figure 6's setting, where a circle needs several labels; both criteria, 3 seeds."""
    active = registry.get("active")
    config = active.Config(trials=3, problems=(SETTINGS[0].name,))
    rows = {row.choice: row for row in summary(runs.run(active, config).rows)}
    assert set(rows) == {"random", "energy", "change"}
    for choice in ("energy", "change"):
        assert rows[choice].median <= rows["random"].median / 2
        assert rows[choice].median >= 4, "fewer than one label a circle cannot do"


def test_a_run_that_never_gets_there_counts_as_more_than_the_limit():
    W, y = np.zeros((3, 500)), np.arange(500) % 2
    assert labels_needed(W, y, 1.0, "random", 0) == LIMIT + 1
    row = Row("nothing", "random", 1, LIMIT + 1.0, (1.0, 2.0))
    assert f"| nothing | random | > {LIMIT} | 1 – 2 |" in markdown([row])
