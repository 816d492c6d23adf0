"""The published setting in small: active choice against chance on four circles."""

import numpy as np
import pytest

from lapviz.charts import points
from lapviz.experiments import registry, runs
from lapviz.experiments.active import LIMIT, SETTINGS, labels_needed


@pytest.mark.long
def test_active_choice_needs_at_most_half_of_the_labels_of_chance():
    """SSL21 Figure 6's setting, where a circle needs several labels; both criteria, 3 seeds."""
    active = registry.get("active")
    config = active.Config(trials=3, problems=(SETTINGS[0].name,))
    rows = runs.run(active, config).rows
    median = {p.colour: p.y for p in points(rows, active.drawings[0])}
    assert set(median) == {"random", "energy", "change"}
    for choice in ("energy", "change"):
        assert median[choice] <= median["random"] / 2
        assert median[choice] >= 4, "fewer than one label a circle cannot do"


def test_a_run_that_never_gets_there_counts_as_more_than_the_limit():
    W, y = np.zeros((3, 500)), np.arange(500) % 2
    assert labels_needed(W, y, 1.0, "random", 0) == LIMIT + 1
    rows = [{"setting": "nothing", "choice": "random", "labels": n} for n in (1, LIMIT + 1)]
    text = registry.get("active").markdown([rows[1], *rows, rows[1]])
    assert f"| nothing | random | > {LIMIT} | 113.5 – 151 |" in text
