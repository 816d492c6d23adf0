"""Eigenvalues of spheres: identities of the forms, E_S by hand, and the papers' claims."""

import numpy as np
import pytest

from lapviz import graphs, operators
from lapviz.datasets.truths import sphere_spectrum
from lapviz.experiments import gal23_spheres as spheres
from lapviz.spaces import KernelSpace


@pytest.fixture
def sample():
    X = spheres.sphere(200, 4, np.random.default_rng(0))
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
    return X


@pytest.mark.parametrize("choice", [("gaussian", 0.8), ("exponential", 1.0), ("polynomial", 3)])
def test_the_tangential_form_is_that_of_the_tangent_directions(sample, choice):
    space = KernelSpace(spheres.kernel(*choice), sample[:30])
    ours = spheres.galerkin_forms(space, sample, tangential=True)
    theirs = operators.assemble(space, sample, "sphere")
    np.testing.assert_allclose(ours.stiffness, theirs.stiffness, atol=1e-10)
    np.testing.assert_allclose(ours.mass, theirs.mass, atol=1e-12)


@pytest.mark.parametrize("choice", [("gaussian", 0.5), ("exponential", 1.0), ("polynomial", 4)])
def test_the_graphs_energy_is_a_sum_over_pairs(sample, choice, monkeypatch):
    monkeypatch.setattr(spheres, "_BLOCK", 37)
    spaces = [KernelSpace(spheres.kernel(*c), sample[:20]) for c in (("gaussian", 1.0), choice)]
    found = spheres.graph_forms(spaces, sample, spheres.weights_of(*choice))
    W = spheres.kernel(*choice)(sample, sample)
    for space, its in zip(spaces, found, strict=True):
        phi = space.phi(sample)
        expected = phi.T @ graphs.laplacian(W) @ phi / len(sample)
        np.testing.assert_allclose(its.stiffness, expected, atol=1e-8 * np.abs(expected).max())


def test_fewer_landmarks_are_leading_blocks(sample):
    all_at_once = spheres.error_rows(sample, [("gaussian", 1.0)], (31, 60))
    alone = spheres.error_rows(sample, [("gaussian", 1.0)], (31,))
    assert all_at_once[0]["error"] == pytest.approx(alone[0]["error"], rel=1e-6)
    assert [row["p"] for row in all_at_once] == [31, 60]


def test_the_error_by_hand():
    truth = sphere_spectrum(3, 26)
    assert spheres.error(truth, 3) == 0
    assert spheres.error(2 * truth, 3) == pytest.approx(0.5)
    assert spheres.error(2 * truth, 3, matched=True) == pytest.approx(0.0, abs=1e-12)
    assert spheres.error(truth[:1], 3) == 1
    assert spheres.error(np.zeros(26), 3) == spheres.WORST
    assert spheres.error(np.r_[0.0, np.full(25, 1e-310)], 3, matched=True) == spheres.WORST
    mean = truth[1:].mean()
    by_hand = np.abs(1 / truth[1:] - 1 / mean).sum() / (1 / truth[1:]).sum()
    assert spheres.default_error(3) == pytest.approx(by_hand)
