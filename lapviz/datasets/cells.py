"""Blood cells: principal components of the expression of genes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np

from lapviz.datasets.base import Array, register
from lapviz.datasets.real import Real


@register
@dataclass(frozen=True)
class Cells(Real):
    """700 blood cells of ten types, 50 principal components of their gene expression.

    The components keep their scale and are not standardised: their variances, which fall from 31
    to 1.3, say what they weigh. The types are scanpy's ``bulk_labels``: for each cell the purified
    population whose mean expression is most similar. Types of T cells overlap, and the types are
    of very different size, 8 to 240 cells.
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
    X.flags.writeable = y.flags.writeable = False
    return X, y
