"""The tables that come with lapviz: whole, as configured, and their rows are those of a rerun."""

from dataclasses import replace

import pytest

from lapviz.charts import points
from lapviz.experiments import gal23_spheres, records, registry, runs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "task", "rel"),
    [
        ("gal23-fig3", {"n": 100, "d": 5, "method": "ambient"}, 1e-4),
        ("gal23-fig3", {"n": 100, "d": 5, "method": "tangential"}, 1e-4),
        ("gal23-fig3", {"n": 100, "d": 3, "method": "graph"}, 1e-4),
        ("gal23-fig3", {"n": 100, "d": 3, "method": "finer graph"}, 1e-4),
        ("ssl21-fig3", {"n": 125, "d": 10, "log": "ln"}, 1e-4),
        ("ssl21-fig3", {"n": 70, "d": 10, "log": "log10"}, 1e-4),
        ("targets", {"data": "iris: petal width", "values": 30}, 1e-3),
    ],
)
def test_a_task_run_again_gives_the_stored_rows(name, task, rel):
    results, experiment = records.stored(name), registry.get(name)
    (again,) = (t for t in experiment.tasks(results.config) if t.factors == task and t.trial == 1)
    rows = runs.rows_of(experiment, results.config, again)
    stored = [r for r in results.rows if r["trial"] == 1 and task.items() <= r.items()]
    assert stored
    for row in stored:
        place = {k: v for k, v in row.items() if k == "parameter" or not isinstance(v, float)}
        (same,) = (r for r in rows if place.items() <= r.items())
        for column, value in row.items():
            if isinstance(value, float):
                assert same[column] == pytest.approx(value, rel=rel), column


@pytest.mark.slow
def test_the_spheres_were_measured_as_the_text_says():
    results = records.stored("gal23-fig3")
    assert results.config.counts == (31, 74, 177, 421)
    assert results.config.large_dimensions == (7,)
    best = {(p.facet, p.colour, p.x): p.y for p in points(results.rows, gal23_spheres.AGAINST_N)}
    # GAL23's claim at n = 10⁴, d = 7, and where the graph holds its own
    assert best["graph", 7, 10_000] / best["ambient", 7, 10_000] == pytest.approx(1.4, abs=0.15)
    for d in results.config.dimensions:
        assert best["finer graph", d, 100] < best["ambient", d, 100]
        assert best["finer graph", d, 464] < best["graph", d, 464]
        assert best["ambient", d, 1292] < best["graph", d, 1292]
    slopes = [f for f in results.findings() if f.expected == -0.5]
    assert len(slopes) == 2 * len(results.config.dimensions)
    assert all(f.holds and -0.7 < f.value < -0.3 for f in slopes)


def test_two_gaussians_with_fifty_trials():
    results = records.stored("ssl21-fig3")
    assert results.complete
    assert results.config == registry.get("ssl21-fig3").sizes["paper"]
    (left,) = registry.get("ssl21-fig3").drawings
    mean = {(p.facet, p.colour, p.x): p.y for p in points(results.rows, left)}
    assert mean["ln", "graph", 700] > 2 * mean["ln", "kernel", 700]
    assert mean["log10", "graph", 1778] < 1.4 * mean["log10", "kernel", 1778]
    # errors over all points as measured before with other draws, within three standard errors
    over_all = replace(left, y="error_all", where=(("log", "ln"),))
    known = {("kernel", 40): (0.18, 0.18), ("graph", 40): (0.31, 0.36),
             ("kernel", 700): (0.076, 0.076), ("graph", 700): (0.17, 0.17)}  # fmt: skip
    for p in points(results.rows, over_all):
        low, high = known.get((p.colour, p.x), (0, 1))
        assert low - 3 * p.error <= p.y <= high + 3 * p.error
