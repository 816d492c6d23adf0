"""The Lab without its page: links, nonsense, runs in the cache, private data."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from page_tests import address, opened

from lapviz.datasets import drawings
from lapviz.experiments import registry, runs
from lapviz.experiments.__main__ import summary
from lapviz.explorer.compute import cache
from lapviz.explorer.host.store import STORE
from lapviz.explorer.pages.lab import settings as lab_settings
from lapviz.explorer.pages.lab import steps
from lapviz.explorer.pages.lab.settings import LAB, Run, base
from lapviz.explorer.session import user_data
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.specs import DataSpec
from lapviz.explorer.stories import presets


@pytest.mark.parametrize("name", registry.names())
def test_links_give_the_same_settings(name):
    settings = base(name).change(seed=5, trials=2)
    query = LAB.write(settings)
    assert query == {"experiment": name, "seed": "5", **(
        {"trials": "2"} if base(name).config.trials != 2 else {})}  # fmt: skip
    assert LAB.read(query) == (settings, [])
    last = replace(settings, figure=len(settings.experiment.drawn(settings.config)) - 1)
    assert LAB.read(LAB.write(last)) == (last, [])
    paper = base(name, "paper")
    assert LAB.read(LAB.write(paper)) == (paper, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "trials"), [("gal23-fig3", "up to 10 trials"), ("digits", ": 20 trials")]
)
def test_the_head_of_stored_results_promises_no_more_trials_than_the_figure(name, trials):
    head = next(c.value for c in opened("lab", experiment=name).caption if "measured" in c.value)
    assert trials in head


def test_a_link_names_a_figure_that_exists():
    shown = replace(base("dimension"), figure=1).change(sizes=(500,))
    settings, complaints = LAB.read(LAB.write(shown))
    assert (settings.figure, settings.config.sizes, complaints) == (0, (500,), [])


def test_the_number_of_tasks_is_that_of_all_settings_of_a_link():
    sizes = tuple(range(100, 1100, 100))
    settings = base("gal23-fig3").change(dimensions=(3,)).change(sizes=sizes, trials=100)
    assert LAB.read(LAB.write(settings)) == (settings, [])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"experiment": "<script>"}, "no experiment"),
        ({"size": "huge"}, "size"),
        ({"size": "paper", "trials": "3"}, "settings; ignored: trials"),
        ({"trials": "1e9"}, "Trials"),
        ({"counts": "1,,x"}, "Landmarks p"),
        ({"n": "nan"}, "Samples n"),
        ({"n": "100000"}, "to 4000"),
        ({"figure": "7"}, "figure"),
        ({"with": "own"}, "does not run on your own data"),
        ({"experiment": "sweep", "with": "own"}, "somebody's own data"),
        ({"experiment": "sweep", "data": "/etc/passwd"}, "one of"),
    ],
)
def test_an_invalid_query_is_refused_and_the_default_stays(query, words):
    settings, complaints = LAB.read({"experiment": "landmarks", **query})
    assert any(words in sentence for sentence in complaints)
    assert settings.config == base(settings.run.name, settings.size).config


@pytest.mark.parametrize("text", ["5", "1e99", "3.7", "many", ""])
def test_a_number_that_cannot_be_used_gets_a_sentence_and_the_old_one_back(text):
    app = opened("lab", experiment="landmarks")
    before = address(app)

    def field():
        (found,) = (number for number in app.text_input if number.label == "Samples n")
        return found

    value = field().value
    field().set_value(text).run()
    assert not app.exception
    assert (field().value, address(app)) == (value, before)
    assert any("Samples n" in c.value and "previous value kept" in c.value for c in app.toast)


def test_too_many_tasks_are_refused(monkeypatch):
    monkeypatch.setattr(lab_settings, "MOST_TASKS", 10)
    with pytest.raises(ValueError, match="at most 10"):
        base("landmarks").change(trials=50)


@pytest.mark.slow
def test_a_run_is_cached_and_its_tasks_are_reused(monkeypatch):
    cache.clear()
    landmarks = registry.get("landmarks")
    config = landmarks.Config(trials=2, counts=(10,), n=200)
    results = steps.measured(Run("landmarks", config))
    assert results is steps.measured(Run("landmarks", config))
    assert results.rows == runs.run(landmarks, config).rows
    ran, run = [], type(landmarks).run
    monkeypatch.setattr(type(landmarks), "run", lambda *a: (ran.append(a[2].trial), run(*a))[1])
    steps.measured(Run("landmarks", landmarks.Config(trials=3, counts=(10,), n=200)))
    assert ran == [2]


def test_a_figure_without_values_says_so():
    query = {"logs": "log10", "trials": "1", "sizes": "40"}  # its figures are of ln alone
    steps.measured(base("ssl21-fig4").change(**query).run)
    app = opened("lab", experiment="ssl21-fig4", **query)
    assert not app.exception
    assert any("no row has a value" in caption.value for caption in app.caption)
    none = {"trials": "1", "sizes": "40", "dimensions": "3", "counts": "177"}
    results = steps.measured(base("gal23-fig3").change(**none).run)
    assert (results.rows, results.complete) == ((), True)
    assert summary(registry.get("gal23-fig3"), results) == "These settings measure nothing."
    app = opened("lab", **none)
    assert any("no row has a value" in caption.value for caption in app.caption)


@pytest.fixture
def on_table(bring):
    """A function from columns to settings of the Lab on them, and their table."""

    def settings_on(columns: dict, **changes):
        lines = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
        user_table, data = bring("\n".join(lines).encode(), "t.csv")
        return base("sweep").change(trials=1, **changes).on_data(data), user_table

    return settings_on


GROUPS = np.repeat([0, 1], 30)
CLOUDS = np.random.default_rng(0).normal(size=(60, 2)) + 4 * GROUPS[:, None]
TABLE = {name: [f"{v:.4f}" for v in CLOUDS[:, k]] for k, name in enumerate("ab")}


@pytest.mark.slow
def test_results_of_private_data_stay_with_their_visitor(on_table, visitor):
    settings, _ = on_table(TABLE | {"kind": list(np.array(["x", "y"])[GROUPS])},
                                 values=("0.5", "1"))  # fmt: skip
    results = steps.measured(settings.run)
    assert results.config.data == "own"
    assert max(row["error"] for row in results.rows) < 0.2
    assert len(STORE.kept(visitor)) >= 4  # its tasks too
    query = LAB.write(settings)
    assert query == {"experiment": "sweep", "trials": "1", "values": "0.5,1", "with": "own"}
    assert settings.run.data.source not in results.to_csv()


@pytest.mark.parametrize("n_points", [120, 700])
def test_trials_take_their_own_points_of_a_drawing(visitor, monkeypatch, n_points):
    visitor.session = ""  # that of no browser
    monkeypatch.setattr("streamlit.session_state", {"lapviz_visitor": visitor})
    drawn = drawings.Drawing.of_numbers(range(n_points), drawings.SHEET)
    settings = presets.for_spec(DataSpec(drawing.NAME))
    user_data.take_drawing(settings, drawings.encode(drawn))
    data = lab_settings.own_data()
    assert data.private == (n_points > drawings.MOST_IN_LINK)
    load = lab_settings.own_source(data)
    X, y, weights = load(50, 0)
    assert (X.shape, len(y), weights) == ((50, 2), 50, None)
    assert not np.array_equal(X, load(50, 1)[0]), "another trial"
    assert len(load(10_000, 0)[0]) == n_points


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classes", "values"])
def test_the_weight_column_of_an_uploaded_table_counts(on_table, kind):
    weight = np.tile([0.0, 1.0, 3.0], 20)
    target = np.array(["left", "right"])[GROUPS] if kind == "classes" else TABLE["a"]
    name = "LaplacianClassifier" if kind == "classes" else "LaplacianRegressor"
    columns = TABLE | {"target": list(target), "weight": [f"{w:g}" for w in weight]}
    settings, user_table = on_table(columns, labels=5, values=("0.5",), estimator=name)
    assert user_table.prepared.weights is not None
    X, y, weights = lab_settings.own_source(settings.run.data)(50, 0)
    assert len(X) == len(y) == len(weights) == 40  # those of weight 0 are left out
    weight_of = {tuple(row): w for row, w in zip(user_table.prepared.X, weight, strict=True)}
    np.testing.assert_array_equal(weights, [weight_of[tuple(row)] for row in X])
    assert all(np.isfinite(row["error"]) for row in steps.measured(settings.run).rows)


def test_own_data_are_needed_where_a_link_names_them():
    settings, complaints = LAB.read({"experiment": "sweep", "data": "own"})
    assert complaints == []
    with pytest.raises(ValueError, match="somebody's own data"):
        steps.measured(settings.run)


@pytest.mark.slow
def test_the_button_of_another_run_shows_its_settings(monkeypatch):
    go, measure = threading.Event(), runs.rows_of
    monkeypatch.setattr(runs, "rows_of", lambda *task: (go.wait(60), measure(*task))[1])
    query = {"experiment": "landmarks", "trials": "1", "seed": "8"}
    app = opened("lab", **query)
    app.button(key="lab-run").click().run()
    (box,) = (box for box in app.selectbox if box.label == "Experiment")
    box.set_value("dimension").run()
    assert address(app) == {"experiment": "dimension"}
    app.button(key="lab-back").click().run()
    assert not app.exception
    assert address(app) == query
    app.button(key="lab-cancel").click().run()
    go.set()
