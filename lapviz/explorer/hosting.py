"""Resource limits: memory, threads, sizes.

They suit Streamlit Community Cloud, where an app has about 1 GB and a fraction of a core. Python
and its libraries take about 250 MB, the cache at most 192 MB; the rest is for computations that run
at the same time.
"""

from __future__ import annotations

import functools
import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import threadpoolctl
from starlette.formparsers import MultiPartParser

from lapviz.estimators.advice import DataWarning
from lapviz.tables.limits import LIMITS

HOST_BYTES = 10**9  # that the whole server may hold at any time
CACHE_BYTES = 192 * 2**20  # all cached steps of all sessions together
OWN_BYTES = 320 * 2**20  # of all that visitors bring themselves
VISITOR_BYTES = 224 * 2**20  # of that, one visitor's
OWN_RESULTS = 96 * 2**20  # cached results of visitors' own data
VISITOR_RESULTS = 64 * 2**20  # of that, one visitor's
BLAS_THREADS = 1  # sessions are threads already; with more, short requests wait for long ones

MAX_LANDMARKS = 2000
EXACT_BYTES = 128 * 2**20  # of the exact estimate's two matrices
MAX_GRAPH_SAMPLES = 20_000  # of larger data a subsample; the page says so
MAX_DENSE_GRAPH_SAMPLES = 3000
MAX_DRAWN = 3000  # points in a picture
LOCAL_MODES = 64  # modes that the browser combines by itself
MAX_COLUMNS = 48  # labels whose exact representers are sent to the browser
GRID_LARGE, GRID_SMALL = 72, 48  # grid nodes per side with up to three panels, with sixteen


@contextmanager
def importing() -> Iterator[None]:
    """At the first visit: import without collecting garbage, and keep it from later collections.

    Streamlit collects garbage after every run of a script, while others wait for the interpreter;
    most of that time goes over modules and classes, which never become garbage.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@functools.cache
def prepare() -> None:
    """Once for the process: limit BLAS's threads, and keep visitors' data off disk and log.

    Starlette puts an upload of more than 1 MB into a temporary file while it arrives; warnings
    about the data of a fit name columns and classes.
    """
    threadpoolctl.threadpool_limits(BLAS_THREADS)
    MultiPartParser.spool_max_size = 2 * LIMITS.bytes
    warnings.filterwarnings("ignore", category=DataWarning)
