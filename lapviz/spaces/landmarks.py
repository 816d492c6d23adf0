"""Landmarks, the centres of the test functions, chosen from the samples.

Never "the first p rows", since real files are sorted. To add a rule: write a function of
(X, n_landmarks, rng) that returns row indices, and decorate it with ``@register``. A rule
registered with ``needs_kernel=True`` takes the kernel as a fourth argument.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_random_state

from lapviz.checks import check_choice, check_count, check_points, is_redefinition
from lapviz.kernels import Kernel
from lapviz.spaces.leverage import draw_landmarks, median_cells

Array = np.ndarray
PLAIN: dict[str, Callable] = {}
_WITH_KERNEL: dict[str, Callable] = {}
RULES: ChainMap[str, Any] = ChainMap(_WITH_KERNEL, PLAIN)  # lists the plain ones first
_KMEANS_POOL = 20_000  # k-means++ runs on this many samples at most: O(pool·p·d)
_CELL_POOL = 64  # the stratified rule uses at most this many samples per landmark


def register(name: str, needs_kernel: bool = False):
    """Decorator that adds a rule to every ``landmarks=`` parameter; one that needs the kernel only
    where σ is chosen before the landmarks (not in :class:`lapviz.HermiteRegressor`).

    Parameters
    ----------
    name : str
        Name of the rule.
    needs_kernel : bool, default False
        Whether the rule takes the kernel as a fourth argument.

    Returns
    -------
    callable
        Takes the rule, (X, n_landmarks, rng) to row indices, and returns it.

    Raises
    ------
    ValueError
        If another rule has that name.
    """

    def add(rule):
        if not is_redefinition(rule, RULES.get(name, rule)):
            raise ValueError(f"There is a rule {name!r}: give {rule.__qualname__} another name.")
        (_WITH_KERNEL if needs_kernel else PLAIN)[name] = rule
        return rule

    return add


def names(with_kernel: bool = False) -> tuple[str, ...]:
    """List the names of the rules.

    Parameters
    ----------
    with_kernel : bool, default False
        Whether rules that need the kernel are listed too.

    Returns
    -------
    tuple of str
        In menu order.
    """
    return tuple(RULES if with_kernel else PLAIN)


def needs_kernel(landmarks) -> bool:
    """Whether a rule needs the kernel.

    Parameters
    ----------
    landmarks : str or array (p, d)
        The rule, or points.

    Returns
    -------
    bool
        False for points.
    """
    return isinstance(landmarks, str) and landmarks in _WITH_KERNEL


def choose(
    X: Array,
    n_landmarks: int,
    landmarks: str | Array = "stratified",
    random_state=None,
    kernel: Kernel | None = None,
) -> Array:
    """Choose landmarks c_1, …, c_p.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_landmarks : int
        p; more than n selects all samples.
    landmarks : {"stratified", "uniform", "kmeans++", "leverage"} or array (p, d)
        The rule, or points to use as they are.
    random_state : int, RandomState or None
        Seed of the rule.
    kernel : Kernel, optional
        With its bandwidth; only "leverage" needs it.

    Returns
    -------
    array (p, d)
        The landmarks.

    Raises
    ------
    ValueError
        If the rule is unknown or its kernel is missing, or the points do not have d coordinates.
    """
    X = check_points(X, keep_single=True)
    if not isinstance(landmarks, str):
        points = check_points(landmarks, "landmarks")
        if points.shape[1] != X.shape[1]:
            raise ValueError(
                f"landmarks have {points.shape[1]} features and X has {X.shape[1]}: they must "
                "be points of the same space."
            )
        return points
    check_choice("landmarks", landmarks, RULES)
    p, rng = min(check_count("n_landmarks", n_landmarks), len(X)), check_random_state(random_state)
    extra = (kernel,) if needs_kernel(landmarks) else ()
    if extra == (None,):
        raise ValueError(
            f"landmarks={landmarks!r} needs the kernel: pass kernel=, an object with its bandwidth."
        )
    rows = np.asarray(np.arange(p) if p == len(X) else RULES[landmarks](X, p, rng, *extra))
    if rows.dtype.kind not in "iub":
        raise ValueError(f"The rule {landmarks!r} must return the numbers of rows, not points.")
    return np.asarray(X[rows], dtype=np.float64)


@register("stratified")
def stratified(X: Array, n_landmarks: int, rng) -> Array:
    """Rows drawn without replacement, one from each cell of a k-d tree.

    Every row is equally likely. A uniform draw leaves gaps by chance: on four circles with p = 500
    of 2000, one draw in three has gaps of several σ, which no test function bridges.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_landmarks : int
        p, at most n.
    rng : RandomState
        Source of randomness.

    Returns
    -------
    int array (p,)
        Rows of the landmarks.
    """
    pool = min(len(X), _CELL_POOL * n_landmarks)  # plenty for cells that are spread out
    cells = median_cells(X, rng.choice(len(X), pool, replace=False), n_landmarks, rng)
    return np.array([rows[rng.randint(len(rows))] for rows in cells])


@register("uniform")
def uniform(X: Array, n_landmarks: int, rng) -> Array:
    """Rows drawn uniformly, without replacement.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_landmarks : int
        p, at most n.
    rng : RandomState
        Source of randomness.

    Returns
    -------
    int array (p,)
        Rows of the landmarks.
    """
    return rng.choice(len(X), n_landmarks, replace=False)


@register("kmeans++")
def kmeans_picks(X: Array, n_landmarks: int, rng) -> Array:
    """k-means++ picks: each new landmark is drawn far from those already taken.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_landmarks : int
        p, at most n.
    rng : RandomState
        Source of randomness.

    Returns
    -------
    int array (p,)
        Rows of the landmarks (fewer if samples coincide).
    """
    pool = np.arange(len(X))
    if len(X) > max(_KMEANS_POOL, n_landmarks):
        pool = rng.choice(len(X), max(_KMEANS_POOL, n_landmarks), replace=False)
    _, picks = kmeans_plusplus(np.asarray(X[pool], dtype=np.float64), n_landmarks, random_state=rng)
    return pool[np.unique(picks)]


@register("leverage", needs_kernel=True)
def leverage_picks(X: Array, n_landmarks: int, rng, kernel: Kernel) -> Array:
    """Rows drawn by approximate ridge leverage scores (SSL21 Remark 25).

    Dense regions of similar samples get few landmarks; see :mod:`lapviz.leverage`.

    Parameters
    ----------
    X : array (n, d)
        Samples.
    n_landmarks : int
        p, at most n.
    rng : RandomState
        Source of randomness.
    kernel : Kernel
        The kernel, with the bandwidth to be used.

    Returns
    -------
    int array (p,)
        Rows of the landmarks.
    """
    return draw_landmarks(X, n_landmarks, kernel, rng)
