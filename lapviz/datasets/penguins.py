"""Palmer penguins: a table with missing values and categories."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from lapviz.datasets.base import Array, register
from lapviz.datasets.real import Measured

MEASURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
CATEGORIES = {"island": ("Biscoe", "Dream", "Torgersen"), "sex": ("female", "male")}
MISSING = "NA"


@register
@dataclass(frozen=True)
class Penguins(Measured):
    """344 penguins of three species: four measures, the island and the sex.

    Measures are scaled to mean 0 and variance 1 over the birds that have them. A category is a
    column of 0 and 1 for each of its values, so that two birds of different islands are as far
    apart, √2, as two random birds in one measure (root mean square). A missing value is the mean
    of its column: 0 for the measures of two birds, the share of each sex for eleven. With ``raw``
    the measures are in millimetres and grams. The year of the observation is left out: it says
    nothing of the bird.
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
        values = [f"{name} {value}" for name, have in CATEGORIES.items() for value in have]
        return (*(name.rsplit("_", 1)[0].replace("_", " ") for name in MEASURES), *values)

    def table(self) -> tuple[Array, Array]:
        columns = _columns()
        X = [_measures(columns[name], self.raw) for name in MEASURES]
        X += [
            _share(columns[name], value) for name, values in CATEGORIES.items() for value in values
        ]
        y = [self.class_names.index(species) for species in columns["species"]]
        return np.column_stack(X), np.array(y)


@lru_cache(maxsize=1)
def _columns() -> dict[str, tuple[str, ...]]:
    text = files("lapviz.datasets").joinpath("data/penguins.csv").read_text("utf-8")
    head, *rows = csv.reader(text.splitlines())
    return dict(zip(head, zip(*rows, strict=True), strict=True))


def _measures(cells: tuple[str, ...], raw: bool) -> Array:
    x = np.array([np.nan if cell == MISSING else float(cell) for cell in cells])
    mean = float(np.nanmean(x))
    if raw:
        return np.nan_to_num(x, nan=mean)
    return np.nan_to_num((x - mean) / np.nanstd(x), nan=0.0)


def _share(cells: tuple[str, ...], value: str) -> Array:
    known = np.array([cell != MISSING for cell in cells])
    x = np.array([float(cell == value) for cell in cells])
    return np.where(known, x, x[known].mean())
