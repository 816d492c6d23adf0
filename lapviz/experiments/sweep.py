"""Custom sweeps: an estimator's error over a grid of one or two parameters, with baselines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapviz import datasets
from lapviz.charts import Drawing, is_number
from lapviz.experiments import registry, sweep_methods
from lapviz.experiments.config import samples
from lapviz.experiments.registry import Config, Experiment, Task, setting
from lapviz.experiments.sweep_methods import BASELINES, ESTIMATORS, Load, Sample

DATA_PARAMETERS = ("n_samples", "labels", "noise", "candidates")
OF_ESTIMATORS = sorted({name for each in ESTIMATORS for name in sweep_methods.parameters(each)})
PARAMETERS = (*DATA_PARAMETERS, *OF_ESTIMATORS)
N_SAMPLES = (10, 100_000)  # least and most
OWN = "own"  # data passed to Sweep.on
DATA = (*dict.fromkeys((*datasets.names(), *datasets.names("values"))), OWN)


class Sweep(Experiment):
    """Your own sweep.

    The error of an estimator on the unlabelled points, against one of its parameters or one of the
    data's: share of points wrong for classes, root mean square error for values. Each trial draws
    new data and labels (of real data, a subset and the labels), the same for all values of an
    estimator's parameter and for the baselines. Where rows have weights, as in a table with a
    weight column, fits and errors use them; the nearest neighbour and LabelSpreading cannot.
    """

    name = "sweep"
    version = 2
    settings = {
        "data": setting("half_moons", "Data set to draw from.", choices=DATA, label="data set"),
        "n_samples": samples(400, *N_SAMPLES, 2000,
                             "Number of samples; of measured data with fewer rows, all of them."),
        "noise": setting(0.2, "Standard deviation of the noise on drawn data.", 0, 10),
        "labels": setting(3, "Labelled points: of each class, or values in all.", 1, 5000,
                          page_high=1000),
        "candidates": setting(1, "Classes that a label leaves possible: the true one and others at "
                              "random. PartialLabelClassifier sees all of them, other methods one "
                              "at random.", 1, 100),
        "estimator": setting("LaplacianClassifier", "Method whose error is measured. An embedding "
                             "is followed by the nearest labelled point. HermiteRegressor also "
                             "gets the slopes at the labelled points.", choices=tuple(ESTIMATORS)),
        "parameter": setting("bandwidth", "What varies along the axis.", choices=PARAMETERS),
        "values": setting(("0.05", "0.1", "0.2", "0.4", "0.8"), "Values of the parameter: numbers, "
                          "or names such as tangent."),
        "second": setting("none", "A second parameter, with a line for each value.",
                          choices=("none", *PARAMETERS), label="second parameter"),
        "second_values": setting(("0.001", "0.1"), "Values of the second parameter.",
                                 label="its values"),
        "fixed": setting(("n_landmarks=100",), "Other parameters of the estimator, as name=value; "
                         "the rest have their defaults.", label="fixed parameters", fewest=0),
        "baselines": setting(("1-NN", "GraphLaplacianClassifier"), "Methods to compare with, on "
                             "the same draws; those that need classes are left out for values.",
                             choices=BASELINES, fewest=0),
    }  # fmt: skip
    paper = {"trials": 50}

    def __init__(self, load: Load | None = None):
        self._load = load

    def on(self, load: Load) -> Sweep:
        """Return the same sweep on given data.

        Parameters
        ----------
        load : callable
            ``load(n, seed)`` returns X (n, d) and y (n,): integer class codes, -1 where unknown, or
            floats, NaN where unknown. Optionally also weights (n,) of the rows, or None, and
            gradients (n, d) of the values.
        """
        return Sweep(load)

    def drawn(self, config: Config) -> tuple[Drawing, ...]:
        """Return the drawing of the error, with a logarithmic axis if the values span much."""
        values = [sweep_methods.value(text) for text in config.values]
        wide = all(map(is_number, values)) and 0 < 8 * min(values) <= max(values)
        return (
            Drawing(config.parameter, "error", colour=_line(config), log_x=wide,
                    y_label="error on unlabelled points",
                    title=f"{config.estimator} on {'your data' if self._load else config.data}"),
        )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each trial and grid point, and for the baselines of each trial.

        Raises
        ------
        ValueError
            If the estimator or the data have no such parameter.
        """
        _model(config, {}, 0)
        swept = [config.parameter, *([config.second] if config.second != "none" else [])]
        if len(set(swept)) < len(swept):
            raise ValueError("The second parameter is the first: choose another one, or none.")
        for name in swept:
            if name not in DATA_PARAMETERS:
                sweep_methods.check(config.estimator, name)
        self._check_noise(config, "noise" in swept)
        paired = (*(name for name in swept if name not in DATA_PARAMETERS), "part")
        tasks = []
        for trial in range(config.trials):
            tasks += [Task({**p, "part": "estimator"}, trial, paired) for p in _grid(config)]
            if config.baselines:
                shared = _grid(config, DATA_PARAMETERS)
                tasks += [Task({**p, "part": "baselines"}, trial, ("part",)) for p in shared]
        return tasks

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the error of the estimator, or of each baseline at all values that it ignores."""
        point = {name: value for name, value in task.factors.items() if name != "part"}
        seed = int(rng.integers(2**31))
        sample = self._draw(config, point, seed)
        if len(sample.X) < int(point.get("n_samples", 0)):
            raise ValueError(
                f"The data have {len(sample.X)} rows: choose no more samples than that."
            )
        suffix = f", {config.second} = {point[config.second]}" if config.second in point else ""
        if task["part"] == "estimator":
            parameters = {n: value for n, value in point.items() if n not in DATA_PARAMETERS}
            error = sweep_methods.error(_model(config, parameters, seed), sample)
            return [{_line(config): config.estimator + suffix, "error": error}]
        matching = [p for p in _grid(config) if point.items() <= p.items()]
        values, rows = dict.fromkeys(p[config.parameter] for p in matching), []
        for name in config.baselines:
            model = sweep_methods.baseline(name, sample.has_values)
            if model is not None:
                error = sweep_methods.error(model, sample)
                method = name if name != config.estimator else f"{name} as it comes"
                rows += [
                    {_line(config): method + suffix, "error": error, config.parameter: value}
                    for value in values
                ]
        return rows

    def _check_noise(self, config: Config, varies: bool) -> None:
        own = self._load is not None or config.data == OWN
        largest = 0.0 if own or (info := datasets.info(config.data)).real else info.max_noise
        values = [point.get("noise", config.noise) for point in _grid(config, ("noise",))]
        if varies and not largest:
            raise ValueError("Noise is added to drawn data only: choose another parameter.")
        if largest and any(is_number(value) and value > largest for value in values):
            raise ValueError(f"The noise of {config.data} is at most {largest:g}: choose less.")

    def _draw(self, config: Config, point: dict, seed: int) -> Sample:
        settings = {name: point.get(name, getattr(config, name)) for name in DATA_PARAMETERS}
        if not all(is_number(value) and value >= 0 for value in settings.values()):
            raise ValueError("Samples, labels, noise and candidates must be numbers of 0 or more.")
        n, noise = int(settings["n_samples"]), settings["noise"]
        if any(settings[name] % 1 for name in ("n_samples", "labels", "candidates")):
            raise ValueError("Samples, labels and candidates must be whole numbers.")
        if not N_SAMPLES[0] <= n <= N_SAMPLES[1]:
            raise ValueError("The number of samples must be between 10 and 100,000.")
        if self._load is None and config.data == OWN:
            raise ValueError(
                "These are somebody's own data, which are not available here: in the explorer load "
                "yours on the page “Your data”, in Python use Sweep().on(load)."
            )
        values = sweep_methods.is_regressor(config.estimator)
        load = self._load or sweep_methods.built_in(config.data, noise, values)
        labels, candidates = int(settings["labels"]), int(settings["candidates"])
        return sweep_methods.draw(load, n, labels, candidates, seed)


def _line(config: Config) -> str:
    """The column of the lines' names: "method", unless the parameter has that name."""
    return "line" if config.parameter == "method" else "method"


def _grid(config: Config, only: tuple[str, ...] | None = None) -> Iterator[dict]:
    """Yield the grid points; with ``only``, of these parameters alone."""
    axes = {config.parameter: config.values}
    if config.second != "none":
        axes[config.second] = config.second_values
    return registry.grid_points({
        name: dict.fromkeys(map(sweep_methods.value, texts))  # "0.1" and "0.10" are one
        for name, texts in axes.items()
        if only is None or name in only
    })  # fmt: skip


def _model(config: Config, parameters: dict, seed: int):
    """Make the estimator with its fixed parameters and those of the grid."""
    settings = {}
    for text in config.fixed:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            if text.strip().lower() in ("", "none"):
                continue
            raise ValueError(f"Fixed parameters are written as name=value; got {text[:40]!r}.")
        if name not in sweep_methods.parameters(config.estimator) and name in OF_ESTIMATORS:
            continue  # of another estimator
        sweep_methods.check(config.estimator, name)
        settings[name] = sweep_methods.value(value)
    return sweep_methods.model(config.estimator, settings | parameters, seed)
