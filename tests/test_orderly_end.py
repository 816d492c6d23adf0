"""A terminated test run ends the processes that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

CASE = """
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def server():
    yield
    (HERE / "ended").touch()


def test_something_long(server):
    (HERE / "started").touch()
    time.sleep(60)
"""


@pytest.mark.slow
def test_session_fixtures_are_torn_down(tmp_path):
    """With a worker; the signal goes to the process group, as from a terminal or build server."""
    conftest = Path(__file__).with_name("conftest.py").read_text("utf-8")
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    (tmp_path / "test_case.py").write_text(CASE)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n1"]
    run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        end = time.monotonic() + 120
        while not (tmp_path / "started").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGTERM)
        run.wait(120)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    assert (tmp_path / "ended").exists()
    assert run.returncode == pytest.ExitCode.INTERRUPTED
