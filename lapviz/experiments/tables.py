"""Few labels on many data sets: our classifier as it comes, tuned, and the best of scikit-learn's.

Accuracy on the unlabelled points, and on large sets on points that the fit never saw. The labels
are drawn at random, equally many per class (all of a class that has not so many). The draws go in
blocks of five; a block has its own sample (of synthetic sets), its own noise features and its own
points that are held back, and shares distances and kernels among its draws, so standard errors
count draws of labels and only a few samples.

Peers have their best setting in hindsight: of a small grid (:mod:`lapviz.experiments.peers`) the
one with the highest mean accuracy, for each data set, number of labels and kind of points. Ours has
no such choice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from lapviz import datasets
from lapviz.estimators import LaplacianClassifier, select_parameters
from lapviz.experiments.config import some_of, trials
from lapviz.experiments.peers import PEERS, UNLABELLED, Sample
from lapviz.experiments.problems import PROBLEMS, Problem
from lapviz.experiments.rates import grouped, mean_and_error
from lapviz.experiments.registry import Config, Drawing, Experiment, Task, setting
from lapviz.markdown import table
from lapviz.metrics import calibration_error
from lapviz.progress import track

Array = np.ndarray

OURS = DEFAULT, TUNED = "default", "tuned"
COUNTS = (1, 2, 5, 10)
DRAWS_PER_BLOCK = 5
CALIBRATED_AT = 5  # labels per class of the calibration column
# Whom our lead is measured against; None is everybody
RIVALS = {
    "1-NN": ("1-NN",),
    "1-NN, SVC, LabelSpreading rbf": ("1-NN", "SVC", "LabelSpreading, rbf"),
    "all": None,
}


@dataclass(frozen=True)
class Row:
    """One method on one data set with one number of labels.

    Attributes
    ----------
    data : str
    n_points, labels_per_class : int; points of the fit, labelled ones among them
    points : {"unlabelled", "never seen"}, those of the accuracy
    method, setting : str; a peer's setting is the best in hindsight
    mean, se : float, accuracy over the draws, and its standard error; None for a single draw
    n_draws : int
    calibration_error : float or None
        Of ``predict_proba`` at the unlabelled points of all draws, ten bins of equal mass.
    """

    data: str
    n_points: int
    labels_per_class: int
    points: str
    method: str
    setting: str
    mean: float
    se: float | None
    n_draws: int
    calibration_error: float | None = None


def draws_of(
    problem: Problem, labels_per_class: Sequence[int], n_draws: int = 20, seed: int = 0
) -> list[dict]:
    """All methods on the same draws of one problem: a row for each draw.

    Parameters
    ----------
    problem : Problem
    labels_per_class : ints; of one draw the labels are nested
    n_draws : int, draws of labels
    seed : int; draws do not depend on which problems are asked for

    Returns
    -------
    list of dict, by number of labels, kind of points, method and draw; of each method only its
    setting with the best mean
    """
    counts = tuple(labels_per_class)
    sizes = [min(DRAWS_PER_BLOCK, n_draws - i) for i in range(0, n_draws, DRAWS_PER_BLOCK)]
    blocks = [
        block(problem, counts, size, _seeds(problem, b, seed))
        for b, size in enumerate(track(sizes, "blocks of draws"))
    ]
    return [
        {"labels_per_class": count, "points": points, **row}
        for j, count in enumerate(counts)
        for points in next(iter(blocks[0].values())).accuracy
        for row in _best_settings(points, j, blocks)
    ]


def _seeds(problem: Problem, block_number: int, seed: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(*problem.name.encode(), block_number))


@dataclass(frozen=True, eq=False)
class Result:
    """One setting of one method on the draws of a block.

    ``accuracy`` (n counts, n draws) by kind of points; of ours also, for each count, which
    unlabelled points of all draws are right, and how sure that is.
    """

    n_points: int  # of the fit
    accuracy: dict[str, Array]
    confidence: list[tuple[Array, Array]] | None = None


def block(
    problem: Problem, counts: Sequence[int], n_draws: int, seeds: np.random.SeedSequence
) -> dict[tuple[str, str], Result]:
    """All methods on one sample of a problem, by method and setting."""
    for_points, for_labels, for_models = seeds.spawn(3)
    rng = np.random.default_rng(for_points)
    X, y = problem.draw(rng)
    order = rng.permutation(len(y))
    old, new = np.sort(order[problem.n_new :]), order[: problem.n_new]
    draws, model_seeds = for_labels.generate_state(n_draws), for_models.generate_state(n_draws)
    labels = [
        np.flatnonzero(datasets.draw_labels(y[old], count, int(draw)))
        for count in counts
        for draw in draws
    ]
    sample = Sample(X[old], X[new], y[old], y[new], labels)

    def result(classes, confidence=None) -> Result:
        accuracy = sample.accuracies(np.array(classes))
        shaped = {points: values.reshape(len(counts), -1) for points, values in accuracy.items()}
        return Result(len(old), shaped, confidence)

    found: dict[tuple[str, str], Result] = {}
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # few labels: solvers that stop early, our own advice
        for name, draws in _ours(sample, np.tile(model_seeds, len(counts))).items():
            classes, rights, chances = zip(*draws, strict=True)
            pooled = [
                (np.concatenate(rights[i : i + n_draws]), np.concatenate(chances[i : i + n_draws]))
                for i in range(0, len(draws), n_draws)
            ]
            found[name, ""] = result(classes, pooled)
        for name, peer in PEERS.items():
            found |= {(name, setting): result(classes) for setting, classes in peer(sample)}
    return found


def default(X: Array, y: Array, seed: int) -> LaplacianClassifier:
    """Our classifier as it comes; y is −1 where unlabelled."""
    return LaplacianClassifier(random_state=seed).fit(X, y)


def tuned(plain: LaplacianClassifier, X: Array, y: Array) -> LaplacianClassifier:
    """Our classifier with the parameters that the labels at hand choose; ``plain`` without.

    A class with a single label leaves nothing to hide, and the automatic plan stays.
    """
    if np.unique(y[y >= 0], return_counts=True)[1].min() < 2:
        return plain
    chosen = select_parameters(plain, X, y, random_state=plain.random_state)
    if not chosen.best.parameters:
        return plain
    return clone(plain).set_params(**chosen.best.parameters).fit(X, y)


def _ours(sample: Sample, seeds: Array) -> dict[str, list[tuple[Array, Array, Array]]]:
    """For each label set: classes of all points; of the unlabelled which are right, how sure."""
    found: dict[str, list[tuple[Array, Array, Array]]] = {name: [] for name in OURS}
    for rows, seed in zip(sample.labels, seeds, strict=True):
        y = sample.target(rows)
        unlabelled = np.flatnonzero(y < 0)
        plain = default(sample.X, y, int(seed))
        for name, model in ((DEFAULT, plain), (TUNED, tuned(plain, sample.X, y))):
            classes = model.predict(sample.points)
            sure = model.predict_proba(sample.X[unlabelled]).max(axis=1)
            found[name].append((classes, classes[unlabelled] == sample.y[unlabelled], sure))
    return found


def _best_settings(points: str, j: int, blocks: list[dict]) -> list[dict]:
    """Draws of the best setting of every method, over all blocks; j is the place of the count."""
    best: dict[str, tuple[float, list[dict]]] = {}
    for method, its in blocks[0]:
        parts: list[Result] = [block[method, its] for block in blocks]
        accuracy = np.concatenate([part.accuracy[points][j] for part in parts])
        mean = float(accuracy.mean())
        if method in best and mean <= best[method][0]:
            continue
        shared = {"method": method, "setting": its, "n_points": parts[0].n_points}
        pooled = [part.confidence[j] for part in parts if part.confidence is not None]
        if pooled and points == UNLABELLED:
            error = calibration_error(*map(np.concatenate, zip(*pooled, strict=True)))
            shared["calibration_error"] = float(error)
        rows = [shared | {"trial": k, "accuracy": float(a)} for k, a in enumerate(accuracy)]
        best[method] = mean, rows
    return [row for _, rows in best.values() for row in rows]


def summary(rows: Iterable[dict]) -> list[Row]:
    """Means over the draws, by data set, number of labels, kind of points and method."""
    made = []
    places = ("data", "n_points", "labels_per_class", "points", "method", "setting")
    for place, draws in grouped(rows, *places).items():
        accuracy, se = mean_and_error([row["accuracy"] for row in draws])
        error = draws[0].get("calibration_error")
        made.append(Row(*place, accuracy, se, len(draws), error))
    return made


def _cells(rows: Iterable[Row]) -> dict[tuple[str, int], dict[str, Row]]:
    """Rows by data set and number of labels, then by method."""
    cells: dict[tuple[str, int], dict[str, Row]] = {}
    for row in rows:
        cells.setdefault((row.data, row.labels_per_class), {})[row.method] = row
    return cells


def markdown(rows: Iterable[Row]) -> str:
    """For both kinds of points, all accuracies and our lead over the best peer."""
    rows = list(rows)
    parts = []
    for points in dict.fromkeys(row.points for row in rows):
        its = [row for row in rows if row.points == points]
        parts += [f"Accuracy on {points} points:", _accuracies(its)]
        parts += [f"Lead on {points} points, mean over the data sets (least):", _leads(its)]
    return "\n\n".join(parts)


def _accuracies(rows: list[Row]) -> str:
    """A line for each data set and number of labels, a column for each method, the best in bold."""
    methods = list(dict.fromkeys(row.method for row in rows))
    calibration = any(row.calibration_error is not None for row in rows)
    lines = []
    for (data, count), cell in _cells(rows).items():
        top = max(round(row.mean, 3) for row in cell.values())
        lines.append([f"{data}, n = {cell[DEFAULT].n_points}", count])
        for row in cell.values():
            text = f"{row.mean:.3f}"
            text = f"**{text}**" if float(text) == top else text
            lines[-1].append(text if row.se is None else f"{text} ± {row.se:.3f}")
        if calibration:
            error = cell[DEFAULT].calibration_error
            lines[-1].append(f"{error:.3f}" if count == CALIBRATED_AT else None)
    heads = ["data", "labels per class", *methods]
    return table([*heads, *(["calibration error of default"] if calibration else [])], lines)


def _leads(rows: list[Row]) -> str:
    """How far each of ours stands above the best of each group of ``RIVALS``."""
    cells, lines = _cells(rows), []
    counts = list(dict.fromkeys(count for _, count in cells))
    for method, (rivals, names) in product(OURS, RIVALS.items()):
        lines.append([method, rivals])
        for count in counts:
            lead = {
                data: cell[method].mean
                - max(cell[peer].mean for peer in names or cell.keys() - set(OURS))
                for (data, its), cell in cells.items()
                if its == count
            }
            least = min(lead, key=lead.get)
            mean = float(np.mean(list(lead.values())))
            lines[-1].append(f"{mean:+.3f} ({lead[least]:+.3f} {least})")
    return table(["ours", "over the best of", *(f"{m} per class" for m in counts)], lines)


NAMED = {problem.name: problem for problem in PROBLEMS}


@dataclass(frozen=True)
class TablesConfig(Config):
    """Data sets, and numbers of labels."""

    trials: int = trials(20, "Draws of labels.", page_high=20, grid=False)
    data: tuple[str, ...] = some_of(NAMED, "Which data sets.", label="data sets")
    labels: tuple[int, ...] = setting(COUNTS, "Labels per class; the draws are nested.", 1, 100)


class Tables(Experiment):
    """Few labels on many data sets.

    The classifier as it comes and tuned by the labels at hand, beside scikit-learn's methods at
    their best setting in hindsight, on the same draws of labels. Accuracy on the unlabelled points,
    and where the sets are large on points that no fit has seen.
    """

    name = "tables"
    seconds = 11
    sizes = {
        "small": TablesConfig(trials=5, data=("wine", "iris", "penguins"), labels=(1, 5)),
        "paper": TablesConfig(),
    }
    usual = "paper"  # the table of docs/performance.md
    drawings = (
        Drawing("labels_per_class", "accuracy", colour="method", facet="data", log_x=True,
                where=(("points", UNLABELLED),), x_label="labels per class",
                y_label="accuracy on unlabelled points"),
    )  # fmt: skip

    def tasks(self, config: TablesConfig) -> list[Task]:
        """One for each data set: the best setting is that over all its draws."""
        return [Task({"data": name}) for name in config.data]

    def run(self, config: TablesConfig, task: Task, rng: np.random.Generator) -> list[dict]:
        """All draws of one data set."""
        return draws_of(NAMED[task["data"]], config.labels, config.trials, config.seed)

    def markdown(self, rows: Sequence[dict]) -> str:
        """Accuracies and leads."""
        return markdown(summary(rows))
