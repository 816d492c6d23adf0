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

HOST_BYTES = 10**9  # memory limit of the server
RESULTS = 112 * 2**20  # cached results of all sessions together
OWN_RESULTS = 96 * 2**20  # share of own data in these, for the only visitor who has any
DATA = 320 * 2**20  # data of all visitors together
OWN_DATA = 224 * 2**20  # share of one visitor in these
BLAS_THREADS = 1  # sessions are threads already; with more, short requests wait for long ones
COLLECT = 1.0  # minimal number of seconds between two garbage collections
AMPLE = 400 * 2**20  # resident bytes beyond which free pages are returned after a collection
# Number (glibc's malloc.h) and value of each option. Few arenas hold few free bytes. Blocks of a
# computation come from the heap, whose pages stay: mapping them anew each time would take a third
# of a kernel matrix's time. Larger, longer-lived arrays are mapped, and so leave no holes.
MALLOC = {"M_ARENA_MAX": (-8, 2), "M_MMAP_THRESHOLD": (-3, 2**20),
          "M_TRIM_THRESHOLD": (-1, 8 * 2**20)}  # fmt: skip

MAX_LANDMARKS = 2000
EXACT_BYTES = 128 * 2**20  # the exact estimate's two matrices
MAX_GRAPH_SAMPLES = 20_000  # larger data are subsampled; the page says so
MAX_DENSE_GRAPH_SAMPLES = 3000
MAX_DRAWN = 3000  # points in a picture
LOCAL_MODES = 64  # modes that the browser combines
# Labels whose exact representers are sent to the browser: as many as it solves for, and numbers.
MAX_COLUMNS, COLUMN_NUMBERS = 160, 400_000
GRID_LARGE, GRID_SMALL = 72, 48  # grid nodes per side: with up to three panels, with sixteen


_IMPORTED = threading.Event()  # asking gc would take as long as a collection
_COLLECTING = threading.Lock()
_LAST = {"collected": time.monotonic()}


def spare_memory() -> bool:
    """Limit glibc's arenas, and let it keep pages for reuse; return whether that worked.

    Threads come and go with every visitor's run. By default each may get its own arena, whose freed
    memory stays with the process. Other C libraries have no such arenas and are left alone. To be
    called early: existing arenas stay.
    """
    libc = memory.glibc()
    return libc is not None and all(libc.mallopt(*option) for option in MALLOC.values())


@contextmanager
def importing() -> Iterator[None]:
    """At the first visit, import without garbage collection, and exempt the imports from it later.

    Otherwise most of a collection's time is spent on modules and classes, which never become
    garbage, while other visitors wait for the interpreter.
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
    """Collect garbage and return free pages, unless that was done a moment ago.

    Replaces Streamlit's full collection after every run (``runner.postScriptGC``), which would
    happen several times a second with sixteen visitors.
    """
    if not _COLLECTING.acquire(blocking=False):
        return
    try:
        if time.monotonic() - _LAST["collected"] >= COLLECT:
            gc.collect()
            with suppress(OSError):  # where the system does not report it
                if memory.resident()[0] > AMPLE:
                    memory.release_free_memory()
            _LAST["collected"] = time.monotonic()
    finally:
        _COLLECTING.release()


@functools.cache
def prepare() -> None:
    """Once per process: limit BLAS's threads, and keep visitors' data off disk and log.

    By default, only 1 MB of an upload stays in memory; warnings about a fit's data name columns and
    classes.
    """
    from lapviz.estimators.advice import DataWarning  # not before preload.show
    from lapviz.explorer.host import _streamlit
    from lapviz.tables.limits import LIMITS

    threadpoolctl.threadpool_limits(BLAS_THREADS)
    _streamlit.keep_uploads_in_memory(2 * LIMITS.bytes)
    warnings.filterwarnings("ignore", category=DataWarning)
