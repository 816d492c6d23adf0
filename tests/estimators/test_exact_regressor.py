"""ExactLaplacianRegressor: the core behind it, unlabelled rows, sizes, limits."""

import numpy as np
import pytest

from lapviz.estimates.exact import exact_estimate
from lapviz.estimators import LaplacianRegressor
from lapviz.estimators.exact_regressor import ExactLaplacianRegressor
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


@pytest.mark.parametrize("kernel", ["gaussian", "matern52"])
def test_both_solvers_give_one_answer_with_the_automatic_settings(kernel):
    X, y = problem()
    direct, block = (
        ExactLaplacianRegressor(kernel=kernel, solver=s).fit(X, y).predict(X)
        for s in ("direct", "block")
    )
    np.testing.assert_allclose(direct, block, atol=1e-6)


def test_unlabelled_points_count_and_rows_with_any_nan_are_unlabelled():
    X, y = problem()
    model = ExactLaplacianRegressor(bandwidth=1.0, mu=1e-2).fit(X, y)
    fewer = ExactLaplacianRegressor(bandwidth=1.0, mu=1e-2).fit(X[:10], y[:10])
    assert not np.allclose(model.predict(X), fewer.predict(X), atol=1e-3)
    two = np.column_stack([y, -y])
    two[10, 0] = 7.0  # its other entry is missing
    found = ExactLaplacianRegressor(bandwidth=1.0, mu=1e-2).fit(X, two).predict(X)
    np.testing.assert_allclose(found, np.column_stack([model.predict(X), -model.predict(X)]))


def test_the_galerkin_estimate_approaches_it_from_above():
    """The objective falls to the exact one as landmarks are added, and cannot pass it."""
    X, y = problem(n=150, n_labelled=15)
    options = {"bandwidth": 1.0, "lam": 0.1, "mu": 1e-3}
    exact = ExactLaplacianRegressor(**options).fit(X, y)
    labelled = ~np.isnan(y)
    space, new = exact.space_, np.random.default_rng(2).uniform(-1.5, 1.5, size=(50, 2))
    values, off = [], []
    for p in (5, 20, 150):
        model = LaplacianRegressor(n_landmarks=p, random_state=0, **options).fit(X, y)
        off.append(np.abs(model.predict(new) - exact.predict(new)).max())
        loss = np.mean((model.predict(X[labelled]) - y[labelled]) ** 2)
        c = model.coefficients_[:, 0]
        norm = c @ model.space_.gram @ c
        values.append(loss + 0.1 * (model.dirichlet_energy_ + 1e-3 * norm))
    best = exact.estimate_.objective[0]
    assert space.n_functions == 450
    assert values[0] > values[1] > values[2] > best * (1 - 1e-6)
    assert values[2] < 1.001 * best
    assert off[2] < 1e-3 < off[0]


def test_a_size_that_cannot_fit_is_refused_with_its_bytes_before_any_work():
    needed = required_bytes(10**5, 1)
    with pytest.raises(MemoryError, match=rf"takes {needed / 1e9:.0f} GB; .* LaplacianRegressor"):
        ExactLaplacianRegressor().fit(np.linspace(0, 1, 10**5)[:, None], np.ones(10**5))
    X, y = problem()
    with pytest.raises(MemoryError, match="120 functions"):
        ExactLaplacianRegressor(max_bytes=1000).fit(X, y)


def test_nonsense_gets_a_sentence():
    X, y = problem()
    for wrong, sentence in (
        ({"kernel": "exponential"}, "no second derivative"),
        ({"mu": 0.0}, "mu"),
        ({"solver": "inverse"}, "solver"),
        ({"lam": -1.0}, "lam"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ExactLaplacianRegressor(**wrong).fit(X, y)
    with pytest.raises(ValueError, match="only NaN: give at least one"):
        ExactLaplacianRegressor().fit(X, np.full(len(X), np.nan))


@pytest.mark.parametrize("bandwidth", ["auto", 1e-9, 1e9])
def test_hard_data_get_finite_answers(bandwidth):
    for X in (np.zeros((2, 2)), np.ones((12, 3)), np.linspace(0, 1, 12)[:, None] + 1e6):
        y = np.where(np.arange(len(X)) % 2, np.nan, np.arange(len(X), dtype=float))
        with np.errstate(all="ignore"):
            for solver in ("direct", "block"):
                model = ExactLaplacianRegressor(bandwidth=bandwidth, solver=solver).fit(X, y)
                assert np.isfinite(model.predict(X + 0.1)).all()
