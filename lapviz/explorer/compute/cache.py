"""Steps of all sessions, each computed once: :mod:`lapviz.explorer.host.store` keeps the results.

A step is a function of hashable records, which are its key. What two sessions ask for at the same
time is computed once: the second waits for the first. Of steps of a fit the time is kept as well.
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

PATIENCE = 0.25  # seconds between two looks at whether a visitor who waits has left
_MISSING = object()
_RUNNING: dict[tuple, Future] = {}  # under the store's lock


def step(function: Callable | None = None, *, most: int | None = None) -> Callable:
    """Cache a function under its arguments, positional and hashable; the last ``most`` results."""
    if function is None:
        return functools.partial(step, most=most)

    @functools.wraps(function)
    def cached(*arguments: object) -> object:
        return once(_key(function, arguments), lambda: function(*arguments), most)

    return cached


def once(key: tuple, compute: Callable[[], object], most: int | None = None) -> object:
    """What is kept under a hashable key; computed if nothing is."""
    while True:
        with STORE.lock:
            if (value := STORE.find(key, _MISSING)) is not _MISSING:
                return value
            running = _RUNNING.get(key)
            if running is None:
                mine = _RUNNING[key] = Future()
                break
        with queue.slot_released(), suppress(TimeoutError, CancelledError):
            running.exception(PATIENCE)  # the slot may be back only when the result is there
        if not running.done():  # ask whether this visitor still wants it
            report("waiting for the same computation", 0)
            continue
        try:
            return running.result()
        except CancelledError:  # the thread that computed it was stopped: compute it here
            continue
    try:
        value = compute()
    except BaseException as error:
        with STORE.lock:
            del _RUNNING[key]
        if isinstance(error, Exception) and not isinstance(error, Cancelled):
            mine.set_exception(error)
        else:  # this thread is being stopped; those that wait compute it themselves
            mine.cancel()
        raise
    with STORE.lock:
        STORE.keep(key, value, most)
        del _RUNNING[key]
    mine.set_result(value)
    return value


def peek(function: Callable, *arguments: object) -> object | None:
    """What is kept of a step; None if it would have to be computed."""
    return STORE.find(_key(function.__wrapped__, arguments))


def _key(function: Callable, arguments: tuple) -> tuple:
    return f"{function.__module__}.{function.__qualname__}", *arguments


clear = STORE.clear


# Steps of a fit, and how long a fit took that rests on them.


@dataclass(frozen=True, eq=False)
class Timed:
    """A result, and the seconds of every step that it rests on, each as long as it once took."""

    value: object
    costs: dict[object, float]

    @property
    def seconds(self) -> float:
        """All of them together."""
        return sum(self.costs.values())


@dataclass
class _Running:
    """The step that a thread computes: what it rests on, and seconds that passed in other steps."""

    costs: dict[object, float] = field(default_factory=dict)
    elsewhere: float = 0.0


_THREAD = threading.local()


def timed(compute: Callable[[], object], key: object = None) -> Timed:
    """Call a function and measure the time."""
    outer, here = getattr(_THREAD, "running", None), _Running()
    _THREAD.running, start = here, time.perf_counter()
    try:
        value = compute()
    finally:
        _THREAD.running = outer
    own = time.perf_counter() - start - here.elsewhere
    return Timed(value, here.costs | {key: own})


def memo(key: tuple, compute: Callable):
    """The memo of :class:`lapviz.fit.Sample`: the explorer's cache."""
    start, running = time.perf_counter(), getattr(_THREAD, "running", None)
    found = once(("step of a fit", key), lambda: timed(compute, key))
    if running is not None:
        running.costs.update(found.costs)
        running.elsewhere += time.perf_counter() - start
    return found.value
