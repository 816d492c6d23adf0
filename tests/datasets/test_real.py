"""Real data against scikit-learn's own copies, and against the files that ship."""

import csv
from hashlib import sha256
from importlib.resources import files

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
def test_all_rows_are_in_their_original_order(name):
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


@pytest.mark.parametrize("name", REAL)
def test_a_subsample_is_seeded_distinct_and_mixed(name):
    full = datasets.load(name)
    subsample = datasets.load(name, n_samples=90, random_state=2)
    rows = {tuple(row): code for row, code in zip(full.X, full.y, strict=True)}
    assert all(rows[tuple(row)] == code for row, code in zip(subsample.X, subsample.y, strict=True))
    duplicates = len(full.X) - len(rows)  # iris contains one flower twice
    assert len({tuple(row) for row in subsample.X}) >= 90 - duplicates
    # the first rows of a sorted table would contain one or two classes
    assert len(np.unique(subsample.y)) == full.n_classes


# ---- files that ship --------------------------------------------------------------------------

DATA = files("lapviz.datasets").joinpath("data")
SHIPPED = {  # file, SHA-256, licence
    "penguins": ("penguins.csv",
                 "f204db2c753b0937caac3cb35258562c14f073e4bbc76be24b4c51ce22767a93", "CC0"),
    "cells": ("cells.npz", "4ab4f2162e5f3e1301b3e6dd4a6068654a641c80d05518ba10ddfee642a98817",
              "CC BY 4.0 and BSD-3-Clause"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_has_the_recorded_checksum(name):
    file, checksum, licence = SHIPPED[name]
    content = DATA.joinpath(file).read_bytes()
    assert sha256(content).hexdigest() == checksum
    assert len(content) < 200_000
    assert datasets.info(name).licence == licence


def test_every_file_has_its_licence_and_credit():
    text = DATA.joinpath("LICENSES.md").read_text("utf-8")
    for path in DATA.iterdir():
        assert path.name == "LICENSES.md" or f"## {path.name}" in text
    for words in ("CC0 1.0", "CC BY 4.0", "BSD 3-Clause", "10x Genomics", "K. B. Gorman", "MNIST"):
        assert words in text


@pytest.mark.parametrize("name", datasets.names())
def test_real_data_name_their_source(name):
    info = datasets.info(name)
    assert bool(info.credit) == bool(info.licence) == info.real
    if info.real:
        assert info.about == f"{info.description} Data: {info.credit}; {info.licence}."
    else:
        assert info.about == info.description


@pytest.fixture(scope="module")
def birds():
    with DATA.joinpath("penguins.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_penguin_measures_are_standardised_without_missing_values(birds):
    data = datasets.load("penguins")
    assert data.X.shape == (344, 9)
    assert data.feature_names[:4] == ("bill length", "bill depth", "flipper length", "body mass")
    for column, key in enumerate(
        ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    ):
        present = np.array([bird[key] != "NA" for bird in birds])
        raw = np.array([float(bird[key]) for bird in birds if bird[key] != "NA"])
        np.testing.assert_allclose(data.X[present, column], (raw - raw.mean()) / raw.std())
        assert (~present).sum() == 2
        assert not data.X[~present, column].any()


def test_penguin_categories_are_columns(birds):
    data = datasets.load("penguins")
    assert [data.class_names[code] for code in data.y] == [bird["species"] for bird in birds]
    islands = [f"island {bird['island']}" for bird in birds]
    assert [data.feature_names[4 + k] for k in data.X[:, 4:7].argmax(axis=1)] == islands
    assert set(np.unique(data.X[:, 4:7])) == {0, 1}
    missing = np.array([bird["sex"] == "NA" for bird in birds])
    assert missing.sum() == 11
    shares = np.mean([bird["sex"] == "female" for bird in birds if bird["sex"] != "NA"])
    np.testing.assert_allclose(data.X[missing, 7:], [[shares, 1 - shares]] * 11)
    np.testing.assert_allclose(data.X[:, 4:7].sum(axis=1), 1)
    np.testing.assert_allclose(data.X[:, 7:].sum(axis=1), 1)
    assert [bird["sex"] for bird in birds if bird["sex"] != "NA"] == [
        ("female", "male")[k] for k in data.X[~missing, 7:].argmax(axis=1)
    ]


def test_cells_are_unscaled_principal_components():
    data = datasets.load("cells")
    assert data.X.shape == (700, 50)
    assert list(np.bincount(data.y)) == [68, 8, 19, 54, 43, 129, 95, 13, 31, 240]
    np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=2e-3)
    covariance = np.cov(data.X.T, bias=True)
    variances = np.diag(covariance)
    assert np.all(np.diff(variances) < 0.01)  # they fall, up to rounding
    assert (variances[0], variances[-1]) == pytest.approx((30.88, 1.343), abs=0.01)
    assert np.abs(covariance - np.diag(variances)).max() < 0.01  # and are uncorrelated
