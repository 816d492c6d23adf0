"""Hermite regression's tables: the required errors, and the settings in the rows."""

import numpy as np
import pytest

from lapviz import kernels
from lapviz.experiments.hermite import FEW_HEADS, few_table
from lapviz.spaces import KernelSpace


def test_a_row_of_figure_4_by_hand(rows_of):
    rows = rows_of("hermite", bandwidths=(0.5,), ridges=(1e-6,), trials=1, n=200, p=30)
    found = {row["method"]: row["error"] for row in rows}
    rng = np.random.default_rng(0)
    X, new = rng.uniform(size=(200, 2)), rng.uniform(size=(2000, 2))
    space = KernelSpace(kernels.get("gaussian", 0.5), X[:30], constant=False)
    phi, G = space.phi(X), space.gradient(X).reshape(-1, 30)
    for weight, method in enumerate(("plain", "hermite")):
        A = (phi.T @ phi + weight * G.T @ G) / 200 + 1e-6 * np.eye(30)
        c = np.linalg.solve(A, phi.mean(axis=0))
        error = np.sqrt(np.mean((space.phi(new) @ c - 1) ** 2))
        assert error == pytest.approx(found[method], rel=1e-5)


@pytest.mark.long
def test_a_dozen_samples_with_slopes(rows_of):
    """Each at its best ridge, Hermite's error is at most a third of plain's, given functions
    enough; with the twelve kernel functions of the samples alone it is not."""
    few = ("gaussian 1, representer", "gaussian 1, grid", "gaussian 1, samples")
    lines = few_table(rows_of("hermite-few", spaces=few, trials=10))
    *enough, scarce = (dict(zip(FEW_HEADS, line, strict=True)) for line in lines)
    for its in enough:
        assert its["ratio"] < 1 / 8
        assert its["hermite"] < its["plain"] / 8
    assert scarce["ratio"] > 1 / 3
