"""What a small host can bear, in one place: memory, threads, sizes.

A Streamlit Community Cloud box has about 1 GB and a fraction of a core. Python with its libraries
takes about 250 MB of it, so that the cache below leaves room for a few people's work in progress.
"""

from __future__ import annotations

import functools

import threadpoolctl

CACHE_BYTES = 192 * 2**20  # all cached steps of all sessions together
BLAS_THREADS = 1  # sessions are threads already; more makes short requests wait for long ones

MAX_LANDMARKS = 2000
MAX_GRAPH_SAMPLES = 20_000  # larger data: the graph is built on a subsample, and says so
MAX_DENSE_GRAPH_SAMPLES = 3000
MAX_DRAWN = 3000  # points on a stage
LOCAL_MODES = 64  # modes that the browser mixes by itself
MAX_COLUMNS = 48  # labels whose exact representers the browser gets
GRID_LARGE, GRID_SMALL = 72, 48  # nodes a side: up to three panels, sixteen panels


@functools.cache
def limit_threads() -> None:
    """Hold every BLAS in this process to ``BLAS_THREADS``, once."""
    threadpoolctl.threadpool_limits(BLAS_THREADS)
