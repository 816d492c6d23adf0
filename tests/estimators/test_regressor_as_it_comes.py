"""LaplacianRegressor without parameters, its intervals, and the papers' estimator beside it."""

import pickle
from dataclasses import fields

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_friedman1

from lapviz import LaplacianRegressor, kernels
from lapviz.fit import few_labels, stream

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
TRUTH = np.sin(2 * X[:, 0]) + X[:, 1]
Y = np.where(np.arange(150) % 3 == 0, TRUTH + 0.1 * RNG.normal(size=150), np.nan)
NEW = RNG.normal(size=(40, 3))
USUAL = LaplacianRegressor(random_state=0)

GIVEN = [
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
    return clone(USUAL).fit(X, Y)


@pytest.mark.slow
@pytest.mark.parametrize("given", GIVEN, ids=lambda given: next(iter(given)))
def test_any_parameter_asks_for_the_papers_estimator(given):
    """To the last bit, with what was the default before there was another."""
    found = LaplacianRegressor(random_state=0, **given).fit(X, Y)
    explicit = {"operator": "laplacian", "lam": 1.0} | given
    papers = LaplacianRegressor(random_state=0, **explicit).fit(X, Y)
    np.testing.assert_array_equal(found.predict(NEW), papers.predict(NEW))
    assert (found.lam_, found.mu_) == (papers.lam_, papers.mu_)
    assert found.lam_ == explicit["lam"]
    with pytest.raises(ValueError, match=rf"return_std=True .* {next(iter(given))}\b"):
        found.predict(NEW, return_std=True)


def test_all_parameters_but_scaling_the_seed_and_the_progress_bar_count():
    names = {name for given in GIVEN for name in given} | {"scaling", "random_state", "verbose"}
    assert names == {f.name for f in fields(LaplacianRegressor)}


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
def test_what_is_covered_on_a_table_with_noise():
    inside = []
    for seed in range(3):
        A, y = make_friedman1(400, noise=2.0, random_state=seed)
        given = np.where(np.arange(400) < 60, y, np.nan)
        values, std = clone(USUAL).fit(A, given).predict(A[60:], return_std=True)
        inside.append(np.mean(np.abs(y[60:] - values) <= 1.645 * std))
    assert 0.85 < np.mean(inside) < 0.95


@pytest.mark.slow
def test_units_of_points_and_values_do_not_matter(model):
    values, std = model.predict(NEW, return_std=True)
    for unit in (1e-6, 1e6):
        other = clone(USUAL).fit(unit * X, 1e5 * Y - 3e6)
        found, spread = other.predict(unit * NEW, return_std=True)
        np.testing.assert_allclose((found + 3e6) / 1e5, values, atol=1e-6)
        np.testing.assert_allclose(spread / 1e5, std, rtol=1e-5)


def test_linear_data_are_recovered_and_continued():
    slope = np.array([1.0, -2.0, 0.5])
    y = np.where(np.arange(150) < 30, 4 + X @ slope, np.nan)
    found = clone(USUAL).fit(X, y)
    assert found.linear_share_ > 0.8
    np.testing.assert_allclose(found.predict(NEW), 4 + NEW @ slope, atol=0.05)
    np.testing.assert_allclose(found.predict(10 * NEW), 4 + 10 * NEW @ slope, atol=3)


@pytest.mark.slow
def test_several_outputs_share_the_prior_and_have_their_own_scale(model):
    both = clone(USUAL).fit(X, np.column_stack([Y, 5 - 10 * Y]))
    values, std = both.predict(NEW, return_std=True)
    assert values.shape == std.shape == (40, 2)
    np.testing.assert_allclose(values[:, 1], 5 - 10 * values[:, 0], atol=1e-9)
    np.testing.assert_allclose(std[:, 1], 10 * std[:, 0], rtol=1e-9)
    assert both.noise_.shape == both.target_mean_.shape == (2,)
    column = clone(USUAL).fit(X, Y[:, None])
    np.testing.assert_allclose(column.predict(NEW)[:, 0], model.predict(NEW), atol=1e-12)


@pytest.mark.slow
def test_values_that_are_equal_or_alone():
    for count, expected in ((1, np.nan), (5, 0.0)):
        found = clone(USUAL).fit(X, np.where(np.arange(150) < count, 0.1, np.nan))
        values, std = found.predict(NEW, return_std=True)
        np.testing.assert_allclose(values, 0.1, atol=1e-12)
        np.testing.assert_allclose(std, expected, atol=1e-12)


def test_it_is_the_same_after_a_pickle_and_from_one_point_at_a_time(model):
    again = pickle.loads(pickle.dumps(model))
    for found, expected in zip(again.predict(NEW, True), model.predict(NEW, True), strict=True):
        np.testing.assert_array_equal(found, expected)
    one = np.concatenate([model.predict(x[None], return_std=True)[1] for x in NEW[:5]])
    np.testing.assert_allclose(one, model.predict(NEW[:5], return_std=True)[1], rtol=1e-9)


@pytest.mark.slow
def test_a_fit_forgets_the_one_before():
    found = LaplacianRegressor(lam=1e-3, random_state=0).fit(X, Y)
    assert found.dirichlet_energy_ > 0
    found.set_params(lam="auto").fit(X, Y)
    assert not hasattr(found, "solver_")
    assert not hasattr(found, "dirichlet_energy_")
    found.predict(NEW, return_std=True)
    found.set_params(lam=1e-3).fit(X, Y)
    assert not hasattr(found, "noise_")
    with pytest.raises(ValueError, match="lam was given"):
        found.predict(NEW, return_std=True)


def test_the_report_and_what_was_used(model):
    assert set(model.report_.names) == {"prior", "graph_share", "linear_share"}
    assert model.mu_ == 1.0
    assert model.operator_ == "none"  # this prior is the kernel alone
    assert 0 < model.lam_ < 1
    assert model.bandwidth_ == model.kernel_.bandwidth
    assert model.coefficients_.shape == (model.space_.n_functions, 1)
    assert f"{model.report_['prior'].value.partition(',')[0]}" == "RKHS norm"


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_elsewhere_give_the_same(monkeypatch, weighted):
    """Of many rows the fit looks at the labelled ones and a sample, wherever they are."""
    da = pytest.importorskip("dask.array")
    monkeypatch.setattr(few_labels, "MOST_NODES", 80)
    weights = RNG.uniform(0.5, 2, 150) if weighted else None
    whole = clone(USUAL).fit(X, Y, sample_weight=weights)
    chunked = clone(USUAL).fit(da.from_array(X, chunks=(40, 3)), Y, sample_weight=weights)

    def batches():
        for rows in np.array_split(np.arange(150), 4):
            yield X[rows], Y[rows], None if weights is None else weights[rows]

    expected = whole.predict(NEW, return_std=True)
    for other in (chunked, stream(clone(USUAL), batches)):
        for found, known in zip(other.predict(NEW, return_std=True), expected, strict=True):
            np.testing.assert_allclose(found, known, rtol=1e-8)
    lazy = whole.predict(da.from_array(NEW, chunks=(15, 3)), return_std=True)
    for found, known in zip(lazy, expected, strict=True):
        np.testing.assert_allclose(found.compute(), known, rtol=1e-8)


@pytest.mark.slow
def test_weights_of_values_are_their_precision():
    weights = np.where(np.arange(150) < 75, 1.0, 100.0)
    spoilt = np.where(np.arange(150) < 75, Y + 5 * RNG.normal(size=150), Y)
    plain = clone(USUAL).fit(X, spoilt).predict(NEW)
    weighted = clone(USUAL).fit(X, spoilt, sample_weight=weights).predict(NEW)
    truth = np.sin(2 * NEW[:, 0]) + NEW[:, 1]
    assert np.abs(weighted - truth).mean() < 0.7 * np.abs(plain - truth).mean()
