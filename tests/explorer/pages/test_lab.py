"""The Lab below its page: links, nonsense, runs in the cache, private data."""

import gc

import numpy as np
import pytest

from lapviz import datasets
from lapviz.experiments import registry, runs
from lapviz.explorer.compute import cache, own_table
from lapviz.explorer.host.store import STORE, DataExpired
from lapviz.explorer.host.visitors import Visitor
from lapviz.explorer.pages.lab import runs as lab_runs
from lapviz.explorer.pages.lab import settings as lab_settings
from lapviz.explorer.pages.lab.settings import Run, base, from_query, to_query
from lapviz.explorer.settings.specs import DataSpec


@pytest.mark.parametrize("name", registry.names())
def test_links_give_the_same_settings(name):
    settings = base(name).change(seed=5, trials=2)
    query = to_query(settings)
    assert query == {"experiment": name, "seed": "5", **(
        {"trials": "2"} if base(name).config.trials != 2 else {})}  # fmt: skip
    assert from_query(query) == (settings, [])
    paper = base(name, "paper")
    assert from_query(to_query(paper)) == (paper, [])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"experiment": "<script>"}, "no experiment"),
        ({"size": "huge"}, "size"),
        ({"trials": "1e9"}, "trials"),
        ({"counts": "1,,x"}, "counts"),
        ({"n": "nan"}, "'n'"),
        ({"n": "100000"}, "to 4000"),
        ({"figure": "7"}, "figure"),
        ({"with": "own"}, "somebody's own data"),
        ({"experiment": "sweep", "data": "/etc/passwd"}, "one of"),
    ],
)
def test_nonsense_gets_a_sentence_and_the_default(query, words):
    settings, complaints = from_query({"experiment": "landmarks", **query})
    assert any(words in sentence for sentence in complaints)
    assert settings.config == base(settings.run.name).config


def test_too_many_tasks_get_a_sentence(monkeypatch):
    monkeypatch.setattr(lab_settings, "MOST_TASKS", 10)
    with pytest.raises(ValueError, match="at most 10"):
        base("landmarks").change(trials=50)


def test_a_run_is_cached_and_its_tasks_are_taken_again(monkeypatch):
    cache.clear()
    landmarks = registry.get("landmarks")
    config = landmarks.Config(trials=2, counts=(10,), n=200)
    done = lab_runs.measured(Run("landmarks", config))
    assert done is lab_runs.measured(Run("landmarks", config))
    assert done.rows == runs.run(landmarks, config).rows
    ran, real = [], type(landmarks).run
    monkeypatch.setattr(type(landmarks), "run", lambda *a: (ran.append(a[2].trial), real(*a))[1])
    lab_runs.measured(Run("landmarks", landmarks.Config(trials=3, counts=(10,), n=200)))
    assert ran == [2]


class Things:
    """A visitor's own data: two clouds."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.y = np.repeat([0, 1], 30)
        self.X = rng.normal(size=(60, 2)) + 4 * self.y[:, None]
        self.nbytes = 1000
        self.info = datasets.info("half_moons")

    def sample(self, n_samples, random_state):
        data = datasets.load("half_moons", n_samples=60, random_state=0)
        return datasets.Dataset(self.X, self.y, data.labelled[:60], "table", data.truth,
                                ("a", "b"), ("x", "y"))  # fmt: skip


@pytest.mark.slow
def test_results_of_private_data_stay_with_their_visitor():
    cache.clear()
    visitor = Visitor("one")
    token = STORE.add(visitor, Things())
    settings = base("sweep").change(trials=1, values=("0.5", "1"))
    settings = settings.on_data(DataSpec("table", source=token))
    results = lab_runs.measured(settings.run)
    assert results.config.data == "own"
    assert max(row["error"] for row in results.rows) < 0.2
    assert len(STORE.kept()) == 0
    assert len(STORE.kept(visitor)) >= 4  # its tasks too
    assert token not in str(to_query(settings)) + results.to_csv()
    visitor.forget()
    with pytest.raises(DataExpired):
        lab_runs.measured(settings.run)
    del visitor
    gc.collect()


@pytest.mark.parametrize("kind", ["classes", "values"])
def test_the_weight_column_of_an_uploaded_table_counts(kind):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 30)
    x = rng.normal(size=(60, 2)) + 3 * labels[:, None]
    y = np.array(["left", "right"])[labels] if kind == "classes" else x[:, 0].round(3)
    weight = np.tile([0.0, 1.0, 3.0], 20)
    lines = [f"{a:.4f},{b:.4f},{c},{w:g}" for (a, b), c, w in zip(x, y, weight, strict=True)]
    thing = own_table.read("\n".join(["a,b,target,weight", *lines]).encode(), "t.csv")
    assert thing.prepared.weights is not None
    visitor = Visitor("weighted")
    data = DataSpec("table", source=STORE.add(visitor, thing))
    X, y, weights = lab_settings.own_source(data)(50, 0)
    assert len(X) == len(y) == len(weights) == 40  # those of weight 0 are left out
    at = {tuple(row): w for row, w in zip(thing.prepared.X, weight, strict=True)}
    np.testing.assert_array_equal(weights, [at[tuple(row)] for row in X])
    name = "LaplacianClassifier" if kind == "classes" else "LaplacianRegressor"
    settings = base("sweep").change(trials=1, labels=5, values=("0.5",), estimator=name)
    results = lab_runs.measured(settings.on_data(data).run)
    assert all(np.isfinite(row["error"]) for row in results.rows)
    visitor.forget()


def test_own_data_are_needed_where_a_link_names_them():
    settings, complaints = from_query({"experiment": "sweep", "data": "own"})
    assert complaints == []
    with pytest.raises(ValueError, match="somebody's own data"):
        lab_runs.measured(settings.run)
