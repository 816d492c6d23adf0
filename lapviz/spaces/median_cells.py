"""Cells of a k-d tree: the samples are split recursively along the widest axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Array = np.ndarray


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
        part = X[rows]
        axis = np.ptp(part, axis=0).argmax()
        order = np.argpartition(part[:, axis], cut - 1)
        parts.append((rows[order[cut:]], count - half))
        parts.append((rows[order[:cut]], half))
