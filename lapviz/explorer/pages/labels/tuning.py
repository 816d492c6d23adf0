"""*Tune for me*: σ and λ, or μ and λ, from the labels on the page."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from lapviz import LaplacianClassifier, fit, metrics, progress, select_parameters
from lapviz.estimates import data_terms, decode
from lapviz.estimators.tuning import Candidate
from lapviz.explorer.compute import fits, points
from lapviz.explorer.scene.label_methods import passes_of
from lapviz.explorer.settings.records import Settings

Array = np.ndarray
PAIRS = {"sigma": "σ and λ", "mu": "μ and λ"}
_ARGUMENT = {"sigma": "bandwidth", "mu": "mu"}
WIDTHS = np.geomspace(0.25, 4.0, 7)  # times the present σ
WEIGHTS = np.geomspace(1e-3, 1e3, 7)  # times the present μ
LAMS = tuple(float(f"{lam:.3g}") for lam in np.geomspace(1e-4, 1e3, 15))
FEW = 5  # labels per class below which leaving one out says little


@dataclass(frozen=True, eq=False)
class Tuning:
    """The table of candidates, its best row, and the row of the page's present settings.

    ``accuracy`` are the shares of the unlabelled points right with the present and with the best
    settings, None where every point is labelled: what only a data set with known classes tells.
    """

    pair: str
    rows: tuple[Candidate, ...]
    best: Candidate
    present: Candidate
    method: str
    n_labels: int
    n_classes: int
    n_left_out: int
    accuracy: tuple[float, float] | None = None

    @property
    def better(self) -> bool:
        """Whether fewer hidden labels are guessed wrong than with the present settings."""
        return self.best.error < self.present.error

    @property
    def changes(self) -> dict[str, float]:
        """Settings of the page that apply the best row."""
        first = self.best.bandwidth if self.pair == "sigma" else self.best.mu
        return {self.pair: float(f"{first:.4g}"), "lam": float(f"{self.best.lam:.4g}")}


def tune(settings: Settings, pair: str) -> Tuning:
    """Choose from a grid around the present settings by hiding labels; reports every row.

    Raises
    ------
    ValueError
        If the labels or the data term do not allow it.
    """
    X, y, n_left_out = target(settings)
    asked, settings = settings, fits.for_labels(settings)
    method = fits.method(settings)
    present = _present(settings, method, pair)
    rows: list[Candidate] = []
    first, scale = present[pair], WIDTHS if pair == "sigma" else WEIGHTS
    grid = sorted({first, *(float(f"{first * factor:.4g}") for factor in scale)})
    lams = sorted({present["lam"], *LAMS})
    with progress.inside("combinations", len(grid) * len(lams)) as tell:

        def hear(now) -> None:
            rows.append(now.candidate)
            tell(now.done, tuple(rows))

        chosen = select_parameters(
            _classifier(settings, method, asked.energy.mu), X, y,
            **{_ARGUMENT[pair]: grid, "lam": lams}, callback=hear,
            sample_weight=points.weights(settings.data),
        )  # fmt: skip
    own = next(
        row
        for row in chosen.rows
        if row.parameters[_ARGUMENT[pair]] == first and row.lam == present["lam"]
    )
    best = chosen.best if _ahead(chosen.best, own) else own
    counts = int((y >= 0).sum()), len(np.unique(y[y >= 0])), n_left_out
    found = Tuning(pair, chosen.rows, best, own, chosen.method, *counts)
    known = accuracy(asked), accuracy(asked.change(**found.changes))
    return found if None in known else replace(found, accuracy=known)


def _ahead(best: Candidate, own: Candidate) -> bool:
    return (best.error, best.squared_error) < (own.error, own.squared_error)


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


def _present(settings: Settings, method: fit.Galerkin, pair: str) -> dict[str, float]:
    first = method.kernel.bandwidth if pair == "sigma" else method.mu
    if pair == "mu" and not first:
        first = 1e-6  # 0 has no multiples
    return {pair: float(first), "lam": settings.estimate.lam}


def _classifier(settings: Settings, method: fit.Galerkin, mu) -> LaplacianClassifier:
    """``mu`` is as asked for: by its rule it follows each σ."""
    space = {f.name: getattr(method.space, f.name) for f in fields(method.space)}
    estimate = {f.name: getattr(settings.estimate, f.name) for f in fields(settings.estimate)}
    operator = method.operator
    return LaplacianClassifier(**space, mu=mu, operator=operator, **estimate)


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


def verdict(tuning: Tuning) -> str:
    """What the table says, and how far to trust it."""
    best, own, n = tuning.best, tuning.present, tuning.n_labels
    wrong = f"{round(best.error * n)} of {n} hidden labels wrong"
    if tuning.better:
        said = f"The best row guesses {wrong}, the present settings {round(own.error * n)}."
    else:
        said = f"No row guesses fewer hidden labels wrong than the present settings ({wrong})."
        if _ahead(best, own):
            said += " The best row differs by a smaller squared error only."
    if n < FEW * tuning.n_classes:
        said += " With so few labels this is a rough estimate."
    if tuning.accuracy is not None:
        before, after = (100 * share for share in tuning.accuracy)
        said += (
            f" On the unlabelled points, whose classes are known here, the accuracy is "
            f"{before:.1f} % with the present settings and {after:.1f} % with the best row"
        )
        said += "." if after > before + 0.05 else ": the tuned settings are not better."
    if tuning.n_left_out:
        said += f" {tuning.n_left_out} labels (free, or of several classes) were left out."
    return said
