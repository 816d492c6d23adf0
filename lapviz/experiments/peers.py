"""scikit-learn's classifiers for few labels, each over a small grid of settings.

Each function yields, for each setting, its name and the predicted classes of all points for each
label set of one sample. Distances, kernels and factors are shared among the label sets. Label
spreading and propagation are the limits of scikit-learn's iterations, which solve linear systems;
everything else calls scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
Predictions = Iterator[tuple[str, Sequence[Array]]]  # setting, classes by label set

UNLABELLED, NEW = "unlabelled", "never seen"  # kinds of points
# Gaussian widths σ in units of s, the square root of the sum of the features' variances
WIDTHS = {f"s/{k}": 1 / k for k in (32, 16, 8, 4, 2)} | {"s": 1.0, "2s": 2.0, "4s": 4.0}
NEIGHBOURS = (5, 7, 10, 15)
ALPHAS = (0.2, 0.8, 0.99)  # label spreading: weight of the neighbours
COSTS = (1.0, 10.0, 100.0)  # SVC
RIDGES = (1e-3, 0.1, 1.0, 10.0)
PENALTIES = (0.1, 1.0, 10.0)  # logistic regression: scikit-learn's C
THRESHOLDS = (0.3, 0.5, 0.7, 0.9)  # self-training of logistic regression, C = 1


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of the fit, new points, and label sets on the former.

    Attributes
    ----------
    X : array (n, d)
        Points of the fit.
    X_new : array (m, d)
        Points seen only by ``predict``; m may be 0.
    y, y_new : int arrays (n,), (m,)
        Classes 0 … K − 1.
    labels : list of int arrays
        Labelled rows of X.
    """

    X: Array
    X_new: Array
    y: Array
    y_new: Array
    labels: list[Array]

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1

    @cached_property
    def points(self) -> Array:
        """All points (n + m, d), those of the fit first."""
        return np.vstack([self.X, self.X_new])

    @cached_property
    def squared_distances(self) -> Array:
        """Squared distances (n + m, n) from all points to those of the fit."""
        return pairwise_distances(self.points, self.X, metric="sqeuclidean")

    @cached_property
    def spread(self) -> float:
        """s, the square root of the sum of the features' variances."""
        return float(np.sqrt(self.X.var(axis=0).sum()))

    def kernels(self, widest: float = np.inf) -> Iterator[tuple[str, Array]]:
        """Yield names of widths and exp(−r²/2σ²), σ = factor · s, of shape (n + m, n)."""
        for width, factor in WIDTHS.items():
            if factor <= widest:
                sigma = factor * self.spread
                yield width, np.exp(-self.squared_distances / (2 * sigma**2))

    def target(self, rows: Array) -> Array:
        """Classes of the fit's points, −1 where unlabelled."""
        target = np.full(len(self.y), -1)
        target[rows] = self.y[rows]
        return target

    def one_hot(self, rows: Array) -> Array:
        """One-hot codes of the classes of rows."""
        return np.eye(self.n_classes)[self.y[rows]]

    def accuracies(self, classes: Array) -> dict[str, Array]:
        """Accuracies (n label sets,) by kind of points, from the classes of all points."""
        n = len(self.y)
        correct = classes[:, :n] == self.y
        unlabelled = np.array([self.target(rows) < 0 for rows in self.labels])
        accuracies = {UNLABELLED: (correct & unlabelled).sum(axis=1) / unlabelled.sum(axis=1)}
        if len(self.y_new):
            accuracies[NEW] = (classes[:, n:] == self.y_new).mean(axis=1)
        return accuracies


def nearest(sample: Sample) -> Predictions:
    """1-NN: the class of the nearest labelled point."""
    D = sample.squared_distances
    yield "", [sample.y[rows[D[:, rows].argmin(axis=1)]] for rows in sample.labels]


def svc(sample: Sample) -> Predictions:
    """Support vector machine with Gaussian kernel on the labelled points."""
    for width, K in sample.kernels():
        for cost in COSTS:
            model = SVC(kernel="precomputed", C=cost)
            yield f"σ = {width}, C = {cost:g}", _on_labels(model, sample, K, sample.y.__getitem__)


def kernel_ridge(sample: Sample) -> Predictions:
    """Kernel ridge regression on one-hot codes of the labelled points."""
    for width, K in sample.kernels():
        for ridge in RIDGES:
            model = KernelRidge(alpha=ridge, kernel="precomputed")
            codes = _on_labels(model, sample, K, sample.one_hot)
            yield f"σ = {width}, alpha = {ridge:g}", np.argmax(codes, axis=2)


def _on_labels(model, sample: Sample, K: Array, target: Callable[[Array], Array]) -> list[Array]:
    """Predictions of a kernel method at all points from the labelled ones, by label set."""
    return [
        model.fit(K[np.ix_(rows, rows)], target(rows)).predict(K[:, rows]) for rows in sample.labels
    ]


def spreading(sample: Sample) -> Predictions:
    """LabelSpreading(kernel="rbf"): the limit of its iteration."""
    for width, K in sample.kernels():
        for alpha in ALPHAS:
            yield f"σ = {width}, α = {alpha:g}", _spread(sample, K, alpha)


def spreading_knn(sample: Sample) -> Predictions:
    """LabelSpreading(kernel="knn"): the limit of its iteration."""
    n = len(sample.X)
    for k in NEIGHBOURS:
        # a point is its own first neighbour, as in scikit-learn
        W = kneighbors_graph(sample.X, k, include_self=True).toarray()
        near = np.argsort(sample.squared_distances[n:], axis=1, kind="stable")[:, :k]
        W_new = np.zeros((len(near), n))
        np.put_along_axis(W_new, near, 1.0, axis=1)
        for alpha in ALPHAS:
            yield f"k = {k}, α = {alpha:g}", _spread(sample, np.vstack([W, W_new]), alpha)


def propagation(sample: Sample) -> Predictions:
    """LabelPropagation(kernel="rbf"): its limit, the harmonic function (Zhu et al. 2003, eq. 5)."""
    n = len(sample.X)
    # wider kernels give nearly the labels' mean everywhere: slow, and never the best
    for width, K in sample.kernels(widest=1 / 4):
        values = (graphs.harmonic(K[:n], rows, sample.one_hot(rows)) for rows in sample.labels)
        yield f"σ = {width}", [_classes(F, K[n:]) for F in values]


def logistic(sample: Sample) -> Predictions:
    """Logistic regression on the labelled points."""
    for penalty in PENALTIES:
        model = LogisticRegression(C=penalty, max_iter=200)
        fits = (model.fit(sample.X[rows], sample.y[rows]) for rows in sample.labels)
        yield f"C = {penalty:g}", [fit.predict(sample.points) for fit in fits]


def self_training(sample: Sample) -> Predictions:
    """SelfTrainingClassifier of logistic regression."""
    for threshold in THRESHOLDS:
        model = SelfTrainingClassifier(LogisticRegression(max_iter=200), threshold=threshold)
        fits = (model.fit(sample.X, sample.target(rows)) for rows in sample.labels)
        yield f"threshold = {threshold:g}", [fit.predict(sample.points) for fit in fits]


PEERS: dict[str, Callable[[Sample], Predictions]] = {
    "1-NN": nearest,
    "SVC": svc,
    "LabelSpreading, rbf": spreading,
    "LabelSpreading, knn": spreading_knn,
    "LabelPropagation": propagation,
    "KernelRidge": kernel_ridge,
    "logistic": logistic,
    "self-training": self_training,
}


def _spread(sample: Sample, weights: Array, alpha: float) -> Array:
    """Solve (I − αS)F = Y for all label sets, S as in scikit-learn; weights (n + m, n)."""
    n, n_classes = len(sample.X), sample.n_classes
    S = -laplacian(weights[:n], normed=True)
    np.fill_diagonal(S, 0.0)
    Y = np.zeros((n, len(sample.labels) * n_classes))
    for i, rows in enumerate(sample.labels):
        Y[rows, i * n_classes + sample.y[rows]] = 1.0
    # Cholesky is accurate even for the tiny entries far from all labels
    kind = "pos" if np.array_equal(S, S.T) else "gen"
    F = sla.solve(np.eye(n) - alpha * S, Y, overwrite_a=True, overwrite_b=True, assume_a=kind)
    parts = np.split(F, len(sample.labels), axis=1)
    return np.array([_classes(part, weights[n:]) for part in parts])


def _classes(F: Array, weights: Array) -> Array:
    """Classes of largest share at the nodes and, from weighted means, at new points."""
    total = F.sum(axis=1, keepdims=True)
    shares = F / np.where(total == 0, 1.0, total)
    return np.vstack([shares, weights @ shares]).argmax(axis=1)
