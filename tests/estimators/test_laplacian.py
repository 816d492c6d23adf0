"""LaplacianClassifier and LaplacianRegressor against the core, brute force and plain sense."""

from functools import partial

import numpy as np
import pytest

from lapviz import LaplacianClassifier, LaplacianRegressor, datasets, estimates, operators
from lapviz.estimates import filters
from lapviz.spectra import spectrum

# The papers' estimator: what is not given is not chosen by the automatic rules.
plain_classifier = partial(LaplacianClassifier, operator="laplacian")


@pytest.fixture(scope="module")
def moons():
    return datasets.load("half_moons", n_samples=600, noise=0.05, random_state=0)


@pytest.fixture(scope="module")
def blobs():
    return datasets.load("blobs", n_samples=400, noise=0.5, random_state=0)


# well-separated functions, so that direct solves keep their digits
SAFE = {"kernel": "exponential", "bandwidth": 1.5, "n_landmarks": 25, "mu": 1e-3, "random_state": 0}
MOONS = {"bandwidth": 0.3, "n_landmarks": 150, "mu": 1e-4, "random_state": 0}


# ------------------------------------------------------------------------- the papers' settings


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_four_labels_colour_four_circles(seed):
    data = datasets.load("four_circles", n_samples=2000, noise=0.0, random_state=seed)
    settings = {"bandwidth": 0.2, "lam": 1.0, "mu": 1 / 2000, "n_landmarks": 500}
    model = plain_classifier(**settings, random_state=seed)
    model.fit(data.X, data.semi_supervised_target())
    assert np.mean(model.predict(data.X) == data.y) >= 0.98
    # with an unpenalised constant one circle gets the wrong sign
    other = plain_classifier(**settings, fit_intercept=True, random_state=seed)
    other.fit(data.X, data.semi_supervised_target())
    assert np.mean(other.predict(data.X) == data.y) < 0.9


# ------------------------------------------------------------------------- against brute force


def objective_minimiser(model, X, rows, targets):
    """argmin E_ℓ|g − y|² + λ(S + μK), solved as it stands."""
    form = operators.assemble(model.space_, X, model.operator)
    phi = model.space_.phi(X[rows])
    left = phi.T @ phi / len(rows) + getattr(model, "lam_", model.lam) * form.penalty(model.mu_)
    return np.linalg.lstsq(left, phi.T @ targets / len(rows), rcond=1e-13)[0]


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("operator", ["laplacian", "tangent"])
def test_the_regressor_minimises_the_objective(moons, fit_intercept, operator):
    rng = np.random.default_rng(0)
    rows = rng.permutation(600)[:9]
    y = np.full(600, np.nan)
    y[rows] = 5 + rng.normal(size=9)
    model = LaplacianRegressor(**SAFE, lam=0.3, operator=operator, fit_intercept=fit_intercept).fit(
        moons.X, y
    )
    mean = y[rows].mean()
    c = objective_minimiser(model, moons.X, rows, (y[rows] - mean)[:, None])
    expected = model.space_.phi(moons.X) @ c[:, 0] + mean
    np.testing.assert_allclose(model.predict(moons.X), expected, atol=1e-7)
    assert model.target_mean_ == pytest.approx(mean)


@pytest.mark.parametrize("filter", filters.names())
@pytest.mark.parametrize("data_term", ["labelled", "all"])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_parameters_reach_the_core(blobs, filter, data_term, fit_intercept):
    y = blobs.semi_supervised_target()
    model = plain_classifier(
        bandwidth=1.0, n_landmarks=60, lam=0.2, mu=1e-3, filter=filter, data_term=data_term,
        fit_intercept=fit_intercept, random_state=0,
    ).fit(blobs.X, y)  # fmt: skip
    rows = np.flatnonzero(blobs.labelled)
    form = operators.assemble(model.space_, blobs.X)
    phi, codes = model.space_.phi(blobs.X[rows]), estimates.class_codes(y[rows], 4)
    if data_term == "labelled":
        factor = estimates.factorise(form, 1e-3, fit_intercept)
        c = estimates.labelled_estimate(factor, phi, codes, 0.2, filter)
    else:
        b = phi.T @ codes / len(rows)
        c = estimates.spectral_estimate(spectrum(form, 1e-3), b, 0.2, filter)
    np.testing.assert_allclose(
        model.decision_function(blobs.X), model.space_.phi(blobs.X) @ c, atol=1e-9
    )
    assert model.space_.constant is fit_intercept
    assert model.dirichlet_energy_ == pytest.approx(np.trace(c.T @ form.stiffness @ c), rel=1e-9)


# ------------------------------------------------------------------------------- limits in λ


def test_much_smoothing_gives_the_labelled_mean():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), np.full(50, np.nan)
    y[:5] = [1.0, 2.0, 6.0, 0.0, 1.0]
    for options in ({}, {"fit_intercept": True}, {"data_term": "all", "fit_intercept": True}):
        model = LaplacianRegressor(lam=1e12, random_state=0, **options).fit(X, y)
        np.testing.assert_allclose(model.predict(X), 2.0, atol=1e-4)


def test_the_energy_is_that_of_the_predictions(moons):
    """E_n‖∇g‖² by finite differences of the decision function."""
    model = plain_classifier(**MOONS).fit(moons.X, moons.semi_supervised_target())
    step, energy = 1e-4, 0.0
    for l in range(2):
        e = step * np.eye(2)[l]
        slope = model.decision_function(moons.X + e) - model.decision_function(moons.X - e)
        energy += np.mean((slope / (2 * step)) ** 2)
    assert model.dirichlet_energy_ == pytest.approx(energy, rel=1e-3)


# --------------------------------------------------------------------------- what y may look like


def test_unlabelled_rows_matter_and_their_order_does_not(moons):
    y = moons.semi_supervised_target()
    model = plain_classifier(**MOONS).fit(moons.X, y)
    order = np.random.default_rng(0).permutation(600)
    options = MOONS | {"landmarks": model.landmarks_}
    mixed = plain_classifier(**options).fit(moons.X[order], y[order])
    np.testing.assert_allclose(
        mixed.decision_function(moons.X), model.decision_function(moons.X), atol=1e-3
    )
    fewer = moons.labelled | (np.arange(600) % 4 == 0)
    thinned = plain_classifier(**options).fit(moons.X[fewer], y[fewer])
    assert not np.allclose(
        thinned.decision_function(moons.X), model.decision_function(moons.X), atol=1e-2
    )


def test_names_and_numbers_of_classes_do_not_matter(blobs):
    codes = blobs.semi_supervised_target()
    base = plain_classifier(bandwidth=1.0, random_state=0).fit(blobs.X, codes)
    names = np.array(["ant", "bee", "cat", "dog"])
    as_text = np.where(codes < 0, "-1", names[codes])
    as_objects = np.array([-1 if c < 0 else names[c] for c in codes], dtype=object)
    as_numbers = np.where(codes < 0, -1, 10 * codes + 3)
    as_floats = as_numbers.astype(float)
    for y, classes in (
        (as_text, names),
        (as_objects, names),
        (as_numbers, [3, 13, 23, 33]),
        (as_floats, [3, 13, 23, 33]),
    ):
        model = plain_classifier(bandwidth=1.0, random_state=0).fit(blobs.X, y)
        assert model.classes_.tolist() == list(classes)
        np.testing.assert_array_equal(
            model.predict(blobs.X), np.asarray(classes)[base.predict(blobs.X)]
        )


def test_four_classes_from_one_label_each(blobs):
    model = plain_classifier(bandwidth=1.0, random_state=0)
    model.fit(blobs.X, blobs.semi_supervised_target())
    assert np.mean(model.predict(blobs.X) == blobs.y) > 0.97
    scores, P = model.decision_function(blobs.X), model.predict_proba(blobs.X)
    assert scores.shape == P.shape == (400, 4)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert P.min() >= 0
    np.testing.assert_array_equal(P.argmax(axis=1), scores.argmax(axis=1))
    np.testing.assert_allclose(scores.sum(axis=1), 0.0, atol=1e-9)


def test_one_class_is_the_answer_everywhere(moons):
    y = np.where(np.arange(600) < 3, 7, -1)
    with pytest.warns(UserWarning, match="one class, 7"):
        model = plain_classifier(**MOONS).fit(moons.X, y)
    assert np.all(model.predict(moons.X) == 7)
    assert np.all(model.predict_proba(moons.X) == 1.0)
    assert model.predict_proba(moons.X).shape == (600, 1)
    assert model.decision_function(moons.X).shape == (600,)


def test_no_label_at_all_gets_a_sentence(moons):
    with pytest.raises(ValueError, match="only unlabelled points: label at least one"):
        plain_classifier().fit(moons.X, np.full(600, -1))
    with pytest.raises(ValueError, match="only NaN: give at least one"):
        LaplacianRegressor().fit(moons.X, np.full(600, np.nan))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        plain_classifier().fit(moons.X, np.linspace(0, 1, 600))


def test_nan_marks_unlabelled_targets_of_one_or_more_outputs(moons):
    rng = np.random.default_rng(0)
    Y = np.full((600, 2), np.nan)
    Y[:8] = rng.normal(size=(8, 2))
    Y[8, 0] = 1.0  # half a target is none
    model = LaplacianRegressor(**MOONS).fit(moons.X, Y)
    assert model.predict(moons.X).shape == (600, 2)
    for k in range(2):
        y = np.where(np.arange(600) < 8, Y[:, k], np.nan)
        single = LaplacianRegressor(**MOONS).fit(moons.X, y)
        assert single.predict(moons.X).shape == (600,)
        np.testing.assert_allclose(single.predict(moons.X), model.predict(moons.X)[:, k], atol=1e-9)


def test_shifting_and_scaling_the_targets(moons):
    y = np.where(moons.labelled, moons.X[:, 0], np.nan)
    base = LaplacianRegressor(**MOONS).fit(moons.X, y).predict(moons.X)
    moved = LaplacianRegressor(**MOONS).fit(moons.X, 1000 + 3 * y).predict(moons.X)
    np.testing.assert_allclose(moved, 1000 + 3 * base, atol=1e-6)


def test_targets_that_are_no_targets_get_a_sentence(moons):
    y = np.zeros(600)
    y[0] = np.inf
    with pytest.raises(ValueError, match="infinite values: only NaN may mark"):
        LaplacianRegressor().fit(moons.X, y)
    with pytest.raises(ValueError, match=r"y must have shape \(600,\)"):
        LaplacianRegressor().fit(moons.X, np.zeros(5))
    with pytest.raises(ValueError, match="requires y"):
        LaplacianRegressor().fit(moons.X, None)


# ------------------------------------------------------------------- the graph, loads, class mass


GRAPH = {"operator": "graph", "n_landmarks": 300, "mu": 1e-6, "lam": 0.01, "random_state": 0}


@pytest.mark.parametrize("settings", [{}, {"data_term": "poisson"}, {"landmarks": "leverage"}])
def test_the_classifier_is_the_core_s_estimate(blobs, settings):
    y = blobs.semi_supervised_target()
    model = plain_classifier(bandwidth=1.0, **GRAPH | settings).fit(blobs.X, y)
    form = operators.assemble(model.space_, blobs.X, "graph")
    factor = estimates.factorise(form, 1e-6, False)
    phi = model.space_.phi(blobs.X[y >= 0])
    codes = estimates.class_codes(y[y >= 0], blobs.n_classes)
    if settings.get("data_term") == "poisson":
        c = estimates.poisson_estimate(factor, phi, codes)
    else:
        c = estimates.labelled_estimate(factor, phi, codes, 0.01)
    np.testing.assert_allclose(model.coefficients_, c)


@pytest.mark.parametrize("balance", ["shift", "scale"])
@pytest.mark.parametrize("name", ["half_moons", "blobs"])
def test_balanced_classes_have_their_share_of_the_sample(name, balance):
    data = datasets.load(name, n_samples=300, noise=0.3, random_state=0, labels_per_class=3)
    y = data.semi_supervised_target()
    plain = plain_classifier(n_landmarks=80, random_state=0).fit(data.X, y)
    model = plain_classifier(n_landmarks=80, random_state=0, balance=balance).fit(data.X, y)
    np.testing.assert_array_equal(model.coefficients_, plain.coefficients_)
    assert plain.balance_ is None
    scores, K = plain.decision_function(data.X), data.n_classes
    shares = estimates.class_shares(scores.reshape(len(y), -1), K)
    if balance == "shift":
        expected = shares + 1 / K - shares.mean(axis=0)
    else:
        expected = shares / (K * np.maximum(shares, 0).mean(axis=0))
    np.testing.assert_array_equal(model.predict(data.X), expected.argmax(axis=1))
    found = model.decision_function(data.X).reshape(len(y), -1)
    np.testing.assert_allclose(found, estimates.class_scores(expected), atol=1e-12)
    proba = model.predict_proba(data.X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(proba.argmax(axis=1), model.predict(data.X))
