"""Many visitors on a server of 1 GB: how long they wait, what it holds, what an answer costs.

A limit of the kernel's on virtual memory would count stacks and reserved heaps that are never
touched. So the server is watched, and killed when its resident memory passes the limit, as a host
does.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import asdict

from benchmarks.cases import Row, held
from benchmarks.live.visitor import Visits, crowd
from benchmarks.process import ONE_THREAD, cpu_seconds, process_of, resident
from benchmarks.streamlit_server import serve
from lapviz.explorer.host.limits import HOST_BYTES

CROWDS = (16, 75.0), (20, 120.0)  # visitors and seconds
OF_SAMPLES = 16, 75.0  # who move n and noise, and of whom a fifth leaves and comes back
P50, P95, WHOLE_MB = 1.0, 3.0, 600  # bounds of the first crowd
LOOK = 1.0  # seconds between two looks at the server's memory
WARM = 60.0  # seconds after which its memory should no longer grow
GROWTH_MB = 60


class Watch:
    """Memory of a process over time; it is killed when it holds more than ``limit`` bytes."""

    def __init__(self, process: int, limit: float):
        self.process, self.limit, self.start = process, limit, time.monotonic()
        self.samples: list[tuple[float, float]] = []  # (seconds, MB)
        self.killed, self._end = False, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        with suppress(OSError):  # it has ended
            while not self._end.wait(LOOK):
                now, _ = resident(self.process)
                self.samples.append((time.monotonic() - self.start, now / 1e6))
                if now > self.limit:
                    self.killed = True
                    os.kill(self.process, signal.SIGKILL)
                    return

    @property
    def growth(self) -> float | None:
        """MB by which the last quarter's mean is above that of the same time after the warm-up."""
        if not self.samples or self.samples[-1][0] < 1.5 * WARM:
            return None
        end = self.samples[-1][0]
        span = (end - WARM) / 2
        early = [mb for at, mb in self.samples if WARM <= at < WARM + span]
        late = [mb for at, mb in self.samples if at >= end - span]
        return sum(late) / len(late) - sum(early) / len(early)


def visitors(say=print) -> tuple[list[Row], dict]:
    rows, measured = [], {}
    for number, seconds in CROWDS:
        say(f"  {number} visitors, {seconds:.0f} s")
        new, values = one_crowd(number, seconds)
        rows += new
        for error in values["errors"]:
            say(f"    {error}")
        measured[f"{number} visitors"] = values
    return rows, measured


def visitors_of_samples(say=print) -> tuple[list[Row], dict]:
    rows, values = one_crowd(*OF_SAMPLES, samples_too=True)
    for error in values["errors"]:
        say(f"    {error}")
    return rows, values


def one_crowd(number: int, seconds: float, samples_too: bool = False) -> tuple[list[Row], dict]:
    """Rows and all measurements of one crowd on a server of its own."""
    with serve(variables=ONE_THREAD) as address:
        process = process_of(address)
        with Watch(process, HOST_BYTES) as watch:
            before, start = cpu_seconds(process), time.monotonic()
            seen = crowd(address, number, seconds, samples_too)
            spent = time.monotonic() - start
            if watch.killed:
                raise RuntimeError(f"{number} visitors: the server passed {HOST_BYTES / 1e6:g} MB.")
            cpu, peak = cpu_seconds(process) - before, resident(process)[1] / 1e6
    rows = rows_of(number, seconds, seen, watch, cpu, peak)
    answers = [asdict(answer) for answer in seen.answers]
    values = {"answers": answers, "errors": seen.errors, "cpu": cpu, "seconds": spent}
    values |= {"received": seen.received, "memory": watch.samples, "peak": peak}
    return rows, values


def rows_of(
    number: int, seconds: float, seen: Visits, watch: Watch, cpu: float, peak: float
) -> list[Row]:
    """The table's lines of one crowd; bounds are the first crowd's."""
    who, first = f"{number} visitors for {seconds:.0f} s", number == CROWDS[0][0]
    count, p50, p95 = len(seen.of()), seen.median, seen.quantile(0.95)
    worst, growth = max(seen.of(), default=float("nan")), watch.growth
    flat = "" if growth is None else f", {growth:+.0f} after the first minute"
    if first:
        memory = held(peak, "≤", WHOLE_MB, "MB")
    else:
        memory = {"bound": f"growth ≤ {GROWTH_MB} MB",
                  "ok": growth is not None and growth <= GROWTH_MB}  # fmt: skip
    return [
        Row(f"{who}: move to exact answer, median", f"{p50:.2f} s", ratio=p50,
            **held(p50, "≤", P50, "s") if first else {}),
        Row(f"{who}: 95 % (worst {worst:.1f} s)", f"{p95:.2f} s", ratio=p95,
            **held(p95, "≤", P95, "s") if first else {}),
        Row(f"{who}: answers, and errors or wrong pictures", f"{count}, {len(seen.errors)}",
            ratio=float(len(seen.errors)), bound="none", ok=not seen.errors),
        Row(f"{who}: CPU of the server, data", f"{cpu / max(count, 1):.3f} s an answer",
            f"{seen.received / 1e6 / max(count, 1):.2f} MB an answer"),
        Row(f"{who}: peak memory{flat}", f"{peak:.0f} MB", ratio=peak, **memory),
    ]  # fmt: skip
