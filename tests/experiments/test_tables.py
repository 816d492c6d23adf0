"""The table of few labels: a cell by hand, draws that stay, what is printed and written."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from lapviz import LaplacianClassifier, datasets, metrics
from lapviz.experiments import tables
from lapviz.experiments.problems import PROBLEMS, Problem
from lapviz.experiments.tables import Row, draws_of, markdown, summary

NAMED = {problem.name: problem for problem in PROBLEMS}
MOONS = Problem("moons", lambda rng: points(rng), n_new=40)


def points(rng):
    data = datasets.load("half_moons", n_samples=140, random_state=rng)
    return data.X, data.y


def few_labels_table(problems, counts, n_draws, seed=0):
    return summary(
        {"data": problem.name, **row}
        for problem in problems
        for row in draws_of(problem, counts, n_draws, seed)
    )


@pytest.fixture(scope="module")
def rows():
    return few_labels_table((NAMED["iris"], MOONS), (1, 5), n_draws=6)


@pytest.mark.long
def test_rows_are_tidy(rows):
    methods = list(dict.fromkeys(row.method for row in rows))
    assert methods[:2] == [*tables.OURS]
    assert len(methods) == 2 + len(tables.PEERS)
    assert [(row.data, row.labels_per_class, row.points, row.method) for row in rows] == [
        (data, count, points, method)
        for data, kinds in (("iris", ("unlabelled",)), ("moons", ("unlabelled", "never seen")))
        for count in (1, 5)
        for points in kinds
        for method in methods
    ]
    for row in rows:
        assert 0.2 < row.mean <= 1
        assert row.n_draws == 6
        assert row.n_points == {"iris": 150, "moons": 100}[row.data]
        judged = row.method in tables.OURS and row.points == "unlabelled"
        assert (row.calibration_error is not None) == judged


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
            right = ours.predict(X[~labelled]) == y[~labelled]
            defaults.append(right.mean())
            confidence.append((right, ours.predict_proba(X[~labelled]).max(axis=1)))
    rows = [row for row in rows if (row.data, row.labels_per_class) == ("moons", 5)]
    found = {row.method: row for row in rows if row.points == "unlabelled"}
    new = {row.method: row for row in rows if row.points == "never seen"}
    assert found["1-NN"].mean == pytest.approx(np.mean(seen))
    assert found["1-NN"].se == pytest.approx(np.std(seen, ddof=1) / np.sqrt(6))
    assert new["1-NN"].mean == pytest.approx(np.mean(unseen))
    assert found["default"].mean == pytest.approx(np.mean(defaults))
    error = metrics.calibration_error(*map(np.concatenate, zip(*confidence, strict=True)))
    assert found["default"].calibration_error == pytest.approx(error)


@pytest.mark.long
def test_draws_do_not_depend_on_the_rest(rows):
    alone = few_labels_table((MOONS,), (5,), n_draws=6)
    assert alone == [row for row in rows if (row.data, row.labels_per_class) == ("moons", 5)]
    other = few_labels_table((MOONS,), (5,), n_draws=6, seed=1)
    assert [row.mean for row in other] != [row.mean for row in alone]


def test_the_best_setting_is_chosen_over_all_draws_for_each_kind_of_points(monkeypatch):
    def two(sample):  # a: all right on one sample, wrong on the other; b: the first 84
        for setting, shares in (("a", (1.0, 0.0)), ("b", (0.6, 0.6))):
            right = np.arange(140) < shares[int(sample.X[0, 0] > 0)] * 140
            truth = np.append(sample.y, sample.y_new)
            yield setting, [np.where(right, truth, 1 - truth)]

    monkeypatch.setattr(tables, "PEERS", {"two": two})
    monkeypatch.setattr(tables, "_ours", lambda *_: {})
    made = iter((-1.0, 1.0))

    def fixed(rng):
        X, y = points(rng)
        return np.full_like(X, next(made)), y

    monkeypatch.setattr(tables, "DRAWS_PER_BLOCK", 1)
    problem = Problem("p", fixed, 40)
    seen, new = few_labels_table((problem,), (1,), n_draws=2)
    assert (seen.points, seen.setting) == ("unlabelled", "b")
    assert seen.mean == pytest.approx(0.84, abs=0.02)  # 84 of the fit's 100 points
    assert (new.points, new.setting, new.mean) == ("never seen", "a", 0.5)


def row(data, method, mean, error=None, points="unlabelled"):
    return Row(data, 60, 5, points, method, "", mean, 0.01, 3, error)


METHODS = ("default", "tuned", "1-NN", "SVC", "LabelSpreading, rbf", "logistic")
MEANS = {"a": (0.9, 0.8, 0.7, 0.75, 0.6, 0.95), "b": (0.5, 0.6, 0.6, 0.7, 0.4, 0.1)}
MADE = [
    row(data, method, mean, {"default": 0.125, "tuned": 0.5}.get(method))
    for data, means in MEANS.items()
    for method, mean in zip(METHODS, means, strict=True)
]
SEEN_LESS = [row("a", made.method, made.mean - 0.1, points="never seen") for made in MADE[:6]]


def test_what_is_printed():
    parts = markdown(MADE + SEEN_LESS).split("\n\n")
    assert [part.startswith("|") for part in parts] == [False, True] * 4
    lines = parts[1].splitlines()
    assert (len(lines), len(parts[5].splitlines())) == (4, 3)
    assert lines[2].startswith("| a, n = 60 | 5 | 0.900 ± 0.010 |")
    assert lines[2].endswith("| **0.950** ± 0.010 | 0.125 |")
    assert "never seen" in parts[4]
    assert "**0.850** ± 0.010" in parts[5]
    assert "| default | 1-NN | +0.050 (-0.100 b) |" in parts[3]
    assert "| default | 1-NN | +0.200 (+0.200 a) |" in parts[7]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_problems_are_seeded_and_have_all_classes(problem):
    X, y = problem.draw(np.random.default_rng(3))
    again, _ = problem.draw(np.random.default_rng(3))
    np.testing.assert_array_equal(X, again)
    assert len(X) == len(y) > 100 + problem.n_new
    assert np.array_equal(np.unique(y), np.arange(y.max() + 1))
    if "noise features" in problem.name:
        other, _ = problem.draw(np.random.default_rng(4))
        same = (other == X).all(axis=0)
        assert np.array_equal(same, np.arange(X.shape[1]) < same.sum())
        assert f"+ {(~same).sum()} noise" in problem.name
