"""Real data against scikit-learn's own copies."""

import numpy as np
import pytest
from sklearn import datasets as sk

from lapviz import datasets

REAL = {
    "digits": sk.load_digits,
    "iris": sk.load_iris,
    "wine": sk.load_wine,
    "breast_cancer": sk.load_breast_cancer,
}


@pytest.mark.parametrize("name", REAL)
def test_all_rows_in_their_own_order(name):
    data, bunch = datasets.load(name), REAL[name]()
    info = datasets.info(name)
    assert info.real
    assert (info.n_samples, info.n_features) == bunch.data.shape
    assert (info.max_samples, info.n_classes) == (len(bunch.data), len(bunch.target_names))
    np.testing.assert_array_equal(data.y, bunch.target)
    for column, raw in zip(data.X.T, bunch.data.T, strict=True):
        if np.ptp(raw):
            assert np.corrcoef(column, raw)[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_tables_are_standardised(name):
    X = datasets.load(name).X
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.var(axis=0), 1)


@pytest.mark.parametrize("name", ["iris", "breast_cancer"])
def test_class_names_are_scikit_learns(name):
    assert datasets.info(name).class_names == tuple(REAL[name]().target_names)


def test_digits_are_pixels_over_sixteen():
    data = datasets.load("digits")
    np.testing.assert_array_equal(data.X * 16, sk.load_digits().data)
    assert data.feature_names[9] == "pixel row 2, column 2"


@pytest.mark.parametrize("name", REAL)
def test_a_subsample_is_seeded_distinct_and_mixed(name):
    full = datasets.load(name)
    part = datasets.load(name, n_samples=90, random_state=2)
    rows = {tuple(row): code for row, code in zip(full.X, full.y, strict=True)}
    assert all(rows[tuple(row)] == code for row, code in zip(part.X, part.y, strict=True))
    repeats = len(full.X) - len(rows)  # iris holds one flower twice
    assert len({tuple(row) for row in part.X}) >= 90 - repeats
    # the first rows of a sorted table would hold one class or two
    assert len(np.unique(part.y)) == full.n_classes


def test_loading_cannot_spoil_the_cached_table():
    first = datasets.load("iris")
    assert not np.shares_memory(first.y, datasets.load("iris").y)
    assert not np.shares_memory(datasets.load("digits").X, datasets.load("digits").X)
    sk_target = REAL["iris"]().target
    np.testing.assert_array_equal(datasets.load("iris").y, sk_target)
