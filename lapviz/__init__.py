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

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from lapviz import _names

_names.install()

from lapviz import bilinear, datasets, graphs, kernels, metrics, operators  # noqa: E402
from lapviz.bilinear import galerkin_svd  # noqa: E402
from lapviz.estimates import filters  # noqa: E402
from lapviz.estimators import (  # noqa: E402
    ExactLaplacianClassifier,
    ExactLaplacianRegressor,
    GalerkinEmbedding,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
    NeuralEigenfunctions,
    PartialLabelClassifier,
    next_label,
    select_parameters,
)
from lapviz.operators import invariances  # noqa: E402
from lapviz.spaces import auto_bandwidth, landmarks  # noqa: E402

try:
    __version__ = version("lapviz-explorer")
except PackageNotFoundError:  # run from a checkout that was not installed
    __version__ = "0+unknown"

__all__ = [
    "ExactLaplacianClassifier",
    "ExactLaplacianRegressor",
    "GalerkinEmbedding",
    "GraphLaplacianClassifier",
    "HermiteRegressor",
    "KernelCGRegressor",
    "LabelledKFold",
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
    "metrics",
    "next_label",
    "operators",
    "select_parameters",
]


def __getattr__(name):
    if name in _names.PLACES:  # lapviz.active etc. as attributes
        return import_module(f"lapviz.{name}")
    raise AttributeError(f"module 'lapviz' has no attribute {name!r}")
