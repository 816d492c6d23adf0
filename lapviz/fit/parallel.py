"""Independent computations through joblib: progress, cancellation, results in any order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from lapviz._sklearn import abort, delayed, is_sequential, unordered_parallel

POLL_INTERVAL = 0.25  # seconds between two checks for cancellation

Result = TypeVar("Result")


def is_alone(n_jobs: int | None, n_calls: int) -> bool:
    """Whether the calls run sequentially in this process."""
    return n_calls < 2 or is_sequential(n_jobs)


def each(
    function: Callable[..., Result],
    calls: Sequence[tuple],
    n_jobs: int | None = None,
    check: Callable[[], object] = lambda: None,
) -> Iterator[tuple[int, Result]]:
    """Call a function with each tuple of arguments.

    Parameters
    ----------
    function : callable
        Pickled, as are its arguments, where there are several processes.
    calls : sequence of tuples
        Arguments of each call.
    n_jobs : int, optional
        Processes; None takes what ``joblib.parallel_config`` says, by default one.
    check : callable
        Called while waiting; an exception that it raises ends the work.

    Yields
    ------
    i, result : int, object
        Number and result of each call, as they are completed.
    """
    if is_alone(n_jobs, len(calls)):
        for i, arguments in enumerate(calls):
            yield i, function(*arguments)
        return
    results: queue.Queue = queue.Queue()
    stop = threading.Event()
    parallel = unordered_parallel(n_jobs)  # created in this thread; another one waits for it
    tasks = (
        delayed(_numbered)(function, arguments, i)
        for i, arguments in enumerate(calls)
        if not stop.is_set()
    )
    threading.Thread(target=_collect, args=(parallel, tasks, results), daemon=True).start()
    try:
        while True:
            try:
                result = results.get(timeout=POLL_INTERVAL)
            except queue.Empty:
                check()
                continue
            if isinstance(result, BaseException):
                raise result
            if result is None:
                return
            yield result
    except BaseException:
        stop.set()
        abort(parallel)
        raise


def in_order(numbered: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    """Yield results in the order of the calls, each as soon as it and all before it are done."""
    pending: dict[int, Result] = {}
    next_number = 0
    for i, result in numbered:
        pending[i] = result
        while next_number in pending:
            yield pending.pop(next_number)
            next_number += 1


def _numbered(function: Callable[..., Result], arguments: tuple, i: int) -> tuple[int, Result]:
    return i, function(*arguments)


def _collect(parallel: Any, calls: Iterator, results: queue.Queue) -> None:
    try:
        for result in parallel(calls):
            results.put(result)
        results.put(None)
    except BaseException as error:  # also one that ended the workers: raised by the consumer
        results.put(error)
