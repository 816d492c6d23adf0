"""What a sweep compares: the estimators and their parameters, baselines, and their errors."""

from __future__ import annotations

import warnings
from contextlib import suppress
from inspect import signature

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

from lapviz import datasets, estimators
from lapviz.experiments.sweep_data import Sample
from lapviz.progress import report

Array = np.ndarray

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
