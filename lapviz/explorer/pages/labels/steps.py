"""What the Labels page computes below its stage: curves over λ and labels, and searches."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

import numpy as np

from lapviz import LaplacianClassifier, metrics, progress, select_parameters
from lapviz.estimates import data_terms, decode, queries
from lapviz.estimators.tuning import Candidate
from lapviz.experiments import active
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import (
    DEPENDS,
    METHODS,
    Picture,
    Unavailable,
    passes_of,
    titles,
)
from lapviz.explorer.scene.next_point import refusal
from lapviz.explorer.scene.placement import drawn_rows, plane_of
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings

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
    settings = fits.scaled(settings)
    data = points.sample(settings.data)
    given = points.labelled(settings.data, settings.labels)
    if not given.labels:
        raise ValueError("Label a point first.")
    if given.mask(len(data.X)).all():
        raise ValueError(
            "Every point is labelled: the accuracy is measured on unlabelled points, and there are "
            "none."
        )
    settings = fits.for_labels(settings)
    picture = Picture(settings, given, np.arange(len(data.X)), None, plane_of(settings))
    return {title: _curves(picture, title, lams) for title in titles(given)}


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
    rows = points.judged(picture.data, picture.given.mask(len(picture.data.X)))
    y, some = picture.data.y[rows], rows.any()  # none: nobody knows the other classes
    return [
        (float((decode(its.at)[rows] != y).mean()) if some else np.nan,
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


# ---- Tune for me ------------------------------------------------------------------------------

PLANS = "plans"
PAIRS = {"sigma": "σ and λ", "mu": "μ and λ"}
_ARGUMENT = {"sigma": "bandwidth", "mu": "mu"}
_SETTING = {"operator": "operator", "n_landmarks": "p", "bandwidth": "sigma", "mu": "mu",
            "lam": "lam", "balance": "balance", "n_passes": "passes",
            "scaling": "scaling"}  # fmt: skip
WIDTHS = np.geomspace(0.25, 4.0, 7)  # times the present σ
WEIGHTS = np.geomspace(1e-3, 1e3, 7)  # times the present μ
LAMS = tuple(float(f"{lam:.3g}") for lam in np.geomspace(1e-4, 1e3, 15))
FEW = 5  # labels per class below which leaving one out says little
_WHOLE = "Everything from the data"


@dataclass(frozen=True, eq=False)
class Search:
    """Candidates and their errors on labels that were hidden in turn.

    Attributes
    ----------
    what : {"plans", "sigma", "mu"}
        Whole plans; or σ and λ, or μ and λ.
    rows : tuple of Candidate
    best, start : Candidate
        The one to take; the page's present settings, or of whole plans the automatic one.
    counts : array (n_classes,)
        How many labels each class has.
    n_left_out : int
        How many labels could not be used.
    accuracy : tuple of float, or None
        Shares of the unlabelled points right with the page's settings, of whole plans with the
        automatic one, and with the best: what only a data set with known classes tells.
    also : dict
        Settings of the page that every candidate has.
    """

    what: str
    rows: tuple[Candidate, ...]
    best: Candidate
    start: Candidate
    counts: Array
    n_left_out: int
    accuracy: tuple[float, ...] | None = None
    also: dict[str, object] = field(default_factory=dict)

    @property
    def changes(self) -> dict[str, object]:
        """Settings of the page that apply the best candidate."""
        return self.changes_of(self.best)

    def changes_of(self, row: Candidate) -> dict[str, object]:
        """Settings of the page that apply a candidate; a plan leaves the rest to the data."""
        if self.what == PLANS:
            return dict.fromkeys(CHOOSABLE, AUTO) | {
                _SETTING[name]: float(f"{value:.4g}") if isinstance(value, float) else value
                for name, value in row.parameters.items()
            }
        first = row.bandwidth if self.what == "sigma" else row.mu
        return {self.what: float(f"{first:.4g}"), "lam": float(f"{row.lam:.4g}")} | self.also


def tune(settings: Settings, what: str) -> Search:
    """Choose by hiding labels: of whole plans, or from a grid around the present settings.

    Reports every row.

    Raises
    ------
    ValueError
        If the labels or the data term do not allow it.
    """
    X, y, n_left_out = target(settings)
    rows: list[Candidate] = []
    if what == PLANS:
        model, grid, total, start = _automatic(settings), {}, 0, {}
    else:
        model, grid, start = _grid(settings, what)
        total = int(np.prod([len(values) for values in grid.values()]))
    with progress.inside(PLANS if what == PLANS else "combinations", total) as tell:

        def hear(now) -> None:
            rows.append(now.candidate)
            words = [f"plan {now.done} of {now.total}"] * (what == PLANS)
            tell(now.done, tuple(rows), *words)

        weights = points.weights(settings.data)
        chosen = select_parameters(model, X, y, sample_weight=weights, callback=hear, **grid)
    best = chosen.best
    if what == PLANS:
        first = chosen.rows[0]
    else:
        first = next(row for row in chosen.rows if start.items() <= _values(row).items())
        best = best if _is_ahead(best, first) else first
    counts = np.bincount(y[y >= 0])
    also = {"scaling": model.scaling} if model.scaling != settings.estimate.scaling else {}
    found = Search(what, chosen.rows, best, first, counts[counts > 0], n_left_out, also=also)
    shown = [settings] + [settings.change(**found.changes_of(first))] * (what == PLANS)
    known = tuple(map(accuracy, (*shown, settings.change(**found.changes))))
    return found if None in known else replace(found, accuracy=known)


def _values(row: Candidate) -> dict[str, object]:
    return {**row.parameters, "lam": row.lam}


def _is_ahead(one: Candidate, other: Candidate) -> bool:
    return (one.error, one.squared_error) < (other.error, other.squared_error)


def target(settings: Settings) -> tuple[Array, Array, int]:
    """Points, classes with -1 where unlabelled, and how many labels could not be used."""
    if data_terms.get(settings.estimate.data_term).unused:
        raise ValueError(
            "With labels as sources (Poisson) there is no λ: choose another data term."
        )
    data, given = points.sample(settings.data), points.labelled(settings.data, settings.labels)
    y = np.full(len(data.X), -1)
    plain = [label for label in given.labels if not label.free and not label.others]
    for label in plain:
        y[label.index] = label.code
    if len(plain) < 2 or len({label.code for label in plain}) < 2:
        raise ValueError(
            "Label at least two points of two classes first: tuning hides each label in turn and "
            "guesses it from the others."
        )
    return data.X, y, len(given.labels) - len(plain)


def _automatic(settings: Settings) -> LaplacianClassifier:
    """The page's kernel and data term; the data choose the rest."""
    space, estimate = settings.space, settings.estimate
    return LaplacianClassifier(
        kernel=space.kernel,
        kernel_params=dict(space.kernel_params or ()),
        landmarks=space.landmarks,
        filter=estimate.filter,
        data_term=estimate.data_term,
        fit_intercept=estimate.fit_intercept,
        scaling=estimate.scaling,
        random_state=space.random_state,
    )


def _grid(
    asked: Settings, pair: str
) -> tuple[LaplacianClassifier, dict[str, list[float]], dict[str, float]]:
    """The page's classifier, the values of both arguments, and their present ones."""
    settings = fits.for_labels(asked)
    method = fits.method(settings)
    present = method.kernel.bandwidth if pair == "sigma" else method.mu or 1e-6  # of 0 no multiples
    first, lam = float(present), settings.estimate.lam
    scale = WIDTHS if pair == "sigma" else WEIGHTS
    around = sorted({first, *(float(f"{first * factor:.4g}") for factor in scale)})
    parts = method.space, settings.estimate
    own = {f.name: getattr(spec, f.name) for spec in parts for f in fields(spec)}
    if settings.data.scaling is not None:  # numbers are in these units
        own["scaling"] = "standard"
    # μ is as asked for: by its rule it follows each σ.
    model = LaplacianClassifier(**own, mu=asked.energy.mu, operator=method.operator)
    name = _ARGUMENT[pair]
    return model, {name: around, "lam": sorted({lam, *LAMS})}, {name: first, "lam": lam}


def accuracy(settings: Settings) -> float | None:
    """Share of the unlabelled points that the kernel Laplacian gets right with these settings."""
    settings, data = fits.for_labels(settings), points.sample(settings.data)
    given = points.labelled(settings.data, settings.labels)
    judged = points.judged(data, given.mask(len(data.X)))
    if not judged.any():
        return None
    settings = settings.change(passes=passes_of(settings, given))
    at = fits.problem(settings).scores(data.X, fits.solution(settings).value)
    return metrics.unlabelled_accuracy(data.y, decode(at), ~judged)


def words(row: Candidate, first: Candidate) -> str:
    """A plan in words; ``first`` is the automatic one."""
    own = row.parameters
    if not own:
        return _WHOLE
    if "operator" in own:
        return (
            f"Energy along the coordinate axes, μ = {row.mu:.3g}, λ = {row.lam:.3g}, class shares "
            "balanced, no passes"
        )
    off_nodes = row.n_landmarks != first.n_landmarks
    if "mu" not in own:
        return f"{_WHOLE}, but no passes" + ", with kernel functions" * off_nodes
    if off_nodes:
        return f"{_WHOLE}, but with kernel functions, μ = {row.mu:.3g}"
    factor = row.mu / first.mu if first.mu else np.nan
    return f"{_WHOLE}, but {factor:.3g} times the μ: {row.mu:.3g}"


def verdict(found: Search) -> str:
    """What the table says, and how far to trust it."""
    said = _on_plans(found) if found.what == PLANS else _on_grid(found)
    if found.n_left_out:
        said += f" {found.n_left_out} labels (free, or of several classes) were left out."
    return said


_KNOWN = " On the unlabelled points, whose classes are known here, the accuracy is "


def _on_grid(found: Search) -> str:
    best, own, n = found.best, found.start, found.counts.sum()
    wrong = f"{round(best.error * n)} of {n} hidden labels wrong"
    if best.error < own.error:
        said = f"The best row guesses {wrong}, the present settings {round(own.error * n)}."
    else:
        said = f"No row guesses fewer hidden labels wrong than the present settings ({wrong})."
        if _is_ahead(best, own):
            said += " The best row differs by a smaller squared error only."
    if n < FEW * len(found.counts):
        said += " With so few labels this is a rough estimate."
    if found.accuracy is not None:
        before, after = (100 * share for share in found.accuracy)
        said += f"{_KNOWN}{before:.1f} % with the present settings and {after:.1f} % with the best "
        said += "row." if after > before + 0.05 else "row: the tuned settings are not better."
    return said


def _on_plans(found: Search) -> str:
    best, first, n = found.best, found.start, found.counts.sum()
    wrong = f"{round(first.error * n)} of {n} hidden labels wrong"
    if found.counts.min() == 1:
        said = (
            "A class has a single label, which nobody can guess while it is hidden: the automatic "
            "plan stays."
        )
    elif best is first:
        said = (
            f"The automatic plan stays ({wrong}): no other guesses better by more than a standard "
            "error."
        )
    else:
        said = (
            f"“{words(best, first)}” is ahead by more than a standard error: "
            f"{round(best.error * n)} of {n} hidden labels wrong, the automatic plan "
            f"{round(first.error * n)}."
        )
    if found.accuracy is not None:
        now, automatic, tuned = (100 * share for share in found.accuracy)
        said += (
            f"{_KNOWN}{now:.1f} % with the present settings, {automatic:.1f} % with the automatic "
            "plan"
        )
        said += "." if best is first else f" and {tuned:.1f} % with the best."
    return said
