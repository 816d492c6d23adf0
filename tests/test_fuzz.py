"""Fits of random data with random settings: clear errors only, and no impossible numbers.

The suite runs a small share of the cases. To run many, in about ten minutes on one core:

    LAPVIZ_FUZZ=20000 python -m pytest tests/test_fuzz.py -q

A case is identified by its number: ``case(1234)`` is its estimator with X and y.
"""

from __future__ import annotations

import os
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest

import lapviz
from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, kernels

N_CASES = int(os.environ.get("LAPVIZ_FUZZ", 120))
PACKAGE = str(Path(lapviz.__file__).parent)
DEGENERATE = ("overflow", "underflow")  # allowed warnings of NumPy: an error follows, or 0 is right


# ------------------------------------------------------------------------------------- the cases


def sample(rng) -> np.ndarray:
    """Points (n, d) of a random kind, degraded in random ways."""
    n, d = int(rng.integers(2, 120)), int(rng.integers(1, 12))
    if rng.random() < 0.05:
        n, d = int(rng.integers(200, 400)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d))
    kind = rng.choice(["normal", "uniform", "curve", "blobs", "wide", "one"])
    if kind == "uniform":
        X = rng.uniform(size=(n, d))
    elif kind == "curve":
        t = rng.uniform(0, 2 * np.pi, n)
        X = 0.01 * X
        X[:, 0] += np.cos(t)
        X[:, -1] += np.sin(t)
    elif kind == "blobs":
        X = 0.1 * X + 3 * rng.normal(size=(3, d))[rng.integers(0, 3, n)]
    elif kind == "wide":
        X = rng.normal(size=(n, d + 20))
    elif kind == "one":
        X = np.tile(rng.normal(size=d), (n, 1))
    for name in rng.permutation(list(DEGRADATIONS))[: rng.integers(0, 4)]:
        X = DEGRADATIONS[name](rng, X)
    return X


def _rows(rng, X):
    return rng.integers(0, len(X), max(1, len(X) // 10))


def _outliers(rng, X):
    X = X.astype(np.result_type(X, np.float32))
    X[_rows(rng, X)] *= 10.0 ** rng.uniform(1, 8)
    return X


def _collinear(rng, X):
    return np.hstack([X, X @ rng.normal(size=(X.shape[1], 2))])


DEGRADATIONS = {
    "duplicates": lambda rng, X: X[rng.integers(0, len(X), len(X))],
    "copies": lambda rng, X: np.repeat(X, 3, axis=0),
    "outliers": _outliers,
    "offset": lambda rng, X: X + 10.0 ** rng.uniform(0, 8) * rng.normal(size=X.shape[1]),
    "integers": lambda rng, X: np.round(3 * X).astype(int),
    "float32": lambda rng, X: X.astype(np.float32),
    "collinear": _collinear,
    "constant column": lambda rng, X: np.hstack([X, np.full((len(X), 1), 7.0)]),
    "units": lambda rng, X: X * 10.0 ** rng.uniform(-12, 12),
    "column units": lambda rng, X: X * 10.0 ** rng.uniform(-3, 3, X.shape[1]),
    "sorted": lambda rng, X: np.sort(X, axis=0),
}


def settings(rng, X) -> dict:
    """Parameters shared by the estimators."""
    spread = float(np.sqrt(X.astype(float).var(axis=0).sum())) or 1.0
    operator = rng.choice(
        ["laplacian", "tangent", "graph", "sphere", "torus"], p=[0.5, 0.2, 0.1, 0.1, 0.1]
    )
    if operator == "torus" and X.shape[1] % 2:
        operator = "laplacian"
    landmarks = rng.choice(
        ["stratified", "uniform", "kmeans++", "leverage", "fourier"], p=[0.5, 0.2, 0.1, 0.1, 0.1]
    )
    return {
        "kernel": str(rng.choice(kernels.names())),
        "bandwidth": "auto" if rng.random() < 0.3 else spread * 10.0 ** rng.uniform(-3, 3),
        "n_landmarks": len(X) if rng.random() < 0.3 else int(rng.integers(1, len(X) + 1)),
        "landmarks": str(landmarks),
        "mu": ["auto", 0.0, 10.0 ** rng.uniform(-8, 2) / spread**2][rng.integers(3)],
        "operator": str(operator),
        "random_state": int(rng.integers(1000)),
    } | ({"degree": int(rng.integers(1, 6))} if rng.random() < 0.5 else {})


def case(number: int):
    """The estimator, X and y of a case."""
    rng = np.random.default_rng([20, number])
    X = sample(rng)
    common, y = settings(rng, X), None
    if common["kernel"] != "polynomial":
        common.pop("degree", None)
    kind = rng.choice(["embedding", "classifier", "regressor"], p=[0.5, 0.3, 0.2])
    if kind == "embedding":
        return GalerkinEmbedding(n_components=int(rng.integers(1, 40)), **common), X, y
    common |= {
        "lam": float(10.0 ** rng.uniform(-6, 3)) if rng.random() < 0.8 else 0.0,
        "data_term": str(rng.choice(["labelled", "all", "poisson"])),
        "fit_intercept": bool(rng.integers(2)),
    }
    if common["data_term"] == "poisson":
        common.pop("lam")
    elif rng.random() < 0.3:
        common["filter"] = str(rng.choice(["cutoff", "heat", "landweber"]))
    labelled = rng.random(len(X)) < rng.uniform(0.05, 1.0)
    labelled[rng.integers(len(X))] = True
    if kind == "classifier":
        y = np.where(labelled, rng.integers(0, rng.integers(1, 5), len(X)), -1)
        balance = [None, "scale", "shift"][rng.integers(3)]
        return LaplacianClassifier(balance=balance, **common), X, y
    y = np.where(labelled, rng.normal(size=len(X)) * 10.0 ** rng.uniform(-3, 3), np.nan)
    return LaplacianRegressor(**common), X, y


# ------------------------------------------------------------------------------------ the checks


def complaint(number: int) -> str | None:
    """What is wrong with a case; "" if nothing, None if it was refused with a clear error."""
    model, X, y = case(number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)
            for word in DEGENERATE:
                warnings.filterwarnings("ignore", word, RuntimeWarning)
            model.fit(X, y)
            return wrong_spectrum(model, X) if y is None else wrong_values(model, X)
    except Exception as error:
        last, message = traceback.extract_tb(error.__traceback__)[-1], str(error)
        deliberate = isinstance(error, ValueError) and last.filename.startswith(PACKAGE)
        if deliberate and message.endswith(".") and len(message) > 40:
            return None
        return f"{last.filename}:{last.lineno}: {error!r}"


def wrong_spectrum(model, X) -> str:
    gamma, values = model.eigenvalues_, model.transform(X)
    if not np.isfinite(gamma).all() or not np.isfinite(values).all():
        return f"not finite: {gamma}"
    if gamma.min() < 0 or (np.diff(gamma) < 0).any():
        return f"negative or unordered: {gamma}"
    if gamma[0] != 0:
        return f"the constant has energy {gamma[:3]}"
    if np.abs(values[:, 0] - 1).max() > 1e-6:
        return f"the first eigenfunction is not constant: {values[:, 0].min()} {values[:, 0].max()}"
    deviation = np.abs(values.T @ values / len(X) - np.eye(len(gamma))).max()
    return f"not orthonormal over the samples: {deviation:.1e}" if deviation > 1e-3 else ""


def wrong_values(model, X) -> str:
    values = model.predict(X)
    if hasattr(model, "decision_function"):
        if not np.isin(values, model.classes_).all():
            return "unknown classes"
        values = model.predict_proba(X)
        if np.abs(values.sum(axis=1) - 1).max() > 1e-9:
            return "probabilities that do not sum to 1"
    return "" if np.isfinite(values).all() else "predictions are not finite"


@pytest.mark.slow
def test_fits_are_right_or_raise_a_clear_error():
    results = {number: complaint(number) for number in range(N_CASES)}
    wrong = [f"{number}: {case(number)[0]}: {text}" for number, text in results.items() if text]
    assert not wrong, "\n".join(wrong)
    assert [*results.values()].count(None) < 0.2 * len(results), "most are fitted and not refused"


@pytest.mark.parametrize("number", [479, 543, 963, 1119])
def test_cases_in_which_the_energy_of_held_out_points_is_singular(number):
    assert not complaint(number)
