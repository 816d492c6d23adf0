"""Two Gaussians, a tenth of the points labelled: the methods of SSL21 Figures 3 to 5.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import datasets, graphs, kernels, operators
from lapviz.estimates import exact, labelled
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import RepresenterSpace

Array = np.ndarray

LAM = 1.0
LOGS = {"ln": np.log, "log10": np.log10}  # of σ_n = n^(−1/(d+4)) log n: the text, the code
METHODS = {
    "kernel": "kernel Laplacian",
    "graph": "graph Laplacian",
    "ridge": "kernel ridge on the labels",
    "exact": "exact, n(d + 1) functions",
}


@dataclass(frozen=True, eq=False)
class Sample:
    """Points (n, d), classes ±1 (n,), and which are labelled (n,)."""

    X: Array
    y: Array
    labelled: Array


def draw(n: int, d: int, rng: np.random.Generator, delta: float = 3.0) -> Sample:
    """Unit normal laws at distance δ, classes in turn, the first n/10 points labelled."""
    data = datasets.load(
        "two_gaussians", n_samples=n, random_state=rng, dimension=d, separation=delta
    )
    return Sample(data.X, np.where(data.y > 0, 1.0, -1.0), data.labelled)


def bandwidth(n: int, d: int, log: str) -> float:
    """σ_n = n^(−1/(d+4)) log n (SSL21 B.2), natural or decimal."""
    return float(n ** (-1.0 / (d + 4)) * LOGS[log](n))


def kernel_values(s: Sample, sigma: float, p: int, rng: np.random.Generator) -> Array:
    """The estimate (5) on p random landmarks: λ = 1, μ = 1/n, data term on the labels."""
    centres = s.X[rng.permutation(len(s.X))[:p]]
    space = KernelSpace(kernels.get("gaussian", sigma), centres, constant=False)
    forms = operators.assemble(space, s.X, "laplacian")
    factor = labelled.factorise(forms, 1.0 / len(s.X), constant=False)
    values = space.phi(s.X)
    y = s.y[s.labelled, None]
    return (values @ labelled.labelled_estimate(factor, values[s.labelled], y, LAM))[:, 0]


def exact_values(s: Sample, sigma: float) -> Array:
    """The same over the whole RKHS: n(d + 1) functions."""
    space = RepresenterSpace(kernels.get("gaussian", sigma), s.X)
    estimate = exact.exact_estimate(space, s.y[s.labelled, None], s.labelled, LAM, 1.0 / len(s.X))
    return space.evaluate(s.X, estimate.coefficients)[:, 0]


def graph_values(s: Sample, sigma: float) -> Array:
    """Harmonic function of the dense graph (Zhu et al. 2003), in [−1, 1]."""
    W = graphs.dense_weights(s.X, sigma)
    return graphs.harmonic(W, s.labelled, s.y[s.labelled])


def ridge_values(s: Sample, sigma: float) -> Array:
    """Kernel ridge on the labels alone, with the ridge λμ = 1/n."""
    kernel, rows = kernels.get("gaussian", sigma), s.labelled
    c = labelled.ridge_on_labels(kernel, s.X[rows], s.y[rows, None], LAM / len(s.X))
    return (kernel(s.X, s.X[rows]) @ c)[:, 0]


def methods(p: int, rng: np.random.Generator) -> dict[str, Callable[[Sample, float], Array]]:
    """Values at all points of a sample, by method."""
    return {
        "kernel": lambda s, sigma: kernel_values(s, sigma, p, rng),
        "graph": graph_values,
        "ridge": ridge_values,
        "exact": exact_values,
    }


def errors(s: Sample, values: Array) -> dict[str, float]:
    """Share of wrong signs, at unlabelled points and at all; at the first also others.

    ``squared`` is E(g − y)², ``amplitude`` the root of E g².
    """
    wrong = np.where(values > 0, 1.0, -1.0) != s.y
    g, y = values[~s.labelled], s.y[~s.labelled]
    return {
        "error": float(np.mean(wrong[~s.labelled])),
        "error_all": float(np.mean(wrong)),
        "squared": float(np.mean((g - y) ** 2)),
        "amplitude": float(np.sqrt(np.mean(g**2))),
    }
