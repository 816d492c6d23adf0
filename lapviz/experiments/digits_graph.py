"""Digits with the graph's energy in the Galerkin method (GAL23 B.1), and with graphs alone.

Energies (graph, learnt tangents, their sum), loads (least squares, Poisson) and class masses
(unchanged, shifted, scaled), beside graphs alone. Two accuracies for each: on the unlabelled
images; and on a fifth of the images, which are unlabelled points of one fit and absent from
another with the same labels. A graph alone is defined at its nodes only; new images get the average
of the nearest nodes.

Settings were chosen in hindsight on these digits, also for the graphs alone; they are the same for
all numbers of labels. Class masses assume equal class proportions among labels and digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from lapviz import datasets, estimates, fit, graphs
from lapviz.experiments.config import labels_per_class, some_of, trials
from lapviz.experiments.rates import grouped
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task
from lapviz.markdown import table
from lapviz.operators import Graph, Sum, Tangent
from lapviz.progress import track

Array = np.ndarray
Scores = Callable[[Array, Array], Array]  # (labelled rows, their codes) -> (n + n_new, K)

LAM = 0.01
HELD_OUT = 0.2


@dataclass(frozen=True)
class Energy:
    """An operator with its trial space (Gaussian kernel) and μ."""

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


def prepare(key: tuple[str, str], X: Array, X_new: Array) -> Scores:
    """Do everything that does not depend on the labels."""
    energy, load = key
    if energy in ENERGIES:
        return galerkin(X, X_new, ENERGIES[energy], load)
    return graph_alone(X, X_new, int(energy.rsplit(" ", 1)[1]), load)


def galerkin(X: Array, X_new: Array, energy: Energy, load: str, lam: float = LAM) -> Scores:
    """Estimates of :class:`lapviz.LaplacianClassifier`, at X and at new points."""
    space = fit.SpaceSpec(
        bandwidth=energy.bandwidth, n_landmarks=energy.n_landmarks, random_state=0
    )
    data_term = "poisson" if load == "Poisson" else "labelled"
    estimate = fit.EstimateSpec(lam=lam, data_term=data_term)
    method = fit.Galerkin(fit.Sample.of(X), space, fit.EnergySpec(energy.operator, energy.mu))
    functions, solver = method.assembled(False).space, method.solver(data_term)
    phi = functions.phi(np.vstack([X, X_new]))

    def scores(rows, codes):
        return phi @ fit.solve(functions, solver, X[rows], codes, estimate)

    return scores


def graph_alone(X: Array, X_new: Array, n_neighbors: int, load: str) -> Scores:
    """Harmonic functions or Poisson learning on the nodes; averages of nodes at new points."""
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
    """Predict classes of all n + n_new points from the labels y[labelled]; y is (n,)."""
    rows = np.flatnonzero(labelled)
    classes, codes = np.unique(y[rows], return_inverse=True)
    F = scores(rows, estimates.class_codes(codes, len(classes)))
    if rule is not None:
        F = estimates.balance(F[:n], np.bincount(codes) / len(codes), rule)(F)
    return classes[estimates.decode(F)]


NAMES = {" | ".join((energy, load, balance or "as it is")): (energy, load, balance)
         for energy, load, balance in METHODS}  # fmt: skip


class DigitsGraph(Experiment):
    """Digits with the graph's energy.

    The graph's energy in the Galerkin method, beside graphs alone: accuracy on the unlabelled
    images, and on a fifth that are unlabelled points of one fit and absent from another. Settings
    were chosen in hindsight, also for the graphs alone.
    """

    name, source, seconds = "digits_graph", "GAL23, Appendix B.1", 5
    settings = {
        "trials": trials(
            20, "Draws of labels and of the held-out fifth.", page_high=10, grid=False
        ),
        "labels_per_class": labels_per_class(nested=""),
        "methods": some_of(NAMES, "Energy or graph, load, class masses."),
    }
    small = {
        "trials": 2,
        "methods": (
            "k-NN graph alone, k = 7 | harmonic | scale",
            "tangent | least squares | scale",
        ),
    }
    usual = "paper"  # the table of docs/performance.md
    drawings = tuple(
        Drawing("labels_per_class", y, colour="method", log_x=True, x_label="labels per class",
                y_label=f"accuracy on {label}", title=title)
        for y, label, title in (
            ("unlabelled", "the unlabelled images", "On the unlabelled images"),
            ("held_out", "images not in the fit", "On images that were not in the fit"),
        )
    )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each energy and load, whose methods share their forms."""
        balances: dict[tuple[str, str], list[str]] = {}
        for energy, load, balance in map(NAMES.__getitem__, config.methods):
            balances.setdefault((energy, load), []).append(balance or "")
        return [
            Task({"energy": energy, "load": load, "balances": ",".join(values)})
            for (energy, load), values in balances.items()
        ]

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Return accuracies of one energy and load with all its class masses, for all draws."""
        data = datasets.load("digits")
        X, y, key = data.X, data.y, (task["energy"], task["load"])
        balances = [b or None for b in task["balances"].split(",")]
        full_fit, rows, n_new = prepare(key, X, X[:0]), [], round(HELD_OUT * len(X))
        for trial in track(range(config.trials), "draws"):
            seed = config.seed + trial
            order = np.random.default_rng(seed).permutation(len(X))
            new, old = order[:n_new], np.sort(order[n_new:])
            partial_fit = prepare(key, X[old], X[new])
            for count, balance in product(config.labels_per_class, balances):
                labelled = datasets.draw_labels(y, count, seed)
                correct = predict(full_fit, y, labelled, len(y), balance) == y
                labelled_old = old[datasets.draw_labels(y[old], count, seed)]
                mask = np.isin(np.arange(len(y)), labelled_old)
                seen = (predict(full_fit, y, mask, len(y), balance) == y)[new]
                unseen = predict(partial_fit, y[old], mask[old], len(old), balance)[len(old) :]
                rows.append({
                    "trial": trial, "labels_per_class": count, "balance": balance or "",
                    "method": " | ".join((*key, balance or "as it is")),
                    "unlabelled": float(correct[~labelled].mean()), "seen": float(seen.mean()),
                    "held_out": float((unseen == y[new]).mean()),
                })  # fmt: skip
        return rows

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return a line per method: for each number of labels the three accuracies."""
        lines: dict[tuple, list[str]] = {}
        for (method, _), values in means(rows).items():
            text = "{unlabelled:.3f} ({seen:.3f}, {held_out:.3f})".format(**values)
            lines.setdefault(method, []).append(text)
        counts = sorted({row["labels_per_class"] for row in rows})
        heads = [f"{m}: unlabelled (held out: seen, not)" for m in counts]
        lines = [[*method, *cells] for method, cells in lines.items()]
        return table(["energy", "load", "class mass", *heads], lines)


def means(rows: Iterable[Row]) -> dict[tuple, dict[str, float]]:
    """Mean accuracies by method, in the order of ``METHODS``, and number of labels per class.

    ``unlabelled`` is on all unlabelled images; ``seen`` and ``held_out`` are on a fifth of the
    images, with labels drawn among the others: of the fit on all images, and of the fit without
    that fifth.
    """
    places = grouped(rows, "energy", "load", "balance", "labels_per_class")
    draws = {((e, l, b or None), m): values for (e, l, b, m), values in places.items()}
    return {
        place: {name: float(np.mean([row[name] for row in draws[place]]))
                for name in ("unlabelled", "seen", "held_out")}
        for place in sorted(draws, key=lambda place: (METHODS.index(place[0]), place[1]))
    }  # fmt: skip
