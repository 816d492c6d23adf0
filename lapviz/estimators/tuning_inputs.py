"""What the choice of parameters starts from: a pipeline's last step, labels, default grids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from lapviz import estimates, fit
from lapviz.estimates import calibration, data_terms
from lapviz.estimators.targets import regression_targets, split_labels

Array = np.ndarray

# In units of the kernel width σ: μ is in 1/σ², λ in σ². The first μ is "floor".
MU = (calibration.FLOOR, 1e-3, 1e-2, 1e-1, 1.0)
LAM = (1e-3, 1e-2, 1e-1, 1.0, 10.0)


@dataclass(frozen=True, eq=False)
class Labels:
    """Labelled rows (mask), their targets (n_labelled, k), and class codes or None.

    ``weights`` (n,) are those of all rows, None if all are equal.
    """

    mask: Array
    targets: Array
    codes: Any
    weights: Array | None = None

    @property
    def own_weights(self) -> Array | None:
        """Of the labelled rows (n_labelled,)."""
        return None if self.weights is None else self.weights[self.mask]

    @classmethod
    def of_classes(cls, y, weights: Array | None) -> Labels:
        classes, mask, codes = split_labels(np.asarray(y))
        return cls(mask, estimates.class_codes(codes, len(classes)), codes, weights)

    @classmethod
    def of_targets(cls, y, n_samples: int, weights: Array | None) -> Labels:
        y = regression_targets(y, n_samples).reshape(n_samples, -1)
        mask = np.asarray(~np.isnan(y).any(axis=1))
        return cls(mask, y[mask], None, weights)

    def error(self, scores: Array) -> float:
        if self.codes is None:
            return np.nan
        return float(np.average(estimates.decode(scores) != self.codes, weights=self.own_weights))

    def squared_error(self, scores: Array) -> float:
        squares = ((self.targets - scores) ** 2).mean(axis=1)
        return float(np.average(squares, weights=self.own_weights))


def last_step(estimator, X) -> tuple[object, object, str]:
    """The last step of a pipeline, the points that reach it, and what its parameters begin with.

    An estimator that is no pipeline comes back as it is. The steps before are fitted on all points,
    labelled or not, and see no label, so that none that is hidden later has had a say.

    Raises
    ------
    ValueError
        If the steps before cannot be fitted without labels.
    """
    prefix = ""
    while isinstance(estimator, Pipeline):
        before, name = estimator[:-1], estimator.steps[-1][0]
        try:
            X = clone(before).fit_transform(X) if before.steps else X
        except (TypeError, ValueError) as error:
            raise ValueError(
                "The steps of the pipeline before the last cannot be fitted on the points alone "
                f"({error}). If one learns from labels, it would see those that are to be hidden: "
                "use GridSearchCV with cv=lapviz.LabelledKFold()."
            ) from error
        estimator, prefix = estimator[-1], f"{prefix}{name}__"
    return estimator, X, prefix


def default_grids(model, X: Array) -> dict[str, list]:
    """Values of μ and λ around the kernel's width, with the estimator's own among them, first.

    σ and p stay: a grid over σ beside λ gained nothing on tables with few labels, or harmed, where
    one over μ raised the accuracy by up to .4.
    """
    kernel = fit.kernel(X, fit.SpaceSpec.of(model))
    unit = kernel.bandwidth**2
    grids = {"mu": [model.mu, *(value / unit for value in MU)]}
    if "lam" not in data_terms.get(model.data_term).unused:
        grids["lam"] = [model.lam, *(value * unit for value in LAM)]
    return {name: list(dict.fromkeys(values)) for name, values in grids.items()}
