"""The rules for "auto" in a trial space and its energy: p, σ and μ.

A classifier without a named operator has its own rules (:mod:`lapviz.fit.few_labels`). Every rule
is deterministic and follows the units of the data. Row weights enter only the rule for μ, which
compares means (:mod:`lapviz.estimates.calibration`); p and σ depend on the number of rows and the
distances between them (:mod:`lapviz.spaces.bandwidth` has σ for a number of landmarks).
"""

from __future__ import annotations

import numpy as np

from lapviz import kernels
from lapviz.estimates import calibration
from lapviz.fit.specs import SpaceSpec
from lapviz.kernels import Kernel
from lapviz.spaces import auto_bandwidth, sampling

Array = np.ndarray


def landmarks(n: int, samples_per_landmark: int = 3, least: int = 20, most: int = 300) -> int:
    """p = clip(n // samples_per_landmark, least, most), and at most n.

    By default a third of the samples, from 20 to 300. With a calibrated μ more test functions
    hardly overfit, and fewer cost accuracy: the spectral error of N(0, I₂₀) at n = 200, a mean over
    eight draws, is .27, .13, .11, .10 and .10 for p = 10, 33, 66, 100 and 200.

    Parameters
    ----------
    n : int
        Number of samples.
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
    """σ from the distance to the nearest of n // 10 landmarks, at most 200.

    A larger p does not narrow the kernel further. On a sample of n points it would become as narrow
    as their distances, and functions would vary between any two of them. Nor does a narrower kernel
    help where n allows it: for n = 100 000 and p = 1000, the spectral error is .015, .024 and .0025
    on noisy half-moons, N(0, I₂) and a square, and .040, .073 and .0071 with σ from 632 landmarks.
    """
    p = width_landmarks(space, len(X))
    X = sampling.sampled(X, n_landmarks(space, len(X)))
    # A fixed seed: a generator in random_state must not advance before landmarks are drawn.
    return float(auto_bandwidth(X, kernel=space.kernel, n_landmarks=p, random_state=0))


def width_landmarks(space: SpaceSpec, n: int) -> int:
    """The number of landmarks from which the automatic σ is computed."""
    return min(n_landmarks(space, n), landmarks(n, 10, most=200))


def reason_for_bandwidth(space: SpaceSpec, n: int) -> str:
    """The reason for the automatic σ, for a report."""
    if not kernels.get(space.kernel).shift_invariant:
        return "the root mean square norm of the samples"
    p = width_landmarks(space, n)
    return f"so that functions at {p} of {n} samples overlap, and at most the spread"


def stated_mu(mu: float | str, kernel: Kernel) -> tuple[float, str]:
    """μ that is a number or "floor", and the reason."""
    return (least_mu(kernel), "2e-5/σ²") if mu == "floor" else (float(mu), "given")


def least_mu(kernel: Kernel) -> float:
    """2·10⁻⁵/σ², in 1/length² as energies are."""
    return calibration.FLOOR / kernel.bandwidth**2
