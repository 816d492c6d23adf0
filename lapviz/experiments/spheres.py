"""Eigenvalues of the uniform law on a sphere, from Galerkin forms and from graphs (GAL23 §7.1).

All numbers p of landmarks come from one assembly: landmarks are independent draws, the first p of
them a draw of p, and their forms the leading blocks.

GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
algorithms*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from scipy.spatial.distance import cdist

from lapviz import forms, kernels, operators, spectra
from lapviz.datasets.truths import sphere_spectrum
from lapviz.metrics import spectral_error
from lapviz.progress import report
from lapviz.spaces import KernelSpace, TrialSpace

Array = np.ndarray

N_EIGENVALUES = 25  # k of GAL23 eq. (21), the constant's 0 not counted
TOLERANCE = 1e-12  # wide kernels: their functions differ from the constant by 1e-4 and less
TINY = 1e-200  # sum of eigenvalues of a graph without edges
WORST = 100.0  # larger errors count as this; a spurious zero would be infinite
NO_GRAPH = "none"
OWN = "own kernel"  # weights w_ij = k(x_i, x_j) of the test functions' kernel
_BLOCK = 256  # rows of the graph's weights at once


def sphere(n: int, d: int, rng: np.random.Generator) -> Array:
    """Uniform points (n, d) on the unit sphere of R^d."""
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def kernel(name: str, parameter: float) -> kernels.Kernel:
    """(1 + xᵀy)^s with s the parameter, or a kernel whose σ it is."""
    if name == "polynomial":
        return kernels.get(name, degree=int(parameter))
    return kernels.get(name, float(parameter))


def galerkin_forms(space: TrialSpace, X: Array, tangential: bool) -> forms.Forms:
    """Forms over X (n, d) on the unit sphere, with the ambient or with the tangential gradient.

    E‖∇_T g‖² = E‖∇g‖² − E⟨x, ∇g⟩²: one direction instead of the d − 1 tangents.
    """
    ambient = operators.assemble(space, X, "laplacian")
    if not tangential:
        return ambient
    normal = forms.assemble(space, X, X[:, None, :])
    return ambient.with_stiffness(ambient.stiffness - normal.stiffness)


def weights_of(name: str, parameter: float) -> Callable[[Array, Array], Array]:
    """Weights (m, n) between points: a kernel's values, never negative on the sphere."""
    if name == "polynomial":
        its = kernel(name, parameter)
        return lambda A, B: np.maximum(its(A, B), 0.0)
    if name == "exponential":
        return lambda A, B: np.exp(-cdist(A, B) / parameter)
    return lambda A, B: np.exp(cdist(A, B, "sqeuclidean") / (-2.0 * parameter**2))


def graph_forms(
    spaces: Sequence[TrialSpace], X: Array, weights: Callable[[Array, Array], Array]
) -> list[forms.Forms]:
    """Forms of several spaces with the energy of one dense graph, S = Φᵀ(D − W)Φ/n (GAL23 B.1).

    W is made in blocks of rows, once for all spaces: 8np bytes, O(n²p) operations. Φ is centred
    first, which changes nothing and saves digits where all weights are alike.
    """
    n = len(X)
    values = [space.phi(X) for space in spaces]
    centred = np.hstack([phi - phi.mean(axis=0) for phi in values])
    ends = np.cumsum([0] + [phi.shape[1] for phi in values])
    parts = [slice(a, b) for a, b in pairwise(ends)]
    energies = [np.zeros((phi.shape[1],) * 2) for phi in values]
    for start in range(0, n, _BLOCK):
        rows = slice(start, min(start + _BLOCK, n))
        W = weights(X[rows], X)
        W[np.arange(len(W)), np.arange(rows.start, rows.stop)] = 0.0
        image = W.sum(axis=1)[:, None] * centred[rows] - W @ centred
        for energy, part in zip(energies, parts, strict=True):
            energy += centred[rows, part].T @ image[:, part]
        report("graph", rows.stop, n)
    return [
        forms.Forms(phi.T @ phi / n, 0.5 * (S + S.T) / n, np.zeros_like(S), n)
        for phi, S in zip(values, energies, strict=True)
    ]


def eigenvalues(its: forms.Forms, p: int) -> Array:
    """The first eigenvalues on the constant and the first p landmarks; fewer if there are."""
    part = its.restrict(slice(0, p + 1))
    return spectra.spectrum(
        part, 0.0, N_EIGENVALUES + 1, tolerance=TOLERANCE, least_energy=False
    ).gamma


def error(gamma: Array, d: int, matched: bool = False) -> float:
    """E_S of GAL23 eq. (21) for eigenvalues on the sphere of R^d, the constant's first.

    ``matched`` scales them so that their sum is the true one, as GAL23 B.1 does for graphs, which
    have no scale of their own.
    """
    truth = sphere_spectrum(d, N_EIGENVALUES + 1)
    if matched:
        total = gamma.sum()
        if not total > TINY:  # no edge has a weight
            return WORST
        gamma = gamma * (truth[: len(gamma)].sum() / total)
    return min(spectral_error(truth, gamma), WORST)


def default_error(d: int) -> float:
    """E_S of equal eigenvalues with the true sum: what a graph reaches that knows nothing else."""
    truth = sphere_spectrum(d, N_EIGENVALUES + 1)
    return spectral_error(truth, np.append(0.0, np.full(N_EIGENVALUES, truth[1:].mean())))


def galerkin_rows(
    X: Array, grid: Sequence[tuple[str, float]], counts: Sequence[int], tangential: bool
) -> list[dict]:
    """E_S for every kernel and number of landmarks; the landmarks are the first rows of X."""
    counts, rows = [p for p in counts if p <= len(X)], []
    if not counts:
        return rows
    for done, (name, parameter) in enumerate(grid):
        report("kernels", done, len(grid))
        space = KernelSpace(kernel(name, parameter), X[: max(counts)])
        its = galerkin_forms(space, X, tangential)
        rows += _rows(its, name, parameter, counts, X.shape[1], NO_GRAPH)
    return rows


def graph_rows(
    X: Array,
    grid: Sequence[tuple[str, float]],
    counts: Sequence[int],
    scales: Sequence[float],
    own: bool = True,
) -> list[dict]:
    """E_S for every kernel, number of landmarks and weights: Gaussian of each scale, or its own."""
    counts = [p for p in counts if p <= len(X)]
    if not counts:
        return []
    spaces = [KernelSpace(kernel(*choice), X[: max(counts)]) for choice in grid]
    jobs = [(f"gaussian {s:g}", weights_of("gaussian", s), range(len(grid))) for s in scales]
    if own:
        jobs += [(OWN, weights_of(*choice), (i,)) for i, choice in enumerate(grid)]
    rows = []
    for label, weights, which in jobs:
        found = graph_forms([spaces[i] for i in which], X, weights)
        for i, its in zip(which, found, strict=True):
            rows += _rows(its, *grid[i], counts, X.shape[1], label)
    return rows


def _rows(its: forms.Forms, name, parameter, counts, d: int, weights: str) -> list[dict]:
    matched = weights != NO_GRAPH
    return [
        {
            "kernel": name,
            "parameter": float(parameter),
            "p": p,
            "weights": weights,
            "error": error(eigenvalues(its, p), d, matched),
        }
        for p in counts
    ]
