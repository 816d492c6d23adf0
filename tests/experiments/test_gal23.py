"""Learnt eigenfunctions and eigenvalues beside known ones: identities of the forms, E_S by hand."""

from itertools import product

import numpy as np
import pytest

from lapviz import datasets, graphs, operators
from lapviz.charts import drawn_rows, points
from lapviz.datasets.truths import sphere_spectrum
from lapviz.experiments import gal23_functions, registry
from lapviz.experiments import gal23_spheres as spheres
from lapviz.spaces import KernelSpace

# ---- functions -----------------------------------------------------------------------------------


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
    if truth is None:  # two moons: a constant on each, then cosines
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
    angles = gal23_functions.angles_of(data, data.X, values)
    assert np.isnan(angles[3:]).all()
    np.testing.assert_allclose(angles[:3], 0.0, atol=1e-3)


def test_eigenvalues_beyond_the_known_ones_keep_their_rows_and_have_no_angle(rows_of):
    data = datasets.load("gaussian", n_samples=300, random_state=0)
    known = len(data.truth.eigenvalues)  # 32: four of the eight 7s are the last
    values = data.truth.functions(data.X, known)
    angles = gal23_functions.angles_of(data, data.X, np.hstack([values, values[:, :8]]))
    assert np.isnan(angles).tolist() == [False] * 28 + [True] * 12
    rows = rows_of("gal23-fig6", n=2000, p=60, degree=8, count=40, trials=1)
    assert [row["index"] for row in rows] == [*range(40)] * (len(rows) // 40)


def test_a_table_of_a_search_keeps_what_its_figures_show():
    """The figures of the kept rows are those of all rows."""
    rng = np.random.default_rng(0)
    grid = {"n": (60, 120), "d": (3, 9), "trial": range(2), "kernel": ("gaussian", "own"),
            "parameter": (1, 2), "p": (31, 50)}  # fmt: skip
    methods = [("ambient", "none"), ("tangential", "none"), ("graph", "0.1"), ("graph", "1")]
    rows = [{"method": method, "weights": weights, "error": rng.random()}
            | dict(zip(grid, choice, strict=True))
            for choice in product(*grid.values()) for method, weights in methods]  # fmt: skip
    figures = [d for k in (3, 7, 8, 9, 10) for d in registry.get(f"gal23-fig{k}").drawings]
    kept = drawn_rows(rows, figures)
    assert 0 < len(kept) < len(rows)
    for drawing in figures:
        assert sorted(points(kept, drawing), key=str) == sorted(points(rows, drawing), key=str)


# ---- spheres -------------------------------------------------------------------------------------


@pytest.fixture
def sample():
    X = spheres.sphere(200, 4, np.random.default_rng(0))
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
    return X


@pytest.mark.parametrize("choice", [("gaussian", 0.8), ("exponential", 1.0), ("polynomial", 3)])
def test_the_tangential_form_is_that_of_the_tangent_directions(sample, choice):
    space = KernelSpace(spheres.kernel(*choice), sample[:30])
    forms = spheres.galerkin_forms(space, sample, tangential=True)
    expected = operators.assemble(space, sample, "sphere")
    np.testing.assert_allclose(forms.stiffness, expected.stiffness, atol=1e-10)
    np.testing.assert_allclose(forms.mass, expected.mass, atol=1e-12)


@pytest.mark.parametrize("choice", [("gaussian", 0.5), ("exponential", 1.0), ("polynomial", 4)])
def test_the_graphs_energy_is_a_sum_over_pairs(sample, choice, monkeypatch):
    monkeypatch.setattr(spheres, "_BLOCK", 37)
    spaces = [KernelSpace(spheres.kernel(*c), sample[:20]) for c in (("gaussian", 1.0), choice)]
    assembled = spheres.graph_forms(spaces, sample, spheres.weights_of(*choice))
    W = spheres.kernel(*choice)(sample, sample)
    for space, forms in zip(spaces, assembled, strict=True):
        phi = space.phi(sample)
        expected = phi.T @ graphs.laplacian(W) @ phi / len(sample)
        np.testing.assert_allclose(forms.stiffness, expected, atol=1e-8 * np.abs(expected).max())


def test_fewer_landmarks_are_leading_blocks(sample):
    together = spheres.error_rows("ambient", sample, [("gaussian", 1.0)], (31, 60))
    alone = spheres.error_rows("ambient", sample, [("gaussian", 1.0)], (31,))
    assert together[0]["error"] == pytest.approx(alone[0]["error"], rel=1e-6)
    assert [row["p"] for row in together] == [31, 60]


def test_the_error_by_hand():
    truth = sphere_spectrum(3, 26)
    assert spheres.error(truth, 3) == 0
    assert spheres.error(2 * truth, 3) == pytest.approx(0.5)
    assert spheres.error(2 * truth, 3, matched=True) == pytest.approx(0.0, abs=1e-12)
    assert spheres.error(truth[:1], 3) == 1
    assert spheres.error(np.zeros(26), 3) == spheres.WORST
    assert spheres.error(np.r_[0.0, np.full(25, 1e-310)], 3, matched=True) == spheres.WORST
    mean = truth[1:].mean()
    expected = np.abs(1 / truth[1:] - 1 / mean).sum() / (1 / truth[1:]).sum()
    assert spheres.default_error(3) == pytest.approx(expected)
