"""The table of landmark rules: the data, the required gain, and one cell recomputed."""

import numpy as np

from lapviz.estimators import LaplacianRegressor
from lapviz.experiments import landmarks as module
from lapviz.experiments import registry
from lapviz.experiments.landmarks import BANDWIDTH, LAM, MU, centres, need


def test_a_cell_by_hand(rows_of):
    experiment = registry.get("landmarks")
    task = experiment.tasks(experiment.Config(counts=(30,), trials=1))[0]
    rng = task.rng("landmarks", 0)
    X, y, ring = module.cluster_and_ring(2000, 0.03, rng)
    assert ring.sum() == 60
    assert np.hypot(*X[ring].T).min() > 2.5
    points = centres(X, 30, "leverage", int(rng.integers(2**31)))
    model = LaplacianRegressor(bandwidth=BANDWIDTH, landmarks=points, lam=LAM, mu=MU).fit(X, y)
    squares = (model.predict(X) - y) ** 2
    error = np.sqrt(np.mean([squares[ring].mean(), squares[~ring].mean()]))
    found = {row["rule"]: row["error"] for row in rows_of("landmarks", counts=(30,), trials=1)}
    np.testing.assert_allclose(found["leverage"], error)


def test_needs_look_at_all_that_follows():
    errors = {p: {"a": e, "b": 0.01} for p, e in ((10, 0.2), (20, 0.4), (30, 0.2), (40, 0.1))}
    assert (need(errors, "a", 0.3), need(errors, "b", 0.3)) == (30, 10)
    assert (need(errors, "a", 0.05), need(errors, "b", 0.05)) == (None, 10)
