"""Digits with the graph's energy inside the Galerkin method (GAL23 B.1), and with graphs alone.

Energies (graph, learnt tangents, their sum), loads (least squares, Poisson) and class masses (left
alone, shifted, scaled), beside graphs alone. Two accuracies for each: on the unlabelled images; and
on a fifth of the images, which one fit has as unlabelled points and another, with the same labels,
does not have at all. A graph alone is defined at its nodes only; new images get the average of the
nearest nodes.

Settings were chosen in hindsight on these digits, for the graphs alone too; they are the same for
all numbers of labels. Class masses use that labels and digits have equal shares of all classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from lapviz import datasets, estimates, fit, graphs
from lapviz.experiments.registry import Config, Drawing, Experiment, Task, setting
from lapviz.markdown import table
from lapviz.operators import Graph, Sum, Tangent
from lapviz.progress import track

Array = np.ndarray
Scores = Callable[[Array, Array], Array]  # (labelled rows, codes of them) -> (n + n_new, K)

LAM = 0.01
HELD_OUT = 0.2


@dataclass(frozen=True)
class Energy:
    """An operator, and the trial space and μ that go with it; Gaussian kernel."""

    operator: object
    n_landmarks: int = 1200
    bandwidth: float = 2.0
    mu: float = 1e-6


ENERGIES = {
    "tangent": Energy(Tangent(12, 5), mu=1e-4),
    "graph": Energy(Graph(7)),
    "graph, p = n": Energy(Graph(7), n_landmarks=1797, bandwidth=1.5, mu=1e-8),
    "normalised graph": Energy(Graph(7, kind="normalised")),
    "graph + 0.3 tangent": Energy(Sum((Graph(7), Tangent(12, 5)), (1.0, 0.3), match=True)),
}
# energy or graph, load, class masses
METHODS = (
    ("k-NN graph alone, k = 10", "harmonic", None),
    ("k-NN graph alone, k = 7", "harmonic", None),
    ("k-NN graph alone, k = 7", "harmonic", "shift"),
    ("k-NN graph alone, k = 7", "harmonic", "scale"),
    ("k-NN graph alone, k = 7", "Poisson", None),
    ("tangent", "least squares", None),
    ("tangent", "least squares", "scale"),
    ("graph", "least squares", None),
    ("graph", "least squares", "shift"),
    ("graph", "least squares", "scale"),
    ("graph", "Poisson", None),
    ("graph", "Poisson", "shift"),
    ("graph, p = n", "least squares", None),
    ("graph, p = n", "least squares", "scale"),
    ("normalised graph", "least squares", None),
    ("normalised graph", "least squares", "scale"),
    ("graph + 0.3 tangent", "least squares", "scale"),
    ("graph + 0.3 tangent", "Poisson", None),
)


@dataclass(frozen=True)
class Row:
    """Mean accuracies over the draws of one method with one number of labels per class.

    Attributes
    ----------
    energy, load, balance : which method; ``balance`` is None, "shift" or "scale"
    labels_per_class, n_seeds : int
    unlabelled, spread : float, on the unlabelled of all images, and its standard deviation
    seen, held_out : float, on a fifth of the images, the labels drawn among the others: of the fit
        on all images, and of the fit without that fifth
    """

    energy: str
    load: str
    balance: str | None
    labels_per_class: int
    n_seeds: int
    unlabelled: float
    spread: float
    seen: float
    held_out: float

    @property
    def loss(self) -> float:
        """Loss of accuracy on images that were not part of the fit."""
        return self.seen - self.held_out


def summary(rows: Iterable[dict]) -> list[Row]:
    """Means over the draws, one row for each method and number of labels, as in METHODS."""
    found: dict[tuple, list[tuple[float, float, float]]] = {}
    for row in rows:
        method = row["energy"], row["load"], row.get("balance") or None
        values = row["unlabelled"], row["seen"], row["held_out"]
        found.setdefault((method, row["labels_per_class"]), []).append(values)
    made = []
    for (method, count), values in sorted(found.items(), key=lambda item: (
            METHODS.index(item[0][0]), item[0][1])):  # fmt: skip
        mean, spread = np.mean(values, axis=0), np.std(values, axis=0)
        numbers = map(float, (mean[0], spread[0], mean[1], mean[2]))
        made.append(Row(*method, count, len(values), *numbers))
    return made


def prepare(key: tuple[str, str], X: Array, X_new: Array) -> Scores:
    """Everything that does not depend on the labels, done once."""
    energy, load = key
    if energy in ENERGIES:
        return galerkin(X, X_new, ENERGIES[energy], load)
    return graph_alone(X, X_new, int(energy.rsplit(" ", 1)[1]), load)


def galerkin(X: Array, X_new: Array, energy: Energy, load: str) -> Scores:
    """The estimates of :class:`lapviz.LaplacianClassifier`, at X and at new points."""
    space = fit.SpaceSpec(
        bandwidth=energy.bandwidth, n_landmarks=energy.n_landmarks, random_state=0
    )
    data_term = "poisson" if load == "Poisson" else "labelled"
    estimate = fit.EstimateSpec(lam=LAM, data_term=data_term)
    assembled = fit.build(X, space, energy.operator, constant=False)
    solver = fit.prepare(assembled, energy.mu, estimate)
    phi = assembled.space.phi(np.vstack([X, X_new]))

    def scores(rows, codes):
        return phi @ fit.solve(assembled.space, solver, X[rows], codes, estimate)

    return scores


def graph_alone(X: Array, X_new: Array, n_neighbors: int, load: str) -> Scores:
    """Harmonic functions or Poisson learning on the nodes, averaged over nodes at new points."""
    W = graphs.knn_weights(X, n_neighbors)
    L = graphs.laplacian(W)
    solve = splu(sp.csc_matrix(L + 1e-6 * L.diagonal().mean() * sp.eye(len(X)))).solve

    def scores(rows, codes):
        if load == "Poisson":
            source = np.zeros((len(X), codes.shape[1]))
            source[rows] = codes - codes.mean(axis=0)
            F = solve(source)
        else:
            F = graphs.harmonic(W, rows, codes)
        if not len(X_new):
            return F
        return np.vstack([F, graphs.extend_knn(X, F, X_new, n_neighbors)])

    return scores


def predict(scores: Scores, y: Array, labelled: Array, n: int, rule: str | None) -> Array:
    """Classes of all n + n_new points from the labels of y (n,) where ``labelled`` is true."""
    rows = np.flatnonzero(labelled)
    classes, codes = np.unique(y[rows], return_inverse=True)
    F = scores(rows, estimates.class_codes(codes, len(classes)))
    if rule is not None:
        F = estimates.balance(F[:n], np.bincount(codes) / len(codes), rule)(F)
    return classes[estimates.decode(F)]


def markdown(rows: Iterable[Row]) -> str:
    """One line a method; for each number of labels the accuracy and the loss at new points."""
    rows = list(rows)
    counts = sorted({row.labels_per_class for row in rows})
    heads = [
        "energy",
        "load",
        "class mass",
        *(f"{m}: unlabelled (held out: seen, not)" for m in counts),
    ]
    lines = []
    for method in dict.fromkeys((row.energy, row.load, row.balance) for row in rows):
        mine = [row for row in rows if (row.energy, row.load, row.balance) == method]
        cells = [f"{r.unlabelled:.3f} ({r.seen:.3f}, {r.held_out:.3f})" for r in mine]
        lines.append([*method[:2], method[2] or None, *cells])
    return table(heads, lines)


NAMES = {" | ".join((energy, load, balance or "as it is")): (energy, load, balance)
         for energy, load, balance in METHODS}  # fmt: skip


@dataclass(frozen=True)
class DigitsGraphConfig(Config):
    """Numbers of labels, and which methods."""

    trials: int = setting(20, "Draws of labels and of the held-out fifth.", 1, 1000, page_high=10)
    labels_per_class: tuple[int, ...] = setting((1, 2, 5, 10), "Labels per class.", 1, 50)
    methods: tuple[str, ...] = setting(tuple(NAMES), "Energy or graph, load, class masses.",
                                       choices=tuple(NAMES), grid=True)  # fmt: skip


class DigitsGraph(Experiment):
    """Digits with the graph's energy inside the Galerkin method."""

    name = "digits_graph"
    title = "Digits with the graph's energy"
    seconds = 5
    source = "GAL23, Appendix B.1"
    text = (
        "The graph's energy inside the Galerkin method, beside graphs alone: accuracy on the "
        "unlabelled images, and on a fifth that one fit has as unlabelled points and another does "
        "not have. Settings were chosen in hindsight, for the graphs alone too."
    )
    Config = DigitsGraphConfig
    sizes = {
        "small": DigitsGraphConfig(
            trials=2, methods=("k-NN graph alone, k = 7 | harmonic | scale",
                               "tangent | least squares | scale"),
        ),
        "paper": DigitsGraphConfig(),
    }  # fmt: skip
    usual = "paper"  # the README\'s table
    drawings = (
        Drawing("labels_per_class", "unlabelled", colour="method", log_x=True,
                x_label="labels per class", y_label="accuracy on the unlabelled images",
                title="On the unlabelled images"),
        Drawing("labels_per_class", "held_out", colour="method", log_x=True,
                x_label="labels per class", y_label="accuracy on images not in the fit",
                title="On images that were not in the fit"),
    )  # fmt: skip

    def tasks(self, config: DigitsGraphConfig) -> list[Task]:
        """One for each energy and load, whose methods share their forms."""
        chosen = (NAMES[name] for name in config.methods)
        keys = dict.fromkeys((energy, load) for energy, load, _ in chosen)
        return [
            Task({"energy": energy, "load": load, "balances": ",".join(
                b or "" for e, l, b in (NAMES[name] for name in config.methods)
                if (e, l) == (energy, load))})
            for energy, load in keys
        ]  # fmt: skip

    def run(self, config: DigitsGraphConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        """Accuracies of one energy and load with all its class masses, for all draws."""
        data = datasets.load("digits")
        X, y, key = data.X, data.y, (task["energy"], task["load"])
        balances = [b or None for b in task["balances"].split(",")]
        whole, rows = prepare(key, X, X[:0]), []
        for trial in track(range(config.trials), "draws"):
            seed = config.seed + trial
            order = np.random.default_rng(seed).permutation(len(X))
            cut = round(HELD_OUT * len(X))
            new, old = order[:cut], np.sort(order[cut:])
            part = prepare(key, X[old], X[new])
            for count, balance in product(config.labels_per_class, balances):
                labelled = datasets.draw_labels(y, count, seed)
                right = predict(whole, y, labelled, len(y), balance) == y
                labelled_old = old[datasets.draw_labels(y[old], count, seed)]
                among_all = np.isin(np.arange(len(y)), labelled_old)
                seen = (predict(whole, y, among_all, len(y), balance) == y)[new]
                unseen = predict(part, y[old], among_all[old], len(old), balance)[len(old) :]
                rows.append({
                    "trial": trial, "labels_per_class": count, "balance": balance or "",
                    "method": " | ".join((*key, balance or "as it is")),
                    "unlabelled": float(right[~labelled].mean()), "seen": float(seen.mean()),
                    "held_out": float((unseen == y[new]).mean()),
                })  # fmt: skip
        return rows

    def markdown(self, rows: Sequence[dict]) -> str:
        """Means."""
        return markdown(summary(rows))
