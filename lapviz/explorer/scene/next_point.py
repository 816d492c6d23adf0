"""Which point to label next: every point's score as a panel, and the point that it picks."""

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
    """The point to label next: its row, likeliest class and true class."""

    row: int
    likeliest: int
    truth: int


def next_panel(picture: Picture) -> tuple[Panel, Next | None]:
    """The scores of the drawn points, and the best of these; or a panel that says why not.

    Energies are shown above the least of them: what they differ by is what counts.
    """
    settings = picture.settings
    blank = np.zeros((1, len(picture.rows)))
    try:
        if why := refusal(settings, picture.given):
            raise ValueError(why)
        ranking, n_drawn = _ranked(picture), len(picture.rows)
    except ValueError as error:
        return Panel(TITLE, blank, note=str(error), depends=(), kind="functions"), None
    scores = ranking.score[:n_drawn].copy()
    open_ = ranking.order[ranking.order < n_drawn]
    unknown = open_[picture.data.y[picture.rows[open_]] < 0]
    open_ = unknown if len(unknown) else open_  # what is known need not be asked for
    if settings.query.criterion == "energy":
        scores[open_] -= scores[open_].min()
    best = int(open_[0])
    row = int(picture.rows[best])
    panel = Panel(TITLE, scores[None], depends=("lam", "labels"), kind="functions")
    truth = int(picture.data.y[row])
    return panel, Next(row, int(ranking.likeliest[best]), truth)


def refusal(settings: Settings, given: points.Labelled) -> str:
    """Why there are no scores, in a sentence; "" if there are."""
    estimate = settings.estimate
    if estimate.data_term != "labelled" or estimate.filter != "tikhonov":
        return (
            "The scores are known in closed form for the Tikhonov filter with the data term on "
            "the labelled points: choose these."
        )
    if given.partial:
        return "The scores need labels of one class each: remove the further candidates."
    if not given.labels and estimate.fit_intercept:
        return "Label a point first: with an unpenalised constant every first label costs nothing."
    return ""


def _ranked(picture: Picture) -> queries.Ranking:
    """The ranking of the drawn points (and free labels after them)."""
    settings, given = fits.of_functions(picture.settings), picture.given
    method, estimate = fits.method(settings), settings.estimate
    factor = method.solver(constant=estimate.fit_intercept)
    space = method.assembled(estimate.fit_intercept).space
    free = given.index < 0
    X = np.vstack([picture.data.X[picture.rows], given.X[free]])
    at = np.empty(len(given.labels), dtype=int)
    at[~free] = np.searchsorted(picture.rows, given.index[~free])
    at[free] = len(picture.rows) + np.arange(free.sum())
    n_classes = picture.data.n_classes
    return queries.rank_candidates(
        factor.whiten(space.phi(X)),
        at,
        given.codes,
        estimates.class_codes(np.arange(n_classes), n_classes),
        estimate.lam,
        criterion=picture.settings.query.criterion,
        constant=estimate.fit_intercept,
    )
