"""Run one task in its own process, so that time and memory are those of the task alone.

``python -m benchmarks.child`` is the child: it reads a task's name and options from its command
line and writes a :class:`~benchmarks.measure.Measurement` to its standard output as one line of
JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import threadpoolctl

from benchmarks import tasks
from benchmarks.measure import Measurement, measure
from benchmarks.process import ONE_THREAD

ROOT = Path(__file__).parents[1]
_MARK = "lapviz-bench:"  # marks the line of JSON among other output


class CaseFailed(RuntimeError):
    """A child failed; the message is the last line that it wrote."""


def in_child(task: str, options: dict, repeats: int = 5, timeout: float = 3600) -> Measurement:
    """Run ``benchmarks.tasks.<task>(**options)`` in a fresh process with one BLAS thread.

    Raises
    ------
    CaseFailed
        If the process fails, is killed, or takes longer than ``timeout`` seconds.
    """
    request = json.dumps({"task": task, "options": options, "repeats": repeats})
    environment = {**os.environ, **ONE_THREAD}
    command = [sys.executable, "-m", "benchmarks.child", request]
    try:
        child = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            cwd=ROOT,
        )
    except subprocess.TimeoutExpired:
        raise CaseFailed(f"{task}: no answer within {timeout:g} s.") from None
    results = [line for line in child.stdout.splitlines() if line.startswith(_MARK)]
    if child.returncode or not results:
        last = child.stderr.strip().splitlines()[-1:] or ["it wrote no error message"]
        code = child.returncode
        status = f"signal {-code}" if code < 0 else f"exit {code}"
        raise CaseFailed(f"{task}: {last[0]} ({status}).")
    return Measurement(**json.loads(results[-1][len(_MARK) :]))


def main(request: str) -> None:
    """Run the task named in the JSON text (in the child) and print the measurement."""
    settings = json.loads(request)
    with threadpoolctl.threadpool_limits(1):
        task = getattr(tasks, settings["task"])(**settings["options"])
        measurement = measure(task, settings["repeats"])
    print(_MARK + json.dumps(asdict(measurement)))


if __name__ == "__main__":
    main(sys.argv[1])
