"""ExactLaplacianClassifier: its regressor on class codes, and what the Galerkin method nears."""

from functools import partial

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from lapviz import (
    ExactLaplacianClassifier,
    ExactLaplacianRegressor,
    LaplacianClassifier,
    datasets,
    estimates,
)

EXPECTED = {"check_classifiers_classes": "fits the classes {-1, 1}, but -1 is the mark"}
DRAWN = {"check_sample_weight_equivalence_on_dense_data": "σ is for the number of rows"}


@pytest.mark.slow
@parametrize_with_checks(
    [ExactLaplacianClassifier(), ExactLaplacianClassifier(bandwidth=1.0, mu=0.1)],
    expected_failed_checks=lambda made: EXPECTED | (DRAWN if made.bandwidth == "auto" else {}),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# The papers' estimator: what is not given is not chosen by the automatic rules.
plain_classifier = partial(LaplacianClassifier, operator="laplacian")


def problem(n_classes, n=60, seed=0):
    """Two labels of every class, so that the codes have mean 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + 2.5 * np.arange(n)[:, None] % n_classes
    y = np.full(n, -1)
    y[: 2 * n_classes] = np.arange(2 * n_classes) % n_classes
    return X, y


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"solver": "block"}, {"fit_intercept": True}], ids=str)
def test_it_is_regression_on_class_codes(n_classes, options):
    X, y = problem(n_classes)
    options = options | {"bandwidth": 1.2, "mu": 1e-2, "lam": 0.1}
    model = ExactLaplacianClassifier(**options).fit(X, np.array(["a", "b", "c", -1])[y])
    known = y >= 0
    codes = np.full((len(y), 1 if n_classes == 2 else n_classes), np.nan)
    codes[known] = estimates.class_codes(y[known], n_classes)
    new = np.random.default_rng(1).normal(size=(30, 2))
    values = ExactLaplacianRegressor(**options).fit(X, codes).predict(new)
    scores = model.decision_function(new).reshape(30, -1)
    np.testing.assert_allclose(scores, values.reshape(30, -1), atol=1e-9)
    assert model.classes_.tolist() == ["a", "b", "c"][:n_classes]
    np.testing.assert_array_equal(model.predict(new), model.classes_[estimates.decode(scores)])
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)


def test_the_galerkin_classifier_approaches_it():
    """SSL21 Figure 4: with p = n landmarks the approximation is the exact estimate."""
    data = datasets.load("half_moons", n_samples=150, noise=0.1, random_state=0)
    y, options = data.semi_supervised_target(), {"bandwidth": 0.5, "mu": 1e-3, "lam": 0.1}
    exact = ExactLaplacianClassifier(**options).fit(data.X, y).decision_function(data.X)
    off = []
    for p in (5, 20, 150):
        model = plain_classifier(n_landmarks=p, random_state=0, **options).fit(data.X, y)
        off.append(np.abs(model.decision_function(data.X) - exact).max())
    assert off[0] > off[1] > off[2]
    assert off[2] < 1e-3 < off[0]


def test_what_cannot_work_gets_a_sentence():
    X, y = problem(2)
    with pytest.raises(MemoryError, match=r"180 functions.*LaplacianClassifier"):
        ExactLaplacianClassifier(max_bytes=1000).fit(X, y)
    with pytest.raises(ValueError, match="marked by -1"):
        ExactLaplacianClassifier().fit(X, np.where(y < 0, np.nan, y))
    with pytest.raises(ValueError, match="no second derivative"):
        ExactLaplacianClassifier(kernel="exponential").fit(X, y)
