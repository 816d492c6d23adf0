"""What y may hold: -1 for unlabelled points, classes, and no missing values."""

import warnings

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning

from lapviz import (
    GraphLaplacianClassifier,
    LaplacianClassifier,
    PartialLabelClassifier,
    datasets,
    next_label,
    operators,
)
from lapviz.estimators.targets import check_marks

CLASSIFIERS = (LaplacianClassifier, GraphLaplacianClassifier, PartialLabelClassifier)
X = np.random.default_rng(0).normal(size=(12, 2))
TWO = np.array([0, 1] * 6)


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_minus_one_as_a_class_is_told(cls):
    with pytest.warns(UserWarning, match=r"one class, 1, .* 6 of 12 here.*np\.where\(y == -1"):
        model = cls().fit(X, 2 * TWO - 1)
    assert model.classes_.tolist() == [1]


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("y", [TWO, np.ones(12, int), np.where(np.arange(12) < 4, TWO, -1)])
def test_nothing_is_told_where_y_is_plain(cls, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cls().fit(X, y)


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("kind", ["floats", "series", "Int64"])
def test_missing_values_are_told_the_mark(cls, kind):
    y = np.where(np.arange(12) < 9, TWO, np.nan)
    if kind != "floats":
        pd = pytest.importorskip("pandas")
        y = pd.Series(y, dtype="Int64" if kind == "Int64" else None)
    with pytest.raises(ValueError, match=r"NaN or None \(3 of 12 entries\).* marked by -1"):
        cls().fit(X, y)


def test_missing_values_among_strings():
    pd = pytest.importorskip("pandas")
    y = np.array([*"ababababa", np.nan, pd.NaT, pd.NA], dtype=object)
    for cls in (LaplacianClassifier, GraphLaplacianClassifier):
        with pytest.raises(ValueError, match=r"\(3 of 12 entries\).* marked by -1"):
            cls().fit(X, y)


def test_none_is_a_missing_value_and_a_whole_y_of_none_is_not():
    with pytest.raises(ValueError, match=r"\(1 of 3 entries\).* marked by -1"):
        LaplacianClassifier().fit(X[:3], ["a", "b", None])
    with pytest.raises(ValueError, match="requires y to be passed"):
        LaplacianClassifier().fit(X, None)
    check_marks(np.array(["nan", "-1", ""]))


def test_the_class_of_an_operator_is_no_operator():
    with pytest.raises(ValueError, match=r"the class Laplacian: pass an object of it, Laplacian\("):
        LaplacianClassifier(operator=operators.Laplacian).fit(X, TWO)


@pytest.mark.parametrize("bandwidth", [1e-3, 1e6])
def test_an_energy_that_vanishes_is_not_blamed_on_a_small_width(bandwidth):
    """At σ = 1e6 the differences of a graph's energy cancel, at 1e-3 no test function overlaps."""
    model = LaplacianClassifier(bandwidth=bandwidth, mu=0.0, operator="laplacian")
    if bandwidth > 1:
        model.set_params(operator="graph")
    with pytest.raises(ValueError, match=r"energy of every test function is 0 \(mu=0\).*mu above"):
        model.fit(1e-4 * X if bandwidth > 1 else X, TWO)


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_numbers_that_overflow_get_a_sentence():
    with pytest.raises(ValueError, match="overflow"):
        LaplacianClassifier(kernel="polynomial", degree=9, bandwidth=1.0).fit(1e40 * X, TWO)


@pytest.mark.parametrize("lam", [0.0, 1e-3])
@pytest.mark.parametrize("bandwidth", [0.02, 2.0])
def test_the_next_label_is_found_without_a_warning(lam, bandwidth):
    """With an intercept, ones stood beside numbers of 1e10 in one matrix."""
    data = datasets.load("four_circles", n_samples=200, random_state=0)
    y = data.semi_supervised_target()
    model = LaplacianClassifier(
        bandwidth=bandwidth, lam=lam, mu=1e-10, fit_intercept=True, random_state=0
    )
    model.fit(data.X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LinAlgWarning)
        assert np.isfinite(next_label(model, data.X, y).score).all()
