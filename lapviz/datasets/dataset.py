"""Records: a data set, its description, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapviz.datasets.truths import Truth
from lapviz.parameters import Parameter

Array = np.ndarray

# Of the menu, in order
GROUPS = ("Plane", "Line", "Surface", "High-dimensional", "Real", "Your data")


@dataclass(frozen=True)
class Dataset:
    """A sample with its classes, its labels and its known spectrum.

    The arrays are read-only, as cached data sets are shared; copy one to change it.

    Parameters
    ----------
    X : array (n, d)
    y : int array (n,)
        True class codes 0 ... n_classes - 1, also of unlabelled points.
    labelled : boolean array (n,)
        True where methods may use the class.
    name : str
    truth : Truth
    class_names, feature_names : tuple of str
    image_shape : (height, width) or None
        If rows are images: their size in pixels, stored row by row, with 0 for paper and 1 for ink.
    values : array (n,) or None
        A number to regress on for each sample; None if the set has only classes.
    target : callable or None
        The function behind ``values`` without noise: points (m, d) to numbers (m,).
    weights : array (n,) or None
        Positive weights of the samples; None if all are equal.
    gradient : callable or None
        Gradient of ``target``: points (m, d) to (m, d); None if unknown.
    """

    X: Array
    y: Array
    labelled: Array
    name: str
    truth: Truth
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    image_shape: tuple[int, int] | None = None
    values: Array | None = None
    target: Callable[[Array], Array] | None = None
    weights: Array | None = None
    gradient: Callable[[Array], Array] | None = None

    def __post_init__(self) -> None:
        for array in (self.X, self.y, self.labelled, self.values, self.weights):
            if array is not None:
                array.flags.writeable = False

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    def images(self, rows: Array) -> Array | None:
        """Images of some rows, bytes (m, height, width) with 255 for ink, or None."""
        if self.image_shape is None:
            return None
        ink = np.clip(self.X[rows], 0, 1)
        return np.rint(255 * ink).astype(np.uint8).reshape(-1, *self.image_shape)

    def semi_supervised_target(self) -> Array:
        """Class codes with -1 where unlabelled, as in ``sklearn.semi_supervised``; (n,)."""
        return np.where(self.labelled, self.y, -1)


Option = Parameter  # of a generator: its range (ends included) and a help text


@dataclass(frozen=True)
class Info:
    """Description of a data set without loading it, from which controls are built.

    ``max_samples`` is a limit for real data and the end of a slider for the others;
    ``max_noise`` is the end of a slider. ``labels_per_class`` is None if the labels are part of
    the data set. ``group`` is its section of the menu, one of :data:`GROUPS`; ``image_shape`` is as
    in :class:`Dataset`.
    A set without classes has no ``class_names``; ``has_values``: whether it has numbers to
    regress on. ``credit`` and ``licence`` are the source and licence of real data.
    ``standardised``: features have mean 0 and variance 1, or are as measured with ``raw=True``.
    """

    name: str
    title: str
    description: str
    n_samples: int
    max_samples: int
    noise: float
    max_noise: float
    n_features: int
    class_names: tuple[str, ...]
    labels_per_class: int | None
    real: bool
    options: tuple[Option, ...]
    group: str
    image_shape: tuple[int, int] | None = None
    has_values: bool = False
    credit: str = ""
    licence: str = ""
    standardised: bool = False

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.class_names)

    @property
    def planar(self) -> bool:
        """Whether d = 2, so that a field over the plane can be drawn."""
        return self.n_features == 2

    @property
    def about(self) -> str:
        """The description, with credit and licence for real data."""
        if not self.credit:
            return self.description
        return f"{self.description} Data: {self.credit}; {self.licence}."
