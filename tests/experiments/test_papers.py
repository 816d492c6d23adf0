"""Every figure of the papers as an experiment: at a tiny size it runs, draws and says something."""

import numpy as np
import pytest

from lapviz.charts import points
from lapviz.experiments import registry

TINY = {
    "gal23-fig1": {"n": 400, "p": 60, "trials": 2},
    "gal23-fig2": {"n": 600, "p": 40, "trials": 2},
    "gal23-fig3": {"sizes": (60, 120), "dimensions": (3,), "counts": (31,), "degrees": (2,),
                   "methods": ("ambient", "tangential", "graph", "finer graph"), "trials": 2},
    "gal23-fig4": {"sizes": (150,), "p": 20, "trials": 2},
    "gal23-fig6": {"n": 600, "p": 40, "trials": 2},
    "gal23-time": {"sizes": (60, 120), "dimensions": (3,), "p": 31, "trials": 1},
    "kcg10-inner": {"sizes": (20, 40), "trials": 2},
    "kcg10-outer": {"sizes": (20, 30), "trials": 2},
    "krr20-thm5": {"sizes": (30, 60), "dimensions": (2,), "trials": 2},
    "ssl21-dimension": {"sizes": (60,), "dimensions": (2, 3), "trials": 2},
    "ssl21-fig1": {"sizes": (100,), "p": 60, "trials": 2},
    "ssl21-fig2": {"n": 200, "p": 60, "trials": 2},
    "ssl21-fig3": {"sizes": (40, 60), "trials": 2},
    "ssl21-fig4": {"sizes": (40, 60), "trials": 2},
    "ssl21-fig5": {"sizes": (60,), "trials": 2},
    "ssl21-fig6": {"n": 150, "p": 60, "sigmas": (0.3, 0.5), "trials": 1},
    "ssl21-thm1": {"sizes": (60, 120), "dimensions": (2,), "trials": 2},
    "ssl21-time": {"sizes": (30, 60), "exact_most": 30, "d": 3, "trials": 1},
}  # fmt: skip
for figure in (7, 8, 9, 10):
    TINY[f"gal23-fig{figure}"] = TINY["gal23-fig3"]
TINY["gal23-fig8"] = TINY["gal23-fig8"] | {"dimensions": (9,)}


def test_every_figure_that_was_asked_for_is_there():
    papers = ("gal23-", "kcg10-", "krr20-", "ssl21-")
    assert {name for name in registry.names() if name.startswith(papers)} == set(TINY)
    figures = [f"ssl21-fig{k}" for k in range(1, 7)]
    figures += [f"gal23-fig{k}" for k in (1, 2, 3, 4, 6, 7, 8, 9, 10)]
    assert set(figures) <= set(TINY)


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_a_tiny_run_draws_every_figure_and_says_what_it_measured(name, rows_of):
    experiment = registry.get(name)
    rows = rows_of(name, **TINY[name])
    assert rows
    for row in rows:
        for column, value in row.items():
            assert isinstance(value, int | float | str | bool), column
            if column != "angle":  # an eigenspace of which a part was asked for has none
                assert not isinstance(value, float) or np.isfinite(value), column
    for drawing in experiment.drawings:
        assert points(rows, drawing), drawing.title
    for finding in experiment.check(rows):
        assert "nan" not in finding.sentence
        assert finding.sentence.endswith(".")


@pytest.mark.parametrize("name", TINY)
def test_sizes_are_those_of_the_page_and_of_the_paper(name):
    experiment = registry.get(name)
    assert set(experiment.sizes) == {"small", "paper"}
    small = experiment.sizes["small"]
    for said in small.settings():
        assert said.help
        said.checked(getattr(small, said.name), page=True)
    assert experiment.source.split(",")[0] in ("GAL23", "KCG10", "KRR20", "SSL21")
    assert experiment.text
