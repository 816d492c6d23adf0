"""The library's estimators with the settings of a page, as they are: "auto" and all."""

from __future__ import annotations

import numpy as np

from lapviz import LaplacianClassifier
from lapviz.explorer.compute import points
from lapviz.explorer.settings.records import Settings


def space_of(s: Settings) -> dict:
    """Trial space and energy as keyword arguments of an estimator."""
    return {
        "kernel": s.get("kernel"), "bandwidth": s.get("sigma"),
        "kernel_params": dict(s.space.kernel_params or ()),
        "n_landmarks": s.get("p"), "landmarks": s.get("landmarks"), "mu": s.get("mu"),
        "operator": s.operator, "random_state": s.get("seed"),
    }  # fmt: skip


def classifier(s: Settings) -> LaplacianClassifier:
    spec = s.estimate
    return LaplacianClassifier(
        **space_of(s), lam=spec.lam, filter=spec.filter, data_term=spec.data_term,
        fit_intercept=spec.fit_intercept, balance=spec.balance, n_passes=spec.n_passes,
        scaling=spec.scaling,
    )  # fmt: skip


def target(s: Settings) -> np.ndarray:
    """The page's labels, -1 for the other points."""
    given = points.labelled(s.data, s.labels)
    y = np.full(len(points.sample(s.data).X), -1)
    y[given.index] = given.codes
    return y


def fitted(s: Settings) -> LaplacianClassifier:
    return classifier(s).fit(points.sample(s.data).X, target(s))
