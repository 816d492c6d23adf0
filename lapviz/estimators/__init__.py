"""scikit-learn estimators built on the core.

Common to all of them:

- X is anything that NumPy can read: arrays, lists, pandas and polars tables, Dask collections where
  the docstring says so, tensors in main memory. Everything is computed with NumPy on the CPU, also
  under scikit-learn's ``array_api_dispatch``; an array in device memory is refused with an error
  that names the call to copy it.
- Column names are stored (``feature_names_in_``) and compared; transformers name their outputs
  (``get_feature_names_out``) and return tables if ``set_output`` requests them.
- ``sample_weight`` is routed by ``set_fit_request`` and ``set_score_request``.
- A pickle stores the version that wrote it; another one warns
  (:class:`InconsistentVersionWarning`).
- Long computations report to :mod:`lapviz.progress`; automatic choices are logged to "lapviz".
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
