"""The point to label next: the scores of all points as a panel, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import estimates
from lapviz.estimates import queries
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import Picture
from lapviz.explorer.settings.records import Settings
from lapviz.scenes import Panel

Array = np.ndarray
TITLE = "Which point next"


@dataclass(frozen=True)
class Next:
    """The point to label next: its row, the class that the estimate gives it, its true class."""

    row: int
    predicted: int
    truth: int


def next_panel(picture: Picture, shown: Panel) -> tuple[Panel, Next | None]:
    """Score the drawn points and pick the best; without scores the panel has a note.

    ``shown`` is the kernel Laplacian's panel, whose classes may be balanced or smoothed by passes;
    the ranking's are not. Energies are shown relative to the least of them, since only differences
    matter.
    """
    settings = picture.settings
    blank = np.zeros((1, len(picture.rows)))
    try:
        if reason := refusal(settings, picture.labelled):
            raise ValueError(reason)
        ranking, n_drawn = _ranked(picture), len(picture.rows)
    except ValueError as error:
        return Panel(TITLE, blank, note=str(error), depends=(), kind="functions"), None
    scores = ranking.score[:n_drawn].copy()
    candidates = ranking.order[ranking.order < n_drawn]
    unknown = candidates[picture.data.y[picture.rows[candidates]] < 0]
    candidates = unknown if len(unknown) else candidates  # known classes need not be queried
    if settings.query.criterion == "energy":
        scores[candidates] -= scores[candidates].min()
    best = int(candidates[0])
    row = int(picture.rows[best])
    panel = Panel(TITLE, scores[None], depends=("lam", "filter", "labels"), kind="functions")
    predicted = int(estimates.decode(shown.points[:, best]))
    return panel, Next(row, predicted, int(picture.data.y[row]))


def refusal(settings: Settings, labelled: points.Labelled) -> str:
    """A sentence that says why there are no scores; "" if there are."""
    estimate = settings.estimate
    if estimate.data_term != "labelled" or estimate.filter != "tikhonov":
        return (
            "The scores are known in closed form for the Tikhonov filter with the data term on "
            "the labelled points: choose these."
        )
    if settings.labels.partial:
        return "The scores need labels of one class each: remove the further candidates."
    if not labelled.labels and estimate.fit_intercept:
        return "Label a point first: with an unpenalised constant every first label costs nothing."
    return ""


def whitened(settings: Settings, X: Array) -> Array:
    """Whitened test functions (r, m) at points X (m, d)."""
    method, constant = fits.method(settings), settings.estimate.fit_intercept
    space = method.assembled(constant).space
    return method.solver(constant=constant).whiten(space.phi(X))


def _ranked(picture: Picture) -> queries.Ranking:
    """Rank the drawn points, followed by the off-sample labels."""
    settings, labelled = fits.for_kernel_functions(picture.settings), picture.labelled
    estimate, n_classes = settings.estimate, picture.data.n_classes
    X = np.vstack([picture.data.X[picture.rows], labelled.X[labelled.index < 0]])
    return queries.rank_candidates(
        whitened(settings, X),
        labelled.positions(picture.rows),
        labelled.codes,
        estimates.class_codes(np.arange(n_classes), n_classes),
        estimate.lam,
        criterion=picture.settings.query.criterion,
        constant=estimate.fit_intercept,
    )
