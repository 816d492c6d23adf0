"""Argument validation, with error messages that say what to change."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import floor, isfinite, log10
from numbers import Integral, Real
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse

IN_MAIN_MEMORY = (1, 3, 11)  # DLPack's device types for main memory, plain or pinned

MOST_DIGITS = 296  # largest decimal exponent of a power of a width, 12 less than float64 allows

_PACKAGE = str(Path(__file__).parent)
Item = TypeVar("Item")


def stack_level() -> int:
    """``stacklevel`` with which a warning by the caller points to the first line outside lapviz."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


_FILTERS = RLock()


@contextmanager
def quiet(category: type[Warning] = Warning, message: str = "") -> Iterator[None]:
    """Ignore warnings of a call, one thread at a time: a process has one list of filters."""
    with _FILTERS, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message, category)
        yield


class Refused(ValueError):
    """Why a value is invalid, as a predicate that completes a sentence: "must be from 0 to 1"."""


def is_redefinition(new: Any, old: Any) -> bool:
    """Whether a class or function is defined where another was, as in a cell that is run again."""
    return (new.__module__, new.__qualname__) == (old.__module__, old.__qualname__)


class Registry(dict[str, Item]):
    """Items by name, in menu order; an unknown name raises ValueError.

    Parameters
    ----------
    what : str
        What the items are, for the message.
    titled : bool, default False
        Whether menus show them, by their ``title``.
    """

    def __init__(self, what: str, titled: bool = False):
        self.what, self.titled = what, titled

    def __missing__(self, name: str):
        raise ValueError(f"Unknown {self.what} {name!r}: choose one of {', '.join(self)}.")

    def add(self, cls: Any) -> None:
        """Add a class under its own ``name``, also in place of an older definition of it.

        Raises
        ------
        ValueError
            If it defines no name, another class has it, or an item of another name its title.
        """
        name = vars(cls).get("name")
        if not isinstance(name, str) or not name:
            raise ValueError(
                f'{cls.__name__} needs a name of its own: write name = "…" in the class.'
            )
        taken: Any = self.get(name, cls)
        if not is_redefinition(cls, taken):
            raise ValueError(
                f"{taken.__name__} is the {self.what} {name!r}: give {cls.__name__} another name."
            )
        title = getattr(cls, "title", "") if self.titled else ""
        for other, item in self.items():
            if title and other != name and getattr(item, "title", "") == title:
                raise ValueError(
                    f"The {self.what} {other!r} has the title {title!r}, by which menus show it: "
                    f"give {cls.__name__} another title."
                )
        self[name] = cls


def check_bandwidth(bandwidth: Any) -> float:
    """Check that the bandwidth is a positive finite number."""
    if not isinstance(bandwidth, Real) or not isfinite(bandwidth) or bandwidth <= 0:
        raise ValueError(
            f"bandwidth must be a positive finite number, got {bandwidth!r}; it is a length, "
            "in the units of the data."
        )
    return float(bandwidth)


def check_powers(bandwidth: float, power: int = 2) -> None:
    """Refuse a width whose power, by which energies are divided, over- or underflows."""
    size = floor(log10(bandwidth))
    if power * abs(size) >= MOST_DIGITS:
        small = size < 0
        raise ValueError(
            f"Differences between rows are too {'small' if small else 'large'} for floating-point "
            f"numbers: the bandwidth is {bandwidth:.1e}, in the units of X. "
            f"{'Multiply' if small else 'Divide'} the columns, and any bandwidth that you set, by "
            f"1e{abs(size)}."
        )


def check_nonnegative(name: str, value) -> float:
    """Check that the value is a finite number of at least 0."""
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a finite number of at least 0, got {value!r}.")
    return float(value)


def check_count(name: str, value, minimum: int = 1) -> int:
    """Check that the value is an integer of at least ``minimum``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < minimum:
        raise ValueError(f"{name} must be an integer of at least {minimum}, got {value!r}.")
    return int(value)


def check_choice(name: str, value, choices) -> str:
    """Check that the value is one of the ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.")
    return value


def check_shape(name: str, values, shape: tuple[int, ...]) -> np.ndarray:
    """Convert to an array of numbers and check its shape."""
    values = np.asarray(values, dtype=float)
    if values.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {values.shape}.")
    return values


def check_weights(weights, n: int, *, may_vanish: bool = False) -> np.ndarray:
    """Check weights of n rows: finite numbers of at least 0, shape (n,), not all of them 0.

    With ``may_vanish``, as for a chunk of the rows, all of them may be 0.
    """
    check_dense(weights, "sample_weight")
    try:
        weights = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight must hold numbers, one for each row of X.") from None
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must have shape ({n},), one weight for each row of X, got "
            f"{weights.shape}."
        )
    bad = int((~np.isfinite(weights)).sum())
    if bad:
        raise ValueError(
            f"sample_weight holds NaN or infinite values ({bad} of {n}): give rows that are not to "
            "count a weight of 0."
        )
    if (weights < 0).any():
        raise ValueError(
            f"sample_weight holds negative values ({int((weights < 0).sum())} of {n}): weights "
            "must be at least 0."
        )
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError("The sum of sample_weight overflows: divide the weights by their largest.")
    if not (total > 0 or may_vanish):
        raise ValueError(
            "All weights in sample_weight are 0. Sample weights must contain at least one non-zero "
            "number."
        )
    return weights


def row_shares(weights, n: int) -> np.ndarray:
    """Weights (n,) of n rows divided by their sum; 1/n each if there are no weights."""
    if weights is None:
        return np.full(n, 1.0 / n)
    weights = check_weights(weights, n)
    weights = weights / weights.max()
    return weights / weights.sum()


def check_on_cpu(X, name: str = "X") -> None:
    """Refuse arrays in a device's memory.

    Raises
    ------
    TypeError
        The message names the call that copies the array to the CPU.
    """
    device = getattr(X, "__dlpack_device__", None)
    if device is None or isinstance(X, np.ndarray):
        return
    if device()[0] not in IN_MAIN_MEMORY:
        raise TypeError(
            f"{name} lies in the memory of a device, and lapviz computes with NumPy on the CPU: "
            f"pass {name}.cpu() of a PyTorch tensor, {name}.get() of a CuPy array, or "
            f"numpy.asarray({name}) of a JAX array."
        )


def is_dask(X: object) -> bool:
    """Whether X is a Dask collection; without importing Dask."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def check_dense(X, name: str = "X") -> None:
    """ValueError, with the cures, if X, a part or a chunk of it is sparse, complex or masked."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError(
            f"{name} has masked entries, which count as missing: drop these rows, or impute values."
        )
    if issparse(X):
        raise ValueError(
            f"{name} is a sparse matrix, and dense rows are needed: pass {name}.toarray(), or "
            f"dense parts of it to lapviz.fit.stream, which some estimators allow. Chunks of Dask "
            f"are made dense by {name}.map_blocks(lambda part: part.toarray(), dtype={name}.dtype)."
        )
    if hasattr(X, "sparse"):  # only pandas' with sparse columns
        raise ValueError(
            f"{name} has sparse columns, and dense ones are needed: pass {name}.sparse.to_dense()."
        )
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise ValueError(
            f"Complex data not supported: give real numbers for {name}, such as {name}.real."
        )


def check_points(X, name: str = "X", keep_single: bool = False) -> np.ndarray:
    """Convert to a finite, C-ordered array of shape (n, d), without a copy if possible.

    float64; with ``keep_single``, where blocks of rows are converted later, float32 stays.
    """
    check_dense(X, name)
    check_on_cpu(X, name)
    single = keep_single and getattr(X, "dtype", None) == np.float32
    try:
        X = np.ascontiguousarray(X, dtype=np.float32 if single else np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers, in rows of equal length.") from error
    if X.ndim != 2 or X.shape[0] < 1 or X.shape[1] < 1:
        raise ValueError(f"{name} must have shape (n_samples, n_features), got {X.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(X.sum(dtype=np.float64))  # takes no memory, but may overflow
    if not finite and not np.isfinite(X).all():
        raise ValueError(f"{name} holds NaN or infinite values: drop or fill these rows first.")
    return X


def as_python(value: Any) -> Any:
    """A NumPy scalar as Python's, so that it compares and prints alike; all else unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def entries_of(y) -> np.ndarray:
    """An array of the entries, of objects where pandas' NA or a null may be among numbers.

    Masked entries are None.
    """
    # pandas' arrays have a mask, too, but of another kind
    if issubclass(type(y), np.ma.MaskedArray) and np.ma.is_masked(y):
        entries = np.array(y.data, dtype=object)
        entries[y.mask] = None
        return entries
    if hasattr(getattr(y, "dtype", None), "na_value"):
        return np.asarray(y, dtype=object)
    is_series = len(getattr(y, "shape", (0,))) == 1
    n_missing = getattr(y, "null_count", 0) if is_series else 0  # polars' is a method, Arrow's not
    if not (n_missing() if callable(n_missing) else n_missing):
        return np.asarray(y)
    return np.array(y.to_pylist() if hasattr(y, "to_pylist") else y.to_list(), object)


def floats_of(y) -> np.ndarray:
    """An array of the entries as floats, NaN where they are missing."""
    y = entries_of(y)
    if y.dtype == object:
        y = np.where(are_missing(y), np.nan, y)
    return y.astype(np.float64, copy=False)


def are_missing(entries: np.ndarray) -> np.ndarray:
    """:func:`is_missing` of each entry of an array."""
    return np.vectorize(is_missing, otypes=[bool])(entries)


def is_missing(entry) -> bool:
    """Whether an entry is None, NaN, or pandas' NA or NaT."""
    is_nan = isinstance(entry, float | np.floating) and np.isnan(entry)
    return entry is None or is_nan or type(entry).__name__ in ("NAType", "NaTType")
