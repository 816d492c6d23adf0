"""Curves of the Labels page: error and energy over λ, accuracy over the number of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.estimates import decode, queries
from lapviz.experiments import active
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import METHODS, Picture, Unavailable, titles
from lapviz.explorer.scene.next_point import refusal, whitened
from lapviz.explorer.scene.placement import drawn_rows, plane_of
from lapviz.explorer.settings.records import Settings

Array = np.ndarray

# ---- the path over λ --------------------------------------------------------------------------

MOST_SCORES = 4_000_000  # numbers in memory at once, over several λ


@dataclass(frozen=True, eq=False)
class Paths:
    """Curves over λ: row 0 has the page's own seed and labels, the other rows draw both anew.

    Attributes
    ----------
    lams : array (m,)
    error, energy : dict of method to array (n_seeds, m)
        Share of the unlabelled points that are wrong, and Dirichlet energy; NaN where unknown.
    """

    lams: Array
    error: dict[str, Array]
    energy: dict[str, Array]

    @property
    def n_seeds(self) -> int:
        return len(next(iter(self.error.values())))


def label_paths(settings: Settings, lams: tuple[float, ...], n_seeds: int) -> Paths:
    """Compute the curves of all methods; the seeds done so far are reported as partial results.

    Raises
    ------
    ValueError
        If no point is labelled, or every one is.
    """
    draws: list[dict] = []
    with progress.inside("all methods", n_seeds) as report_progress:
        for s in range(n_seeds):
            report_progress(s, _paths(lams, draws), f"seed {s + 1} of {n_seeds}")
            draws.append(_on_one_draw(settings if s == 0 else redrawn(settings, s), lams))
    return _paths(lams, draws)


def redrawn(settings: Settings, s: int) -> Settings:
    """Return the settings with the seed raised by s, and as many labels per class drawn at random.

    Labels set by hand are rows of the page's own draw: on others as many are drawn at random.
    """
    per_class = settings.labels.per_class
    if settings.labels.chosen is not None:
        count = len(settings.labels.chosen) / settings.data.info.n_classes
        per_class = max(1, round(count))
    seed = (settings.data.random_state + s) % 2**31
    return settings.change(seed=seed, marks=None, per_class=per_class)


def _paths(lams, draws: list[dict]) -> Paths | None:
    """Stack the curves of the draws so far."""
    if not draws:
        return None
    error, energy = (
        {name: np.stack([draw[name][k] for draw in draws]) for name in draws[0]} for k in (0, 1)
    )
    return Paths(np.array(lams), error, energy)


def _on_one_draw(settings: Settings, lams) -> dict[str, tuple[Array, Array]]:
    """Error and energy (m,) of every method on one draw."""
    picture = picture_of(settings)
    labelled = picture.labelled
    if not labelled.labels:
        raise ValueError("Label a point first.")
    if labelled.mask(len(picture.data.X)).all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    return {title: _curves(picture, title, lams) for title in titles(settings)}


def picture_of(settings: Settings) -> Picture:
    """Return all points and labels, for a method's numbers without its fields."""
    settings = fits.for_labels(settings)
    labelled = points.labelled(settings.data, settings.labels)
    rows = np.arange(len(points.sample(settings.data).X))
    return Picture(settings, labelled, rows, None, plane_of(settings))


def _curves(picture: Picture, title: str, lams) -> tuple[Array, Array]:
    """Error and energy (m,) of a method."""
    size = max(1, MOST_SCORES // (len(picture.data.X) * picture.data.n_classes))
    chunks = (lams[i : i + size] for i in range(0, len(lams), size))
    error, energy = np.array([pair for part in chunks for pair in _numbers(picture, title, part)]).T
    return error, energy


def _numbers(picture: Picture, title: str, lams) -> list[tuple[float, float]]:
    """For each λ the share of unlabelled points that are wrong, and energy; NaN where unknown."""
    try:
        variants = [picture.settings.change(lam=float(lam)) for lam in lams]
        estimates = list(METHODS[title](picture, variants))
    except Unavailable:
        return [(np.nan, np.nan)] * len(lams)
    rows = picture.judged
    y, any_judged = picture.data.y[rows], rows.any()  # none: the true classes are unknown
    return [
        (float((decode(estimate.at_samples)[rows] != y).mean()) if any_judged else np.nan,
         np.nan if estimate.energy is None else estimate.energy)
        for estimate in estimates
    ]  # fmt: skip


# ---- one label after the other ----------------------------------------------------------------

RANDOM = "random"
NAMES = {RANDOM: "at random", **{name: f"by {name}" for name in queries.CRITERIA}}
MOST_LABELS = 40
N_STANDARD_ERRORS = 2.0  # standard errors beyond which a difference is not put down to chance


def n_labels(settings: Settings) -> int:
    """Number of labels at which a curve ends."""
    return min(10 + 5 * settings.data.info.n_classes, MOST_LABELS, settings.data.n_samples - 1)


def query_curves(settings: Settings, n_seeds: int) -> dict[str, Array]:
    """Compute the curves of random choice and of both criteria, from the same first label.

    A curve (n_seeds, n) is the share of the points that are right with 1, 2, …, n labels. Data,
    landmarks and the first label are drawn anew for every seed. Of very many points only those on
    the stage can be chosen, and are counted. The seeds done so far are reported as partial results.

    Raises
    ------
    ValueError
        If the criteria are not defined for the estimate.
    """
    labelled = points.labelled(settings.data, settings.labels)
    if reason := refusal(settings, labelled):
        raise ValueError(reason)
    accuracies: dict[str, list[Array]] = {choice: [] for choice in NAMES}

    def of_seeds(n: int) -> dict[str, Array]:
        return {choice: np.stack(rows[:n]) for choice, rows in accuracies.items()}

    with progress.inside("labels one by one", n_seeds * len(NAMES)) as report_progress:
        for s in range(n_seeds):
            draw = fits.for_kernel_functions(fits.for_labels(redrawn(settings, s)))
            estimate = draw.estimate
            W, y = _at_known_points(draw)
            for k, choice in enumerate(NAMES):
                partial = of_seeds(s) if s else None
                message = f"seed {s + 1} of {n_seeds}, {NAMES[choice]}"
                report_progress(s * len(NAMES) + k, partial, message)
                accuracies[choice].append(
                    active.accuracies(
                        W, y, settings.data.info.n_classes, estimate.lam, choice,
                        n_labels(settings), draw.data.random_state, estimate.fit_intercept,
                    )
                )  # fmt: skip
    return of_seeds(n_seeds)


def _at_known_points(settings: Settings) -> tuple[Array, Array]:
    """Whitened test functions (r, n) at the points that can be chosen, and their classes."""
    data = points.sample(settings.data)
    rows = drawn_rows(len(data.X))
    rows = rows[data.y[rows] >= 0]
    n_queried, n_known = n_labels(settings), len(np.unique(data.y[rows]))
    if len(rows) <= n_queried or n_known < data.n_classes:
        raise ValueError(
            f"The curve labels {n_queried} points of known class and counts the others: here "
            f"{len(rows)} points have a known class, of {n_known} classes."
        )
    return whitened(settings, data.X[rows]), data.y[rows]


def compare_with_chance(curves: dict[str, Array]) -> str:
    """Say in a sentence whether the criteria beat random choice, from paired differences.

    Compared is the mean accuracy over the whole curve; a difference counts if its mean over the
    seeds is beyond two standard errors.
    """
    chance = curves[RANDOM].mean(axis=1)
    n = len(chance)
    if n < 2:
        return ""
    sentences = []
    for choice in queries.CRITERIA:
        gain = 100 * (curves[choice].mean(axis=1) - chance)
        mean, error = gain.mean(), gain.std(ddof=1) / np.sqrt(n)
        points = f"({mean:+.1f} ± {error:.1f} points)".replace("-", "−")
        if abs(mean) <= N_STANDARD_ERRORS * error:
            sentences.append(
                f"“{choice}” does not differ from random choice beyond chance {points}"
            )
        else:
            word = "helps" if mean > 0 else "does worse than random choice"
            sentences.append(f"“{choice}” {word} {points}")
    return (
        f"Here {sentences[0]}, and {sentences[1]}: difference of the mean accuracy over the curve, "
        f"± one standard error over {n} seeds."
    )
