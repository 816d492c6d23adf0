"""The table of few labels: a cell by hand, reproducible draws, printed output."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from lapviz import LaplacianClassifier, datasets, metrics
from lapviz.experiments import rates, registry, tables
from lapviz.experiments.peers import NEW, UNLABELLED
from lapviz.experiments.tables import (
    NAMED,
    PROBLEMS,
    Problem,
    by_method,
    draws_of,
)

MOONS = Problem("moons", lambda rng: points(rng), n_new=40)


def points(rng):
    data = datasets.load("half_moons", n_samples=140, random_state=rng)
    return data.X, data.y


def table(problems, counts, n_draws=6, seed=0):
    return [
        {"data": problem.name, **row}
        for problem in problems
        for row in draws_of(problem, counts, n_draws, seed)
    ]


@pytest.fixture(scope="module")
def rows():
    return table((NAMED["iris"], MOONS), (1, 5))


@pytest.mark.long
def test_rows_are_tidy(rows):
    methods, kinds = {}, {"iris": (UNLABELLED,), "moons": (UNLABELLED, NEW)}
    cells = rates.grouped(rows, "data", "labels_per_class", "points", "method")
    for (data, count, kind, method), draws in cells.items():
        methods.setdefault((data, count, kind), []).append(method)
        assert 0.2 < np.mean([row["accuracy"] for row in draws]) <= 1
        assert [row["trial"] for row in draws] == list(range(6))
        assert {row["n_points"] for row in draws} == {{"iris": 150, "moons": 100}[data]}
        calibrated = method in tables.OURS and kind == UNLABELLED
        assert all(("calibration_error" in row) == calibrated for row in draws)
    assert list(methods) == [(data, n, kind) for data in kinds for n in (1, 5)
                             for kind in kinds[data]]  # fmt: skip
    assert all(names == [*tables.OURS, *tables.PEERS] for names in methods.values())


@pytest.mark.long
def test_a_cell_by_hand(rows):
    """Six draws in two blocks: five on the first sample, one on the second."""
    seen, unseen, defaults, confidence = [], [], [], []
    for number, size in ((0, 5), (1, 1)):
        seeds = np.random.SeedSequence(0, spawn_key=(*b"moons", number))
        for_points, for_labels, for_models = seeds.spawn(3)
        rng = np.random.default_rng(for_points)
        X, y = points(rng)
        order = rng.permutation(140)
        old, new = np.sort(order[40:]), order[:40]
        X, y, X_new, y_new = X[old], y[old], X[new], y[new]
        draws = zip(for_labels.generate_state(size), for_models.generate_state(size), strict=True)
        for draw, model in draws:
            labelled = datasets.draw_labels(y, 5, int(draw))
            knn = KNeighborsClassifier(1).fit(X[labelled], y[labelled])
            seen.append(np.mean(knn.predict(X[~labelled]) == y[~labelled]))
            unseen.append(np.mean(knn.predict(X_new) == y_new))
            ours = LaplacianClassifier(random_state=int(model)).fit(X, np.where(labelled, y, -1))
            correct = ours.predict(X[~labelled]) == y[~labelled]
            defaults.append(correct.mean())
            confidence.append((correct, ours.predict_proba(X[~labelled]).max(axis=1)))
    unlabelled, new = (by_method(rows, kind)["moons", 5] for kind in (UNLABELLED, NEW))
    error = np.std(seen, ddof=1) / np.sqrt(6)
    assert unlabelled["1-NN"].y == pytest.approx(np.mean(seen))
    assert unlabelled["1-NN"].error == pytest.approx(error)
    assert new["1-NN"].y == pytest.approx(np.mean(unseen))
    assert unlabelled["default"].y == pytest.approx(np.mean(defaults))
    error = metrics.calibration_error(*map(np.concatenate, zip(*confidence, strict=True)))
    calibration = by_method(rows, y="calibration_error")["moons", 5]
    assert calibration["default"].y == pytest.approx(error)


def test_the_best_setting_is_chosen_over_all_draws_for_each_kind_of_points(monkeypatch):
    def peer(sample):  # a: all right on one sample, wrong on the other; b: the first 84 right
        for setting, shares in (("a", (1.0, 0.0)), ("b", (0.6, 0.6))):
            correct = np.arange(140) < shares[int(sample.X[0, 0] > 0)] * 140
            truth = np.append(sample.y, sample.y_new)
            yield setting, [np.where(correct, truth, 1 - truth)]

    monkeypatch.setattr(tables, "PEERS", {"peer": peer})
    monkeypatch.setattr(tables, "_ours", lambda *_: {})
    values = iter((-1.0, 1.0))

    def constant(rng):
        X, y = points(rng)
        return np.full_like(X, next(values)), y

    monkeypatch.setattr(tables, "DRAWS_PER_BLOCK", 1)
    rows = table((Problem("p", constant, 40),), (1,), n_draws=2)
    seen, new = (by_method(rows, kind)["p", 1]["peer"] for kind in (UNLABELLED, NEW))
    assert {(row["points"], row["setting"]) for row in rows} == {(UNLABELLED, "b"), (NEW, "a")}
    assert seen.y == pytest.approx(0.84, abs=0.02)  # 84 of the fit's 100 points
    assert new.y == 0.5


def test_labels_that_leave_no_point_to_test_are_refused():
    with pytest.raises(ValueError, match="With 100 labels per class no point of wine is left"):
        draws_of(NAMED["wine"], (1, 100), n_draws=1)


METHODS = ("default", "tuned", "1-NN", "SVC", "LabelSpreading, rbf", "logistic")
MEANS = {"a": (0.9, 0.8, 0.7, 0.75, 0.6, 0.95), "b": (0.5, 0.6, 0.6, 0.7, 0.4, 0.1)}
ERROR = {"default": {"calibration_error": 0.125}, "tuned": {"calibration_error": 0.5}}


def rows_from(data, less=0.0, kind=UNLABELLED):
    """Three draws of each method, whose means have the standard error .01."""
    return [{"data": data, "n_points": 60, "labels_per_class": 5, "points": kind, "method": method,
             "accuracy": mean - less + 0.01 * np.sqrt(3) * k}
            | (ERROR.get(method, {}) if kind == UNLABELLED else {})
            for method, mean in zip(METHODS, MEANS[data], strict=True)
            for k in (-1, 0, 1)]  # fmt: skip


def test_the_printed_output():
    rows = rows_from("a") + rows_from("b") + rows_from("a", 0.1, NEW)
    parts = registry.get("tables").markdown(rows).split("\n\n")
    assert [part.startswith("|") for part in parts] == [False, True] * 4
    lines = parts[1].splitlines()
    assert (len(lines), len(parts[5].splitlines())) == (4, 3)
    assert lines[2].startswith("| a, n = 60 | 5 | 0.900 ± 0.010 |")
    assert lines[2].endswith("| **0.950** ± 0.010 | 0.125 |")
    assert NEW in parts[4]
    assert parts[5].endswith("**0.850** ± 0.010 |")
    assert "| default | 1-NN | +0.050 (-0.100 b) |" in parts[3]
    assert "| default | 1-NN | +0.200 (+0.200 a) |" in parts[7]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_problems_are_seeded_and_have_all_classes(problem):
    X, y = problem.draw(np.random.default_rng(3))
    repeated, _ = problem.draw(np.random.default_rng(3))
    np.testing.assert_array_equal(X, repeated)
    assert len(X) == len(y) > 100 + problem.n_new
    assert np.array_equal(np.unique(y), np.arange(y.max() + 1))
    if "noise features" in problem.name:
        other, _ = problem.draw(np.random.default_rng(4))
        same = (other == X).all(axis=0)
        assert np.array_equal(same, np.arange(X.shape[1]) < same.sum())
        assert f"+ {(~same).sum()} noise" in problem.name
