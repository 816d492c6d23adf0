"""KernelCGRegressor: agreement with the Krylov path and the stopping rules."""

import numpy as np
import pytest
from sklearn.base import clone

from lapviz import KernelCGRegressor, kernels
from lapviz.estimates import conjugate_gradient as kernel_cg
from lapviz.estimates import stopping


def data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    return X, np.sin(3 * X[:, 0]) + 0.2 * rng.normal(size=n) + 5


def test_fixed_is_the_path_on_centred_targets():
    X, y = data()
    model = KernelCGRegressor(bandwidth=0.7, stopping="fixed", n_iterations=4).fit(X, y)
    K = kernels.get("gaussian", 0.7)(X, X)
    path = kernel_cg.krylov_path(K, y - y.mean(), 4)
    np.testing.assert_allclose(model.predict(X), K @ path.alpha[4] / 200 + y.mean(), rtol=1e-10)
    np.testing.assert_allclose(model.path_.alpha, path.alpha)
    assert model.n_iterations_ == 4


@pytest.mark.parametrize("step_back", stopping.STEP_BACKS)
def test_parameters_reach_the_stopping_rules(step_back):
    X, y = data()
    options = {"bandwidth": 0.7, "tau": 0.02, "risk": 0.1}
    model = KernelCGRegressor(stopping="discrepancy", step_back=step_back, **options).fit(X, y)
    expected = stopping.stop_by_discrepancy(
        model.path_, 1.0, np.abs(y - y.mean()).max(), tau=0.02, risk=0.1, step_back=step_back
    )
    np.testing.assert_allclose(model.stop_.thresholds, expected.thresholds)
    assert model.n_iterations_ == expected.iteration > 0
    model = KernelCGRegressor(
        stopping="threshold", bound=1.5, regularity=1.0, dimension=(0.5, 2.0), **options
    ).fit(X, y)
    expected = stopping.stop_by_threshold(
        model.path_, 1.0, 1.5, r=1.0, s=0.5, D=2.0, tau=0.02, risk=0.1
    )
    np.testing.assert_allclose(model.stop_.thresholds, expected.thresholds)
    assert model.n_iterations_ == expected.iteration


def test_holdout_is_chosen_on_points_not_fitted_and_refitted_on_all():
    X, y = data()
    model = KernelCGRegressor(bandwidth=0.7, random_state=3).fit(X, y)
    held_out = np.random.RandomState(3).permutation(200)[:40]
    train = np.setdiff1d(np.arange(200), held_out)
    K = kernels.get("gaussian", 0.7)(X, X)
    target = y - y.mean()
    path = kernel_cg.krylov_path(K[np.ix_(train, train)], target[train], 50)
    errors = np.mean(
        (K[np.ix_(held_out, train)] @ path.alpha.T / 160 - target[held_out][:, None]) ** 2, axis=0
    )
    np.testing.assert_allclose(model.stop_.errors, errors, rtol=1e-6)
    assert model.n_iterations_ == errors.argmin() == model.path_.n_iterations
    for size in (1e-170, 1e290):  # whose squares under- and overflow
        scaled = KernelCGRegressor(bandwidth=0.7, random_state=3).fit(X, size * y)
        assert scaled.n_iterations_ == model.n_iterations_
    full_path = kernel_cg.krylov_path(K, target, model.n_iterations_)
    np.testing.assert_allclose(model.dual_coef_ * 200, full_path.alpha[-1])


def test_unlabelled_points_are_ignored_or_enter_by_theorem_23():
    X, y = data()
    labelled = np.arange(200) % 4 == 0
    y_partial = np.where(labelled, y, np.nan)
    options = {"bandwidth": 0.7, "stopping": "fixed", "n_iterations": 3}
    few = KernelCGRegressor(**options).fit(X[labelled], y[labelled])
    ignored = KernelCGRegressor(**options).fit(X, y_partial)
    np.testing.assert_allclose(ignored.predict(X), few.predict(X))
    model = KernelCGRegressor(unlabelled="response", **options).fit(X, y_partial)
    mean = y[labelled].mean()
    response = 4 * np.where(labelled, y - mean, 0)
    path = kernel_cg.krylov_path(kernels.get("gaussian", 0.7)(X, X), response, 3)
    np.testing.assert_allclose(model.dual_coef_ * 200, path.alpha[3])
    assert model.path_.n_labelled == 50
    assert model.X_fit_.shape == (200, 2)
    rule = KernelCGRegressor(
        unlabelled="response", bandwidth=0.7, stopping="threshold", bound=1.0, source_norm=7.0
    ).fit(X, y_partial)
    level = 1.6 * 7.0 * 4 / np.sqrt(50) * np.log(6 / 0.05)
    np.testing.assert_allclose(rule.stop_.thresholds, level)


@pytest.mark.slow
@pytest.mark.parametrize("n_stored", [0, 50])
def test_a_matrix_that_does_not_fit(n_stored, monkeypatch):
    X, y = data(120)
    for rule in ("fixed", "holdout"):
        model = KernelCGRegressor(bandwidth=0.7, stopping=rule, n_iterations=4, random_state=0)
        expected = model.fit(X, y).predict(X)
        with monkeypatch.context() as context:
            context.setattr("lapviz.memory.available_memory", lambda: 2 * 8 * 120 * n_stored)
            np.testing.assert_allclose(clone(model).fit(X, y).predict(X), expected, rtol=1e-9)
            with pytest.raises(ValueError, match="115,200 bytes"):
                KernelCGRegressor(stopping="threshold", dimension="auto").fit(X, y)


def test_progress_and_stop():
    X, y = data()
    states = []
    model = KernelCGRegressor(stopping="fixed", n_iterations=30)
    model.fit(X, y, callback=lambda s: states.append(s) or s.iteration == 3)
    assert [s.iteration for s in states] == [1, 2, 3]
    assert model.n_iterations_ == 3
    assert not model.stop_.met
