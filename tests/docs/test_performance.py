"""The tables of docs/performance.md have the figures of the stored runs that lapviz includes.

So do the few figures of the README. (The table of speed and memory: ``python -m benchmarks --check
docs/performance.md``, in tests/benchmarks.)
"""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import report
from lapviz.charts import points
from lapviz.experiments import digits, digits_graph, records, reference, tables, targets
from lapviz.experiments.gal23_spheres import AGAINST_N
from lapviz.experiments.rates import by_place, grouped

README = Path(__file__).parents[2] / "README.md"
PERFORMANCE = README.parent / "docs/performance.md"


COUNTS = (1, 2, 5, 10)  # labels per class


def body(title: str, page: Path = PERFORMANCE) -> list[str]:
    """Lines of the first table below some words, without its header."""
    lines = page.read_text("utf-8").partition(title)[2].splitlines()
    rule = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    return lines[rule + 1 : lines.index("", rule)]


def line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def short(number: float) -> str:
    return f"{number:.3f}".removeprefix("0")


def two_gaussians(results):
    mean = {(p.facet, p.colour, p.x): p.y for p in points(results.rows, results.drawings()[0])}
    for n in (40, 125, 400, 700, 1778):
        cells = []
        for log in ("ln", "log10"):
            key = {"log": log, "method": "graph", "n": n}.items()
            median = np.median([row["error"] for row in results.rows if key <= row.items()])
            kernel, graph, ridge = (short(mean[log, m, n]) for m in ("kernel", "graph", "ridge"))
            cells += [kernel, f"{graph} ({short(median)})", ridge]
        yield line(n, *cells)


def spheres(results):
    best = {(p.facet, p.colour, p.x): p.y for p in points(results.rows, AGAINST_N)}
    methods, sizes = ("ambient", "tangential", "graph", "finer graph"), (100, 1292, 10_000)
    for d in results.config.dimensions:
        columns = ([(method, d, n) for n in sizes] for method in methods)
        yield line(d, *(" / ".join(short(best[k]) for k in keys if k in best) for keys in columns))


def bold(text: str, best: bool) -> str:
    return f"**{text}**" if best else text


def few_labels(results):
    """A line for each data set and number of labels; bold: ahead of every method of the run."""
    shown = ("default", "tuned", "1-NN", "SVC", "LabelSpreading, rbf", "self-training")
    sizes = tables.by_method(results.rows, y="n_points")
    for (data, count), cell in tables.by_method(results.rows).items():
        mean = {method: f"{point.y:.3f}" for method, point in cell.items()}
        best = max(mean.values())
        n = sizes[data, count]["default"].y
        head = f"{data}, n = {n:g}" if count == min(COUNTS) else ""
        texts = (mean[m].removeprefix("0").replace("1.000", "1.0") for m in shown)
        is_best = (mean[m] == best for m in shown)
        yield line(head, count, *map(bold, texts, is_best))


TARGET_METHODS = (targets.DEFAULT, "5-NN", "RidgeCV", "random forest", "Gaussian process")


def few_values(results):
    """A line for each number of values: means over the tables, and of the best peer of each."""
    for count, mean in targets.averages(targets.summary(results.rows)).items():
        texts = (short(mean[name]) for name in (*TARGET_METHODS, targets.BEST))
        yield line(count, *texts, f"{100 * mean[targets.COVERAGE]:.0f} %")


def every_table_of_values(results):
    for (data, count), cell in targets.summary(results.rows).items():
        means = [f"{cell[method]:.2f}" for method in TARGET_METHODS]
        top = max(means, key=float)
        texts = (bold(text.replace("-", "−"), text == top) for text in means)
        head = data if count == min(targets.COUNTS) else ""
        yield line(head, count, *texts, f"{100 * cell[targets.COVERAGE]:.0f} %")


def digits_table(results):
    for count, means in by_place(results.rows, results.drawings()[0]).items():
        mean = [short(means[method].y) for method in digits.TITLES]
        yield line(count, *(bold(text, text == max(mean)) for text in mean))


def digits_graph_table(results):
    mean = digits_graph.means(results.rows)
    inside = ("graph", "least squares", "scale")
    alone = ("k-NN graph alone, k = 7", "harmonic", "scale")
    for count in results.config.labels_per_class:
        values = [mean[inside, count]["unlabelled"], mean[inside, count]["held_out"],
                  mean[alone, count]["unlabelled"]]  # fmt: skip
        texts = [short(value) for value in values]
        yield line(count, *(bold(text, text == max(texts)) for text in texts))


def reference_table(results):
    """Accuracies and our two leads; last the CPU time of fits with many points."""
    shown = [name for name in reference.METHODS if name != "logistic"]
    for (data, count), rows in grouped(results.rows, "data", "labels_per_class").items():
        draws = {name: of_method for (name,), of_method in grouped(rows, "method").items()}
        mean = [short(np.mean([row["accuracy"] for row in draws[name]])) for name in shown]
        leads = []
        for ours, rival in (("default", "poisson"), ("default with shares", "poisson_mbo")):
            ahead, error, _ = reference.lead(rows, ours, rival)
            leads.append(f"{ahead:+.3f} ± {error:.3f}".replace("-", "−").replace("0.", "."))
        yield line(data, count, *(bold(text, text == max(mean)) for text in mean), *leads)
    fashion = [row for row in results.rows if row["data"] == reference.FASHION]
    draws = {name: rows for (name,), rows in grouped(fashion, "method").items()}
    seconds = [np.median([row["seconds"] for row in draws[name]]) for name in shown]
    yield line(reference.FASHION, "CPU s", *(f"{value:.2g}" for value in seconds), "–", "–")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "name", "table"),
    [
        ("## Few labels", "tables", few_labels),
        ("## Few values", "targets", few_values),
        ("## Digits", "digits", digits_table),
        ("`python -m lapviz.experiments digits_graph`", "digits_graph", digits_graph_table),
        ("## Beside GraphLearning", "reference", reference_table),
        ("## Two Gaussians in ten dimensions", "ssl21-fig3", two_gaussians),
        ("## Eigenvalues of spheres", "gal23-fig3", spheres),
    ],
)
def test_a_table_has_the_figures_of_the_stored_run(title, name, table):
    assert body(title) == list(table(records.stored(name)))


def test_the_long_table_of_values_has_the_figures_of_the_stored_run():
    lines = body("Table by table")
    assert lines == list(every_table_of_values(records.stored("targets")))


# ---- the README's figures -------------------------------------------------------------------

THREE = ("1-NN", "SVC", "LabelSpreading, rbf")


def accuracy():
    """Means over all data sets, ours and the best of three peers on each; then digits alone."""
    pairs = {n: [] for n in COUNTS}
    for (_, count), mean in tables.by_method(records.stored("tables").rows).items():
        pairs[count].append((mean["default"].y, max(mean[peer].y for peer in THREE)))
    pairs = list(pairs.values())
    ours, best = np.mean(pairs, axis=1).T
    yield f"{len(pairs[0])} data sets: `LaplacianClassifier()`", ours
    yield "the best of nearest neighbour, SVC and label spreading on each", best
    results = records.stored("digits")
    of_digits = by_place(results.rows, results.drawings()[0])
    for title, name in (
        ("1797 images of digits: `LaplacianClassifier()`", "automatic"),
        ("label spreading, k-NN", "label_spreading"),
        ("kernel ridge regression", "ridge"),
    ):
        yield title, [means[name].y for means in of_digits.values()]


def test_the_figures_of_the_readme_are_those_of_the_stored_runs():
    expected = [
        line(title, *(bold(short(mean), "Laplacian" in title) for mean in means))
        for title, means in accuracy()
    ]
    assert body("## What it measures", README) == expected
    text = " ".join(README.read_text("utf-8").split())
    means = targets.averages(targets.summary(records.stored("targets").rows)).values()
    for name in (targets.DEFAULT, targets.BEST):
        assert ", ".join(short(mean[name]) for mean in means) in text
    fit = next(row for row in report.stored() if row.case == "klap-moons")
    assert f"takes {fit.ours}, {fit.ratio:.0f} times as fast as" in text
    assert "n = 100 000, p = 200" in fit.what
