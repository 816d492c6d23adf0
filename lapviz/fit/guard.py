r"""Checks of passes of thresholding (MBO iterations), by class proportions and held-out labels.

Passes amplify the predictions of the estimate for unlabelled points: a good estimate gets better, a
bad one worse, and both more confident. So every label is held out once, in at most five folds,
while estimate and passes are computed from the others. Passes are undone, and the estimate before
them is returned, if

- a class has less than a tenth of its proportion, and less than before them, or
- more held-out labels are lost than gained, by two standard deviations, 2√(lost + gained).

Probabilities are ∝ exp(share/T), T a multiple of the shares' spread over the sample. T is fitted
twice to held-out labels, by least log-loss with a prior:

- to weigh the estimate against the linear part; the prior guess is ½, its standard deviation a
  factor of 2;
- for the probabilities of the two together; the prior guess is the T at which a prediction has
  probability .8 (:func:`lapviz.estimates.passes.usual_temperature`), its standard deviation a
  factor of 3. If no class has two labels, T is this guess. From one label a class the predictions
  are right .60 of the time on the mean of 97 tables, on some always and on some by chance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from lapviz.estimates import codes, passes
from lapviz.fit.few_labels import Proportions
from lapviz.fit.problems import Solution, Verdict
from lapviz.fit.specs import EstimateSpec
from lapviz.fit.supervised import Supervised

Array = np.ndarray

FOLDS = 5
LOST_SHARE = 0.1  # of its proportion, below which a class counts as lost
SIGNIFICANCE = 2.0  # standard deviations by which more labels must be lost than gained
MIXING, MIXING_SD = 0.5, np.log(2.0)  # prior guess of T beside the linear part, and sd of log T
FINAL_SD = np.log(3.0)  # sd of log T of the final probabilities
TINY = np.finfo(float).tiny
FACTORS = np.geomspace(1 / 16, 16, 65)  # grid for T, as multiples of the prior guess


def folds(classes: Array, shares: Array) -> list[Array]:
    """Positions of the labels that are held out together; never the only label of a class.

    The folds do not depend on the order of the labels, nor, unless classes tie, on their names.

    Parameters
    ----------
    classes : int array (m,)
    shares : array (m, K), estimated at the labels

    Returns
    -------
    list of int arrays
        At most five, none if no class has two labels.
    """
    counts, own = np.bincount(classes), shares[np.arange(len(classes)), classes]
    order = np.lexsort((own, classes))
    total = np.bincount(classes[order], own[order])  # orders classes of one size
    order = np.lexsort((own, classes, total[classes], counts[classes]))
    order = order[counts[classes[order]] > 1]
    n_folds = min(FOLDS, counts.max())
    return [order[k::n_folds] for k in range(n_folds)] if len(order) else []


def training_codes(positions: Array, classes: Array, folds: list[Array], n: int) -> list[Array]:
    """Class codes (n,) of the labelled points, -1 elsewhere: of all, then without each fold."""
    table = np.full((1 + len(folds), n), -1)
    table[:, positions] = classes
    for row, fold in zip(table[1:], folds, strict=True):
        row[positions[fold]] = -1
    return list(table)


def guarded_passes(
    sample: passes.Whitened | passes.Nodes,
    before: list[Array],
    folds: list[Array],
    positions: Array,
    classes: Array,
    proportions: Proportions,
    estimate: EstimateSpec,
    start: Array,
    W: csr_matrix | None,
    supervised: Supervised | None = None,
) -> Solution:
    """The estimate after passes, or the one before them if held-out labels speak against them.

    Passes are run from all labels and without those of each fold.

    Parameters
    ----------
    sample : of :func:`lapviz.estimates.passes.threshold_passes`
    before : list of arrays (n, k)
        Scores of the sample from all labels, then without those of each fold.
    folds : list of int arrays
        Positions of the held-out labels among the labels.
    positions, classes : int arrays (m,)
        Positions of the labels in the sample, and their classes.
    proportions : Proportions
        Class proportions, from the labels or as they are known.
    estimate : EstimateSpec
        Of it ``balance``, for the scores before passes, and λ and ``n_passes`` of these are used.
    start : array (p, k)
        Coefficients before the passes.
    W : CSR matrix or None
        Of the graph over the sample, without appended labels. None: passes stand as they are.
    supervised : Supervised, optional
        Of the same labels.

    Returns
    -------
    Solution
        ``moved`` is empty if the passes are undone; else the coefficients are those of
        :class:`lapviz.estimates.passes.PassResult`.
    """
    prior, weights, rule = proportions.shares, sample.weights, str(estimate.balance)
    fold_classes = [classes[fold] for fold in folds]
    fold_positions = [positions[fold] for fold in folds]

    def balanced(prior: Array) -> tuple[list[codes.Balance], list[Array]]:
        balances = [codes.balance(scores, prior, rule, weights=weights) for scores in before]
        pairs = zip(balances, before, strict=True)
        return balances, [codes.class_shares(balance(s), len(prior)) for balance, s in pairs]

    log_odds, regression_share = None, 0.0
    if supervised is not None and folds:
        log_odds = supervised.held_out(folds)
        if supervised.shares is not None:
            observed = np.concatenate(fold_classes)
            unseen = _held_out_shares(balanced(prior)[1][1:], fold_positions, weights)
            logits = unseen / best_multiple(unseen, observed)
            a, b = supervised.weigh(logits, log_odds, observed)
            regression_share = b.sum() / (a + b.sum())
            prior = (a * prior + b @ supervised.shares) / (a + b.sum())
    runs = passes.threshold_passes(
        sample, training_codes(positions, classes, folds, len(weights)), before, estimate.lam,
        prior, estimate.n_passes, proportions.strength, proportions.known,
    )  # fmt: skip
    if W is None:
        return Solution(runs[0].theta, runs[0].balance, runs[0].temperature, runs[0].moved)
    balances, shares = balanced(prior)
    after, stabilities = [run.shares for run in runs], (1.0, 1.0)
    if log_odds is not None:
        stabilities = tuple(stability(parts, W, positions, weights) for parts in (shares, after))
    verdict = judge(
        shares, after, fold_positions, fold_classes, prior, weights, log_odds, supervised,
        stabilities,
    )  # fmt: skip
    held_out = np.concatenate(folds) if folds else None
    verdict = replace(
        verdict, proportions=prior, regression_share=regression_share,
        n_parts=proportions.n_parts, held_out=held_out,
    )  # fmt: skip
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
    positions: list[Array],
    classes: list[Array],
    prior: Array,
    weights: Array,
    log_odds: Array | None = None,
    supervised: Supervised | None = None,
    stabilities: tuple[float, ...] = (1.0, 1.0),
) -> Verdict:
    """Decide whether the passes stand, and fit the temperature of the probabilities.

    Parameters
    ----------
    before, after : lists of arrays (n, K)
        Balanced shares of the sample before and after the passes: first from all labels, then
        without those of each fold.
    positions : list of int arrays
        Positions in the sample of the labels of each fold.
    classes : list of int arrays
        Their classes.
    prior : array (K,)
        Class proportions.
    weights : array (n,)
        Of the sample.
    supervised : Supervised, optional
        With ``log_odds`` (r, m, K), its held-out log-odds of the labels in the order of the folds.
    stabilities : tuple of floats, before and after the passes (:func:`stability`)
    """
    undone = ""
    proportions = [np.bincount(s.argmax(axis=1), weights, len(prior)) / weights.sum()
                   for s in (before[0], after[0])]  # fmt: skip
    is_lost = (proportions[1] < LOST_SHARE * prior) & (proportions[1] < proportions[0])
    if is_lost.any():
        k = int(np.where(is_lost, proportions[1] / prior, np.inf).argmin())
        undone = (
            f"they would leave a class {proportions[1][k]:.1%} of the sample, of which it should "
            f"have {prior[k]:.0%}"
        )
    if not positions:
        multiple = passes.usual_temperature(len(prior))
        return Verdict(undone, None if undone else multiple * passes.spread(after[0], weights))
    observed = np.concatenate(classes)
    unseen = [_held_out_shares(shares[1:], positions, weights) for shares in (before, after)]
    right = [part.argmax(axis=1) == observed for part in unseen]
    lost, gained = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
    evidence = (
        f"of {len(observed)} held-out labels {right[1].sum()} are right with passes, "
        f"{right[0].sum()} without"
    )
    if not undone and lost - gained > SIGNIFICANCE * np.sqrt(lost + gained):
        undone = evidence
    chosen = 0 if undone else 1
    multiple = best_multiple(unseen[chosen], observed)
    scale = multiple * passes.spread((before, after)[chosen][0], weights)
    logs, share, linear, linear_evidence = unseen[chosen] / multiple, 1.0, None, ""
    if supervised is not None and log_odds is not None:
        a, b = supervised.weigh(logs, log_odds, observed, stabilities[chosen])
        total = a + b.sum()
        logs, share = a * logs + np.tensordot(b, log_odds, 1), a / total
        scale /= total
        linear = supervised.linear(b * scale)
        # TINY: so that its own predictions are counted even if its weight is b = 0
        n_right = (np.tensordot(b + TINY, log_odds, 1).argmax(axis=1) == observed).sum()
        further = [
            f"{weight:.2f} {name}"
            for weight, name in zip(b, supervised.names, strict=True)
            if name and weight >= 0.005
        ]
        of_it = f" (of it {', '.join(further)})" if further else ""
        linear_evidence = (
            f"weighted {b.sum():.2f}{of_it} to {a:.2f} against the estimate in "
            f"log-probabilities; of {len(observed)} held-out labels {n_right} are right with it "
            f"alone, {right[chosen].sum()} with the estimate, of stability "
            f"{stabilities[chosen]:.2f}"
        )
    prior_guess = passes.usual_temperature(len(prior)) / multiple
    final = best_temperature(logs, observed, prior_guess, FINAL_SD)
    return Verdict(
        undone, final * scale, evidence, share=share, linear=linear,
        linear_evidence=linear_evidence, probabilities=codes.softmax(logs, final),
    )  # fmt: skip


def _held_out_shares(shares: list[Array], positions: list[Array], weights: Array) -> Array:
    """Shares (m, K) of the labels while they were held out, in units of the sample's spread."""
    return np.vstack(
        [s[rows] / passes.spread(s, weights) for s, rows in zip(shares, positions, strict=True)]
    )


def stability(shares: list[Array], W: csr_matrix, positions: Array, weights: Array) -> float:
    """How little the estimate depends on single labels: 1 − f(1 − κ⁴), from 0 to 1.

    κ is Cohen's, of the classes from all labels and those without a fold, the mean over the folds.
    f is the share of the labels that have another one in their region, a connected part of the
    graph of one class: without its only label nothing says the class of a region.

    Parameters
    ----------
    shares : list of arrays (n, K)
        Of the sample from all labels, then without those of each fold.
    W : sparse matrix, of the graph over the first points of the sample; others are by themselves
    positions : int array (m,), of the labels in the sample
    weights : array (n,)
    """
    (n, K), (first, *others) = shares[0].shape, [part.argmax(axis=1) for part in shares]
    edges = W.tocoo()
    inside = first[edges.row] == first[edges.col]
    ends = edges.row[inside], edges.col[inside]
    regions = coo_matrix((np.ones(len(ends[0]), dtype=bool), ends), shape=(n, n))
    region = connected_components(regions, directed=False)[1][positions]
    checked = float(np.mean(np.bincount(region)[region] > 1))
    kappas = []
    for other in others:
        table = np.bincount(K * first + other, weights, K * K).reshape(K, K) / weights.sum()
        chance = table.sum(axis=0) @ table.sum(axis=1)
        kappas.append((np.trace(table) - chance) / (1 - chance) if chance < 1 else 1.0)
    return 1 - checked * (1 - max(float(np.mean(kappas)), 0.0) ** 4)


def best_multiple(shares: Array, classes: Array) -> float:
    """The temperature of the estimate beside the linear part, as a multiple of the spread.

    Parameters
    ----------
    shares : array (m, K), balanced, in units of their spread over the sample
    classes : int array (m,), the labels
    """
    return best_temperature(shares, classes, MIXING, MIXING_SD)


def best_temperature(scores: Array, classes: Array, guess: float, sd: float) -> float:
    """The temperature T of least log-loss, with a prior.

    Parameters
    ----------
    scores : array (m, K), of held-out labels
    classes : int array (m,), the labels
    guess, sd : floats, of the prior: T, and the standard deviation of log T
    """
    rows = np.arange(len(classes))
    loss = [
        0.5 * (np.log(factor) / sd) ** 2
        - np.log(np.maximum(codes.softmax(scores, guess * factor)[rows, classes], TINY)).sum()
        for factor in FACTORS
    ]
    return float(guess * FACTORS[int(np.argmin(loss))])
