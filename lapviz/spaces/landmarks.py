"""Where the test functions sit: landmarks chosen from the samples.

Never "the first p rows": real files are sorted. To add a rule: write a function of
(X, n_landmarks, rng) that returns row indices, and decorate it with ``@register``. A rule that
asks the kernel which samples it needs takes it as a fourth argument: ``needs_kernel=True``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_random_state

from lapviz.checks import check_choice, check_count, check_points
from lapviz.kernels import Kernel
from lapviz.spaces.leverage import draw_landmarks
from lapviz.spaces.median_cells import median_cells

Array = np.ndarray
_REGISTRY: dict[str, Callable] = {}
_KERNEL_REGISTRY: dict[str, Callable] = {}
_KMEANS_POOL = 20_000  # k-means++ looks at this many samples at most: O(pool·p·d)

_CELL_POOL = 64  # samples a landmark that the stratified rule looks at


def register(name: str, needs_kernel: bool = False):
    def add(rule):
        (_KERNEL_REGISTRY if needs_kernel else _REGISTRY)[name] = rule
        return rule

    return add


def names(with_kernel: bool = False) -> tuple[str, ...]:
    """Names of the rules; those that must be told the kernel are left out unless asked for."""
    return (*_REGISTRY, *(_KERNEL_REGISTRY if with_kernel else ()))


def needs_kernel(landmarks) -> bool:
    """Whether that rule, if it is a name, must be told the kernel."""
    return isinstance(landmarks, str) and landmarks in _KERNEL_REGISTRY


def choose(
    X: Array,
    n_landmarks: int,
    landmarks="stratified",
    random_state=None,
    kernel: Kernel | None = None,
) -> Array:
    """Landmarks c_1, …, c_p, shape (p, d).

    Parameters
    ----------
    X : array (n, d)
    n_landmarks : int; more than there are samples means all of them
    landmarks : {"stratified", "uniform", "kmeans++", "leverage"} or array (p, d)
        The rule, or points to use as they are.
    random_state : int, RandomState or None
    kernel : Kernel, needed by "leverage" alone, with its bandwidth

    Raises
    ------
    ValueError
        If the rule is unknown or lacks its kernel, or given points do not have d coordinates.
    """
    X = check_points(X)
    if not isinstance(landmarks, str):
        points = check_points(landmarks, "landmarks")
        if points.shape[1] != X.shape[1]:
            raise ValueError(
                f"landmarks have {points.shape[1]} features and X has {X.shape[1]}: they must "
                "be points of the same space."
            )
        return points
    check_choice("landmarks", landmarks, names(with_kernel=True))
    p, rng = min(check_count("n_landmarks", n_landmarks), len(X)), check_random_state(random_state)
    if landmarks in _REGISTRY:
        return X[_REGISTRY[landmarks](X, p, rng)]
    if kernel is None:
        raise ValueError(
            f"landmarks={landmarks!r} asks the kernel which samples it needs: pass kernel=, an "
            "object with its bandwidth."
        )
    return X[_KERNEL_REGISTRY[landmarks](X, p, rng, kernel)]


@register("stratified")
def stratified(X: Array, n_landmarks: int, rng) -> Array:
    """Rows drawn without replacement, each as likely as any other, but spread out.

    The samples are cut into cells by medians, as in a k-d tree, and every cell gives one row.
    A uniform draw leaves gaps by chance: on four circles with p = 500 of 2000, gaps of several σ in
    one draw of three, across which no test function reaches.
    """
    if n_landmarks == len(X):
        return np.arange(len(X))
    pool = min(len(X), _CELL_POOL * n_landmarks)  # plenty for cells that are spread out
    cells = median_cells(X, rng.choice(len(X), pool, replace=False), n_landmarks, rng)
    return np.array([rows[rng.randint(len(rows))] for rows in cells])


@register("uniform")
def uniform(X: Array, n_landmarks: int, rng) -> Array:
    """Rows drawn uniformly, without replacement."""
    if n_landmarks == len(X):
        return np.arange(len(X))
    return rng.choice(len(X), n_landmarks, replace=False)


@register("kmeans++")
def kmeans_picks(X: Array, n_landmarks: int, rng) -> Array:
    """k-means++ picks: each new landmark is drawn far from those taken, spread over the data."""
    if n_landmarks == len(X):
        return np.arange(len(X))
    pool = np.arange(len(X))
    if len(X) > max(_KMEANS_POOL, n_landmarks):
        pool = rng.choice(len(X), max(_KMEANS_POOL, n_landmarks), replace=False)
    _, picks = kmeans_plusplus(X[pool], n_landmarks, random_state=rng)
    return pool[np.unique(picks)]


@register("leverage", needs_kernel=True)
def leverage_picks(X: Array, n_landmarks: int, rng, kernel: Kernel) -> Array:
    """Rows drawn by approximate ridge leverage scores (SSL21 Remark 25): few where many are alike.

    See :mod:`lapviz.leverage`.
    """
    return draw_landmarks(X, n_landmarks, kernel, rng)
