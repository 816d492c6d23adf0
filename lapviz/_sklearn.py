"""The names that scikit-learn, and joblib through it, keep private: here and nowhere else.

Tested with the oldest and the newest supported version (``constraints/oldest.txt``).
"""

from __future__ import annotations

from contextlib import suppress

from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import (
    Interval,
    InvalidParameterError,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.parallel import Parallel, delayed

__all__ = [
    "Interval",
    "InvalidParameterError",
    "StrOptions",
    "abort",
    "check_constraints",
    "check_parameters",
    "delayed",
    "is_alone",
    "rows_of",
    "unordered",
]


def check_parameters(estimator: BaseEstimator) -> None:
    """Hold an estimator's parameters against its class's ``_parameter_constraints``.

    Raises
    ------
    InvalidParameterError
        A ValueError and TypeError that names the parameter and what it may be.
    """
    values = estimator.get_params(deep=False)
    constraints = type(estimator)._parameter_constraints
    check_constraints(constraints, values, caller_name=type(estimator).__name__)


def check_constraints(constraints: dict, values: dict, caller_name: str) -> None:
    """Hold values against constraints: lists of types, :class:`Interval`, :class:`StrOptions`.

    Raises
    ------
    InvalidParameterError
        A ValueError and TypeError that names the parameter and what it may be.
    """
    validate_parameter_constraints(constraints, values, caller_name=caller_name)


def rows_of(X, rows):
    """Some rows of an array, a list, a data frame or a sparse matrix, by number or mask."""
    return _safe_indexing(X, rows)


def is_alone(n_jobs: int | None) -> bool:
    """Whether ``n_jobs``, or where it is None ``joblib.parallel_config``, asks for one process."""
    return Parallel(n_jobs=n_jobs).n_jobs == 1


def unordered(n_jobs: int | None) -> Parallel:
    """Calls in several processes, whose results come as they are done.

    It belongs to the thread that makes it, whose ``joblib.parallel_config`` holds.

    Raises
    ------
    ImportError
        If joblib is too old for it; scikit-learn itself takes older ones.
    """
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    except (TypeError, ValueError):
        raise ImportError(
            "Several processes need joblib 1.4 or newer: `pip install --upgrade joblib`."
        ) from None


def abort(parallel: Parallel) -> None:
    """End the workers without waiting for their tasks, where joblib's backend can."""
    backend = getattr(parallel, "_backend", None)
    with suppress(AttributeError):  # it cannot, or has no workers any more
        backend.abort_everything(ensure_ready=False)
