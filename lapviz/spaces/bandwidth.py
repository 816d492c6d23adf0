r"""``bandwidth="auto"``: a kernel width from the data and the number of landmarks.

The test functions must overlap, or the trial space has holes in which every function is flat and
the learnt eigenvalues are far too large; and they should be no wider than that, or fine structure
(sheets of a roll, neighbouring circles) is smoothed away. Both lead to a small multiple of the
distance from a sample to its nearest landmark. In high dimension that distance is nearly the
spread of the sample, and a width beyond the spread gains nothing: there the spread is the bound.
For a Gaussian

    σ = min(4.5 · h, s),

h the mean distance of a sample to the landmark nearest to it, s the root mean square distance of
the samples to their mean. Both are lengths: x → cx + t turns σ into cσ. The factor was tuned on
the built-in data sets: at 2 and below, two half-moons have holes; from 5.5 on, the labels of four
circles begin to mix.
"""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

from lapviz import kernels
from lapviz.checks import check_count, check_points
from lapviz.kernels import Kernel

Array = np.ndarray

OVERLAP = 4.5  # σ of a Gaussian in units of the mean distance to the nearest landmark
N_LANDMARKS = 200
N_DRAWS = 4  # draws of landmarks to average over; one is enough for thousands
N_QUERIES = 500  # samples in each draw
_SAME = 1e-7  # distances below this part of s are rounding of 0


def auto_bandwidth(
    X: Array,
    kernel: str | Kernel | type[Kernel] = "gaussian",
    n_landmarks: int | None = None,
    random_state=0,
) -> float:
    """Width σ that suits the sample X and a number of landmarks drawn from it.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    kernel : str, Kernel or Kernel class, default "gaussian"
        The Gaussian's width (see the module's docstring) times the kernel's ``scale``. For a
        dot-product kernel, which has an origin and no width, the root mean square norm of X.
    n_landmarks : int, optional
        p; 200 by default, and at most n.
    random_state : int, RandomState or None, default 0
        Seed of the landmarks and samples on which distances are measured.

    Returns
    -------
    float
        σ, positive and finite, in the units of X; 1.0 if all samples coincide (for a dot-product
        kernel: if all are 0).

    Raises
    ------
    ValueError
        If X is not finite, the kernel unknown, or n_landmarks no positive integer.
    """
    X = check_points(X)
    cls = _kernel_class(kernel)
    p = check_count("n_landmarks", N_LANDMARKS if n_landmarks is None else n_landmarks)
    # A power of two as the unit: exact, and squares stay inside the range of doubles.
    largest = np.abs(X).max()
    if largest == 0:
        return 1.0
    unit = 2.0 ** np.clip(np.frexp(largest)[1], -1020, 1020)
    X = X / unit
    if not cls.shift_invariant:
        return _positive(np.sqrt(np.mean(np.einsum("ij,ij->i", X, X))) * unit)
    X = X - X.mean(axis=0)
    spread = np.sqrt(np.mean(np.einsum("ij,ij->i", X, X)))
    if spread <= 1e-14:  # rounding of the mean of equal numbers
        return 1.0
    distance = landmark_distance(X, min(p, len(X)), check_random_state(random_state), spread)
    return _positive(cls.scale * min(OVERLAP * distance, spread) * unit)


def landmark_distance(X: Array, p: int, rng, spread: float) -> float:
    """Mean distance of a sample to the nearest other of p landmarks drawn uniformly.

    ``spread`` is returned where there is none: each sample coincides with a landmark.
    """
    n = len(X)
    means = []
    for _ in range(N_DRAWS if p < 2000 else 1):
        landmarks = X[rng.choice(n, p, replace=False)]
        queries = X[rng.choice(n, min(n, N_QUERIES), replace=False)]
        near = NearestNeighbors(n_neighbors=min(2, p)).fit(landmarks).kneighbors(queries)[0]
        # A query that is a landmark itself takes the distance to the next one.
        near = np.where(near > _SAME * spread, near, np.inf).min(axis=1)
        near = near[np.isfinite(near)]
        if near.size:
            means.append(near.mean())
    return float(np.mean(means)) if means else spread


def _kernel_class(kernel) -> type[Kernel]:
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        return kernel
    return type(kernels.get(kernel))


def _positive(value: float) -> float:
    """The value clipped to the range of positive doubles."""
    return float(np.clip(value, np.finfo(float).tiny, np.finfo(float).max))
