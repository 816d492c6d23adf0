"""Learnt eigenfunctions beside known ones, Hermite regression, and times."""

from itertools import product

import numpy as np
import pytest

from lapviz import datasets
from lapviz.charts import drawn_rows, points
from lapviz.experiments import gal23_functions, registry

SPHERE = datasets.truths.sphere_spectrum(3, 15)


HERMITE = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]


@pytest.mark.parametrize(
    ("name", "gradient", "p", "truth", "within", "degrees"),
    [
        ("gal23-fig6", "ambient", 60, HERMITE, [0.25] * 6 + [0.8] * 4, 25),
        ("gal23-fig2", "tangential", 40, SPHERE, 0.15 * SPHERE, 20),
        ("gal23-fig2", "ambient", 40, SPHERE, None, 20),  # wrong values, right eigenspaces
        ("gal23-fig1", "ambient", 100, None, None, None),
    ],
)
def test_what_is_learnt_is_what_is_known(name, gradient, p, truth, within, degrees, rows_of):
    rows = [r for r in rows_of(name, n=4000, p=p, trials=1) if r["gradient"] == gradient]
    values = np.array([row["eigenvalue"] for row in rows])
    if truth is None:  # of two moons: a constant on each, then cosines
        assert values[0] == 0
        assert values[1] < 0.5 < 0.9 < values[2]
        assert (np.diff(values) > 0).all()
        return
    if within is None:
        assert np.abs(values[1:] / truth[1:] - 1).min() > 0.3
    else:
        assert (np.abs(values - truth) <= within).all()
    assert (
        max(row["angle"] for row in rows if row["index"] < (9 if truth is SPHERE else 10)) < degrees
    )


def test_a_cut_eigenspace_has_no_angle():
    data = datasets.load("gaussian", n_samples=300, random_state=0)
    values = data.truth.functions(data.X, 5)  # 0, 1, 1, and two of the three 2s
    found = gal23_functions.angles_of(data, data.X, values)
    assert np.isnan(found[3:]).all()
    np.testing.assert_allclose(found[:3], 0.0, atol=1e-3)


def test_a_table_of_a_search_keeps_what_its_figures_show():
    """The figures of the rows kept are those of all rows."""
    rng = np.random.default_rng(0)
    searched = {"n": (60, 120), "d": (3, 9), "trial": range(2), "kernel": ("gaussian", "own"),
                "parameter": (1, 2), "p": (31, 50)}  # fmt: skip
    ways = [("ambient", "none"), ("tangential", "none"), ("graph", "0.1"), ("graph", "1")]
    rows = [{"method": method, "weights": weights, "error": rng.random()}
            | dict(zip(searched, choice, strict=True))
            for choice in product(*searched.values()) for method, weights in ways]  # fmt: skip
    figures = [d for k in (3, 7, 8, 9, 10) for d in registry.get(f"gal23-fig{k}").drawings]
    kept = drawn_rows(rows, figures)
    assert 0 < len(kept) < len(rows)
    for drawing in figures:
        assert sorted(points(kept, drawing), key=str) == sorted(points(rows, drawing), key=str)
