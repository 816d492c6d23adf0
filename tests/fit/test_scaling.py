"""Standardisation: of tables whose columns have different units, and of nothing else."""

import numpy as np
import pytest
from sklearn import datasets as sk
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from lapviz import datasets
from lapviz.fit import Report, Scaling
from lapviz.fit.scaling import wide

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(400, 4)) * [1, 200, 0.5, 3] + [0, 1e4, 2, -1]


@pytest.mark.parametrize("name", datasets.names())
def test_of_built_in_data_sets_only_raw_tables_are_scaled(name):
    for raw in (False, True) if datasets.info(name).standardised else (None,):
        X = datasets.load(name, random_state=0, **({} if raw is None else {"raw": raw})).X
        different_units = raw and name in ("wine", "breast_cancer", "penguins")
        assert bool(Scaling.of(X)) == bool(different_units)


def test_pixels_and_principal_components_have_one_unit():
    digits = sk.load_digits().data
    with_margin = np.hstack([digits, np.zeros((len(digits), 200))])
    with_margin[::300, 64:] = 16.0  # ink where there is hardly ever any
    components = PCA().fit_transform(digits * np.geomspace(1, 100, 64))
    assert np.median(components.std(axis=0)) < components[:, 0].std() / 20
    for X in (digits, with_margin, components):
        assert Scaling.of(X) is None


def test_it_standardises():
    scaling = Scaling.of(TABLE)
    np.testing.assert_allclose(scaling(TABLE), StandardScaler().fit_transform(TABLE), atol=1e-9)
    X_new = RNG.normal(size=(3, 4))
    assert scaling(X_new.astype(np.float32)).dtype == np.float32
    assert "from 0.5 to 190" in str(scaling.reported(Report()))
    assert Scaling.of(TABLE * 1e-9).scale == pytest.approx(1e-9 * np.array(scaling.scale))


def test_the_parameter_takes_precedence_over_the_rule():
    assert Scaling.of(TABLE, scaling=None) is None
    assert Scaling.of(TABLE, automatic=False) is None
    assert Scaling.of(TABLE, scaling="standard", automatic=False) == Scaling.of(TABLE)
    assert Scaling.of(TABLE[:, ::2]) is None
    assert Scaling.of(TABLE[:, ::2], scaling="standard") is not None
    assert Scaling.of(TABLE[:2]) is None
    two = Scaling.of(TABLE[:2], scaling="standard")(TABLE[:2])
    np.testing.assert_allclose(np.sort(two, axis=0), np.outer([-1, 1], np.ones(4)))


def test_a_weight_of_two_is_a_row_twice():
    weights = RNG.integers(1, 4, len(TABLE))
    weighted, repeated = Scaling.of(TABLE, weights), Scaling.of(np.repeat(TABLE, weights, axis=0))
    np.testing.assert_allclose(weighted.center, repeated.center)
    np.testing.assert_allclose(weighted.scale, repeated.scale)


def test_constants_stay_and_rare_flags_do_not_outweigh_numbers():
    flag = (np.arange(400) % 100 == 0) * 3.0
    X = np.column_stack([TABLE, np.full(400, 0.1), flag])
    scaled = Scaling.of(X)(X)
    np.testing.assert_array_equal(scaled[:, 4], 0.1)
    assert np.ptp(scaled[:, 5]) == pytest.approx(2.0)


def test_numbers_that_overflow_are_not_scaled():
    X = TABLE * np.array([1, 1, 1, 1e306])
    assert Scaling.of(X) is None
    assert np.isfinite(Scaling.of(X, scaling="standard")(X)).all()


@pytest.mark.parametrize(
    ("spread", "columns"),
    [([1, 20], [1]), ([1, 19], []), ([0, 5, 5], []), ([1, 1, 30, 25], [2, 3]), ([5], []),
     ([40, 30, 20, 1, 1, 1], []), ([30, 40, 20, 1, 1, 1], [0, 1, 2])],
)  # fmt: skip
def test_the_median_column_is_the_reference(spread, columns):
    spread = np.array(spread, dtype=float)
    assert wide(spread, spread).tolist() == columns
    assert not len(wide(spread, np.ones(len(spread))))
