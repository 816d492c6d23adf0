"""LaplacianClassifier() on the nodes of its graph: adjacent curves, gaps, and its users."""

import numpy as np
import pytest
from sklearn.base import clone

import lapviz
from lapviz import LaplacianClassifier, datasets, graphs, next_label, select_parameters
from lapviz.estimators.advice import DataWarning
from lapviz.fit import plans
from lapviz.graphs import NodeSpace
from lapviz.spaces import KernelSpace


def circles(noise, seed, n=1000):
    """Points, a class for each of four circles, and one label of each, -1 elsewhere."""
    X = datasets.load("four_circles", n_samples=n, noise=noise, random_state=seed).X
    y = np.clip(np.rint(np.hypot(*X.T)).astype(int) - 1, 0, 3)
    return X, y, np.where(datasets.draw_labels(y, 1, seed), y, -1)


@pytest.fixture(scope="module")
def fitted():
    X, _, labels = circles(0.1, 0, 400)
    return LaplacianClassifier(random_state=0).fit(X, labels), X, labels


@pytest.mark.parametrize(("noise", "minimum"), [(0, 0.99), (0.05, 0.99), (0.1, 0.97)])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5))]
)
def test_each_label_determines_its_circle_among_four(noise, minimum, seed):
    X, y, labels = circles(noise, seed)
    assert np.mean(LaplacianClassifier(random_state=0).fit(X, labels).predict(X) == y) >= minimum


@pytest.mark.parametrize(("noise", "seed"), [(0, 16), (0.05, 6), (0.1, 11)])
def test_two_alternating_classes_are_as_accurate_as_four(noise, seed):
    """Of one label a circle none is predicted by the others: no evidence for a linear part."""
    data = datasets.load("four_circles", n_samples=1000, noise=noise, random_state=seed)
    model = LaplacianClassifier(random_state=0).fit(data.X, data.semi_supervised_target())
    assert np.mean(model.predict(data.X) == data.y) == 1.0


def test_scores_are_values_at_nodes_means_nearby_and_0_far_away(fitted):
    model, X, _ = fitted
    assert model.report_["operator"].value == "graph"
    assert model.lam_ * model.mu_ == pytest.approx(plans.RIDGE)
    np.testing.assert_array_equal(model.landmarks_, X)
    scores = model.balance_(model.coefficients_)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))
    np.testing.assert_allclose(model.decision_function(X[::9]), scores[::9], rtol=1e-12)
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
    """Two lines, 2 apart; the longer one has a gap of 1, and its only label is before the gap."""
    x = np.r_[np.linspace(0, 4, 140), np.linspace(5, 7, 60), np.linspace(0, 4, 80)]
    y = np.repeat([0, 0, 1], [140, 60, 80])
    labels = np.full(280, -1)
    labels[[0, 200]] = [0, 1]
    return np.column_stack([x, 2.0 * y]), y, labels


def test_a_copy_of_a_row_has_the_value_of_the_row_in_any_call():
    """Coinciding rows with different labels get the mean, also where X is that of the fit."""
    data = datasets.load("half_moons", n_samples=100, noise=0.2, random_state=0)
    X, y = np.repeat(data.X, 4, axis=0), np.random.default_rng(0).integers(0, 2, 400)
    model = LaplacianClassifier(random_state=0).fit(X, y)
    assert isinstance(model.space_, NodeSpace)
    scores = model.decision_function(X)
    np.testing.assert_allclose(scores[::-1], model.decision_function(X[::-1]), atol=1e-12)
    np.testing.assert_allclose(scores[:5], model.decision_function(X[:5]), atol=1e-12)


def test_points_behind_a_gap_belong_to_their_curve():
    X, y, labels = gap()
    model = LaplacianClassifier(random_state=0)
    words = "falls into 3 pieces, of which 1, with 21 % of the points, has no label"
    with pytest.warns(DataWarning, match=words):
        model.fit(X, labels)
    np.testing.assert_array_equal(model.predict(X), y)
    labels[200] = -1
    cure = r"Label a point in each of them\.$"  # not by next_label, which needs two classes
    with pytest.warns(UserWarning, match="of one class"), pytest.warns(DataWarning, match=cure):
        model.fit(X, labels)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["energy", "change"])
def test_the_next_label_is_ranked_with_kernel_functions(fitted, criterion):
    model, X, labels = fitted
    functions = clone(model).set_params(n_passes=0).fit(X, labels)
    assert isinstance(functions.space_, KernelSpace)
    actual, expected = (next_label(m, X, labels, criterion=criterion) for m in (model, functions))
    np.testing.assert_array_equal(actual.order, expected.order)
    np.testing.assert_array_equal(actual.likeliest, expected.likeliest)
    assert isinstance(model.space_, NodeSpace)  # unchanged


@pytest.mark.slow
def test_a_live_scene_also_shows_the_estimate_without_passes(fitted):
    model, X, labels = fitted
    scene = lapviz.live(model, X, labels).scene
    first, second = scene.panels
    X_points = X[scene.points.index]
    np.testing.assert_allclose(first.points, model.decision_function(X_points).T, atol=1e-9)
    one_step = clone(model).set_params(n_passes=0, balance=None).fit(X, labels)
    np.testing.assert_allclose(second.points, one_step.decision_function(X_points).T, atol=1e-6)


@pytest.mark.slow
def test_parameters_are_selected_among_nodes_and_functions():
    X, y, _ = circles(0.05, 0, 500)
    labels = np.where(datasets.draw_labels(y, 3, 0), y, -1)
    model = LaplacianClassifier(random_state=0)
    selection = select_parameters(model, X, labels)
    assert (selection.method, selection.complete) == ("k-fold", True)
    assert selection.rows[0].parameters == {}
    assert selection.rows[0].n_landmarks == len(X)
    functions = clone(model).set_params(n_passes=0).fit(X, labels)
    same = next(row for row in selection.rows if row.parameters == {"mu": functions.mu_})
    assert (same.n_landmarks, same.lam) == (functions.n_landmarks_, functions.lam_)
    best = clone(model).set_params(**selection.best.parameters).fit(X, labels)
    assert np.mean(best.predict(X) == y) > 0.95
