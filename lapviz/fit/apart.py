"""What a fit will take, measured in a process of its own.

    sample of the rows, estimator ─> stdin of the child ─> Cost on its stdout

A server's threads would be counted too, and Python may not trace memory beside other threads:
before 3.12.9 and 3.13.2 ``tracemalloc.stop`` lets those crash that allocate at that moment.
Both ends of the pipes are this program, so what goes over them may be pickled.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np
import threadpoolctl

from lapviz import memory, progress
from lapviz.fit.cost import Cost, expected, order

ROWS = 32_000  # sent to the child at most; more are never timed within a few seconds
LOOK = 0.2  # seconds between two looks whether the caller has cancelled


def expected_apart(estimator, X, y=None, *, sample_weight=None, budget: float = 2.0) -> Cost:
    """Like :func:`lapviz.fit.cost.expected`, beside other threads.

    Where no process can be started, the samples are timed in place and their memory is not known:
    what a fit of that many rows returns is then counted as 0 bytes.

    Parameters
    ----------
    estimator : estimator of lapviz or scikit-learn
        Unfitted.
    X : array (n, d)
        All rows.
    y : array (n,), optional
        Labels (-1 for none) or values (NaN for none).
    sample_weight : array (n,), optional
        Weights of the rows.
    budget : float, default=2.0
        Seconds that the samples may take, about. The start of the process comes to them.

    Returns
    -------
    Cost
        Rows, seconds, memory.

    Raises
    ------
    RuntimeError
        If the samples could not be fitted.
    """
    X = np.asarray(X)
    rows = np.sort(order(len(X), y)[:ROWS])
    part = np.ascontiguousarray(X[rows])
    target = None if y is None else np.asarray(y)[rows]
    weights = None if sample_weight is None else np.asarray(sample_weight)[rows]
    options = {"sample_weight": weights, "budget": budget, "n": len(X)}
    threads = min((pool["num_threads"] for pool in threadpoolctl.threadpool_info()), default=1)
    asked = pickle.dumps((estimator, part, target, options, threads))
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "lapviz.fit.apart"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )  # fmt: skip
    except (OSError, ValueError):  # in a browser
        return expected(estimator, part, target, **options, trace=False)
    try:
        answer = _answer(child, asked)
    finally:  # that ends the feeding thread too
        child.kill()
        child.wait()
    if child.returncode or not answer:
        raise RuntimeError("The fit of a small sample failed.")
    return replace(pickle.loads(answer), available=memory.available_memory())


def _answer(child: subprocess.Popen, asked: bytes) -> bytes:
    """What the child says; meanwhile the caller's listener may cancel.

    A thread feeds the child: `communicate`, called again after a timeout, does not go on with what
    the pipe did not take before it, and a child that is slow to start would wait for ever.
    """
    pipe, child.stdin = child.stdin, None
    threading.Thread(target=_feed, args=(pipe, asked), daemon=True).start()
    while True:
        try:
            return child.communicate(timeout=LOOK)[0]
        except subprocess.TimeoutExpired:
            progress.report("time and memory of small samples", 0)


def _feed(pipe: IO[bytes], asked: bytes) -> None:
    try:
        with pipe:
            pipe.write(asked)
    except OSError:  # the child has ended
        pass


def main() -> None:
    """The child."""
    estimator, X, y, options, threads = pickle.load(sys.stdin.buffer)
    assert threading.active_count() == 1
    with threadpoolctl.threadpool_limits(threads):
        found = expected(estimator, X, y, **options)
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
