"""Few labels on many data sets: our classifier, default and tuned, and scikit-learn's best.

Accuracy on the unlabelled points and, for large sets, on points that the fit never saw. Labels are
drawn at random, equally many per class (all of a class that has fewer). Draws are made in blocks of
five; a block has its own sample (of synthetic sets), noise features and held-out points, and shares
distances and kernels among its draws, so standard errors cover draws of labels but only a few
samples.

Peers have their best setting in hindsight: from a small grid (:mod:`lapviz.experiments.peers`), the
one with the highest mean accuracy for each data set, number of labels and kind of points. Ours has
no such choice.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from sklearn import datasets as sk
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from lapviz import datasets
from lapviz.charts import Point
from lapviz.estimators import LaplacianClassifier, select_parameters
from lapviz.experiments import rates
from lapviz.experiments.config import labels_per_class, some_of, trials
from lapviz.experiments.peers import PEERS, UNLABELLED, Sample
from lapviz.experiments.registry import Config, Drawing, Experiment, Row, Task
from lapviz.markdown import table
from lapviz.metrics import calibration_error
from lapviz.progress import track

Array = np.ndarray

OURS = DEFAULT, TUNED = "default", "tuned"
NAMES = (
    (DEFAULT, "LaplacianClassifier()"),
    (TUNED, "LaplacianClassifier, tuned"),
    ("logistic", "logistic regression"),
)
DRAWS_PER_BLOCK = 5
CALIBRATED_AT = 5  # labels per class of the calibration column
# Peers against which our lead is measured; None for all
RIVALS = {
    "1-NN": ("1-NN",),
    "1-NN, SVC, LabelSpreading rbf": ("1-NN", "SVC", "LabelSpreading, rbf"),
    "all": None,
}


@dataclass(frozen=True)
class Problem:
    """A row of the table: draw of points and classes, ``n_new`` of which are held out."""

    name: str
    draw: Callable[[np.random.Generator], tuple[Array, Array]]
    n_new: int = 0


def shipped(name: str, noise_features: int = 0, **options) -> Callable:
    """A data set of :mod:`lapviz.datasets` with added standard normal features."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = datasets.load(name, random_state=rng, **options)
        return np.hstack([data.X, rng.standard_normal((len(data.y), noise_features))]), data.y

    return draw


def circles(noise: float) -> Callable:
    """Four circles, each a class of its own."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = datasets.load("four_circles", n_samples=1496, noise=noise, random_state=rng)
        return data.X, np.clip(np.rint(np.hypot(*data.X.T)).astype(int) - 1, 0, 3)

    return draw


def wide_blobs(rng: np.random.Generator) -> tuple[Array, Array]:
    """Five normal clouds that overlap, centres uniform in [−10, 10]²⁰, standardised."""
    seed = int(rng.integers(2**31))
    X, y = sk.make_blobs(1500, 20, centers=5, cluster_std=10.0, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


PROBLEMS = (
    Problem("wine", shipped("wine")),
    Problem("breast cancer", shipped("breast_cancer")),
    Problem("iris", shipped("iris")),
    Problem("wide blobs, d = 20", wide_blobs, n_new=500),
    Problem("wine + 50 noise features", shipped("wine", noise_features=50)),
    Problem("breast cancer + 100 noise features", shipped("breast_cancer", noise_features=100)),
    # in original units, where one feature outweighs all others
    Problem("raw wine", lambda rng: sk.load_wine(return_X_y=True)),
    Problem("penguins", shipped("penguins")),
    Problem("blood cells", shipped("cells"), n_new=140),
    Problem("digits", shipped("digits"), n_new=359),
    Problem("four circles", circles(0.0), n_new=500),
    Problem("four circles, noise .05", circles(0.05), n_new=500),
    Problem("half-moons", shipped("half_moons", n_samples=1500), n_new=500),
)
NAMED = {problem.name: problem for problem in PROBLEMS}


def draws_of(
    problem: Problem, labels_per_class: Sequence[int], n_draws: int = 20, seed: int = 0
) -> list[dict]:
    """Run all methods on the same draws of one problem; a row for each draw.

    Parameters
    ----------
    problem : Problem
    labels_per_class : sequence of int
        The labels of one draw are nested.
    n_draws : int
        Number of draws of labels.
    seed : int
        Draws do not depend on which other problems are run.

    Returns
    -------
    list of dict
        By number of labels, kind of points, method and draw; for each method only the setting with
        the best mean. ``n_points`` is the number of points of the fit; ``calibration_error``, of
        ours only, is that of ``predict_proba`` at the unlabelled points of all draws, with ten bins
        of equal mass.
    """
    sizes = [min(DRAWS_PER_BLOCK, n_draws - i) for i in range(0, n_draws, DRAWS_PER_BLOCK)]
    rows = []
    for b, size in enumerate(track(sizes, "blocks of draws")):
        seeds = np.random.SeedSequence(seed, spawn_key=(*problem.name.encode(), b))
        for row in block(problem, labels_per_class, size, seeds):
            rows.append(row | {"trial": b * DRAWS_PER_BLOCK + row["trial"]})
    cells = rates.grouped(rows, "labels_per_class", "points", "method").values()
    return [row for cell in cells for row in _best_setting(cell)]


def block(
    problem: Problem, counts: Sequence[int], n_draws: int, seeds: np.random.SeedSequence
) -> list[dict]:
    """Run all methods and settings on one sample of a problem; a row for each draw.

    ``confidence``, of ours only, has the correct unlabelled points and the predicted confidences.

    Raises
    ------
    ValueError
        If so many labels leave no point without one.
    """
    for_points, for_labels, for_models = seeds.spawn(3)
    rng = np.random.default_rng(for_points)
    X, y = problem.draw(rng)
    order = rng.permutation(len(y))
    old, new = np.sort(order[problem.n_new :]), order[: problem.n_new]
    draws, model_seeds = for_labels.generate_state(n_draws), for_models.generate_state(n_draws)
    cases = list(product(counts, range(n_draws)))
    labels = [
        np.flatnonzero(datasets.draw_labels(y[old], count, int(draws[k]))) for count, k in cases
    ]
    for (count, _), labelled in zip(cases, labels, strict=True):
        if len(labelled) == len(old):
            raise ValueError(
                f"With {count} labels per class no point of {problem.name} is left without a "
                "label: take fewer."
            )
    sample = Sample(X[old], X[new], y[old], y[new], labels)

    def rows_of(method: str, setting: str, classes, confidences) -> list[dict]:
        accuracy = sample.accuracies(np.array(classes))
        return [
            {"labels_per_class": count, "points": points, "method": method, "setting": setting,
             "n_points": len(old), "confidence": confidence if points == UNLABELLED else None,
             "trial": k, "accuracy": float(accuracy[points][i])}
            for i, ((count, k), confidence) in enumerate(zip(cases, confidences, strict=True))
            for points in accuracy
        ]  # fmt: skip

    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # few labels: solvers that stop early, advice
        ours = _ours(sample, np.tile(model_seeds, len(counts)))
        rows = []
        for name, draws in ours.items():
            rows += rows_of(name, "", *zip(*draws, strict=True))
        for name, peer in PEERS.items():
            for setting, classes in peer(sample):
                rows += rows_of(name, setting, classes, [None] * len(cases))
    return rows


def tuned(plain: LaplacianClassifier, X: Array, y: Array) -> LaplacianClassifier:
    """Our classifier with parameters selected by the labels.

    A class with a single label has none to hold out, and ``plain`` is returned.
    """
    if np.unique(y[y >= 0], return_counts=True)[1].min() < 2:
        return plain
    selection = select_parameters(plain, X, y, random_state=plain.random_state)
    return clone(plain).set_params(**selection.best.parameters).fit(X, y)


def _ours(sample: Sample, seeds: Array) -> dict[str, list[tuple[Array, tuple[Array, Array]]]]:
    """For each label set: classes of all points, and (correct, confidence) of the unlabelled."""
    by_name: dict[str, list[tuple[Array, tuple[Array, Array]]]] = {name: [] for name in OURS}
    for rows, seed in zip(sample.labels, seeds, strict=True):
        y = sample.target(rows)
        unlabelled = np.flatnonzero(y < 0)
        plain = LaplacianClassifier(random_state=int(seed)).fit(sample.X, y)
        for name, model in ((DEFAULT, plain), (TUNED, tuned(plain, sample.X, y))):
            classes = model.predict(sample.points)
            confidence = model.predict_proba(sample.X[unlabelled]).max(axis=1)
            correct = classes[unlabelled] == sample.y[unlabelled]
            by_name[name].append((classes, (correct, confidence)))
    return by_name


def _best_setting(rows: list[dict]) -> list[dict]:
    """Draws of the setting with the best mean, for one method on one kind of points."""
    draws = rates.grouped(rows, "setting").values()
    best = max(draws, key=lambda rows: np.mean([row["accuracy"] for row in rows]))
    confidences = [row.pop("confidence") for row in best]
    if confidences[0] is None:
        return best
    error = float(calibration_error(*map(np.concatenate, zip(*confidences, strict=True))))
    return [row | {"calibration_error": error} for row in best]


Cells = dict[tuple, dict[str, Point]]  # by data set and number of labels, then by method


def by_method(rows: Iterable[Row], points: str = UNLABELLED, y: str = "accuracy") -> Cells:
    """Means over the draws for one kind of points."""
    return rates.by_place(rows, replace(Tables.drawings[0], y=y, where=(("points", points),)))


def _accuracies(rows: Sequence[Row], points: str) -> str:
    """A line for each data set and number of labels, a column for each method, the best in bold."""
    cells, sizes = by_method(rows, points), by_method(rows, points, "n_points")
    errors, lines = by_method(rows, points, "calibration_error"), []
    for (data, count), cell in cells.items():
        top = max(round(p.y, 3) for p in cell.values())
        lines.append([f"{data}, n = {sizes[data, count][DEFAULT].y:g}", count])
        for p in cell.values():
            text = f"{p.y:.3f}"
            text = f"**{text}**" if float(text) == top else text
            lines[-1].append(text if p.n < 2 else f"{text} ± {p.high - p.y:.3f}")
        if errors:
            shown = count == CALIBRATED_AT
            lines[-1].append(f"{errors[data, count][DEFAULT].y:.3f}" if shown else None)
    heads = ["data", "labels per class", *next(iter(cells.values()))]
    return table([*heads, *(["calibration error of default"] if errors else [])], lines)


def _leads(cells: Cells) -> str:
    """Lead of each of ours over the best of each group of ``RIVALS``."""
    counts, lines = list(dict.fromkeys(count for _, count in cells)), []
    for method, (rivals, names) in product(OURS, RIVALS.items()):
        lines.append([method, rivals])
        for count in counts:
            lead = {
                data: cell[method].y - max(cell[m].y for m in names or cell.keys() - set(OURS))
                for (data, n_labels), cell in cells.items()
                if n_labels == count
            }
            least = min(lead, key=lead.get)
            mean = float(np.mean(list(lead.values())))
            lines[-1].append(f"{mean:+.3f} ({lead[least]:+.3f} {least})")
    return table(["ours", "over the best of", *(f"{m} per class" for m in counts)], lines)


class Tables(Experiment):
    """Few labels on many data sets.

    The classifier with default settings and tuned by the labels, beside scikit-learn's methods at
    their best setting in hindsight, on the same draws of labels. Accuracy on the unlabelled points
    and, for large sets, on points that no fit has seen.
    """

    name, seconds = "tables", 11
    settings = {
        "trials": trials(20, "Draws of labels.", page_high=20, grid=False),
        "data": some_of(NAMED, "Data sets.", label="data sets"),
        "labels": labels_per_class(100),
    }
    small = {"trials": 5, "data": ("wine", "iris", "penguins"), "labels": (1, 5)}
    usual = "paper"  # the table of docs/performance.md
    drawings = (
        Drawing("labels_per_class", "accuracy", colour="method", facet="data", log_x=True,
                where=(("points", UNLABELLED),), x_label="labels per class",
                y_label="accuracy on unlabelled points", names=NAMES),
    )  # fmt: skip

    def tasks(self, config: Config) -> list[Task]:
        """Return a task for each data set, since the best setting is chosen over all its draws."""
        return [Task({"data": name}) for name in config.data]

    def run(self, config: Config, task: Task, rng: np.random.Generator) -> list[dict]:
        """Run all draws of one data set."""
        return draws_of(NAMED[task["data"]], config.labels, config.trials, config.seed)

    def markdown(self, rows: Sequence[Row]) -> str:
        """Return tables of accuracies and of our lead over the best peer, by kind of points."""
        parts = []
        for points in dict.fromkeys(row["points"] for row in rows):
            leads = _leads(by_method(rows, points))
            parts += [f"Accuracy on {points} points:", _accuracies(rows, points)]
            parts += [f"Lead on {points} points, mean over the data sets (least):", leads]
        return "\n\n".join(parts)
