"""Approximate neighbours among many points: an HNSW index over the distinct ones.

Copies of a point fill each other's link lists and cut them off from other points: with a hundred
copies of each, a third of the neighbours were missed. So each distinct point is added once.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz import _extras, _threads
from lapviz.graphs.points import row_distances, without_self
from lapviz.linalg import blocks
from lapviz.progress import report

Array = np.ndarray

PURPOSE = "An approximate search for neighbours"
TARGET = 0.98  # recall at which the search is thorough enough
MOST = 512  # the highest effort that is tried
_LINKS, _CONSTRUCTION, _EFFORT = 16, 60, 48  # of HNSW
_TEST_ROWS = 200  # points at which recall is measured
_ROWS = 4096  # rows at a time
_ROWS_PER_CALL = 512  # rows of one search, by one thread


@dataclass(frozen=True, eq=False)
class Index:
    """An index over points, and the effort (faiss: efSearch) that its searches take.

    Attributes
    ----------
    points : array (n, d)
    members : int array (n,)
        Rows of the points, grouped by distinct point.
    start : int array (m + 1,)
        Where the copies of each of the m distinct points begin in ``members``.
    graph : faiss.IndexHNSWFlat, over the distinct points
    effort : int
    recall : float
        Share of the true neighbours found, measured at 200 points.
    """

    points: Array
    members: Array
    start: Array
    graph: Any
    effort: int = _EFFORT
    recall: float = 0.0

    @classmethod
    def of(cls, points: Array, k: int) -> Index:
        """Build an index; the effort is raised until recall of k neighbours is .98, up to a limit.

        A single thread builds it, as several would link points in varying order.
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
        index, n = cls(points, members, start, graph), len(points)
        k = min(k, n - 1)
        if k < 1:
            return index
        rows = np.sort(np.random.default_rng(0).permutation(n)[:_TEST_ROWS])
        exact = NearestNeighbors(algorithm="brute").fit(points)
        truth = exact.kneighbors(points[rows], k + 1, return_distance=False)
        truth = without_self(truth, rows)
        while True:
            near = without_self(index.query(points[rows], k + 1), rows)
            index = replace(index, recall=recall_at(points, rows, near, truth))
            if index.recall >= TARGET or 2 * index.effort > MOST:
                return index
            index = replace(index, effort=2 * index.effort)

    def query_all(self, k: int) -> Array:
        """Neighbours (n, k) of the indexed points, each without itself."""
        neighbours = self.query(self.points, k + 1)
        return without_self(neighbours, np.arange(len(neighbours)))

    def query(self, A: Array, k: int) -> Array:
        """Neighbours (m, k) of any points (m, d), k at most n."""
        distinct = self._distinct(A, min(k, len(self.start) - 1), max(self.effort, 2 * k))
        incomplete = (distinct < 0).any(axis=1)  # fewer could be reached
        if incomplete.any():
            points = self.points[self.members[self.start[:-1]]]
            exact = NearestNeighbors(algorithm="brute").fit(points)
            width = distinct.shape[1]
            distinct[incomplete] = exact.kneighbors(A[incomplete], width, return_distance=False)
        out = np.empty((len(A), k), dtype=np.intp)
        for rows in blocks(len(A), _ROWS):
            near = distinct[rows]  # replaced by the first k of their copies
            sizes = np.minimum(np.diff(self.start)[near], k).ravel()
            first = np.cumsum(sizes) - sizes
            offset = np.arange(sizes.sum()) + np.repeat(self.start[near].ravel() - first, sizes)
            row_start = first.reshape(near.shape)[:, :1]
            out[rows] = self.members[offset[row_start + np.arange(k)]]
        return out

    def _distinct(self, A: Array, width: int, effort: int) -> Array:
        """Nearest distinct points (m, width), -1 where none is reached.

        The threads are ours: beside other computations, those of faiss wait for each other and
        take more time than a single one.
        """
        with _extras.needed("large", PURPOSE):
            import faiss
        settings = faiss.SearchParametersHNSW(efSearch=effort)  # type: ignore[attr-defined]

        def search(rows: slice) -> Array:
            return self.graph.search(A[rows].astype(np.float32), width, params=settings)[1]

        neighbours = np.empty((len(A), width), dtype=np.intp)
        chunks = blocks(len(A), _ROWS_PER_CALL)
        one_thread = partial(faiss.omp_set_num_threads, 1)
        with closing(_threads.parallel_map(search, chunks, one_thread)) as results:
            for rows, result in zip(blocks(len(A), _ROWS_PER_CALL), results, strict=True):
                report("neighbours", rows.start, len(A))
                neighbours[rows] = result
        return neighbours


def recall_at(points: Array, rows: Array, near: Array, truth: Array) -> float:
    """Share of the neighbours (m, k) of some rows that are as near as the true k-th."""
    queries = points[rows]
    farthest = row_distances(queries, points, truth).max(axis=1, keepdims=True)
    return float((row_distances(queries, points, near) <= farthest * (1 + 1e-9)).mean())


def _copies(points: Array) -> tuple[Array, Array]:
    """Rows grouped by distinct point, and where each group starts."""
    number: dict[int, int] = {}
    groups = np.empty(len(points), dtype=np.intp)
    for rows in blocks(len(points), _ROWS):
        rounded = points[rows].astype(np.float32) + np.float32(0)  # −0 becomes 0
        groups[rows] = [number.setdefault(hash(row.tobytes()), len(number)) for row in rounded]
    members = np.argsort(groups, kind="stable")
    return members, np.concatenate([[0], np.cumsum(np.bincount(groups))])
