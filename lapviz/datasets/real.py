"""Real data sets: their base class, and those of scikit-learn; nothing is downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from lapviz.datasets.base import Array, Generator, register
from lapviz.datasets.truths import Truth


@lru_cache(maxsize=8)
def _bunch(loader: str):
    import sklearn.datasets  # slow to import, and only needed here

    return getattr(sklearn.datasets, loader)()


class Real(Generator):
    """Base of real data sets; noise is in the units of the scaled features."""

    real = True
    group = "Real"

    def table(self) -> tuple[Array, Array]:
        """All rows, their features scaled, and class codes: (n, d), (n,)."""
        raise NotImplementedError

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X, y = self.table()
        if n == len(y):
            return X, y
        rows = rng.permutation(len(y))[:n]  # never the first rows: tables are sorted
        return X[rows], y[rows]

    def truth(self, noise: float) -> Truth:
        return Truth(note="Real data: the classes are known, the spectrum is not.")


@dataclass(frozen=True)
class Measured(Real):
    """Base of tables whose features have units of their own: standardised, or as measured."""

    raw: bool = False
    standardised = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.raw, bool):
            raise ValueError(f"raw of {self.name!r} must be True or False; got {self.raw!r}.")


class ScikitLearn(Real):
    """Base of scikit-learn's data sets."""

    loader: ClassVar[str]  # a function of sklearn.datasets
    licence = "BSD-3-Clause"

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(str(name) for name in _bunch(self.loader).feature_names)

    def scaled(self) -> Array:
        """All rows, (n, d)."""
        raise NotImplementedError

    def table(self) -> tuple[Array, Array]:
        return self.scaled(), _bunch(self.loader).target


class ScikitLearnTable(ScikitLearn, Measured):
    """Base of those whose features have units."""

    def scaled(self) -> Array:
        """All rows, every feature centred and of unit variance unless as measured; (n, d)."""
        X = _bunch(self.loader).data
        return X if self.raw else (X - X.mean(axis=0)) / X.std(axis=0)


@register
@dataclass(frozen=True)
class Digits(ScikitLearn):
    """Handwritten digits, 8 by 8 pixels, every pixel divided by 16 so that it is in [0, 1]."""

    name = "digits"
    loader = "load_digits"
    credit = "scikit-learn; E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository"
    title = "Handwritten digits"
    description = "1797 images of handwritten digits, 8 × 8 pixels with values in [0, 1]."
    class_names = tuple("0123456789")
    image_shape = (8, 8)
    n_samples = max_samples = 1797
    n_features = 64

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"pixel row {r + 1}, column {c + 1}" for r in range(8) for c in range(8))

    def scaled(self) -> Array:
        return _bunch(self.loader).data / 16


@register
@dataclass(frozen=True)
class Iris(ScikitLearnTable):
    """Three species of iris, features standardised."""

    name = "iris"
    loader = "load_iris"
    credit = "scikit-learn; R. A. Fisher (1936), UCI Machine Learning Repository"
    title = "Iris"
    description = "Four measures of 150 flowers of three species, scaled to unit variance."
    class_names = ("setosa", "versicolor", "virginica")
    n_samples = max_samples = 150
    n_features = 4


@register
@dataclass(frozen=True)
class Wine(ScikitLearnTable):
    """Wines of three growers, features standardised."""

    name = "wine"
    loader = "load_wine"
    credit = "scikit-learn; S. Aeberhard and M. Forina (1992), UCI Machine Learning Repository"
    title = "Wine"
    description = "13 chemical measures of 178 wines of three growers, scaled to unit variance."
    class_names = ("grower 1", "grower 2", "grower 3")
    n_samples = max_samples = 178
    n_features = 13


@register
@dataclass(frozen=True)
class BreastCancer(ScikitLearnTable):
    """Malignant and benign tumours, features standardised."""

    name = "breast_cancer"
    loader = "load_breast_cancer"
    credit = "scikit-learn; W. Wolberg, O. Mangasarian, N. Street and W. Street (1995), UCI"
    title = "Breast cancer"
    description = "30 measures of 569 tumours, malignant or benign, scaled to unit variance."
    class_names = ("malignant", "benign")
    n_samples = max_samples = 569
    labels_per_class = 3
    n_features = 30
