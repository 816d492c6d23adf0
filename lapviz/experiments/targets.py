"""Few values on many tables: our default regressor beside scikit-learn's, and its intervals.

R² on the points whose value is hidden, and the share of them inside the 90 % interval, on ten
tables: four simulated ones of scikit-learn, a noisy Swiss roll, twenty columns with a linear
target, and four measured ones. Columns are standardised; targets by the observed values. Every
method has one setting.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from sklearn import datasets as sk
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsRegressor
from threadpoolctl import threadpool_limits

from lapviz import datasets
from lapviz.estimators import LaplacianRegressor
from lapviz.experiments.config import some_of, trials
from lapviz.experiments.rates import by_place, spread_out
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task, setting
from lapviz.markdown import table

Array = np.ndarray

DEFAULT, MEAN = "default", "mean of the values"
COUNTS = (10, 30, 100)
N_SIMULATED = 1000
QUANTILE = 1.645  # of the normal distribution: 90 % lie within


def simulated(make: Callable, **options) -> Callable:
    """One of scikit-learn's generators."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        return make(N_SIMULATED, random_state=int(rng.integers(2**31)), **options)

    return draw


def linear(rng: np.random.Generator) -> tuple[Array, Array]:
    """Twenty columns with normal slopes, and noise of a tenth of the standard deviation."""
    X = rng.standard_normal((N_SIMULATED, 20))
    y = X @ rng.standard_normal(20)
    return X, y + 0.1 * y.std() * rng.standard_normal(N_SIMULATED)


def measured(name: str, target: str, columns: slice = slice(None), raw: bool = True) -> Callable:
    """Predict one column of a table from the others, or from a slice of them."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = datasets.load(name, raw=raw)
        names = data.feature_names
        others = [i for i in range(len(names))[columns] if names[i] != target]
        return data.X[:, others], data.X[:, names.index(target)]

    return draw


PROBLEMS: dict[str, Callable] = {  # draws of columns and values
    "diabetes": lambda rng: sk.load_diabetes(return_X_y=True),
    "friedman1": simulated(sk.make_friedman1, noise=1.0),
    "friedman2": simulated(sk.make_friedman2),
    "friedman3": simulated(sk.make_friedman3),
    "Swiss roll": simulated(sk.make_swiss_roll, noise=1.0),
    "linear, d = 20": linear,
    "penguins: body mass": measured("penguins", "body mass", raw=False),
    "wine: alcohol": measured("wine", "alcohol"),
    "breast cancer: worst smoothness": measured("breast_cancer", "worst smoothness", slice(10)),
    "iris: petal width": measured("iris", "petal width (cm)"),
}


def peers(n_features: int, seed: int) -> dict[str, object]:
    """scikit-learn's regressors, and the mean predictor."""
    kernel = ConstantKernel() * RBF(np.sqrt(n_features)) + WhiteKernel(0.1)
    return {
        "5-NN": KNeighborsRegressor(),
        "RidgeCV": RidgeCV(np.logspace(-3, 3, 13)),
        "random forest": RandomForestRegressor(random_state=seed),
        "Gaussian process": GaussianProcessRegressor(
            kernel, normalize_y=True, n_restarts_optimizer=2, random_state=seed
        ),
        MEAN: DummyRegressor(),
    }


def evaluate(
    X: Array, y: Array, labelled: Array, hidden: Array, seed: int
) -> list[dict[str, str | float]]:
    """Return a row for each method: R² on the hidden values, and the coverage of ours.

    Parameters
    ----------
    X : array (n, d)
        All points; they are standardised here.
    y : array (n,)
        All values; they are standardised here by the observed ones.
    labelled, hidden : int arrays
        Rows whose value is observed, and rows to score.
    seed : int
        Seed of the methods.
    """
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    y = (y - y[labelled].mean()) / (y[labelled].std() or 1.0)
    observed = np.full(len(y), np.nan)
    observed[labelled] = y[labelled]
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # few values: optima at the bounds
        ours = LaplacianRegressor(random_state=seed).fit(X, observed)
        values, std = ours.predict(X[hidden], return_std=True)
        inside = np.abs(y[hidden] - values) <= QUANTILE * std
        rows = [{"method": DEFAULT, "R²": r2_score(y[hidden], values), "coverage": inside.mean()}]
        for name, model in peers(X.shape[1], seed).items():
            values = model.fit(X[labelled], y[labelled]).predict(X[hidden])  # type: ignore[attr-defined]
            rows.append({"method": name, "R²": r2_score(y[hidden], values)})
    return rows


BEST, COVERAGE = "best peer", "coverage"


def summary(rows: Sequence[Row]) -> dict[tuple[str, int], dict[str, float]]:
    """Mean R² of each method, that of the best peer, and our coverage, by table and values."""
    cells = spread_out(rows, ("data", "values"), "method", "R²")
    coverage = by_place(rows, Targets.drawings[1])
    for (data, count), cell in cells.items():
        cell[BEST] = max(mean for name, mean in cell.items() if name not in (DEFAULT, MEAN))
        cell[COVERAGE] = coverage[count][data].y
    return cells


def averages(cells: dict[tuple[str, int], dict[str, float]]) -> dict[int, dict[str, float]]:
    """Means over the tables, by number of values."""
    rows = [{"values": count, "of": name, "mean": mean}
            for (_, count), cell in cells.items() for name, mean in cell.items()]  # fmt: skip
    return {count: means for (count,), means in spread_out(rows, ("values",), "of", "mean").items()}


class Targets(Experiment):
    """Few values on many tables.

    The regressor with default settings beside scikit-learn's, on the same draws of given values:
    R² on the other points, and the share of them inside the 90 % interval of
    `predict(X, return_std=True)`.
    """

    name, version, seconds = "targets", 2, 12
    settings = {
        "trials": trials(20, "Draws of the values.", page_high=20),
        "data": some_of(PROBLEMS, "Tables.", label="tables"),
        "values": setting(COUNTS, "Given values; the draws are nested.", 5, 100),
    }
    small = {"trials": 3, "data": ("diabetes", "Swiss roll", "iris: petal width")}
    usual = "paper"  # the documentation's table
    grid = {"data": "data", "values": "values"}
    paired = ("values",)
    drawings = (
        Drawing("values", "R²", colour="method", facet="data", log_x=True,
                x_label="given values", y_label="R² on the others",
                names=((DEFAULT, "LaplacianRegressor()"),)),
        Drawing("values", "coverage", colour="data", where=(("method", DEFAULT),), log_x=True,
                x_label="given values", y_label="share inside the 90 % interval"),
    )  # fmt: skip

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Run all methods on one draw."""
        X, y = PROBLEMS[task["data"]](rng)
        order, count = rng.permutation(len(y)), task["values"]
        return evaluate(X, y, order[:count], order[count:], int(rng.integers(2**31)))

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return a line for each data set and number of values, and the means."""
        cells = summary(rows)
        columns = [name for name in next(iter(cells.values())) if name != BEST]
        lines = [
            [*place, *(f"{cell[name]:.2f}" for name in columns)] for place, cell in cells.items()
        ]
        for count, mean in averages(cells).items():
            name = f"mean; of each table’s best peer {mean[BEST]:.3f}"
            lines.append([name, count, *(f"{mean[name]:.3f}" for name in columns)])
        return table(["R²", "values", *columns[:-1], "coverage of 90 %"], lines)
