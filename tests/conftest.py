"""One BLAS thread for the whole suite, an orderly end, and the time that each part of it took."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # same numbers everywhere, and no threads that spin

MAIN = sys.modules["__main__"]
SECONDS: Counter[str] = Counter()
TESTS: Counter[str] = Counter()


def pytest_configure(config):
    signal.signal(signal.SIGTERM, _stop)


def pytest_runtest_setup(item):
    """Streamlit's AppTest leaves its script, deleted by then, as the main module, which processes
    that are spawned later would import."""
    sys.modules["__main__"] = MAIN


def _stop(number, frame, process=os.getpid()):  # noqa: B008
    """A run that is told to end takes its servers and browsers with it, as after Ctrl+C."""
    if os.getpid() != process:  # a child that was forked
        os._exit(128 + number)
    raise KeyboardInterrupt


def pytest_runtest_logreport(report):
    part = next((part for part in ("browser", "slow") if part in report.keywords), "fast")
    SECONDS[part] += report.duration
    TESTS[part] += report.when == "call"


def pytest_terminal_summary(terminalreporter):
    if not SECONDS:
        return
    parts = (f"{part} {TESTS[part]} in {SECONDS[part]:.0f} s" for part in SECONDS)
    terminalreporter.write_line("Tests run by part: " + ", ".join(parts))
