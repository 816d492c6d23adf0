"""Candidates for parameter selection: from a grid, or as plans.

On a grid, forms are assembled once for each σ and p and factorised once for each μ; a further λ
costs little. A plan is a classifier with the automatic operator. Plans, and other classifiers with
balance, are evaluated by refits, including balance and passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import clone

from lapviz import estimates, fit, kernels
from lapviz._sklearn import check_parameters
from lapviz.estimates import calibration, data_terms
from lapviz.estimates.codes import class_codes, class_scores
from lapviz.estimates.leave_one_out import hidden_folds
from lapviz.estimators.targets import has_targets, split_labels, warn_partly
from lapviz.graphs import NodeSpace

Array = np.ndarray

# For grids, in units of the kernel width σ: μ is in 1/σ², λ in σ². The first μ is "floor".
MU = (calibration.FLOOR, 1e-3, 1e-2, 1e-1, 1.0)
LAM = (1e-3, 1e-2, 1e-1, 1.0, 10.0)
# For plans: μ in 1/σ² and λ in σ² of an energy along the axes, and factors of the automatic μ.
AXES = ((1e-1, 1e-2), (1.0, 1e-1))
MU_FACTORS = (0.1, 10.0)


@dataclass(frozen=True)
class Candidate:
    """One row of the table.

    ``bandwidth``, ``mu`` and ``n_landmarks`` (test functions without the constant) are numbers,
    also for "auto". ``squared_error`` is over targets or class codes; ``error`` is the share of
    hidden labels that were predicted wrong, nan in regression. ``parameters`` are those for
    ``set_params``.
    """

    bandwidth: float
    n_landmarks: int
    mu: float
    lam: float
    squared_error: float
    error: float
    parameters: dict


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
    def label_weights(self) -> Array | None:
        """Weights of the labelled rows (n_labelled,)."""
        return None if self.weights is None else self.weights[self.mask]

    @classmethod
    def of_classes(cls, y, weights: Array | None) -> Labels:
        classes, mask, codes = split_labels(y)
        return cls(mask, class_codes(codes, len(classes)), codes, weights)

    @classmethod
    def of_targets(cls, y: Array, weights: Array | None) -> Labels:
        warn_partly(y)
        mask = has_targets(y)
        return cls(mask, y[mask], None, weights)

    def error(self, scores: Array) -> float:
        if self.codes is None:
            return np.nan
        return float(np.average(estimates.decode(scores) != self.codes, weights=self.label_weights))

    def squared_error(self, scores: Array) -> float:
        squares = ((self.targets - scores) ** 2).mean(axis=1)
        return float(np.average(squares, weights=self.label_weights))


# On a grid.


def default_grids(model, X: Array) -> dict[str, list]:
    """Values of μ and λ in units of the kernel width, after the estimator's own values.

    There is none for σ and p: on tables with few labels, a grid over σ and λ gained nothing or did
    harm, while one over μ raised the accuracy by up to .4.
    """
    kernel = fit.kernel(X, fit.SpaceSpec.of(model))
    unit = kernel.bandwidth**2
    grids = {"mu": [model.mu, *(value / unit for value in MU)]}
    if "lam" not in dict(fit.EstimateSpec.of(model).unused()):
        grids["lam"] = [model.lam, *(value * unit for value in LAM)]
    return {name: list(dict.fromkeys(values)) for name, values in grids.items()}


def combinations(grids: dict, names: tuple[str, ...]) -> list[dict]:
    """All combinations of the values of these parameters, as dictionaries."""
    names = tuple(name for name in names if name in grids)
    rows = product(*(grids[name] for name in names))
    return [dict(zip(names, values, strict=True)) for values in rows]


def _with_kernel(model, settings: dict) -> dict:
    """The settings, with a new kernel where it is an object and has its own σ."""
    width = settings.get("bandwidth")
    if isinstance(model.kernel, kernels.Kernel) and width is not None:
        if isinstance(width, str):
            raise ValueError(
                "A kernel object has a bandwidth of its own: give numbers, not 'auto'."
            )
        return settings | {"kernel": replace(model.kernel, bandwidth=float(width))}
    return settings


def by_grid(
    model, X, labels: Labels, folds, grids: dict, space_settings: dict
) -> Iterator[Candidate]:
    """Rows of the table for one σ and p, in the order of the grids: μ, λ."""
    center = labels.codes is None  # targets are centred, as by LaplacianRegressor
    term = data_terms.TERMS[model.data_term]
    values = grids.get("lam", [model.lam])
    trial = clone(model).set_params(**_with_kernel(model, space_settings))
    for value in values:
        check_parameters(trial.set_params(lam=value))
    spec, weights = fit.SpaceSpec.of(trial), labels.weights
    constant = bool(model.fit_intercept)
    method = fit.Galerkin(fit.Sample.of(X, weights), spec, fit.EnergySpec(trial.operator))
    kernel, space = method.kernel, method.assembled(constant).space
    phi = space.phi(X[labels.mask])
    for mu_settings in combinations(grids, ("mu",)):
        check_parameters(trial.set_params(**mu_settings))
        trial_method = replace(method, energy=fit.EnergySpec.of(trial))
        mu = trial_method.mu_and_reason(constant)[0]
        data = method.with_mu(mu).solver(model.data_term, constant), phi, labels.targets
        if folds is None:
            predictions = term.leave_one_out(*data, values, model.filter, center)
        else:
            options = {"center": center, "solve": term.solve_outputs if center else term.solve}
            options |= {} if weights is None else {"weights": labels.label_weights}
            predictions = (
                hidden_folds(*data, lam, model.filter, folds, **options) for lam in values
            )
        for lam, prediction in zip(values, predictions, strict=True):
            settings = _with_kernel(model, space_settings) | mu_settings
            yield Candidate(
                bandwidth=kernel.bandwidth,
                n_landmarks=space.n_functions - bool(constant),
                mu=mu,
                lam=float(lam),
                squared_error=prediction.squared_error,
                error=labels.error(prediction.predictions),
                parameters=settings | ({"lam": lam} if "lam" in grids else {}),
            )


# By plans.


def plans(model, sample: fit.Sample, labelled: Array) -> list[dict]:
    """Parameters of each candidate, the automatic plan ({}) first.

    The others are: no passes, other weights of the RKHS norm, and the energy along the coordinate
    axes, which is ahead where classes are not clusters.
    """
    trial = clone(model)
    on_nodes = isinstance(trial._prepare(sample, labelled, trial._specs()).space, NodeSpace)
    if on_nodes:  # the alternatives have kernel functions, with their automatic p, σ and μ
        trial.set_params(n_passes=0)._prepare(sample, labelled, trial._specs())
    mu, unit = trial.mu_, trial.bandwidth_**2
    factors = (1.0, *MU_FACTORS) if on_nodes else MU_FACTORS
    other_mu = [{"mu": factor * mu} for factor in factors] if model.mu == "auto" else []
    has_lam = "lam" not in data_terms.TERMS[model.data_term].unused  # without passes
    axes = [
        {"operator": "laplacian", "balance": "scale", "mu": a / unit, "n_passes": 0,
         "n_landmarks": trial.space_.n_functions} | ({"lam": b * unit} if has_lam else {})
        for a, b in AXES
    ]  # fmt: skip
    return [{}, {"n_passes": 0}, *other_mu, *axes]


def by_refits(
    model, sample: fit.Sample, labels: Labels, folds, settings: dict
) -> Iterator[Candidate]:
    """The row of the table for some settings, by refits without the labels of each fold."""
    settings = _with_kernel(model, settings)
    trial = clone(model).set_params(**settings)
    scores, lam = hidden_scores(trial, sample, labels.mask, labels.codes, folds)
    yield Candidate(
        bandwidth=trial.bandwidth_,
        n_landmarks=trial.n_landmarks_,
        mu=trial.mu_,
        lam=lam,
        squared_error=labels.squared_error(scores),
        error=labels.error(scores),
        parameters=settings,
    )


def hidden_scores(
    model, sample: fit.Sample, labelled: Array, codes: Array, folds: list[Array]
) -> tuple[Array, float]:
    """Scores (n_labelled, k) of each label while it was hidden, and λ.

    The labels of each fold are hidden in turn; ``folds`` contain positions among the labelled rows.

    All points stay in the sample, and class proportions are those of all labels. Guarded passes
    have held out labels already (:mod:`lapviz.fit.guard`): then their folds are used, and the only
    label of a class, which they do not hold out, counts as wrong.
    """
    check_parameters(model)
    n_classes, rows = int(codes.max()) + 1, np.flatnonzero(labelled)
    scores: Array | None = None
    problem, X = model._prepare(sample, labelled, model._specs()), sample.X
    all_codes = np.full(len(labelled), -1)
    all_codes[rows] = codes
    all_labels = fit.Labels.of_codes(X, all_codes, n_classes)
    estimate = problem.plan_for(all_labels).estimate
    all_labels = problem.completed(all_labels, estimate)
    verdict = problem.solve(all_labels, estimate).verdict if estimate.n_passes else fit.Verdict()
    if verdict.probabilities is not None:
        scores = -class_codes(codes, n_classes)
        scores[verdict.held_out] = class_scores(verdict.probabilities)
        folds = []
    for fold in folds:
        fold_codes = all_codes.copy()
        fold_codes[rows[fold]] = -1
        labels = fit.Labels.of_codes(X, fold_codes, n_classes, all_labels.proportions)
        solution = problem.solve(labels, estimate)
        values = problem.scores(X[rows[fold]], solution)
        scores = np.empty((len(rows), values.shape[1])) if scores is None else scores
        scores[fold] = values
    assert scores is not None  # there is a fold
    return scores, estimate.lam
