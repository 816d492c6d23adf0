"""Choosing among whole plans for a classifier whose energy is automatic, by folds of the labels.

The automatic plan comes first and stays, unless another one guesses clearly more of the hidden
labels: by more than one standard error of a share, and by three labels. With few labels that rarely
happens, and so the choice is not worse than the default.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from lapviz import fit
from lapviz._sklearn import check_parameters
from lapviz.estimates.codes import class_codes, class_scores
from lapviz.estimators.targets import class_proportions
from lapviz.graphs import NodeSpace

Array = np.ndarray

# In units of the kernel width σ: of an energy along the axes, μ in 1/σ² and λ in σ².
AXES = ((1e-1, 1e-2), (1.0, 1e-1))
MU_FACTORS = (0.1, 10.0)
LEAST_AHEAD = 3  # hidden labels: with four to six labels in all a share's error means little


def plans(model, sample: fit.Sample, labelled: Array) -> list[dict]:
    """Parameters of each candidate, the automatic plan ({}) first.

    Other weights of the RKHS norm, no passes, and the energy along the coordinate axes, which is
    ahead where the classes are no clusters.
    """
    trial = clone(model)
    on_nodes = isinstance(trial._prepare(sample, labelled, trial._specs()).space, NodeSpace)
    if on_nodes:  # kernel functions, with the p, σ and μ that they would have, are alternatives
        trial.set_params(n_passes=0)._prepare(sample, labelled, trial._specs())
    mu, unit = trial.mu_, trial.bandwidth_**2
    factors = (1.0, *MU_FACTORS) if on_nodes else MU_FACTORS
    others = [{"mu": factor * mu} for factor in factors] if model.mu == "auto" else []
    axes = [
        {"operator": "laplacian", "balance": "scale", "mu": a / unit, "lam": b * unit,
         "n_landmarks": trial.space_.n_functions, "n_passes": 0}
        for a, b in AXES
    ]  # fmt: skip
    return [{}, {"n_passes": 0}, *others, *axes]


def hidden_scores(
    model, sample: fit.Sample, labelled: Array, codes: Array, folds: list[Array]
) -> tuple[Array, float]:
    """Scores (n_labelled, k) of each label while it was hidden, and λ.

    The labels of each fold are hidden in turn; ``folds`` hold positions among the labelled rows.

    Points stay in the sample, and classes keep the shares that they have of all labels. Guarded
    passes have held back labels themselves (:mod:`lapviz.fit.guard`), and their folds are taken;
    the only label of a class, which they keep, counts as wrong.
    """
    check_parameters(model)
    n_classes, rows = int(codes.max()) + 1, np.flatnonzero(labelled)
    scores: Array | None = None
    problem, X = model._prepare(sample, labelled, model._specs()), sample.X
    all_labels = np.full(len(labelled), -1)
    all_labels[rows] = codes
    given = class_proportions(model.class_prior, n_classes)
    of_all = fit.Labels.of_codes(X, all_labels, n_classes, given)
    estimate = problem.plan_for(of_all).estimate
    of_all = problem.completed(of_all, estimate)
    verdict = problem.solve(of_all, estimate).verdict if estimate.n_passes else fit.Verdict()
    if verdict.chances is not None:
        scores = -class_codes(codes, n_classes)
        scores[verdict.held] = class_scores(verdict.chances)
        folds = []
    for fold in folds:
        known = all_labels.copy()
        known[rows[fold]] = -1
        given = fit.Labels.of_codes(X, known, n_classes, of_all.proportions)
        solved = problem.solve(given, estimate)
        values = problem.scores(X[rows[fold]], solved)
        scores = np.empty((len(rows), values.shape[1])) if scores is None else scores
        scores[fold] = values
    assert scores is not None  # there is a fold
    return scores, estimate.lam


def clearly_best(errors: list[float], n_labelled: int) -> int:
    """The first plan, or the best one if it is ahead by more than a standard error and by three
    labels."""
    first, best = errors[0], int(np.argmin(errors))
    margin = np.sqrt(max(first * (1 - first), 0.0) / n_labelled)
    ahead = first - errors[best]
    return best if ahead > margin and ahead * n_labelled > LEAST_AHEAD - 0.5 else 0
