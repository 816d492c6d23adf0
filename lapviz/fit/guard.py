r"""Whether passes of thresholding are to be believed: by the proportions, and by labels held back.

Passes repeat what the estimate says of unlabelled points: a good estimate gets better and a bad one
worse, and both sure of themselves. So every label is held back once, in at most five folds, while
estimate and passes are made from the others. Passes are undone, and the estimate before them is
given, if

- a class has less than a tenth of its proportion, and less than before them, or
- more held-back labels are lost than found, by two standard deviations, 2√(lost + found).

Probabilities are ∝ exp(share/T), T a multiple of the shares' spread over the sample. It is found
from labels held back twice, as the one of least log-loss beside a prior:

- to weigh the estimate beside what is linear; the prior guess is ½, a factor of 2 its standard
  deviation;
- for the probabilities of the two together; the prior guess is the T at which a guess has .8
  (:func:`lapviz.estimates.passes.usual_temperature`), a factor of 3 its standard deviation, and
  where no class has two labels that is all. From one label a class the guesses are right .60 of
  the time on the mean of 97 tables, on some always and on some by chance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapviz.estimates import codes, passes
from lapviz.fit.few_labels import Proportions
from lapviz.fit.problems import Solution, Verdict
from lapviz.fit.specs import EstimateSpec
from lapviz.fit.supervised import Supervised

Array = np.ndarray

FOLDS = 5
LOST_SHARE = 0.1  # of its proportion, below which a class is lost
SURE = 2.0  # standard deviations by which labels must be lost
WEIGHED, WEIGHED_SD = 0.5, np.log(2.0)  # T beside what is linear, and of log T
GIVEN_SD = np.log(3.0)  # of log T of what is given
TINY = np.finfo(float).tiny
FACTORS = np.geomspace(1 / 16, 16, 65)  # of the prior guess, that are tried


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


def guarded_passes(
    sample: passes.Whitened | passes.Nodes,
    before: list[Array],
    held: list[Array],
    places: Array,
    classes: Array,
    proportions: Proportions,
    estimate: EstimateSpec,
    start: Array,
    supervised: Supervised | None = None,
) -> Solution:
    """The estimate after passes, or where labels held back speak against them the one before.

    Passes are made from all labels and without those of each fold.

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
        Of which ``balance``, for the scores before passes, λ and ``n_passes`` of these count.
    start : array (p, k)
        Coefficients before the passes.
    supervised : Supervised, optional
        Of the same labels.

    Returns
    -------
    Solution
        Without moved points the passes are undone; else its coefficients are in the terms of the
        sample.
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
            part = b.sum() / (a + b.sum())
            prior = (a * prior + b @ supervised.shares) / (a + b.sum())
    balances, shares = balanced(prior)
    runs = passes.threshold_passes(
        sample, known(places, classes, held, len(weights)), before, estimate.lam, prior,
        estimate.n_passes, proportions.strength,
    )  # fmt: skip
    after = [run.shares for run in runs]
    verdict = judge(shares, after, at, known_classes, prior, weights, log_odds, supervised)
    verdict = replace(
        verdict, proportions=prior, of_regression=part, held=np.concatenate(held) if held else None
    )
    theta, balance, moved, share = start, balances[0], (), verdict.share
    if not verdict.undone:
        theta, balance, moved = runs[0].theta, runs[0].balance, runs[0].moved
    if verdict.linear is not None:
        balance = codes.Balance(share * balance.factor, share * balance.shift)
    return Solution(
        theta, balance, verdict.temperature, moved, verdict, linear=verdict.linear, far=verdict.far
    )


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
        And ``log_odds`` (r, m, K), what its regressions say of the labels held back, in the order
        of the folds.
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
        multiple, said = passes.usual_temperature(len(prior)), ""
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
    scale = multiple * passes.spread((before, after)[given][0], weights)
    logs, share, linear, of_linear = guesses[given] / multiple, 1.0, None, ""
    if supervised is not None and log_odds is not None:
        a, b = supervised.weigh(logs, log_odds, known)
        total, told = a + b.sum(), np.tensordot(b, log_odds, 1)
        logs, share = a * logs + told, a / total
        scale /= total
        linear = supervised.linear(b * scale)
        # TINY: what it finds is also told where it has no say, b = 0
        own = (np.tensordot(b + TINY, log_odds, 1).argmax(axis=1) == known).sum()
        beyond = f", {b[1]:.2f} of it in uncorrelated coordinates" if b[1:].sum() >= 0.005 else ""
        of_linear = (
            f"beside the estimate {b.sum():.2f} to {a:.2f} in log-probabilities{beyond}, by labels "
            f"held back: of {len(known)} it finds {own}, the estimate {right[given].sum()}"
        )
    usual = passes.usual_temperature(len(prior)) / multiple
    warmer = best_temperature(logs, known, usual, GIVEN_SD)
    return Verdict(
        undone, warmer * scale, said, share=share, linear=linear, said_of_linear=of_linear,
        chances=codes.softmax(logs, warmer),
    )  # fmt: skip


def _held_back(shares: list[Array], held: list[Array], weights: Array) -> Array:
    """Shares (m, K) of the labels while they were held back, in units of the sample's spread."""
    return np.vstack(
        [s[at] / passes.spread(s, weights) for s, at in zip(shares, held, strict=True)]
    )


def best_multiple(shares: Array, classes: Array) -> float:
    """The multiple of the spread that is the temperature of the estimate beside what is linear.

    Parameters
    ----------
    shares : array (m, K), balanced, in units of their spread over the sample
    classes : int array (m,), the labels
    """
    return best_temperature(shares, classes, WEIGHED, WEIGHED_SD)


def best_temperature(scores: Array, classes: Array, guess: float, sd: float) -> float:
    """T at which classes have the least log-loss, with a prior.

    Parameters
    ----------
    scores : array (m, K), of labels held back
    classes : int array (m,), the labels
    guess, sd : floats, of the prior: T, and the standard deviation of log T
    """
    at = np.arange(len(classes))
    loss = [
        0.5 * (np.log(factor) / sd) ** 2
        - np.log(np.maximum(codes.softmax(scores, guess * factor)[at, classes], TINY)).sum()
        for factor in FACTORS
    ]
    return float(guess * FACTORS[int(np.argmin(loss))])
