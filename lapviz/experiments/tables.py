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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from lapviz.experiments.blocks import DEFAULT, OURS, UNLABELLED, Result, block
from lapviz.experiments.problems import PROBLEMS, Problem
from lapviz.experiments.rates import grouped
from lapviz.experiments.registry import Config, Drawing, Experiment, Task, setting
from lapviz.markdown import table
from lapviz.metrics import calibration_error
from lapviz.progress import track

Array = np.ndarray

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
        for points in blocks[0][0].accuracy
        for row in _rows(points, j, blocks)
    ]


def _seeds(problem: Problem, block_number: int, seed: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(*problem.name.encode(), block_number))


def _rows(points: str, j: int, blocks: list[list[Result]]) -> list[dict]:
    """Draws of the best setting of every method, over all blocks; j is the place of the count."""
    best: dict[str, tuple[float, list[dict]]] = {}
    for parts in zip(*blocks, strict=True):  # the same setting in every block
        first = parts[0]
        accuracy = np.concatenate([part.accuracy[points][j] for part in parts])
        mean = float(accuracy.mean())
        if first.method in best and mean <= best[first.method][0]:
            continue
        shared = {"method": first.method, "setting": first.setting, "n_points": first.n_points}
        if first.confidence is not None and points == UNLABELLED:
            right, chances = zip(*(part.confidence[j] for part in parts), strict=True)
            error = calibration_error(np.concatenate(right), np.concatenate(chances))
            shared["calibration_error"] = float(error)
        rows = [shared | {"trial": k, "accuracy": float(a)} for k, a in enumerate(accuracy)]
        best[first.method] = mean, rows
    return [row for _, rows in best.values() for row in rows]


def summary(rows: Iterable[dict]) -> list[Row]:
    """Means over the draws, by data set, number of labels, kind of points and method."""
    made = []
    places = ("data", "n_points", "labels_per_class", "points", "method", "setting")
    for place, draws in grouped(rows, *places).items():
        accuracy = np.array([row["accuracy"] for row in draws])
        se = float(accuracy.std(ddof=1) / np.sqrt(len(draws))) if len(draws) > 1 else None
        error = draws[0].get("calibration_error")
        made.append(Row(*place, float(accuracy.mean()), se, len(draws), error))
    return made


@dataclass(frozen=True)
class Lead:
    """How far one of ours stands above the best of some peers, over rows of one kind."""

    method: str
    rivals: str
    labels_per_class: int
    mean: float
    least: float
    least_on: str


def leads(rows: Iterable[Row]) -> list[Lead]:
    """Ours against each group of ``RIVALS``; the rows are of one kind of points."""
    cells = _cells(rows)
    found = []
    for method, (rivals, names) in product(OURS, RIVALS.items()):
        for count in dict.fromkeys(count for _, count in cells):
            lead = {
                data: cell[method].mean
                - max(cell[peer].mean for peer in names or cell.keys() - set(OURS))
                for (data, its), cell in cells.items()
                if its == count
            }
            least = min(lead, key=lead.get)
            mean = float(np.mean(list(lead.values())))
            found.append(Lead(method, rivals, count, mean, lead[least], least))
    return found


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
    lines: dict[tuple[str, str], list[str]] = {}
    for lead in leads(rows):
        text = f"{lead.mean:+.3f} ({lead.least:+.3f} {lead.least_on})"
        lines.setdefault((lead.method, lead.rivals), []).append(text)
    counts = dict.fromkeys(f"{row.labels_per_class} per class" for row in rows)
    heads = ["ours", "over the best of", *counts]
    return table(heads, [[*key, *cells] for key, cells in lines.items()])


NAMED = {problem.name: problem for problem in PROBLEMS}


@dataclass(frozen=True)
class TablesConfig(Config):
    """Data sets, and numbers of labels."""

    trials: int = setting(20, "Draws of labels.", 1, 1000, page_high=20)
    data: tuple[str, ...] = setting(tuple(NAMED), "Which data sets.", choices=tuple(NAMED),
                                    grid=True, label="data sets")  # fmt: skip
    labels: tuple[int, ...] = setting(COUNTS, "Labels per class; the draws are nested.", 1, 100)


class Tables(Experiment):
    """Accuracy with few labels, beside the best of scikit-learn's."""

    name = "tables"
    title = "Few labels on many data sets"
    seconds = 11
    text = (
        "The classifier as it comes and tuned by the labels at hand, beside scikit-learn's methods "
        "at their best setting in hindsight, on the same draws of labels. Accuracy on the "
        "unlabelled points, and where the sets are large on points that no fit has seen."
    )
    Config = TablesConfig
    sizes = {
        "small": TablesConfig(trials=5, data=("wine", "iris", "penguins"), labels=(1, 5)),
        "paper": TablesConfig(),
    }
    usual = "paper"  # the README\'s table
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
