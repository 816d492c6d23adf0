"""*Tune for me* on the Labels page: the search by held-out labels, and its verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from lapviz import LaplacianClassifier, progress, select_parameters
from lapviz.estimators.tuning import Candidate
from lapviz.explorer.compute import fits, points
from lapviz.explorer.pages.labels.steps import picture_of
from lapviz.explorer.scene.label_methods import laplacian
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, PLACES, Settings
from lapviz.markdown import Share, short
from lapviz.tables.names import counted

Array = np.ndarray
PLANS = "plans"
PAIRS = {"sigma": "σ and λ", "mu": "μ and λ"}
# The page's name of each of the estimator's parameters.
_SETTING = {places[0].rpartition(".")[2]: name for name, places in PLACES.items()}
WIDTHS = np.geomspace(0.25, 4.0, 7)  # times the present σ
WEIGHTS = np.geomspace(1e-3, 1e3, 7)  # times the present μ
LAMS = tuple(float(f"{lam:.3g}") for lam in np.geomspace(1e-4, 1e3, 15))
FEW = 5  # labels per class below which leave-one-out says little
_AUTOMATIC = "Everything from the data"


@dataclass(frozen=True, eq=False)
class Search:
    """Candidates and their errors on held-out labels.

    Attributes
    ----------
    kind : {"plans", "sigma", "mu"}
        Whole plans; or σ and λ, or μ and λ.
    rows : tuple of Candidate
    best, reference : Candidate
        The one to take; and the page's present settings, or the automatic plan.
    counts : array (n_classes,)
        How many labels each class has.
    n_left_out : int
        How many labels could not be used.
    accuracy : tuple of float, or None
        Shares of the unlabelled points right with the page's settings, with the automatic plan
        (where plans are compared), and with the best; None where the true classes are unknown.
    fixed : dict
        Settings of the page that all candidates share.
    by_weight : bool
        Whether labels count by the weights of their rows.
    """

    kind: str
    rows: tuple[Candidate, ...]
    best: Candidate
    reference: Candidate
    counts: Array
    n_left_out: int
    accuracy: tuple[float, ...] | None = None
    fixed: dict[str, object] = field(default_factory=dict)
    by_weight: bool = False

    def wrong(self, row: Candidate) -> str:
        """How many hidden labels a candidate guesses wrong, or their share of the weight."""
        if self.by_weight:
            return f"{Share(row.error)} by weight"
        return f"{round(row.error * self.counts.sum())}"

    def changes_of(self, row: Candidate) -> dict[str, object]:
        """Settings of the page that apply a candidate; a plan leaves all others to the data, a row
        of a grid those that are as at present.
        """
        others = dict.fromkeys(CHOOSABLE, AUTO) if self.kind == PLANS else self.fixed
        return others | {
            _SETTING[name]: float(f"{value:.4g}") if isinstance(value, float) else value
            for name, value in row.parameters.items()
            if self.kind == PLANS or value != self.reference.parameters.get(name)
        }


def search(settings: Settings, kind: str) -> Search:
    """Choose by held-out labels among whole plans, or on a grid around the present settings.

    Reports every candidate.

    Raises
    ------
    ValueError
        If the labels or the data term do not allow it.
    """
    X, y, n_left_out = target(settings)
    rows: list[Candidate] = []
    by_plans = kind == PLANS
    model, grid, present = (_automatic(settings), {}, {}) if by_plans else _grid(settings, kind)
    total = 0 if by_plans else math.prod(map(len, grid.values()))
    model.set_params(class_prior=points.proportions_of_labelled(model.class_prior, y))
    with progress.inside(PLANS if by_plans else "combinations", total) as report_progress:

        def on_candidate(status) -> None:
            rows.append(status.candidate)
            message = [f"plan {status.done} of {status.total}"] * by_plans
            report_progress(status.done, tuple(rows), *message)

        weights = points.weights(settings.data)
        tuned = select_parameters(model, X, y, sample_weight=weights, callback=on_candidate, **grid)
    first = next(row for row in tuned.rows if present.items() <= row.parameters.items())
    best = tuned.best if errors_of(tuned.best) < errors_of(first) else first
    counts = np.bincount(y[y >= 0])
    fixed = {"scaling": model.scaling} if model.scaling != settings.estimate.scaling else {}
    result = Search(kind, tuned.rows, best, first, counts[counts > 0], n_left_out, fixed=fixed,
                    by_weight=weights is not None)  # fmt: skip
    shown = [settings] + [settings.change(**result.changes_of(first))] * by_plans
    with progress.inside("accuracy on the unlabelled points", 0) as report_progress:
        report_progress(0, result.rows)
        accuracies = tuple(map(accuracy, (*shown, settings.change(**result.changes_of(best)))))
    return result if None in accuracies else replace(result, accuracy=accuracies)


def errors_of(row: Candidate) -> tuple[float, float]:
    return row.error, row.squared_error


def target(settings: Settings) -> tuple[Array, Array, int]:
    """Return points, classes with -1 where unlabelled, and how many labels could not be used."""
    data, labelled = points.sample(settings.data), points.labelled(settings.data, settings.labels)
    estimate = replace(settings.estimate, n_passes=fits.passes_of(settings))
    if "lam" in dict(estimate.unused()):
        raise ValueError(
            "With labels as sources (Poisson) there is no λ: choose another data term."
        )
    y = np.full(len(data.X), -1)
    usable = [label for label in labelled.labels if not label.off_sample and not label.others]
    for label in usable:
        y[label.index] = label.code
    if len(usable) < 2 or len({label.code for label in usable}) < 2:
        raise ValueError(
            "Label at least two points of two classes first: tuning hides each label in turn and "
            "guesses it from the others."
        )
    return data.X, y, len(labelled.labels) - len(usable)


def _automatic(settings: Settings) -> LaplacianClassifier:
    """The classifier with the page's kernel and data term; the data choose the rest."""
    options = settings.space.arguments() | settings.estimate.arguments()
    kept = {name: value for name, value in options.items() if _SETTING.get(name) not in CHOOSABLE}
    return LaplacianClassifier(**kept)


def _grid(
    requested: Settings, pair: str
) -> tuple[LaplacianClassifier, dict[str, list[float]], dict[str, float]]:
    """The page's classifier, the values of both arguments, and the present ones."""
    settings = fits.for_labels(requested)
    method = fits.method(settings)
    value, lam = method.kernel.bandwidth if pair == "sigma" else method.mu, settings.estimate.lam
    value, unit = float(value), float(value or 1e-6)  # 0 has no multiples
    scale = WIDTHS if pair == "sigma" else WEIGHTS
    others = (factor for factor in scale if not value or abs(factor - 1) > 1e-9)
    rounded = (float(f"{unit * factor:.4g}") for factor in others)
    values = sorted({value, *rounded})
    options = settings.space.arguments() | settings.estimate.arguments()
    if settings.data.scaling is not None:  # numbers are in these units
        options["scaling"] = "standard"
    # μ as requested: its rule makes it follow each σ.
    model = LaplacianClassifier(**options, mu=requested.energy.mu, operator=method.operator)
    name = "bandwidth" if pair == "sigma" else "mu"
    return model, {name: values, "lam": sorted({lam, *LAMS})}, {name: value, "lam": lam}


def accuracy(settings: Settings) -> float | None:
    """Share of the unlabelled points that the kernel Laplacian gets right."""
    picture = picture_of(settings)
    (estimate,) = laplacian(picture, [picture.settings])
    return picture.accuracy(estimate.at_samples)


def describe(row: Candidate, automatic: Candidate) -> str:
    """Describe a plan beside the automatic one."""
    parameters = row.parameters
    if not parameters:
        return _AUTOMATIC
    if "operator" in parameters:
        return (
            f"Energy along the coordinate axes, μ = {short(row.mu)}, λ = {short(row.lam)}, class "
            "shares balanced, no passes"
        )
    with_kernels = row.n_landmarks != automatic.n_landmarks
    if "mu" not in parameters:
        return f"{_AUTOMATIC}, but no passes" + ", with kernel functions" * with_kernels
    if with_kernels:
        return f"{_AUTOMATIC}, but with kernel functions, μ = {short(row.mu)}"
    factor = row.mu / automatic.mu if automatic.mu else np.nan
    return f"{_AUTOMATIC}, but {factor:.3g} times the μ: {short(row.mu)}"


def verdict(result: Search) -> str:
    """Say what the table shows, and how far to trust it."""
    sentence = _plans_verdict(result) if result.kind == PLANS else _grid_verdict(result)
    if result.n_left_out:
        were = "was" if result.n_left_out == 1 else "were"
        count = counted(result.n_left_out, "label")
        sentence += f" {count} (off-sample or of several classes) {were} left out."
    return sentence


_KNOWN = " On the unlabelled points, whose classes are known here, the accuracy is "


def _grid_verdict(result: Search) -> str:
    best, present, n = result.best, result.reference, result.counts.sum()
    wrong = f"{result.wrong(best)} of {n} hidden labels wrong"
    if best.error < present.error:
        sentence = f"The best row guesses {wrong}, the present settings {result.wrong(present)}."
    else:
        sentence = f"No row guesses fewer hidden labels wrong than the present settings ({wrong})."
        if errors_of(best) < errors_of(present):
            sentence += " The best row differs by a smaller squared error only."
    if n < FEW * len(result.counts):
        sentence += " With so few labels this is a rough estimate."
    if result.accuracy is not None:
        before, after = map(Share, result.accuracy)
        sentence += f"{_KNOWN}{before} with the present settings and {after} with the best row"
        sentence += "." if after > before + 0.0005 else ": the tuned settings are not better."
    return sentence


def _plans_verdict(result: Search) -> str:
    best, first, n = result.best, result.reference, result.counts.sum()
    wrong = f"{result.wrong(first)} of {n} hidden labels wrong"
    if result.counts.min() == 1:
        sentence = (
            "A class has a single label, so none is left while it is hidden: such guesses say "
            "little, and the automatic plan stays."
        )
    elif best is first:
        sentence = (
            f"The automatic plan stays ({wrong}): no other guesses better by more than two "
            "standard errors and two labels."
        )
    else:
        sentence = (
            f"“{describe(best, first)}” is ahead by more than two standard errors: "
            f"{result.wrong(best)} of {n} hidden labels wrong, the automatic plan "
            f"{result.wrong(first)}."
        )
    if result.accuracy is not None:
        now, automatic, tuned = map(Share, result.accuracy)
        sentence += f"{_KNOWN}{now} with the present settings, {automatic} with the automatic plan"
        sentence += "." if best is first else f" and {tuned} with the best."
    return sentence
