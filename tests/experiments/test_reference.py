"""Comparison with the field's graph methods: the same labels and graph, errors by hand.

Tests of GraphLearning's own methods need the extra ``bench``, and are skipped without, unless the
environment has LAPVIZ_REQUIRE_BENCH.
"""

from importlib.util import find_spec

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from lapviz import _extras, datasets, estimates, graphs
from lapviz.experiments import __main__, records, reference, registry, runs
from lapviz.experiments.reference import METHODS, Entry, Problem, lead
from tests.experiments.test_idx import write_images
from tests.helpers import needs

EXPERIMENT = registry.get("reference")
needs_graphlearning = needs("graphlearning", extra="bench", required="LAPVIZ_REQUIRE_BENCH")
WITH_NEEDS = [
    pytest.param(name, marks=needs_graphlearning if entry.graphlearning else ())
    for name, entry in METHODS.items()
]


@pytest.fixture
def moons():
    # Connected: with two components and unbalanced sources, Poisson's problem has no solution.
    data = datasets.load("half_moons", n_samples=200, noise=0.15, random_state=0)
    W = graphs.knn_weights(data.X, 10)
    assert connected_components(W)[0] == 1
    return Problem(data.X, data.y, W, 10, 0.5)


@pytest.fixture
def without(monkeypatch):
    """Pretend that GraphLearning is not installed."""

    def find(package):
        return None if package == "graphlearning" else find_spec(package)

    monkeypatch.setattr(_extras, "find_spec", find)


@pytest.mark.slow
def test_all_methods_have_the_same_points_graph_and_labels(monkeypatch):
    calls_of = {}

    def recording(name):
        def prepare(data):
            def predict(rows, classes):
                calls_of.setdefault(name, []).append((data, rows, classes))
                return data.y

            return predict

        return Entry(name, prepare, METHODS[name].graphlearning)

    monkeypatch.setattr(reference, "METHODS", {name: recording(name) for name in METHODS})
    monkeypatch.setattr(reference, "_missing", str)  # as if GraphLearning were installed
    config = EXPERIMENT.Config(trials=2, data=("digits",), labels_per_class=(1, 3), seed=5)
    rows = runs.run(EXPERIMENT, config).rows
    assert calls_of.keys() == METHODS.keys()
    assert all(row["accuracy"] == 1 for row in rows)
    for name, calls in calls_of.items():
        assert len(calls) == 4
        for (data, labelled, classes), (default_data, default_labelled, _) in zip(
            calls, calls_of["default"], strict=True
        ):
            assert data is default_data
            np.testing.assert_array_equal(labelled, default_labelled)
            np.testing.assert_array_equal(classes, data.y[labelled])
        timed = [row["graph_seconds"] > 0 for row in rows if row["method"] == name]
        assert timed == [METHODS[name].graphlearning] * 4
    labelled = [rows for _, rows, _ in calls_of["default"]]
    assert [len(rows) for rows in labelled] == [10, 30, 10, 30]
    assert set(labelled[0]) < set(labelled[1])
    assert set(labelled[0]) != set(labelled[2])
    data = calls_of["default"][0][0]
    np.testing.assert_array_equal(data.W.toarray(), graphs.knn_weights(data.X, 10).toarray())
    counts = np.unique(data.y, return_counts=True)[1]
    np.testing.assert_allclose(data.class_proportions, counts / 1797)


def rows_from(accuracies, data="digits", count=1):
    return [
        {"data": data, "labels_per_class": count, "method": method, "trial": trial,
         "accuracy": accuracy, "seconds": 1.0, "graph_seconds": 0.25, "more_mb": 10.0 + trial}
        for method, values in accuracies.items() for trial, accuracy in enumerate(values)
    ]  # fmt: skip


def test_the_error_of_a_lead_is_that_of_the_differences():
    rows = rows_from({"default": (0.9, 0.6, 0.8), "poisson": (0.8, 0.55, 0.65)})
    gap, error, n = lead(reversed(rows), "default", "poisson")
    # differences .1, .05, .15: mean .1, variance (0 + .0025 + .0025)/2
    assert (gap, n) == (pytest.approx(0.1), 3)
    assert error == pytest.approx(np.sqrt(0.0025 / 3))
    # only draws that both have count
    assert lead(rows[:4], "default", "poisson") == (pytest.approx(0.1), None, 1)
    assert lead(rows[1:], "poisson", "default") == (pytest.approx(-0.1), pytest.approx(0.05), 2)
    gap, error, n = lead(rows, "default", "laplace")
    assert np.isnan(gap)
    assert (error, n) == (None, 0)


def test_findings_and_the_printed_output():
    rows = rows_from({"default": (0.9, 0.6, 0.8), "poisson": (0.8, 0.55, 0.65), "1-NN": (0.5,) * 3})
    (finding,) = EXPERIMENT.check(rows)
    assert finding.holds
    assert finding.sentence == (
        "LaplacianClassifier() on digits with 1 label per class, lead over GraphLearning poisson "
        "on the same 3 draws: 0.1 ± 0.029."
    )
    close = rows_from({"default": (0.9, 0.6, 0.8), "poisson": (0.8, 0.8, 0.65)})
    assert EXPERIMENT.check(close)[0].holds is None
    behind = rows_from({"default": (0.7, 0.45, 0.55), "poisson": (0.8, 0.55, 0.65)})
    assert EXPERIMENT.check(behind)[0].holds is False
    lines = EXPERIMENT.markdown(rows).splitlines()
    assert lines[2:] == [
        "| digits | 1 | LaplacianClassifier() | 3 | 0.767 ± 0.088 | 0.100 ± 0.029 | – | 1 | 0.25 "
        "| 12 |",
        "| digits | 1 | GraphLearning poisson | 3 | 0.667 ± 0.073 | – | – | 1 | 0.25 | 12 |",
        "| digits | 1 | 1-NN | 3 | 0.500 ± 0.000 | -0.167 ± 0.073 | – | 1 | 0.25 | 12 |",
    ]


def test_without_graphlearning_its_rows_are_left_out(without):
    config = EXPERIMENT.Config(trials=2, data=("digits",), labels_per_class=(1,),
                               methods=("poisson", "1-NN"))  # fmt: skip
    results = runs.run(EXPERIMENT, config)
    assert results.complete
    assert [row["method"] for row in results.rows] == ["1-NN", "1-NN"]
    (finding,) = results.findings()
    assert finding.sentence == (
        "A method of GraphLearning needs graphlearning, which is not installed: "
        '`pip install "lapviz-explorer[bench]"`. Its rows are left out.'
    )


def test_only_its_methods_and_without_it_is_a_sentence(without, capsys):
    with pytest.raises(SystemExit):
        __main__.main(["reference", "--set", "methods=poisson,laplace"])
    assert "needs graphlearning, which is not installed" in capsys.readouterr().err


def test_fashion_mnist_has_draws_and_labels_of_its_own():
    config = EXPERIMENT.Config(trials=4, methods=("1-NN",), labels_per_class=(1, 2, 5),
                               fashion_trials=2, fashion_labels=(1, 5, 50))  # fmt: skip
    tasks = EXPERIMENT.tasks(config)
    draws = {data: [] for data in reference.DATA}
    for task in tasks:
        draws[task["data"]].append((task.trial, task["labels_per_class"]))
    assert draws[reference.DIGITS] == [(k, m) for k in range(4) for m in (1, 2, 5)]
    assert draws[reference.FASHION] == [(k, m) for k in range(2) for m in (1, 5)]
    disjoint = EXPERIMENT.Config(data=(reference.FASHION,), methods=("1-NN",), fashion_labels=(3,))
    with pytest.raises(ValueError, match="No number of labels for Fashion-MNIST"):
        EXPERIMENT.tasks(disjoint)


def test_its_images_come_from_the_folder_that_is_named(tmp_path, monkeypatch):
    pixels, classes = write_images(tmp_path, (90, 30))
    monkeypatch.setenv(reference.FOLDER, str(tmp_path))
    config = EXPERIMENT.Config(n_images=100, n_neighbors=3)
    data = reference.problem(config, reference.FASHION)
    np.testing.assert_array_equal(data.X, pixels[:100] / 255)
    np.testing.assert_array_equal(data.y, classes[:100])
    assert reference.problem(config, reference.FASHION) is data
    reduced = EXPERIMENT.Config(n_images=100, n_neighbors=3, n_components=2)
    columns = reference.problem(reduced, reference.FASHION).X
    assert columns.shape == (100, 2)
    centred = data.X - data.X.mean(axis=0)
    _, s, _ = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose((columns**2).sum(axis=0), s[:2] ** 2)


def test_without_its_files_it_says_where_to_get_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(reference.FOLDER, str(tmp_path))
    with pytest.raises(SystemExit):
        __main__.main(["reference", "--set", "methods=1-NN", "--set", "data=Fashion-MNIST"])
    message = capsys.readouterr().err
    assert "There is no file t10k-images-idx3-ubyte" in message
    assert "Debian's package dataset-fashion-mnist, or set LAPVIZ_FASHION_MNIST" in message


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_NEEDS)
def test_methods_predict_every_point_and_leave_our_graph(name, moons):
    before = moons.W.copy()
    rows = np.array([150, 3, 7, 120])
    classes = METHODS[name].prepare(moons)(rows, moons.y[rows])
    assert classes.shape == (200,)
    assert np.mean(classes == moons.y) > (0.8 if METHODS[name].graphlearning else 0.6)
    assert (before != moons.W).nnz == 0


STORED = ("laplace", "poisson", "1-NN", "LabelSpreading", "default", "passes on nodes")


@pytest.mark.slow
@pytest.mark.parametrize("name", [case for case in WITH_NEEDS if case.values[0] in STORED])
def test_a_task_run_again_gives_the_stored_row(name):
    results = records.stored("reference")
    factors = {"data": "digits", "labels_per_class": 2, "method": name}
    tasks = EXPERIMENT.tasks(results.config)
    task = next(task for task in tasks if task.factors == factors)  # of the first draw
    (stored,) = (row for row in results.rows if {**factors, "trial": 0}.items() <= row.items())
    (again,) = runs.rows_of(EXPERIMENT, results.config, task)
    assert again["accuracy"] == pytest.approx(stored["accuracy"], abs=3 / 1777)  # three images
    assert again.keys() <= stored.keys()


@needs_graphlearning
def test_laplace_is_the_harmonic_function(moons):
    import graphlearning

    rows = np.array([3, 7, 120, 150])
    codes = np.eye(2)[moons.y[rows]]
    harmonic = graphs.harmonic(moons.W, rows, codes)
    laplace = graphlearning.ssl.laplace(moons.W, tol=1e-12).fit(rows, moons.y[rows])
    np.testing.assert_allclose(laplace, harmonic, atol=1e-8)
    untied = np.abs(harmonic[:, 0] - 0.5) > 1e-3
    classes = METHODS["laplace"].prepare(moons)(rows, moons.y[rows])
    np.testing.assert_array_equal(classes[untied], estimates.decode(harmonic)[untied])


@needs_graphlearning
def test_shares_move_poissons_classes():
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = (X[:, 0] > np.quantile(X[:, 0], 0.75)).astype(int)
    data = Problem(X, y, graphs.knn_weights(X, 10), 10, 0.0)
    rows = np.flatnonzero(datasets.draw_labels(y, 2, 0))
    without_shares, with_shares = (
        METHODS[name].prepare(data)(rows, y[rows]).mean()
        for name in ("poisson", "poisson with shares")
    )
    assert with_shares == pytest.approx(0.25, abs=0.01)
    assert abs(without_shares - 0.25) > 0.02
