"""Many visitors on a server with 1 GB: their waiting times, its memory, and the cost of an answer.

The kernel's limit on virtual memory would count stacks and reserved heaps that are never touched.
So the server is watched, and killed when its resident memory exceeds the limit, as by a host.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import asdict

from benchmarks.cases import Row, verdict
from benchmarks.live.page import Measured
from benchmarks.live.visitor import Visits, crowd
from benchmarks.process import ONE_THREAD, cpu_seconds, process_of, resident
from benchmarks.streamlit_server import serve
from lapviz.explorer.host.limits import HOST_BYTES

CROWDS = (16, 75.0), (20, 120.0)  # visitors and seconds
SAMPLE_CROWD = 16, 75.0  # visitors who change n and noise; a fifth of them leaves and comes back
P50, P95, WHOLE_MB = 1.0, 3.0, 600  # bounds of the first crowd
PERIOD = 1.0  # seconds between two readings of the server's memory
WARM = 60.0  # seconds after which its memory should no longer grow
GROWTH_MB = 60


class Watch:
    """Record the memory of a process over time; kill it above ``limit`` bytes."""

    def __init__(self, process: int, limit: float):
        self.process, self.limit, self.start = process, limit, time.monotonic()
        self.samples: list[tuple[float, float]] = []  # (seconds, MB)
        self.killed, self._end = False, threading.Event()
        self._thread = threading.Thread(target=self._record, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._end.set()
        self._thread.join()

    def _record(self) -> None:
        with suppress(OSError):  # it has ended
            while not self._end.wait(PERIOD):
                current, _ = resident(self.process)
                self.samples.append((time.monotonic() - self.start, current / 1e6))
                if current > self.limit:
                    self.killed = True
                    os.kill(self.process, signal.SIGKILL)
                    return

    @property
    def growth(self) -> float | None:
        """Growth in MB of the mean from the first to the second half of the time after warm-up."""
        if not self.samples or self.samples[-1][0] < 1.5 * WARM:
            return None
        end = self.samples[-1][0]
        span = (end - WARM) / 2
        early = [mb for at, mb in self.samples if WARM <= at < WARM + span]
        late = [mb for at, mb in self.samples if at >= end - span]
        return sum(late) / len(late) - sum(early) / len(early)


def visitors(log=print) -> Measured:
    rows, measured = [], {}
    for n_visitors, seconds in CROWDS:
        log(f"  {n_visitors} visitors, {seconds:.0f} s")
        new_rows, measured[f"{n_visitors} visitors"] = one_crowd(log, n_visitors, seconds)
        rows += new_rows
    return rows, measured


def visitors_of_samples(log=print) -> Measured:
    return one_crowd(log, *SAMPLE_CROWD, samples_too=True)


def one_crowd(log, n_visitors: int, seconds: float, samples_too: bool = False) -> Measured:
    """Rows and all measurements of one crowd on its own server; its errors are logged."""
    with serve(variables=ONE_THREAD) as address:
        process = process_of(address)
        with Watch(process, HOST_BYTES) as watch:
            before, start = cpu_seconds(process), time.monotonic()
            visits = crowd(address, n_visitors, seconds, samples_too)
            elapsed = time.monotonic() - start
            if watch.killed:
                limit = f"{HOST_BYTES / 1e6:g} MB"
                raise RuntimeError(f"{n_visitors} visitors: the server exceeded {limit}.")
            cpu, peak = cpu_seconds(process) - before, resident(process)[1] / 1e6
    for error in visits.errors:
        log(f"    {error}")
    rows = rows_of(n_visitors, seconds, visits, watch, cpu, peak)
    answers = [asdict(answer) for answer in visits.answers]
    values = {"answers": answers, "errors": visits.errors, "cpu": cpu, "seconds": elapsed}
    values |= {"received": visits.received, "memory": watch.samples, "peak": peak}
    return rows, values


def rows_of(
    n_visitors: int, seconds: float, visits: Visits, watch: Watch, cpu: float, peak: float
) -> list[Row]:
    """The table's rows for one crowd; only the first crowd has bounds."""
    label, is_first = f"{n_visitors} visitors for {seconds:.0f} s", n_visitors == CROWDS[0][0]
    count, p50, p95 = len(visits.of()), visits.median, visits.quantile(0.95)
    worst, growth = max(visits.of(), default=float("nan")), watch.growth
    drift = "" if growth is None else f", {growth:+.0f} after the first minute"
    if is_first:
        memory = verdict(peak, "≤", WHOLE_MB, "MB")
    else:
        memory = {"bound": f"growth ≤ {GROWTH_MB} MB",
                  "ok": growth is not None and growth <= GROWTH_MB}  # fmt: skip
    return [
        Row(f"{label}: move to exact answer, median", f"{p50:.2f} s", ratio=p50,
            **verdict(p50, "≤", P50, "s") if is_first else {}),
        Row(f"{label}: 95 % (worst {worst:.1f} s)", f"{p95:.2f} s", ratio=p95,
            **verdict(p95, "≤", P95, "s") if is_first else {}),
        Row(f"{label}: answers, and errors or wrong pictures", f"{count}, {len(visits.errors)}",
            ratio=float(len(visits.errors)), bound="none", ok=not visits.errors),
        Row(f"{label}: CPU of the server, data", f"{cpu / max(count, 1):.3f} s an answer",
            f"{visits.received / 1e6 / max(count, 1):.2f} MB an answer"),
        Row(f"{label}: peak memory{drift}", f"{peak:.0f} MB", ratio=peak, **memory),
    ]  # fmt: skip
