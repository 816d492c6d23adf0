"""What the Labels page computes below its stage: curves over λ, and over numbers of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import progress
from lapviz.estimates import decode, queries
from lapviz.experiments import active
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import DEPENDS, METHODS, Picture, Unavailable, titles
from lapviz.explorer.scene.next_point import refusal
from lapviz.explorer.scene.placement import drawn_rows, plane_of
from lapviz.explorer.settings.records import Settings

Array = np.ndarray

# ---- the path over λ --------------------------------------------------------------------------

MOST_SCORES = 4_000_000  # numbers of several λ that are held at once


@dataclass(frozen=True, eq=False)
class Paths:
    """Curves over λ: row 0 has the page's own seed and labels, the others draw both anew.

    Attributes
    ----------
    lams : array (m,)
    error, energy : dict of method to array (n_seeds, m)
        Share of the unlabelled points that is wrong, and Dirichlet energy; NaN where unknown.
    """

    lams: Array
    error: dict[str, Array]
    energy: dict[str, Array]

    @property
    def n_seeds(self) -> int:
        return len(next(iter(self.error.values())))


def label_paths(settings: Settings, lams: tuple[float, ...], n_seeds: int) -> Paths:
    """Curves of all methods; reports the seeds that are done as partial results.

    Raises
    ------
    ValueError
        If no point is labelled, or every one is.
    """
    done: list[dict] = []
    with progress.inside("all methods", n_seeds) as tell:
        for s in range(n_seeds):
            tell(s, _paths(lams, done), f"seed {s + 1} of {n_seeds}")
            done.append(_on_one_draw(settings if s == 0 else redrawn(settings, s), lams))
    return _paths(lams, done)


def redrawn(settings: Settings, s: int) -> Settings:
    """The settings with the s-th seed after theirs; labels are drawn, as many for each class.

    Labels set by hand are rows of the page's own data: in other data as many are drawn at random.
    """
    per_class = settings.labels.per_class
    if settings.labels.chosen is not None:
        count = len(settings.labels.chosen) / settings.data.info.n_classes
        per_class = max(1, round(count))
    seed = (settings.data.random_state + s) % 2**31
    return settings.change(seed=seed, marks=None, per_class=per_class)


def _paths(lams, done: list[dict]) -> Paths | None:
    """The curves of the seeds so far; methods that only the first has stay alone."""
    if not done:
        return None
    parts = [{name: np.stack([own[name][k] for own in done if name in own]) for name in done[0]}
             for k in (0, 1)]  # fmt: skip
    return Paths(np.array(lams), *parts)


def _on_one_draw(settings: Settings, lams) -> dict[str, tuple[Array, Array]]:
    """Error and energy (m,) of every method on one draw."""
    given = points.labelled(settings.data, settings.labels)
    if not given.labels:
        raise ValueError("Label a point first.")
    if given.mask(len(points.sample(settings.data).X)).all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    picture = picture_of(settings)
    return {title: _curves(picture, title, lams) for title in titles(given)}


def picture_of(settings: Settings) -> Picture:
    """All points and labels, for a method's numbers without its fields."""
    settings = fits.for_labels(settings)
    given = points.labelled(settings.data, settings.labels)
    rows = np.arange(len(points.sample(settings.data).X))
    return Picture(settings, given, rows, None, plane_of(settings))


def _curves(picture: Picture, title: str, lams) -> tuple[Array, Array]:
    """Error and energy (m,) of a method; of the graph, which has no λ, a constant line."""
    if "lam" not in DEPENDS[title]:
        return tuple(np.full(len(lams), its) for its in _numbers(picture, title, lams[:1])[0])
    at_once = max(1, MOST_SCORES // (len(picture.data.X) * picture.data.n_classes))
    parts = (lams[i : i + at_once] for i in range(0, len(lams), at_once))
    error, energy = np.array([its for part in parts for its in _numbers(picture, title, part)]).T
    return error, energy


def _numbers(picture: Picture, title: str, lams) -> list[tuple[float, float]]:
    """For each λ the share wrong of the unlabelled points, and energy; NaN where unknown."""
    try:
        each = [picture.settings.change(lam=float(lam)) for lam in lams]
        made = METHODS[title](picture, each)
    except Unavailable:
        return [(np.nan, np.nan)] * len(lams)
    rows = picture.judged
    y, some = picture.data.y[rows], rows.any()  # none: nobody knows the other classes
    return [
        (float((decode(its.at_samples)[rows] != y).mean()) if some else np.nan,
         np.nan if its.energy is None else its.energy)
        for its in made
    ]  # fmt: skip


# ---- one label after the other ----------------------------------------------------------------

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
            drawn = fits.of_functions(fits.for_labels(redrawn(settings, s)))
            estimate = drawn.estimate
            W, y = _whitened(drawn)
            for k, choice in enumerate(NAMES):
                partial = QueryCurves(_curves_of(done, s)) if s else None
                what = f"seed {s + 1} of {n_seeds}, {NAMES[choice]}"
                tell(s * len(NAMES) + k, partial, what)
                done[choice].append(
                    active.accuracies(
                        W, y, settings.data.info.n_classes, estimate.lam, choice,
                        n_labels(settings), drawn.data.random_state, estimate.fit_intercept,
                    )
                )  # fmt: skip
    return QueryCurves(_curves_of(done, n_seeds))


def _whitened(settings: Settings) -> tuple[Array, Array]:
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


def _curves_of(done: dict[str, list[Array]], n: int) -> dict[str, Array]:
    return {choice: np.stack(rows[:n]) for choice, rows in done.items()}


def on_chance(curves: QueryCurves) -> str:
    """Whether the criteria beat random choice here, in a sentence; from paired differences.

    The difference is that of the mean accuracy over the whole curve; it counts if its mean over
    the seeds is beyond two standard errors.
    """
    chance = curves.right[RANDOM].mean(axis=1)
    n = len(chance)
    if n < 2:
        return ""
    sentences = []
    for choice in queries.CRITERIA:
        gain = 100 * (curves.right[choice].mean(axis=1) - chance)
        mean, error = gain.mean(), gain.std(ddof=1) / np.sqrt(n)
        if abs(mean) <= CERTAIN * error:
            sentences.append(f"“{choice}” does not differ from random choice beyond chance "
                        f"({mean:+.1f} ± {error:.1f} points)")  # fmt: skip
        else:
            word = "helps" if mean > 0 else "does worse than random choice"
            sentences.append(f"“{choice}” {word} ({mean:+.1f} ± {error:.1f} points)")
    return (
        f"Here {sentences[0]}, and {sentences[1]}: difference of the mean accuracy over the curve, "
        f"± one standard error over {n} seeds."
    )
