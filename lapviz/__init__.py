"""lapviz: kernel Laplacian methods, which learn the diffusion operator of data and use it.

The estimators follow scikit-learn and are built on small pure functions:
data and kernel -> trial space -> forms -> spectrum -> estimate.

Docstrings cite four papers:

- SSL21: Cabannes, Pillaud-Vivien, Bach and Rudi (2021), *Overcoming the curse of dimensionality
  with Laplacian regularization in semi-supervised learning*.
- GAL23: Cabannes and Bach (2023), *The Galerkin method beats graph-based approaches for spectral
  algorithms*.
- KRR20: Cabannes (2020), *Kernel ridge regression with kernel Laplacian regularization*.
- KCG10: Blanchard and Krämer (2010), *Optimal learning rates for kernel conjugate gradient
  regression*.
"""

import logging
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lapviz import _names

_names.install()
logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent by default

if TYPE_CHECKING:  # at run time names are imported at first use
    from lapviz import bilinear, datasets, graphs, kernels, metrics, operators, pictures, tables
    from lapviz.bilinear import galerkin_svd
    from lapviz.estimates import filters
    from lapviz.estimators import (
        ExactLaplacianClassifier,
        ExactLaplacianRegressor,
        GalerkinEmbedding,
        GraphLaplacianClassifier,
        HermiteRegressor,
        KernelCGRegressor,
        LabelledKFold,
        LabelledScorer,
        LaplacianClassifier,
        LaplacianRegressor,
        NeuralEigenfunctions,
        PartialLabelClassifier,
        next_label,
        select_parameters,
    )
    from lapviz.figures import live
    from lapviz.operators import invariances
    from lapviz.spaces import auto_bandwidth, landmarks

try:
    __version__ = version("lapviz-explorer")
except PackageNotFoundError:  # run from a checkout without installing it
    __version__ = "0+unknown"

__all__ = [
    "ExactLaplacianClassifier",
    "ExactLaplacianRegressor",
    "GalerkinEmbedding",
    "GraphLaplacianClassifier",
    "HermiteRegressor",
    "KernelCGRegressor",
    "LabelledKFold",
    "LabelledScorer",
    "LaplacianClassifier",
    "LaplacianRegressor",
    "NeuralEigenfunctions",
    "PartialLabelClassifier",
    "auto_bandwidth",
    "bilinear",
    "datasets",
    "filters",
    "galerkin_svd",
    "graphs",
    "invariances",
    "kernels",
    "landmarks",
    "live",
    "metrics",
    "next_label",
    "operators",
    "pictures",
    "select_parameters",
    "tables",
]

_MODULES = {"auto_bandwidth": "spaces", "galerkin_svd": "bilinear", "live": "figures"}


def __getattr__(name):
    module = _MODULES.get(name) or ("estimators" if name in __all__ else None)
    if not name.startswith("_") and find_spec(f"lapviz.{name}"):
        return import_module(f"lapviz.{name}")
    if module is None:
        raise AttributeError(f"module 'lapviz' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"lapviz.{module}"), name)
    return value


def __dir__():
    return sorted({*globals(), *__all__, *_names.PLACES})
