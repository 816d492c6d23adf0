"""scikit-learn faces over the core."""

from lapviz.estimators.embedding import GalerkinEmbedding
from lapviz.estimators.exact import ExactLaplacianRegressor
from lapviz.estimators.graph import GraphLaplacianClassifier
from lapviz.estimators.hermite import HermiteRegressor
from lapviz.estimators.kernel_cg import KernelCGRegressor
from lapviz.estimators.laplacian import LaplacianClassifier, LaplacianRegressor

__all__ = [
    "ExactLaplacianRegressor",
    "GalerkinEmbedding",
    "GraphLaplacianClassifier",
    "HermiteRegressor",
    "KernelCGRegressor",
    "LaplacianClassifier",
    "LaplacianRegressor",
]
