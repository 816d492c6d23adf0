"""Custom sweeps: every estimator, candidate sets, slopes and weights, against direct fits."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from lapviz import datasets, estimators
from lapviz.experiments import records, runs, sweep_methods
from lapviz.experiments.sweep import PARAMETERS, Sweep

SMALL = Sweep.Config(trials=1, n_samples=80, values=("0.3", "0.6"), fixed=("none",))


def rows_of(config, sweep=None):
    return runs.run(sweep or Sweep(), config).rows


@pytest.mark.parametrize("name", sorted(set(sweep_methods.ESTIMATORS) - {"NeuralEigenfunctions"}))
def test_every_estimator_can_be_swept_beside_the_baselines_on_weighted_rows(name):
    values, graph = name.endswith("Regressor"), name == "GraphLaplacianClassifier"
    data = datasets.load("hills" if values else "half_moons", n_samples=60, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 2, 60)
    slopes = data.gradient(data.X) if values else None
    sweep = Sweep().on(lambda n, seed: (data.X, data.values if values else data.y, weights, slopes))
    config = replace(SMALL, data="own", estimator=name, labels=8,
                     baselines=sweep_methods.BASELINES,
                     parameter="n_neighbors" if graph else "bandwidth",
                     values=("5", "9") if graph else ("0.1", "0.3"))  # fmt: skip
    rows = rows_of(config, sweep)
    assert sum(row["method"] == name for row in rows) == 2
    assert len(rows) == 2 * len({row["method"] for row in rows}) == 2 * (1 + (3 if values else 5))
    assert all(0 <= row["error"] < 2 for row in rows)


def test_a_parameter_called_method_is_no_name_of_a_line():
    """Rows of 1-NN were those of the value."""
    config = replace(SMALL, estimator="GraphLaplacianClassifier", parameter="method",
                     values=("spreading", "harmonic"), baselines=("1-NN",), trials=1)  # fmt: skip
    rows = rows_of(config)
    pairs = {(row["method"], row["line"]) for row in rows}
    names = ("GraphLaplacianClassifier", "1-NN")
    assert pairs == {(value, name) for value in config.values for name in names}
    assert len(rows) == 4
    assert Sweep().drawn(config)[0].colour == "line"


def test_a_value_written_twice_is_run_once():
    config = replace(SMALL, values=("0.3", "0.30", "3e-1"), baselines=("1-NN",))
    assert len(rows_of(config)) == 2  # of the estimator and of the baseline


def test_a_sweep_of_a_rule_and_numbers_is_stored_and_written(tmp_path):
    config = replace(SMALL, values=("auto", "0.5"))
    first = runs.run(Sweep(), config, store=tmp_path)
    assert runs.run(Sweep(), config, store=tmp_path).rows == first.rows
    first.write(tmp_path / "rows.parquet")
    read = records.read(tmp_path / "rows.parquet").rows
    assert [row["bandwidth"] for row in read] == [str(row["bandwidth"]) for row in first.rows]


def test_a_sweep_needs_neither_baselines_nor_fixed_parameters():
    config = SMALL.from_texts({"baselines": "", "fixed": ""})
    assert config.baselines == config.fixed == ()
    assert SMALL.from_texts(config.texts()) == config
    assert [row["method"] for row in rows_of(config)] == ["LaplacianClassifier"] * 2


def test_all_estimators_of_the_library_are_there():
    fitted = {name for name in estimators.__all__ if hasattr(getattr(estimators, name), "fit")}
    assert set(sweep_methods.ESTIMATORS) == fitted
    assert not {"random_state", "callback"} & set(PARAMETERS)


def test_slopes_help():
    config = replace(SMALL, data="waves", noise=0.0, labels=12, estimator="HermiteRegressor",
                     parameter="weight", values=("0", "0.01"), trials=3, baselines=("1-NN",),
                     fixed=("bandwidth=0.15", "trial_space=representer"))  # fmt: skip
    errors = {row["weight"]: row["error"] for row in rows_of(config) if row["trial"] == 1
              and row["method"] == "HermiteRegressor"}  # fmt: skip
    assert errors[0.01] < 0.5 * errors[0]


@pytest.mark.parametrize(("name", "n"), [("waves", 2500), ("half_moons", 2500), ("iris", 150)])
def test_only_measured_data_have_fewer_samples_than_asked_for(name, n):
    assert len(sweep_methods.built_in(name, 0.1, values=name == "waves")(2500, 0)[0]) == n


def test_candidates_hold_the_truth_and_one_of_them_is_observed():
    sample = sweep_methods.draw(sweep_methods.built_in("iris", 0), 150, 10, 2, 0)
    rows = sample.labelled
    assert rows.sum() == 30
    np.testing.assert_array_equal(sample.candidates[rows].sum(axis=1), 2)
    assert sample.candidates[np.flatnonzero(rows), sample.y[rows]].all()
    assert sample.candidates[np.flatnonzero(rows), sample.observed[rows]].all()
    assert 5 <= (sample.observed[rows] != sample.y[rows]).sum() <= 25  # half of them, on average
    assert sample.candidates[~rows].all()
    single = sweep_methods.draw(sweep_methods.built_in("iris", 0), 150, 10, 1, 0)
    np.testing.assert_array_equal(single.observed, single.y)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": "half_moons", "candidates": 2}, "at most 1 candidate"),
        ({"data": "iris", "candidates": 3}, "at most 2 candidate"),
        ({"data": "swiss_roll", "estimator": "HermiteRegressor"}, "needs the slopes"),
        ({"estimator": "HermiteRegressor"}, "needs the slopes"),  # classes have none either
        ({"second": "bandwidth"}, "second parameter is the first"),
        ({"fixed": ("x",)}, "name=value"),
        ({"fixed": (f"n_landmarks={10**20}",)}, "Integer parameters are at most 5,000"),
        ({"fixed": ("kernel_params=1",)}, "has no parameter 'kernel_params'"),
        ({"parameter": "n_samples", "values": ("5",)}, "between 10 and 100,000"),
        ({"data": "own"}, "somebody's own data"),
        ({"data": "own", "parameter": "noise"}, "Noise is added to drawn data only"),
        ({"data": "iris", "parameter": "noise"}, "Noise is added to drawn data only"),
        ({"parameter": "noise", "values": ("0.1", "7")}, "noise of half_moons is at most"),
        ({"data": "square", "noise": 0.2}, "noise of square is at most 0.1"),
        ({"parameter": "labels", "values": ("2", "2.5")}, "must be whole numbers"),
        ({"fixed": ("labels=5",)}, "LaplacianClassifier has no parameter 'labels'"),
        ({"data": "iris", "parameter": "n_samples", "values": ("100", "400")}, "have 150 rows"),
        ({"estimator": "LaplacianRegressor"}, "in your own table a label column of values"),
    ],
)
def test_settings_that_cannot_be_swept_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        rows_of(replace(SMALL, **changes))


def test_a_long_refused_text_is_cut_with_dots():
    with pytest.raises(ValueError, match=r"got '[^']{50,}…\.$"):
        SMALL.from_texts({"estimator": "x" * 100})


@pytest.mark.parametrize(("y", "candidates"), [(-1, 1), (-1, 2), (np.nan, 1)])
def test_data_without_a_known_row_need_a_label_column(y, candidates):
    def load(n, seed):
        return np.random.default_rng(0).normal(size=(30, 2)), np.full(30, y)

    config = replace(SMALL, data="own", candidates=candidates)
    with pytest.raises(ValueError, match="No row has a known class or value: choose a label col"):
        rows_of(config, Sweep().on(load))


def test_none_and_layer_sizes_are_arguments():
    assert sweep_methods.model("LaplacianClassifier", {"scaling": "none"}, 0).scaling is None
    model = sweep_methods.model("NeuralEigenfunctions", {"hidden_layer_sizes": "64x32"}, 0)
    assert model.hidden_layer_sizes == (64, 32)


def test_weights_count_like_repeated_rows():
    data = datasets.load("half_moons", n_samples=60, random_state=3)
    weights = np.where(np.arange(60) % 3 == 0, 2.0, 1.0)
    weights[:4] = 0  # left out

    def load(n, seed):
        return data.X, data.y, weights

    sample = sweep_methods.draw(load, 60, 3, 1, 0)
    assert len(sample.X) == 56
    parameters = {"bandwidth": 0.3, "landmarks": sample.X[:20], "mu": 1e-6, "linear": False}
    model = estimators.LaplacianClassifier(**parameters)
    rows = np.repeat(np.arange(56), np.rint(sample.weights / sample.weights.min()).astype(int))
    X, unlabelled = sample.X[rows], ~sample.labelled[rows]
    classes = model.fit(X, sample.target[rows]).predict(X)
    repeated = np.mean(classes[unlabelled] != sample.y[rows][unlabelled])
    assert sweep_methods.error(model, sample) == pytest.approx(repeated, abs=1e-12)
    # the nearest neighbour is fitted without weights; its error is weighted
    nearest = KNeighborsClassifier(1)
    classes = nearest.fit(sample.X[sample.labelled], sample.y[sample.labelled]).predict(sample.X)
    expected = np.average(classes != sample.y, weights=sample.weights * ~sample.labelled)
    assert sweep_methods.error(sweep_methods.baseline("1-NN", False), sample) == expected


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["1-NN", "SVC", "kernel ridge"])
def test_origin_and_unit_of_values_do_not_matter_to_baselines(name, weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    weights = rng.uniform(0.5, 2, 60) if weighted else None
    errors = []
    for origin, unit in ((0.0, 1.0), (100.0, 1.0), (-3.0, 1e-3), (7.0, 0.0)):
        data = X, origin + unit * np.sin(X[:, 0]), weights
        sample = sweep_methods.draw(lambda n, seed, data=data: data, 60, 20, 1, 0)
        errors.append(sweep_methods.error(sweep_methods.baseline(name, True), sample))
    assert 0.02 < errors[0] < 0.6
    assert errors[1:3] == pytest.approx([errors[0], 1e-3 * errors[0]], rel=1e-2)
    assert errors[3] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", sweep_methods.BASELINES)
def test_where_one_class_is_seen_it_is_the_prediction(name):
    X = np.random.default_rng(0).normal(size=(30, 2))
    sample = sweep_methods.draw(lambda n, seed: (X, np.zeros(30, int)), 30, 3, 1, 0)
    sample.y[~sample.labelled] = np.arange(27) < 9  # a rare class without a label
    error = sweep_methods.error(sweep_methods.baseline(name, False), sample)
    assert error == pytest.approx(1 / 3)


@pytest.mark.slow
def test_the_neural_embedding_or_a_sentence_about_its_extra():
    config = replace(SMALL, estimator="NeuralEigenfunctions", parameter="hidden_layer_sizes",
                     values=("8x8",), labels=5,
                     fixed=("n_batches=60", "batch_size=40", "n_components=4"))  # fmt: skip
    try:
        import jax  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="neural"):
            rows_of(config)
        return
    rows = [row for row in rows_of(config) if row["method"] == "NeuralEigenfunctions"]
    assert [row["hidden_layer_sizes"] for row in rows] == ["8x8"]
    assert 0 <= rows[0]["error"] <= 1
