"""Every figure of every experiment: error bars over the trials, their number, and the seed."""

from dataclasses import replace

import numpy as np
import pytest

from lapviz import figures
from lapviz.charts import points
from lapviz.experiments import registry
from lapviz.experiments.records import Results, stored

TINY = {"trials": 2, "n": 400, "p": 40, "sizes": (60, 120), "dimensions": (3,), "degrees": (2,),
        "labels_per_class": (2,), "labelled": (20, 40), "unlabelled": 40, "samples": (20, 40),
        "n_samples": 60}  # fmt: skip
CHANGES = {
    "gal23-fig3": {"dimensions": (3, 9), "counts": (31,),
                   "methods": ("ambient", "tangential", "graph", "finer graph")},
    "gal23-fig4": {"sizes": (150,)},
    "ssl21-dimension": {"sizes": (60,), "dimensions": (2, 3)},
    "ssl21-fig5": {"sizes": (60,)},
    "ssl21-fig6": {"n": 150, "sigmas": (0.3, 0.5)},
    "ssl21-time": {"sizes": (30, 60), "exact_most": 30, "d": 3},
    "digits": {"methods": ("tangent",)},
    "digits_graph": {"methods": ("k-NN graph alone, k = 10 | harmonic | as it is",)},
    "dimension": {"sizes": (100, 201)},
    "hermite-few": {"n": 12},
    "landmarks": {"counts": (10, 20)},
    "reference": {"methods": ("1-NN", "LabelSpreading")},
    "neural": {"trials": 3, "n_samples": 100},
    "tables": {"labels": (2,), "data": ("wine",)},
    "targets": {"data": ("iris: petal width",), "values": (10,)},
}  # fmt: skip
NEURAL_ROWS = [  # rows as the tasks of "neural" return them, since training needs an extra
    {"regulariser": "contrastive", "operator": "sphere", "trial": k, "disentangle": method,
     "error": 0.1 + 0.01 * k, "seconds": 1.0}
    for k in range(3) for method in ("ritz", "pca")
]  # fmt: skip


@pytest.fixture(scope="module")
def results_of(rows_of):
    cache: dict[str, Results] = {}

    def results(name: str) -> Results:
        table = registry.get(name).table or name
        if table not in cache:
            config = registry.get(name).sizes["small"]
            changes = {k: v for k, v in TINY.items() if hasattr(config, k)}
            changes |= CHANGES.get(table, {})
            config = replace(config, **changes)
            rows = NEURAL_ROWS if table == "neural" else rows_of(table, **changes)
            cache[table] = Results(table, config, tuple(rows), 1, 1)
        return replace(cache[table], experiment=name)

    return results


def test_all_figures_of_the_papers_are_here():
    figures = [f"ssl21-fig{k}" for k in range(1, 7)]
    figures += [f"gal23-fig{k}" for k in (1, 2, 3, 4, 6, 7, 8, 9, 10)]
    assert set(figures) <= set(registry.names())
    for name in figures:
        assert registry.get(name).source.split(",")[0].lower() == name.split("-")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_a_tiny_run_has_figures_with_error_bars_trials_and_seed(name, results_of):
    """Rows are scalars, every drawing draws, and the findings are sentences."""
    results = results_of(name)
    for row in results.rows:
        for column, value in row.items():
            assert isinstance(value, int | float | str | bool), column
            # an incomplete eigenspace has no angle, digits have no true dimension
            defined = column != "angle" and row.get("case") != "digits"
            assert not defined or not isinstance(value, float) or np.isfinite(value), column
    for finding in results.findings():
        assert "nan" not in finding.sentence
        assert finding.sentence.endswith(".")
    drawings = results.drawings()
    assert drawings
    trials = {row["trial"] for row in results.rows}
    assert len(trials) == results.config.trials > 1
    for drawing in drawings:
        drawn = points(results.rows, drawing)
        assert {p.n for p in drawn} <= {1, *range(2, len(trials) + 1)}, "rows that are not trials"
        assert max(p.n for p in drawn) == len(trials)
        figure = figures.chart(results.rows, drawing, seed=17)
        title = figure.layout.title.text.replace("<br>", " ")
        assert f"{len(trials)} trials" in title
        assert "seed 17" in title
        assert "standard error" in title or "quartiles" in title.lower()
        traces = [t for t in figure.data if t.type == "bar" or t.mode == "lines+markers"]
        bars = np.concatenate([[*t.error_y.array, *t.error_y.arrayminus] for t in traces])
        assert sum(len(t.y) for t in traces) == len(drawn)
        assert (bars >= -1e-12).all()  # none is NaN
        exact = all(p.low == p.y == p.high for p in drawn)  # all trials gave the same value
        assert exact or (bars > 0).any()


@pytest.mark.parametrize(
    ("name", "changes", "title"),
    [
        ("kcg10-outer", {"smoothness": (0.3, 1.0)}, "Exponents r"),
        ("ssl21-fig3", {"dimensions": (2, 40)}, "Dimensions d"),
        ("ssl21-fig5", {"sizes": (50, 700)}, "Samples n"),
    ],
)
def test_no_figure_averages_over_the_values_of_a_setting(name, changes, title):
    experiment = registry.get(name)
    config = replace(experiment.sizes["small"], **changes)
    with pytest.raises(ValueError, match=f"one value of “{title}”"):
        experiment.tasks(config)


@pytest.mark.parametrize("name", [name for name in registry.names() if stored(name)])
def test_a_long_legend_leaves_the_panels_their_room(name):
    """Plotly draws no panel where a legend begins in the upper half: it makes room above."""
    results = stored(name)
    for drawing in results.drawings():
        layout = figures.chart(results.rows, drawing).layout
        assert layout.legend.y < 0.5
        assert layout.height - layout.margin.t - layout.margin.b >= 250


@pytest.mark.parametrize("name", [name for name in registry.names() if stored(name)])
def test_stored_rows_are_those_that_a_run_would_give(name):
    """An experiment whose rows change gets a new version, and its stored table is run again."""
    experiment = registry.get(name)
    of_table = registry.get(experiment.table) if experiment.table else experiment
    assert stored(name).version == of_table.version
