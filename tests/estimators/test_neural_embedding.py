"""NeuralEigenfunctions: scikit-learn's checks, and the properties of its transform."""

import pickle

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapviz import NeuralEigenfunctions, datasets
from tests.helpers import needs

pytestmark = [
    pytest.mark.slow,
    needs("jax", "optax", extra="neural", required="LAPVIZ_REQUIRE_NEURAL"),
]
TINY = {"n_components": 3, "hidden_layer_sizes": (8,), "n_batches": 5, "batch_size": 16}


DRAWN = {
    "check_sample_weight_equivalence_on_dense_data": "batches are drawn: repeated rows give other "
    "draws"
}


@parametrize_with_checks(
    [NeuralEigenfunctions(**TINY, window=5)], expected_failed_checks=lambda _: DRAWN
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_eigenfunctions_of_the_circle():
    X = datasets.load("circle", n_samples=1000, random_state=0).X
    model = NeuralEigenfunctions(
        n_components=5,
        hidden_layer_sizes=(32, 32),
        operator="sphere",
        n_batches=1000,
        batch_size=200,
        disentangle="pca",  # the other tests use the default, "ritz"
        random_state=0,
    ).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, [0, 1, 1, 4, 4], rtol=0.15, atol=1e-6)
    E = model.transform(X)
    np.testing.assert_allclose(E.T @ E / len(X), np.eye(5), atol=1e-6)
    np.testing.assert_allclose(E[:, 0], 1.0, atol=1e-6)
    linear = X @ np.linalg.lstsq(X, E[:, 1:3], rcond=None)[0]
    assert np.mean((linear - E[:, 1:3]) ** 2) < 0.05, "first harmonics are linear"
    unpickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(unpickled.transform(X), E)
    assert model.n_iter_ == 1000
    assert len(model.path_.loss) == 20


@pytest.mark.parametrize(
    "X", [np.zeros((1, 2)), np.ones((20, 2)), np.array([[0.0, 0.0], [1e6, 2e6]])], ids=len
)
def test_hard_data_get_finite_answers(X):
    model = NeuralEigenfunctions(**TINY, random_state=0).fit(X)
    assert np.isfinite(model.transform(X + 0.1)).all()
    assert np.all(model.eigenvalues_ >= 0)
