"""scikit-learn's classifiers for few labels, each over a small grid of settings.

Each function yields one :class:`Tried` for each setting, with the classes that it gives to all
points for all label sets of one sample. Distances, kernels and factors are shared among the label
sets. Label spreading and propagation are the limits of scikit-learn's iterations, which are linear
systems; all else calls scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg as sla
from scipy.sparse.csgraph import laplacian
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC

from lapviz import graphs

Array = np.ndarray

# Gaussian widths σ in units of s, the square root of the sum of the features' variances
WIDTHS = {f"s/{k}": 1 / k for k in (32, 16, 8, 4, 2)} | {"s": 1.0, "2s": 2.0, "4s": 4.0}
NEIGHBOURS = (5, 7, 10, 15)
ALPHAS = (0.2, 0.8, 0.99)  # label spreading: the neighbours' part
COSTS = (1.0, 10.0, 100.0)  # SVC
RIDGES = (1e-3, 0.1, 1.0, 10.0)
PENALTIES = (0.1, 1.0, 10.0)  # logistic regression: scikit-learn's C
THRESHOLDS = (0.3, 0.5, 0.7, 0.9)  # self-training of logistic regression, C = 1


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of the fit and new ones, and sets of labels on the former.

    Attributes
    ----------
    X : array (n, d), the points of the fit
    X_new : array (m, d), seen only by ``predict``; m may be 0
    y, y_new : int arrays (n,), (m,), classes 0 … K − 1
    labels : list of int arrays, the labelled rows of X
    """

    X: Array
    X_new: Array
    y: Array
    y_new: Array
    labels: list[Array]

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1

    @property
    def points(self) -> Array:
        """All points, those of the fit first: (n + m, d)."""
        return np.vstack([self.X, self.X_new])

    @cached_property
    def squared_distances(self) -> Array:
        """From all points to those of the fit: (n + m, n)."""
        return pairwise_distances(self.points, self.X, metric="sqeuclidean")

    @cached_property
    def spread(self) -> float:
        """s, the square root of the sum of the features' variances."""
        return float(np.sqrt(self.X.var(axis=0).sum()))

    def kernel(self, factor: float) -> Array:
        """exp(−r²/2σ²), σ = factor · s: (n + m, n)."""
        return np.exp(-self.squared_distances / (2 * (factor * self.spread) ** 2))

    def target(self, rows: Array) -> Array:
        """Classes of the fit's points, −1 where not labelled."""
        target = np.full(len(self.y), -1)
        target[rows] = self.y[rows]
        return target

    def one_hot(self, rows: Array) -> Array:
        return np.eye(self.n_classes)[self.y[rows]]


@dataclass(frozen=True, eq=False)
class Tried:
    """One setting of a peer, and the classes of all points: (n label sets, n + m)."""

    peer: str
    setting: str
    classes: Array


Peer = Callable[[Sample], Iterator[Tried]]


def nearest(sample: Sample) -> Iterator[Tried]:
    """1-NN: the class of the nearest labelled point."""
    D = sample.squared_distances
    found = [sample.y[rows[D[:, rows].argmin(axis=1)]] for rows in sample.labels]
    yield Tried("1-NN", "", np.array(found))


def svc(sample: Sample) -> Iterator[Tried]:
    """Support vector machine with Gaussian kernel, on the labelled points."""
    for width, factor in WIDTHS.items():
        K = sample.kernel(factor)
        for cost in COSTS:
            model = SVC(kernel="precomputed", C=cost)
            found = [model.fit(K[np.ix_(rows, rows)], sample.y[rows]).predict(K[:, rows])
                     for rows in sample.labels]  # fmt: skip
            yield Tried("SVC", f"σ = {width}, C = {cost:g}", np.array(found))


def kernel_ridge(sample: Sample) -> Iterator[Tried]:
    """Kernel ridge regression on one-hot codes of the labelled points."""
    for width, factor in WIDTHS.items():
        K = sample.kernel(factor)
        for ridge in RIDGES:
            model = KernelRidge(alpha=ridge, kernel="precomputed")
            found = [model.fit(K[np.ix_(rows, rows)], sample.one_hot(rows)).predict(K[:, rows])
                     for rows in sample.labels]  # fmt: skip
            classes = np.array(found).argmax(axis=2)
            yield Tried("KernelRidge", f"σ = {width}, alpha = {ridge:g}", classes)


def spreading(sample: Sample) -> Iterator[Tried]:
    """LabelSpreading(kernel="rbf"): the limit of its iteration."""
    for width, factor in WIDTHS.items():
        K = sample.kernel(factor)
        for alpha in ALPHAS:
            setting = f"σ = {width}, α = {alpha:g}"
            yield Tried("LabelSpreading, rbf", setting, _spread(sample, K, alpha))


def spreading_knn(sample: Sample) -> Iterator[Tried]:
    """LabelSpreading(kernel="knn"): the limit of its iteration."""
    n = len(sample.X)
    for k in NEIGHBOURS:
        # a point is the first of its own neighbours, as there
        W = kneighbors_graph(sample.X, k, include_self=True).toarray()
        near = np.argsort(sample.squared_distances[n:], axis=1, kind="stable")[:, :k]
        W_new = np.zeros((len(near), n))
        np.put_along_axis(W_new, near, 1.0, axis=1)
        for alpha in ALPHAS:
            setting = f"k = {k}, α = {alpha:g}"
            classes = _spread(sample, np.vstack([W, W_new]), alpha)
            yield Tried("LabelSpreading, knn", setting, classes)


def propagation(sample: Sample) -> Iterator[Tried]:
    """LabelPropagation(kernel="rbf"): its limit, the harmonic function (Zhu et al. 2003, eq. 5)."""
    n = len(sample.X)
    for width, factor in WIDTHS.items():
        if factor > 1 / 4:  # next to the mean of the labels everywhere: slow, and never the best
            continue
        K = sample.kernel(factor)
        found = []
        for rows in sample.labels:
            F = graphs.harmonic(K[:n], rows, sample.one_hot(rows))
            found.append(_classes(F, K[n:]))
        yield Tried("LabelPropagation", f"σ = {width}", np.array(found))


def logistic(sample: Sample) -> Iterator[Tried]:
    """Logistic regression on the labelled points."""
    points = sample.points
    for penalty in PENALTIES:
        model = LogisticRegression(C=penalty, max_iter=200)
        found = [model.fit(sample.X[rows], sample.y[rows]).predict(points)
                 for rows in sample.labels]  # fmt: skip
        yield Tried("logistic", f"C = {penalty:g}", np.array(found))


def self_training(sample: Sample) -> Iterator[Tried]:
    """SelfTrainingClassifier of logistic regression."""
    points = sample.points
    for threshold in THRESHOLDS:
        model = SelfTrainingClassifier(LogisticRegression(max_iter=200), threshold=threshold)
        found = [model.fit(sample.X, sample.target(rows)).predict(points)
                 for rows in sample.labels]  # fmt: skip
        yield Tried("self-training", f"threshold = {threshold:g}", np.array(found))


PEERS: tuple[Peer, ...] = (
    nearest,
    svc,
    spreading,
    spreading_knn,
    propagation,
    kernel_ridge,
    logistic,
    self_training,
)


def _spread(sample: Sample, weights: Array, alpha: float) -> Array:
    """(I − αS)F = Y for all label sets at once, S as in scikit-learn; weights (n + m, n)."""
    n, n_classes = len(sample.X), sample.n_classes
    S = -laplacian(weights[:n], normed=True)
    np.fill_diagonal(S, 0.0)
    Y = np.zeros((n, len(sample.labels) * n_classes))
    for i, rows in enumerate(sample.labels):
        Y[rows, i * n_classes + sample.y[rows]] = 1.0
    # Cholesky computes even the tiny entries far from all labels accurately
    kind = "pos" if np.array_equal(S, S.T) else "gen"
    F = sla.solve(np.eye(n) - alpha * S, Y, overwrite_a=True, overwrite_b=True, assume_a=kind)
    parts = np.split(F, len(sample.labels), axis=1)
    return np.array([_classes(part, weights[n:]) for part in parts])


def _classes(F: Array, weights: Array) -> Array:
    """Classes of largest share, at the nodes and, by weighted means of shares, at new points."""
    total = F.sum(axis=1, keepdims=True)
    shares = F / np.where(total == 0, 1.0, total)
    return np.vstack([shares, weights @ shares]).argmax(axis=1)
