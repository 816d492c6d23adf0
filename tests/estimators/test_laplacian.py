"""LaplacianClassifier and LaplacianRegressor against the core and brute force."""

from itertools import product

import numpy as np
import pytest

from lapviz import LaplacianClassifier, LaplacianRegressor, datasets, estimates, operators
from lapviz.estimates import filters
from lapviz.spectra import spectrum
from tests.estimators.kinds import plain_classifier


@pytest.fixture(scope="module")
def moons():
    return datasets.load("half_moons", n_samples=600, noise=0.05, random_state=0)


@pytest.fixture(scope="module")
def blobs():
    return datasets.load("blobs", n_samples=400, noise=0.5, random_state=0)


# well-separated functions, so that direct solves keep their digits
SAFE = {"kernel": "exponential", "bandwidth": 1.5, "n_landmarks": 25, "mu": 1e-3, "random_state": 0}
MOONS = {"bandwidth": 0.3, "n_landmarks": 150, "mu": 1e-4, "random_state": 0}


# ------------------------------------------------------------------------- against brute force


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("operator", ["laplacian", "tangent"])
def test_the_regressor_is_the_core_around_the_labelled_mean(moons, constant, operator):
    rng = np.random.default_rng(0)
    rows, y = rng.permutation(600)[:9], np.full(600, np.nan)
    y[rows] = 5 + rng.normal(size=9)
    model = LaplacianRegressor(**SAFE, lam=0.3, operator=operator, fit_intercept=constant)
    model.fit(moons.X, y)
    form = operators.assemble(model.space_, moons.X, operator)
    factor, phi = estimates.factorise(form, 1e-3, constant), model.space_.phi(moons.X)
    mean = y[rows].mean()
    c = estimates.labelled_estimate(factor, phi[rows], y[rows, None] - mean, 0.3)
    np.testing.assert_allclose(model.predict(moons.X), phi @ c[:, 0] + mean, atol=1e-9)
    assert model.target_mean_ == pytest.approx(mean)


SETTINGS = [
    {"filter": name, "data_term": term, "fit_intercept": constant}
    for name, term, constant in product(filters.names(), ("labelled", "all"), (False, True))
]
SETTINGS += [{"operator": "graph", **options} for options in
             ({}, {"data_term": "poisson"}, {"landmarks": "leverage"})]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_parameters_reach_the_core(blobs, settings):
    y = blobs.semi_supervised_target()
    model = LaplacianClassifier(
        **{"operator": "laplacian", "bandwidth": 1.0, "n_landmarks": 60, "lam": 0.2, "mu": 1e-3}
        | settings, random_state=0
    ).fit(blobs.X, y)  # fmt: skip
    rows, constant = np.flatnonzero(blobs.labelled), settings.get("fit_intercept", False)
    form = operators.assemble(model.space_, blobs.X, model.operator)
    phi, codes = model.space_.phi(blobs.X[rows]), estimates.class_codes(y[rows], 4)
    factor, name = estimates.factorise(form, 1e-3, constant), settings.get("filter", "tikhonov")
    c = {
        "labelled": lambda: estimates.labelled_estimate(factor, phi, codes, 0.2, name),
        "poisson": lambda: estimates.poisson_estimate(factor, phi, codes),
        "all": lambda: estimates.spectral_estimate(
            spectrum(form, 1e-3), phi.T @ codes / len(rows), 0.2, name
        ),
    }[model.data_term]()
    np.testing.assert_allclose(
        model.decision_function(blobs.X), model.space_.phi(blobs.X) @ c, atol=1e-9
    )
    assert model.space_.constant is constant
    assert model.dirichlet_energy_ == pytest.approx(np.trace(c.T @ form.stiffness @ c), rel=1e-9)


# --------------------------------------------------------------------------- what y may look like


def test_one_class_is_the_answer_everywhere(moons):
    y = np.where(np.arange(600) < 3, 7, -1)
    with pytest.warns(UserWarning, match="one class, 7"):
        model = plain_classifier(**MOONS).fit(moons.X, y)
    assert np.all(model.predict(moons.X) == 7)
    assert np.all(model.predict_proba(moons.X) == 1.0)
    assert model.predict_proba(moons.X).shape == (600, 1)
    assert model.decision_function(moons.X).shape == (600,)
