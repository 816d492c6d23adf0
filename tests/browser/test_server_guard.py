"""A worker that is killed leaves no server behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CASE = """
import subprocess, sys, time
from server_guard import ServerGuard
with ServerGuard() as guard:
    server = subprocess.Popen([sys.executable, "-c", "import time; print('up', flush=True); "
                               "time.sleep(600)"], start_new_session=True, stdout=subprocess.PIPE)
    server.stdout.readline()
    guard.watch()
    print(server.pid, flush=True)
    time.sleep(600)
"""


def lives(pid: int) -> bool:
    """Whether it runs; one that has ended and that nobody asks for does not."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="no list of children"
)
def test_a_server_ends_with_a_killed_starter():
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen([sys.executable, "-c", CASE], env=environment, stdout=subprocess.PIPE,
                          text=True) as starter:  # fmt: skip
        server = int(starter.stdout.readline())
        assert lives(server)
        starter.kill()
    end = time.monotonic() + 60
    while lives(server):
        assert time.monotonic() < end
        time.sleep(0.05)
