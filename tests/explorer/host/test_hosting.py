"""Memory and threads of the process: what is told to the C library, and who may not hear of it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest

from lapviz import memory
from lapviz.explorer.host import limits as hosting


@pytest.fixture(autouse=True)
def fresh():
    memory.glibc.cache_clear()
    yield
    memory.glibc.cache_clear()


class Musl:
    """musl has malloc_usable_size, but neither mallopt nor a version of glibc's."""


def none(*_):
    raise OSError("no such library")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "library"),
    [
        ("darwin", lambda *_: pytest.fail("asked for a C library")),
        ("win32", lambda *_: pytest.fail("asked for a C library")),
        ("linux", lambda *_: Musl()),
        ("linux", none),
    ],
)
def test_nothing_is_told_to_other_systems(monkeypatch, system, library):
    monkeypatch.setattr(memory.sys, "platform", system)
    monkeypatch.setattr(memory.ctypes, "CDLL", library)
    assert hosting.spare_memory() is False
    monkeypatch.setitem(hosting._LAST, "collected", 0.0)
    hosting.collect()


THREADS = """
import sys, threading, numpy as np
from lapviz.explorer.host import limits as hosting
told = sys.argv[1] == "told" and hosting.spare_memory()
def work():
    kept.append([np.ones(20_000) for _ in range(20)])
    gate.wait()
kept, gate = [], threading.Barrier(17)
threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads: thread.start()
gate.wait()
heaps = [line for line in open("/proc/self/maps") if "rw-p" in line and "00:00 0 " in line]
aligned = [line for line in heaps if int(line.split("-")[0], 16) % (64 * 2**20) == 0]
print(bool(told), len(aligned))
"""


@pytest.mark.slow
@pytest.mark.skipif(memory.glibc() is None, reason="glibc's arenas")
def test_glibc_keeps_few_arenas():
    """Heaps of further arenas start at multiples of 64 MB."""
    counts = {}
    for how in ("told", "not"):
        command, env = [sys.executable, "-c", THREADS, how], os.environ | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        told, count = done.stdout.split()
        assert told == str(how == "told")
        counts[how] = int(count)
    assert counts["told"] <= 2 < counts["not"]


def test_garbage_is_collected_at_most_once_in_a_while_and_modules_are_frozen_once(monkeypatch):
    calls = []
    monkeypatch.setattr(hosting.gc, "collect", lambda: calls.append("collect"))
    monkeypatch.setattr(hosting.gc, "freeze", lambda: calls.append(gc.isenabled()))
    monkeypatch.setattr(hosting, "_IMPORTED", hosting.threading.Event())
    monkeypatch.setitem(hosting._LAST, "collected", 0.0)
    for _ in range(3):
        with hosting.importing():
            pass
        hosting.collect()
    assert calls == [False, "collect"]
    assert gc.isenabled()
    monkeypatch.setitem(hosting._LAST, "collected", 0.0)
    hosting.collect()
    assert calls == [False, "collect", "collect"]


def test_resident_memory_is_that_of_the_process():
    try:
        before, _ = memory.resident()
    except OSError:
        pytest.skip("no /proc")
    block = bytearray(64 * 2**20)
    block[::4096] = b"1" * len(block[::4096])
    assert memory.resident()[0] - before > 0.9 * len(block)
