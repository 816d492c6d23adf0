"""Single-threaded numerics for the full suite, and what each of its parts needs.

Tests that need the packages of a missing extra are skipped, as the head of the report says. With
LAPVIZ_REQUIRE_EXTRAS set, that is an error.

Tests marked ``long`` (measurements of accuracy, long recipes) run with LAPVIZ_LONG=1 or
``-m long``.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # same numbers everywhere, and no spinning threads
# Write bytecode whatever the environment says. Otherwise every worker, server and script compiles
# Streamlit, SciPy and scikit-learn again, which is half of a short process's time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

gc.disable()  # until all tests are collected: before that, little to free and much to scan

MAIN = sys.modules["__main__"]
RERUNS: list[str] = []  # tests that failed once, with their tracebacks
HERE = Path(__file__).parent
PROCESSES = 4  # at most, with -n auto
NEEDS = {  # folders and files, and the optional packages that all of their tests need
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
    """Avoid two costs of Streamlit, a tenth of the fast part: pytest attaches a handler to each of
    its loggers at every step, and each app reads the metadata of all installed packages."""
    for name, logger in logging.root.manager.loggerDict.items():
        if name.startswith("streamlit.") and isinstance(logger, logging.Logger):
            logger.propagate = True
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner as scanner

        scanner.scan_component_manifests = cache(scanner.scan_component_manifests)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Distribute tests by file, in order. The options cannot be in pyproject.toml: pytest-xdist is
    not part of the base install."""
    option = config.option
    if getattr(option, "numprocesses", None):
        option.dist = "loadfile" if option.dist == "no" else option.dist
        option.maxprocesses = option.maxprocesses or PROCESSES
        option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """With -n auto, one more process than cores if there are browser tests, which mostly wait."""
    return min((os.cpu_count() or 1) + ("not browser" not in config.option.markexpr), PROCESSES)


def pytest_ignore_collect(collection_path, config):
    """Do not read the folder of browser tests if the run deselects them anyway."""
    expressions = ("not browser", "not slow and not browser", "not browser and not slow")
    ignored = config.option.markexpr in expressions and collection_path == HERE / "browser"
    return True if ignored else None


def pytest_collection_modifyitems(config, items):
    """Deselect the long part by default."""
    if "LAPVIZ_LONG" in os.environ or "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    """A worker of pytest-xdist reports each test that may be rerun to pytest-rerunfailures in two
    small packets, of which TCP delays the second by 40 ms unless TCP_NODELAY is set."""
    connection = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if connection is not None and hasattr(session.config, "workerinput"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_report_header():
    return [f"skipped: {name}, which needs {', '.join(a)}" for name, a in ABSENT.items() if a]


def pytest_configure(config):
    if collect_ignore and "LAPVIZ_REQUIRE_EXTRAS" in os.environ:
        raise pytest.UsageError("; ".join(pytest_report_header()))


def pytest_runtest_setup(item):
    """Restore the main module: Streamlit's AppTest leaves its deleted script there, and processes
    spawned later would import it."""
    sys.modules["__main__"] = MAIN


def pytest_runtest_logreport(report):
    if report.outcome == "rerun":
        RERUNS.append(f"rerun: {report.nodeid}\n{report.longreprtext[-2000:]}")


def pytest_terminal_summary(terminalreporter):
    for message in RERUNS:
        terminalreporter.write_line(message)
