"""Nearest neighbours: the one search of graphs and of their extension, exact or approximate.

Which search answers is a rule of rows, columns and k (:func:`choose`). A k-d tree in few columns.
In many, distances by float32 matrix products, half of them by symmetry: products rule out nearly
all pairs with a bound of their rounding error, and differences in float64 decide among the rest, so
that neighbours are the true ones, ties by the lower index. Where all pairs take minutes, a graph
index (HNSW: Malkov and Yashunin, 2018) of the package faiss, if it is there.

The index tries how many true neighbours it finds and searches harder until they are 98 in a
hundred, if that is to be had: on the 70 000 images of Fashion-MNIST (784 columns) .99 at once, on
noise that fills 40 dimensions .99 at eight times the effort. :attr:`Neighbours.recall` says what it
came to, :func:`recall` measures any result.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapviz import _extras
from lapviz.checks import check_choice, check_count, stack_level
from lapviz.graphs.index import PURPOSE, Index, share_found
from lapviz.graphs.points import (
    MOST_NEIGHBOURS,
    Products,
    coincide,
    rescale,
    to_unit,
    without_own,
)

Array = np.ndarray

METHODS = ("auto", "exact", "approximate")
TREE_COLUMNS = 15  # at most, for scikit-learn's k-d tree
BLOCK_ROWS = 4096  # below, scikit-learn's brute force takes no time worth saving
EXACT_PRODUCTS = 3.6e11  # n² (d + 100), at most, where the choice is free: some 10 CPU seconds


def choose(n: int, d: int, k: int, method: str = "auto") -> str:
    """Which search finds k neighbours among n rows of d columns.

    Parameters
    ----------
    n, d, k : int
    method : {"auto", "exact", "approximate"}
        "auto" is exact up to 15 columns, or up to 20 000 rows of 784 columns (46 000 of 64), that
        is n² (d + 100) ≤ 3.6e11; else approximate, if faiss (the extra ``large``) is installed.

    Returns
    -------
    str
        "scikit-learn", its tree or brute force; "products", exact; or "index", approximate.

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
        if n >= BLOCK_ROWS and not missing:
            return "index"
        words = f"All pairs of {n} rows are compared, which takes long. {missing}"
        warnings.warn(words, stacklevel=stack_level())
    if d <= TREE_COLUMNS or n < BLOCK_ROWS or k > MOST_NEIGHBOURS:
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
        Neighbours that are found unless another number is asked for.
    kind : str
        As of :func:`choose`.
    """

    points: Array
    centre: Array
    scale: float
    k: int
    kind: str
    _finder: NearestNeighbors | Products | Index

    @property
    def recall(self) -> float:
        """Share of true neighbours found, measured at 200 points; 1 of an exact search."""
        return self._finder.recall if isinstance(self._finder, Index) else 1.0

    def unit(self, X) -> Array:
        """Other points (m, d) in the units of ``points``."""
        return to_unit(X, self.centre, self.scale)

    def neighbours(self, X_new=None, k: int | None = None) -> Array:
        """The nearest points, the nearest first.

        Parameters
        ----------
        X_new : array (m, d), optional
            Points without NaN, in the units of the data. By default the points themselves, none of
            which is its own neighbour.
        k : int, optional
            At most n are found, of the points themselves n − 1; by default the search's own k.

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
        finder = self._finder
        if isinstance(finder, Index) or (isinstance(finder, Products) and k <= MOST_NEIGHBOURS):
            found = finder.among(k) if A is None else finder.near(A, k)
            if found is not None:
                return found
        if isinstance(finder, Products | Index):  # products are too many, or decide too little
            finder = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(self.points)
        return finder.kneighbors(A, k, return_distance=False)


def search(X, k: int = 10, method: str = "auto") -> Neighbours:
    """A search for the neighbours of points, and of new ones, among points.

    Parameters
    ----------
    X : array (n, d)
        Points without NaN, the same ones in several rows if need be.
    k : int, default 10
        Neighbours that will be asked for.
    method : {"auto", "exact", "approximate"}
        As of :func:`choose`. Each finds the same neighbours at every run.

    Returns
    -------
    Neighbours
        With the index or tree, for the points and any others.

    Raises
    ------
    ImportError
        If `method` is "approximate" and faiss is missing.

    Warns
    -----
    UserWarning
        If "auto" would take the index, and faiss is missing.

    Notes
    -----
    Beside X there are a copy in float32 and some 100 MB of blocks, less where less memory is
    available; for the index 70 numbers a point and that copy.
    """
    check_count("k", k)
    points, centre, scale = rescale(X)
    n, d = points.shape
    kind = choose(n, d, k, method)
    finder: NearestNeighbors | Products | Index
    if kind == "index":
        finder = Index.of(points, k)
    elif kind == "products":
        finder = Products.of(points)
    else:
        finder = NearestNeighbors(n_neighbors=max(1, min(k, n - 1))).fit(points)
    return Neighbours(points, centre, scale, k, kind, finder)


def past_copies(points: Array, near: Array) -> Array:
    """Neighbours that join points of which many are the same.

    A point that coincides with all k neighbours has no edge to any other place. It gets copies of
    itself and the nearest other places in turn, a copy last, and of each place the copy of its own
    number, so that all copies of two places that are near are joined.

    Parameters
    ----------
    points : array (n, d)
        The same ones in several rows.
    near : int array (n, k)
        Nearest others, the nearest first.

    Returns
    -------
    int array (n, k)
        `near` itself where no point coincides with all of its neighbours, or all with each other.
    """
    n, k = near.shape
    stuck = np.flatnonzero(coincide(points, near[:, -1])) if k else ()
    if not len(stuck):
        return near
    places, place, sizes = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    if len(places) == 1:
        return near
    members, first = np.argsort(place, kind="stable"), np.cumsum(sizes) - sizes
    number = np.empty(n, dtype=np.intp)  # of a point among its copies
    number[members] = np.arange(n) - first.repeat(sizes)
    others = search(places, (k + 1) // 2, "exact").neighbours()[place[stuck]]

    def copy(place: Array, number: Array) -> Array:
        return members[first[place] + number % sizes[place]]

    near = near.copy()
    for j in range(k):
        turn = j // 2
        if (k - j) % 2:
            near[stuck, j] = copy(place[stuck], number[stuck] + turn + 1)
        else:
            again, which = divmod(turn, others.shape[1])
            near[stuck, j] = copy(others[:, which], number[stuck] + again)
    return near


def recall(X, near: Array, n_rows: int = 1000) -> float:
    """Share of the true nearest neighbours among those found.

    Parameters
    ----------
    X : array (n, d)
        Points.
    near : int array (n, k)
        What ``search(X).neighbours()`` has found.
    n_rows : int, default 1000
        Rows, drawn with a fixed seed, whose neighbours are searched exactly.

    Returns
    -------
    float
        Between 0 and 1; a point as near as the k-th counts as right.
    """
    n, k = near.shape
    rows = np.sort(np.random.default_rng(0).permutation(n)[:n_rows])
    exact = search(X, k + 1, "exact")
    truth = without_own(exact.neighbours(np.asarray(X)[rows]), rows)
    return share_found(exact.points, rows, near[rows], truth)
