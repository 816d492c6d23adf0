"""Time and memory of one task, measured in the process that runs it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import threadpoolctl

from benchmarks.process import peak_mb


@dataclass(frozen=True)
class Task:
    """The work of a child process.

    Attributes
    ----------
    timed : dict of callables without arguments; run alternately, in rounds
    facts : callable, from the results of the last round (a dict with the same keys) to further
        numbers or strings, or lists of them (accuracies, eigenvalues)
    warm_up : callable, run once before, so that compilation and late imports are not timed
    """

    timed: dict[str, Callable[[], object]]
    facts: Callable[[dict], dict] = lambda results: {}
    warm_up: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Measurement:
    """Time and memory of a task.

    Attributes
    ----------
    seconds : dict, median CPU seconds of each timed call
    runs : dict, all times in order
    peak_mb : float, peak resident memory of the process, in units of 10⁶ bytes
    before_mb : float, its peak after loading libraries and data, before the timed calls
    threads : int, size of the largest BLAS or OpenMP pool
    facts : dict
    """

    seconds: dict[str, float]
    runs: dict[str, list[float]]
    peak_mb: float
    before_mb: float
    threads: int = 1
    facts: dict = field(default_factory=dict)


def measure(task: Task, repeats: int) -> Measurement:
    """Run a task in this process; times are CPU seconds of all its threads."""
    task.warm_up()
    before = peak_mb()
    runs: dict[str, list[float]] = {name: [] for name in task.timed}
    results: dict[str, object] = {}
    for _ in range(repeats):
        for name, call in task.timed.items():
            results.pop(name, None)  # must not count as memory of this round
            start = time.process_time()
            results[name] = call()
            runs[name].append(time.process_time() - start)
    peak = peak_mb()
    seconds = {name: statistics.median(times) for name, times in runs.items()}
    pools = (pool["num_threads"] for pool in threadpoolctl.threadpool_info())
    threads = max(pools, default=1)
    return Measurement(seconds, runs, peak, before, threads, task.facts(results))
