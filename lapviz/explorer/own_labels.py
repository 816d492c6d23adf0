"""What the Labels page and the fit to a whole table take from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import estimates
from lapviz.estimators import LaplacianClassifier
from lapviz.explorer import own, steps
from lapviz.explorer.own_fit import blocks
from lapviz.explorer.settings import Settings
from lapviz.explorer.specs import DataSpec
from lapviz.spaces import Reach

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Estimated:
    """What a page's estimate says of every row: classes (n,), chances (n, K), and which are far."""

    predicted: Array
    chances: Array
    far: Array


def estimated(settings: Settings) -> Estimated:
    """The kernel Laplacian of the Labels page at every row of the table, not only those shown.

    Rows far from the data of the page get equal chances.
    """
    data, problem = steps.sample(settings.data), steps.Problem.of(settings)
    given = steps.labelled(settings.data, settings.labels)
    if not given.labels:
        raise ValueError("Label a point first.")
    c = steps.estimate(problem, settings.estimate, given).value
    space = steps.assembled(problem, settings.estimate.fit_intercept).value.space
    kernel = steps.kernel(problem.data, problem.space)
    reach = Reach.of(kernel, steps.centres(problem.data, problem.space), data.X)
    change = None
    if settings.estimate.balance is not None:
        prior = given.shares(data.n_classes).mean(axis=0)
        change = estimates.balance(space.evaluate(data.X, c), prior, settings.estimate.balance)
    X = own.get(settings.data.source).prepared.X
    chances, far = np.empty((len(X), data.n_classes)), np.zeros(len(X), dtype=bool)
    for rows in blocks(len(X)):
        scores = space.evaluate(X[rows], c)
        scores = scores if change is None else change(scores)
        chances[rows] = estimates.probabilities(scores, data.n_classes)
        if reach is not None:
            far[rows] = reach.far(X[rows])
    chances[far] = 1 / data.n_classes
    return Estimated(chances.argmax(axis=1), chances, far)


def settings_of(model) -> dict[str, object]:
    """The fit's own choices as settings of the pages, for the Labels page to begin with."""
    if not isinstance(model, LaplacianClassifier):
        return {}
    return {
        "p": int(model.n_landmarks_),
        "sigma": float(f"{model.bandwidth_:.4g}"),
        "mu": float(f"{model.mu_:.4g}"),
        "lam": float(f"{model.lam_:.4g}"),
    }


def marks_of(data: DataSpec, settings: Settings | None) -> tuple[tuple[int, int], ...]:
    """Labels set by hand on another page, as rows of the whole table and codes."""
    if settings is None or settings.data.source != data.source or settings.labels.chosen is None:
        return ()
    chosen = settings.labels.chosen
    thing = own.get(data.source)
    rows = thing.picked(settings.data.n_samples, settings.data.random_state)
    plain = [m for m in chosen if not m.free and not m.others and m.index < len(rows)]
    return tuple((int(rows[m.index]), m.code) for m in plain)
