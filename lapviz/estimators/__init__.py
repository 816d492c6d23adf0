"""scikit-learn faces over the core."""

from lapviz.estimators.active import next_label
from lapviz.estimators.embedding import GalerkinEmbedding
from lapviz.estimators.exact import ExactLaplacianRegressor
from lapviz.estimators.graph import GraphLaplacianClassifier
from lapviz.estimators.hermite import HermiteRegressor
from lapviz.estimators.kernel_cg import KernelCGRegressor
from lapviz.estimators.laplacian import LaplacianClassifier, LaplacianRegressor
from lapviz.estimators.neural import NeuralEigenfunctions
from lapviz.estimators.partial import PartialLabelClassifier
from lapviz.estimators.selection import LabelledKFold, select_parameters

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
    "next_label",
    "select_parameters",
]
