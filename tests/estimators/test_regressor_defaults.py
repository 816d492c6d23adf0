"""LaplacianRegressor with default settings: intervals, and when it is the papers' estimator."""

import pickle
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_friedman1

from lapviz import ExactLaplacianRegressor, LaplacianRegressor, filters, kernels
from lapviz.fit.specs import IgnoredParameterWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
TRUTH = np.sin(2 * X[:, 0]) + X[:, 1]
Y = np.where(np.arange(150) % 3 == 0, TRUTH + 0.1 * RNG.normal(size=150), np.nan)
NEW = RNG.normal(size=(40, 3))
DEFAULT = LaplacianRegressor(random_state=0)

SETTINGS = [
    {"lam": 1e-4},
    {"lam": 1.0},
    {"operator": "laplacian"},
    {"operator": "tangent"},
    {"kernel": "matern52"},
    {"kernel": kernels.get("gaussian", 0.7)},
    {"bandwidth": 0.8},
    {"kernel": "polynomial", "degree": 2},
    {"kernel_params": {}},
    {"n_landmarks": 40},
    {"landmarks": "uniform"},
    {"landmarks": X[:30]},
    {"mu": "floor"},
    {"mu": 1e-3},
    {"filter": "heat"},
    {"data_term": "all"},
    {"fit_intercept": True},
]


@pytest.fixture(scope="module")
def model():
    return clone(DEFAULT).fit(X, Y)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: next(iter(settings)))
def test_any_parameter_selects_the_papers_estimator(settings):
    """Exactly, with its defaults for the other parameters."""
    model = LaplacianRegressor(random_state=0, **settings).fit(X, Y)
    explicit = {"operator": "laplacian", "lam": 1.0} | settings
    papers = LaplacianRegressor(random_state=0, **explicit).fit(X, Y)
    np.testing.assert_array_equal(model.predict(NEW), papers.predict(NEW))
    assert (model.lam_, model.mu_) == (papers.lam_, papers.mu_)
    assert model.lam_ == explicit["lam"]
    with pytest.raises(ValueError, match=rf"return_std=True .* {next(iter(settings))}\b"):
        model.predict(NEW, return_std=True)


def test_all_parameters_but_scaling_the_seed_and_the_progress_bar_count():
    names = {"scaling", "random_state", "verbose"}.union(*SETTINGS)
    assert names == {f.name for f in fields(LaplacianRegressor)}


def test_numpy_scalars_are_values_like_pythons(model):
    scalars = {
        "degree": np.int64(3),
        "fit_intercept": np.bool_(False),
        "data_term": np.str_("labelled"),
    }
    same = LaplacianRegressor(random_state=0, **scalars).fit(X, Y)
    np.testing.assert_array_equal(same.predict(NEW), model.predict(NEW))
    for cls in (partial(LaplacianRegressor, random_state=0), ExactLaplacianRegressor):
        with_constant = [
            cls(bandwidth=1.0, fit_intercept=flag).fit(X[:40], Y[:40]).predict(NEW)
            for flag in (True, np.bool_(True))
        ]
        np.testing.assert_array_equal(*with_constant)


def test_poissons_scale_is_that_of_each_output():
    two = np.column_stack([Y, 1000 * np.sin(Y)])
    settings = {"operator": "laplacian", "data_term": "poisson", "random_state": 0}
    both = LaplacianRegressor(**settings).fit(X, two).predict(NEW)
    for column, y in zip(both.T, two.T, strict=True):
        alone = LaplacianRegressor(**settings).fit(X, y).predict(NEW)
        np.testing.assert_allclose(column, alone, rtol=1e-9, atol=1e-9 * np.abs(alone).max())


@pytest.mark.slow
def test_unlabelled_rows_are_predicted_and_intervals_hold(model):
    hidden = np.isnan(Y)
    values, std = model.predict(X[hidden], return_std=True)
    assert 1 - np.var(TRUTH[hidden] - values) / TRUTH.var() > 0.9
    new = TRUTH[hidden] + 0.1 * np.random.default_rng(1).normal(size=hidden.sum())
    assert 0.8 < np.mean(np.abs(new - values) <= 1.645 * std) <= 1
    assert 0.03 < model.noise_ < 0.3
    assert (std >= 0.9 * model.noise_).all()
    assert model.predict(100 + NEW, return_std=True)[1].min() > std.max()


@pytest.mark.slow
def test_intervals_cover_nine_in_ten_on_a_noisy_table():
    coverage = []
    for seed in range(3):
        A, y = make_friedman1(400, noise=2.0, random_state=seed)
        y_partial = np.where(np.arange(400) < 60, y, np.nan)
        values, std = clone(DEFAULT).fit(A, y_partial).predict(A[60:], return_std=True)
        coverage.append(np.mean(np.abs(y[60:] - values) <= 1.645 * std))
    assert 0.85 < np.mean(coverage) < 0.95


@pytest.mark.slow
def test_units_of_points_and_values_do_not_matter(model):
    values, std = model.predict(NEW, return_std=True)
    for unit in (1e-6, 1e6):
        scaled = clone(DEFAULT).fit(unit * X, 1e5 * Y - 3e6)
        scaled_values, scaled_std = scaled.predict(unit * NEW, return_std=True)
        np.testing.assert_allclose((scaled_values + 3e6) / 1e5, values, atol=1e-6)
        np.testing.assert_allclose(scaled_std / 1e5, std, rtol=1e-5)


def test_linear_data_are_recovered_and_extrapolated():
    slope = np.array([1.0, -2.0, 0.5])
    y = np.where(np.arange(150) < 30, 4 + X @ slope, np.nan)
    fitted = clone(DEFAULT).fit(X, y)
    assert fitted.linear_share_ > 0.8
    np.testing.assert_allclose(fitted.predict(NEW), 4 + NEW @ slope, atol=0.05)
    np.testing.assert_allclose(fitted.predict(10 * NEW), 4 + 10 * NEW @ slope, atol=3)


@pytest.mark.slow
def test_several_outputs_share_the_prior_and_have_their_own_scale(model):
    two_outputs = clone(DEFAULT).fit(X, np.column_stack([Y, 5 - 10 * Y]))
    values, std = two_outputs.predict(NEW, return_std=True)
    assert values.shape == std.shape == (40, 2)
    np.testing.assert_allclose(values[:, 1], 5 - 10 * values[:, 0], atol=1e-9)
    np.testing.assert_allclose(std[:, 1], 10 * std[:, 0], rtol=1e-9)
    assert two_outputs.noise_.shape == two_outputs.target_mean_.shape == (2,)
    column = clone(DEFAULT).fit(X, Y[:, None])
    np.testing.assert_allclose(column.predict(NEW)[:, 0], model.predict(NEW), atol=1e-12)
    constant = np.where(np.isnan(Y), np.nan, 0.1)
    beside_constants = clone(DEFAULT).fit(X, np.column_stack([Y, constant, constant]))
    values, std = beside_constants.predict(NEW, return_std=True)
    np.testing.assert_allclose(values[:, 0], model.predict(NEW), atol=1e-9)
    np.testing.assert_allclose(std[:, 0], model.predict(NEW, return_std=True)[1], rtol=1e-9)


@pytest.mark.slow
def test_equal_values_and_a_single_value():
    weights = np.random.default_rng(0).uniform(size=150)
    for count, sample_weight in ((1, None), (3, None), (5, None), (5, weights)):
        y = np.where(np.arange(150) < count, 0.1, np.nan)
        fitted = clone(DEFAULT).fit(X, y, sample_weight=sample_weight)
        values, std = fitted.predict(NEW, return_std=True)
        np.testing.assert_allclose(values, 0.1, atol=1e-12)
        assert np.isnan(std).all(), "nothing is known of the noise"


def test_it_is_the_same_after_a_pickle_and_from_one_point_at_a_time(model):
    unpickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(unpickled.predict(NEW, True), model.predict(NEW, True))
    one_by_one = np.concatenate([model.predict(x[None], return_std=True)[1] for x in NEW[:5]])
    np.testing.assert_allclose(one_by_one, model.predict(NEW[:5], return_std=True)[1], rtol=1e-9)


@pytest.mark.slow
def test_a_fit_removes_the_attributes_of_an_earlier_one():
    fitted = LaplacianRegressor(lam=1e-3, random_state=0).fit(X, Y)
    assert fitted.dirichlet_energy_ > 0
    fitted.set_params(lam="auto", filter=filters.get("tikhonov")).fit(X, Y)  # as by its name
    assert not hasattr(fitted, "solver_")
    assert not hasattr(fitted, "dirichlet_energy_")
    fitted.predict(NEW, return_std=True)
    fitted.set_params(lam=1e-3).fit(X, Y)
    assert not hasattr(fitted, "noise_")
    with pytest.raises(ValueError, match="lam was given"):
        fitted.predict(NEW, return_std=True)


def test_a_parameter_without_effect_leaves_it_as_it_is(model):
    with pytest.warns(IgnoredParameterWarning, match="degree=4 is ignored: the gaussian kernel"):
        fitted = clone(DEFAULT).set_params(degree=4).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(NEW), model.predict(NEW))


def test_masked_values_are_unlabelled(model):
    masked = np.ma.masked_array(np.nan_to_num(Y, nan=-999.0), mask=np.isnan(Y))
    np.testing.assert_array_equal(clone(DEFAULT).fit(X, masked).predict(NEW), model.predict(NEW))


def test_the_report_and_the_attributes(model):
    assert set(model.report_.names) == {"prior", "graph_share", "linear_share"}
    assert model.report_["linear_share"].value == model.linear_share_
    assert model.mu_ == 1.0
    assert model.operator_ == "none"  # the RKHS norm alone
    assert 0 < model.lam_ < 1
    assert model.bandwidth_ == model.kernel_.bandwidth
    assert model.coefficients_.shape == (model.space_.n_functions, 1)
    assert f"{model.report_['prior'].value.partition(',')[0]}" == "RKHS norm"


@pytest.mark.slow
def test_weights_of_values_are_precisions():
    weights = np.where(np.arange(150) < 75, 1.0, 100.0)
    spoilt = np.where(np.arange(150) < 75, Y + 5 * RNG.normal(size=150), Y)
    plain = clone(DEFAULT).fit(X, spoilt).predict(NEW)
    weighted = clone(DEFAULT).fit(X, spoilt, sample_weight=weights).predict(NEW)
    truth = np.sin(2 * NEW[:, 0]) + NEW[:, 1]
    assert np.abs(weighted - truth).mean() < 0.7 * np.abs(plain - truth).mean()
