"""The rules behind "auto" for a trial space and its energy: p, σ and μ.

A classifier without a named operator has rules of its own (:mod:`lapviz.fit.few_labels`). Every
rule follows the units of the data and is deterministic. Weights of rows enter that of μ, which
compares means; p and σ follow the number of rows and the distances between them. That of μ is in
:mod:`lapviz.estimates.calibration`, that of σ given a number of landmarks in
:mod:`lapviz.spaces.bandwidth`.
"""

from __future__ import annotations

import numpy as np

from lapviz import kernels
from lapviz.estimates import calibration
from lapviz.fit.specs import EnergySpec, SpaceSpec
from lapviz.kernels import Kernel
from lapviz.spaces import TrialSpace, auto_bandwidth, sampling

Array = np.ndarray


def landmarks(n: int, samples_per_landmark: int = 3, least: int = 20, most: int = 300) -> int:
    """p = clip(n // samples_per_landmark, least, most), and at most n.

    By default a third of the samples, from 20 to 300. With a calibrated μ more test functions
    hardly overfit, and fewer cost accuracy: the spectral error of N(0, I₂₀) at n = 200, a mean over
    eight draws, is .26, .14, .11, .12 and .13 for p = 10, 33, 66, 100 and 200.

    Parameters
    ----------
    n : int
        Samples.
    samples_per_landmark, least, most : int

    Returns
    -------
    int
    """
    return max(1, min(n, max(least, min(most, n // samples_per_landmark))))


def n_landmarks(space: SpaceSpec, n: int) -> int:
    """The number of test functions over n samples, with "auto" resolved."""
    if not isinstance(space.landmarks, str):
        return len(space.landmarks)
    return landmarks(n) if isinstance(space.n_landmarks, str) else min(space.n_landmarks, n)


def bandwidth(X: Array, space: SpaceSpec) -> float:
    """σ from the distance to the nearest landmark, of which n // 10 are enough, at most 200.

    More of them (where p is set higher) do not narrow the kernel. On a sample of n points it would
    then be as narrow as their distances, and functions would vary between any two of them. Nor does
    a narrower kernel help where n allows it: for n = 100 000 and p = 1000, the spectral error is
    .015, .024 and .0025 on noisy half-moons, N(0, I₂) and a square, and .040, .073 and .0071 with
    σ from 632 landmarks.
    """
    p = width_landmarks(space, len(X))
    X = sampling.sampled(X, n_landmarks(space, len(X)))
    # A fixed seed, so that a generator in random_state is not advanced before the landmarks.
    return float(auto_bandwidth(X, kernel=space.kernel, n_landmarks=p, random_state=0))


def width_landmarks(space: SpaceSpec, n: int) -> int:
    """How many landmarks the automatic σ is for."""
    return min(n_landmarks(space, n), landmarks(n, 10, most=200))


def reason_for_bandwidth(space: SpaceSpec, n: int) -> str:
    """Why σ is what it is."""
    if not kernels.get(space.kernel).shift_invariant:
        return "the root mean square norm of the samples"
    p = width_landmarks(space, n)
    return f"so that functions at {p} of {n} samples overlap, and at most the spread"


def mu(
    X: Array,
    kernel: Kernel,
    space: TrialSpace,
    energy: EnergySpec,
    sample_weight: Array | None = None,
) -> tuple[float, str]:
    """μ as a number, and the reason for it; "auto" is calibrated, "floor" is 2·10⁻⁵/σ²."""
    if not isinstance(energy.mu, str):
        return float(energy.mu), "given"
    if energy.mu == "floor":
        return least_mu(kernel), "2e-5/σ²"
    n, rows = len(X), sampling.rows(len(X), sampling.size(space.n_functions, X.shape[1]))
    weights = None if sample_weight is None else sample_weight[rows]
    made = calibration.calibrate(space, X[rows], energy.operator, kernel.bandwidth, weights, n)
    return made.mu, made.reason


def least_mu(kernel: Kernel) -> float:
    """2·10⁻⁵/σ², in 1/length² as energies are."""
    return calibration.FLOOR / kernel.bandwidth**2
