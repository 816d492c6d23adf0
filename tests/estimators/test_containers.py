"""Rows, targets, weights and slopes in containers of pandas, polars, Arrow and Dask."""

import itertools
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from lapviz import (
    GalerkinEmbedding,
    HermiteRegressor,
    LabelledKFold,
    LaplacianClassifier,
    LaplacianRegressor,
    PartialLabelClassifier,
    fit,
)

pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
dask_array = pytest.importorskip("dask.array")

X = np.random.default_rng(0).normal(size=(40, 2))
CODES = np.where(np.arange(40) < 10, np.arange(40) % 2, -1)


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean"])
def test_arrays_of_pandas_with_missing_entries(dtype):
    """They have a mask of their own, and are no masked arrays of NumPy."""
    y = pd.array([None if code < 0 else bool(code) for code in CODES], dtype="boolean")
    model, codes = LaplacianClassifier(random_state=0), y.astype(dtype)
    plain = clone(model).fit(X, CODES).predict(X)
    np.testing.assert_array_equal(clone(model).fit(X, codes).predict(X).astype(int), plain)
    assert np.isfinite(LaplacianRegressor().fit(X, y.astype("Float64")).predict(X)).all()


@pytest.mark.parametrize("array", [pa.array, lambda y: pa.chunked_array([y[:7], y[7:]])])
def test_nulls_of_arrow_are_unlabelled(array):
    y = [None if code < 0 else int(code) for code in CODES]
    model = LaplacianClassifier(random_state=0)
    plain = clone(model).fit(X, CODES)
    model.fit(X, array(y))
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))
    assert model.classes_.dtype == np.int64
    assert model.score(X, array(y)) == plain.score(X, CODES)


def test_sparse_columns_of_pandas_get_their_own_cure():
    table = pd.DataFrame(X).astype(pd.SparseDtype(float, 0.0))
    with pytest.raises(ValueError, match=r"X has sparse columns.*pass X.sparse.to_dense\(\)"):
        LaplacianClassifier().fit(table, CODES)


@pytest.mark.parametrize("dates", [
    np.ma.masked_array(np.arange(40).astype("datetime64[ns]"), mask=CODES < 0),
    pd.Series(pd.date_range("2024-01-01", periods=40)).where(CODES >= 0).astype("category"),
    pl.Series([*pd.date_range("2024-01-01", periods=39).to_list(), None]),
], ids=type)  # fmt: skip
def test_dates_are_no_values_also_where_some_are_missing(dates):
    for cls in (LaplacianRegressor, LaplacianClassifier):
        with pytest.raises(ValueError, match="y holds dates or durations"):
            cls().fit(X, dates)


GAPS = [0.5, -1.0, 2.0, -1.0, *[None] * 36]


def rows_tested(y, **options) -> list[list[int]]:
    return [test.tolist() for _, test in LabelledKFold(2, **options).split(None, y)]


@pytest.mark.parametrize("kind", [
    list, partial(np.array, dtype=object), partial(pd.Series, dtype="Float64"), pl.Series,
], ids=["list", "objects", "Float64", "polars"])  # fmt: skip
def test_folds_know_missing_values_of_any_kind(kind):
    """−1 is a value beside 0.5, and its row is tested."""
    for mark in ("nan", "auto"):
        assert sorted(itertools.chain(*rows_tested(kind(GAPS), mark=mark))) == [0, 1, 2, 3]
    decimals = [None if gap is None else Decimal(str(gap)) for gap in GAPS]
    assert sorted(itertools.chain(*rows_tested(decimals, mark="nan"))) == [0, 1, 2, 3]
    two = np.array([GAPS, GAPS], dtype=object).T
    for table in (two, pd.DataFrame(two).astype("Float64")):
        assert rows_tested(table) == rows_tested(two.astype(float))


def test_folds_of_classes_with_nulls_are_stratified():
    classes = [0] * 8 + [1] * 2 + [None] * 30
    for y in (pl.Series(classes), pd.Series(classes, dtype="Int64"), classes):
        for _, test in LabelledKFold(2).split(None, y):
            assert (test >= 8).sum() == 1


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("classes", [CODES, np.where(CODES < 0, "", np.array(["a", "b"])[CODES])])
def test_a_column_of_classes_is_read_as_its_entries(classes):
    model, column = LaplacianClassifier(random_state=0).fit(X, classes), classes[:, None]
    assert model.score(X, column) == model.score(X, classes)
    assert rows_tested(column) == rows_tested(classes)
    streamed = fit.stream(clone(model), [(X, column)])
    np.testing.assert_array_equal(streamed.predict(X), model.predict(X))


def test_rows_of_booleans_are_candidates_in_any_container():
    sets = np.eye(3, dtype=bool)[np.arange(40) % 3]
    expected = PartialLabelClassifier(random_state=0).fit(X, sets)
    for rows in (list(sets), [tuple(row) for row in sets], pd.Series(list(sets)), sets.tolist()):
        model = PartialLabelClassifier(random_state=0).fit(X, rows)
        np.testing.assert_array_equal(model.classes_, [0, 1, 2])
        np.testing.assert_array_equal(model.predict(X), expected.predict(X))


def test_weights_of_pandas_with_rows_of_dask():
    weights = np.arange(1.0, 41.0)
    rows, model = dask_array.from_array(X, chunks=15), LaplacianClassifier(random_state=0)
    expected = clone(model).fit(rows, CODES, sample_weight=weights).predict_proba(X)
    for given in (pd.Series(weights).astype("Float64"), weights.astype(object)):
        shares = clone(model).fit(rows, CODES, sample_weight=given).predict_proba(X)
        np.testing.assert_array_equal(shares, expected)
    with pytest.raises(ValueError, match="sample_weight must hold numbers"):
        clone(model).fit(rows, CODES, sample_weight=np.array(["heavy"] * 40, dtype=object))


def test_batches_of_arrow_have_their_names():
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    model = GalerkinEmbedding(n_components=2, n_landmarks=20, random_state=0)
    streamed = fit.stream(clone(model), lambda: iter(table.to_batches(15)))
    assert list(streamed.feature_names_in_) == ["a", "b"]
    plain = fit.stream(clone(model), lambda: iter([X[:15], X[15:30], X[30:]]))
    np.testing.assert_array_equal(streamed.eigenvalues_, plain.eigenvalues_)


def test_slopes_of_pandas_may_be_missing():
    slopes = np.where(CODES[:, None] < 0, np.nan, np.ones((40, 2)))
    plain = HermiteRegressor().fit(X, X.sum(axis=1), gradients=slopes)
    table = pd.DataFrame(slopes).astype("Float64")
    fitted = HermiteRegressor().fit(X, X.sum(axis=1), gradients=table)
    np.testing.assert_array_equal(fitted.predict(X), plain.predict(X))
