"""The records that data sets come in, and the description that controls are built from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapviz.datasets.truths import Truth

Array = np.ndarray


@dataclass(frozen=True)
class Dataset:
    """A sample with its classes, its labels and what is known of its truth.

    The arrays are read-only, since cached data sets are shared; copy one to change it.

    Parameters
    ----------
    X : (n, d) float array
    y : (n,) int array
        True class codes 0 ... n_classes - 1, of unlabelled points too.
    labelled : (n,) bool array
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
    """One parameter of a generator: its range (both ends allowed) and a sentence of help."""

    name: str
    label: str
    default: int | float
    low: int | float
    high: int | float
    help: str

    @property
    def whole(self) -> bool:
        """Whether only whole numbers make sense."""
        return isinstance(self.default, int)


@dataclass(frozen=True)
class Info:
    """What there is to know of a data set before loading it; enough to build its controls.

    ``max_samples`` is a limit for real data and a sensible end of a slider for the others;
    ``max_noise`` is such an end too. ``labels_per_class`` is None where the set fixes its labels.
    ``planar`` says whether d = 2, so that a field over the plane can be drawn.
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
