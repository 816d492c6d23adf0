"""The rules of a regressor with default settings, on synthetic data."""

import numpy as np
import pytest
from sklearn.datasets import make_swiss_roll

from lapviz import LaplacianRegressor, fit
from lapviz.fit import few_targets
from lapviz.spaces import DirectSum

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))


def choose(X, y, labelled, **more):
    y = (y - y.mean()) / y.std()
    return few_targets.choose(fit.Sample.of(X), labelled, y[:, None], random_state=0, **more)


@pytest.fixture(scope="module")
def wave():
    labelled = np.arange(0, 200, 4)
    return labelled, choose(X, np.sin(2 * X[labelled, 0]) + X[labelled, 1], labelled)


def test_the_average_is_one_function(wave):
    process = wave[1].process
    assert isinstance(process.space, DirectSum)
    parts = [
        share * prior.features(X)[0].T @ posterior.coefficients
        for (prior, posterior), share in zip(process.parts, process.shares, strict=True)
    ]
    values = process.space.evaluate(X, process.coefficients)
    np.testing.assert_allclose(values, np.sum(parts, axis=0), atol=1e-8)


def test_every_prior_of_a_smooth_part_has_variance_one_on_the_sample(wave):
    for prior, _ in wave[1].process.parts:
        if prior.smooth is not None:
            # the constant, the linear functions, and the smooth ones
            assert prior.features(X)[1].mean() == pytest.approx(1 + 1, rel=1e-6)


@pytest.mark.slow
def test_where_the_sample_shows_the_shape_its_graph_is_chosen():
    roll, t = make_swiss_roll(1000, noise=0.3, random_state=0)
    roll, labelled = (roll - roll.mean(axis=0)) / roll.std(axis=0), np.arange(20)
    report = choose(roll, t[labelled], labelled).report
    assert report["graph_share"].value > 0.9
    assert "graph" in report["prior"].value


def test_the_report_names_the_runner_up(wave):
    reason = wave[1].report["prior"].reason
    assert "posterior weight of 41 priors" in reason
    assert "next: " in reason
    assert "in log weight" in reason


def test_the_reported_prior_is_the_one_in_use():
    """Of few values several priors have nearly the same weight, at noise levels of their own."""
    rng = np.random.default_rng(3)
    apart = 0
    for _ in range(12):
        labelled, y = rng.permutation(200)[:5], rng.normal(size=5)
        chosen = choose(X, y, labelled)
        first = chosen.report["prior"].value
        if "σ" not in first:
            continue  # the linear part alone
        width = float(first.partition("σ = ")[2].partition(",")[0])
        assert chosen.main.space.kernel.bandwidth == pytest.approx(width, rel=5e-3)
        assert ("graph" in first) == (chosen.main.operator is not None)
        apart += 1
    assert apart > 5


@pytest.mark.slow
def test_a_subset_of_many_values_decides_and_all_are_used(monkeypatch):
    monkeypatch.setattr(few_targets, "DECIDING", 40)
    monkeypatch.setattr(few_targets, "MOST_CENTRES", 150)
    monkeypatch.setattr(few_targets, "CENTRES", 60)
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    truth = (y - y.mean()) / y.std()
    errors = []
    for count in (40, 140, 200):
        labelled = np.arange(count)
        choice = few_targets.choose(fit.Sample.of(X), labelled, truth[:count, None], random_state=0)
        values = choice.process.space.evaluate(X, choice.process.coefficients)[:, 0]
        errors.append(np.abs(values - truth).mean())
        if count > 40:
            assert len(choice.process.parts) == 1
    assert errors[1] < 0.7 * errors[0]
    assert errors[2] < 0.7 * errors[0]


def test_a_prior_far_below_the_linear_one_has_a_noise_level():
    """Its weights underflow: of ten outputs that are linear."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(300, 30))
    model = LaplacianRegressor(random_state=0).fit(A, Y := A @ rng.normal(size=(30, 10)))
    assert model.score(A, Y) > 0.999
    assert model.lam_ > 0


@pytest.mark.slow
def test_all_values_decide_about_the_noise_where_each_has_a_function(monkeypatch):
    monkeypatch.setattr(few_targets, "DECIDING", 40)
    labelled, rng = np.arange(150), np.random.default_rng(2)
    y = X[:150, 0] + np.sin(2 * X[:150, 1]) + 0.3 * rng.normal(size=150)
    y = (y - y.mean()) / y.std()
    weights = rng.uniform(0.5, 2.0, 150)
    weights /= weights.mean()
    choice = choose(X, y, labelled, weights=weights)
    ((prior, posterior),) = choice.process.parts
    F = prior.features(X[:150])[0]
    evidence = []
    for noise in few_targets.NOISE:
        covariance = F.T @ F + np.diag(noise / weights)
        misfit = 1 + 0.5 * y @ np.linalg.solve(covariance, y)
        determinant = np.linalg.slogdet(covariance)[1]
        evidence.append(-0.5 * determinant - (1 + 0.5 * 150) * np.log(misfit))
    shares = np.exp(evidence - np.max(evidence))
    kept = shares > few_targets.MIN_NOISE_WEIGHT
    np.testing.assert_allclose(posterior.noise, few_targets.NOISE[kept])
    np.testing.assert_allclose(posterior.shares, shares[kept] / shares[kept].sum(), rtol=1e-5)
    unit = 150 * (1 - prior.rho) / choice.main.unit**2
    assert choice.lam * unit == pytest.approx(few_targets.NOISE[np.argmax(shares)])
    kernel = next(p for p in few_targets._priors(fit.Sample.of(X), X[:40], 0) if p.smooth)
    values = X[:150], y[:, None], weights, 0
    every = few_targets._refit(kernel, *values)[1]
    monkeypatch.setattr(few_targets, "MOST_CENTRES", 100)
    beyond = few_targets._refit(kernel, *values)[1]  # one level, that of (here all) 1000 values
    assert len(every.noise) > 1
    assert beyond.noise.tolist() == [every.likeliest]


@pytest.mark.slow
def test_variance_missed_by_few_functions_becomes_noise(monkeypatch):
    """Linear data with noise in many columns, where narrow functions would fit the noise."""
    rng = np.random.default_rng(1)
    A, m = rng.normal(size=(1000, 20)), 500
    y = A @ rng.normal(size=20)
    y = y + 0.3 * y.std() * rng.normal(size=1000)
    y, labelled = (y - y[:m].mean()) / y[:m].std(), np.arange(m)
    coverage = {}
    monkeypatch.setattr(few_targets, "DECIDING", 150)
    for max_centres in (2000, 400):
        monkeypatch.setattr(few_targets, "MOST_CENTRES", max_centres)
        monkeypatch.setattr(few_targets, "CENTRES", 120)
        choice = few_targets.choose(fit.Sample.of(A), labelled, y[:m, None], random_state=0)
        values = choice.process.space.evaluate(A[m:], choice.process.coefficients)[:, 0]
        std = choice.process.deviation(A[m:])[:, 0]
        coverage[max_centres] = np.mean(np.abs(y[m:] - values) <= 1.645 * std)
        assert 1 - np.var(y[m:] - values) > 0.88
    assert all(0.85 < share < 0.95 for share in coverage.values()), coverage


@pytest.mark.slow
def test_rows_that_coincide_have_no_graph():
    choice = choose(np.ones((60, 3)), np.arange(60.0) // 20, np.arange(60))
    assert choice.report["graph_share"].value == 0
