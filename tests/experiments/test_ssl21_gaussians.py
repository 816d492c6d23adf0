"""Two Gaussians: the samples, the methods against peers, and SSL21's numbers."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.experiments import ssl21_gaussians
from lapviz.spaces import KernelSpace


def test_a_sample_is_the_papers():
    s = ssl21_gaussians.draw(4000, 10, np.random.default_rng(0))
    assert s.labelled.sum() == 400
    assert s.labelled[:400].all()
    gap = s.X[s.y > 0].mean(axis=0) - s.X[s.y < 0].mean(axis=0)
    np.testing.assert_allclose(gap, [3.0] + [0.0] * 9, atol=0.15)
    assert ssl21_gaussians.bandwidth(100, 10, "ln") == pytest.approx(100 ** (-1 / 14) * np.log(100))
    ratio = ssl21_gaussians.bandwidth(50, 3, "ln") / ssl21_gaussians.bandwidth(50, 3, "log10")
    assert ratio == pytest.approx(np.log(10))


def test_the_kernel_method_is_the_minimiser_of_its_objective():
    rng = np.random.default_rng(1)
    s = ssl21_gaussians.draw(60, 4, rng)
    ours = ssl21_gaussians.kernel_values(s, 2.0, 60, rng)
    space = KernelSpace(kernels.get("gaussian", 2.0), s.X, False)
    G = space.gradient(s.X)
    phi, rows = space.phi(s.X), s.labelled
    energy = np.einsum("ndp,ndq->pq", G, G) / 60 + space.gram / 60
    A = phi[rows].T @ phi[rows] / rows.sum() + energy
    b = phi[rows].T @ s.y[rows] / rows.sum()
    by_hand = phi @ np.linalg.lstsq(A, b, rcond=1e-13)[0]
    np.testing.assert_allclose(ours, by_hand, atol=1e-4)


def test_errors_by_hand():
    s = ssl21_gaussians.Sample(np.zeros((4, 1)), np.array([1.0, -1, 1, -1]), np.arange(4) < 1)
    found = ssl21_gaussians.errors(s, np.array([-1.0, -1.0, -2.0, 0.5]))
    assert found["error"] == pytest.approx(2 / 3)
    assert found["error_all"] == pytest.approx(3 / 4)
    assert found["squared"] == pytest.approx((0 + 9 + 2.25) / 3)
    assert found["amplitude"] == pytest.approx(np.sqrt((1 + 4 + 0.25) / 3))
