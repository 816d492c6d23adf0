"""Records: a data set, its description, and its options."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.datasets.truths import Truth

Array = np.ndarray


@dataclass(frozen=True)
class Dataset:
    """A sample with its classes, its labels and its known spectrum.

    The arrays are read-only, since cached data sets are shared; copy one to change it.

    Parameters
    ----------
    X : array (n, d)
    y : int array (n,)
        True class codes 0 ... n_classes - 1, of unlabelled points too.
    labelled : boolean array (n,)
        True where a method may see the class.
    name : str
    truth : Truth
    class_names, feature_names : tuple of str
    """

    X: Array
    y: Array
    labelled: Array
    name: str
    truth: Truth
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...]

    def __post_init__(self) -> None:
        for array in (self.X, self.y, self.labelled):
            array.flags.writeable = False

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    def semi_supervised_target(self) -> Array:
        """Class codes with -1 where unlabelled, as in ``sklearn.semi_supervised``; (n,)."""
        return np.where(self.labelled, self.y, -1)


@dataclass(frozen=True)
class Option:
    """One parameter of a generator: its range (both ends allowed) and a help text."""

    name: str
    label: str
    default: int | float
    low: int | float
    high: int | float
    help: str

    @property
    def whole(self) -> bool:
        """Whether values must be whole numbers."""
        return isinstance(self.default, int)


@dataclass(frozen=True)
class Info:
    """Description of a data set before loading it, from which controls are built.

    ``max_samples`` is a limit for real data and the end of a slider for the others;
    ``max_noise`` is the end of a slider. ``labels_per_class`` is None where the set fixes its
    labels. ``planar`` says whether d = 2, so that a field over the plane can be drawn.
    """

    name: str
    title: str
    description: str
    n_samples: int
    max_samples: int
    noise: float
    max_noise: float
    n_features: int
    n_classes: int
    class_names: tuple[str, ...]
    labels_per_class: int | None
    real: bool
    planar: bool
    options: tuple[Option, ...]
