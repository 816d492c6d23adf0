"""Memory and CPU time of processes, from Linux's /proc."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from urllib.parse import urlsplit

from lapviz.memory import resident

THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
ONE_THREAD = dict.fromkeys(THREAD_VARIABLES, "1")  # environment of measured processes


def peak_mb() -> float:
    """Peak resident memory of this process, in units of 10⁶ bytes.

    On Linux it is read from the process's high-water mark, as ``ru_maxrss`` there includes the
    parent from which the process was started.
    """
    try:
        return resident("self")[1] / 1e6
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def cpu_seconds(process: int) -> float:
    """CPU seconds of all threads of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def process_of(address: str) -> int:
    """Process number of a server started by :func:`~benchmarks.streamlit_server.serve`.

    Raises
    ------
    RuntimeError
        Where processes cannot be inspected.
    """
    flag = f"--server.port={urlsplit(address).port}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if flag in (process / "cmdline").read_bytes().split(b"\0"):
                return int(process.name)
        except OSError:  # it has just ended
            continue
    raise RuntimeError("The server's memory can be read on Linux only.")
