"""Few values on many tables: a row by hand, the tables, and the printed output."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score

from lapviz import LaplacianRegressor
from lapviz.experiments import records, registry
from lapviz.experiments.targets import (
    BEST,
    COVERAGE,
    DEFAULT,
    MEAN,
    PROBLEMS,
    averages,
    evaluate,
    summary,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3)) * [1, 10, 100]
Y = 7 + np.sin(X[:, 0]) + X[:, 1] / 10


@pytest.mark.slow
def test_a_row_by_hand():
    order = RNG.permutation(80)
    labelled, hidden = order[:20], order[20:]
    rows = {row["method"]: row for row in evaluate(X, Y, labelled, hidden, 3)}
    A, y = (X - X.mean(axis=0)) / X.std(axis=0), (Y - Y[labelled].mean()) / Y[labelled].std()
    model = LaplacianRegressor(random_state=3).fit(
        A, np.where(np.isin(order.argsort(), range(20)), y, np.nan)
    )
    values, std = model.predict(A[hidden], return_std=True)
    assert rows[DEFAULT]["R²"] == pytest.approx(r2_score(y[hidden], values))
    assert rows[DEFAULT]["coverage"] == np.mean(np.abs(y[hidden] - values) <= 1.645 * std)
    ridge = RidgeCV(np.logspace(-3, 3, 13)).fit(A[labelled], y[labelled])
    assert rows["RidgeCV"]["R²"] == pytest.approx(ridge.score(A[hidden], y[hidden]))
    assert rows[MEAN]["R²"] == pytest.approx(r2_score(y[hidden], np.zeros(60)))
    assert "coverage" not in rows["RidgeCV"]


@pytest.mark.parametrize("name", PROBLEMS)
def test_tables_have_columns_and_a_value_that_is_none_of_them(name):
    A, y = PROBLEMS[name](np.random.default_rng(0))
    assert len(A) == len(y) >= 150
    assert np.isfinite(A).all()
    assert np.isfinite(y).all()
    scaled = (A - A.mean(axis=0)) / A.std(axis=0)
    assert np.abs(scaled.T @ (y - y.mean()) / y.std() / len(y)).max() < 0.999


def test_draws_of_more_values_hold_those_of_fewer():
    experiment = registry.get("targets")
    config = experiment.Config(trials=1, data=("diabetes",), values=(10, 30))
    few, many = experiment.tasks(config)
    orders = [task.rng("targets", 0).permutation(442) for task in (few, many)]
    np.testing.assert_array_equal(*orders)


def test_the_stored_run_keeps_what_is_promised():
    """The bounds for which the regressor was designed, on the means over ten tables."""
    cells = summary(records.stored("targets").rows)
    assert len(cells) == 3 * 10
    assert min(cell[DEFAULT] - cell[MEAN] for cell in cells.values()) > -0.02
    for count, mean in averages(cells).items():
        assert mean[DEFAULT] - mean[BEST] > {10: 0.0, 30: -0.03, 100: -0.03}[count]
        assert 0.85 <= mean[COVERAGE] <= 0.95


def test_the_table_has_every_method_and_the_means():
    means = {DEFAULT: 0.5, "5-NN": 0.4, "RidgeCV": 0.45, MEAN: 0.9}
    rows = [{"data": "synthetic", "values": 10, "method": m, "R²": r} for m, r in means.items()]
    rows[0]["coverage"] = 0.9
    assert summary(rows)["synthetic", 10][BEST] == 0.45
    lines = registry.get("targets").markdown(rows).splitlines()
    assert lines[2] == "| synthetic | 10 | 0.50 | 0.40 | 0.45 | 0.90 | 0.90 |"
    assert "0.450" in lines[3]
