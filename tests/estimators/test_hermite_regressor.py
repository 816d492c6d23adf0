"""HermiteRegressor: the core estimate, predicted slopes, the choice of the trial space."""

import numpy as np
import pytest

from lapviz.estimates import hermite
from lapviz.estimators import HermiteRegressor
from lapviz.fit import IgnoredParameterWarning
from lapviz.spaces import KernelSpace
from lapviz.spaces.representer import RepresenterSpace
from tests.helpers import quotients


def truth(X):
    return np.sin(3 * X[:, 0] + X[:, 1]) + X[:, 0] * np.cos(2 * X[:, 1])


def slopes_of(X):
    a, b = 3 * X[:, 0] + X[:, 1], 2 * X[:, 1]
    return np.column_stack([3 * np.cos(a) + np.cos(b), np.cos(a) - 2 * X[:, 0] * np.sin(b)])


def problem(n=12, seed=0):
    rng = np.random.default_rng(seed)
    X, new = rng.uniform(size=(n, 2)), rng.uniform(size=(400, 2))
    return X, truth(X), slopes_of(X), new


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "matern52", "polynomial"])
def test_it_is_the_core_estimate_around_the_mean(kernel):
    X, y, slopes, new = problem(100)
    model = HermiteRegressor(
        kernel=kernel, bandwidth=1.0, n_landmarks=30, weight=0.3, ridge=1e-4, random_state=0
    ).fit(X, y, slopes)
    space = KernelSpace(model.kernel_, model.space_.landmarks, False)
    forms = hermite.assemble(space, X, y - y.mean(), slopes)
    expected = space.phi(new) @ hermite.hermite_estimate(forms, 0.3, 1e-4)[:, 0] + y.mean()
    np.testing.assert_allclose(model.predict(new), expected, rtol=1e-9)
    coefficients = hermite.hermite_estimate(model.forms_, 0.3, 1e-4)
    np.testing.assert_array_equal(coefficients, model.coefficients_)


@pytest.mark.parametrize("unit", [1e-7, 1e7])
def test_units_of_the_inputs_do_not_matter(unit):
    """With w in squared units of length, as documented."""
    X, y, slopes, new = problem()
    expected = HermiteRegressor(bandwidth=0.5, weight=0.4).fit(X, y, slopes).predict(new)
    model = HermiteRegressor(bandwidth=0.5 * unit, weight=0.4 * unit**2)
    predicted = model.fit(unit * X, y, slopes / unit).predict(unit * new)
    np.testing.assert_allclose(predicted, expected, atol=1e-6)


def test_slopes_are_predicted_too():
    X, y, slopes, new = problem(100)
    model = HermiteRegressor(bandwidth=1.0, n_landmarks=60, random_state=0).fit(X, y, slopes)
    gradients = model.predict_gradient(new)
    assert gradients.shape == new.shape
    np.testing.assert_allclose(gradients, quotients(model.predict, new, 1e-4), atol=1e-4)
    np.testing.assert_allclose(gradients, slopes_of(new), atol=5e-3)


@pytest.mark.slow
def test_the_trial_space_is_chosen_by_what_is_known_and_affordable():
    X, y, slopes, _ = problem(12)

    def space(gradients, **options):
        return HermiteRegressor(**options).fit(X, y, gradients).space_

    assert isinstance(space(slopes), RepresenterSpace)
    assert isinstance(space(slopes, trial_space="landmarks"), KernelSpace)
    assert isinstance(space(slopes, n_landmarks=35), KernelSpace)
    assert isinstance(space(slopes, kernel="exponential"), KernelSpace)
    assert isinstance(space(slopes, landmarks=np.zeros((50, 2))), KernelSpace)
    assert isinstance(space(None), KernelSpace)
    assert isinstance(space(None, trial_space="representer"), RepresenterSpace)


def test_given_landmarks_are_said_to_be_ignored_where_all_samples_have_functions():
    X, y, slopes, _ = problem(12)
    model = HermiteRegressor(landmarks=X[:5], n_landmarks=7, trial_space="representer")
    why = "is ignored: trial_space='representer' has functions at all samples."
    with pytest.warns(IgnoredParameterWarning) as caught:
        model.fit(X, y, slopes)
    assert [str(w.message) for w in caught] == [f"n_landmarks {why} landmarks {why}"]
    with pytest.warns(IgnoredParameterWarning, match=r"^n_landmarks=7 is ignored: the landmarks"):
        model.set_params(trial_space="landmarks").fit(X, y, slopes)
