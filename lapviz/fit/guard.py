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
from scipy.special import log_softmax

from lapviz.estimates import codes, passes
from lapviz.fit.few_labels import Proportions
from lapviz.fit.report import Report
from lapviz.fit.specs import EstimateSpec
from lapviz.fit.supervised import Linear, Supervised

Array = np.ndarray

FOLDS = 5
LOST_SHARE = 0.1  # of its proportion, below which a class is lost
SURE = 2.0  # standard deviations by which labels must be lost
PRIOR_SD = np.log(2.0)  # of log(T/½)
UNEVEN = 1.2  # ratio of proportions from which on they are told far from the data
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


def known(places: Array, classes: Array, held: list[Array], n: int) -> list[Array]:
    """Class codes (n,) of the labelled points, -1 elsewhere: of all, and without each fold."""
    table = np.full((1 + len(held), n), -1)
    table[:, places] = classes
    for codes_, fold in zip(table[1:], held, strict=True):
        codes_[places[fold]] = -1
    return list(table)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What to make of passes.

    Attributes
    ----------
    undone : str, why; empty if they stand
    temperature : float or None, of the probabilities of what is given
    said : str, what held-back labels say
    proportions : array (K,) or None, of the classes, as the passes imposed them
    of_regression : float, which part of them is the regression's
    share : float, a/(a + b), by which balanced shares are multiplied beside ``linear``
    linear : Linear or None, scores to be added to what is given
    said_of_linear : str, with which weights, and what held-back labels say
    held : int array (m',) or None, places among the labels of those held back
    chances : array (m', K) or None, the probabilities that they then had
    """

    undone: str
    temperature: float | None
    said: str
    proportions: Array | None = None
    of_regression: float = 0.0
    share: float = 1.0
    linear: Linear | None = None
    said_of_linear: str = ""
    held: Array | None = None
    chances: Array | None = None

    @property
    def far(self) -> Array | None:
        """Scores (k,) far from all data, of which the proportions are the probabilities.

        Nearly even ones count as even, or a boundary without a meaning would be around all data.
        """
        shares = self.proportions
        if self.temperature is None or shares is None or shares.max() < UNEVEN * shares.min():
            return None
        logs = self.temperature * np.log(shares)
        return logs[1:] - logs[:1] if len(logs) == 2 else logs - logs.mean()

    def reported(self, report: Report) -> Report:
        """The report with what became of the passes, and what the regression added."""
        if self.of_regression and self.proportions is not None:
            shares = ", ".join(f"{share:.2f}" for share in self.proportions)
            reason = f"of the labels, and by {self.of_regression:.0%} of a logistic regression"
            report = report.choose("class_prior", shares, f"{reason} over the sample")
        if self.linear is not None:
            report = report.choose("linear", "logistic regression", self.said_of_linear)
        if self.undone:
            return report.choose("n_passes", 0, f"undone, {self.undone}")
        if not self.said or "n_passes" not in report.names:
            return report
        asked = report["n_passes"]
        return report.choose("n_passes", asked.value, f"{asked.reason}; {self.said}")


def guarded_passes(
    sample: passes.Whitened | passes.Nodes,
    before: list[Array],
    held: list[Array],
    places: Array,
    classes: Array,
    proportions: Proportions,
    estimate: EstimateSpec,
    lam: float,
    supervised: Supervised | None = None,
) -> tuple[passes.Passed, Verdict, codes.Balance]:
    """Passes from all labels and without those of each fold, what to make of them, and the balance
    of the scores before them.

    Parameters
    ----------
    sample : of :func:`lapviz.estimates.passes.threshold_passes`
    before : list of arrays (n, k)
        Scores of the sample from all labels, then without those of each fold.
    held : list of int arrays
        Of each fold the places among the labels.
    places, classes : int arrays (m,)
        Of the labels: their places in the sample and their classes.
    proportions : Proportions
        Of the classes, from the labels or as they are known.
    estimate : EstimateSpec
        Of which ``balance``, for the scores before passes, and ``n_passes`` count.
    lam : float
        λ of the passes.
    supervised : Supervised, optional
        Of the same labels.
    """
    prior, weights, rule = proportions.shares, sample.weights, str(estimate.balance)
    known_classes = [classes[fold] for fold in held]
    at = [places[fold] for fold in held]

    def balanced(prior: Array) -> tuple[list[codes.Balance], list[Array]]:
        balances = [codes.balance(s, prior, rule, weights=weights) for s in before]
        each = zip(balances, before, strict=True)
        return balances, [codes.class_shares(balance(s), len(prior)) for balance, s in each]

    log_odds, part = None, 0.0
    if supervised is not None and held:
        log_odds = supervised.held_back(held)
        if supervised.shares is not None:
            told = np.concatenate(known_classes)
            guesses = _held_back(balanced(prior)[1][1:], at, weights)
            a, b = supervised.weigh(guesses / best_multiple(guesses, told), log_odds, told)
            part = b / (a + b)
            prior = (1 - part) * prior + part * supervised.shares
    balances, shares = balanced(prior)
    table = known(places, classes, held, len(weights))
    runs = passes.threshold_passes(
        sample, table, before, lam, prior, estimate.n_passes, proportions.strength
    )
    after = [run.shares for run in runs]
    verdict = judge(shares, after, at, known_classes, prior, weights, log_odds, supervised)
    verdict = replace(verdict, proportions=prior, of_regression=part)
    if held:
        verdict = replace(verdict, held=np.concatenate(held))
    return runs[0], verdict, balances[0]


def judge(
    before: list[Array],
    after: list[Array],
    held: list[Array],
    classes: list[Array],
    prior: Array,
    weights: Array,
    log_odds: Array | None = None,
    supervised: Supervised | None = None,
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
    supervised : Supervised, optional
        And ``log_odds`` (m, K), its guesses of the labels held back, in the order of the folds.
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
        multiple, said = passes.CALIBRATED, ""
        return Verdict(
            undone, None if undone else multiple * passes.spread(after[0], weights), said
        )
    known = np.concatenate(classes)
    guesses = [_held_back(shares[1:], held, weights) for shares in (before, after)]
    right = [its.argmax(axis=1) == known for its in guesses]
    lost, found = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    said = (
        f"of {len(known)} labels held back {right[1].sum()} are right with passes, "
        f"{right[0].sum()} without"
    )
    if not undone and lost - found > SURE * np.sqrt(lost + found):
        undone = said
    given = 0 if undone else 1
    multiple = best_multiple(guesses[given], known)
    spread = passes.spread((before, after)[given][0], weights)
    if supervised is None or log_odds is None:
        chances = codes.softmax(guesses[given], multiple)
        return Verdict(undone, multiple * spread, said, chances=chances)
    a, b = supervised.weigh(guesses[given] / multiple, log_odds, known)
    temperature = multiple * spread / (a + b)
    linear = supervised.linear.as_scores(b * temperature)
    own = (log_odds.argmax(axis=1) == known).sum()
    of_linear = (
        f"beside the estimate {b:.2f} to {a:.2f} in log-probabilities, by labels held back: of "
        f"{len(known)} it finds {own}, the estimate {right[given].sum()}"
    )
    both = a * guesses[given] / multiple + b * log_softmax(log_odds, axis=1)
    return Verdict(
        undone, temperature, said, share=a / (a + b), linear=linear, said_of_linear=of_linear,
        chances=codes.softmax(both, 1.0),
    )  # fmt: skip


def _held_back(shares: list[Array], held: list[Array], weights: Array) -> Array:
    """Shares (m, K) of the labels while they were held back, in units of the sample's spread."""
    return np.vstack(
        [s[at] / passes.spread(s, weights) for s, at in zip(shares, held, strict=True)]
    )


def best_multiple(shares: Array, classes: Array) -> float:
    """The multiple of the spread that is the best temperature for labels held back.

    Parameters
    ----------
    shares : array (m, K), balanced, in units of their spread over the sample
    classes : int array (m,), the labels
    """
    at, tiny = np.arange(len(classes)), np.finfo(float).tiny
    loss = [
        0.5 * (np.log(multiple / passes.CALIBRATED) / PRIOR_SD) ** 2
        - np.log(np.maximum(codes.softmax(shares, multiple)[at, classes], tiny)).sum()
        for multiple in MULTIPLES
    ]
    return float(MULTIPLES[int(np.argmin(loss))])
