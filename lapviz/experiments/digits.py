"""Handwritten digits with one to ten labels per class: accuracy on the unlabelled images.

Six methods on the same draws. Kernel ridge uses the labelled images only, the others all 1797.
The forms and factors of the kernel Laplacian are computed once, all other methods are fitted anew
each time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.base import clone
from sklearn.semi_supervised import LabelSpreading

from lapviz import datasets, estimates, kernels
from lapviz.estimators import GraphLaplacianClassifier, LaplacianClassifier
from lapviz.experiments.config import labels_per_class, some_of, trials
from lapviz.experiments.digits_graph import Energy, galerkin
from lapviz.experiments.registry import Config, Drawing, Experiment, Task
from lapviz.metrics import unlabelled_accuracy
from lapviz.progress import track

Array = np.ndarray
# (ascending labelled rows, their classes) -> classes of all rows
Method = Callable[[Array, Array], Array]

BANDWIDTH, N_LANDMARKS, LAM, MU = 2.0, 1200, 0.1, 1e-4  # the explorer's defaults

RIDGE_WIDTHS = (1.0, 1.5, 2.0, 3.0, 4.0)
RIDGE_WEIGHTS = (1e-4, 1e-3, 1e-2)


def semi_supervised(model, data) -> Method:
    """Classes that an estimator predicts for the points of its fit."""

    def predict(rows, classes):
        target = np.full(len(data.X), -1)
        target[rows] = classes
        with warnings.catch_warnings():
            # LabelSpreading computes 0/0 at points without a path to a label
            warnings.simplefilter("ignore", RuntimeWarning)
            fitted = clone(model).fit(data.X, target)
        return fitted.transduction_ if hasattr(fitted, "transduction_") else fitted.predict(data.X)

    return predict


def automatic(data, class_prior: Array | None = None) -> Method:
    """:class:`lapviz.LaplacianClassifier` with default settings and optional class proportions."""
    return semi_supervised(LaplacianClassifier(class_prior=class_prior, random_state=0), data)


def kernel_laplacian(data, operator) -> Method:
    """Estimate of :class:`lapviz.LaplacianClassifier`, with forms and factor built once."""
    energy = Energy(operator, N_LANDMARKS, BANDWIDTH, MU)
    scores = galerkin(data.X, data.X[:0], energy, "least squares", LAM)

    def predict(rows, classes):
        return estimates.decode(scores(rows, estimates.class_codes(classes, data.n_classes)))

    return predict


def kernel_ridge(data, width: float, weight: float) -> Method:
    """argmin E_ℓ|g − y|² + weight ‖g‖²_H on the labels alone, Gaussian kernel."""
    kernel = kernels.get("gaussian", width)

    def predict(rows, classes):
        codes = estimates.class_codes(classes, data.n_classes)
        c = estimates.ridge_on_labels(kernel, data.X[rows], codes, weight)
        return estimates.decode(kernel(data.X, data.X[rows]) @ c)

    return predict


def label_spreading(data, n_neighbors: int = 7) -> Method:
    """scikit-learn's k-NN label spreading with α = .2, its default."""
    return semi_supervised(LabelSpreading(kernel="knn", n_neighbors=n_neighbors, alpha=0.2), data)


def harmonic(data) -> Method:
    """:class:`lapviz.GraphLaplacianClassifier` with default settings."""
    return semi_supervised(GraphLaplacianClassifier(), data)


METHODS: dict[str, Callable[..., Method]] = {  # of data (X, n_classes) and settings
    "automatic": automatic,
    "tangent": partial(kernel_laplacian, operator="tangent"),
    "ambient": partial(kernel_laplacian, operator="laplacian"),
    "ridge": kernel_ridge,
    "label_spreading": label_spreading,
    "harmonic": harmonic,
}
TITLES = {
    "ridge": "kernel ridge",
    "ambient": "kernel Laplacian, ambient",
    "tangent": "kernel Laplacian, learnt tangents",
    "label_spreading": "LabelSpreading, k-NN",
    "harmonic": "harmonic, self-tuning graph",
    "automatic": "LaplacianClassifier()",
}


class Digits(Experiment):
    """Handwritten digits with few labels.

    Accuracy on the unlabelled of 1797 images, six methods on the same draws. Kernel ridge, at its
    best width and weight in hindsight, uses the labelled images only. With the ambient gradient the
    kernel Laplacian stays behind graphs; learnt tangents come close. The classifier that chooses
    all settings itself is ahead of all others.
    """

    name, seconds = "digits", 3
    settings = {
        "trials": trials(20, "Draws of labels.", page_high=20, grid=False),
        "labels_per_class": labels_per_class(),
        "methods": some_of(METHODS, "Methods to compare."),
    }
    small = {"trials": 5, "methods": ("ambient", "ridge", "harmonic")}
    usual = "paper"  # the table of docs/performance.md
    drawings = (
        Drawing("labels_per_class", "accuracy", colour="method", log_x=True, best="most",
                best_over=("width", "weight"), x_label="labels per class",
                y_label="accuracy on the unlabelled images",
                names=tuple(TITLES.items())),
    )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each method, whose forms or weights are computed once for all draws."""
        ridges = [{"width": w, "weight": v} for w in RIDGE_WIDTHS for v in RIDGE_WEIGHTS]
        return [
            Task({"method": name, **settings})
            for name in config.methods
            for settings in (ridges if name == "ridge" else [{}])
        ]

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return the accuracies at every number of labels, for all draws."""
        data, rows = datasets.load("digits"), []
        settings = {name: value for name, value in task.factors.items() if name != "method"}
        method = METHODS[task["method"]](data, **settings)
        for trial in track(range(config.trials), "draws"):
            for count in config.labels_per_class:
                labelled = datasets.draw_labels(data.y, count, config.seed + trial)
                classes = method(np.flatnonzero(labelled), data.y[labelled])
                accuracy = unlabelled_accuracy(data.y, classes, labelled)
                rows.append({"trial": trial, "labels_per_class": count, "accuracy": accuracy})
        return rows
