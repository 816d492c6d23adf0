"""Every figure of every experiment: error bars over the trials, their number, and the seed."""

from dataclasses import replace

import numpy as np
import pytest
from test_papers import TINY

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import records, registry
from lapviz.experiments.records import Results

MORE = {
    "active": {"trials": 2},
    "digits": {"trials": 2, "labels_per_class": (2,), "methods": ("tangent",)},
    "digits_graph": {
        "trials": 2,
        "labels_per_class": (2,),
        "methods": ("k-NN graph alone, k = 10 | harmonic | as it is",),
    },
    "dimension": {"trials": 2, "sizes": (100,)},
    "hermite": {"trials": 2, "n": 100, "p": 20},
    "hermite-few": {"trials": 2},
    "landmarks": {"trials": 2, "n": 200, "counts": (10, 20)},
    "stopping": {"trials": 2, "labelled": (20, 40), "unlabelled": 40},
    "stopping-filters": {"trials": 2, "samples": (20, 40)},
    "sweep": {"trials": 2, "n_samples": 60},
    "tables": {"trials": 2, "labels": (2,), "data": ("wine",)},
}
TWO = {"gal23-time": {"trials": 2}, "ssl21-fig6": {"trials": 2}, "ssl21-time": {"trials": 2}}
LEARNT = [  # of a network, which needs an extra: rows as its tasks give them
    {"regulariser": "contrastive", "operator": "sphere", "trial": k, "disentangle": way,
     "error": 0.1 + 0.01 * k, "seconds": 1.0}
    for k in range(3) for way in ("ritz", "pca")
]  # fmt: skip


@pytest.fixture(scope="module")
def results_of(rows_of):
    found: dict[str, Results] = {}

    def results(name: str) -> Results:
        table = registry.get(name).table or name
        if table not in found:
            changes = (TINY | MORE).get(table, {}) | TWO.get(table, {})
            if table == "gal23-fig3":  # one table for five figures
                changes |= {"dimensions": (3, 9)}
            config = replace(registry.get(name).sizes["small"], **changes)
            rows = LEARNT if table == "neural" else rows_of(table, **changes)
            found[table] = Results(table, config, tuple(rows), 1, 1)
        return replace(found[table], experiment=name)

    return results


def test_all_experiments_are_here():
    assert set(TINY) | set(MORE) | {"neural"} == set(registry.names())


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_figure_has_error_bars_trials_and_seed(name, results_of):
    results = results_of(name)
    drawings = results.drawings()
    assert drawings
    trials = {row["trial"] for row in results.rows}
    assert len(trials) == results.config.trials > 1
    for drawing in drawings:
        shown = points(results.rows, drawing)
        assert {p.n for p in shown} <= {1, *range(2, len(trials) + 1)}, "rows that are no trials"
        assert max(p.n for p in shown) == len(trials)
        figure = figures.chart(results.rows, drawing, seed=17)
        said = figure.layout.title.text.replace("<br>", " ")
        assert f"{len(trials)} trials" in said
        assert "seed 17" in said
        assert "standard error" in said or "quartiles" in said.lower()
        measured = [t for t in figure.data if t.type == "bar" or t.mode == "lines+markers"]
        bars = np.concatenate([[*t.error_y.array, *t.error_y.arrayminus] for t in measured])
        assert sum(len(t.y) for t in measured) == len(shown)
        assert np.isfinite(bars).all()
        assert (bars >= -1e-12).all()
        exact = all(p.low == p.y == p.high for p in shown)  # all trials gave the same
        assert exact or (bars > 0).any()


@pytest.mark.parametrize("name", registry.names())
def test_the_small_size_has_trials_for_error_bars(name):
    experiment = registry.get(name)
    assert experiment.sizes["small"].trials > 1
    assert 0 < experiment.seconds <= 20


@pytest.mark.parametrize("name", registry.names())
def test_stored_figures_say_their_trials_and_seed(name):
    results = records.stored(name)
    if results is None:
        return
    for drawing in results.drawings():
        said = figures.chart(results.rows, drawing, seed=results.config.seed).layout.title.text
        assert f"{results.config.trials} trials" in said.replace("<br>", " ")
        assert f"seed {results.config.seed}" in said.replace("<br>", " ")
