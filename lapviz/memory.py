"""Available memory, so that what cannot fit is refused before it is tried."""

from __future__ import annotations

import ctypes
import functools
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

_GROUP = Path("/sys/fs/cgroup")
_LIMITS = {  # limit of a container: its usage and statistics; control groups version 2, version 1
    "memory.max": ("memory.current", "memory.stat"),
    "memory/memory.limit_in_bytes": ("memory/memory.usage_in_bytes", "memory/memory.stat"),
}


def readable(size: float) -> str:
    """A number of bytes in GB, MB or kB."""
    unit, name = next((u for u in ((1e9, "GB"), (1e6, "MB")) if size >= u[0]), (1e3, "kB"))
    return f"{size / unit:,.{int(size < 10 * unit)}f} {name}"


def memory_limit():
    """Bytes that a dense matrix may take: three quarters of the machine's or container's memory."""
    limits = [_number(_GROUP / name) for name in _LIMITS]
    return 3 * min([_physical(), *(limit for limit in limits if limit is not None)]) // 4


def available_memory() -> int:
    """Bytes still free in the machine or container; at most ``memory_limit()``."""
    remaining = [memory_limit()]
    free = _field(Path("/proc/meminfo"), "MemAvailable:")
    if free is not None:
        remaining.append(1024 * free)
    for name, (usage, details) in _LIMITS.items():
        limit, used = _number(_GROUP / name), _number(_GROUP / usage)
        if limit is not None and used is not None:
            remaining.append(limit - used + (_field(_GROUP / details, "inactive_file") or 0))
    return max(min(remaining), 0)


def resident(process: int | str = "self") -> tuple[int, int]:
    """Bytes that a process ("self" or a number) holds in memory, currently and at its peak.

    Raises
    ------
    OSError
        Where processes cannot be inspected, or if it has ended.
    """
    status = Path(f"/proc/{process}/status").read_text()
    matches = [re.search(rf"{name}:\s*(\d+)", status) for name in ("VmRSS", "VmHWM")]
    if None in matches:
        raise ProcessLookupError("The process has ended.")
    current, peak = (1024 * int(match[1]) for match in matches if match)
    return current, peak


def peak_increase(call: Callable[[], Result]) -> tuple[Result, int | None]:
    """Result of a call, and by how many bytes its peak exceeds the memory held before.

    None where it cannot be known: only Linux can reset an earlier peak. Free memory is released
    first, as memory taken from it would not count. Linux counts to some 100 kB.
    """
    release_free_memory()
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = resident()[0]
    except OSError:
        return call(), None
    result = call()
    return result, max(resident()[1] - before, 0)


@functools.cache
def glibc() -> ctypes.CDLL | None:
    """The C library, if it is glibc."""
    if sys.platform.startswith("linux"):
        with suppress(OSError):
            libc = ctypes.CDLL(None)
            return libc if hasattr(libc, "gnu_get_libc_version") else None
    return None


def release_free_memory() -> None:
    """Return free pages to the system, where the C library can."""
    libc = glibc()
    if libc is not None:
        libc.malloc_trim(0)


def _physical() -> int:
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 << 30


def _number(path: Path) -> int | None:
    """The number in a file; None if there is no such file, or it says "max" (no limit)."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _field(path: Path, name: str) -> int | None:
    """The number after a name, in a file of names and numbers."""
    try:
        lines = (line.split() for line in path.read_text().splitlines())
        return next((int(line[1]) for line in lines if line[:1] == [name]), None)
    except (OSError, ValueError):
        return None
