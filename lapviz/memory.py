"""Available memory, so that what cannot fit is refused before it is tried."""

from __future__ import annotations

import os
from pathlib import Path


def memory_limit():
    """Bytes that a dense matrix may take: three quarters of the machine's or container's memory."""
    limits = [8 << 30]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            limits.append(int(Path("/sys/fs/cgroup", name).read_text()))
        except (OSError, ValueError):  # no such group, or "max": no limit set
            continue
    return 3 * min(limits) // 4
