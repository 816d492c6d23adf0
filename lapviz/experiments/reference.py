"""Graph methods of the field beside ours, on the same points, graph and labels.

GraphLearning's code, scikit-learn's classifiers and ours run on each draw of labels in turn. All
methods that take a graph get the same weight matrix.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from lapviz import _extras, datasets, graphs, memory
from lapviz._extras import needed
from lapviz.estimators import GraphLaplacianClassifier
from lapviz.experiments import idx
from lapviz.experiments.config import labels_per_class, samples, some_of, trials
from lapviz.experiments.digits import Method, automatic, label_spreading, semi_supervised
from lapviz.experiments.rates import grouped, mean_and_error
from lapviz.experiments.registry import Config, Drawing, Experiment, Finding, Row, Task, setting
from lapviz.markdown import table
from lapviz.metrics import unlabelled_accuracy

Array = np.ndarray

DIGITS, FASHION = DATA = ("digits", "Fashion-MNIST")
FOLDER = "LAPVIZ_FASHION_MNIST"  # environment variable
DEBIAN = "/usr/share/datasets/fashion-mnist"  # files of Debian's package


@dataclass(frozen=True, eq=False)
class Problem:
    """Points, classes and graph, shared by all methods.

    Attributes
    ----------
    X : array (n, d)
    y : int array (n,)
        Classes 0 … K − 1.
    W : CSR matrix (n, n)
        Weights of the graph.
    n_neighbors : int
        Number of neighbours in the graph.
    graph_seconds : float
        CPU time for computing the graph.
    """

    X: Array
    y: Array
    W: sp.csr_matrix
    n_neighbors: int
    graph_seconds: float

    @property
    def class_proportions(self) -> Array:
        """Class proportions (K,) among all points."""
        return np.bincount(self.y) / len(self.y)


def problem(config: Config, data: str) -> Problem:
    """Load the points and the graph of a data set; the last two are cached."""
    graph = config.n_components, config.n_neighbors, config.weights
    if data == FASHION:
        return _problem(os.environ.get(FOLDER, DEBIAN), config.n_images, *graph)
    return _problem("", 0, *graph)


@lru_cache(maxsize=2)
def _problem(
    folder: str, n_images: int, n_components: int, n_neighbors: int, weights: str
) -> Problem:
    if folder:
        try:
            X, y = idx.images(folder, n_images)
        except ValueError as error:
            raise ValueError(
                f"{error} Fashion-MNIST is not part of lapviz: install Debian's package "
                f"dataset-fashion-mnist, or set {FOLDER} to a folder with its four idx files."
            ) from None
    else:
        digits = datasets.load("digits")
        X, y = digits.X, digits.y
    if 0 < n_components < X.shape[1]:
        X = PCA(n_components, random_state=0).fit_transform(X)
    start = time.process_time()
    W = graphs.knn_weights(X, n_neighbors, weights=weights)
    return Problem(X, y, W, n_neighbors, time.process_time() - start)


def supervised(data: Problem, model) -> Method:
    """A classifier of scikit-learn on the labelled points."""
    return lambda rows, classes: clone(model).fit(data.X[rows], classes).predict(data.X)


def on_nodes(data: Problem) -> Method:
    """:class:`lapviz.GraphLaplacianClassifier` with the guide's settings for images."""
    model = GraphLaplacianClassifier(n_neighbors=6, weights="shared", balance="scale", n_passes=10)
    return semi_supervised(model, data)


@dataclass(frozen=True)
class Entry:
    """A method: title, preparation, and whether it is GraphLearning's and so takes the graph."""

    title: str
    prepare: Callable[[Problem], Method]
    graphlearning: bool = False


def graph_learning(name: str, with_proportions: bool = False) -> Entry:
    """A method of GraphLearning with default settings, optionally with class proportions."""

    def prepare(data: Problem) -> Method:
        with needed("bench", "A method of GraphLearning"):
            import graphlearning
        model = getattr(graphlearning.ssl, name)
        options = {"class_priors": data.class_proportions} if with_proportions else {}
        return lambda rows, classes: model(data.W, **options).fit_predict(rows, classes)

    return Entry(f"GraphLearning {name}{', shares' * with_proportions}", prepare, True)


METHODS = {
    "default": Entry("LaplacianClassifier()", automatic),
    "default with shares": Entry("LaplacianClassifier(class_prior=shares)",
                                 lambda data: automatic(data, data.class_proportions)),
    "passes on nodes": Entry("GraphLaplacianClassifier, passes", on_nodes),
    "laplace": graph_learning("laplace"),
    "poisson": graph_learning("poisson"),
    "poisson with shares": graph_learning("poisson", True),
    "poisson_mbo": graph_learning("poisson_mbo", True),
    "volume_mbo": graph_learning("volume_mbo", True),
    "LabelSpreading": Entry("scikit-learn LabelSpreading, k-NN",
                            lambda data: label_spreading(data, data.n_neighbors)),
    "1-NN": Entry("1-NN", partial(supervised, model=KNeighborsClassifier(1))),
    "logistic": Entry("logistic regression",
                      partial(supervised, model=LogisticRegression(max_iter=200))),
}  # fmt: skip
COMPARED = (("default", "poisson"), ("passes on nodes", "poisson"),
            ("default with shares", "poisson_mbo"))  # fmt: skip
RIVALS = tuple(dict.fromkeys(rival for _, rival in COMPARED))


class Reference(Experiment):
    """Few labels: GraphLearning's methods and ours.

    Accuracy on the unlabelled images, CPU time and memory on the same draws of labels.
    GraphLearning's methods have default settings and all run on one k-NN graph, whose time is
    reported separately. LabelSpreading and ours search neighbours themselves;
    GraphLaplacianClassifier takes 6, weighted by shared ones. “Shares” are the true class
    proportions; poisson_mbo and volume_mbo always have them. volume_mbo draws random numbers that
    cannot be seeded. Memory is the process's increase at its peak. GraphLearning's published
    accuracies (poisson_mbo on all of Fashion-MNIST: .620, .672, .731, .761 at 1, 2, 5, 10 labels
    per class) are on features of a variational autoencoder, and so not comparable with those on
    pixels here.
    """

    name, seconds = "reference", 14
    settings = {
        "trials": trials(100, "Draws of labels on the digits.", page_high=20),
        "data": some_of(DATA, "Images; Fashion-MNIST is read from a folder."),
        "methods": some_of(METHODS, "Methods to compare."),
        "labels_per_class": labels_per_class(grid=True),
        "fashion_trials": trials(
            100, "Draws of labels on Fashion-MNIST, at most those on the digits.", page_high=5
        ),
        "fashion_labels": setting(
            (1, 2, 5, 10), "Numbers of labels on Fashion-MNIST, of those above.", 1, 50, grid=True
        ),
        "n_images": samples(
            10_000, 100, 70_000, 2000, "Images of Fashion-MNIST: the test images, and beyond "
            "10,000 the training images.", "images of Fashion-MNIST"
        ),
        "n_components": setting(
            0, "Principal components in place of the pixels; 0 for the pixels.", 0, 784,
            label="principal components"
        ),
        "n_neighbors": setting(10, "Neighbours k in the graph.", 1, 100, label="neighbours k"),
        "weights": setting("self-tuning", "Weights of the graph's edges.",
                           choices=("self-tuning", "shared", "binary")),
    }  # fmt: skip
    small = {
        "trials": 3, "data": (DIGITS,), "labels_per_class": (1, 5), "fashion_trials": 2,
        "n_images": 2000,
        "methods": ("default", "passes on nodes", "laplace", "poisson", "LabelSpreading", "1-NN"),
    }  # fmt: skip
    usual = "paper"  # the table of docs/performance.md
    drawings = tuple(
        Drawing("labels_per_class", y, colour="method", facet="data", log_x=True, log_y=log_y,
                x_label="labels per class", y_label=label, title=title,
                summary=summary,
                names=tuple((name, entry.title) for name, entry in METHODS.items()))
        for y, label, title, log_y, summary in (
            ("accuracy", "accuracy on the unlabelled images", "Accuracy", False, "mean"),
            ("seconds", "CPU seconds beside the graph", "Time", True, "median"),
            ("more_mb", "MB more than before, at the peak", "Memory", False, "median"),
        )
    )  # fmt: skip
    grid = {"data": "data", "labels_per_class": "labels_per_class", "method": "methods"}

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each method and draw, without GraphLearning's if it is missing."""
        tasks = super().tasks(config)
        if not tasks:
            missing = all(METHODS[name].graphlearning for name in config.methods) and _missing()
            raise ValueError(
                missing or "No number of labels for Fashion-MNIST is among those of the run."
            )
        return tasks

    def wanted(self, config: Config, task: Task) -> bool:
        """Whether the method is installed, and the draw and labels are run on Fashion-MNIST."""
        if METHODS[task["method"]].graphlearning and _missing():
            return False
        on_fashion = task.trial < config.fashion_trials
        on_fashion = on_fashion and task["labels_per_class"] in config.fashion_labels
        return on_fashion or task["data"] != FASHION

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Run one method on one draw; the draw's labels are the same for all methods."""
        data, entry = problem(config, task["data"]), METHODS[task["method"]]
        # seeded by the trial alone, whatever the method
        labelled = datasets.draw_labels(data.y, task["labels_per_class"], config.seed + task.trial)
        rows = np.flatnonzero(labelled)
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")  # few labels: solvers that stop early, advice
            predict = entry.prepare(data)

            def timed() -> tuple[Array, float]:
                start = time.process_time()
                return predict(rows, data.y[rows]), time.process_time() - start

            (classes, seconds), n_bytes = memory.peak_increase(timed)
        row = {
            "accuracy": unlabelled_accuracy(data.y, classes, labelled),
            "seconds": seconds,
            "graph_seconds": data.graph_seconds if entry.graphlearning else 0.0,
        }
        return [row if n_bytes is None else row | {"more_mb": n_bytes / 1e6}]

    def check(self, rows: Sequence[Row]) -> list[Finding]:
        """Our lead over GraphLearning's methods, with default settings and with shares."""
        findings = []
        for (data, count), cell in grouped(rows, "data", "labels_per_class").items():
            for ours, rival in COMPARED:
                gap, error, n = lead(cell, ours, rival)
                if n:
                    text = (
                        f"{METHODS[ours].title} on {data} with {count} label{'s' * (count > 1)} "
                        f"per class, lead over {METHODS[rival].title} on the same {n} draws"
                    )
                    significant = error is not None and abs(gap) > 2 * error
                    holds = gap > 0 if significant else None
                    findings.append(Finding(text, gap, error, holds=holds))
        if _missing() and not any(METHODS[row["method"]].graphlearning for row in rows):
            findings.append(Finding(f"{_missing()} Its rows are left out."))
        return findings

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return a table with a line for each data set, number of labels and method."""
        lines = []
        for (data, count), cell in grouped(rows, "data", "labels_per_class").items():
            for (method,), draws in grouped(cell, "method").items():
                mean, error = mean_and_error([row["accuracy"] for row in draws])
                lines.append([
                    data, count, METHODS[method].title, len(draws), _with_error(mean, error),
                    *(_with_error(*lead(cell, method, rival)[:2]) if method != rival else None
                      for rival in RIVALS),
                    *(float(np.median([row[name] for row in draws]))
                      for name in ("seconds", "graph_seconds")),
                    max((row["more_mb"] for row in draws if "more_mb" in row), default=None),
                ])  # fmt: skip
        heads = ["data", "labels per class", "method", "draws", "accuracy",
                 *(f"lead over {rival}" for rival in RIVALS),
                 "CPU s", "of the graph", "MB more"]  # fmt: skip
        return table(heads, lines)


def lead(rows: Iterable[Row], one: str, other: str) -> tuple[float, float | None, int]:
    """Mean difference of two methods' accuracies over the draws, its error, number of draws.

    The rows have one data set and number of labels. The standard error is that of the differences,
    draw by draw; None with fewer than two. NaN and no draws if a method is missing.
    """
    accuracy = {(row["method"], row["trial"]): row["accuracy"] for row in rows}
    differences = [
        value - accuracy[other, trial]
        for (method, trial), value in accuracy.items()
        if method == one and (other, trial) in accuracy
    ]
    return (*mean_and_error(differences), len(differences))


def _with_error(mean: float, error: float | None) -> str | None:
    if np.isnan(mean):
        return None
    return f"{mean:.3f}" if error is None else f"{mean:.3f} ± {error:.3f}"


def _missing() -> str:
    """What to install for GraphLearning's rows; empty if it is installed."""
    return _extras.missing("bench", "A method of GraphLearning", "graphlearning")
