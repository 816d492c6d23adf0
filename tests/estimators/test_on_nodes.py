"""LaplacianClassifier() on the nodes of its graph: curves side by side, gaps, and what asks it."""

import numpy as np
import pytest
from sklearn.base import clone

import lapviz
from lapviz import LaplacianClassifier, datasets, graphs, next_label, select_parameters
from lapviz.estimators.advice import DataWarning
from lapviz.fit import plans
from lapviz.graphs import NodeSpace
from lapviz.scenes import Modes
from lapviz.spaces import KernelSpace


def circles(noise, seed, n=1000):
    """Points, a class for each of four circles, and one label of each, -1 elsewhere."""
    X = datasets.load("four_circles", n_samples=n, noise=noise, random_state=seed).X
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    return X, y, np.where(datasets.draw_labels(y, 1, seed), y, -1)


@pytest.fixture(scope="module")
def fitted():
    X, _, given = circles(0.1, 0, 400)
    return LaplacianClassifier(random_state=0).fit(X, given), X, given


@pytest.mark.parametrize(("noise", "least"), [(0, 0.99), (0.05, 0.99), (0.1, 0.97)])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5))]
)
def test_a_label_colours_its_circle_beside_three_others(noise, least, seed):
    X, y, given = circles(noise, seed)
    assert np.mean(LaplacianClassifier(random_state=0).fit(X, given).predict(X) == y) >= least


@pytest.mark.parametrize(("noise", "seed"), [(0, 16), (0.05, 6), (0.1, 11)])
def test_two_classes_in_turn_are_no_less_right_than_four(noise, seed):
    """Of one label a circle none is found by the others: no reason to believe a straight line."""
    data = datasets.load("four_circles", n_samples=1000, noise=noise, random_state=seed)
    model = LaplacianClassifier(random_state=0).fit(data.X, data.semi_supervised_target())
    assert np.mean(model.predict(data.X) == data.y) == 1.0


def test_nodes_have_their_own_values_elsewhere_there_are_means_and_far_away_nothing(fitted):
    model, X, _ = fitted
    assert model.report_["operator"].value == "graph"
    assert model.lam_ * model.mu_ == pytest.approx(plans.RIDGE)
    np.testing.assert_array_equal(model.landmarks_, X)
    own = model.balance_(model.coefficients_)
    np.testing.assert_array_equal(model.predict(X), own.argmax(axis=1))
    np.testing.assert_allclose(model.decision_function(X[::9]), own[::9], rtol=1e-12)
    rng = np.random.default_rng(0)
    new = X[::5] + 0.01 * rng.normal(size=X[::5].shape)
    means = graphs.extend_knn(X, model.coefficients_, new, 6, weights="shared")
    inside = model._reach.share(new) == 1
    assert inside.mean() > 0.9
    np.testing.assert_allclose(
        model.decision_function(new[inside]), model.balance_(means[inside]), rtol=1e-9
    )
    np.testing.assert_allclose(model.predict_proba(new + 1000), 1 / 4)
    assert model.far_from_data(new + 1000).all()
    assert not model.far_from_data(X).any()


def gap():
    """Two lines, 2 apart; the longer one has a gap of 1, and its only label is before it."""
    x = np.r_[np.linspace(0, 4, 140), np.linspace(5, 7, 60), np.linspace(0, 4, 80)]
    y = np.repeat([0, 0, 1], [140, 60, 80])
    given = np.full(280, -1)
    given[[0, 200]] = [0, 1]
    return np.column_stack([x, 2.0 * y]), y, given


def test_what_is_behind_a_gap_belongs_to_its_curve():
    X, y, given = gap()
    model = LaplacianClassifier(random_state=0)
    with pytest.warns(DataWarning, match="1 of them, with 21 % of the points, hold no label"):
        model.fit(X, given)
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["energy", "change"])
def test_the_next_label_is_asked_of_kernel_functions(fitted, criterion):
    model, X, given = fitted
    functions = clone(model).set_params(n_passes=0).fit(X, given)
    assert isinstance(functions.space_, KernelSpace)
    found, wanted = (next_label(m, X, given, criterion=criterion) for m in (model, functions))
    np.testing.assert_array_equal(found.order, wanted.order)
    np.testing.assert_array_equal(found.likeliest, wanted.likeliest)
    assert isinstance(model.space_, NodeSpace)  # as it was


@pytest.mark.slow
def test_a_live_scene_has_the_energy_in_one_step_beside_it(fitted):
    model, X, given = fitted
    scene = lapviz.live(model, X, given).scene
    first, second = scene.panels
    assert (first.model, first.subtitle) == (None, f"{model.n_passes_} passes, balanced")
    assert isinstance(second.model, Modes)
    assert scene.editable
    at = X[scene.points.index]
    np.testing.assert_allclose(first.points, model.decision_function(at).T, atol=1e-9)
    one_step = clone(model).set_params(n_passes=0, balance=None).fit(X, given)
    np.testing.assert_allclose(second.points, one_step.decision_function(at).T, atol=1e-6)


@pytest.mark.slow
def test_parameters_are_selected_among_nodes_and_functions():
    X, y, _ = circles(0.05, 0, 500)
    given = np.where(datasets.draw_labels(y, 3, 0), y, -1)
    model = LaplacianClassifier(random_state=0)
    found = select_parameters(model, X, given)
    assert (found.method, found.complete) == ("k-fold", True)
    assert found.rows[0].parameters == {}
    assert found.rows[0].n_landmarks == len(X)
    functions = clone(model).set_params(n_passes=0).fit(X, given)
    same = next(row for row in found.rows if row.parameters == {"mu": functions.mu_})
    assert (same.n_landmarks, same.lam) == (functions.n_landmarks_, functions.lam_)
    best = clone(model).set_params(**found.best.parameters).fit(X, given)
    assert np.mean(best.predict(X) == y) > 0.95
