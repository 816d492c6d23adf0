"""One's own sweep: an estimator's error over a grid of one or two parameters, beside baselines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapviz import datasets
from lapviz.charts import Drawing
from lapviz.experiments import registry, sweep_methods
from lapviz.experiments.config import samples
from lapviz.experiments.registry import Config, Experiment, Task, setting
from lapviz.experiments.sweep_methods import BASELINES, ESTIMATORS, Load, Sample

OF_DATA = ("n_samples", "labels", "noise", "candidates")  # swept besides estimators' parameters
PARAMETERS = (
    *OF_DATA,
    *sorted({name for estimator in ESTIMATORS for name in sweep_methods.parameters(estimator)}),
)
N_SAMPLES = (10, 100_000)  # least and most
OWN = "own"  # data that are brought by Sweep.on
DATA = (*dict.fromkeys((*datasets.names(), *datasets.names("values"))), OWN)


class Sweep(Experiment):
    """Your own sweep.

    The error of an estimator on the points that have no label, against one of its parameters or of
    the data: share of points wrong for classes, root mean square error for values. Each trial draws
    data and labels anew (of real data, a part and the labels), the same for all values of an
    estimator's parameter and for the baselines. Where rows have weights, as those of a table with a
    weight column, fits and errors count them by these; the nearest neighbour and LabelSpreading
    cannot.
    """

    name = "sweep"
    settings = {
        "data": setting("half_moons", "Which data are drawn.", choices=DATA, label="data set"),
        "n_samples": samples(400, *N_SAMPLES, 2000),
        "noise": setting(0.2, "Standard deviation of the noise on drawn data.", 0, 10),
        "labels": setting(3, "Labelled points: of each class, or values in all.", 1, 5000,
                          page_high=1000),
        "candidates": setting(1, "Classes that a label leaves possible: the true one and others at "
                              "random. PartialLabelClassifier sees all of them, other methods one "
                              "at random.", 1, 100),
        "estimator": setting("LaplacianClassifier", "Whose error is measured. After an embedding "
                             "comes the nearest labelled point. HermiteRegressor is also given the "
                             "slopes at the labelled points.", choices=tuple(ESTIMATORS)),
        "parameter": setting("bandwidth", "What varies along the axis.", choices=PARAMETERS),
        "values": setting(("0.05", "0.1", "0.2", "0.4", "0.8"), "Values of the parameter: numbers, "
                          "or names such as tangent."),
        "second": setting("none", "A second parameter, with a line for each value.",
                          choices=("none", *PARAMETERS), label="second parameter"),
        "second_values": setting(("0.001", "0.1"), "Values of the second parameter.",
                                 label="its values"),
        "fixed": setting(("n_landmarks=100",), "Other parameters of the estimator, as name=value; "
                         "the rest is as it comes.", label="fixed parameters"),
        "baselines": setting(("1-NN", "GraphLaplacianClassifier"), "What it is compared with, on "
                             "the same draws; those that need classes are left out for values.",
                             choices=BASELINES),
    }  # fmt: skip
    paper = {"trials": 50}

    def __init__(self, load: Load | None = None):
        self._load = load

    def on(self, load: Load) -> Sweep:
        """The same sweep on given data.

        Parameters
        ----------
        load : callable
            ``load(n, seed)`` gives X (n, d) and y (n,): whole class codes, -1 where the class is
            not known, or floats, NaN where the value is not known. A third array (n,) are weights
            of the rows, or None; a fourth (n, d) gradients of the values.
        """
        return Sweep(load)

    def drawn(self, config: Config) -> tuple[Drawing, ...]:
        """The error against the parameter, on logarithmic axes if its values span much."""
        values = [sweep_methods.value(text) for text in config.values]
        wide = all(map(_is_number, values)) and 0 < 8 * min(values) <= max(values)
        return (
            Drawing(config.parameter, "error", colour="method", log_x=wide,
                    y_label="error on unlabelled points",
                    title=f"{config.estimator} on {'your data' if self._load else config.data}"),
        )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
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
                sweep_methods.check(config.estimator, name)
        paired = (*(name for name in swept if name not in OF_DATA), "part")
        tasks = []
        for trial in range(config.trials):
            tasks += [Task({**at, "part": "estimator"}, trial, paired) for at in _grid(config)]
            if config.baselines:
                shared = _grid(config, OF_DATA)
                tasks += [Task({**at, "part": "baselines"}, trial, ("part",)) for at in shared]
        return tasks

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """The error of the estimator, or of every baseline at all values that it does not see."""
        at = {name: value for name, value in task.factors.items() if name != "part"}
        seed = int(rng.integers(2**31))
        sample = self._draw(config, at, seed)
        line = f", {config.second} = {at[config.second]}" if config.second in at else ""
        if task["part"] == "estimator":
            rest = {name: value for name, value in at.items() if name not in OF_DATA}
            error = sweep_methods.error(_model(config, rest, seed), sample)
            return [{"method": config.estimator + line, "error": error}]
        alike = [place for place in _grid(config) if at.items() <= place.items()]
        values, rows = dict.fromkeys(place[config.parameter] for place in alike), []
        for name in config.baselines:
            model = sweep_methods.baseline(name, sample.has_values)
            if model is not None:
                error = sweep_methods.error(model, sample)
                method = name if name != config.estimator else f"{name} as it comes"
                rows += [
                    {"method": method + line, "error": error, config.parameter: value}
                    for value in values
                ]
        return rows

    def _draw(self, config: Config, at: dict, seed: int) -> Sample:
        of_data = {name: at.get(name, getattr(config, name)) for name in OF_DATA}
        if not all(_is_number(value) and value >= 0 for value in of_data.values()):
            raise ValueError("Samples, labels, noise and candidates take numbers from 0 on.")
        n, noise = int(of_data["n_samples"]), of_data["noise"]
        if not N_SAMPLES[0] <= n <= N_SAMPLES[1]:
            raise ValueError("The number of samples must lie from 10 to 100,000.")
        if self._load is None and config.data == OWN:
            raise ValueError(
                "These are somebody's own data, which are not here: in the explorer bring yours on "
                "the page “Your data”, in Python use Sweep().on(load)."
            )
        values = sweep_methods.is_regressor(config.estimator)
        load = self._load or sweep_methods.built_in(config.data, noise, values)
        labels, candidates = int(of_data["labels"]), int(of_data["candidates"])
        return sweep_methods.draw(load, n, labels, candidates, seed)


def _grid(config: Config, only: tuple[str, ...] | None = None) -> Iterator[dict]:
    """The places of the grid; with ``only`` of these parameters alone."""
    axes = {config.parameter: config.values}
    if config.second != "none":
        axes[config.second] = config.second_values
    return registry.places({
        name: list(map(sweep_methods.value, texts))
        for name, texts in axes.items()
        if only is None or name in only
    })  # fmt: skip


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _model(config: Config, at: dict, seed: int):
    """The estimator with its fixed parameters and those of the grid."""
    settings = {}
    for text in config.fixed:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            if text.strip() in ("", "none"):
                continue
            raise ValueError(f"Fixed parameters are written as name=value; got {text[:40]!r}.")
        if name in sweep_methods.parameters(config.estimator) or name not in PARAMETERS:
            sweep_methods.check(config.estimator, name)
            settings[name] = sweep_methods.value(value)
    return sweep_methods.model(config.estimator, settings | at, seed)
