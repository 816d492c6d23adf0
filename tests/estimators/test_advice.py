"""Warnings that teach: each where it belongs, and none on data that is fine."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, datasets, fit, graphs
from lapviz.estimators import advice
from lapviz.estimators.advice import DataWarning
from lapviz.fit import few_labels

WINE = load_wine()


def labels(y, *rows):
    given = np.full(len(y), -1)
    given[list(rows)] = y[list(rows)]
    return given


@pytest.mark.slow
def test_a_feature_that_dwarfs_the_others_is_named_with_the_cure():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(WINE.data, columns=WINE.feature_names)
    y = labels(WINE.target, 0, 70, 150)
    with pytest.warns(DataWarning, match=r"“proline” has a spread of 31\d.*StandardScaler"):
        LaplacianClassifier(scaling=None, random_state=0).fit(table, y)
    with pytest.warns(DataWarning, match="Feature 12 has"):
        GalerkinEmbedding(random_state=0).fit(WINE.data)


@pytest.mark.slow
def test_fine_data_and_settings_give_no_warning():
    X = StandardScaler().fit_transform(WINE.data)
    moons = datasets.load("half_moons", n_samples=500, noise=0.1, random_state=0)
    digits = datasets.load("digits", n_samples=250, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LaplacianClassifier(random_state=0).fit(X, labels(WINE.target, 0, 70, 150))
        for data in (moons, digits):
            LaplacianClassifier(random_state=0).fit(data.X, data.semi_supervised_target())
        GalerkinEmbedding(random_state=0).fit(moons.X)


def test_one_class_that_takes_everything_is_called_that():
    """Two labels in a dense cluster, one far out, and a wide kernel with a constant."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(300, 2)), [[9.0, 9.0]]])
    y = labels(np.repeat([0, 1], (300, 1)), 0, 300)
    with pytest.warns(DataWarning, match=r"Class .*0.* gets \d+ % of the unlabelled.*50 % of"):
        LaplacianClassifier(operator="laplacian", random_state=0).fit(X, y)
    assert not advice.one_class(np.zeros(50, int), np.array([0.9, 0.1]), np.array(["a", "b"]))


@pytest.mark.slow
def test_a_piece_without_a_label_is_counted():
    rng = np.random.default_rng(0)
    X = np.vstack(
        [rng.normal(size=(60, 2)), rng.normal(size=(40, 2)) + 100, rng.normal(size=(100, 2)) - 100]
    )
    truth = np.repeat([0, 1, 1], (60, 40, 100))
    with pytest.warns(DataWarning, match=r"3 pieces, and 1 of them, with 50 % of the points"):
        LaplacianClassifier(random_state=0).fit(X, labels(truth, 0, 70))


FLAT = np.random.default_rng(0).normal(size=(200, 2))
SPREAD = np.random.default_rng(0).normal(size=(150, 40))
MOONS = datasets.load("half_moons", n_samples=1000, noise=0.05, random_state=0).X
THREE = np.r_[1.0, 2.0, 3.0, np.full(197, np.nan)]
AMISS = [
    (LaplacianRegressor(bandwidth=1e-3, mu=1.0), (FLAT, THREE), "far below.*bandwidth="),
    (LaplacianRegressor(bandwidth=1e4, mu=1.0), (FLAT, THREE), "far above.*bandwidth="),
    (GalerkinEmbedding(bandwidth=2.0, n_landmarks=150, mu=1e-9, random_state=0), (SPREAD,),
     "live on fewer than 3 points"),
    (GalerkinEmbedding(bandwidth=0.2, n_landmarks=24, mu=1e-3, random_state=0), (MOONS,),
     "With half of the 24 test functions"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "data", "words"), AMISS, ids=[words for *_, words in AMISS])
def test_widths_and_numbers_of_functions_that_do_not_suit_are_said(model, data, words):
    with pytest.warns(DataWarning, match=words):
        model.fit(*data)


def test_a_balance_that_is_set_is_no_cure():
    said = np.zeros(50, int), np.array([0.5, 0.5]), np.array(["a", "b"])
    assert 'balance="scale"' in advice.one_class(*said).cure
    scaled = advice.one_class(*said, "scale")
    assert "balance" not in scaled.cure
    assert "class_prior=" in scaled.cure
    assert scaled.by_hand == "Label more points."
    assert advice.one_class(*said, "scale", known=True).cure == "Label more points."


def test_every_piece_of_advice_has_a_cure_in_code_and_by_hand():
    X = np.random.default_rng(0).normal(size=(60, 2))
    kernel = fit.kernel(X, fit.SpaceSpec(bandwidth=1e-4))
    given = [
        advice.scales(X * [1, 1000], None),
        advice.one_class(np.zeros(50, int), np.array([0.5, 0.5]), np.array(["a", "b"])),
        advice.width(kernel, X, X[:20]),
        advice.localised(np.eye(60)[:, :2]),
        advice.too_few(np.arange(9.0), 2 * np.arange(9.0), 20, 60),
    ]
    for one in given:
        assert one
        assert str(one) == f"{one.fault} {one.cure}"
        assert one.on_a_page == f"{one.fault} {one.by_hand}"
        assert all(text.endswith(".") for text in (one.fault, one.cure, one.by_hand))
        assert "=" not in one.by_hand, "controls have names, not parameters"


@pytest.mark.slow
def test_a_graph_is_searched_once(monkeypatch):
    calls, original = [], graphs.Neighbours.neighbours

    def counted(self, X_new=None, k=None):
        if X_new is None:
            calls.append(self.k)
        return original(self, X_new, k)

    monkeypatch.setattr(graphs.Neighbours, "neighbours", counted)
    rng = np.random.default_rng(0)
    for X, searched in (
        (rng.normal(size=(200, 8)), 10),
        # of curves the nodes have more neighbours than the first look at them
        (np.column_stack([np.cos(np.arange(800.0)), np.sin(np.arange(800.0))]), 10),
        # in many columns no more are searched than asked for
        (rng.normal(size=(200, 16)), few_labels.NEIGHBORS),
    ):
        calls.clear()
        y = np.where(np.arange(len(X)) < 4, np.arange(len(X)) % 2, -1)
        LaplacianClassifier(random_state=0).fit(X, y)
        assert calls == [searched]


@pytest.mark.parametrize("cls", [LaplacianClassifier, LaplacianRegressor])
def test_advice_names_the_line_that_called_fit(cls):
    X = np.column_stack([np.linspace(0, 1, 40), np.linspace(0, 1, 40) ** 2 * 1e6])
    with pytest.warns(DataWarning) as found:
        cls(scaling=None, random_state=0).fit(X, np.arange(40) % 2)
    assert found[0].filename == __file__


def test_nobody_is_told_to_take_more_functions_and_fewer():
    lonely, few = np.eye(60)[:, :2], (np.arange(9.0), 2 * np.arange(9.0), 20)
    assert advice.size(lonely, *few, 60) == advice.localised(lonely)
    assert advice.size(np.ones((60, 2)), *few, 60) == advice.too_few(*few, 60)
    assert not advice.size(None, *few, 20), "all samples are landmarks: there are no more"
    assert not advice.size(None, few[0], None, 20, 60)
