"""One thread for numbers in the whole suite, an orderly end, and the time that each part took.

Where an extra is not installed, what needs its packages is left out, and the head of the report
says so. With LAPVIZ_REQUIRE_EXTRAS set, that is an error.

What is marked ``long`` (measurements of accuracy, long recipes) runs with LAPVIZ_LONG=1, or where
it is asked for: ``-m long``.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # same numbers everywhere, and no threads that spin
# Compiled once, whatever the environment says: workers, servers and every script that a test starts
# would otherwise compile Streamlit, SciPy and scikit-learn again, half of a short process's time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

gc.disable()  # until all tests are found: nothing to free by then, and much to look through

MAIN = sys.modules["__main__"]
SECONDS: Counter[str] = Counter()
TESTS: Counter[str] = Counter()
AGAIN: list[str] = []  # browser tests that missed once, and why
HERE = Path(__file__).parent
PROCESSES = 4  # at most, with -n auto
NEEDS = {  # folders and files, and packages of extras without which none of their tests can run
    "browser": ("streamlit", "playwright", "axe_playwright_python"),
    "explorer": ("streamlit", "hypothesis"),
    "docs": ("streamlit", "plotly", "distributed"),
    "experiments": ("pyarrow",),
    "figures": ("plotly", "PIL"),
    "pictures": ("PIL",),
    "tables": ("pyarrow", "hypothesis"),
    "benchmarks": ("streamlit", "playwright"),
    "test_docstrings.py": ("numpydoc", "plotly"),
    "test_published_results.py": ("streamlit",),
}
ABSENT = {name: [p for p in needs if find_spec(p) is None] for name, needs in NEEDS.items()}
collect_ignore = [name for name, absent in ABSENT.items() if absent]


def pytest_collection_finish(session):
    gc.collect()
    gc.freeze()
    gc.enable()
    _quiet_streamlit()


def _quiet_streamlit():
    """Two habits of Streamlit cost a tenth of the fast part: pytest attaches itself to each of its
    loggers at every step, and each app reads what all installed packages say of themselves."""
    for name, logger in logging.root.manager.loggerDict.items():
        if name.startswith("streamlit.") and isinstance(logger, logging.Logger):
            logger.propagate = True
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner as scanner

        scanner.scan_component_manifests = cache(scanner.scan_component_manifests)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Whole files beside each other, in their order; not options in pyproject.toml, since
    pytest-xdist is not there with the base install."""
    option = config.option
    if getattr(option, "numprocesses", None):
        option.dist = "loadfile" if option.dist == "no" else option.dist
        option.maxprocesses = option.maxprocesses or PROCESSES
        option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """With -n auto, one more process than cores where there are browser tests: they mostly wait."""
    return min((os.cpu_count() or 1) + ("not browser" not in config.option.markexpr), PROCESSES)


def pytest_ignore_collect(collection_path, config):
    """What a run leaves out anyway need not be read, where whole folders are concerned."""
    without = ("not browser", "not slow and not browser", "not browser and not slow")
    unwanted = config.option.markexpr in without and collection_path == HERE / "browser"
    return True if unwanted else None


def pytest_collection_modifyitems(config, items):
    """The long part is for those who ask for it."""
    if "LAPVIZ_LONG" in os.environ or "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    """A worker of pytest-xdist tells pytest-rerunfailures of each test that may run again in two
    small packets, of which TCP keeps the second for 40 ms if it is not told to send at once."""
    told = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if told is not None and hasattr(session.config, "workerinput"):
        told.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_report_header():
    return [f"left out: {name}, for want of {', '.join(a)}" for name, a in ABSENT.items() if a]


def pytest_configure(config):
    if collect_ignore and "LAPVIZ_REQUIRE_EXTRAS" in os.environ:
        raise pytest.UsageError("; ".join(pytest_report_header()))
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
    part = next((part for part in ("long", "browser", "slow") if part in report.keywords), "fast")
    SECONDS[part] += report.duration
    TESTS[part] += report.when == "call"
    if report.outcome == "rerun":
        AGAIN.append(f"ran once more: {report.nodeid}\n{report.longreprtext[-2000:]}")


def pytest_terminal_summary(terminalreporter):
    if not SECONDS:
        return
    parts = (f"{part} {TESTS[part]} in {SECONDS[part]:.0f} s" for part in SECONDS)
    terminalreporter.write_line("Tests run by part: " + ", ".join(parts))
    for words in AGAIN:
        terminalreporter.write_line(words)
