"""One's own sweep: an estimator's error over a grid of one or two parameters, beside baselines."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from lapviz import datasets, estimators
from lapviz.charts import Drawing
from lapviz.experiments.registry import Config, Experiment, Task, setting

Array = np.ndarray
Load = Callable[[int, int], tuple[Array, Array]]  # (n, seed) -> X and y, −1 or NaN if unknown

ESTIMATORS = {
    name: getattr(estimators, name)
    for name in ("LaplacianClassifier", "LaplacianRegressor", "ExactLaplacianClassifier",
                 "ExactLaplacianRegressor", "GraphLaplacianClassifier", "KernelCGRegressor",
                 "GalerkinEmbedding")
}  # fmt: skip
BASELINES = ("1-NN", "SVC", "LabelSpreading", "GraphLaplacianClassifier", "kernel ridge")
OF_DATA = ("n_samples", "labels", "noise")  # what can be swept besides an estimator's parameters
MOST = 5000  # of a whole number among an estimator's parameters
PARAMETERS = (
    *OF_DATA,
    *sorted({p for cls in ESTIMATORS.values() for p in cls().get_params()} - {"random_state"}),
)
OWN = "own"  # data that are brought by Sweep.on
DATA = (*dict.fromkeys((*datasets.names(), *datasets.names("values"))), OWN)


@dataclass(frozen=True)
class SweepConfig(Config):
    """What is swept, on which data, against what."""

    data: str = setting("half_moons", "Which data are drawn.", choices=DATA, label="data set")
    n_samples: int = setting(400, "Number of samples.", 10, 100_000, page_high=2000,
                             label="samples n")  # fmt: skip
    noise: float = setting(0.2, "Standard deviation of the noise on drawn data.", 0, 10)
    labels: int = setting(3, "Labelled points: of each class, or values in all.", 1, 5000,
                          page_high=1000)  # fmt: skip
    estimator: str = setting("LaplacianClassifier", "Whose error is measured. After the embedding "
                             "comes the nearest labelled point.",
                             choices=tuple(ESTIMATORS))  # fmt: skip
    parameter: str = setting("bandwidth", "What varies along the axis.", choices=PARAMETERS,
                             label="parameter")  # fmt: skip
    values: tuple[str, ...] = setting(("0.05", "0.1", "0.2", "0.4", "0.8"),
                                      "Values of the parameter: numbers, or names such as "
                                      "tangent.")  # fmt: skip
    second: str = setting("none", "A second parameter, with a line for each value.",
                          choices=("none", *PARAMETERS), label="second parameter")  # fmt: skip
    second_values: tuple[str, ...] = setting(("0.001", "0.1"), "Values of the second parameter.",
                                             label="its values")  # fmt: skip
    fixed: tuple[str, ...] = setting(("n_landmarks=100",), "Other parameters of the estimator, "
                                     "as name=value; the rest is as it comes.",
                                     label="fixed parameters")  # fmt: skip
    baselines: tuple[str, ...] = setting(("1-NN", "GraphLaplacianClassifier"),
                                         "What it is compared with, on the same draws; those that "
                                         "need classes are left out for values.",
                                         choices=BASELINES)  # fmt: skip


class Sweep(Experiment):
    """Error on the unlabelled points against a parameter."""

    name = "sweep"
    title = "Your own sweep"
    text = (
        "The error of an estimator on the points that have no label, against one of its "
        "parameters or of the data: share of points wrong for classes, root mean square error for "
        "values. Each trial draws data and labels anew (of real data, a part and the labels), the "
        "same for all values of an estimator's parameter and for the baselines."
    )
    Config = SweepConfig
    sizes = {"small": SweepConfig(), "paper": SweepConfig(trials=50)}

    def __init__(self, load: Load | None = None):
        self._load = load

    def on(self, load: Load) -> Sweep:
        """The same sweep on given data.

        Parameters
        ----------
        load : callable
            ``load(n, seed)`` gives X (n, d) and y (n,): whole class codes, -1 where the class is
            not known, or floats, NaN where the value is not known.
        """
        return Sweep(load)

    def drawn(self, config: SweepConfig) -> tuple[Drawing, ...]:
        """The error against the parameter, on logarithmic axes if its values span much."""
        numbers = [v for v in map(_value, config.values) if _is_number(v)]
        wide = (
            len(numbers) == len(config.values)
            and min(numbers) > 0
            and max(numbers) >= 8 * min(numbers)
        )
        return (
            Drawing(config.parameter, "error", colour="method", log_x=wide,
                    y_label="error on unlabelled points",
                    title=f"{config.estimator} on {self._called(config)}"),
        )  # fmt: skip

    def _called(self, config: SweepConfig) -> str:
        return "your data" if self._load else config.data

    def tasks(self, config: SweepConfig) -> list[Task]:
        """One for each trial and value, and for the baselines of each trial.

        Raises
        ------
        ValueError
            If the estimator has no such parameter.
        """
        _model(config, {}, 0)
        swept = [config.parameter, *([config.second] if config.second != "none" else [])]
        if len(set(swept)) < len(swept):
            raise ValueError("The second parameter is the first: choose another one, or none.")
        for name in swept:
            if name not in OF_DATA:
                _check(config.estimator, name)
        found = []
        for trial in range(config.trials):
            for at in _grid(config):
                paired = (*(name for name in swept if name not in OF_DATA), "part")
                found.append(Task({**at, "part": "estimator"}, trial, paired))
            for at in _grid(config, OF_DATA) if config.baselines else ():
                found.append(Task({**at, "part": "baselines"}, trial, ("part",)))
        return found

    def run(self, config: SweepConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        """The error of the estimator, or of every baseline at all values that it does not see."""
        at = {name: value for name, value in task.factors.items() if name != "part"}
        of_data = {name: at.get(name, getattr(config, name)) for name in OF_DATA}
        seed = int(rng.integers(2**31))
        X, y, labelled = self._draw(config, of_data, seed)
        if task["part"] == "estimator":
            rest = {name: value for name, value in at.items() if name not in OF_DATA}
            model = _model(config, rest, seed)
            method = config.estimator
            if config.second != "none":
                method += f", {config.second} = {at[config.second]}"
            return [{"method": method, "error": _error(model, X, y, labelled)}]
        rows = []
        for name in config.baselines:
            model = _baseline(name, y.dtype.kind == "f", seed)
            if model is None:
                continue
            error = _error(model, X, y, labelled)
            places = (p for p in _grid(config) if all(p[k] == v for k, v in at.items()))
            for value in dict.fromkeys(p[config.parameter] for p in places):
                method = name
                if config.second in at:
                    method += f", {config.second} = {at[config.second]}"
                rows.append({"method": method, "error": error, config.parameter: value})
        return rows

    def _draw(self, config: SweepConfig, of_data: dict, seed: int) -> tuple[Array, Array, Array]:
        n, count = of_data["n_samples"], of_data["labels"]
        if not all(_is_number(value) and value >= 0 for value in of_data.values()):
            raise ValueError("Samples, labels and noise take numbers from 0 on.")
        if n > SweepConfig.limit("n_samples") or n < 10:
            raise ValueError("The number of samples must lie from 10 to 100,000.")
        X, y = (self._load or _loader(config.data, of_data["noise"]))(int(n), seed)
        known = np.isfinite(y) if y.dtype.kind == "f" else y >= 0
        if y.dtype.kind == "f":
            labelled = np.zeros(len(y), dtype=bool)
            order = np.random.default_rng(seed).permutation(np.flatnonzero(known))
            labelled[order[: int(count)]] = True
        else:
            labelled = datasets.draw_labels(y, int(count), seed)
        if not (known & ~labelled).any() or not labelled.any():
            raise ValueError(
                "There must be known points with a label and without one: take fewer labels, or "
                "data with more known rows."
            )
        return X, y, labelled


def _loader(name: str, noise: float) -> Load:
    if name == OWN:
        raise ValueError(
            "These are somebody's own data, which are not here: in the explorer bring yours on the "
            "page “Your data”, in Python use Sweep().on(load)."
        )

    def load(n: int, seed: int) -> tuple[Array, Array]:
        info = datasets.info(name)
        noise_of = {} if info.real or not info.max_noise else {"noise": min(noise, info.max_noise)}
        size = min(n, info.max_samples)
        data = datasets.load(name, n_samples=size, random_state=seed, **noise_of)
        return data.X, data.y if data.n_classes else data.values

    return load


def _grid(config: SweepConfig, only: tuple[str, ...] | None = None) -> Iterator[dict]:
    """The places of the grid; with ``only`` of these parameters alone."""
    axes = [(config.parameter, config.values)]
    if config.second != "none":
        axes.append((config.second, config.second_values))
    places = [{}]
    for name, texts in axes:
        if only is None or name in only:
            places = [{**place, name: _value(text)} for place in places for text in texts]
    yield from places


def _value(text: str) -> int | float | str | bool:
    for reader in (int, float):
        try:
            value = reader(text)
        except ValueError:
            continue
        if not np.isfinite(value):
            break
        return value
    return {"true": True, "false": False}.get(text.lower(), text)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check(estimator: str, name: str) -> None:
    have = sorted(set(ESTIMATORS[estimator]().get_params()) - {"random_state"})
    if name not in have:
        raise ValueError(f"{estimator} has no parameter {name!r}; it has {', '.join(have)}.")


def _model(config: SweepConfig, at: dict, seed: int):
    """The estimator with its fixed parameters and those of the grid."""
    said = {}
    for text in config.fixed:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            if text.strip() in ("", "none"):
                continue
            raise ValueError(f"Fixed parameters are written as name=value; got {text[:40]!r}.")
        if name in ESTIMATORS[config.estimator]().get_params() or name not in PARAMETERS:
            _check(config.estimator, name)
            said[name] = _value(value)
    for value in (*said.values(), *at.values()):
        if isinstance(value, int) and value > MOST:
            raise ValueError(f"Whole numbers among the parameters go up to {MOST:,} here.")
    made = ESTIMATORS[config.estimator]()
    seeded = {"random_state": seed} if "random_state" in made.get_params() else {}
    return made.set_params(**said, **at, **seeded)


def _baseline(name: str, values: bool, seed: int):
    """A method with settings as they come; None if it is not for values."""
    if name == "1-NN":
        return (KNeighborsRegressor if values else KNeighborsClassifier)(1)
    if name == "SVC":
        return SVR(C=10) if values else SVC(C=10)
    if name == "kernel ridge":
        return KernelRidge(kernel="rbf", alpha=0.1)
    if values:
        return None
    if name == "LabelSpreading":
        return LabelSpreading(kernel="knn", n_neighbors=7, max_iter=200)
    return estimators.GraphLaplacianClassifier()


def _error(model, X: Array, y: Array, labelled: Array) -> float:
    """Share wrong, or root mean square error, at known points without a label."""
    values = y.dtype.kind == "f"
    judged = ~labelled & (np.isfinite(y) if values else y >= 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few labels: advice that a sweep does not need
        found = _predicted(model, X, y, labelled)
    if values:
        return float(np.sqrt(np.mean((found[judged] - y[judged]) ** 2)))
    return float(np.mean(found[judged] != y[judged]))


def _predicted(model, X: Array, y: Array, labelled: Array) -> Array:
    values = y.dtype.kind == "f"
    if isinstance(model, estimators.GalerkinEmbedding):
        Z = model.fit(X).transform(X)
        return _predicted(_baseline("1-NN", values, 0), Z, y, labelled)
    if isinstance(model, KernelRidge):
        bandwidth = np.mean(np.var(X, axis=0)) * X.shape[1]
        model.set_params(gamma=1 / max(bandwidth, 1e-300))
        if not values:
            classes, codes = np.unique(y[labelled], return_inverse=True)
            model.fit(X[labelled], np.eye(len(classes))[codes])
            return classes[model.predict(X).argmax(axis=1)]
    supervised = isinstance(
        model, KNeighborsClassifier | KNeighborsRegressor | SVC | SVR | KernelRidge
    )
    if supervised:
        return model.fit(X[labelled], y[labelled]).predict(X)
    is_regressor = model.__class__.__name__.endswith("Regressor")
    if is_regressor != values:
        kind = "values" if is_regressor else "classes"
        raise ValueError(f"{type(model).__name__} needs data with {kind}: choose other data.")
    target = np.where(labelled, y, np.nan) if values else np.where(labelled, y, -1)
    return model.fit(X, target).predict(X)
