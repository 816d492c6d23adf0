"""What a sweep compares, on what: samples with labels drawn anew, estimators, baselines, errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from lapviz import datasets, estimators, operators
from lapviz.progress import report

Array = np.ndarray
# (n, seed) -> X and y, −1 or NaN if unknown; perhaps weights and slopes, None without
Load = Callable[[int, int], tuple]

EMBEDDINGS = (estimators.GalerkinEmbedding, estimators.NeuralEigenfunctions)
NAMES = (
    "LaplacianClassifier", "LaplacianRegressor", "ExactLaplacianClassifier",
    "ExactLaplacianRegressor", "GraphLaplacianClassifier", "PartialLabelClassifier",
    "KernelCGRegressor", "HermiteRegressor", "GalerkinEmbedding", "NeuralEigenfunctions",
)  # fmt: skip
ESTIMATORS = {name: getattr(estimators, name) for name in NAMES}
BASELINES = ("1-NN", "SVC", "LabelSpreading", "GraphLaplacianClassifier", "kernel ridge")
MOST = 5000  # of a whole number among an estimator's parameters
_OURS = {"random_state", "callback", "verbose"}  # set here, not by the visitor


@dataclass(frozen=True, eq=False)
class Sample:
    """Points with what a method is told of them.

    Attributes
    ----------
    X : array (n, d)
    y : array (n,)
        Class codes, -1 where not known; or values, NaN where not known.
    labelled : boolean array (n,)
        Where a method sees y.
    told : array (n,)
        What it sees there: y, or where there are several candidates one of these.
    candidates : boolean array (n, n_classes) or None
        Candidate classes, all of them where unlabelled; None of values.
    weights : array (n,) or None
        Of the points, positive.
    slopes : array (n, d) or None
        Gradients of the values without noise.
    """

    X: Array
    y: Array
    labelled: Array
    told: Array
    candidates: Array | None = None
    weights: Array | None = None
    slopes: Array | None = None

    @property
    def has_values(self) -> bool:
        """Whether y are values, and no classes."""
        return self.y.dtype.kind == "f"

    @property
    def judged(self) -> Array:
        """Rows (n,) of known points without a label."""
        known = np.isfinite(self.y) if self.has_values else self.y >= 0
        return known & ~self.labelled

    @property
    def target(self) -> Array:
        """What a method is told (n,), -1 or NaN where unlabelled."""
        return np.where(self.labelled, self.told, np.nan if self.has_values else -1)


def built_in(name: str, noise: float, values: bool = False) -> Load:
    """How a built-in data set is drawn; of a real one a part. One with classes and values gives
    the classes, or with ``values`` these."""

    def load(n: int, seed: int) -> tuple:
        info = datasets.info(name)
        noise_of = {} if info.real or not info.max_noise else {"noise": min(noise, info.max_noise)}
        size = min(n, info.max_samples)
        data = datasets.load(name, n_samples=size, random_state=seed, **noise_of)
        slopes = data.gradient(data.X) if data.gradient is not None else None
        has_classes = data.n_classes and not (values and data.values is not None)
        return data.X, data.y if has_classes else data.values, data.weights, slopes

    return load


def draw(load: Load, n: int, labels: int, candidates: int, seed: int) -> Sample:
    """Points, and labels on some of those that are known.

    Parameters
    ----------
    load : callable
    n : int
        Points.
    labels : int
        Of each class, or values in all.
    candidates : int
        Classes that a label leaves possible, its own among them; 1 of values.
    seed : int

    Raises
    ------
    ValueError
        If nothing would be labelled or judged, or a label would say nothing.
    """
    X, y, weights, slopes = (*load(n, seed), None, None)[:4]
    if weights is not None:
        rows, weights = operators.weighted_rows(weights, len(X))
        X, y, slopes = X[rows], y[rows], None if slopes is None else slopes[rows]
    rng = np.random.default_rng(seed)
    if y.dtype.kind == "f":
        labelled, allowed, told = np.zeros(len(y), dtype=bool), None, y
        labelled[rng.permutation(np.flatnonzero(np.isfinite(y)))[:labels]] = True
    else:
        labelled = datasets.draw_labels(y, labels, seed)
        allowed, told = _sets(y, labelled, candidates, rng)
    sample = Sample(X, y, labelled, told, allowed, weights, slopes)
    if not sample.judged.any() or not labelled.any():
        raise ValueError(
            "There must be known points with a label and without one: take fewer labels, or "
            "data with more known rows."
        )
    return sample


def _sets(y: Array, labelled: Array, size: int, rng) -> tuple[Array, Array]:
    """Candidates (n, n_classes) of each point, and one of them at random (n,)."""
    n_classes = int(y.max(initial=0)) + 1
    if size > 1 and size >= n_classes:
        raise ValueError(
            f"With {n_classes} classes a label says something with at most {n_classes - 1} "
            f"candidate{'s' * (n_classes > 2)}: take fewer, or data with more classes."
        )
    allowed, told = np.ones((len(y), n_classes), dtype=bool), y.copy()
    for row in np.flatnonzero(labelled):
        others = rng.permutation(np.delete(np.arange(n_classes), y[row]))[: size - 1]
        allowed[row] = False
        allowed[row, [y[row], *others]] = True
        told[row] = rng.choice([y[row], *others])
    return allowed, told


def parameters(estimator: str) -> list[str]:
    """What can be set of an estimator."""
    return sorted(set(ESTIMATORS[estimator]().get_params()) - _OURS)


def is_regressor(estimator: str) -> bool:
    """Whether an estimator predicts values, and not classes."""
    return estimator.endswith("Regressor")


def check(estimator: str, name: str) -> None:
    """Raise ValueError if an estimator has no such parameter."""
    have = parameters(estimator)
    if name not in have:
        raise ValueError(f"{estimator} has no parameter {name!r}; it has {', '.join(have)}.")


def value(text: str) -> int | float | str | bool:
    """A parameter's value from a text."""
    for reader in (int, float):
        with suppress(ValueError):
            number = reader(text)
            return number if np.isfinite(number) else text
    return {"true": True, "false": False}.get(text.lower(), text)


def model(estimator: str, settings: dict, seed: int):
    """An estimator with these parameters; sizes of layers are a text such as ``64x64``.

    Raises
    ------
    ValueError
        If a whole number is too large for a sweep.
    """
    settings = {name: _sizes(given) for name, given in settings.items()}
    for given in settings.values():
        for number in given if isinstance(given, tuple) else (given,):
            if isinstance(number, int) and number > MOST:
                raise ValueError(f"Whole numbers among the parameters go up to {MOST:,} here.")
    built = ESTIMATORS[estimator]()
    # the callback: where a long training can be cancelled
    ours = {"random_state": seed, "callback": lambda _: report("steps", 0)}
    known = built.get_params()
    return built.set_params(**settings, **{k: v for k, v in ours.items() if k in known})


def _sizes(given: object) -> object:
    parts = given.split("x") if isinstance(given, str) else []
    return tuple(map(int, parts)) if len(parts) > 1 and all(map(str.isdecimal, parts)) else given


def baseline(name: str, values: bool):
    """A method with settings as they come; None if it is not for values."""
    built = {
        "1-NN": (KNeighborsRegressor if values else KNeighborsClassifier)(1),
        "SVC": SVR(C=10) if values else SVC(C=10),
        "kernel ridge": KernelRidge(kernel="rbf", alpha=0.1),
    }
    if not values:
        built["LabelSpreading"] = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=200)
        built["GraphLaplacianClassifier"] = estimators.GraphLaplacianClassifier()
    return built.get(name)


def error(model, sample: Sample) -> float:
    """Share wrong, or root mean square error, at known points without a label; weighted.

    Raises
    ------
    ValueError
        If the method is not for such data.
    """
    judged = sample.judged
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few labels: advice that a sweep does not need
        predicted = _predicted(model, sample)[judged]
    weights = None if sample.weights is None else sample.weights[judged]
    if sample.has_values:
        return float(np.sqrt(np.average((predicted - sample.y[judged]) ** 2, weights=weights)))
    return float(np.average(predicted != sample.y[judged], weights=weights))


def _predicted(model, sample: Sample) -> Array:
    X, rows, values = sample.X, sample.labelled, sample.has_values
    if isinstance(model, EMBEDDINGS):
        Z = _fit(model, X, sample.weights).transform(X)
        return baseline("1-NN", values).fit(Z[rows], sample.told[rows]).predict(Z)
    if isinstance(model, KernelRidge):
        bandwidth = np.mean(np.var(X, axis=0)) * X.shape[1]
        model.set_params(gamma=1 / max(bandwidth, 1e-300))
        if not values:
            classes, codes = np.unique(sample.told[rows], return_inverse=True)
            _fit(model, X[rows], _of(sample, rows), np.eye(len(classes))[codes])
            return classes[model.predict(X).argmax(axis=1)]
    if isinstance(model, KNeighborsClassifier | KNeighborsRegressor | SVC | SVR | KernelRidge):
        return _fit(model, X[rows], _of(sample, rows), sample.told[rows]).predict(X)
    name = type(model).__name__
    if is_regressor(name) != values:
        known = ", ".join(datasets.names("values"))
        kind = "classes: choose other data" if values else f"values: choose one of {known}"
        raise ValueError(f"{name} needs data with {kind}, or a table of yours.")
    if isinstance(model, estimators.HermiteRegressor):
        if sample.slopes is None:
            raise ValueError(
                "HermiteRegressor needs the slopes of the target at the labelled points, which "
                "only the drawn functions have (waves, step, hills): choose one of these."
            )
        targets = sample.told[rows], sample.slopes[rows], _of(sample, rows)
        return model.fit(X[rows], *targets).predict(X)
    if isinstance(model, estimators.PartialLabelClassifier):
        return _fit(model, X, sample.weights, sample.candidates).predict(X)
    return _fit(model, X, sample.weights, sample.target).predict(X)


def _fit(model, X: Array, weights: Array | None, *targets: Array):
    """Fit, with weights if the method takes such."""
    weighted = weights is not None and "sample_weight" in signature(model.fit).parameters
    return model.fit(X, *targets, **({"sample_weight": weights} if weighted else {}))


def _of(sample: Sample, rows: Array) -> Array | None:
    return None if sample.weights is None else sample.weights[rows]
