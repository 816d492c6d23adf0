"""How much memory a value keeps, for the limits of the caches."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np


def size_of(value: object) -> int:
    """Bytes of the arrays that a value keeps in memory, each counted once."""
    return _size_of(value, set())


def _size_of(value: object, seen: set[int]) -> int:
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):  # a view keeps the whole array
            value = value.base
        known = id(value) in seen
        seen.add(id(value))
        return 0 if known else value.nbytes
    if is_dataclass(value):
        inner = [getattr(value, f.name) for f in fields(value)]
        # Kept with a trial space, or a problem of classes, once they were asked for.
        names = ("gram", "whitened", "space", "solver", "search")
        lazy = [vars(value).get(name) for name in names]
        return 512 + sum(_size_of(v, seen) for v in [*inner, *lazy])
    if hasattr(value, "get_params"):  # a fitted estimator
        return 512 + sum(_size_of(v, seen) for v in vars(value).values())
    if isinstance(value, str):
        return 64 + len(value)
    if isinstance(value, tuple | list):
        return 64 + sum(_size_of(v, seen) for v in value)
    if isinstance(value, dict):
        return 64 + sum(64 + _size_of(v, seen) for v in value.values())
    parts = (getattr(value, name, None) for name in ("data", "indices", "indptr"))  # sparse
    return 64 + sum(_size_of(v, seen) for v in parts if isinstance(v, np.ndarray))
