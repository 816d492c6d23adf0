"""What y may hold: classes, and -1 or a missing object for unlabelled points."""

import threading
import warnings
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import get_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lapviz import (
    ExactLaplacianRegressor,
    GraphLaplacianClassifier,
    HermiteRegressor,
    KernelCGRegressor,
    LabelledKFold,
    LabelledScorer,
    LaplacianClassifier,
    LaplacianRegressor,
    PartialLabelClassifier,
    datasets,
    next_label,
    select_parameters,
)
from lapviz.estimators.targets import mark_unlabelled, split_labels

CLASSIFIERS = (LaplacianClassifier, GraphLaplacianClassifier, PartialLabelClassifier)
X = np.random.default_rng(0).normal(size=(12, 2))
TWO = np.array([0, 1] * 6)


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_minus_one_as_a_class_gives_a_warning(cls):
    with pytest.warns(UserWarning, match=r"one class, 1, .* 6 of 12 here.*np\.where\(y == -1"):
        model = cls().fit(X, 2 * TWO - 1)
    assert model.classes_.tolist() == [1]


@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("y", [TWO, np.ones(12, int), np.where(np.arange(12) < 4, TWO, -1)])
def test_a_plain_y_gives_no_warning(cls, y):
    cls().fit(X, y)


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("kind", ["floats", "series"])
def test_nan_among_floats_is_refused_with_the_mark(cls, kind):
    y = np.where(np.arange(12) < 9, TWO, np.nan)
    y = y if kind == "floats" else pytest.importorskip("pandas").Series(y)
    with pytest.raises(ValueError, match=r"NaN \(3 of 12 entries\).* marked by -1"):
        cls().fit(X, y)


def objects(mark, strings):
    """Classes as strings or integers among objects, with a mark in the last three rows."""
    if mark in ("NA", "NaT"):
        mark = getattr(pytest.importorskip("pandas"), mark)
    classes = [*("ab" * 5)[:9]] if strings else [*TWO[:9].tolist()]
    return np.array([*classes, mark, mark, mark], dtype=object)


@pytest.mark.parametrize("strings", [True, False])
@pytest.mark.parametrize(
    "mark", ["", None, np.nan, "NA", "NaT", -1, "-1", "Int64", "texts", "list"]
)
def test_all_marks_among_objects_mean_unlabelled(mark, strings):
    if mark == "Int64":
        pd = pytest.importorskip("pandas")
        y, strings = pd.Series([*TWO[:9], None, None, None], dtype="Int64"), False
    elif mark == "texts":
        y, strings = np.array([*"ababababa", "", "", ""]), True
    elif mark == "list":  # of which NumPy makes the texts "nan" and "None"
        y, strings = [*"ababababa", np.nan, None, -1], True
    else:
        y = objects(mark, strings)
    classes, labelled, codes = split_labels(mark_unlabelled(y))
    assert classes.tolist() == (["a", "b"] if strings else [0, 1])
    np.testing.assert_array_equal(labelled, np.arange(12) < 9)
    np.testing.assert_array_equal(codes, TWO[:9])


def test_marks_that_are_no_longer_recognisable_are_refused():
    with pytest.raises(ValueError, match="text 'nan'"):
        LaplacianClassifier().fit(X, np.array([np.nan, *"abababababa"]))
    dates = np.array(["2020-01-01", "NaT"] * 6, dtype="datetime64[D]")
    for model in (LaplacianClassifier(), LaplacianRegressor(), KernelCGRegressor()):
        with pytest.raises(ValueError, match="dates"):
            model.fit(X, dates)


def test_a_column_and_series_of_polars_are_read():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    texts = [*"ababababa", None, None, None]
    with pytest.warns(DataConversionWarning, match="column-vector"):
        y = mark_unlabelled(pd.DataFrame({"y": texts}))
    assert split_labels(y)[0].tolist() == ["a", "b"]
    numbers = pl.Series([*TWO[:9].tolist(), None, None, None])
    np.testing.assert_array_equal(mark_unlabelled(numbers), np.where(np.arange(12) < 9, TWO, -1))


def test_classes_that_cannot_be_compared_are_refused():
    for mixed in ([1, "a"], ["a", 1], [Decimal(1), Decimal(2)], [1, b"a"]):
        y = np.empty(12, dtype=object)
        y[:] = mixed * 6
        with pytest.raises(ValueError, match="must be of one type"):
            split_labels(y)
    with pytest.raises(ValueError, match="2⁶³ on beside unlabelled"):
        mark_unlabelled([2**63, 2**63 + 1, None])


def test_fits_in_threads_leave_the_filters_of_warnings():
    """scikit-learn's own calls may leave one that makes an error of a deprecation."""
    y = np.where(np.arange(12) < 9, TWO, -1)
    ignored = [rule for rule in warnings.filters if rule[0] == "ignore"]
    threads = [
        threading.Thread(
            target=lambda: [LaplacianClassifier(random_state=0).fit(X, y) for _ in range(5)]
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rule for rule in warnings.filters if rule[0] == "ignore"] == ignored


def test_folds_and_the_next_label_take_nullable_classes():
    pd = pytest.importorskip("pandas")
    y = np.where(np.arange(12) < 9, TWO, -1)
    nullable = pd.Series(y).astype("Int64").mask(y < 0)
    folds, expected = (list(LabelledKFold(3).split(X, labels)) for labels in (nullable, y))
    for fold, other in zip(folds, expected, strict=True):
        np.testing.assert_array_equal(fold[1], other[1])
    model = LaplacianClassifier(random_state=0).fit(X, y)
    assert next_label(model, X, nullable).next == next_label(model, X, y).next
    with pytest.raises(ValueError, match=r"pipeline\[-1\]"):
        next_label(make_pipeline(StandardScaler(), model), X, y)
    with pytest.raises(ValueError, match=r"shape \(12,\), got \(11,\)"):
        select_parameters(model, X, y[:-1], lam=["auto"])
    with pytest.raises(ValueError, match="a list of values"):
        select_parameters(model, X, y, lam=0.1)


@pytest.mark.parametrize("prior", ["dict", "series", [1e308, 1e308]], ids=str)
def test_class_proportions_in_no_certain_order_are_refused(prior):
    pd = pytest.importorskip("pandas")
    by_class = {1: 0.3, 0: 0.7}
    prior = {"dict": by_class, "series": pd.Series(by_class)}.get(str(prior), prior)
    with pytest.raises(ValueError, match="class_prior must be"):
        LaplacianClassifier(class_prior=prior, random_state=0).fit(X, TWO)


@pytest.mark.slow
@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("strings", [True, False])
def test_fits_and_scores_of_objects_are_those_of_numbers(cls, strings):
    y, y_numeric = objects(None, strings), np.where(np.arange(12) < 9, TWO, -1)
    model, expected = cls().fit(X, y), cls().fit(X, y_numeric)
    np.testing.assert_array_equal(model.predict(X) == model.classes_[1], expected.predict(X))
    assert model.score(X, y) == expected.score(X, y_numeric)
    if cls is GraphLaplacianClassifier:
        folds = KFold(3, shuffle=True, random_state=0)
        for scoring in (None, LabelledScorer()):
            scores = cross_val_score(cls(), X, y, cv=folds, scoring=scoring)
            np.testing.assert_array_equal(scores, cross_val_score(cls(), X, y_numeric, cv=folds))


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        LaplacianRegressor(
            operator="laplacian", bandwidth=1.0, n_landmarks=30, mu=1e-3, random_state=0
        ),
        ExactLaplacianRegressor(bandwidth=1.0, mu=1e-2),
        KernelCGRegressor(bandwidth=0.7, random_state=0),
        HermiteRegressor(bandwidth=1.0, ridge=1e-3),
    ],
)
def test_outputs_are_fitted_separately_and_incomplete_targets_are_unlabelled(model):
    rng = np.random.default_rng(0)
    points, targets = rng.normal(size=(60, 2)), rng.normal(size=(60, 2))
    targets[20:] = np.nan
    targets[20, 0] = 1.0
    predicted = clone(model).fit(points, targets).predict(points)
    assert predicted.shape == (60, 2)
    for column, values in zip(targets.T, predicted.T, strict=True):
        single = clone(model).fit(points, np.where(np.arange(60) < 20, column, np.nan))
        np.testing.assert_allclose(single.predict(points), values, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_a_scorer_leaves_unlabelled_rows_out():
    labelled = np.arange(12) < 9
    y, model = np.where(labelled, TWO, -1), LaplacianClassifier().fit(X, TWO)
    for name in ("accuracy", "balanced_accuracy", "neg_log_loss"):
        score = LabelledScorer(name)(model, X, y)
        assert score == get_scorer(name)(model, X[labelled], TWO[labelled])
    values = np.where(labelled, X[:, 0], np.nan)
    regressor, weights = LaplacianRegressor().fit(X, values), np.arange(12.0)
    assert LabelledScorer("r2")(regressor, X, values, weights) == regressor.score(
        X[labelled], values[labelled], weights[labelled]
    )
    with pytest.raises(ValueError, match="no label to score against"):
        LabelledScorer()(model, X, np.full(12, -1))


@pytest.mark.parametrize("cls", [*CLASSIFIERS, LaplacianRegressor])
def test_a_score_refuses_y_and_weights_of_another_length(cls):
    model = cls().fit(X, TWO)
    for y, weights in ((TWO[:4], None), (np.r_[TWO, TWO], None), (TWO, np.ones(40))):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model.score(X, y, weights)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            LabelledScorer()(model, X, y, weights)


@pytest.mark.slow
def test_weights_of_a_score_are_read_like_those_of_a_fit():
    model = LaplacianClassifier().fit(X, TWO)
    y, weights = np.where(TWO > 0, 0, 1), np.arange(12.0)  # some are wrong
    expected = np.average(model.predict(X) == y, weights=weights)
    for score in (model.score, partial(LabelledScorer(), model)):
        assert score(X, y, sample_weight=weights.astype(str)) == pytest.approx(expected)
        for bad, words in (
            (-weights, "negative values"),
            (np.ma.masked_less(weights, 5), "masked"),
        ):
            with pytest.raises(ValueError, match=f"sample_weight .*{words}"):
                score(X, y, sample_weight=bad)


@pytest.mark.parametrize("kind", ["Int64", "boolean"])
@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_nullable_classes_are_scored_as_they_are_fitted(cls, kind):
    y = pytest.importorskip("pandas").Series(np.where(TWO > 0, True, False), dtype=kind)
    model = cls().fit(X, y)
    assert model.classes_.dtype == (bool if kind == "boolean" else np.int64)
    y[9:] = None
    assert cls().fit(X, y).score(X, y) == np.mean(cls().fit(X, y).predict(X)[:9] == TWO[:9])


@pytest.mark.parametrize("kind", ["list", "series", "two"])
def test_targets_may_be_missing_among_objects(kind):
    pd = pytest.importorskip("pandas")
    values = np.where(np.arange(12) < 9, X[:, 0], np.nan)
    y = [pd.NA if np.isnan(v) else v for v in values]
    if kind == "two":
        values, y = np.c_[values, values], np.array([y, y], dtype=object).T
    y = pd.Series(y) if kind == "series" else y
    model, expected = LaplacianRegressor().fit(X, y), LaplacianRegressor().fit(X, values)
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    assert model.score(X, y) == expected.score(X, values)


@pytest.mark.parametrize("bandwidth", [1e-3, 1e6])
def test_an_energy_of_0_is_not_attributed_to_a_small_width(bandwidth):
    """At σ = 1e6 the differences of a graph's energy cancel, at 1e-3 no test function overlaps."""
    model = LaplacianClassifier(bandwidth=bandwidth, mu=0.0, operator="laplacian")
    if bandwidth > 1:
        model.set_params(operator="graph")
    with pytest.raises(ValueError, match=r"energy of every test function is 0 \(mu=0\).*mu above"):
        model.fit(1e-4 * X if bandwidth > 1 else X, TWO)


def test_equal_rows_are_not_attributed_to_mu():
    with pytest.raises(ValueError, match="All rows are equal"):
        LaplacianClassifier().fit(np.ones((12, 2)), TWO)


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_numbers_that_overflow_are_refused():
    with pytest.raises(ValueError, match="overflow"):
        LaplacianClassifier(kernel="polynomial", degree=9, bandwidth=1.0).fit(1e40 * X, TWO)


@pytest.mark.filterwarnings("error::scipy.linalg.LinAlgWarning")
@pytest.mark.parametrize("lam", [0.0, 1e-3])
@pytest.mark.parametrize("bandwidth", [0.02, 2.0])
def test_the_next_label_is_found_without_a_warning(lam, bandwidth):
    """With an intercept, a matrix had entries of 1 and of 1e10."""
    data = datasets.load("four_circles", n_samples=200, random_state=0)
    y = data.semi_supervised_target()
    model = LaplacianClassifier(
        bandwidth=bandwidth, lam=lam, mu=1e-10, fit_intercept=True, random_state=0
    )
    model.fit(data.X, y)
    assert np.isfinite(next_label(model, data.X, y).score).all()


def test_one_label_for_each_of_many_classes_is_no_regression(recwarn):
    y = np.r_[np.arange(26), np.full(100, -1)]
    classes, labelled, _ = split_labels(y)
    assert (len(classes), labelled.sum(), len(recwarn)) == (26, 26, 0)
