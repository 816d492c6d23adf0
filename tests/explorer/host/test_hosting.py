"""Memory and threads of the process: options of the C library, and garbage collection."""

import gc
import os
import subprocess
import sys

import pytest

from lapviz import memory
from lapviz.explorer.host import limits


@pytest.fixture(autouse=True)
def fresh():
    memory.glibc.cache_clear()
    yield
    memory.glibc.cache_clear()


class Musl:
    """musl has malloc_usable_size, but neither mallopt nor a version of glibc's."""


def no_library(*_):
    raise OSError("no such library")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "library"),
    [
        ("darwin", lambda *_: pytest.fail("loaded a C library")),
        ("win32", lambda *_: pytest.fail("loaded a C library")),
        ("linux", lambda *_: Musl()),
        ("linux", no_library),
    ],
)
def test_other_systems_are_left_alone(monkeypatch, system, library):
    monkeypatch.setattr(memory.sys, "platform", system)
    monkeypatch.setattr(memory.ctypes, "CDLL", library)
    assert limits.spare_memory() is False
    monkeypatch.setitem(limits._LAST, "collected", 0.0)
    limits.collect()


THREADS = """
import sys, threading, numpy as np
from lapviz.explorer.host import limits
limited = sys.argv[1] == "limited" and limits.spare_memory()
def work():
    arrays.append([np.ones(20_000) for _ in range(20)])
    gate.wait()
arrays, gate = [], threading.Barrier(17)
threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads: thread.start()
gate.wait()
heaps = [line for line in open("/proc/self/maps") if "rw-p" in line and "00:00 0 " in line]
aligned = [line for line in heaps if int(line.split("-")[0], 16) % (64 * 2**20) == 0]
print(bool(limited), len(aligned))
"""


@pytest.mark.slow
@pytest.mark.skipif(memory.glibc() is None, reason="glibc's arenas")
def test_glibc_keeps_few_arenas():
    """Heaps of further arenas start at multiples of 64 MB."""
    counts = {}
    for option in ("limited", "default"):
        command = [sys.executable, "-c", THREADS, option]
        env = os.environ | {"OMP_NUM_THREADS": "1"}
        process = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        limited, count = process.stdout.split()
        assert limited == str(option == "limited")
        counts[option] = int(count)
    assert counts["limited"] <= 2 < counts["default"]


def test_garbage_collection_is_rate_limited_and_modules_are_frozen_once(monkeypatch):
    calls = []
    monkeypatch.setattr(limits.gc, "collect", lambda: calls.append("collect"))
    monkeypatch.setattr(limits.gc, "freeze", lambda: calls.append(gc.isenabled()))
    monkeypatch.setattr(limits, "_IMPORTED", limits.threading.Event())
    monkeypatch.setitem(limits._LAST, "collected", 0.0)
    for _ in range(3):
        with limits.importing():
            pass
        limits.collect()
    assert calls == [False, "collect"]
    assert gc.isenabled()
    monkeypatch.setitem(limits._LAST, "collected", 0.0)
    limits.collect()
    assert calls == [False, "collect", "collect"]


def test_resident_memory_is_that_of_the_process():
    try:
        before, _ = memory.resident()
    except OSError:
        pytest.skip("no /proc")
    block = bytearray(64 * 2**20)
    block[::4096] = b"1" * len(block[::4096])
    assert memory.resident()[0] - before > 0.9 * len(block)
