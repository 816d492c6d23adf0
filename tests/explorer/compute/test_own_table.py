"""A visitor's table is a data set like any other; its files are those that the scripts write."""

import csv
import io
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from lapviz import LaplacianClassifier, LaplacianRegressor, tables
from lapviz.explorer.compute import own_fit, own_table, points
from lapviz.explorer.host import launch
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.data import script
from lapviz.explorer.pages.data import view as own_values
from lapviz.explorer.pages.labels import steps, tuning
from lapviz.explorer.pages.labels import view as below
from lapviz.explorer.pages.regression import steps as regression
from lapviz.explorer.scene.labels import labels_view
from lapviz.explorer.scene.placement import plane_of
from lapviz.explorer.scene.sheet import code_for_stage
from lapviz.explorer.settings.fields import from_query, to_query
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.share import own_out, recipes
from lapviz.explorer.stories import presets
from lapviz.labels import Label
from lapviz.tables import output


def partly_blank(rows=300, blank=0.5, seed=0):
    """Two groups in four columns; blank labels, and a note that a spreadsheet would execute."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    X = rng.standard_normal((rows, 4)) + 4 * y[:, None]
    names = np.where(rng.random(rows) < blank, "", np.array(["=1+1", "plain"])[y])
    cells = ([f"{x:.6f}" for x in row] for row in X)
    lines = [",".join([*row, name]) for row, name in zip(cells, names, strict=True)]
    return "\n".join(["a,b,c,d,kind", *lines]).encode(), y


@pytest.mark.parametrize(("kind", "alone"), [("csv", False), ("parquet", True)])
def test_small_files_that_unpack_are_read_one_at_a_time(monkeypatch, kind, alone):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table, taken = pd.DataFrame({"a": range(60), "b": range(60)}), []
    raw = table.to_parquet() if kind == "parquet" else table.to_csv(index=False).encode()
    lock = SimpleNamespace(acquire=lambda timeout: taken.append(timeout) or True,
                           release=lambda: taken.append("released"))  # fmt: skip
    monkeypatch.setattr(own_table, "_LARGE_FILE", lock)
    own_table.read(raw, f"small.{kind}")
    assert taken == ([0.5, "released"] if alone else [])


def test_categories_that_make_too_many_columns_are_left_with_a_sentence(monkeypatch):
    lines = [f"{i * i % 11 / 2},{i % 20}th,{'uv'[i % 2]}" for i in range(100)]
    raw = "\n".join(["size,place,kind", *lines]).encode()
    assert own_table.read(raw, "places.csv").note == ""
    monkeypatch.setattr("lapviz.tables.prepare.LIMITS", tables.Limits(cells=1000))
    table = own_table.read(raw, "places.csv")
    assert table.roles.features == ("size",)
    assert table.note.startswith("The features make 2,100 numbers: take a sample")
    assert table.note.endswith(" So categories are not features.")


def test_a_part_of_a_table_has_the_known_classes_first(monkeypatch):
    monkeypatch.setattr(own_table, "USUAL", 100)
    raw, _ = partly_blank(blank=0.9)
    table = own_table.read(raw, "groups.csv")
    assert (table.info.n_samples, table.info.max_samples) == (100, 300)
    part = table.sample(100, 0)
    assert part is table.sample(100, 0)
    assert part.X.shape == (100, 4)
    assert (part.y >= 0).sum() == (table.codes >= 0).sum() == part.labelled.sum()
    np.testing.assert_array_equal(part.X, table.prepared.X[table.sample_rows(100, 0)])
    assert table.sample(300, 0).X is table.prepared.X, "the full table is not copied"


@pytest.mark.slow
def test_many_known_labels_are_few_labels_and_the_others_judge(bring):
    table, spec = bring()
    assert table.info.labels_per_class == own_table.PER_CLASS
    view = labels_view(presets.for_spec(spec))
    assert len(view.scene.labels) == 15
    assert all(score.accuracy is not None for score in view.scores)


@pytest.mark.slow
def test_unknown_classes_are_judged_by_nobody(bring, monkeypatch):
    raw, _ = partly_blank()
    table, spec = bring(raw, "groups.csv")
    settings = presets.for_spec(spec)
    assert settings.labels.per_class is None
    view = labels_view(settings)
    assert len(view.scene.labels) == (table.codes >= 0).sum()
    assert all(score.accuracy is None for score in view.scores)
    paths = steps.label_paths(settings, (0.1, 1.0), 1)
    assert np.isnan(paths.error["Kernel Laplacian"]).all()
    assert np.isfinite(paths.energy["Kernel Laplacian"]).all()
    charts = []
    monkeypatch.setattr(below.shell, "chart", lambda figure, key, title: charts.append(title))
    below._draw_paths(paths, 1.0, 1)
    assert charts == ["Dirichlet energy against λ"]
    assert tuning.search(settings.change(marks=two_labels(table)), "sigma").accuracy is not None
    with pytest.raises(ValueError, match="points have a known class"):
        steps.query_curves(settings.change(n=20, ask="energy"), 1)


@pytest.mark.parametrize(
    "name", ["my  data.csv", "my\u202fdata\u200b.csv", "cafe\u0301.csv", 120 * "n" + ".csv"]
)
def test_scripts_find_a_file_whose_name_is_tidied_for_display(bring, run, name):
    raw, _ = partly_blank(rows=60)
    table, spec = bring(raw, name)
    assert table.table.name != name
    scripts = script.fit(spec, (), LaplacianClassifier()), recipes.labels(presets.for_spec(spec))
    for text in scripts:
        assert run(text[: text.index("data = table.prepare")])[0]["table"].file == name


@pytest.mark.slow
def test_a_table_with_rows_to_label_begins_with_all_its_labels(bring, run):
    raw, _ = partly_blank(rows=500, blank=0.2)
    table, spec = bring(raw, "groups.csv")
    settings = presets.for_spec(spec).change(ask="energy")
    known = np.flatnonzero(table.codes >= 0)
    assert len(known) > own_table.MANY
    view = labels_view(settings)
    assert len(view.scene.labels) == len(known)
    marks = points.with_label(settings.data, settings.labels, view.next.row, 0)
    assert sorted(mark.index for mark in marks) == sorted([*known, view.next.row])
    names, _ = run(recipes.labels(settings))
    np.testing.assert_array_equal(np.flatnonzero(names["data"].labelled), known)


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["energy", "change"])
def test_a_row_that_has_a_label_is_not_asked_for(bring, monkeypatch, ask):
    monkeypatch.setattr(own_table, "MOST_LABELS", 4)
    raw, _ = partly_blank(rows=300, blank=0.02)
    table, spec = bring(raw, "groups.csv")
    view = labels_view(presets.for_spec(spec).change(ask=ask))
    assert len(view.scene.labels) == 4
    assert table.codes[view.next.row] == view.next.truth == -1


def two_labels(table):
    rows = [int(np.flatnonzero(table.codes == code)[k]) for code in (0, 1) for k in (0, 1)]
    return tuple(Label(row, int(table.codes[row])) for row in rows)


@pytest.mark.slow
def test_values_are_drawn_as_they_are_predicted(bring):
    features = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "species")
    table, spec = bring(label="body_mass_g", features=features)
    assert table.prepared.task == "values"
    fitted = own_fit.fitted(spec)
    assert fitted.probabilities is None
    assert 0.7 < own_fit.cross_validated(spec) < 1
    scene = own_values.scene(table, spec, fitted, 0, 1)
    known = fitted.targets.known[fitted.targets.used].mean()
    np.testing.assert_allclose(scene.panels[0].points[0] + known, fitted.predicted)
    assert own_values.against(fitted).data[0].name == "taken by the fit"


@pytest.mark.slow
def test_two_features_of_values_have_a_field(bring):
    features = ("bill_length_mm", "flipper_length_mm")
    table, spec = bring(label="body_mass_g", features=features)
    fitted = own_fit.fitted(spec)
    scene = own_values.scene(table, spec, fitted, 1, 0)
    grid, middle = scene.grid, fitted.targets.known[fitted.targets.used].mean()
    value = fitted.model.predict(np.array([[grid.y[3], grid.x[5]]]))
    np.testing.assert_allclose(scene.panels[0].grid[0, 3, 5], value[0] - middle)


def test_names_of_data_disclose_no_token_and_tell_tables_apart(bring):
    """The browser keeps its zoom by them; they stand in saved live pages, too."""
    settings = [presets.for_spec(bring()[1]) for _ in range(2)]
    for key in (lambda s: plane_of(s).key, regression.view_key):
        assert key(settings[0]) != key(settings[1])
        assert settings[0].data.source not in key(settings[0])


def test_a_table_is_not_drawn_on(bring):
    """A drawing is in the link of its page, and a table in none."""
    _, spec = bring(features=("bill_length_mm", "flipper_length_mm"))
    assert code_for_stage(presets.for_spec(spec), frozenset()) is None
    assert code_for_stage(presets.for_data("half_moons"), frozenset()) == ""


@pytest.mark.parametrize(
    ("roles", "cure"),
    [
        ({"label": None}, "or rows with numbers to learn: choose a label column"),
        ({"task": "none"}, "choose “Classes”"),
    ],
)
def test_a_fit_without_classes_says_what_to_choose(bring, roles, cure):
    with pytest.raises(ValueError, match=cure):
        own_fit.targets(bring(**roles)[1])


def test_without_a_label_column_the_only_one_with_blank_cells_is_named(bring):
    lines = [f"{i % 7},{i % 5}.5,{i * i if i % 3 else ''}" for i in range(60)]
    table, spec = bring("\n".join(["a,b,price", *lines]).encode(), "prices.csv")
    assert table.roles.label is None
    with pytest.raises(ValueError, match=r"column \(only 'price' has blank cells\), or label"):
        own_fit.targets(spec)


def test_a_table_without_labels_takes_those_set_by_hand(bring):
    table, spec = bring(label=None)
    assert table.classes == own_table.UNNAMED
    with pytest.raises(ValueError, match="labelled rows of at least two classes"):
        own_fit.targets(spec)
    settings = presets.for_spec(spec).change(n=100, marks=(Label(0, 0), Label(99, 1)))
    marks = own_out.marks_of(table, settings)
    assert marks == tuple(zip(table.sample_rows(100, 0)[[0, 99]].tolist(), (0, 1), strict=True))
    assert set(own_fit.fitted(spec, marks).predicted) == {0, 1}


def test_a_label_removed_by_hand_is_left_out_where_the_page_began_with_all(visitor, bring):
    """Where it began with a few of each class, the others measure the accuracy."""
    rows = "".join(f"{i},{i % 7},{'ab'[i % 2] if i < 40 else ''}\n" for i in range(60))
    user_table = own_table.read(f"x,y,label\n{rows}".encode(), "half.csv")
    spec = DataSpec("table", n_samples=60, source=STORE.add(visitor, user_table))
    settings = presets.for_spec(spec)
    labels = points.labelled(settings.data, settings.labels).labels
    assert len(labels) == 40
    marks = own_out.marks_of(user_table, settings.change(marks=labels[1:]))
    assert marks[-1] == (labels[0].index, -1)
    np.testing.assert_array_equal(own_fit.targets(spec, marks).used, np.arange(1, 40))
    drawn = settings.change(per_class=2, marks=labels[1:])
    assert (0, -1) not in own_out.marks_of(user_table, drawn)

    table, complete = bring()
    settings = presets.for_spec(complete)
    few = points.labelled(settings.data, settings.labels).labels
    assert all(code >= 0 for _, code in own_out.marks_of(table, settings.change(marks=few[1:])))


@pytest.mark.parametrize("n_labels", [(1, 1, 1), (3, 1, 0)])
def test_a_class_s_only_label_is_not_hidden(visitor, n_labels):
    """It could only be predicted wrong."""
    label = [k for k, m in enumerate(n_labels) for _ in range(m)]
    blobs = np.random.default_rng(0).normal(size=(90, 2)) + 30 * (np.arange(90) % 3)[:, None]
    seen, lines = dict.fromkeys(label, 0), ["a,b,label"]
    for i, (x, y) in enumerate(blobs):
        known = seen.get(i % 3, 9) < n_labels[i % 3]
        seen[i % 3] = seen.get(i % 3, 9) + 1
        lines.append(f"{x},{y},{'abc'[i % 3] if known else ''}")
    spec = DataSpec("table", source=STORE.add(visitor, own_table.read(
        "\n".join(lines).encode(), "few.csv")))  # fmt: skip
    if max(n_labels) == 1:
        with pytest.raises(ValueError, match="a class needs two"):
            own_fit.cross_validated(spec)
    else:
        assert own_fit.cross_validated(spec) == 1.0


NOTES = b"""\
id,note,length,smokes
A7,"first, of all",1.5,yes
B2,,2.5,No
C9,=SUM(A1),,
D4,last,9,No
E1,more,8,yes
"""


@pytest.mark.parametrize("missing", ["impute", "drop"])
def test_predictions_are_the_whole_table_in_peoples_words(bring, missing):
    table, spec = bring(NOTES, "notes.csv", features=("length",), label="smokes", missing=missing)
    text = own_out.predictions(spec, own_fit.fitted(spec)).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0])[:6] == ["row", "id", "note", "length", "smokes", "predicted"]
    assert [(r["row"], r["id"]) for r in rows] == list(
        zip("12345", table.table.columns[0].cells(), strict=True)
    )
    assert [r["smokes"] for r in rows] == ["yes", "No", "", "No", "yes"]
    assert rows[2]["note"] == "'=SUM(A1)"
    assert {r["predicted"] for r in rows if r["length"]} == {"yes", "No"}
    assert (rows[2]["predicted"] == "") is (missing == "drop")
    assert set(rows[0]) >= {"P(No)", "P(yes)"}


@pytest.mark.slow
def test_downloads_in_blocks_are_one_table(bring, monkeypatch):
    _, spec = bring()
    fitted = own_fit.fitted(spec)
    at_once = own_out.predictions(spec, fitted)
    monkeypatch.setattr(output, "BLOCK", 50)
    assert own_out.predictions(spec, fitted) == at_once


def assert_evaluates(content, fitted, X):
    """A file's numbers give the scores: of the columns and, if given, their ranks and squares."""
    linear, features = content["linear"], X
    if linear["ranks"] is not None:
        knots = zip(X.T, linear["ranks"]["values"], linear["ranks"]["ranks"], strict=True)
        ranks = np.column_stack([np.interp(column, values, at) for column, values, at in knots])
        features = np.hstack([X, ranks, ranks**2])
    coefficients = np.array(content["fitted"]["coefficients_"])
    same = (X[:, None] == X).all(axis=2)  # rows that coincide have the mean of their values
    scores = fitted.model.balance_(same @ coefficients / same.sum(axis=1, keepdims=True))
    scores += features @ np.array(linear["weights"]) + linear["offset"]
    np.testing.assert_allclose(scores, fitted.model.decision_function(X), atol=1e-9)


@pytest.mark.slow
def test_parameters_of_a_plane_have_no_ranks(bring):
    table, spec = bring(features=("bill_length_mm", "flipper_length_mm"))
    fitted = own_fit.fitted(spec)
    content = json.loads(own_out.parameters(spec, fitted))
    assert content["linear"]["ranks"] is None
    assert_evaluates(content, fitted, table.prepared.X)


@pytest.mark.slow
def test_parameters_evaluate_to_the_predictions(bring):
    table, spec = bring()
    fitted = own_fit.fitted(spec)
    content = json.loads(own_out.parameters(spec, fitted))
    X = table.prepared.X
    assert content["linear"]["ranks"] is not None
    assert content["functions"] == {"of": "nodes", "n_neighbors": 6, "weights": "shared"}
    np.testing.assert_array_equal(content["fitted"]["landmarks_"], X)
    assert_evaluates(content, fitted, X)
    assert content["classes"] == ["Adelie", "Chinstrap", "Gentoo"]
    assert len(content["encoders"]) == 7

    model = LaplacianClassifier(n_landmarks=40, random_state=0).fit(X, fitted.targets.y)
    content = json.loads(own_out.parameters(spec, replace(fitted, model=model)))
    assert content["functions"] == {"of": "kernel"}
    assert content["kernel"] == "gaussian"
    centres, sigma = (np.array(content["fitted"][name]) for name in ("landmarks_", "bandwidth_"))
    r2 = ((X[:, None] - centres) ** 2).sum(axis=2)
    scores = np.exp(-r2 / (2 * sigma**2)) @ np.array(content["fitted"]["coefficients_"])
    np.testing.assert_allclose(scores, model.space_.evaluate(X, model.coefficients_), atol=1e-9)

    equal = LaplacianRegressor(random_state=0).fit(X, np.full(len(X), 0.7))
    content = json.loads(own_out.parameters(spec, replace(fitted, model=equal, probabilities=None)))
    assert content["fitted"]["noise_"] is None, "equal values say nothing of the noise"


@pytest.mark.slow
def test_the_embedding_is_taken_away_for_every_row(bring):
    _, spec = bring()
    rows = list(csv.reader(io.StringIO(own_out.embedding(spec, 3).decode())))
    assert rows[0] == ["row", "eigenfunction 1", "eigenfunction 2", "eigenfunction 3"]
    coordinates = np.array(rows[1:], float)[:, 1:]
    np.testing.assert_allclose((coordinates**2).mean(axis=0), 1, rtol=1e-6)


def test_a_link_carries_settings_and_neither_token_nor_labels(bring):
    _, spec = bring()
    base = presets.for_spec(spec)
    settings = base.change(sigma=0.7, marks=(Label(3, 1),))
    query = to_query(settings, base)
    assert query["data"] == "table"
    assert spec.source not in str(query)
    assert "labels" not in query, "they are those of the file"
    assert from_query(query, base) == (base.change(sigma=0.7), [])


def test_the_readers_limit_is_that_of_the_page():
    assert f"--server.maxUploadSize={tables.LIMITS.bytes >> 20}" in launch.OPTIONS


@pytest.mark.slow
def test_a_table_whose_texts_cannot_be_used_is_shown_without_them():
    rows = [f"{k % 7},{k * 1.5},text{k % 90}" for k in range(900)]
    table = own_table.read("\n".join(["a,b,c", *rows]).encode(), "texts.csv")
    assert "c" not in table.roles.features
    assert table.n_rows == 900
