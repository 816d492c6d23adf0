"""Accuracy against the number of labels: chosen by each criterion, and at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.estimates import queries
from lapviz.experiments import active
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.labels.path import redrawn
from lapviz.explorer.scene.next_point import refusal
from lapviz.explorer.scene.placement import drawn_rows
from lapviz.explorer.settings.records import Settings

Array = np.ndarray
RANDOM = "random"
NAMES = {RANDOM: "at random", **{name: f"by {name}" for name in queries.CRITERIA}}
MOST_LABELS = 40
CERTAIN = 2.0  # standard errors beyond which a difference is not put down to chance


@dataclass(frozen=True, eq=False)
class QueryCurves:
    """Share of the points right with 1, 2, … labels: for each choice an array (n_seeds, n)."""

    right: dict[str, Array]

    @property
    def counts(self) -> Array:
        """Numbers of labels (n,)."""
        return np.arange(1, next(iter(self.right.values())).shape[1] + 1)


def n_labels(settings: Settings) -> int:
    """How many labels a curve goes to."""
    return min(10 + 5 * settings.data.info.n_classes, MOST_LABELS, settings.data.n_samples - 1)


def query_curves(settings: Settings, n_seeds: int) -> QueryCurves:
    """Curves of random choice and of both criteria, on the same data and the same first label.

    Data, landmarks and the first label are drawn anew for every seed. Of very many points the
    drawn ones alone can be chosen, and are counted. Seeds that are done are reported as partial
    results.

    Raises
    ------
    ValueError
        If the estimate is of a kind that has no scores.
    """
    if why := refusal(settings.change(marks=None), points.labelled(settings.data, settings.labels)):
        raise ValueError(why)
    done: dict[str, list[Array]] = {choice: [] for choice in NAMES}
    with progress.inside("labels one by one", n_seeds * len(NAMES)) as tell:
        for s in range(n_seeds):
            drawn = fits.for_labels(redrawn(settings, s))
            estimate = drawn.estimate
            W, y = _points(drawn)
            for k, choice in enumerate(NAMES):
                partial = QueryCurves(_stacked(done, s)) if s else None
                what = f"seed {s + 1} of {n_seeds}, {NAMES[choice]}"
                tell(s * len(NAMES) + k, partial, what)
                done[choice].append(
                    active.accuracies(
                        W, y, settings.data.info.n_classes, estimate.lam, choice,
                        n_labels(settings), drawn.data.random_state, estimate.fit_intercept,
                    )
                )  # fmt: skip
    return QueryCurves(_stacked(done, n_seeds))


def _points(settings: Settings) -> tuple[Array, Array]:
    """Whitened test functions (r, n) at the points that can be chosen, and their classes."""
    method, data = fits.method(settings), points.sample(settings.data)
    constant, rows = settings.estimate.fit_intercept, drawn_rows(len(data.X))
    factor, space = method.solver(constant=constant), method.assembled(constant).space
    rows = rows[data.y[rows] >= 0]
    most, found = n_labels(settings), len(np.unique(data.y[rows]))
    if len(rows) <= most or found < data.n_classes:
        raise ValueError(
            f"The curve labels {most} points of known class and counts the others: here "
            f"{len(rows)} classes are known, of {found} kinds."
        )
    return factor.whiten(space.phi(data.X[rows])), data.y[rows]


def _stacked(done: dict[str, list[Array]], n: int) -> dict[str, Array]:
    return {choice: np.stack(rows[:n]) for choice, rows in done.items()}


def verdict(curves: QueryCurves) -> str:
    """Whether the criteria beat random choice here, in a sentence; from paired differences.

    The difference is that of the mean accuracy over the whole curve; it counts if its mean over
    the seeds is beyond two standard errors.
    """
    chance = curves.right[RANDOM].mean(axis=1)
    n = len(chance)
    if n < 2:
        return ""
    said = []
    for choice in queries.CRITERIA:
        gain = 100 * (curves.right[choice].mean(axis=1) - chance)
        mean, error = gain.mean(), gain.std(ddof=1) / np.sqrt(n)
        if abs(mean) <= CERTAIN * error:
            said.append(f"“{choice}” does not differ from random choice beyond chance "
                        f"({mean:+.1f} ± {error:.1f} points)")  # fmt: skip
        else:
            word = "helps" if mean > 0 else "does worse than random choice"
            said.append(f"“{choice}” {word} ({mean:+.1f} ± {error:.1f} points)")
    return (
        f"Here {said[0]}, and {said[1]}: difference of the mean accuracy over the curve, "
        f"± one standard error over {n} seeds."
    )
