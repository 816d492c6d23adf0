"""Cells of a k-d tree: the samples are split recursively along the widest axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapviz.linalg import blocks

Array = np.ndarray
_BLOCK = 1 << 20  # numbers of X that are copied at once


def median_cells(X: Array, rows: Array, n_cells: int, rng) -> Iterator[Array]:
    """Rows of each cell, from left to right along the leaves of the tree; none is empty.

    Parameters
    ----------
    X : array (n, d)
    rows : int array (m,), m ≥ n_cells, the rows to be cut into cells
    n_cells : int
        Each part is split in proportion to the number of cells on each side.
    rng : RandomState
        Rounds the cuts, so that the sizes are right on average.
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
        # Sorted, not partitioned: the order in which a partition leaves rows, and which of equal
        # values it takes, differ between processors, and with them the landmarks.
        order = np.argsort(X[rows, _widest(X, rows)], kind="stable")
        parts.append((rows[order[cut:]], count - half))
        parts.append((rows[order[:cut]], half))


def _widest(X: Array, rows: Array) -> int:
    """The axis along which the rows spread most."""
    step = max(1, _BLOCK // X.shape[1])
    parts = (X[rows[part]] for part in blocks(len(rows), step))
    ends = np.array([(part.min(axis=0), part.max(axis=0)) for part in parts], dtype=np.float64)
    return int((ends[:, 1].max(axis=0) - ends[:, 0].min(axis=0)).argmax())
