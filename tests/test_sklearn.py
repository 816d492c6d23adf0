"""Private names of scikit-learn and joblib, as wrapped by ``lapviz._sklearn``."""

from __future__ import annotations

import numpy as np
import pytest
from joblib import parallel_config
from scipy import sparse

from lapviz import _sklearn


def test_rows_of_arrays_lists_and_sparse_matrices():
    values = np.arange(12.0).reshape(6, 2)
    rows = np.array([1, 4])
    np.testing.assert_array_equal(_sklearn.rows_of(values, rows), values[rows])
    selected = _sklearn.rows_of(sparse.csr_array(values), rows)
    np.testing.assert_array_equal(selected.toarray(), values[rows])
    assert _sklearn.rows_of(values.tolist(), rows) == values[rows].tolist()
    mask = np.isin(np.arange(6), rows)
    np.testing.assert_array_equal(_sklearn.rows_of(values, mask), values[mask])


def test_one_process_or_several():
    assert _sklearn.is_sequential(None)
    assert _sklearn.is_sequential(1)
    assert not _sklearn.is_sequential(2)
    with parallel_config(backend="threading", n_jobs=2):
        assert not _sklearn.is_sequential(None)
        assert _sklearn.is_sequential(1)


def test_an_old_joblib_raises_a_clear_error(monkeypatch):
    def old(**options):
        raise TypeError("unexpected keyword argument 'return_as'")

    monkeypatch.setattr(_sklearn, "Parallel", old)
    with pytest.raises(ImportError, match=r"joblib 1\.4"):
        _sklearn.unordered_parallel(2)


def test_workers_can_be_ended_early():
    with parallel_config(backend="threading", n_jobs=2):
        parallel = _sklearn.unordered_parallel(2)
        results = parallel(_sklearn.delayed(abs)(-i) for i in range(20))
        assert next(results) >= 0
        _sklearn.abort(parallel)
    _sklearn.abort(object())  # a backend that cannot be aborted
