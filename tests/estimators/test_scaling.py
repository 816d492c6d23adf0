"""Raw columns: with default settings estimators give the results of standardised columns."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from lapviz import (
    LaplacianClassifier,
    LaplacianRegressor,
    datasets,
    live,
    next_label,
    select_parameters,
)
from lapviz.estimators.advice import DataWarning

pytestmark = pytest.mark.slow

WINE = load_wine()
SCALER = StandardScaler().fit(WINE.data)
CURVE = np.linspace(0, 3, 400)
SPIRALS = np.column_stack([CURVE, 500 * np.sin(3 * CURVE), np.tile([0.0, 1.0], 200)])
SETS = {
    "functions": (WINE.data, WINE.target),
    "nodes": (SPIRALS, np.tile([0, 1], 200)),
}
on_both_sets = pytest.mark.parametrize(("X", "truth"), SETS.values(), ids=SETS)


def partly_labelled(y, per_class, seed=0):
    return np.where(datasets.draw_labels(y, per_class, seed), y, -1)


def raw_and_scaled(X, truth, per_class=2, **options):
    """The default fit to raw columns, the fit to scaled columns, these, and the labels."""
    y = partly_labelled(truth, per_class)
    raw = LaplacianClassifier(random_state=0, **options).fit(X, y)
    scaled = raw.scaling_(X)
    return raw, LaplacianClassifier(random_state=0, **options).fit(scaled, y), scaled, y


@on_both_sets
def test_all_outputs_of_a_classifier_are_those_of_scaled_columns(X, truth):
    raw, peer, X_scaled, _ = raw_and_scaled(X, truth)
    assert peer.scaling_ is None
    assert raw.report_.names[0] == "scaling"
    assert raw.report_.choices[1:] == peer.report_.choices
    new = X[::7] + 0.1 * X.std(axis=0)
    for points, scaled in ((X, X_scaled), (new, raw.scaling_(new))):
        for name in ("decision_function", "predict", "predict_proba", "far_from_data"):
            np.testing.assert_array_equal(getattr(raw, name)(points), getattr(peer, name)(scaled))
    unpickled = pickle.loads(pickle.dumps(raw))
    np.testing.assert_array_equal(unpickled.predict(new), raw.predict(new))


def test_the_report_names_the_spreads_of_columns_that_vary():
    X = np.random.default_rng(0).normal(size=(60, 4)) * [50, 80, 90, 9e4]
    X[:, 0] = 7.0
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    model = LaplacianClassifier(random_state=0).fit(X, y)
    low, high = (f"{X[:, j].std():.{digits}g}" for j, digits in ((1, 2), (3, 3)))
    assert f"from {low} to {high}" in model.report_["scaling"].reason
    X[:, 1] = np.tile([-1.0, 1.0], 30)  # already standard
    model = LaplacianClassifier(random_state=0).fit(X, y)
    assert f"from 1 to {high}" in model.report_["scaling"].reason


@on_both_sets
def test_the_next_label_and_the_live_picture(X, truth):
    raw, peer, X_scaled, y = raw_and_scaled(X, truth)
    assert next_label(raw, X, y).next == next_label(peer, X_scaled, y).next
    panels = [live(model, points, y).scene.panels for model, points in ((raw, X), (peer, X_scaled))]
    assert len(panels[0]) == len(panels[1])
    for panel, expected_panel in zip(*panels, strict=True):
        np.testing.assert_allclose(panel.points, expected_panel.points, atol=1e-9)
    models = (scene_panels[-1].model for scene_panels in panels)
    gram, expected = ((m.points.T / m.gamma) @ m.points for m in models)
    np.testing.assert_allclose(gram, expected, atol=1e-8 * np.abs(expected).max())


@on_both_sets
def test_selected_plans_keep_the_scaling(X, truth):
    raw, peer, X_scaled, y = raw_and_scaled(X, truth, 5)
    tables = [select_parameters(m, points, y).rows for m, points in ((raw, X), (peer, X_scaled))]
    for row, expected in zip(*tables, strict=True):
        assert row.squared_error == expected.squared_error
        fixed = {"scaling": "standard"} if expected.parameters else {}
        assert row.parameters == expected.parameters | fixed
    plan = tables[0][-1].parameters
    model = LaplacianClassifier(random_state=0, **plan).fit(X, y)
    peer = LaplacianClassifier(random_state=0, **plan | {"scaling": None}).fit(X_scaled, y)
    np.testing.assert_array_equal(model.decision_function(X), peer.decision_function(X_scaled))


@pytest.mark.parametrize(
    "settings",
    [{"operator": "laplacian"}, {"n_landmarks": 50}, {"mu": 1e-3}, {"bandwidth": 100.0},
     {"n_passes": 0}, {"balance": None}, {"landmarks": WINE.data[:40]}],
    ids=lambda settings: next(iter(settings)),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::lapviz.estimators.advice.DataWarning")
def test_columns_are_not_scaled_if_a_parameter_is_set(settings):
    y = partly_labelled(WINE.target, 2)
    automatic, unscaled = (
        LaplacianClassifier(random_state=0, scaling=scaling, **settings).fit(WINE.data, y)
        for scaling in ("auto", None)
    )
    assert automatic.scaling_ is None
    assert "scaling" not in automatic.report_.names
    np.testing.assert_array_equal(automatic.coefficients_, unscaled.coefficients_)


def test_columns_can_be_standardised_with_a_named_operator():
    X, y = WINE.data, partly_labelled(WINE.target, 2)
    model = LaplacianClassifier(operator="tangent", scaling="standard", random_state=0).fit(X, y)
    peer = LaplacianClassifier(operator="tangent", random_state=0).fit(SCALER.transform(X), y)
    np.testing.assert_allclose(
        model.decision_function(X), peer.decision_function(SCALER.transform(X)), atol=1e-6
    )
    assert "scaling" not in model.report_.names


def test_a_regressor_with_default_settings():
    X, y = WINE.data, WINE.data[:, 0] + WINE.target
    y_partial = np.where(np.arange(len(y)) % 6 == 0, y, np.nan)
    raw = LaplacianRegressor(random_state=0).fit(X, y_partial)
    X_scaled = raw.scaling_(X)
    peer = LaplacianRegressor(random_state=0).fit(X_scaled, y_partial)
    for actual, expected in zip(
        raw.predict(X, return_std=True), peer.predict(X_scaled, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(actual, expected)
    assert raw.report_.names[0] == "scaling"
    with pytest.warns(DataWarning, match="Feature 12"):
        unscaled = LaplacianRegressor(random_state=0, scaling=None).fit(X, y_partial)
    assert unscaled.report_.names[0] == "prior"  # scaling does not select the papers' estimator
    with pytest.warns(DataWarning, match="Feature 12"):
        assert LaplacianRegressor(lam=0.1, random_state=0).fit(X, y_partial).scaling_ is None


def test_the_values_of_a_regression_may_decide():
    """Six columns of amounts hide five of rates, on which the values depend."""
    rng = np.random.default_rng(100)
    rates, amounts = rng.random((200, 5)), 1000 * rng.random((200, 6))
    X = np.hstack([rates, amounts])
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 10 * X[:, 3] + 5 * X[:, 4] + rng.normal(size=200)
    known = np.where(np.arange(200) < 100, y, np.nan)
    model = LaplacianRegressor(random_state=0).fit(X, known)
    assert "the values are likelier so" in model.report_["scaling"].reason
    plain = LaplacianRegressor(random_state=0, scaling=None).fit(X, known)
    assert model.score(X[100:], y[100:]) > 0.6 > 0.2 > plain.score(X[100:], y[100:])
    standard = LaplacianRegressor(random_state=0, scaling="standard").fit(X, known)
    np.testing.assert_array_equal(model.predict(X), standard.predict(X))
    amounts_matter = np.where(np.arange(200) < 100, X[:, 5] + X[:, 6], np.nan)
    assert LaplacianRegressor(random_state=0).fit(X, amounts_matter).scaling_ is None


@pytest.mark.parametrize("codes", [(0.0, 1.0), (-1.0, 1.0)])
def test_columns_of_two_values_count_however_they_are_coded(codes):
    rng = np.random.default_rng(0)
    flags = np.array([rng.permutation(np.repeat(codes, 100)) for _ in range(3)]).T
    X = np.column_stack([flags, 10 * rng.normal(size=200)])
    y = (flags == codes[1]) @ [1.0, 2.0, 3.0]
    known = np.where(np.arange(200) < 50, y, np.nan)
    assert LaplacianRegressor(random_state=0).fit(X, known).scaling_ is not None


@on_both_sets
def test_rows_in_chunks_are_scaled_in_the_same_way(X, truth):
    da = pytest.importorskip("dask.array")
    y = partly_labelled(truth, 2)
    rows = da.from_array(X, chunks=(50, -1))
    in_memory = LaplacianClassifier(random_state=0).fit(X, y)
    chunked = LaplacianClassifier(random_state=0).fit(rows, da.from_array(y, chunks=50))
    assert chunked.scaling_ == in_memory.scaling_
    np.testing.assert_allclose(
        chunked.decision_function(rows).compute(), in_memory.decision_function(X), atol=1e-9
    )
    with pytest.raises(ValueError, match="needs rows in memory"):
        LaplacianClassifier(operator="laplacian", scaling="standard").fit(rows, y)


def test_given_landmarks_are_scaled_like_the_points():
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = np.where(np.arange(80) < 20, X[:, 0] > 0, -1).astype(int)
    expected = LaplacianClassifier(landmarks=X[:30], scaling="standard", random_state=0).fit(X, y)
    units = [1.0, 1000.0]
    model = LaplacianClassifier(landmarks=X[:30] * units, scaling="standard", random_state=0)
    np.testing.assert_allclose(
        model.fit(X * units, y).decision_function(X * units),
        expected.decision_function(X),
        rtol=1e-4,
    )
