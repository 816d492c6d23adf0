"""What users write, for pyright: `pyright` at the root checks this file with the library.

It is not run; each line stands for a kind of use that the hints must allow, and `assert_type` for
what they must say.
"""

from typing import assert_type

import numpy as np

import lapviz
from lapviz import (
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
    auto_bandwidth,
    datasets,
    filters,
    galerkin_svd,
    graphs,
    kernels,
    landmarks,
    metrics,
    next_label,
    operators,
    progress,
    select_parameters,
    tables,
)

data = datasets.load("half_moons", n_samples=200, noise=0.1, random_state=0)
X, y = data.X, data.semi_supervised_target()
assert_type(X, np.ndarray)

# numbers, words and objects where the docstring says so
embedding = GalerkinEmbedding(
    n_components=4,
    kernel=kernels.get("matern52", 0.5),
    bandwidth=0.5,
    n_landmarks=50,
    landmarks=X[:50],
    mu=1e-3,
    operator=operators.Tangent(),
    random_state=np.random.RandomState(0),
)
assert_type(embedding.fit(X, sample_weight=np.ones(len(X))), GalerkinEmbedding)
assert_type(embedding.fit(X).transform(X), np.ndarray)

classifier = LaplacianClassifier(lam=0.1, filter=filters.get("heat"), n_passes=0, random_state=0)
assert_type(classifier.fit(X, y), LaplacianClassifier)
assert_type(classifier.predict_proba(X), np.ndarray)
assert_type(classifier.score(X, y), float)
assert_type(next_label(classifier, X, y).next, int)

regressor = LaplacianRegressor(mu="floor", fit_intercept=True).fit(X, X[:, 0])
assert_type(regressor.predict(X), np.ndarray)
assert_type(
    ExactLaplacianRegressor(mu=1e-3, max_bytes=10**9).fit(X, X[:, 0]).predict(X), np.ndarray
)
assert_type(KernelCGRegressor(tau=None, dimension="auto").fit(X, X[:, 0]).predict(X), np.ndarray)
assert_type(HermiteRegressor().fit(X, X[:, 0], gradients=X).predict_gradient(X), np.ndarray)
PartialLabelClassifier(lam=0.1, callback=lambda seen: seen.step > 3).fit(X, [{0}, {0, 1}])
GraphLaplacianClassifier(method="spreading", alpha=0.9).fit(X, y).predict(X)
NeuralEigenfunctions(hidden_layer_sizes=(32, 32), cutoff=2.0)

chosen = select_parameters(classifier, X, y, mu=[1e-3, 0.1], n_jobs=2, random_state=None)
assert_type(chosen.best.squared_error, float)
for train, test in LabelledKFold(4, mark=-1).split(X, y):
    assert_type(train[test], np.ndarray)

assert_type(auto_bandwidth(X, kernel="gaussian"), float)
centres = landmarks.choose(X, 10, "kmeans++", random_state=0)
graphs.knn_weights(X, n_neighbors=5, weights="binary")
space = lapviz.trial_spaces.KernelSpace(kernels.get("polynomial", 1.0, degree=2), centres)
galerkin_svd("laplacian", space, space, X)
forms = operators.assemble(space, X, operators.Graph(n_neighbors=5))
assert_type(metrics.calibration_error(y, classifier.predict_proba(X), n_bins=5), float)
table = tables.read("measurements.csv")
assert_type(table.n_rows, int)
with progress.bar(plain=True):
    classifier.fit(X, y)
