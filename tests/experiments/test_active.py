"""The published setting in small: active choice against chance on four circles."""

import numpy as np

from lapviz.experiments import registry
from lapviz.experiments.active import LIMIT, labels_needed


def test_a_run_that_never_gets_there_counts_as_more_than_the_limit():
    W, y = np.zeros((3, 500)), np.arange(500) % 2
    assert labels_needed(W, y, 1.0, "random", 0) == LIMIT + 1
    rows = [{"setting": "nothing", "choice": "random", "labels": n} for n in (1, LIMIT + 1)]
    text = registry.get("active").markdown([rows[1], *rows, rows[1]])
    assert f"| nothing | random | > {LIMIT} | 113.5 – 151 |" in text
