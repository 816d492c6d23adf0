"""A cache for all sessions; :mod:`lapviz.explorer.host.store` keeps the results.

A step is a function of hashable records, which are its key. If two sessions need the same step at
the same time, the second waits for the first. The times of the steps of a fit are kept as well.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field

from lapviz.explorer.compute import queue
from lapviz.explorer.host.store import STORE
from lapviz.progress import Cancelled, report

PATIENCE = 0.25  # seconds between two checks whether a waiting visitor has left
_MISSING = object()
_RUNNING: dict[tuple, Future] = {}  # under the store's lock


def step(function: Callable | None = None, *, most: int | None = None) -> Callable:
    """Cache the last ``most`` results of a function under its positional, hashable arguments."""
    if function is None:
        return functools.partial(step, most=most)

    @functools.wraps(function)
    def cached(*arguments: object) -> object:
        return once(_key(function, arguments), lambda: function(*arguments), most)

    return cached


def once(key: tuple, compute: Callable[[], object], most: int | None = None) -> object:
    """Value of a hashable key from the cache; computed if it is not there."""
    while True:
        with STORE.lock:
            if (value := STORE.find(key, _MISSING)) is not _MISSING:
                return value
            running = _RUNNING.get(key)
            if running is None:
                future = _RUNNING[key] = Future()
                break
        with queue.slot_released(), suppress(TimeoutError, CancelledError):
            running.exception(PATIENCE)  # this thread may get its slot back only with the result
        if not running.done():  # a report raises Cancelled if this visitor has left
            report("waiting for the same computation", 0)
            continue
        try:
            return running.result()
        except CancelledError:  # the computing thread was stopped: compute the value here
            continue
    try:
        value = compute()
        STORE.keep(key, value, most)
        future.set_result(value)
        return value
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(error, Cancelled):
            future.set_exception(error)
        else:  # this thread is being stopped; waiting threads compute the value
            future.cancel()
        raise
    finally:
        with STORE.lock:
            del _RUNNING[key]


def peek(function: Callable, *arguments: object) -> object | None:
    """Cached value of a step; None if it would have to be computed."""
    return STORE.find(_key(function.__wrapped__, arguments))


def _key(function: Callable, arguments: tuple) -> tuple:
    return f"{function.__module__}.{function.__qualname__}", *arguments


clear = STORE.clear


# Steps of a fit, with the times that they took.


@dataclass(frozen=True, eq=False)
class Timed:
    """A result, and the seconds that each step behind it took when it was computed."""

    value: object
    costs: dict[object, float]

    @property
    def seconds(self) -> float:
        """Total of these times."""
        return sum(self.costs.values())


@dataclass
class _Running:
    """The step that a thread computes: costs of the steps behind it, and seconds spent in them."""

    costs: dict[object, float] = field(default_factory=dict)
    elsewhere: float = 0.0


_THREAD = threading.local()


def timed(compute: Callable[[], object], key: object = None) -> Timed:
    """Call a function and measure its time, without that of the steps that it needs."""
    outer, current = getattr(_THREAD, "running", None), _Running()
    _THREAD.running, start = current, time.perf_counter()
    try:
        value = compute()
    finally:
        _THREAD.running = outer
    own_seconds = time.perf_counter() - start - current.elsewhere
    return Timed(value, current.costs | {key: own_seconds})


def memo(key: tuple, compute: Callable):
    """The memo of :class:`lapviz.fit.Sample`: the explorer's cache."""
    start, running = time.perf_counter(), getattr(_THREAD, "running", None)
    timed_result = once(("step of a fit", key), lambda: timed(compute, key))
    if running is not None:
        running.costs.update(timed_result.costs)
        running.elsewhere += time.perf_counter() - start
    return timed_result.value
