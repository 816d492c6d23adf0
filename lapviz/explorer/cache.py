"""One cache for the steps of all sessions, with one limit in bytes.

A step is a function of hashable records, which are its cache key. What two sessions ask for at the
same time is computed once: the second waits for the first.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import fields, is_dataclass

import cachetools
import numpy as np

from lapviz.explorer import gate
from lapviz.explorer.hosting import CACHE_BYTES
from lapviz.progress import Cancelled, report

PATIENCE = 0.25  # seconds between two looks at whether a visitor who waits has left


def size_of(value: object) -> int:
    """Bytes of the arrays that a value keeps in memory, each counted once, for the limit."""
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
        lazy = vars(value).get("gram")  # of a trial space, kept with it once it was asked for
        return 512 + sum(_size_of(v, seen) for v in [*inner, lazy])
    if isinstance(value, tuple | list):
        return 64 + sum(_size_of(v, seen) for v in value)
    parts = (getattr(value, name, None) for name in ("data", "indices", "indptr"))  # sparse
    return 64 + sum(_size_of(v, seen) for v in parts if isinstance(v, np.ndarray))


CACHE: cachetools.LRUCache = cachetools.LRUCache(maxsize=CACHE_BYTES, getsizeof=size_of)
_RUNNING: dict[tuple, Future] = {}
_LOCK = threading.Lock()


def step(function: Callable) -> Callable:
    """Cache a function under its arguments, positional and hashable."""
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def cached(*arguments: object) -> object:
        key = name, *arguments
        while True:
            with _LOCK:
                if key in CACHE:
                    return CACHE[key]
                running = _RUNNING.get(key)
                if running is None:
                    mine = _RUNNING[key] = Future()
                    break
            try:
                with gate.aside():
                    return running.result(timeout=PATIENCE)
            except TimeoutError as error:  # ask whether this visitor still wants it
                if running.done():  # its own error
                    raise error
                report("waiting for the same computation", 0)
            except CancelledError:  # the thread that computed it was stopped: compute it here
                continue
        return _compute(function, key, arguments, mine)

    return cached


def peek(function: Callable, *arguments: object) -> object | None:
    """What the cache holds of a step; None if it would have to be computed."""
    inner = function.__wrapped__
    with _LOCK:
        return CACHE.get((f"{inner.__module__}.{inner.__qualname__}", *arguments))


def _compute(function: Callable, key: tuple, arguments: tuple, mine: Future) -> object:
    try:
        value = function(*arguments)
    except BaseException as error:
        with _LOCK:
            del _RUNNING[key]
        if isinstance(error, Exception) and not isinstance(error, Cancelled):
            mine.set_exception(error)
        else:  # this thread is being stopped; those that wait compute it themselves
            mine.cancel()
        raise
    with _LOCK:
        if size_of(value) <= CACHE.maxsize:
            CACHE[key] = value
        del _RUNNING[key]
    mine.set_result(value)
    return value


def clear() -> None:
    """Empty the cache."""
    with _LOCK:
        CACHE.clear()
