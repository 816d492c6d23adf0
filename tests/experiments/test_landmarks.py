"""The table of landmark rules: the data, the required gain, and one cell recomputed."""

import numpy as np
import pytest

from lapviz.estimators import LaplacianRegressor
from lapviz.experiments.landmarks import (
    BANDWIDTH,
    LAM,
    MU,
    Row,
    centres,
    cluster_and_ring,
    landmarks_table,
    markdown,
    needs,
)


@pytest.mark.slow
def test_leverage_needs_no_more_landmarks_than_uniform():
    rows = landmarks_table((50, 100, 200), n_seeds=3)
    for row in rows:
        assert row.leverage < 0.5 * min(row.uniform, row.stratified)
    assert rows[0].leverage < rows[2].stratified  # a quarter of the landmarks does better


def test_a_cell_by_hand():
    X, y, ring = cluster_and_ring(seed=0)
    assert ring.sum() == 60
    assert np.hypot(*X[ring].T).min() > 2.5
    points = centres(X, 30, "leverage", 0)
    model = LaplacianRegressor(bandwidth=BANDWIDTH, landmarks=points, lam=LAM, mu=MU).fit(X, y)
    squares = (model.predict(X) - y) ** 2
    error = np.sqrt(np.mean([squares[ring].mean(), squares[~ring].mean()]))
    np.testing.assert_allclose(landmarks_table((30,), n_seeds=1)[0].leverage, error)


def test_needs_look_at_all_that_follows():
    rows = [Row(p, 1, e, e, e, 0.01) for p, e in ((10, 0.2), (20, 0.4), (30, 0.2), (40, 0.1))]
    found = needs(rows, (0.3, 0.05))
    assert (found[0].uniform, found[0].leverage) == (30, 10)
    assert (found[1].uniform, found[1].leverage) == (None, 10)
    assert "more" in markdown(found, "error")
