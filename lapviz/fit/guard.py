r"""Whether passes of thresholding are to be believed: by the proportions, and by labels held back.

Passes repeat what the estimate says of unlabelled points: a good estimate gets better and a bad one
worse, and both sure of themselves. So every label is held back once, in at most five folds, while
estimate and passes are made from the others. Passes are undone, and the estimate before them is
given, if

- a class has less than a tenth of its proportion, and less than before them, or
- more held-back labels are lost than found, by two standard deviations, 2√(lost + found).

Probabilities are ∝ exp(share/T). T is the multiple of the shares' spread over the sample at which
held-back labels have the least log-loss, where ½ is the prior guess and a factor of 2 its standard
deviation, so that a few labels move it little. Where no class has two labels it is ½.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lapviz.estimates import codes, passes
from lapviz.fit.report import Choice, Report

Array = np.ndarray

FOLDS = 5
LOST_SHARE = 0.1  # of its proportion, below which a class is lost
SURE = 2.0  # standard deviations by which labels must be lost
PRIOR_SD = np.log(2.0)  # of log(T/½)
MULTIPLES = passes.CALIBRATED * np.geomspace(1 / 16, 16, 65)  # of the spread, tried as T


def folds(classes: Array, shares: Array) -> list[Array]:
    """Places of labels to be held back together; the only label of a class never is.

    They do not depend on the order of the labels.

    Parameters
    ----------
    classes : int array (m,)
    shares : array (m, K), estimated at the labels

    Returns
    -------
    list of int arrays
        At most five, none if no class has two labels.
    """
    counts = np.bincount(classes)
    order = np.lexsort((shares[np.arange(len(classes)), classes], classes))
    order = order[counts[classes[order]] > 1]
    n_folds = min(FOLDS, counts.max())
    return [order[k::n_folds] for k in range(n_folds)] if len(order) else []


@dataclass(frozen=True, eq=False)
class HiddenGuesses:
    """What was said of labels held back, by one kind of estimate.

    Attributes
    ----------
    shares : array (m, K), balanced, in units of their spread over the sample
    classes : int array (m,), the labels
    """

    shares: Array
    classes: Array

    @property
    def right(self) -> Array:
        """Which were told, boolean (m,)."""
        return self.shares.argmax(axis=1) == self.classes

    def multiple(self) -> float:
        """The multiple of the spread that is the best temperature for these labels."""
        at, tiny = np.arange(len(self.classes)), np.finfo(float).tiny
        loss = [
            0.5 * (np.log(m / passes.CALIBRATED) / PRIOR_SD) ** 2
            - np.log(np.maximum(codes.softmax(self.shares, m)[at, self.classes], tiny)).sum()
            for m in MULTIPLES
        ]
        return float(MULTIPLES[int(np.argmin(loss))])


@dataclass(frozen=True, eq=False)
class Verdict:
    """What to make of passes.

    Attributes
    ----------
    undone : str, why; empty if they stand
    temperature : float or None, of the probabilities of what is given
    said : str, what held-back labels say
    """

    undone: str
    temperature: float | None
    said: str

    def reported(self, report: Report) -> Report:
        """The report with what became of the passes."""
        if self.undone:
            return report.now([Choice("n_passes", 0, f"undone, {self.undone}")])
        if not self.said or "n_passes" not in report.names:
            return report
        passes_ = report["n_passes"]
        return report.now([replace(passes_, reason=f"{passes_.reason}; {self.said}")])


def judge(
    before: list[Array],
    after: list[Array],
    held: list[Array],
    classes: list[Array],
    prior: Array,
    weights: Array,
) -> Verdict:
    """Whether the passes stand, and the temperature of probabilities.

    Parameters
    ----------
    before, after : lists of arrays (n, K)
        Balanced shares of the sample before and after the passes: first with all labels, then
        without those of each fold.
    held : list of int arrays
        Places in the sample of the labels of each fold.
    classes : list of int arrays
        Their classes.
    prior : array (K,)
        Class proportions.
    weights : array (n,)
        Of the sample.
    """
    undone = ""
    proportions = [np.bincount(s.argmax(axis=1), weights, len(prior)) / weights.sum()
               for s in (before[0], after[0])]  # fmt: skip
    lost = (proportions[1] < LOST_SHARE * prior) & (proportions[1] < proportions[0])
    if lost.any():
        k = int(np.argmin(proportions[1] / prior))
        undone = (
            f"they would leave a class {proportions[1][k]:.1%} of the sample, of which it should "
            f"have {prior[k]:.0%}"
        )
    if not held:
        return Verdict(undone, None if undone else _temperature(after[0], weights), "")
    told = [_told(shares[1:], held, classes, weights) for shares in (before, after)]
    right = [its.right for its in told]
    lost, found = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    said = (
        f"of {len(right[0])} labels held back {right[1].sum()} are right with passes, "
        f"{right[0].sum()} without"
    )
    if not undone and lost - found > SURE * np.sqrt(lost + found):
        undone = said
    given = 0 if undone else 1
    shares = (before, after)[given][0]
    return Verdict(undone, _temperature(shares, weights, told[given].multiple()), said)


def _told(
    shares: list[Array], held: list[Array], classes: list[Array], weights: Array
) -> HiddenGuesses:
    rows = [s[at] / passes.spread(s, weights) for s, at in zip(shares, held, strict=True)]
    return HiddenGuesses(np.vstack(rows), np.concatenate(classes))


def _temperature(shares: Array, weights: Array, multiple: float = passes.CALIBRATED) -> float:
    return multiple * passes.spread(shares, weights)
