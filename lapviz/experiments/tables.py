"""Few labels on many data sets: our classifier as it comes, tuned, and the best of scikit-learn's.

Accuracy on the unlabelled points, and on large sets on points that the fit never saw. The labels
are drawn at random, equally many per class (all of a class that has not so many). The draws go in
blocks of five; a block has its own sample (of synthetic sets), its own noise features and its own
points that are held back, and shares distances and kernels among its draws, so standard errors
count draws of labels and only a few samples.

Peers have their best setting in hindsight: of a small grid (:mod:`lapviz.experiments.peers`) the
one with the highest mean accuracy, for each data set, number of labels and kind of points. Ours has
no such choice.

``python -m lapviz.experiments tables`` prints the tables as Markdown; ``--help`` lists options.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from lapviz.experiments.blocks import DEFAULT, OURS, UNLABELLED, Result, block
from lapviz.experiments.problems import PROBLEMS, Problem
from lapviz.markdown import table
from lapviz.metrics import calibration_error
from lapviz.progress import listening, track

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


def few_labels_table(
    problems: Iterable[Problem] = PROBLEMS,
    labels_per_class: Sequence[int] = COUNTS,
    n_draws: int = 20,
    seed: int = 0,
    n_jobs: int = 2,
) -> list[Row]:
    """All methods on the same draws.

    Parameters
    ----------
    problems : Problems
    labels_per_class : ints; of one draw the labels are nested
    n_draws : int, draws of labels
    seed : int; draws do not depend on which problems are asked for, nor on ``n_jobs``
    n_jobs : int, processes

    Returns
    -------
    list of Row, by data set, number of labels, kind of points and method
    """
    problems, counts = list(problems), tuple(labels_per_class)
    sizes = [min(DRAWS_PER_BLOCK, n_draws - i) for i in range(0, n_draws, DRAWS_PER_BLOCK)]
    jobs = [(problem, b, size) for problem in problems for b, size in enumerate(sizes)]
    run = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(block)(problem, counts, size, _seeds(problem, b, seed)) for problem, b, size in jobs
    )
    results = list(track(run, "tables", len(jobs)))
    rows = []
    for i, problem in enumerate(problems):
        blocks = results[i * len(sizes) : (i + 1) * len(sizes)]
        for j, count in enumerate(counts):
            for points in blocks[0][0].accuracy:
                rows += _rows(problem.name, count, points, j, blocks)
    return rows


def _seeds(problem: Problem, block_number: int, seed: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(*problem.name.encode(), block_number))


def _rows(data: str, count: int, points: str, j: int, blocks: list[list[Result]]) -> list[Row]:
    """The best setting of every method, over all blocks; j is the place of the count."""
    best: dict[str, Row] = {}
    for parts in zip(*blocks, strict=True):  # the same setting in every block
        first = parts[0]
        accuracy = np.concatenate([part.accuracy[points][j] for part in parts])
        mean, n = float(accuracy.mean()), len(accuracy)
        if first.method in best and mean <= best[first.method].mean:
            continue
        se = float(accuracy.std(ddof=1) / np.sqrt(n)) if n > 1 else None
        error = None
        if first.confidence is not None and points == UNLABELLED:
            right, chances = zip(*(part.confidence[j] for part in parts), strict=True)
            error = calibration_error(np.concatenate(right), np.concatenate(chances))
        place = (data, first.n_points, count, points)
        best[first.method] = Row(*place, first.method, first.setting, mean, se, n, error)
    return list(best.values())


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
                - max(cell[peer].mean for peer in names or cell.keys() - OURS.keys())
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


def save(rows: Iterable[Row], path: Path) -> None:
    """Write the rows as CSV or JSON, by the file's suffix."""
    records = [asdict(row) for row in rows]
    with open(path, "w", encoding="utf-8", newline="") as file:
        if path.suffix == ".json":
            json.dump(records, file, indent=1, ensure_ascii=False)
        else:
            writer = csv.DictWriter(file, [field.name for field in fields(Row)])
            writer.writeheader()
            writer.writerows(records)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    names = [problem.name for problem in PROBLEMS]
    parser = argparse.ArgumentParser(
        prog="python -m lapviz.experiments tables", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--draws", type=int, default=20, help="draws of labels (%(default)s)")
    parser.add_argument("--data", nargs="+", choices=names, default=names, metavar="NAME",
                        help=f"data sets, of: {', '.join(names)} (all)")  # fmt: skip
    parser.add_argument("--labels", nargs="+", type=int, default=COUNTS, help="labels per class")
    parser.add_argument("--seed", type=int, default=0, help="of everything (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (%(default)s)")
    parser.add_argument("--output", type=Path, help="write all rows to this .csv or .json too")
    options = parser.parse_args(arguments)
    if min(options.draws, options.jobs, *options.labels) < 1:
        parser.error("draws, jobs and labels per class must be at least 1.")
    if options.output and options.output.suffix not in (".csv", ".json"):
        parser.error("the output must be a .csv or a .json file.")
    problems = [problem for problem in PROBLEMS if problem.name in options.data]

    def show(report):
        print(f"\r{report.done:g} of {report.total:g} blocks", end="", file=sys.stderr)

    with listening(show):
        rows = few_labels_table(problems, options.labels, options.draws, options.seed, options.jobs)
    print(file=sys.stderr)
    print(markdown(rows))
    if options.output:
        save(rows, options.output)


if __name__ == "__main__":
    main()
