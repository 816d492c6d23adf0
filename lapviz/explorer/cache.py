"""One store for the cached steps of all sessions, with one budget of bytes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import fields, is_dataclass

import cachetools
import numpy as np

from lapviz.explorer.hosting import CACHE_BYTES
from lapviz.explorer.settings import Settings


def size_of(value: object) -> int:
    """Bytes of the arrays in a value, for the cache's budget."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if is_dataclass(value):
        inner = (getattr(value, f.name) for f in fields(value))
        return 512 + sum(size_of(v) for v in inner) + size_of(vars(value).get("gram"))
    if isinstance(value, tuple | list):
        return 64 + sum(size_of(v) for v in value)
    parts = (getattr(value, name, None) for name in ("data", "indices", "indptr"))  # sparse
    return 64 + sum(v.nbytes for v in parts if isinstance(v, np.ndarray))


CACHE: cachetools.LRUCache = cachetools.LRUCache(maxsize=CACHE_BYTES, getsizeof=size_of)
_LOCK = threading.RLock()


def step(*names: str) -> Callable:
    """Cache a function of settings under the named ones, and any further hashable arguments."""

    def wrap(function: Callable) -> Callable:
        def key(settings: Settings, *more: object) -> tuple:
            return function.__name__, *(getattr(settings, n) for n in names), *more

        cached = cachetools.cached(CACHE, key=key, lock=_LOCK)(function)
        return functools.wraps(function)(cached)

    return wrap


def clear() -> None:
    """Forget every cached step."""
    with _LOCK:
        CACHE.clear()
