"""Independent computations through joblib: progress, cancelling, the same results in any order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from lapviz._sklearn import abort, delayed, unordered_parallel
from lapviz._sklearn import is_sequential as asks_for_one

LOOK = 0.25  # seconds between two looks at whether the work is still wanted

Found = TypeVar("Found")


def is_alone(n_jobs: int | None, n_calls: int) -> bool:
    """Whether the calls run in this process, one after the other."""
    return n_calls < 2 or asks_for_one(n_jobs)


def each(
    function: Callable[..., Found],
    calls: Sequence[tuple],
    n_jobs: int | None = None,
    look: Callable[[], object] = lambda: None,
) -> Iterator[tuple[int, Found]]:
    """Call a function with each tuple of arguments.

    Parameters
    ----------
    function : callable
        Pickled, as are its arguments, where there are several processes.
    calls : sequence of tuples
        Arguments of each call.
    n_jobs : int, optional
        Processes; None takes what ``joblib.parallel_config`` says, by default one.
    look : callable
        Called while waiting; what it raises ends the work.

    Yields
    ------
    i, found : int, object
        Number and result of each call, as they are done.
    """
    if is_alone(n_jobs, len(calls)):
        for i, arguments in enumerate(calls):
            yield i, function(*arguments)
        return
    ends: queue.Queue = queue.Queue()
    stop = threading.Event()
    parallel = unordered_parallel(n_jobs)  # made in this thread; a thread of its own waits for it
    left = (
        delayed(_numbered)(function, arguments, i)
        for i, arguments in enumerate(calls)
        if not stop.is_set()
    )
    threading.Thread(target=_collect, args=(parallel, left, ends), daemon=True).start()
    try:
        while True:
            try:
                found = ends.get(timeout=LOOK)
            except queue.Empty:
                look()
                continue
            if isinstance(found, BaseException):
                raise found
            if found is None:
                return
            yield found
    except BaseException:
        stop.set()
        abort(parallel)
        raise


def in_order(numbered: Iterator[tuple[int, Found]]) -> Iterator[Found]:
    """The results in the order of the calls, each as soon as it and those before are there."""
    early: dict[int, Found] = {}
    following = 0
    for i, found in numbered:
        early[i] = found
        while following in early:
            yield early.pop(following)
            following += 1


def _numbered(function: Callable[..., Found], arguments: tuple, i: int) -> tuple[int, Found]:
    return i, function(*arguments)


def _collect(parallel: Any, calls: Iterator, ends: queue.Queue) -> None:
    try:
        for found in parallel(calls):
            ends.put(found)
        ends.put(None)
    except BaseException as error:  # also what ended the workers: who waits is told
        ends.put(error)
