"""Private names of scikit-learn and joblib, used only through this module.

Tested with the oldest and the newest supported version (``constraints/oldest.txt``).
"""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from typing import Any

from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.utils import _param_validation, _safe_indexing, parallel

# Assigned, as a type checker cannot follow an import through two modules without hints.
Interval = _param_validation.Interval
StrOptions = _param_validation.StrOptions
Parallel, delayed = parallel.Parallel, parallel.delayed
check_parameters = BaseEstimator._validate_params  # by the class's ``_parameter_constraints``


def rows_of(X, rows):
    """Select rows of an array, list, data frame or sparse matrix, by number or mask."""
    if hasattr(X, "to_dask_array"):
        raise ValueError(
            "Rows of a Dask data frame cannot be selected by number: pass "
            "X.to_dask_array(lengths=True) in place of X."
        )
    return _safe_indexing(X, rows)


def gives_arrays(transformer) -> bool:
    """Whether `transform` returns arrays, by ``set_output`` and the configuration."""
    config = getattr(transformer, "_sklearn_output_config", {})
    return config.get("transform", get_config()["transform_output"]) == "default"


def default_output(transformer) -> None:
    """Make a shallow copy of a transformer return arrays, whatever the original returns."""
    if hasattr(transformer, "set_output"):
        vars(transformer).pop("_sklearn_output_config", None)  # shared with the original
        transformer.set_output(transform="default")


def is_sequential(n_jobs: int | None) -> bool:
    """Whether ``n_jobs``, or ``joblib.parallel_config`` if it is None, means one process."""
    return Parallel(n_jobs=n_jobs).n_jobs == 1


def unordered_parallel(n_jobs: int | None) -> Any:
    """joblib's pool of processes that yields results in the order in which they are done.

    It uses the ``joblib.parallel_config`` of the thread that creates it.

    Raises
    ------
    ImportError
        If joblib is too old; scikit-learn itself supports older versions.
    """
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    except (TypeError, ValueError):
        raise ImportError(
            "Several processes need joblib 1.4 or newer: `pip install --upgrade joblib`."
        ) from None


def abort(pool: Any) -> None:
    """Stop the workers without waiting for their tasks, if joblib's backend can."""
    backend: Any = getattr(pool, "_backend", None)
    with suppress(AttributeError):  # it cannot, or has no workers left
        backend.abort_everything(ensure_ready=False)


def nameless(estimator: Any) -> Any:
    """A fitted estimator or pipeline without column names, for points that have none."""
    estimator = copy(estimator)
    estimator.__dict__.pop("feature_names_in_", None)
    if hasattr(estimator, "steps"):
        estimator.steps = [(name, nameless(step)) for name, step in estimator.steps]
    return estimator
