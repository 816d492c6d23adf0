"""scikit-learn estimators built on the core."""

from lapviz.estimators.embedding import GalerkinEmbedding
from lapviz.estimators.exact_classifier import ExactLaplacianClassifier
from lapviz.estimators.exact_regressor import ExactLaplacianRegressor
from lapviz.estimators.folds import LabelledKFold
from lapviz.estimators.graph_classifier import GraphLaplacianClassifier
from lapviz.estimators.hermite_regressor import HermiteRegressor
from lapviz.estimators.kernel_cg_regressor import KernelCGRegressor
from lapviz.estimators.laplacian_classifier import LaplacianClassifier
from lapviz.estimators.laplacian_regressor import LaplacianRegressor
from lapviz.estimators.neural_embedding import NeuralEigenfunctions
from lapviz.estimators.next_label import next_label
from lapviz.estimators.partial_classifier import PartialLabelClassifier
from lapviz.estimators.tuning import select_parameters

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
    "next_label",
    "select_parameters",
]
