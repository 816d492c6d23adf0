"""A few draws of labels on one sample of a data set: ours and all settings of the peers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from lapviz import datasets
from lapviz.estimators import LaplacianClassifier, select_parameters
from lapviz.experiments.peers import PEERS, Sample
from lapviz.experiments.problems import Problem

Array = np.ndarray

OURS = DEFAULT, TUNED = "default", "tuned"
UNLABELLED, NEW = "unlabelled", "never seen"  # kinds of points


def default(X: Array, y: Array, seed: int) -> LaplacianClassifier:
    """Our classifier as it comes; y is −1 where unlabelled."""
    return LaplacianClassifier(random_state=seed).fit(X, y)


def tuned(plain: LaplacianClassifier, X: Array, y: Array) -> LaplacianClassifier:
    """Our classifier with the parameters that the labels at hand choose; ``plain`` without.

    A class with a single label leaves nothing to hide, and the automatic plan stays.
    """
    if np.unique(y[y >= 0], return_counts=True)[1].min() < 2:
        return plain
    chosen = select_parameters(plain, X, y, random_state=plain.random_state)
    if not chosen.best.parameters:
        return plain
    return clone(plain).set_params(**chosen.best.parameters).fit(X, y)


@dataclass(frozen=True, eq=False)
class Result:
    """One setting of one method on the draws of a block, in the order counts × draws."""

    method: str
    setting: str
    n_points: int  # of the fit
    accuracy: dict[str, Array]  # by kind of points: (n counts, n draws)
    confidence: list[tuple[Array, Array]] | None = None  # per count: right or not, probability


def block(
    problem: Problem, counts: Sequence[int], n_draws: int, seeds: np.random.SeedSequence
) -> list[Result]:
    """All methods on one sample of a problem."""
    for_points, for_labels, for_models = seeds.spawn(3)
    rng = np.random.default_rng(for_points)
    X, y = problem.draw(rng)
    order = rng.permutation(len(y))
    old, new = np.sort(order[problem.n_new :]), order[: problem.n_new]
    draws, model_seeds = for_labels.generate_state(n_draws), for_models.generate_state(n_draws)
    labels = [
        np.flatnonzero(datasets.draw_labels(y[old], count, int(draw)))
        for count in counts
        for draw in draws
    ]
    sample = Sample(X[old], X[new], y[old], y[new], labels)
    shape = (len(counts), n_draws)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # few labels: solvers that stop early, our own advice
        ours = _ours(sample, np.tile(model_seeds, len(counts)), shape)
        theirs = [
            Result(tried.peer, tried.setting, len(old), _accuracies(sample, tried.classes, shape))
            for peer in PEERS
            for tried in peer(sample)
        ]
    return ours + theirs


def _ours(sample: Sample, seeds: Array, shape: tuple[int, int]) -> list[Result]:
    said: dict[str, list[tuple[Array, Array, Array]]] = {name: [] for name in OURS}
    for rows, seed in zip(sample.labels, seeds, strict=True):
        y = sample.target(rows)
        plain = default(sample.X, y, int(seed))
        for name, model in ((DEFAULT, plain), (TUNED, tuned(plain, sample.X, y))):
            said[name].append(_judged(model, sample, rows))
    return [_result(name, sample, draws, shape) for name, draws in said.items()]


def _judged(model: LaplacianClassifier, sample: Sample, rows: Array) -> tuple[Array, Array, Array]:
    """Classes of all points; of the unlabelled ones which are right, and how sure that is."""
    classes = model.predict(sample.points)
    unlabelled = np.setdiff1d(np.arange(len(sample.y)), rows)
    right = classes[unlabelled] == sample.y[unlabelled]
    return classes, right, model.predict_proba(sample.X[unlabelled]).max(axis=1)


def _result(
    name: str, sample: Sample, draws: list[tuple[Array, Array, Array]], shape: tuple[int, int]
) -> Result:
    classes, rights, chances = zip(*draws, strict=True)
    pooled = [
        (np.concatenate(rights[start : start + shape[1]]),
         np.concatenate(chances[start : start + shape[1]]))
        for start in range(0, len(draws), shape[1])
    ]  # fmt: skip
    accuracy = _accuracies(sample, np.array(classes), shape)
    return Result(name, "", len(sample.y), accuracy, pooled)


def _accuracies(sample: Sample, classes: Array, shape: tuple[int, int]) -> dict[str, Array]:
    n = len(sample.y)
    right = classes[:, :n] == sample.y
    unlabelled = np.ones_like(right)
    for mask, rows in zip(unlabelled, sample.labels, strict=True):
        mask[rows] = False
    found = {UNLABELLED: (right & unlabelled).sum(axis=1) / unlabelled.sum(axis=1)}
    if len(sample.y_new):
        found[NEW] = (classes[:, n:] == sample.y_new).mean(axis=1)
    return {points: accuracy.reshape(shape) for points, accuracy in found.items()}
