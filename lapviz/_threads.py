"""Threads for work that holds no lock of Python: faiss, sparse products, large arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Call = TypeVar("Call")
Found = TypeVar("Found")


def cores() -> int:
    """How many computations can run at the same time here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    function: Callable[[Call], Found],
    calls: Iterable[Call],
    begin: Callable[[], object] = lambda: None,
) -> Generator[Found, None, None]:
    """What a function makes of each argument, in their order, by as many threads as cores.

    Parameters
    ----------
    function : callable
        Of one argument.
    calls : iterable
        The arguments.
    begin : callable, optional
        Called once by each thread, before all else.

    Yields
    ------
    object
        Each result, in the thread that asks. Close the generator to give up what has not begun.
    """
    pool = ThreadPoolExecutor(cores(), initializer=begin)
    try:
        yield from pool.map(function, calls)
    finally:
        pool.shutdown(cancel_futures=True)
