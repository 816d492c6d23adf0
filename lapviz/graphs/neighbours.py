"""Nearest neighbours: the one search of graphs and of their extension, exact or approximate.

Rows, columns and k determine the search (:func:`choose`). In few columns it is a k-d tree. In many,
distances are float32 matrix products, half of them by symmetry: products rule out nearly all pairs
by a bound on their rounding error, and differences in float64 decide among the rest, so that
neighbours are exact, ties going to the lower index. Where all pairs would take minutes, it is a
graph index (HNSW: Malkov and Yashunin, 2018) of the package faiss, if that is installed.

The index measures its recall and searches harder until that is .98, if possible: on the 70 000
images of Fashion-MNIST (784 columns) recall is .99 at once, on noise that fills 40 dimensions .99
at eight times the effort. :attr:`Neighbours.recall` has the recall reached, :func:`recall` measures
any result.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz import _extras
from lapviz.checks import check_choice, check_count, check_points, stack_level
from lapviz.graphs.index import PURPOSE, Index, recall_at
from lapviz.graphs.points import (
    MOST_NEIGHBOURS,
    Products,
    coincide,
    rescale,
    to_unit,
    without_self,
)

Array = np.ndarray

METHODS = ("auto", "exact", "approximate")
TREE_COLUMNS = 15  # at most, for scikit-learn's k-d tree
EXACT_PRODUCTS = 3.6e11  # the most n² (d + 100) of an automatic exact search: some 10 CPU seconds


def choose(n: int, d: int, k: int, method: str = "auto") -> str:
    """Choose the search for k neighbours among n rows of d columns.

    Parameters
    ----------
    n, d, k : int
    method : {"auto", "exact", "approximate"}
        "auto" is exact up to 15 columns, or up to 20 000 rows of 784 columns (46 000 of 64), that
        is n² (d + 100) ≤ 3.6e11; else approximate, if faiss (the extra ``large``) is installed.

    Returns
    -------
    str
        "scikit-learn" (its tree or brute force), "products" (exact) or "index" (approximate).

    Warns
    -----
    UserWarning
        If "auto" would take the index, and faiss is missing.
    """
    check_choice("method", method, METHODS)
    if method == "approximate":
        return "index"
    if method == "auto" and d > TREE_COLUMNS and n**2 * (d + 100.0) > EXACT_PRODUCTS:
        missing = _extras.missing("large", PURPOSE, "faiss")
        if not missing:
            return "index"
        message = f"All pairs of {n} rows are compared, which takes long. {missing}"
        warnings.warn(message, stacklevel=stack_level())
    if d <= TREE_COLUMNS or k > MOST_NEIGHBOURS:
        return "scikit-learn"
    return "products"


@dataclass(frozen=True, eq=False)
class Neighbours:
    """A search among points, made by :func:`search`.

    Attributes
    ----------
    points : array (n, d)
        Centred and scaled into [−1, 1].
    centre : array (d,)
    scale : float
        ``points`` are (X − centre) / scale.
    k : int
        Number of neighbours by default.
    kind : str
        As of :func:`choose`.
    """

    points: Array
    centre: Array
    scale: float
    k: int
    kind: str
    _algorithm: NearestNeighbors | Products | Index

    @property
    def recall(self) -> float:
        """Share of true neighbours found, measured at 200 points; 1 for an exact search."""
        return self._algorithm.recall if isinstance(self._algorithm, Index) else 1.0

    def unit(self, X) -> Array:
        """Other points (m, d) in the units of ``points``."""
        return to_unit(X, self.centre, self.scale)

    def neighbours(self, X_new=None, k: int | None = None) -> Array:
        """The nearest points, the nearest first.

        Parameters
        ----------
        X_new : array (m, d), optional
            Points without NaN, in the units of the data. By default the points themselves, none of
            which counts as its own neighbour.
        k : int, optional
            At most n are returned, n − 1 for the points themselves; by default ``self.k``.

        Returns
        -------
        int array (m, k)
        """
        n = len(self.points)
        k = self.k if k is None else check_count("k", k)
        A = None if X_new is None else self.unit(X_new)
        k = min(k, n - 1 if A is None else n)
        if k == 0 or (A is not None and not len(A)):
            return np.empty((n if A is None else len(A), k), dtype=np.intp)
        algorithm = self._algorithm
        if isinstance(algorithm, Index) or (
            isinstance(algorithm, Products) and k <= MOST_NEIGHBOURS
        ):
            result = algorithm.query_all(k) if A is None else algorithm.query(A, k)
            if result is not None:
                return result
        if isinstance(algorithm, Products | Index):  # k is too large, or too many candidates remain
            algorithm = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(self.points)
        return algorithm.kneighbors(A, k, return_distance=False)


def search(X, k: int = 10, method: str = "auto") -> Neighbours:
    """Prepare a search for neighbours among points, of the points themselves and of new ones.

    Parameters
    ----------
    X : array (n, d)
        Points without NaN; duplicates are allowed.
    k : int, default 10
        Number of neighbours that will be requested.
    method : {"auto", "exact", "approximate"}
        As in :func:`choose`. Each is deterministic, but where scikit-learn's brute force searches
        (more than 64 neighbours in more than 15 columns) the choice among equally distant points
        depends on the number of threads.

    Returns
    -------
    Neighbours
        With its index or tree, for the points and any others.

    Raises
    ------
    ImportError
        If `method` is "approximate" and faiss is missing.
    ValueError
        If X is no matrix of finite numbers.

    Warns
    -----
    UserWarning
        If "auto" would take the index, and faiss is missing.

    Notes
    -----
    Memory beside X: a copy in float32 and some 100 MB of blocks, less where less is available; for
    the index that copy and 70 numbers a point.
    """
    k = check_count("k", k)
    points, centre, scale = rescale(check_points(X, keep_single=True))
    n, d = points.shape
    kind = choose(n, d, k, method)
    algorithm: NearestNeighbors | Products | Index
    if kind == "index":
        algorithm = Index.of(points, k)
    elif kind == "products":
        algorithm = Products.of(points)
    else:
        algorithm = NearestNeighbors(n_neighbors=max(1, min(k, n - 1))).fit(points)
    return Neighbours(points, centre, scale, k, kind, algorithm)


def past_copies(points: Array, near: Array) -> Array:
    """Neighbours that connect distinct points where many points coincide.

    A point that coincides with all its k neighbours has no edge to a distinct point. Its neighbours
    become, alternately, its own copies and the nearest distinct points, a copy last. Copy number i
    of a point is joined to copy i of the others, so that all copies of near points are connected.

    Parameters
    ----------
    points : array (n, d)
        With duplicates.
    near : int array (n, k)
        Nearest other points, the nearest first.

    Returns
    -------
    int array (n, k)
        `near` itself where no point coincides with all of its neighbours, or all with each other.
    """
    n, k = near.shape
    stuck = np.flatnonzero(coincide(points, near[:, -1])) if k else ()
    if not len(stuck):
        return near
    distinct, group, sizes = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    if len(distinct) == 1:
        return near
    group = group.ravel()  # NumPy 2.0.0 returns a column
    members, first = np.argsort(group, kind="stable"), np.cumsum(sizes) - sizes
    copy_number = np.empty(n, dtype=np.intp)  # of each point among its copies
    copy_number[members] = np.arange(n) - first.repeat(sizes)
    near_groups = search(distinct, (k + 1) // 2, "exact").neighbours()[group[stuck]]

    def copy(groups: Array, numbers: Array) -> Array:
        return members[first[groups] + numbers % sizes[groups]]

    near = near.copy()
    for j in range(k):
        turn = j // 2
        if (k - j) % 2:
            near[stuck, j] = copy(group[stuck], copy_number[stuck] + turn + 1)
        else:
            repeat, column = divmod(turn, near_groups.shape[1])
            near[stuck, j] = copy(near_groups[:, column], copy_number[stuck] + repeat)
    return near


def recall(X, near: Array, n_rows: int = 1000) -> float:
    """Recall of a neighbour search: the share of true nearest neighbours that it found.

    Parameters
    ----------
    X : array (n, d)
        Points.
    near : int array (n, k)
        Result of ``search(X).neighbours()``.
    n_rows : int, default 1000
        Rows, drawn with a fixed seed, whose neighbours are searched exactly.

    Returns
    -------
    float
        Between 0 and 1; a point as near as the k-th counts as right.
    """
    n, k = near.shape
    if not k:
        return 1.0
    rows = np.sort(np.random.default_rng(0).permutation(n)[:n_rows])
    exact = search(X, k + 1, "exact")
    truth = without_self(exact.neighbours(np.asarray(X)[rows]), rows)
    return recall_at(exact.points, rows, near[rows], truth)
