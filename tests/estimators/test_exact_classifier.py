"""ExactLaplacianClassifier: its regressor on class codes, and what the Galerkin method nears."""

from functools import partial

import numpy as np
import pytest

from lapviz import (
    ExactLaplacianClassifier,
    ExactLaplacianRegressor,
    LaplacianClassifier,
    estimates,
)

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


def test_what_cannot_work_gets_a_sentence():
    X, y = problem(2)
    with pytest.raises(MemoryError, match=r"180 functions.*LaplacianClassifier"):
        ExactLaplacianClassifier(max_bytes=1000).fit(X, y)
    with pytest.raises(ValueError, match="marked by -1"):
        ExactLaplacianClassifier().fit(X, np.where(y < 0, np.nan, y))
    with pytest.raises(ValueError, match="no second derivative"):
        ExactLaplacianClassifier(kernel="exponential").fit(X, y)
