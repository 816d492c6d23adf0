"""scikit-learn estimators built on the core.

What all of them share:

- X is anything that NumPy can read: arrays, lists, pandas and polars tables, Dask collections where
  the docstring says so, tensors in main memory. All is computed with NumPy on the CPU, also under
  scikit-learn's ``array_api_dispatch``; an array in a device's memory is refused with the call that
  brings it over.
- Names of columns are kept (``feature_names_in_``) and compared; transformers name their own
  (``get_feature_names_out``) and give tables where ``set_output`` asks for them.
- ``sample_weight`` is routed by ``set_fit_request`` and ``set_score_request``.
- A pickle knows the version that wrote it: another one warns (:class:`InconsistentVersionWarning`).
- Long work reports to :mod:`lapviz.progress`; automatic choices are logged to "lapviz".
"""

from lapviz.estimators.base import InconsistentVersionWarning
from lapviz.estimators.embedding import GalerkinEmbedding
from lapviz.estimators.exact import ExactLaplacianClassifier, ExactLaplacianRegressor
from lapviz.estimators.folds import LabelledKFold, LabelledScorer
from lapviz.estimators.graph_classifier import GraphLaplacianClassifier
from lapviz.estimators.hermite_regressor import HermiteRegressor
from lapviz.estimators.kernel_cg_regressor import KernelCGRegressor
from lapviz.estimators.laplacian_classifier import LaplacianClassifier
from lapviz.estimators.laplacian_regressor import LaplacianRegressor
from lapviz.estimators.neural_embedding import NeuralEigenfunctions
from lapviz.estimators.next_label import next_label
from lapviz.estimators.partial_classifier import PartialLabelClassifier
from lapviz.estimators.tuning import select_parameters

__all__ = ["ExactLaplacianClassifier", "ExactLaplacianRegressor", "GalerkinEmbedding",
           "GraphLaplacianClassifier", "HermiteRegressor", "InconsistentVersionWarning",
           "KernelCGRegressor", "LabelledKFold", "LabelledScorer", "LaplacianClassifier",
           "LaplacianRegressor", "NeuralEigenfunctions", "PartialLabelClassifier", "next_label",
           "select_parameters"]  # fmt: skip
