"""Resource limits: memory, threads, sizes.

They suit Streamlit Community Cloud, where an app has about 1 GB and a fraction of a core. Python
and its libraries take about 250 MB, results at most 117 MB; the rest is for computations that run
at the same time.
"""

from __future__ import annotations

import functools
import gc
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import threadpoolctl

from lapviz import memory

HOST_BYTES = 10**9  # that the whole server may hold at any time
RESULTS = 112 * 2**20  # all results that are kept, of all sessions together
OWN_RESULTS = 64 * 2**20  # of that, those of one visitor's own data
DATA = 320 * 2**20  # of all that visitors bring themselves
OWN_DATA = 224 * 2**20  # of that, one visitor's
BLAS_THREADS = 1  # sessions are threads already; with more, short requests wait for long ones
COLLECT = 1.0  # seconds between two collections of garbage, at least
AMPLE = 400 * 2**20  # bytes in memory, beyond which free pages go back after a collection
# glibc's malloc.h: number and value of each option. Few arenas hold few free bytes. Blocks of a
# computation are taken from the heap, whose pages stay: to map them anew each time would take a
# third of a kernel matrix's time. Larger arrays, which last, are mapped: they leave no holes.
MALLOC = {"M_ARENA_MAX": (-8, 2), "M_MMAP_THRESHOLD": (-3, 2**20),
          "M_TRIM_THRESHOLD": (-1, 8 * 2**20)}  # fmt: skip

MAX_LANDMARKS = 2000
EXACT_BYTES = 128 * 2**20  # of the exact estimate's two matrices
MAX_GRAPH_SAMPLES = 20_000  # of larger data a subsample; the page says so
MAX_DENSE_GRAPH_SAMPLES = 3000
MAX_DRAWN = 3000  # points in a picture
LOCAL_MODES = 64  # modes that the browser combines by itself
MAX_COLUMNS = 48  # labels whose exact representers are sent to the browser
GRID_LARGE, GRID_SMALL = 72, 48  # grid nodes per side with up to three panels, with sixteen


_IMPORTED = threading.Event()  # to ask gc for it would take as long as a collection
_COLLECTING = threading.Lock()
_LAST = {"collected": time.monotonic()}


def spare_memory() -> bool:
    """Let glibc keep few arenas, and pages for what comes next; whether it could be told.

    Threads come and go with every visitor's run; by default each may get an arena of its own, and
    what is freed there stays with the process. Other C libraries do without, and are left alone.
    The earlier the better: arenas that there are already stay.
    """
    libc = memory.glibc()
    return libc is not None and all(libc.mallopt(*option) for option in MALLOC.values())


@contextmanager
def importing() -> Iterator[None]:
    """At the first visit: import without collecting garbage, and keep it from later collections.

    Most of a collection's time goes over modules and classes, which never become garbage, while
    other visitors wait for the interpreter.
    """
    if _IMPORTED.is_set():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _IMPORTED.set()
        gc.freeze()
        gc.enable()


def collect() -> None:
    """Collect garbage and give free pages back, unless that was done a moment ago.

    In place of Streamlit's full collection after every run (``runner.postScriptGC``), which
    sixteen visitors ask for several times a second.
    """
    if not _COLLECTING.acquire(blocking=False):
        return
    try:
        if time.monotonic() - _LAST["collected"] >= COLLECT:
            gc.collect()
            with suppress(OSError):  # where the system does not say
                if memory.resident()[0] > AMPLE:
                    memory.release_free_memory()
            _LAST["collected"] = time.monotonic()
    finally:
        _COLLECTING.release()


@functools.cache
def prepare() -> None:
    """Once for the process: limit BLAS's threads, and keep visitors' data off disk and log.

    Of an upload only 1 MB would stay in memory; warnings about a fit's data name columns and
    classes.
    """
    from lapviz.estimators.advice import DataWarning  # not before the opening is shown
    from lapviz.explorer.host import _streamlit
    from lapviz.tables.limits import LIMITS

    threadpoolctl.threadpool_limits(BLAS_THREADS)
    _streamlit.keep_uploads_in_memory(2 * LIMITS.bytes)
    warnings.filterwarnings("ignore", category=DataWarning)
