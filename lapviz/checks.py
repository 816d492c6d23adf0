"""Argument validation, with messages that say what to change."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np


def check_bandwidth(bandwidth) -> float:
    """A positive finite number."""
    if not isinstance(bandwidth, Real) or not np.isfinite(bandwidth) or bandwidth <= 0:
        raise ValueError(
            f"bandwidth must be a positive finite number, got {bandwidth!r}; it is a length, "
            "in the units of the data."
        )
    return float(bandwidth)


def check_nonnegative(name: str, value) -> float:
    """A finite number of at least 0."""
    if (
        not isinstance(value, Real)
        or isinstance(value, bool)
        or not np.isfinite(value)
        or value < 0
    ):
        raise ValueError(f"{name} must be a finite number of at least 0, got {value!r}.")
    return float(value)


def check_count(name: str, value, minimum: int = 1) -> int:
    """An integer of at least ``minimum``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < minimum:
        raise ValueError(f"{name} must be an integer of at least {minimum}, got {value!r}.")
    return int(value)


def check_choice(name: str, value, choices) -> str:
    """One of the ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.")
    return value


def check_points(X, name: str = "X", keep_single: bool = False) -> np.ndarray:
    """Finite array of shape (n, d), C-ordered, without a copy if it is one already.

    float64; or, where rows are handled in blocks and converted there, float32 as given.
    """
    single = keep_single and getattr(X, "dtype", None) == np.float32
    X = np.ascontiguousarray(X, dtype=np.float32 if single else np.float64)
    if X.ndim != 2 or X.shape[0] < 1 or X.shape[1] < 1:
        raise ValueError(f"{name} must have shape (n_samples, n_features), got {X.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(X.sum(dtype=np.float64))  # needs no memory; may overflow, though
    if not finite and not np.isfinite(X).all():
        raise ValueError(f"{name} holds NaN or infinite values: drop or fill these rows first.")
    return X
