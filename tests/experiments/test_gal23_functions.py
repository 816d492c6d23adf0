"""Learnt eigenfunctions beside known ones, Hermite regression, and times."""

from itertools import product

import numpy as np

from lapviz import datasets
from lapviz.charts import drawn_rows, points
from lapviz.experiments import gal23_functions, registry


def test_hermite_polynomials_come_out(rows_of):
    rows = rows_of("gal23-fig6", n=4000, p=60, trials=1)
    found = [row["eigenvalue"] for row in rows]
    np.testing.assert_allclose(found, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3], atol=0.8)
    np.testing.assert_allclose(found[:6], [0, 1, 1, 2, 2, 2], atol=0.25)
    assert all(row["angle"] < 25 for row in rows)


def test_harmonics_need_the_tangential_gradient_for_their_eigenvalues(rows_of):
    rows = rows_of("gal23-fig2", n=4000, p=40, trials=1)
    truth = datasets.truths.sphere_spectrum(3, 15)[1:]
    error = {}
    for gradient in ("ambient", "tangential"):
        found = [row["eigenvalue"] for row in rows if row["gradient"] == gradient]
        error[gradient] = np.abs(found[1:] / truth - 1)
    assert error["tangential"].max() < 0.15 < 0.3 < error["ambient"].min()
    # the eigenspaces are right with both
    assert max(row["angle"] for row in rows if row["index"] < 9) < 20


def test_a_cut_eigenspace_has_no_angle():
    data = datasets.load("gaussian", n_samples=300, random_state=0)
    values = data.truth.functions(data.X, 5)  # 0, 1, 1, and two of the three 2s
    found = gal23_functions.angles_of(data, data.X, values)
    assert np.isnan(found[3:]).all()
    np.testing.assert_allclose(found[:3], 0.0, atol=1e-3)


def test_two_moons_have_two_nearly_constant_functions(rows_of):
    found = [row["eigenvalue"] for row in rows_of("gal23-fig1", n=3000, p=100, trials=1)]
    assert found[0] == 0
    assert found[1] < 0.5 < 0.9 < found[2]
    assert (np.diff(found) > 0).all()


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
