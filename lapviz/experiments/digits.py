"""Handwritten digits with one to ten labels per class: accuracy on the unlabelled images.

Five methods on the same draws. Kernel ridge uses the labelled images only, the others all 1797.
Everything that does not depend on the labels (forms, factors, weights) is computed once.

``python -m lapviz.experiments.digits`` prints the table as Markdown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from sklearn.semi_supervised import LabelSpreading

from lapviz import datasets, estimates, fit, kernels
from lapviz.markdown import table
from lapviz.metrics import unlabelled_accuracy

Array = np.ndarray
Method = Callable[[Array, Array], Array]  # (labelled rows, their classes) -> classes of all rows

BANDWIDTH, N_LANDMARKS, LAM, MU = 2.0, 1200, 0.1, 1e-4  # the explorer's defaults

RIDGE_WIDTHS = (1.0, 1.5, 2.0, 3.0, 4.0)
RIDGE_WEIGHTS = (1e-4, 1e-3, 1e-2)


@dataclass(frozen=True)
class Row:
    """Mean accuracy on the unlabelled points over the draws, for one number of labels per class.

    ``ridge_width`` is the best width for kernel ridge, chosen in hindsight.
    ``tangent_spread`` is the standard deviation of ``tangent`` over the draws.
    """

    labels_per_class: int
    n_seeds: int
    tangent: float
    ambient: float
    ridge: float
    ridge_width: float
    label_spreading: float
    harmonic: float
    tangent_spread: float


def digits_table(labels_per_class=(1, 2, 5, 10), n_seeds=20, operator="tangent") -> list[Row]:
    """Accuracy on the unlabelled digits, same draws for all methods.

    Parameters
    ----------
    labels_per_class : ints; of one seed the draws are nested
    n_seeds : int
    operator : operator object or name
        For the column ``tangent``; by default tangents whose number and neighbours are chosen from
        the data, as in the explorer.

    Returns
    -------
    list of Row, one for each entry of ``labels_per_class``
    """
    data = datasets.load("digits")
    X, y, n_classes = data.X, data.y, data.n_classes
    methods = {
        "tangent": kernel_laplacian(X, n_classes, operator),
        "ambient": kernel_laplacian(X, n_classes, "laplacian"),
        "label_spreading": label_spreading(X),
        "harmonic": harmonic(X, n_classes),
    }
    ridges = {
        (width, weight): kernel_ridge(X, n_classes, width, weight)
        for width in RIDGE_WIDTHS
        for weight in RIDGE_WEIGHTS
    }
    return [_row(y, count, n_seeds, methods, ridges) for count in labels_per_class]


def _row(y, count: int, n_seeds: int, methods: dict, ridges: dict) -> Row:
    draws = [np.flatnonzero(datasets.draw_labels(y, count, seed)) for seed in range(n_seeds)]

    def accuracies(method: Method) -> list[float]:
        return [
            unlabelled_accuracy(y, method(rows, y[rows]), np.isin(np.arange(len(y)), rows))
            for rows in draws
        ]

    scores = {name: accuracies(method) for name, method in methods.items()}
    ridge = {key: float(np.mean(accuracies(method))) for key, method in ridges.items()}
    best = max(ridge, key=ridge.get)
    return Row(
        labels_per_class=count,
        n_seeds=n_seeds,
        ridge=ridge[best],
        ridge_width=best[0],
        tangent_spread=float(np.std(scores["tangent"])),
        **{name: float(np.mean(values)) for name, values in scores.items()},
    )


def kernel_laplacian(X: Array, n_classes: int, operator) -> Method:
    """The estimate of :class:`lapviz.LaplacianClassifier`, forms and factor built once."""
    space = fit.SpaceSpec(bandwidth=BANDWIDTH, n_landmarks=N_LANDMARKS, random_state=0)
    estimate = fit.EstimateSpec(lam=LAM)
    assembled = fit.build(X, space, operator, constant=False)
    solver = fit.prepare(assembled, MU, estimate)
    phi = assembled.space.phi(X)

    def predict(rows, classes):
        targets = estimates.class_codes(classes, n_classes)
        c = fit.solve(assembled.space, solver, X[rows], targets, estimate)
        return estimates.decode(phi @ c)

    return predict


def kernel_ridge(X: Array, n_classes: int, bandwidth: float, weight: float) -> Method:
    """argmin E_ℓ|g − y|² + weight ‖g‖²_H on the labels alone, Gaussian kernel."""
    K = kernels.get("gaussian", bandwidth)(X, X)

    def predict(rows, classes):
        codes = estimates.class_codes(classes, n_classes)
        A = K[np.ix_(rows, rows)] + len(rows) * weight * np.eye(len(rows))
        return estimates.decode(K[:, rows] @ np.linalg.solve(A, codes))

    return predict


def label_spreading(X: Array) -> Method:
    """scikit-learn's k-NN label spreading with α = .2, its default, over 7 neighbours."""

    def predict(rows, classes):
        target = np.full(len(X), -1)
        target[rows] = classes
        with warnings.catch_warnings():  # it computes 0/0 at points that no label reaches
            warnings.simplefilter("ignore", RuntimeWarning)
            model = LabelSpreading(kernel="knn", n_neighbors=7, alpha=0.2).fit(X, target)
        return model.transduction_

    return predict


def harmonic(X: Array, n_classes: int) -> Method:
    """The estimate of :class:`lapviz.GraphLaplacianClassifier` by default, graph built once."""
    spec = fit.GraphSpec()
    W = fit.graph.weights(X, spec)

    def predict(rows, classes):
        labelled = np.isin(np.arange(len(X)), rows)
        order = np.argsort(rows)
        shares = fit.graph.shares(W, labelled, np.eye(n_classes)[classes[order]], spec)
        return estimates.decode(shares)

    return predict


def markdown(rows: Iterable[Row]) -> str:
    """The table as Markdown, one line for each number of labels."""
    titles = {
        "labels_per_class": "labels per class",
        "ridge": "kernel ridge, best of five widths",
        "ambient": "kernel Laplacian, ambient",
        "tangent": "kernel Laplacian, learnt tangents",
        "label_spreading": "scikit-learn LabelSpreading, k-NN",
        "harmonic": "harmonic, self-tuning k-NN graph",
    }
    cells = ([getattr(row, name) for name in titles] for row in rows)
    return table(list(titles.values()), cells, "{:.3f}")


if __name__ == "__main__":
    print(markdown(digits_table()))
