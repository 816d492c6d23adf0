"""One cache for the steps of all sessions, with one limit in bytes and one lock.

A step is a function of hashable records, which are its cache key. What two sessions ask for at the
same time is computed once: the second waits for the first. A key with a visitor's own data in it
belongs to that visitor's cache (:mod:`lapviz.explorer.host.visitors`), never to the shared one;
what is ready only after the data are forgotten is kept nowhere.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import CancelledError, Future

import cachetools

from lapviz.explorer.compute import gate
from lapviz.explorer.host import visitors as own
from lapviz.explorer.host.limits import CACHE_BYTES
from lapviz.explorer.host.sizes import size_of
from lapviz.progress import Cancelled, report

PATIENCE = 0.25  # seconds between two looks at whether a visitor who waits has left


CACHE: cachetools.LRUCache = cachetools.LRUCache(maxsize=CACHE_BYTES, getsizeof=size_of)
_RUNNING: dict[tuple, Future] = {}


def step(function: Callable) -> Callable:
    """Cache a function under its arguments, positional and hashable."""
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def cached(*arguments: object) -> object:
        key = name, *arguments
        while True:
            with own.LOCK:
                cache = _cache_of(key)
                if key in cache:
                    return cache[key]
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


def _cache_of(key: tuple) -> cachetools.LRUCache:
    """Where a result is kept: with the visitor whose data it is computed from, or for all.

    Under the lock: in the next moment the data may be forgotten.
    """
    source = own.source_in(key)
    return own.results_of(source) if source else CACHE


def peek(function: Callable, *arguments: object) -> object | None:
    """What the cache holds of a step; None if it would have to be computed."""
    inner = function.__wrapped__
    key = f"{inner.__module__}.{inner.__qualname__}", *arguments
    with own.LOCK:
        return _cache_of(key).get(key)


def kept(key: tuple) -> object | None:
    """What :func:`keep` kept under a hashable key; None if it is not there."""
    with own.LOCK:
        return _cache_of(key).get(key)


def keep(key: tuple, value: object) -> None:
    """Keep a value under a key, with the visitor whose data the key names, or for all."""
    with own.LOCK:
        _put(key, value)


def _put(key: tuple, value: object) -> None:
    try:
        cache = _cache_of(key)
    except own.Gone:  # while it was computed
        return
    need = size_of(value)
    if need <= cache.maxsize:
        if cache is not CACHE:
            own.make_room(need)
        cache[key] = value


def _compute(function: Callable, key: tuple, arguments: tuple, mine: Future) -> object:
    try:
        value = function(*arguments)
    except BaseException as error:
        with own.LOCK:
            del _RUNNING[key]
        if isinstance(error, Exception) and not isinstance(error, Cancelled):
            mine.set_exception(error)
        else:  # this thread is being stopped; those that wait compute it themselves
            mine.cancel()
        raise
    with own.LOCK:
        _put(key, value)
        del _RUNNING[key]
    mine.set_result(value)
    return value


def clear() -> None:
    """Empty the cache."""
    with own.LOCK:
        CACHE.clear()
