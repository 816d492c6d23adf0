"""What the Labels page and the fit to a whole table take from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import estimates
from lapviz.explorer.compute import fits, points
from lapviz.explorer.compute.own_fit import blocks
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings.records import Settings
from lapviz.explorer.settings.specs import DataSpec

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
    if not points.labelled(settings.data, settings.labels).labels:
        raise ValueError("Label a point first.")
    settings, n_classes = fits.for_labels(settings), points.sample(settings.data).n_classes
    problem, solved = fits.problem(settings), fits.solution(settings).value
    X = STORE.get(settings.data.source).prepared.X
    chances, far = np.empty((len(X), n_classes)), np.zeros(len(X), dtype=bool)
    for rows in blocks(len(X)):
        scores = problem.scores(X[rows], solved)
        chances[rows] = estimates.probabilities(scores, n_classes, solved.temperature)
        far[rows] = problem.far_from_data(X[rows])
    chances[far] = 1 / n_classes
    return Estimated(chances.argmax(axis=1), chances, far)


def marks_of(data: DataSpec, settings: Settings | None) -> tuple[tuple[int, int], ...]:
    """Labels set by hand on another page, as rows of the whole table and codes."""
    if settings is None or settings.data.source != data.source or settings.labels.chosen is None:
        return ()
    chosen = settings.labels.chosen
    thing = STORE.get(data.source)
    rows = thing.picked(settings.data.n_samples, settings.data.random_state)
    plain = [m for m in chosen if not m.free and not m.others and m.index < len(rows)]
    return tuple((int(rows[m.index]), m.code) for m in plain)
