"""Checks return a plain number or array, or raise an error that says what to change."""

import numpy as np
import pytest

from lapviz import checks


def test_bandwidth():
    for value in (1, 0.5, np.float32(0.5), np.int64(2), 1e-300):
        assert checks.check_bandwidth(value) == value
        assert type(checks.check_bandwidth(value)) is float
    for value in (0, -1, np.nan, np.inf, "auto", None, [1.0], 1j):
        with pytest.raises(ValueError, match=r"bandwidth must be a positive finite number.*length"):
            checks.check_bandwidth(value)


def test_nonnegative():
    for value in (0, 0.0, 3, np.float32(0.25)):
        assert checks.check_nonnegative("lam", value) == value
        assert type(checks.check_nonnegative("lam", value)) is float
    for value in (-1e-9, np.nan, np.inf, "1", None, True):
        with pytest.raises(ValueError, match="lam must be a finite number of at least 0"):
            checks.check_nonnegative("lam", value)


def test_count():
    assert type(checks.check_count("p", np.int32(4))) is int
    assert checks.check_count("p", 0, minimum=0) == 0
    for value in (0, 2.0, True, "3", None, np.nan):
        with pytest.raises(ValueError, match=r"p must be an integer of at least 1, got"):
            checks.check_count("p", value)


def test_points_come_back_as_c_ordered_floats():
    X = checks.check_points(np.asfortranarray(np.arange(6, dtype=np.float32).reshape(3, 2)))
    assert X.dtype == np.float64
    assert X.flags.c_contiguous
    np.testing.assert_array_equal(X, [[0, 1], [2, 3], [4, 5]])


def test_points_of_a_wrong_shape_raise_a_clear_error():
    for bad in (np.zeros(3), np.zeros((0, 2)), np.zeros((2, 0)), np.zeros((2, 2, 2)), 5.0):
        with pytest.raises(ValueError, match=r"centres must have shape \(n_samples, n_features\)"):
            checks.check_points(bad, "centres")
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"X holds NaN or infinite values: drop or fill"):
            checks.check_points([[0.0, bad]])


def test_row_shares_sum_to_one():
    np.testing.assert_array_equal(checks.row_shares(None, 4), np.full(4, 0.25))
    np.testing.assert_allclose(checks.row_shares([1e300, 3e300, 0], 3), [0.25, 0.75, 0])
    np.testing.assert_array_equal(checks.check_weights([0, 0], 2, may_vanish=True), [0, 0])
    with pytest.raises(ValueError, match="at least one non-zero"):
        checks.row_shares([0.0, 0.0], 2)
