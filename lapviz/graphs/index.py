"""Approximate neighbours among many points: an HNSW index over the distinct ones.

Copies of a point fill each other's lists in such an index and cut it from the rest: a hundred of
each left a third of the neighbours unfound. So they are put in once.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz import _extras, _threads
from lapviz.graphs.points import row_distances, without_own
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray

PURPOSE = "An approximate search for neighbours"
TARGET = 0.98  # recall at which the search is thorough enough
MOST = 512  # effort beyond which it is not raised
_LINKS, _CONSTRUCTION, _EFFORT = 16, 60, 48  # of HNSW
_TRIED = 200  # points at which recall is measured
_ROWS = 4096  # at a time
_SEARCHED = 512  # at a time, by one thread


@dataclass(frozen=True, eq=False)
class Index:
    """An index over points, and the effort (faiss: efSearch) that its searches take.

    Attributes
    ----------
    points : array (n, d)
    members : int array (n,)
        Rows of the points, copies beside each other.
    start : int array (m + 1,)
        Where the copies of each of the m distinct points begin in ``members``.
    graph : faiss.IndexHNSWFlat, over the distinct points
    effort : int
    recall : float
        Share of the true neighbours that were found at 200 points.
    """

    points: Array
    members: Array
    start: Array
    graph: Any
    effort: int = _EFFORT
    recall: float = 0.0

    @classmethod
    def of(cls, points: Array, k: int) -> Index:
        """An index, with effort for a recall of .98 of k neighbours, as far as that is to be had.

        One thread builds it: the order in which several would link points varies.
        """
        with _extras.needed("large", PURPOSE):
            import faiss
        members, start = _copies(points)
        graph = faiss.IndexHNSWFlat(points.shape[1], _LINKS)
        graph.hnsw.efConstruction = _CONSTRUCTION
        first = members[start[:-1]]
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            for rows in blocks(len(first), _ROWS):
                report("neighbours", rows.start, len(first))
                graph.add(points[first[rows]].astype(np.float32))
        finally:
            faiss.omp_set_num_threads(threads)
        tried, n = cls(points, members, start, graph), len(points)
        k = min(k, n - 1)
        if k < 1:
            return tried
        rows = np.sort(np.random.default_rng(0).permutation(n)[:_TRIED])
        exact = NearestNeighbors(algorithm="brute").fit(points)
        truth = exact.kneighbors(points[rows], k + 1, return_distance=False)
        truth = without_own(truth, rows)
        while True:
            near = without_own(tried.near(points[rows], k + 1), rows)
            tried = replace(tried, recall=share_found(points, rows, near, truth))
            if tried.recall >= TARGET or 2 * tried.effort > MOST:
                return tried
            tried = replace(tried, effort=2 * tried.effort)

    def among(self, k: int) -> Array:
        """Neighbours (n, k) of the points, each without itself."""
        near = self.near(self.points, k + 1)
        return without_own(near, np.arange(len(near)))

    def near(self, A: Array, k: int) -> Array:
        """Neighbours (m, k) of any points (m, d), k at most n."""
        found = self._distinct(A, min(k, len(self.start) - 1), max(self.effort, 2 * k))
        short = (found < 0).any(axis=1)  # fewer can be reached
        if short.any():
            distinct = self.points[self.members[self.start[:-1]]]
            exact = NearestNeighbors(algorithm="brute").fit(distinct)
            found[short] = exact.kneighbors(A[short], found.shape[1], return_distance=False)
        out = np.empty((len(A), k), dtype=np.intp)
        for rows in blocks(len(A), _ROWS):
            near = found[rows]  # distinct points; out of their copies the first k
            sizes = np.minimum(np.diff(self.start)[near], k).ravel()
            begin = np.cumsum(sizes) - sizes
            place = np.arange(sizes.sum()) + np.repeat(self.start[near].ravel() - begin, sizes)
            of_row = begin.reshape(near.shape)[:, :1]
            out[rows] = self.members[place[of_row + np.arange(k)]]
        return out

    def _distinct(self, A: Array, width: int, effort: int) -> Array:
        """Which distinct points (m, width) are nearest, -1 where none is reached.

        The threads are ours: where others compute, too, those of faiss wait for each other and
        take more time than one alone.
        """
        with _extras.needed("large", PURPOSE):
            import faiss
        how = faiss.SearchParametersHNSW(efSearch=effort)  # type: ignore[attr-defined]

        def search(rows: slice) -> Array:
            return self.graph.search(A[rows].astype(np.float32), width, params=how)[1]

        found = np.empty((len(A), width), dtype=np.intp)
        parts = blocks(len(A), _SEARCHED)
        with closing(
            _threads.parallel_map(search, parts, lambda: faiss.omp_set_num_threads(1))
        ) as near:
            for rows, its in zip(blocks(len(A), _SEARCHED), near, strict=True):
                report("neighbours", rows.start, len(A))
                found[rows] = its
        return found


def share_found(points: Array, rows: Array, near: Array, truth: Array) -> float:
    """Share of neighbours (m, k) of some rows that are as near as the true k-th."""
    some = points[rows]
    farthest = row_distances(some, points, truth).max(axis=1, keepdims=True)
    return float((row_distances(some, points, near) <= farthest * (1 + 1e-9)).mean())


def _copies(points: Array) -> tuple[Array, Array]:
    """Rows with copies beside each other, and where those of each distinct row begin."""
    first: dict[int, int] = {}
    groups = np.empty(len(points), dtype=np.intp)
    for rows in blocks(len(points), _ROWS):
        single = points[rows].astype(np.float32) + np.float32(0)  # −0 is 0
        groups[rows] = [first.setdefault(hash(row.tobytes()), len(first)) for row in single]
    members = np.argsort(groups, kind="stable")
    return members, np.concatenate([[0], np.cumsum(np.bincount(groups))])
