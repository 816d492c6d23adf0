r"""``bandwidth="auto"``: a kernel width from the data and the number of landmarks.

The test functions must overlap, or the trial space has holes in which every function is flat and
the learnt eigenvalues are far too large; and they should be no wider than that, or fine structure
(sheets of a roll, neighbouring circles) is smoothed away. Both lead to a small multiple of the
distance from a sample to its nearest landmark. In high dimension that distance is nearly the
spread of the sample. A width beyond the spread gains nothing, so the spread is the upper bound.
For a Gaussian

    σ = min(4.5 · h, s),

h the mean distance from a sample to its nearest landmark, s the root mean square distance of
the samples to their mean. Both are lengths: x → cx + t turns σ into cσ. The factor was tuned on
the built-in data sets: at 2 and below, two half-moons have holes; from 5.5 on, the labels of four
circles begin to mix.

Outliers, of which one could spoil either mean, are left out: samples whose distance from the
medians, the largest over the coordinates, is more than ten times its third quartile. Gaussian
samples have none (in one dimension the factor reaches 4 at n = 100 000), nor has any built-in data
set; up to a quarter of the rows may be outliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

from lapviz import kernels
from lapviz.checks import check_count, check_points
from lapviz.kernels import Kernel
from lapviz.linalg import blocks

Array = np.ndarray

OVERLAP = 4.5  # σ of a Gaussian in units of the mean distance to the nearest landmark
N_LANDMARKS = 200
N_DRAWS = 4  # draws of landmarks to average over; one is enough for thousands
N_QUERIES = 500  # samples in each draw
OUTLIER = 10.0  # an outlier is farther out than this times the third quartile of the distances
_MEDIAN_POOL = 2000  # samples from which the medians of the coordinates are taken
_BLOCK = 1 << 20  # numbers of X copied at once
_COINCIDENT = 1e-7  # distances below this share of s are rounding of 0


def auto_bandwidth(
    X: Array,
    kernel: str | Kernel | type[Kernel] = "gaussian",
    n_landmarks: int | None = None,
    random_state: Any = 0,
) -> float:
    """Width σ that suits the sample X and a number of landmarks drawn from it.

    Parameters
    ----------
    X : array (n, d)
        Samples. X is not copied, and float32 is converted one block at a time.
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
        If X is not finite, the kernel is unknown, or n_landmarks is not a positive integer.
    """
    X = check_points(X, keep_single=True)
    cls: Any = kernel
    if not (isinstance(kernel, type) and issubclass(kernel, Kernel)):
        cls = type(kernels.get(kernel))
    p = check_count("n_landmarks", N_LANDMARKS if n_landmarks is None else n_landmarks)
    rows = _inliers(X, None if cls.shift_invariant else 0.0)
    # The unit is a power of two, so that scaling is exact and squares do not overflow.
    largest = max(np.abs(block).max() for block in _blocks(X, rows, 0.0, 1.0))
    if largest == 0:
        return 1.0
    unit = 2.0 ** np.clip(np.frexp(largest)[1], -1020, 1020)
    center = np.zeros(X.shape[1])
    if cls.shift_invariant:
        center = sum(block.sum(axis=0) for block in _blocks(X, rows, 0.0, unit)) / len(rows)
    squares = sum((block * block).sum() for block in _blocks(X, rows, center, unit))
    width = spread = np.sqrt(squares / len(rows))
    if cls.shift_invariant:
        if spread <= 1e-14:  # rounding of the mean of equal numbers
            return 1.0
        n, p, rng = len(rows), min(p, len(rows)), check_random_state(random_state)
        means = []  # mean distance to the nearest other landmark, for each draw
        for _ in range(N_DRAWS if p < 2000 else 1):
            drawn = rng.choice(n, p, replace=False), rng.choice(n, min(n, N_QUERIES), replace=False)
            landmarks, queries = (X[rows[at]].astype(np.float64) / unit - center for at in drawn)
            tree = NearestNeighbors(n_neighbors=min(2, p)).fit(landmarks)
            nearest = tree.kneighbors(queries)[0]
            # A query that is a landmark itself takes the distance to the next one.
            nearest = np.where(nearest > _COINCIDENT * spread, nearest, np.inf).min(axis=1)
            nearest = nearest[np.isfinite(nearest)]
            if nearest.size:
                means.append(nearest.mean())
        distance = np.mean(means) if means else spread  # each sample coincides with a landmark
        width = cls.scale * min(OVERLAP * distance, spread)
    return float(np.clip(width * unit, np.finfo(float).tiny, np.finfo(float).max))


def _inliers(X: Array, center: Array | float | None) -> Array:
    """Rows that are not outliers by their distance from the center, by default the medians.

    The distance is the largest over the coordinates, which does not overflow.
    """
    n = len(X)
    if center is None:
        pool = np.random.default_rng(0).choice(n, min(n, _MEDIAN_POOL), replace=False)
        center = np.quantile(X[pool], 0.5, axis=0, method="lower").astype(np.float64)
    with np.errstate(over="ignore"):
        parts = _blocks(X, np.arange(n), center, 1.0)
        distance = np.concatenate([np.abs(part).max(axis=1) for part in parts])
    positive = distance[distance > 0]  # half of the samples or more may coincide
    if not positive.size:
        return np.arange(n)
    return np.flatnonzero(distance <= OUTLIER * np.quantile(positive, 0.75))


def _blocks(X: Array, rows: Array, center: Array | float, unit: float) -> Iterator[Array]:
    """Yield x/unit − center of the rows, one block at a time, in float64."""
    step = max(1, _BLOCK // X.shape[1])
    for part in blocks(len(rows), step):
        block = X[rows[part]].astype(np.float64, copy=False)
        block /= unit
        block -= center
        yield block
