"""The samples of a sweep: a data set or one's own, with labels drawn anew for each trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz import datasets, operators

Array = np.ndarray
# (n, seed) -> X and y, −1 or NaN if unknown; perhaps weights and slopes, None without
Load = Callable[[int, int], tuple]


@dataclass(frozen=True, eq=False)
class Sample:
    """Points with what a method is told of them.

    Attributes
    ----------
    X : array (n, d)
    y : array (n,)
        Class codes, -1 where not known; or values, NaN where not known.
    labelled : boolean array (n,)
        Where a method sees y.
    told : array (n,)
        What it sees there: y, or where there are several candidates one of these.
    candidates : boolean array (n, n_classes) or None
        Candidate classes, all of them where unlabelled; None of values.
    weights : array (n,) or None
        Of the points, positive.
    slopes : array (n, d) or None
        Gradients of the values without noise.
    """

    X: Array
    y: Array
    labelled: Array
    told: Array
    candidates: Array | None = None
    weights: Array | None = None
    slopes: Array | None = None

    @property
    def has_values(self) -> bool:
        """Whether y are values, and no classes."""
        return self.y.dtype.kind == "f"

    @property
    def judged(self) -> Array:
        """Rows (n,) of known points without a label."""
        known = np.isfinite(self.y) if self.has_values else self.y >= 0
        return known & ~self.labelled

    @property
    def target(self) -> Array:
        """What a method is told (n,), -1 or NaN where unlabelled."""
        return np.where(self.labelled, self.told, np.nan if self.has_values else -1)


def built_in(name: str, noise: float, values: bool = False) -> Load:
    """How a built-in data set is drawn; of a real one a part. One with classes and values gives
    the classes, or with ``values`` these."""

    def load(n: int, seed: int) -> tuple:
        info = datasets.info(name)
        noise_of = {} if info.real or not info.max_noise else {"noise": min(noise, info.max_noise)}
        size = min(n, info.max_samples)
        data = datasets.load(name, n_samples=size, random_state=seed, **noise_of)
        slopes = data.gradient(data.X) if data.gradient is not None else None
        has_classes = data.n_classes and not (values and data.values is not None)
        return data.X, data.y if has_classes else data.values, data.weights, slopes

    return load


def draw(load: Load, n: int, labels: int, candidates: int, seed: int) -> Sample:
    """Points, and labels on some of those that are known.

    Parameters
    ----------
    load : callable
    n : int
        Points.
    labels : int
        Of each class, or values in all.
    candidates : int
        Classes that a label leaves possible, its own among them; 1 of values.
    seed : int

    Raises
    ------
    ValueError
        If nothing would be labelled or judged, or a label would say nothing.
    """
    X, y, weights, slopes = (*load(n, seed), None, None)[:4]
    if weights is not None:
        rows, weights = operators.weighted_rows(weights, len(X))
        X, y, slopes = X[rows], y[rows], None if slopes is None else slopes[rows]
    rng = np.random.default_rng(seed)
    if y.dtype.kind == "f":
        labelled, allowed, told = np.zeros(len(y), dtype=bool), None, y
        labelled[rng.permutation(np.flatnonzero(np.isfinite(y)))[:labels]] = True
    else:
        labelled = datasets.draw_labels(y, labels, seed)
        allowed, told = _sets(y, labelled, candidates, rng)
    sample = Sample(X, y, labelled, told, allowed, weights, slopes)
    if not sample.judged.any() or not labelled.any():
        raise ValueError(
            "There must be known points with a label and without one: take fewer labels, or "
            "data with more known rows."
        )
    return sample


def _sets(y: Array, labelled: Array, size: int, rng) -> tuple[Array, Array]:
    """Candidates (n, n_classes) of each point, and one of them at random (n,)."""
    n_classes = int(y.max(initial=0)) + 1
    if size > 1 and size >= n_classes:
        raise ValueError(
            f"With {n_classes} classes a label says something with at most {n_classes - 1} "
            f"candidate{'s' * (n_classes > 2)}: take fewer, or data with more classes."
        )
    allowed, told = np.ones((len(y), n_classes), dtype=bool), y.copy()
    for row in np.flatnonzero(labelled):
        others = rng.permutation(np.delete(np.arange(n_classes), y[row]))[: size - 1]
        allowed[row] = False
        allowed[row, [y[row], *others]] = True
        told[row] = rng.choice([y[row], *others])
    return allowed, told
