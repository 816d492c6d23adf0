"""Real data sets: those of scikit-learn, penguins, and blood cells; nothing is downloaded."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np

from lapviz.datasets.base import Array, Generator, register

MEASURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
CATEGORIES = {"island": ("Biscoe", "Dream", "Torgersen"), "sex": ("female", "male")}
MISSING = "NA"


@lru_cache(maxsize=8)
def _bunch(name: str):
    import sklearn.datasets  # slow to import, and only needed here

    return getattr(sklearn.datasets, f"load_{name}")()


class Real(Generator):
    """Base of real data sets; noise is in the units of the scaled features."""

    real = True
    group = "Real"
    note = "Real data: the classes are known, the spectrum is not."

    def table(self) -> tuple[Array, Array]:
        """All rows, their features scaled, and class codes: (n, d), (n,)."""
        raise NotImplementedError

    def points(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        X, y = self.table()
        if n == len(y):
            return X, y
        rows = rng.permutation(len(y))[:n]  # never the first rows: tables are sorted
        return X[rows], y[rows]


@dataclass(frozen=True)
class Measured(Real):
    """Base of tables whose features have different units: standardised, or as measured."""

    raw: bool = False
    standardised = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.raw, bool):
            raise ValueError(f"raw of {self.name!r} must be True or False; got {self.raw!r}.")


class ScikitLearn(Measured):
    """Base of scikit-learn's tables: features standardised, or as measured."""

    licence = "BSD-3-Clause"

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(str(name) for name in _bunch(self.name).feature_names)

    def table(self) -> tuple[Array, Array]:
        X, y = _bunch(self.name).data, _bunch(self.name).target
        return X if self.raw else (X - X.mean(axis=0)) / X.std(axis=0), y


@register
@dataclass(frozen=True)
class Digits(Real):
    """Handwritten digits, 8 by 8 pixels, every pixel divided by 16 so that it is in [0, 1]."""

    name = "digits"
    licence = "BSD-3-Clause"
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

    def table(self) -> tuple[Array, Array]:
        return _bunch("digits").data / 16, _bunch("digits").target


@register
@dataclass(frozen=True)
class Iris(ScikitLearn):
    """Three species of iris, features standardised."""

    name = "iris"
    credit = "scikit-learn; R. A. Fisher (1936), UCI Machine Learning Repository"
    title = "Iris"
    description = "Four measures of 150 flowers of three species, scaled to unit variance."
    class_names = ("setosa", "versicolor", "virginica")
    n_samples = max_samples = 150
    n_features = 4


@register
@dataclass(frozen=True)
class Wine(ScikitLearn):
    """Wines of three growers, features standardised."""

    name = "wine"
    credit = "scikit-learn; S. Aeberhard and M. Forina (1992), UCI Machine Learning Repository"
    title = "Wine"
    description = "13 chemical measures of 178 wines of three growers, scaled to unit variance."
    class_names = ("grower 1", "grower 2", "grower 3")
    n_samples = max_samples = 178
    n_features = 13


@register
@dataclass(frozen=True)
class BreastCancer(ScikitLearn):
    """Malignant and benign tumours, features standardised."""

    name = "breast_cancer"
    credit = "scikit-learn; W. Wolberg, O. Mangasarian, N. Street and W. Street (1995), UCI"
    title = "Breast cancer"
    description = "30 measures of 569 tumours, malignant or benign, scaled to unit variance."
    class_names = ("malignant", "benign")
    n_samples = max_samples = 569
    labels_per_class = 3
    n_features = 30


@register
@dataclass(frozen=True)
class Penguins(Measured):
    """344 penguins of three species: four measures, the island and the sex.

    Measures are scaled to mean 0 and variance 1 over the birds that have them. A category is a
    column of 0 and 1 for each of its values, so that two birds of different islands are as far
    apart, √2, as two random birds in one measure (root mean square). A missing value is the mean
    of its column: 0 for the measures of two birds, the share of each sex for eleven. With ``raw``
    the measures are in millimetres and grams. The year of the observation is left out, as it says
    nothing about the bird.
    """

    name = "penguins"
    title = "Palmer penguins"
    description = (
        "Four measures, island and sex of 344 penguins of three species; missing values are "
        "replaced by means."
    )
    class_names = ("Adelie", "Chinstrap", "Gentoo")
    n_samples = max_samples = 344
    credit = "K. Gorman and Palmer Station LTER; palmerpenguins by A. Horst, A. Hill and K. Gorman"
    licence = "CC0"

    @property
    def n_features(self) -> int:
        return len(self.feature_names)

    @property
    def feature_names(self) -> tuple[str, ...]:
        values = [f"{name} {value}" for name, levels in CATEGORIES.items() for value in levels]
        return (*(name.rsplit("_", 1)[0].replace("_", " ") for name in MEASURES), *values)

    def table(self) -> tuple[Array, Array]:
        columns, X = _columns(), []
        for name in MEASURES:
            x = np.array([np.nan if cell == MISSING else float(cell) for cell in columns[name]])
            mean = float(np.nanmean(x))
            x = x if self.raw else (x - mean) / np.nanstd(x)
            X.append(np.nan_to_num(x, nan=mean if self.raw else 0.0))
        for name, values in CATEGORIES.items():
            present = np.array([cell != MISSING for cell in columns[name]])
            for value in values:
                x = np.array([float(cell == value) for cell in columns[name]])
                X.append(np.where(present, x, x[present].mean()))
        y = [self.class_names.index(species) for species in columns["species"]]
        return np.column_stack(X), np.array(y)


@lru_cache(maxsize=1)
def _columns() -> dict[str, tuple[str, ...]]:
    text = files("lapviz.datasets").joinpath("data/penguins.csv").read_text("utf-8")
    head, *rows = csv.reader(text.splitlines())
    return dict(zip(head, zip(*rows, strict=True), strict=True))


@register
@dataclass(frozen=True)
class Cells(Real):
    """700 blood cells of ten types, 50 principal components of their gene expression.

    The components keep their scale and are not standardised: their variances, which fall from 31
    to 1.3, are their weights. The types are scanpy's ``bulk_labels``: for each cell the purified
    population whose mean expression is most similar. Types of T cells overlap, and the types have
    very different sizes, 8 to 240 cells.
    """

    name = "cells"
    title = "Blood cells"
    description = "50 principal components of the gene expression of 700 blood cells of ten types."
    class_names = (  # in scanpy's order; its names of the T cells and CD34+ in the comments
        "regulatory T",  # CD4+/CD25 T Reg
        "naive helper T",  # CD4+/CD45RA+/CD25- Naive T
        "memory helper T",  # CD4+/CD45RO+ Memory
        "cytotoxic T",  # CD8+ Cytotoxic T
        "naive cytotoxic T",  # CD8+/CD45RA+ Naive Cytotoxic
        "monocyte",
        "B",
        "progenitor",  # CD34+
        "natural killer",
        "dendritic",
    )
    n_samples = max_samples = 700
    credit = "10x Genomics, Fresh 68k PBMCs (Donor A); G. Zheng et al. (2017); processed by scanpy"
    licence = "CC BY 4.0 and BSD-3-Clause"
    n_features = 50

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"component {l + 1}" for l in range(self.n_features))

    def table(self) -> tuple[Array, Array]:
        return _arrays()


@lru_cache(maxsize=1)
def _arrays() -> tuple[Array, Array]:
    with as_file(files("lapviz.datasets").joinpath("data/cells.npz")) as path, np.load(path) as npz:
        X, y = npz["components"].astype(float), npz["types"]
    return X, y
