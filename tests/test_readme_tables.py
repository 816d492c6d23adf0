"""README's tables of experiments are what the runs that come with lapviz give, figure by figure.

(Its table of speed and memory: ``python -m lapviz.bench --check README.md``, in test_bench.py.)
"""

from pathlib import Path

import numpy as np
import pytest

from lapviz.charts import points
from lapviz.experiments import records
from lapviz.experiments.gal23_spheres import AGAINST_N

README = Path(__file__).parents[1] / "README.md"


def body(title: str) -> list[str]:
    """Lines of the first table below a title, without its heads."""
    lines = README.read_text("utf-8").partition(f"**{title}**")[2].splitlines()
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
            place = {"log": log, "method": "graph", "n": n}.items()
            median = np.median([row["error"] for row in results.rows if place <= row.items()])
            kernel, graph, ridge = (short(mean[log, m, n]) for m in ("kernel", "graph", "ridge"))
            cells += [kernel, f"{graph} ({short(median)})", ridge]
        yield line(n, *cells)


def spheres(results):
    best = {(p.facet, p.colour, p.x): p.y for p in points(results.rows, AGAINST_N)}
    methods, sizes = ("ambient", "tangential", "graph", "finer graph"), (100, 1292, 10_000)
    for d in results.config.dimensions:
        places = ([(method, d, n) for n in sizes] for method in methods)
        yield line(d, *(" / ".join(short(best[p]) for p in its if p in best) for its in places))


@pytest.mark.parametrize(
    ("title", "name", "table"),
    [
        ("Two Gaussians in ten dimensions", "ssl21-fig3", two_gaussians),
        ("Eigenvalues of spheres", "gal23-fig3", spheres),
    ],
)
def test_a_table_is_that_of_the_stored_run(title, name, table):
    assert body(title) == list(table(records.stored(name)))
