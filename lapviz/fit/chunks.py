"""Rows in Dask collections: those that a fit uses are collected, all others enter through sums.

Dask is imported only when a Dask collection is passed.
"""

# Dask's type hints are partial: pyright does not know what it exports.
# pyright: reportPrivateImportUsage=false, reportCallIssue=false, reportArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from lapviz import operators
from lapviz.checks import check_dense, check_points, check_weights, entries_of, is_dask
from lapviz.fit import dask_reduce
from lapviz.fit.rows import RowRequest, RowSubset, StreamedRows, joined
from lapviz.forms import Forms

Array = np.ndarray


def read(X, request: RowRequest, y=None, sample_weight=None, client=None) -> StreamedRows:
    """The rows of a Dask collection, as far as a fit needs them.

    Parameters
    ----------
    X : dask array (n, d) or dask DataFrame of numbers
        Chunks of unknown length are counted first, by one more pass.
    request : RowRequest
        Which rows to collect.
    y : array, dask array or dask Series (n, …), optional
        Labels or values; those of the labelled rows are collected.
    sample_weight : array or dask array (n,), optional
        Weights; rows of weight 0 are left out.
    client : distributed.Client, optional
        By default Dask's current client or scheduler.

    Returns
    -------
    StreamedRows

    Raises
    ------
    ValueError
        If X is not a table of numbers, lengths differ, or a weight is negative or not finite.
    """
    X = _sized(lazy_points(X), client)
    if not len(X):
        raise ValueError("X has no rows.")
    y = None if y is None else _column(y, X, "y", client)
    w = None if sample_weight is None else _column(sample_weight, X, "sample_weight", client)
    if w is not None:
        X, y, w = _positive_weights(X, y, w, client)
    n, d = X.shape
    labelled, targets = np.empty(0, int), None
    if y is not None:
        labelled, targets = _collect_labels(y, request.is_labelled, client)
    index = request.index(n, d, labelled)
    values = check_points(_collect_rows(X, index, client), keep_single=True)
    weights = None if w is None else RowSubset(n, index, _collect_rows(w, index, client))
    return StreamedRows(n, index, values, partial(_forms, X, w, client), weights, labelled, targets)


def lazy_points(X):
    """A dask array (n, d) of numbers in chunks of rows, whose lengths may be unknown.

    Raises
    ------
    ValueError
        If X is something else.
    """
    if hasattr(X, "to_dask_array"):
        X = _as_array(X)
    if not hasattr(X, "chunks") or X.ndim != 2:
        raise ValueError(
            f"X must be a dask array of shape (n, d) or a dask DataFrame, got {type(X).__name__}"
            + (f" of {X.ndim} dimensions." if hasattr(X, "ndim") else ".")
        )
    if X.dtype.kind not in "fiub":
        raise ValueError(
            f"X must hold numbers, but its type is {X.dtype}: encode or drop the other columns "
            "first, for example by X.select_dtypes('number')."
        )
    if np.isnan(X.shape[1]):
        raise ValueError("The number of columns of X is unknown: give the dask array its chunks.")
    return X if X.numblocks[1] == 1 else X.rechunk({1: -1})


def _as_array(table):
    """A dask data frame as an array, of floats if its columns are numbers and booleans."""
    from pandas.api.types import is_numeric_dtype

    X = table.to_dask_array()
    if X.dtype == object and all(map(is_numeric_dtype, np.atleast_1d(table.dtypes))):
        return table.astype(float).to_dask_array()
    return X


def example(X, n_features: int) -> object:
    """One row of zeros, with the names of the columns if a Dask collection or batches have some."""
    row, columns = np.zeros((1, n_features)), list(getattr(X, "columns", ()))
    if not columns:
        return row
    import pandas as pd

    return pd.DataFrame(row, columns=columns)


def map_rows(X, function: Callable[[Array], Array], width: int | None, dtype) -> object:
    """Apply a function to each chunk of rows; a lazy dask array.

    Parameters
    ----------
    X : dask array or dask DataFrame
    function : callable, rows (b, d) to values (b,) or (b, width); in the graph only once
    width : int or None
        Columns of the result; None: it has one dimension.
    dtype : dtype of the result
    """
    import dask

    X = lazy_points(X)
    delayed = dask.delayed(function, traverse=False)
    shape = {"drop_axis": 1} if width is None else {"chunks": (X.chunks[0], (width,))}
    meta = np.empty(0 if width is None else (0, 0), dtype)
    return X.map_blocks(_apply_to_block, delayed, dtype=dtype, meta=meta, **shape)


def _apply_to_block(block: Array, function: Callable) -> Array:
    return function(block) if len(block) else function(np.zeros((1, block.shape[1])))[:0]


def _forms(X, w, client, space, operator) -> Forms:
    if X.dtype == np.float32:
        getattr(space, "takes_single", None)  # computed here once, not by every chunk group
    start = partial(operators.Running, space, operator)
    return dask_reduce.total([X] if w is None else [X, w], start, client).forms()


def _column(values, X, name: str, client):
    """A column as a dask array in the chunks of X, one entry for each row."""
    import dask.array as da

    if hasattr(values, "to_dask_array"):
        values = values.to_dask_array()
    if not is_dask(values):
        values = entries_of(values)
        if values.ndim == 0:
            raise ValueError(f"{name} must have one entry for each row of X, got {values!r}.")
        values = da.from_array(values, chunks=values.shape)
    values = _sized(values, client)
    if len(values) != len(X):
        raise ValueError(
            f"{name} has {len(values)} entries and X has {len(X)} rows: there must be one for each."
        )
    return values.rechunk({0: X.chunks[0]} | ({1: -1} if values.ndim == 2 else {}))


def _blocks(X) -> list:
    """The chunks of rows, each as a delayed array."""
    return list(X.to_delayed().reshape(X.numblocks[0], -1)[:, 0])


def _sized(X, client):
    """The same array with known chunk lengths."""
    import dask

    if not any(np.isnan(X.chunks[0])):
        return X
    return _with_lengths(X, dask_reduce.compute(*map(dask.delayed(len), _blocks(X)), client=client))


def _with_lengths(X, lengths: tuple[int, ...]):
    import dask.array as da

    return da.Array(X.dask, X.name, (lengths, *X.chunks[1:]), X.dtype)


def _positive_weights(X, y, w, client) -> tuple:
    """Rows of positive weight, and their weights divided by the mean."""
    import dask.array as da

    if w.dtype.kind not in "fiubO" or w.ndim != 1:
        raise ValueError("sample_weight must hold numbers, one for each row of X.")
    w = w.map_blocks(_checked, dtype=np.float64)
    total, count = dask_reduce.compute(w.sum(), (w > 0).sum(), client=client)
    if not count:
        raise ValueError("All weights in sample_weight are 0: give at least one row a weight.")
    if count < len(w):
        keep = w > 0
        w = _sized(w[keep], client)
        X = _with_lengths(X[keep], w.chunks[0])
        y = None if y is None else _with_lengths(y[keep], w.chunks[0])
    assert isinstance(w, da.Array)
    return X, y, w * (count / total)


def _checked(weights: Array) -> Array:
    return check_weights(weights, len(weights), may_vanish=True)


def _collect_labels(y, is_labelled: Callable, client) -> tuple[Array, Array]:
    """The numbers of the labelled rows, ascending, and their labels."""
    import dask

    pick = dask.delayed(partial(_pick_labelled, is_labelled))
    parts = dask_reduce.compute(*map(pick, _blocks(y)), client=client)
    starts = np.cumsum([0, *y.chunks[0][:-1]])
    rows = [start + labelled for start, (labelled, _) in zip(starts, parts, strict=True)]
    return np.concatenate(rows).astype(np.int64), joined([values for _, values in parts])


def _pick_labelled(is_labelled: Callable, y: Array) -> tuple[Array, Array]:
    rows = np.flatnonzero(is_labelled(y))
    return rows, entries_of(y)[rows]


def _collect_rows(X, index: Array, client) -> Array:
    """Collect rows of X; their numbers are ascending."""
    dense = X.map_blocks(_dense, dtype=X.dtype, meta=np.empty((0,) * X.ndim, X.dtype))
    return dask_reduce.compute(dense[index], client=client)[0]


def _dense(block: Array) -> Array:
    check_dense(block)
    return np.asarray(block)
