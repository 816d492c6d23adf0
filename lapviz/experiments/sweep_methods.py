"""Parts of a sweep: random samples with labels, estimators, baselines, errors."""

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
# (n, seed) -> X and y, −1 or NaN if unknown; optionally weights and slopes, or None
Load = Callable[[int, int], tuple]

EMBEDDINGS = (estimators.GalerkinEmbedding, estimators.NeuralEigenfunctions)
NAMES = (
    "LaplacianClassifier", "LaplacianRegressor", "ExactLaplacianClassifier",
    "ExactLaplacianRegressor", "GraphLaplacianClassifier", "PartialLabelClassifier",
    "KernelCGRegressor", "HermiteRegressor", "GalerkinEmbedding", "NeuralEigenfunctions",
)  # fmt: skip
ESTIMATORS = {name: getattr(estimators, name) for name in NAMES}
BASELINES = ("1-NN", "SVC", "LabelSpreading", "GraphLaplacianClassifier", "kernel ridge")
MAX_INTEGER = 5000  # of an estimator's parameters
# set here, or not by a text
_RESERVED = {"random_state", "callback", "verbose", "kernel_params"}


@dataclass(frozen=True, eq=False)
class Sample:
    """Points, and the labels that a method sees.

    Attributes
    ----------
    X : array (n, d)
    y : array (n,)
        Class codes, -1 where unknown; or values, NaN where unknown.
    labelled : boolean array (n,)
        Where a method sees a label.
    observed : array (n,)
        The label that it sees there: y or, with several candidates, one of these.
    candidates : boolean array (n, n_classes) or None
        Candidate classes, all of them where unlabelled; None for values.
    weights : array (n,) or None
        Positive weights of the points.
    slopes : array (n, d) or None
        Gradients of the values without noise.
    """

    X: Array
    y: Array
    labelled: Array
    observed: Array
    candidates: Array | None = None
    weights: Array | None = None
    slopes: Array | None = None

    @property
    def has_values(self) -> bool:
        """Whether y holds values rather than classes."""
        return self.y.dtype.kind == "f"

    @property
    def test(self) -> Array:
        """Mask (n,) of the known points without a label."""
        known = np.isfinite(self.y) if self.has_values else self.y >= 0
        return known & ~self.labelled

    @property
    def target(self) -> Array:
        """Observed labels (n,), -1 or NaN where unlabelled."""
        return np.where(self.labelled, self.observed, np.nan if self.has_values else -1)


def built_in(name: str, noise: float, values: bool = False) -> Load:
    """Return the sampler of a built-in data set; real data are subsampled.

    A data set with both classes and values gives the classes, or the values if ``values``.
    """

    def load(n: int, seed: int) -> tuple:
        info = datasets.info(name)
        options = {} if info.real or not info.max_noise else {"noise": noise}
        size = min(n, info.max_samples) if info.real else n
        data = datasets.load(name, n_samples=size, random_state=seed, **options)
        slopes = data.gradient(data.X) if data.gradient is not None else None
        has_classes = data.n_classes and not (values and data.values is not None)
        return data.X, data.y if has_classes else data.values, data.weights, slopes

    return load


def draw(load: Load, n: int, labels: int, candidates: int, seed: int) -> Sample:
    """Draw points, and labels on some of those with a known y.

    Parameters
    ----------
    load : callable
    n : int
        Number of points.
    labels : int
        Number of labels of each class, or of values in total.
    candidates : int
        Number of classes that a label leaves possible, including the true one; 1 for values.
    seed : int

    Raises
    ------
    ValueError
        If no y is known, no point would be labelled or tested, or a label would carry no
        information.
    """
    X, y, weights, slopes = (*load(n, seed), None, None)[:4]
    if weights is not None:
        rows, weights = operators.weighted_rows(weights, len(X))
        X, y, slopes = X[rows], y[rows], None if slopes is None else slopes[rows]
    if not (np.isfinite(y) if y.dtype.kind == "f" else y >= 0).any():
        raise ValueError(
            "No row has a known class or value: choose a label column on the page “Your data”; in "
            "Python give known entries in y."
        )
    rng = np.random.default_rng(seed)
    if y.dtype.kind == "f":
        labelled, allowed, observed = np.zeros(len(y), dtype=bool), None, y
        labelled[rng.permutation(np.flatnonzero(np.isfinite(y)))[:labels]] = True
    else:
        labelled = datasets.draw_labels(y, labels, seed)
        allowed, observed = _candidate_sets(y, labelled, candidates, rng)
    sample = Sample(X, y, labelled, observed, allowed, weights, slopes)
    if not sample.test.any() or not labelled.any():
        raise ValueError(
            "There must be known points with a label and without one: take fewer labels, or "
            "data with more known rows."
        )
    return sample


def _candidate_sets(y: Array, labelled: Array, size: int, rng) -> tuple[Array, Array]:
    """Candidates (n, n_classes) of each point, and a random one of them (n,)."""
    n_classes = int(y.max(initial=0)) + 1
    if size > 1 and size >= n_classes:
        raise ValueError(
            f"With {n_classes} classes a label is informative with at most {n_classes - 1} "
            f"candidate{'s' * (n_classes > 2)}: take fewer, or data with more classes."
        )
    allowed, observed = np.ones((len(y), n_classes), dtype=bool), y.copy()
    for row in np.flatnonzero(labelled):
        others = rng.permutation(np.delete(np.arange(n_classes), y[row]))[: size - 1]
        allowed[row] = False
        allowed[row, [y[row], *others]] = True
        observed[row] = rng.choice([y[row], *others])
    return allowed, observed


def parameters(estimator: str) -> list[str]:
    """Names of the parameters of an estimator that can be set."""
    return sorted(set(ESTIMATORS[estimator]().get_params()) - _RESERVED)


def is_regressor(estimator: str) -> bool:
    """Whether an estimator predicts values rather than classes."""
    return estimator.endswith("Regressor")


def check(estimator: str, name: str) -> None:
    """Raise ValueError if an estimator has no such parameter."""
    names = parameters(estimator)
    if name not in names:
        raise ValueError(f"{estimator} has no parameter {name!r}; it has {', '.join(names)}.")


def value(text: str) -> int | float | str | bool:
    """Parse a parameter's value from a text."""
    for reader in (int, float):
        with suppress(ValueError):
            number = reader(text)
            return number if np.isfinite(float(text)) else text  # of any number of digits
    return {"true": True, "false": False}.get(text.lower(), text)


def model(estimator: str, settings: dict, seed: int):
    """Make an estimator with parameters; ``none`` is None, layer sizes are as in ``64x64``.

    Raises
    ------
    ValueError
        If an integer is too large for a sweep.
    """
    settings = {name: _argument(value) for name, value in settings.items()}
    for value in settings.values():
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int) and number > MAX_INTEGER:
                raise ValueError(f"Integer parameters are at most {MAX_INTEGER:,} here.")
    instance = ESTIMATORS[estimator]()
    # the callback allows a long training to be cancelled
    reserved = {"random_state": seed, "callback": lambda _: report("steps", 0)}
    names = instance.get_params()
    return instance.set_params(**settings, **{k: v for k, v in reserved.items() if k in names})


def _argument(value: object) -> object:
    if isinstance(value, str) and value.lower() == "none":
        return None
    parts = value.split("x") if isinstance(value, str) else []
    return tuple(map(int, parts)) if len(parts) > 1 and all(map(str.isdecimal, parts)) else value


def baseline(name: str, values: bool):
    """Make a method with fixed settings; None if it does not predict values."""
    methods = {
        "1-NN": (KNeighborsRegressor if values else KNeighborsClassifier)(1),
        "SVC": SVR(C=10) if values else SVC(C=10),
        "kernel ridge": KernelRidge(kernel="rbf", alpha=0.1),
    }
    if not values:
        methods["LabelSpreading"] = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=200)
        methods["GraphLaplacianClassifier"] = estimators.GraphLaplacianClassifier()
    return methods.get(name)


def error(model, sample: Sample) -> float:
    """Error rate or root mean square error at the known points without a label, weighted.

    Raises
    ------
    ValueError
        If the method does not support such data.
    """
    test = sample.test
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on few labels
        predicted = _predict(model, sample)[test]
    weights = None if sample.weights is None else sample.weights[test]
    if sample.has_values:
        return float(np.sqrt(np.average((predicted - sample.y[test]) ** 2, weights=weights)))
    return float(np.average(predicted != sample.y[test], weights=weights))


def _predict(model, sample: Sample) -> Array:
    X, rows, values = sample.X, sample.labelled, sample.has_values
    if isinstance(model, EMBEDDINGS):
        Z = _fit(model, X, sample.weights).transform(X)
        return baseline("1-NN", values).fit(Z[rows], sample.observed[rows]).predict(Z)
    if isinstance(model, KernelRidge):
        bandwidth = np.mean(np.var(X, axis=0)) * X.shape[1]
        model.set_params(gamma=1 / max(bandwidth, 1e-300))
        if not values:
            classes, codes = np.unique(sample.observed[rows], return_inverse=True)
            _fit(model, X[rows], _weights(sample, rows), np.eye(len(classes))[codes])
            return classes[model.predict(X).argmax(axis=1)]
    if isinstance(model, KNeighborsClassifier | KNeighborsRegressor | SVC | SVR | KernelRidge):
        y, weights = sample.observed[rows], _weights(sample, rows)
        if not values and (y == y[0]).all():  # SVC refuses a single class
            return np.full(len(X), y[0])
        if not values:
            return _fit(model, X[rows], weights, y).predict(X)
        # standardised, as their penalties and SVR's ε depend on the target's origin and units
        centre = np.average(y, weights=weights)
        scale = np.sqrt(np.average((y - centre) ** 2, weights=weights)) or 1.0
        return centre + scale * _fit(model, X[rows], weights, (y - centre) / scale).predict(X)
    by_slopes = isinstance(model, estimators.HermiteRegressor)
    if by_slopes and sample.slopes is None:
        raise ValueError(
            "HermiteRegressor needs the slopes of the target at the labelled points, which only "
            "the synthetic functions have (waves, step, hills): choose one of these."
        )
    name = type(model).__name__
    if is_regressor(name) != values:
        names = ", ".join(datasets.names("values"))
        kind, one = ("classes", "other data") if values else ("values", f"one of {names}")
        raise ValueError(
            f"{name} needs data with {kind}: choose {one}, or in your own table a label column of "
            f"{kind}."
        )
    if by_slopes:
        targets = sample.observed[rows], sample.slopes[rows], _weights(sample, rows)
        return model.fit(X[rows], *targets).predict(X)
    if isinstance(model, estimators.PartialLabelClassifier):
        return _fit(model, X, sample.weights, sample.candidates).predict(X)
    return _fit(model, X, sample.weights, sample.target).predict(X)


def _fit(model, X: Array, weights: Array | None, *targets: Array):
    """Fit, with weights if the method supports them."""
    weighted = weights is not None and "sample_weight" in signature(model.fit).parameters
    return model.fit(X, *targets, **({"sample_weight": weights} if weighted else {}))


def _weights(sample: Sample, rows: Array) -> Array | None:
    return None if sample.weights is None else sample.weights[rows]
