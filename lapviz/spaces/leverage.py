r"""Approximate ridge leverage scores, and landmarks drawn by them (SSL21 Remark 25).

The score ℓ_i = [K(K + nλI)⁻¹]_ii is near 1 for a sample unlike all others and near 0 in a dense
region; Σℓ_i is the effective dimension. Exact scores cost O(n³); here they are approximated from a
pilot sample J of p rows (recursive Nyström: Musco and Musco, 2017),

    ℓ_i ≈ (k_ii − k_iS (K_SS + nλI)⁻¹ k_Si)/(nλ),   k_iS = k_iJ/√π_J,

π the probabilities with which the pilot was drawn. The first pilot is uniform, the second drawn by
the scores of the first. A point far from the pilot has a large residual, hence a large score.
O(np²) time, and O(block·p + p²) memory besides the scores.

SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality with
Laplacian regularization in semi-supervised learning*.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lapviz.kernels import Kernel
from lapviz.linalg import blocks, eigh

Array = np.ndarray

PASSES = 2
SHARE = 0.5  # λ makes the effective dimension this share of the number of landmarks
_POOL = 4000  # samples on which λ is chosen
_BLOCK = 1 << 21  # numbers in a block of kernel values
_COPIED = 1 << 20  # numbers of X copied at once


def draw_landmarks(X: Array, n_landmarks: int, kernel: Kernel, rng) -> Array:
    """Draw rows without replacement, row i with probability p·ℓ_i/Σℓ, at most 1 (SSL21 Remark 25).

    Stratified: by systematic sampling along the leaves of a k-d tree.

    Parameters
    ----------
    X : array (n, d)
        Points.
    n_landmarks : int
        p, at most n.
    kernel : Kernel
        With the bandwidth to be used.
    rng : RandomState
        Draws the rows.

    Returns
    -------
    int array (p,)
        Rows of X.
    """
    if n_landmarks >= len(X):
        return np.arange(len(X))
    order = tree_order(X, rng)
    chances = np.full(len(X), n_landmarks / len(X))
    for _ in range(PASSES):
        pilot = systematic(chances[order], rng, order)
        chances = inclusion(leverage_scores(X, kernel, pilot, chances[pilot], rng=rng), n_landmarks)
    return systematic(chances[order], rng, order)


def leverage_scores(
    X: Array,
    kernel: Kernel,
    pilot: Array,
    chances: Array,
    ridge: float | None = None,
    rng: Any = None,
) -> Array:
    """Approximate ridge leverage scores, from a pilot sample (SSL21 Remark 25).

    Parameters
    ----------
    X : array (n, d)
        Points.
    kernel : Kernel
        With the bandwidth to be used.
    pilot : int array (p,)
        Rows of the pilot sample.
    chances : array (p,)
        π, the probabilities with which they were drawn.
    ridge : float, optional
        nλ. By default such that Σℓ = ½p, on a subsample of the rows drawn by ``rng``.
    rng : RandomState, optional
        Needed if ``ridge`` is None.

    Returns
    -------
    array (n,)
        Scores ℓ_i in [0, 1].
    """
    J, weight = np.asarray(X[pilot], dtype=np.float64), 1.0 / np.sqrt(chances)
    G = kernel(J, J) * weight * weight[:, None]
    s, U = eigh(0.5 * (G + G.T))
    s, U = np.maximum(s, 0.0), weight[:, None] * U

    def squares(rows: Array) -> tuple[Array, Array]:
        rows = np.asarray(rows, dtype=np.float64)
        return kernel.diagonal(rows), (kernel(rows, J) @ U) ** 2

    if ridge is None:
        pool = X if len(X) <= _POOL else X[rng.choice(len(X), _POOL, replace=False)]
        diagonal, parts = squares(pool)
        ridge = _ridge(diagonal.mean(), parts.mean(axis=0), s, len(X), SHARE * len(pilot))
    scores, step = np.empty(len(X)), max(1, _BLOCK // len(pilot))
    for rows in blocks(len(X), step):
        diagonal, parts = squares(X[rows])
        scores[rows] = (diagonal - parts @ (1.0 / (s + ridge))) / ridge
    return np.clip(scores, 0.0, 1.0)


def _ridge(diagonal: float, parts: Array, s: Array, n: int, dimension: float) -> float:
    """nλ at which the decreasing Σℓ equals the given effective dimension; by bisection."""
    low, high = 1e-12 * n * diagonal, n * diagonal
    if n * (diagonal - parts @ (1.0 / (s + low))) / low <= dimension:
        return low  # the effective dimension is below it for every λ
    for _ in range(60):
        middle = np.sqrt(low * high)
        total = n * (diagonal - parts @ (1.0 / (s + middle))) / middle
        low, high = (middle, high) if total > dimension else (low, middle)
    return high


def inclusion(scores: Array, count: int) -> Array:
    """Probabilities min(1, cℓ_i) with a given sum; rows of score 0 keep a small probability.

    Parameters
    ----------
    scores : array (n,)
        ℓ, at least 0.
    count : int
        The sum, from 1 to n.

    Returns
    -------
    array (n,)
        Probabilities.
    """
    scores = scores + 1e-6 * scores.mean() if scores.any() else np.ones(len(scores))
    certain = np.zeros(len(scores), dtype=bool)
    while not certain.all():
        c = (count - certain.sum()) / scores[~certain].sum()
        exceeding = ~certain & (c * scores >= 1.0)
        if not exceeding.any():
            return np.where(certain, 1.0, c * scores)
        certain |= exceeding
    return np.ones(len(scores))


def systematic(chances: Array, rng, labels: Array) -> Array:
    """Systematic sampling with unequal probabilities: draws are evenly spread along the order.

    Parameters
    ----------
    chances : array (n,)
        Probabilities; their sum, an integer, is the number of draws.
    rng : RandomState
        Draws the starting point.
    labels : array (n,)
        The entries to draw from.

    Returns
    -------
    array (m,)
        Entries of ``labels``.
    """
    total = np.cumsum(chances)
    ticks = rng.uniform() + np.arange(round(total[-1]))
    picks = np.searchsorted(total, ticks, side="right")
    return labels[np.unique(np.minimum(picks, len(labels) - 1))]


def tree_order(X: Array, rng, leaf: int = 8) -> Array:
    """Order rows by the leaves of a k-d tree: neighbours in the order are close in space.

    Parameters
    ----------
    X : array (n, d)
        Points.
    rng : RandomState
        Rounds the cuts at random, so that the sizes of leaves are right on average.
    leaf : int, default 8
        Approximate number of rows in a leaf.

    Returns
    -------
    int array (n,)
        A permutation of the rows.
    """
    return np.concatenate([*median_cells(X, np.arange(len(X)), max(1, len(X) // leaf), rng)])


def median_cells(X: Array, rows: Array, n_cells: int, rng) -> Iterator[Array]:
    """Rows of the cells of a k-d tree, each split along its widest axis; none is empty.

    Parameters
    ----------
    X : array (n, d)
        Points.
    rows : int array (m,)
        The rows to split into cells; m ≥ ``n_cells``.
    n_cells : int
        Each part is split in proportion to the number of cells on each side.
    rng : RandomState
        Rounds the cuts at random, so that the sizes are right on average.

    Yields
    ------
    int array (k,)
        Rows of a cell, from left to right along the leaves of the tree.
    """
    parts = [(rows, n_cells)]
    while parts:
        rows, count = parts.pop()
        if count == 1:
            yield rows
            continue
        half = count // 2
        share = len(rows) * half / count
        cut = min(max(int(share + rng.uniform()), half), len(rows) - (count - half))
        copies = (X[rows[part]] for part in blocks(len(rows), max(1, _COPIED // X.shape[1])))
        ends = np.array([(part.min(axis=0), part.max(axis=0)) for part in copies], dtype=float)
        widest = (ends[:, 1].max(axis=0) - ends[:, 0].min(axis=0)).argmax()
        # Sorted, not partitioned: a partition orders rows, and chooses among equal values,
        # differently on different processors, and the landmarks would differ too.
        order = np.argsort(X[rows, widest], kind="stable")
        parts.append((rows[order[cut:]], count - half))
        parts.append((rows[order[:cut]], half))
