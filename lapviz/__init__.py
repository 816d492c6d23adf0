"""lapviz: kernel Laplacian methods, to learn the diffusion operator of data and to use it.

The estimators follow scikit-learn; underneath stand small pure functions:
data and kernel -> trial space -> forms -> spectrum -> estimate.
"""

from importlib.metadata import PackageNotFoundError, version

from lapviz import (
    bilinear,
    datasets,
    filters,
    invariances,
    kernels,
    landmarks,
    operators,
)
from lapviz.bandwidths import auto_bandwidth
from lapviz.bilinear import galerkin_svd
from lapviz.estimators import (
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

try:
    __version__ = version("lapviz-explorer")
except PackageNotFoundError:  # run from a checkout that was not installed
    __version__ = "0+unknown"

__all__ = [
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
    "invariances",
    "kernels",
    "landmarks",
    "next_label",
    "operators",
    "select_parameters",
]
