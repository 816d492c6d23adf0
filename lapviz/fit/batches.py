"""Fits to rows that come in batches: from a file, a database, a generator.

Memory holds one batch, the sums, and the rows that a fit looks at (:mod:`lapviz.fit.rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from lapviz import operators
from lapviz.checks import check_points, check_weights
from lapviz.fit.rows import RowRequest, RowSubset, StreamedRows
from lapviz.forms import Forms
from lapviz.progress import report
from lapviz.spaces import sampling

Array = np.ndarray


def stream(estimator, batches: Callable[[], Iterable] | Iterable):
    """Fit an estimator to rows that come in batches, out of core.

    The rows are read twice: once to count them and to keep a sample, the labelled ones and their
    labels; once to sum the forms. Landmarks, σ, μ and tangents come from the sample, which depends
    on the order of the rows but not on the batches. The result is that of ``estimator.fit`` on all
    rows at once, up to rounding.

    Parameters
    ----------
    estimator : GalerkinEmbedding, LaplacianClassifier or LaplacianRegressor
        Is fitted in place.
    batches : callable or iterable
        Returns an iterator whenever it is called (a generator function), or can be iterated over
        more than once. A batch is an array X (b, d), or a tuple (X, y) or (X, y, weights), where y
        may be None.

    Returns
    -------
    estimator
        The fitted estimator itself.

    Raises
    ------
    ValueError
        If the batches can be read only once, have different columns, or do not suit the estimator.

    Examples
    --------
    >>> import numpy as np
    >>> from lapviz import GalerkinEmbedding, fit
    >>> X = np.random.default_rng(0).normal(size=(2000, 2))
    >>> def batches():
    ...     for start in range(0, len(X), 300):  # here: read a part of a file
    ...         yield X[start : start + 300]
    >>> model = fit.stream(GalerkinEmbedding(n_components=4, random_state=0), batches)
    >>> whole = GalerkinEmbedding(n_components=4, random_state=0).fit(X)
    >>> bool(np.allclose(model.eigenvalues_, whole.eigenvalues_, rtol=1e-10))
    True
    """
    if not getattr(estimator, "takes_batches", False):
        raise ValueError(
            f"{type(estimator).__name__} cannot be fitted to batches: use GalerkinEmbedding, "
            "LaplacianClassifier or LaplacianRegressor."
        )
    if not callable(batches) and iter(batches) is batches:
        raise ValueError(
            "The batches are read twice, and an iterator can be read once: pass the function that "
            "makes it, for example fit.stream(model, read) where read is a generator function."
        )
    return estimator.fit(Batches(batches if callable(batches) else partial(iter, batches)), None)


class Batches:
    """Marks rows in batches where X is expected.

    Parameters
    ----------
    read : callable
        Returns an iterator over batches.
    """

    def __init__(self, read: Callable[[], Iterable]):
        self.read = read


def read(batches: Callable[[], Iterable], wanted: RowRequest) -> StreamedRows:
    """The rows of batches, as far as a fit needs them: one pass.

    Parameters
    ----------
    batches : callable
        Returns an iterator over batches.
    wanted : RowRequest
        Which rows are to be held.

    Returns
    -------
    Rows

    Raises
    ------
    ValueError
        If there is no row, or batches do not fit together.
    """
    n, total, rows, X_rows, y_rows, w_rows = 0, 0.0, [], [], [], []
    kept: Any = None  # reservoirs, once the number of columns is known
    nodes: Any = None
    for X, y, w in _parts(batches):
        if kept is None:
            kept = sampling.Reservoir(wanted.sample(None, X.shape[1]))
            nodes = sampling.Reservoir(wanted.most_nodes(X.shape[1]))
        stop, here = n + len(X), np.empty(0, dtype=np.int64)
        if y is not None and wanted.is_labelled is not None:
            here = np.flatnonzero(wanted.is_labelled(y))
            rows.append(n + here)
            X_rows.append(X[here])
            y_rows.append(y[here])
            w_rows.append(w[here])
        kept.update(n, stop, None, X, w)
        if wanted.graph:
            nodes.update(n, stop, np.setdiff1d(np.arange(len(X)), here, True), X, w)
        n, total = stop, total + w.sum()
        report("reading rows", n)
    if not n:
        raise ValueError("There is no row of positive weight in the batches.")
    index = [kept.index, *rows, *([nodes.index] if wanted.graph else [])]
    values = [kept.columns[0], *X_rows, *(nodes.columns[:1] if wanted.graph else [])]
    weights = [kept.columns[1], *w_rows, *(nodes.columns[1:] if wanted.graph else [])]
    index, first = np.unique(np.concatenate(index), return_index=True)
    values, weights = np.concatenate(values)[first], np.concatenate(weights)[first]
    labelled = np.concatenate(rows) if rows else None
    return StreamedRows(
        n, index, values, partial(_forms, batches),
        None if (weights == 1).all() else RowSubset(n, index, weights * (n / total)),
        labelled, np.concatenate(y_rows) if y_rows else None,
    )  # fmt: skip


def _forms(batches: Callable, space, operator) -> Forms:
    total = operators.Running(space, operator)
    for X, _, w in _parts(batches):
        total.update(X, None if (w == 1).all() else w)
    return total.forms()


def _parts(batches: Callable) -> Iterator[tuple[Array, Array | None, Array]]:
    """X, y and weights of the batches, without rows of weight 0."""
    d = None
    X: Any
    for batch in batches():
        X, y, w = (*batch, None, None)[:3] if isinstance(batch, tuple) else (batch, None, None)
        if not len(X):
            continue
        X = check_points(X, keep_single=True)
        d = X.shape[1] if d is None else d
        y = None if y is None else np.asarray(y)
        w = np.ones(len(X)) if w is None else check_weights(w, len(X), may_vanish=True)
        if X.shape[1] != d or (y is not None and len(y) != len(X)):
            raise ValueError(
                f"A batch has {X.shape[1]} columns and {len(X) if y is None else len(y)} labels "
                f"for {len(X)} rows: all need {d} columns, and one label for each row if any."
            )
        if not w.all():
            X, y, w = X[w > 0], None if y is None else y[w > 0], w[w > 0]
        if len(X):
            yield X, y, w
