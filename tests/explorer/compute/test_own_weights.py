"""A weight column of a visitor's table: all fits and scripts use it.

A fit's script is also run for a table without weights.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from estimators_of import assert_same_as_estimators

from lapviz import GalerkinEmbedding, LabelledKFold, LaplacianClassifier, LaplacianRegressor
from lapviz.explorer.compute import own_fit, own_table, points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.data import script
from lapviz.explorer.pages.eigenfunctions.view import eigen_view
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.share import own_out, recipes
from lapviz.explorer.stories import presets
from lapviz.labels import Label

pytestmark = pytest.mark.filterwarnings("ignore")
N = 240
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, N)
POINTS = np.round(RNG.normal(size=(N, 2)) + 2.5 * Y[:, None], 5)
WEIGHTS = np.round(RNG.uniform(0.2, 4.0, N), 3) * (RNG.random(N) < 0.85)
BLANK = RNG.random(N) < 0.7


def file_with(weights=WEIGHTS, label=None):
    names = np.array(["one", "two"])[Y] if label is None else label
    rows = [
        f"{x:.5f},{z:.5f},{w},{'' if gone else name}"
        for (x, z), w, name, gone in zip(POINTS, weights, names, BLANK, strict=True)
    ]
    head = "a,b,weight," + ("kind" if label is None else "target")
    return "\n".join([head, *rows]).encode()


@pytest.fixture
def brought(bring):
    """The weighted table, or another file, as an upload."""
    return lambda raw=None: bring(file_with() if raw is None else raw, "mine.csv")


def test_the_column_is_suggested_and_rows_of_weight_0_are_not_shown(brought):
    table, spec = brought()
    assert table.roles.weight == "weight"
    assert table.roles.features == ("a", "b")
    data = points.sample(spec)
    assert len(data.X) == (WEIGHTS > 0).sum() == table.info.n_samples
    np.testing.assert_array_equal(data.weights, WEIGHTS[WEIGHTS > 0])
    np.testing.assert_array_equal(table.sample_rows(50, 3), np.sort(table.sample_rows(50, 3)))
    assert (WEIGHTS[table.sample_rows(50, 3)] > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.where(np.arange(N) == 4, -1.0, WEIGHTS), "negative in 1 row"),
        (np.where(np.arange(N) == 4, "", WEIGHTS.astype(str)), "missing or infinite in 1 row"),
    ],
    ids=["negative", "missing"],
)
def test_weights_that_cannot_be_used_are_left_with_a_sentence(brought, bad, message):
    table, spec = brought(file_with(bad))
    assert table.roles.weight is None
    assert message in table.note
    assert "not used for weights" in table.note
    assert table.prepared.weights is None
    own_fit.fitted(spec)
    roles = replace(table.roles, features=("a", "b"), weight="weight")
    with pytest.raises(ValueError, match=message):
        own_table.with_roles(spec.source, roles, ())


def test_labels_of_weight_0_alone_are_refused_by_the_name_of_the_weights(brought):
    _, spec = brought(file_with(np.where(BLANK, 1.0, 0.0)))
    with pytest.raises(ValueError, match="and of a positive 'weight'"):
        own_fit.targets(spec)


@pytest.mark.slow
def test_the_embedding_is_the_estimators_with_these_weights(brought):
    """So is the fit, by its script below."""
    table, spec = brought()
    X = table.prepared.X
    embedding = GalerkinEmbedding(n_components=4, random_state=0).fit(X, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(own_fit.embedded(spec, 3).transform(X), embedding.transform(X))


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["penguins", "weighted"])
@pytest.mark.parametrize("marks", [(), ((0, 1), (200, 0))], ids=["file", "by-hand"])
@pytest.mark.parametrize("few", [False, True], ids=["all labels", "some check"])
def test_the_fits_script_writes_the_pages_file(
    bring, brought, run, monkeypatch, few, marks, weighted
):
    if few:
        monkeypatch.setattr(own_fit, "MOST_LABELS", 30)
    table, spec = brought() if weighted else bring()
    proportions = tuple(range(1, len(table.classes) + 1)) if marks else None
    fitted = own_fit.fitted(spec, marks, proportions)
    assert fitted.model.class_prior == proportions  # each class has a label
    names, file = run(script.fit(spec, marks, fitted.model))
    np.testing.assert_array_equal(names["probabilities"], fitted.probabilities)
    assert file == own_out.predictions(spec, fitted)
    if few:
        used, held_out = fitted.targets.used, fitted.targets.held_out
        assert len(used) <= 33
        by_hand = [row for row, _ in marks if not weighted or WEIGHTS[row] > 0]
        assert np.isin(by_hand, used).all(), "labels by hand are always taken"
        known = table.codes.copy()
        known[[row for row, _ in marks]] = [code for _, code in marks]
        counted = WEIGHTS > 0 if weighted else True
        assert len(held_out) == ((known >= 0) & counted).sum() - len(used)
        correct = fitted.predicted[held_out] == known[held_out]
        mass = WEIGHTS[held_out] if weighted else None
        assert fitted.score == np.average(correct, weights=mass) > 0.7
        assert names["right"] == fitted.score


@pytest.mark.slow
@pytest.mark.parametrize("few", [False, True], ids=["all values", "some check"])
def test_values_are_a_weighted_regression(brought, run, monkeypatch, few):
    if few:
        monkeypatch.setattr(own_fit, "MOST_LABELS", 40)
    values = np.round(np.sin(POINTS[:, 0]) + 0.1 * RNG.normal(size=N), 6)
    table, spec = brought(file_with(label=values))
    assert table.prepared.task == "values"
    fitted = own_fit.fitted(spec)
    assert isinstance(fitted.model, LaplacianRegressor)
    names, file = run(script.fit(spec, (), fitted.model))
    np.testing.assert_array_equal(names["predicted"], fitted.predicted)
    np.testing.assert_array_equal(names["std"], fitted.std)
    assert file == own_out.predictions(spec, fitted)
    content = json.loads(own_out.parameters(spec, fitted))
    linear, *curved = content["functions"]["parts"]
    n_functions = len(linear["center"]) + 1 + sum(len(part["landmarks"]) for part in curved)
    assert len(content["fitted"]["coefficients_"]) == n_functions
    assert 0 < own_fit.cross_validated(spec) < 1
    if few:
        assert 1 - names["missed"] == fitted.score


@pytest.mark.slow
def test_hidden_labels_are_judged_by_weight(brought):
    _, spec = brought()
    targets = own_fit.targets(spec)
    predicted = np.full(N, -1)
    X = STORE.get(spec.source).prepared.X
    for _, hidden in LabelledKFold(5, mark=-1).split(X, targets.y):
        y = targets.y.copy()
        y[hidden] = -1
        model = LaplacianClassifier(random_state=0).fit(X, y, sample_weight=WEIGHTS)
        predicted[hidden] = model.predict(X[hidden])
    rows = targets.used
    accuracy = np.average(predicted[rows] == targets.y[rows], weights=WEIGHTS[rows])
    assert own_fit.cross_validated(spec) == pytest.approx(accuracy)


WAVES = {"landmarks": "fourier", "operator": "laplacian", "mu": 0.01}
TANGENTS = {"operator": "tangent", "mu": 0.01, "lam": 0.1, "balance": "scale"}
BY_HAND = (Label(3, 0), Label(20, 2))
CASES = {  # whether there is a column of weights, and what is changed
    "penguins": (False, {}),
    "penguins, part": (False, {"n": 200}),
    "penguins, by hand": (False, {"marks": (Label(3, 0), Label(200, 2))}),
    "penguins, part by hand": (False, {"n": 150, "marks": BY_HAND, "balance": None}),
    "penguins, candidates": (False, {"marks": (*BY_HAND, Label(200, 1, None, (2,)))}),
    "penguins, waves": (False, WAVES | {"marks": BY_HAND[:1]}),
    "weighted": (True, {}),
    "weighted, part": (True, {"n": 150}),
    "weighted, tangents": (True, TANGENTS),
    "weighted, waves": (True, WAVES | {"filter": "heat"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_the_labels_page_is_the_estimator_and_its_script_writes_the_pages_file(
    bring, brought, run, case
):
    weighted, changes = CASES[case]
    _, spec = brought() if weighted else bring()
    settings = presets.for_spec(spec).change(**changes)
    names, file = run(recipes.labels(settings))
    assert file == own_out.predictions(settings.data, own_out.estimated(settings))
    if weighted:
        view = labels_view(settings)
        X = points.sample(settings.data).X
        assert_same_as_estimators(view, names, X[view.scene.points.index], 1e-10)


@pytest.mark.slow
def test_the_browser_is_not_asked_for_what_it_does_not_know(brought):
    _, spec = brought()
    settings = presets.for_spec(spec).change(operator="laplacian", mu=0.01, lam=0.1, passes=0)
    scene = labels_view(settings).scene
    assert all(panel.model is None for panel in scene.panels)
    assert "weights" in scene.remark


@pytest.mark.slow
def test_a_page_says_what_does_not_count_the_weights(brought):
    _, spec = brought()
    settings = presets.for_spec(spec).change(operator="laplacian", mu=0.01)
    assert eigen_view(settings).scene.remark == ""
    beside = eigen_view(settings.change(show="graph")).scene
    assert "the other methods do not" in beside.remark
