"""*Tune for me*: whole plans compared, the automatic one and others, by hiding labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz import LaplacianClassifier, progress, select_parameters
from lapviz.estimators.tuning import Candidate
from lapviz.explorer.compute import points
from lapviz.explorer.pages.labels.tuning import accuracy, target
from lapviz.explorer.settings.records import AUTO, CHOOSABLE, Settings

_NAMES = {"operator": "operator", "n_landmarks": "p", "bandwidth": "sigma", "mu": "mu",
          "lam": "lam", "balance": "balance", "n_passes": "passes"}  # fmt: skip
_WHOLE = "Everything from the data"


@dataclass(frozen=True, eq=False)
class Plans:
    """The candidates in order, the automatic plan first, and which of them is best.

    ``accuracy`` are the shares of the unlabelled points right with the page's settings, with the
    automatic plan and with the best; None where every point is labelled.
    """

    rows: tuple[Candidate, ...]
    best: int
    n_labels: int
    least: int  # labels of the class that has fewest
    n_left_out: int
    accuracy: tuple[float, float, float] | None = None

    @property
    def changes(self) -> dict[str, object]:
        """Settings of the page that apply the best plan."""
        return changes(self.rows[self.best])


def changes(row: Candidate) -> dict[str, object]:
    """Settings of the page for a plan: from the data where it says nothing else."""
    own = {_NAMES[name]: _short(value) for name, value in row.parameters.items()}
    return dict.fromkeys(CHOOSABLE, AUTO) | own


def _short(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value


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
    if "mu" in own:
        factor = row.mu / first.mu if first.mu else np.nan
        return f"{_WHOLE}, but {factor:.3g} times the μ: {row.mu:.3g}"
    return f"{_WHOLE}, but no passes"


def tune_plans(settings: Settings) -> Plans:
    """Compare the automatic plan with others; reports every row.

    Raises
    ------
    ValueError
        If the labels or the data term do not allow it.
    """
    X, y, n_left_out = target(settings)
    space, estimate = settings.space, settings.estimate
    model = LaplacianClassifier(
        kernel=space.kernel,
        kernel_params=dict(space.kernel_params or ()),
        landmarks=space.landmarks,
        filter=estimate.filter,
        data_term=estimate.data_term,
        fit_intercept=estimate.fit_intercept,
        random_state=space.random_state,
    )
    rows: list[Candidate] = []
    with progress.inside("plans", 0) as tell:

        def hear(now) -> None:
            rows.append(now.candidate)
            tell(now.done, tuple(rows), f"plan {now.done} of {now.total}")

        weights = points.weights(settings.data)
        chosen = select_parameters(model, X, y, sample_weight=weights, callback=hear)
    counts = np.bincount(y[y >= 0])
    best = chosen.rows.index(chosen.best)
    found = Plans(chosen.rows, best, int(counts.sum()), int(counts[counts > 0].min()), n_left_out)
    three = (settings, settings.change(**changes(chosen.rows[0])),
             settings.change(**found.changes))  # fmt: skip
    known = tuple(map(accuracy, three))
    return found if None in known else replace(found, accuracy=known)


def verdict(plans: Plans) -> str:
    """What the table says, and how far to trust it."""
    first, best, n = plans.rows[0], plans.rows[plans.best], plans.n_labels
    wrong = f"{round(first.error * n)} of {n} hidden labels wrong"
    if plans.least == 1:
        said = (
            "A class has a single label, which nobody can guess while it is hidden: the automatic "
            "plan stays."
        )
    elif plans.best == 0:
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
    if plans.accuracy is not None:
        now, automatic, tuned = (100 * share for share in plans.accuracy)
        said += (
            f" On the unlabelled points, whose classes are known here, the accuracy is {now:.1f} % "
            f"with the present settings, {automatic:.1f} % with the automatic plan"
        )
        said += f" and {tuned:.1f} % with the best." if plans.best else "."
    if plans.n_left_out:
        said += f" {plans.n_left_out} labels (free, or of several classes) were left out."
    return said
