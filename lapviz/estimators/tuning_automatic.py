"""Choosing among whole plans for a classifier whose energy is automatic, by folds of the labels.

The automatic plan comes first and stays, unless another one guesses clearly more of the hidden
labels: by more than one standard error of a share. With few labels that rarely happens, and so the
choice is not worse than the default.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.base import clone

from lapviz import estimates, fit

Array = np.ndarray

# In units of the kernel width σ: of an energy along the axes, μ in 1/σ² and λ in σ².
AXES = ((1e-1, 1e-2), (1.0, 1e-1))
MU_FACTORS = (0.1, 10.0)


def plans(model, X: Array, labelled: Array) -> list[dict]:
    """Parameters of each candidate, the automatic plan ({}) first.

    Other weights of the RKHS norm, no passes, and the energy along the coordinate axes, which is
    ahead where the classes are no clusters.
    """
    trial = clone(model)
    trial._prepare(X, labelled)
    mu, unit = trial.mu_, trial.bandwidth_**2
    if model.mu == "auto":
        others = [{"mu": factor * mu} for factor in MU_FACTORS]
    else:
        others = []
    axes = [
        {"operator": "laplacian", "balance": "scale", "mu": a / unit, "lam": b * unit,
         "n_landmarks": trial.space_.n_functions, "n_passes": 0}
        for a, b in AXES
    ]  # fmt: skip
    return [{}, {"n_passes": 0}, *others, *axes]


def hidden_errors(
    model, X: Array, known: Array, n_classes: int, folds: list[Array]
) -> Iterator[tuple[int, Array, Array]]:
    """For each fold: how many are wrong, the hidden rows, and their scores.

    ``folds`` hold positions among the labelled rows. Classes keep the shares of all labels.
    """
    rows = np.flatnonzero(known >= 0)
    prior = fit.volumes(known[rows], n_classes)
    problem = model._prepare(X, known >= 0)
    space = problem.assembled.space
    for fold in folds:
        hidden = rows[fold]
        kept = known.copy()
        kept[hidden] = -1
        coefficients, balance = problem.solve(X, kept, n_classes, prior)
        scores = space.evaluate(X[hidden], coefficients)
        scores = scores if balance is None else balance(scores)
        wrong = int((estimates.decode(scores) != known[hidden]).sum())
        yield wrong, hidden, scores


def clearly_best(errors: list[float], n_labelled: int) -> int:
    """The first plan, or the best one if it is ahead by more than a standard error."""
    first, best = errors[0], int(np.argmin(errors))
    margin = np.sqrt(max(first * (1 - first), 0.0) / n_labelled)
    return best if errors[best] < first - margin else 0
