"""Advice on data and settings: each in its case, and none where all is well."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from lapviz import GalerkinEmbedding, LaplacianClassifier, LaplacianRegressor, datasets, fit, graphs
from lapviz.estimators import advice
from lapviz.estimators.advice import DataWarning

WINE = load_wine()


def label_rows(y, *rows):
    y_partial = np.full(len(y), -1)
    y_partial[list(rows)] = y[list(rows)]
    return y_partial


@pytest.mark.slow
def test_a_feature_that_dwarfs_the_others_is_named_with_the_cure():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(WINE.data, columns=WINE.feature_names)
    y = label_rows(WINE.target, 0, 70, 150)
    with pytest.warns(DataWarning, match=r"“proline” has a spread of 31\d.*StandardScaler"):
        LaplacianClassifier(scaling=None, random_state=0).fit(table, y)
    with pytest.warns(DataWarning, match="Feature 12 has"):
        GalerkinEmbedding(random_state=0).fit(WINE.data)


def test_a_row_that_has_a_features_variance_is_advised_on():
    """Not for rare indicators and counts, of which most values are equal."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.where(np.arange(200) < 40, 0.0, np.nan)
    y[:40] = X[:40, 0]
    rare = np.c_[X, np.arange(200) == 7, 9 * (np.arange(200) == 7) + (np.arange(200) < 3)]
    assert advice.single_row(rare) is None
    X[150, 1] = 1e4
    for model in (LaplacianRegressor(random_state=0), LaplacianRegressor(lam=0.1, random_state=0)):
        with pytest.warns(DataWarning, match="single row has 99 % of the variance of feature 1"):
            model.fit(X, y)


@pytest.mark.slow
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
def test_good_data_and_settings_give_no_warning():
    X = StandardScaler().fit_transform(WINE.data)
    moons = datasets.load("half_moons", n_samples=500, noise=0.1, random_state=0)
    digits = datasets.load("digits", n_samples=250, random_state=0)
    LaplacianClassifier(random_state=0).fit(X, label_rows(WINE.target, 0, 70, 150))
    for data in (moons, digits):
        LaplacianClassifier(random_state=0).fit(data.X, data.semi_supervised_target())
    GalerkinEmbedding(random_state=0).fit(moons.X)


def test_a_class_that_takes_nearly_every_point_is_named():
    """Two labels in a dense cluster, one far out, and a wide kernel with a constant."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(300, 2)), [[9.0, 9.0]]])
    y = label_rows(np.repeat([0, 1], (300, 1)), 0, 300)
    with pytest.warns(DataWarning, match=r"Class .*0.* gets \d+ % of the.*50 % are expected"):
        LaplacianClassifier(operator="laplacian", random_state=0).fit(X, y)
    assert not advice.one_class(np.zeros(50, int), np.array([0.9, 0.1]), np.array(["a", "b"]))


FLAT = np.random.default_rng(0).normal(size=(200, 2))
SPREAD = np.random.default_rng(0).normal(size=(150, 40))
MOONS = datasets.load("half_moons", n_samples=1000, noise=0.05, random_state=0).X
THREE = np.r_[1.0, 2.0, 3.0, np.full(197, np.nan)]
UNSUITABLE = [
    (LaplacianRegressor(bandwidth=1e-3, mu=1.0), (FLAT, THREE), "far below.*bandwidth="),
    (LaplacianRegressor(bandwidth=1e4, mu=1.0), (FLAT, THREE), "far above.*bandwidth="),
    (GalerkinEmbedding(bandwidth=2.0, n_landmarks=150, mu=1e-9, random_state=0), (SPREAD,),
     "live on 3 points or fewer"),
    (GalerkinEmbedding(bandwidth=0.2, n_landmarks=24, mu=1e-3, random_state=0), (MOONS,),
     "With half of the 24 test functions"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "data", "words"), UNSUITABLE, ids=[words for *_, words in UNSUITABLE]
)
def test_unsuitable_widths_and_numbers_of_functions_give_advice(model, data, words):
    with pytest.warns(DataWarning, match=words):
        model.fit(*data)


@pytest.mark.parametrize("intercept", [False, True])
def test_a_filter_that_keeps_nothing_is_blamed_on_lambda_not_on_the_classes(intercept):
    data = datasets.load("half_moons", n_samples=200, random_state=0)
    model = LaplacianClassifier(lam=1e6, filter="cutoff", fit_intercept=intercept, random_state=0)
    with pytest.warns(DataWarning, match="filter keeps nothing of the labels. Choose a smaller λ"):
        model.fit(data.X, data.semi_supervised_target())
    assert np.ptp(model.decision_function(data.X)) == 0
    assert not advice.same_everywhere(np.linspace(0, 1e-9, 20)[:, None], 2)


@pytest.mark.parametrize("intercept", [False, True])
def test_labels_of_one_class_are_not_blamed_on_lambda(intercept):
    data = datasets.load("half_moons", n_samples=200, random_state=0)
    model = LaplacianClassifier(operator="laplacian", fit_intercept=intercept, random_state=0)
    with pytest.warns(UserWarning, match="All labels are of one class") as caught:
        model.fit(data.X, label_rows(np.zeros(200, int), 0, 3))
    assert not any("λ is so large" in str(warning.message) for warning in caught)


def test_a_parameter_that_is_set_is_not_given_as_a_cure():
    arguments = np.zeros(50, int), np.array([0.5, 0.5]), np.array(["a", "b"])
    assert 'balance="scale"' in advice.one_class(*arguments).cure
    scaled = advice.one_class(*arguments, "scale")
    assert "balance" not in scaled.cure
    assert "class_prior=" in scaled.cure
    assert scaled.by_hand.startswith("State the “Class proportions”")
    known = advice.one_class(*arguments, "scale", known=True)
    assert known.cure == known.by_hand == "Label more points."


def test_every_piece_of_advice_has_a_cure_in_code_and_by_hand():
    X = np.random.default_rng(0).normal(size=(60, 2))
    kernel = fit.kernel(X, fit.SpaceSpec(bandwidth=1e-4))
    advices = [
        advice.scales(X * [1, 1000], None),
        advice.one_class(np.zeros(50, int), np.array([0.5, 0.5]), np.array(["a", "b"])),
        advice.width(kernel, X, X[:20]),
        advice.localised(np.eye(60)[:, :2]),
        advice.localised(np.eye(60)[:, :2], uses_mu=False),
        advice.too_few(np.arange(9.0), 2 * np.arange(9.0), 20, 60),
    ]
    for item in advices:
        assert item
        assert str(item) == f"{item.fault} {item.cure}"
        assert item.on_a_page == f"{item.fault} {item.by_hand}"
        assert all(text.endswith(".") for text in (item.fault, item.cure, item.by_hand))
        assert "=" not in item.by_hand, "controls have names, not parameters"


@pytest.mark.slow
def test_a_graph_is_searched_once(monkeypatch):
    calls, original = [], graphs.Neighbours.neighbours

    def counted(self, X_new=None, k=None):
        if X_new is None:
            calls.append(self.k)
        return original(self, X_new, k)

    monkeypatch.setattr(graphs.Neighbours, "neighbours", counted)
    rng = np.random.default_rng(0)
    for X in (
        rng.normal(size=(200, 8)),
        # nodes may have more neighbours than the graph that is checked first
        np.column_stack([np.cos(np.arange(800.0)), np.sin(np.arange(800.0))]),
        rng.normal(size=(200, 16)),
    ):
        calls.clear()
        y = np.where(np.arange(len(X)) < 4, np.arange(len(X)) % 2, -1)
        LaplacianClassifier(random_state=0).fit(X, y)
        assert calls == [10]


@pytest.mark.parametrize("cls", [LaplacianClassifier, LaplacianRegressor])
def test_advice_names_the_line_that_called_fit(cls):
    X = np.column_stack([np.linspace(0, 1, 40), np.linspace(0, 1, 40) ** 2 * 1e6])
    with pytest.warns(DataWarning) as caught:
        cls(scaling=None, random_state=0).fit(X, np.arange(40) % 2)
    assert caught[0].filename == __file__


def test_advice_is_never_both_more_functions_and_fewer():
    localised, spectra = np.eye(60)[:, :2], (np.arange(9.0), 2 * np.arange(9.0), 20)
    assert advice.size(localised, *spectra, 60) == advice.localised(localised)
    assert advice.size(np.ones((60, 2)), *spectra, 60) == advice.too_few(*spectra, 60)
    assert not advice.size(None, *spectra, 20), "all samples are landmarks: there are no more"
    assert not advice.size(None, spectra[0], None, 20, 60)


@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
def test_sorted_points_and_few_of_them_give_no_advice_on_one_class():
    """The classes of all points count, not those of the first."""
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 6000, axis=0) + rng.normal(size=(12_000, 2))
    y = label_rows(np.repeat([0, 1], 6000), 0, 6000)
    LaplacianClassifier(random_state=0).fit(X, y)
    assert advice.one_class(np.zeros(1, int), np.array([0.5, 0.5]), np.array(["a", "b"])) is None


def test_small_pieces_without_a_label_are_counted_beside_a_large_one():
    piece = np.repeat(range(5), [60, 36, 2, 1, 1])  # of 100 points
    weights, codes = (
        csr_matrix(piece[:, None] == piece),
        np.where(np.arange(100) < 2, [0, 1] * 50, -1),
    )
    words = "falls into 5 pieces, of which 4, with 40 % of the points, have no label"
    assert words in advice.components(weights, codes).fault
    codes[60] = 1
    assert advice.components(weights, codes) is None


def test_what_no_width_or_number_of_functions_can_mend_gives_no_advice():
    equal = np.ones((30, 2))
    assert not advice.width(fit.kernel(FLAT, fit.SpaceSpec(bandwidth=1.0)), equal, equal[:5])
    assert not advice.localised(np.eye(2))
