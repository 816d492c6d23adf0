"""Four circles with four labels: the estimates of SSL21 Figures 1, 2 and 6.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz import datasets, forms, kernels, operators, spectra
from lapviz.estimates import filters, labelled
from lapviz.spaces import KernelSpace

Array = np.ndarray

N_LABELS = 4
LAMS = tuple(float(lam) for lam in 10.0 ** np.arange(-6, 9))
OPERATORS = {"ambient": "laplacian", "tangential": "sphere"}
TOLERANCE = 1e-12  # so that no direction is dropped that a small μ could use


@dataclass(frozen=True, eq=False)
class Sample:
    """Points (n + 4, d), the labelled ones first; ±1; the radius of each point's circle."""

    X: Array
    y: Array
    radius: Array


def draw(n: int, noise: float, rng: np.random.Generator) -> Sample:
    """n unlabelled points on circles of radius 1 to 4, and the paper's labelled ones."""
    data = datasets.load("four_circles", n_samples=n, noise=noise, random_state=rng)
    radius = np.clip(np.rint(np.hypot(*data.X.T)), 1, 4)
    return Sample(data.X, np.where(data.y == 1, 1.0, -1.0), radius)


def space_and_forms(
    s: Sample, sigma: float, p: int, operator: str, rng: np.random.Generator
) -> tuple[KernelSpace, forms.Forms]:
    """Gaussian kernel functions on p random points, and their forms."""
    centres = s.X[rng.permutation(len(s.X))[:p]]
    space = KernelSpace(kernels.get("gaussian", sigma), centres, constant=False)
    return space, operators.assemble(space, s.X, operator)


def accuracy(s: Sample, values: Array) -> float:
    """Share of right signs at the unlabelled points."""
    return float(np.mean((values[N_LABELS:] > 0) == (s.y[N_LABELS:] > 0)))


def labelled_values(phi: Array, its: forms.Forms, mu: float, y: Array, lam: float) -> Array:
    """The estimate (5), data term on the labels, at all points."""
    factor = labelled.factorise(its, mu, constant=False)
    return _labelled(factor, phi, y, lam)


def _labelled(factor, phi: Array, y: Array, lam: float) -> Array:
    c = labelled.labelled_estimate(factor, phi[:N_LABELS], y[:N_LABELS, None], lam)
    return (phi @ c)[:, 0]


def constant_part(s: Sample, values: Array) -> float:
    """Share of the mean square that the circles' means hold."""
    means = {r: values[s.radius == r].mean() for r in np.unique(s.radius)}
    fitted = np.array([means[r] for r in s.radius])
    return float(np.mean(fitted**2) / np.mean(values**2))


def filtered(s: Sample, phi: Array, its: forms.Forms, mu: float) -> list[tuple[str, float, float]]:
    """Filter, λ and accuracy, for all of both; data term over all points, and on the labels."""
    pairs = spectra.spectrum(its, mu, tolerance=TOLERANCE)
    functions = phi @ pairs.vectors
    b = functions[:N_LABELS].T @ s.y[:N_LABELS] / N_LABELS
    # λ in units of 1/γ₁: a filter of Σ alone has γ of another size
    unit = 1.0 / max(pairs.gamma[0], 1e-12)
    found = []
    for name in ("tikhonov", "heat", "cutoff"):
        for lam in LAMS:
            weights = filters.get(name)(pairs.gamma, lam * unit * 1e-2)
            found.append((name, lam, accuracy(s, functions @ (weights * b))))
    factor = labelled.factorise(its, mu, constant=False)
    for lam in LAMS:
        values = _labelled(factor, phi, s.y, lam * unit * 1e-2)
        found.append(("tikhonov, labels only", lam, accuracy(s, values)))
    return found
