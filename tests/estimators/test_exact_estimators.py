"""The exact estimators: the regressor against the core, the classifier against it; sizes."""

import numpy as np
import pytest

from lapviz import ExactLaplacianClassifier, ExactLaplacianRegressor, estimates
from lapviz.estimates.exact import exact_estimate
from lapviz.spaces.representer import RepresenterSpace, required_bytes


def problem(n=40, d=2, n_labelled=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, size=(n, d))
    y = np.full(n, np.nan)
    y[:n_labelled] = np.sin(X[:n_labelled, 0]) + 3.0
    return X, y


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("solver", ["direct", "block"])
@pytest.mark.parametrize("kernel", ["gaussian", "matern32", "matern52", "polynomial"])
def test_it_is_the_core_estimate_around_the_labelled_mean(kernel, solver, intercept):
    X, y = problem()
    model = ExactLaplacianRegressor(
        kernel=kernel, bandwidth=1.5, lam=0.2, mu=1e-2, solver=solver, fit_intercept=intercept
    ).fit(X, y)
    labelled = ~np.isnan(y)
    mean = y[labelled].mean()
    space = RepresenterSpace(model.kernel_, X, intercept)
    core = exact_estimate(space, y[labelled] - mean, labelled, 0.2, 1e-2, solver)
    new = np.random.default_rng(1).uniform(-2, 2, size=(20, 2))
    expected = mean + space.phi(new) @ core.coefficients[:, 0]
    np.testing.assert_allclose(model.predict(new), expected, rtol=1e-9)
    slopes = space.gradient(X) @ core.coefficients
    assert model.dirichlet_energy_ == pytest.approx(np.mean(np.sum(slopes**2, axis=1)), rel=1e-5)


def classes_of(n_classes, n=60, seed=0):
    """Two labels of every class, so that the codes have mean 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + 2.5 * np.arange(n)[:, None] % n_classes
    y = np.full(n, -1)
    y[: 2 * n_classes] = np.arange(2 * n_classes) % n_classes
    return X, y


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"solver": "block"}, {"fit_intercept": True}], ids=str)
def test_it_is_regression_on_class_codes(n_classes, options):
    X, y = classes_of(n_classes)
    options = options | {"bandwidth": 1.2, "mu": 1e-2, "lam": 0.1}
    model = ExactLaplacianClassifier(**options).fit(X, np.array(["a", "b", "c", -1])[y])
    labelled = y >= 0
    codes = np.full((len(y), 1 if n_classes == 2 else n_classes), np.nan)
    codes[labelled] = estimates.class_codes(y[labelled], n_classes)
    new = np.random.default_rng(1).normal(size=(30, 2))
    values = ExactLaplacianRegressor(**options).fit(X, codes).predict(new)
    scores = model.decision_function(new).reshape(30, -1)
    np.testing.assert_allclose(scores, values.reshape(30, -1), atol=1e-9)
    assert model.classes_.tolist() == ["a", "b", "c"][:n_classes]
    np.testing.assert_array_equal(model.predict(new), model.classes_[estimates.decode(scores)])
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1.0)


def test_a_problem_too_large_for_memory_is_refused_with_its_bytes_before_any_work():
    needed = required_bytes(10**5, 1)
    with pytest.raises(MemoryError, match=rf"takes {needed / 1e9:.0f} GB; .* LaplacianRegressor"):
        ExactLaplacianRegressor().fit(np.linspace(0, 1, 10**5)[:, None], np.ones(10**5))
    X, y = problem()
    with pytest.raises(MemoryError, match="120 functions"):
        ExactLaplacianRegressor(max_bytes=1000).fit(X, y)
    with pytest.raises(MemoryError, match=r"180 functions.*LaplacianClassifier"):
        ExactLaplacianClassifier(max_bytes=1000).fit(*classes_of(2))
