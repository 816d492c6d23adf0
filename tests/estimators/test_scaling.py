"""Raw columns: the estimator as it comes is that of standardised ones, wherever it is asked."""

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
# Without proline kernel functions, and times two on the nodes of a graph.
CURVE = np.linspace(0, 3, 400)
SPIRALS = np.column_stack([CURVE, 500 * np.sin(3 * CURVE), np.tile([0.0, 1.0], 200)])
SETS = {
    "functions": (WINE.data, WINE.target),
    "nodes": (SPIRALS, np.tile([0, 1], 200)),
}
each = pytest.mark.parametrize(("X", "truth"), SETS.values(), ids=SETS)


def partly_labelled(y, per_class, seed=0):
    return np.where(datasets.draw_labels(y, per_class, seed), y, -1)


def pair(X, truth, per_class=2, **options):
    """As it comes on raw columns, and on scaled ones with what it did to them."""
    y = partly_labelled(truth, per_class)
    raw = LaplacianClassifier(random_state=0, **options).fit(X, y)
    seen = raw.scaling_(X)
    return raw, LaplacianClassifier(random_state=0, **options).fit(seen, y), seen, y


@each
def test_all_that_a_classifier_says_is_of_scaled_columns(X, truth):
    raw, peer, seen, _ = pair(X, truth)
    assert peer.scaling_ is None
    assert raw.report_.names[0] == "scaling"
    assert raw.report_.choices[1:] == peer.report_.choices
    new = X[::7] + 0.1 * X.std(axis=0)
    for points, scaled in ((X, seen), (new, raw.scaling_(new))):
        for said in ("decision_function", "predict", "predict_proba", "far_from_data"):
            np.testing.assert_array_equal(getattr(raw, said)(points), getattr(peer, said)(scaled))
    again = pickle.loads(pickle.dumps(raw))
    np.testing.assert_array_equal(again.predict(new), raw.predict(new))


@each
def test_the_next_label_and_the_live_picture(X, truth):
    raw, peer, seen, y = pair(X, truth)
    assert next_label(raw, X, y).next == next_label(peer, seen, y).next
    panels = [live(model, at, y).scene.panels for model, at in ((raw, X), (peer, seen))]
    assert len(panels[0]) == len(panels[1])
    for one, other in zip(*panels, strict=True):
        np.testing.assert_allclose(one.points, other.points, atol=1e-9)
    model, wanted = (its[-1].model for its in panels)
    np.testing.assert_allclose(np.abs(model.points), np.abs(wanted.points), atol=1e-6)
    np.testing.assert_allclose(model.columns_gram, wanted.columns_gram, rtol=1e-6)


@each
def test_tuned_plans_keep_the_scale(X, truth):
    raw, peer, seen, y = pair(X, truth, 5)
    tables = [select_parameters(m, at, y).rows for m, at in ((raw, X), (peer, seen))]
    for one, other in zip(*tables, strict=True):
        assert one.squared_error == other.squared_error
        also = {"scaling": "standard"} if other.parameters else {}
        assert one.parameters == other.parameters | also
    plan = tables[0][-1].parameters
    one = LaplacianClassifier(random_state=0, **plan).fit(X, y)
    other = LaplacianClassifier(random_state=0, **plan | {"scaling": None}).fit(seen, y)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(seen))


@pytest.mark.parametrize(
    "given",
    [{"operator": "laplacian"}, {"n_landmarks": 50}, {"mu": 1e-3}, {"bandwidth": 100.0},
     {"n_passes": 0}, {"balance": None}, {"landmarks": WINE.data[:40]}],
    ids=lambda given: next(iter(given)),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::lapviz.estimators.advice.DataWarning")
def test_where_something_is_given_columns_stay_as_they_are(given):
    y = partly_labelled(WINE.target, 2)
    one, other = (
        LaplacianClassifier(random_state=0, scaling=scaling, **given).fit(WINE.data, y)
        for scaling in ("auto", None)
    )
    assert one.scaling_ is None
    assert "scaling" not in one.report_.names
    np.testing.assert_array_equal(one.coefficients_, other.coefficients_)


def test_whoever_asks_has_standard_columns_under_a_named_operator():
    X, y = WINE.data, partly_labelled(WINE.target, 2)
    one = LaplacianClassifier(operator="tangent", scaling="standard", random_state=0).fit(X, y)
    other = LaplacianClassifier(operator="tangent", random_state=0).fit(SCALER.transform(X), y)
    np.testing.assert_allclose(
        one.decision_function(X), other.decision_function(SCALER.transform(X)), atol=1e-6
    )
    assert "scaling" not in one.report_.names


def test_a_regressor_as_it_comes():
    X, y = WINE.data, WINE.data[:, 0] + WINE.target
    given = np.where(np.arange(len(y)) % 6 == 0, y, np.nan)
    raw = LaplacianRegressor(random_state=0).fit(X, given)
    seen = raw.scaling_(X)
    peer = LaplacianRegressor(random_state=0).fit(seen, given)
    for one, other in zip(
        raw.predict(X, return_std=True), peer.predict(seen, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert raw.report_.names[0] == "scaling"
    with pytest.warns(DataWarning, match="Feature 12"):
        as_they_are = LaplacianRegressor(random_state=0, scaling=None).fit(X, given)
    assert as_they_are.report_.names[0] == "prior"  # no parameter of the papers'
    with pytest.warns(DataWarning, match="Feature 12"):
        assert LaplacianRegressor(lam=0.1, random_state=0).fit(X, given).scaling_ is None


@each
def test_rows_in_chunks_are_scaled_alike(X, truth):
    da = pytest.importorskip("dask.array")
    y = partly_labelled(truth, 2)
    rows = da.from_array(X, chunks=(50, -1))
    here = LaplacianClassifier(random_state=0).fit(X, y)
    there = LaplacianClassifier(random_state=0).fit(rows, da.from_array(y, chunks=50))
    assert there.scaling_ == here.scaling_
    np.testing.assert_allclose(
        there.decision_function(rows).compute(), here.decision_function(X), atol=1e-9
    )
    with pytest.raises(ValueError, match="needs rows in memory"):
        LaplacianClassifier(operator="laplacian", scaling="standard").fit(rows, y)
