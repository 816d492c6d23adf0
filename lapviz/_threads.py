"""Threads for work that releases the GIL: faiss, sparse products, large arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def cores() -> int:
    """Number of CPU cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parallel_map(
    function: Callable[[Argument], Result],
    arguments: Iterable[Argument],
    initializer: Callable[[], object] = lambda: None,
) -> Generator[Result, None, None]:
    """Map a function over arguments, in order, by as many threads as cores.

    Parameters
    ----------
    function : callable
        Of one argument.
    arguments : iterable
    initializer : callable, optional
        Called once by each thread, first.

    Yields
    ------
    object
        Each result, in the calling thread. Close the generator to cancel calls not yet started.
    """
    pool = ThreadPoolExecutor(cores(), initializer=initializer)
    try:
        yield from pool.map(function, arguments)
    finally:
        pool.shutdown(cancel_futures=True)
