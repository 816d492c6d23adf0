"""Time and memory of one task in a process of its own.

``python -m lapviz.bench.measure`` is the child: it reads a task's name and options from its
command line, and writes a :class:`Measurement` to its standard output as one line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import threadpoolctl

THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
_MARK = "lapviz-bench:"  # before the line of JSON, among whatever else a library prints


@dataclass(frozen=True)
class Task:
    """What a child does.

    Attributes
    ----------
    timed : dict of callables without arguments; run in turn, round after round
    facts : callable, from the results of the last round (a dict under the same names) to what
        else is worth knowing (accuracies, eigenvalues): numbers, strings, lists of them
    warm_up : callable, run once before; compiles, and imports what is imported late
    """

    timed: dict[str, Callable[[], object]]
    facts: Callable[[dict], dict] = lambda results: {}
    warm_up: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Measurement:
    """What a child found.

    Attributes
    ----------
    seconds : dict, median CPU seconds of each timed call
    runs : dict, all of them in order
    peak_mb : float, peak resident memory of the process, in units of 10⁶ bytes
    before_mb : float, its peak when libraries and data were there and nothing was timed yet
    threads : int, that the widest BLAS or OpenMP pool may use
    facts : dict
    """

    seconds: dict[str, float]
    runs: dict[str, list[float]]
    peak_mb: float
    before_mb: float
    threads: int = 1
    facts: dict = field(default_factory=dict)


class CaseFailed(RuntimeError):
    """A child did not end well; the message is the end of what it said."""


def peak_mb() -> float:
    """Peak resident memory of this process, in units of 10⁶ bytes.

    On Linux from the process's own high-water mark: ``ru_maxrss`` there also remembers the parent
    from which the process was started.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        kib = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
        return int(kib) * 1024 / 1e6
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure(task: Task, repeats: int) -> Measurement:
    """Run a task here and now; times are CPU seconds of this process, all threads together."""
    task.warm_up()
    before = peak_mb()
    runs: dict[str, list[float]] = {name: [] for name in task.timed}
    results: dict[str, object] = {}
    for _ in range(repeats):
        for name, call in task.timed.items():
            results.pop(name, None)  # the last round's result must not count as this one's memory
            start = time.process_time()
            results[name] = call()
            runs[name].append(time.process_time() - start)
    peak = peak_mb()
    seconds = {name: statistics.median(times) for name, times in runs.items()}
    pools = (pool["num_threads"] for pool in threadpoolctl.threadpool_info())
    threads = max(pools, default=1)
    return Measurement(seconds, runs, peak, before, threads, task.facts(results))


def in_child(task: str, options: dict, repeats: int = 5, timeout: float = 3600) -> Measurement:
    """Run :func:`lapviz.bench.tasks.<task>(**options)` in a fresh process with one BLAS thread.

    Raises
    ------
    CaseFailed
        If the process fails, is killed, or takes longer than ``timeout`` seconds.
    """
    order = json.dumps({"task": task, "options": options, "repeats": repeats})
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1")}
    command = [sys.executable, "-m", "lapviz.bench.measure", order]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        raise CaseFailed(f"{task}: no answer within {timeout:g} s.") from None
    answers = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if done.returncode or not answers:
        last = done.stderr.strip().splitlines()[-1:] or ["it wrote no error message"]
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
        raise CaseFailed(f"{task}: {last[0]} ({how}).")
    return Measurement(**json.loads(answers[-1][len(_MARK) :]))


def main(order: str) -> None:
    from lapviz.bench import tasks

    wanted = json.loads(order)
    with threadpoolctl.threadpool_limits(1):
        task = getattr(tasks, wanted["task"])(**wanted["options"])
        found = measure(task, wanted["repeats"])
    print(_MARK + json.dumps(asdict(found)))


if __name__ == "__main__":
    main(sys.argv[1])
