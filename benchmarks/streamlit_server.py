"""A temporary Streamlit server: for pictures, measurements and browser tests."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from lapviz.explorer.host.launch import OPTIONS, entry_script

CHECKOUT = Path(__file__).parents[1]
PR_SET_PDEATHSIG = 1  # of Linux's prctl
LOG_TAIL = 4000  # characters of the server's output in an error message


@contextmanager
def serve(
    script: str | Path | None = None,
    port: int | None = None,
    variables: Mapping[str, str] | None = None,
    patience: float = 60,
) -> Iterator[str]:
    """Run ``streamlit run`` on the loopback interface for the duration of the block.

    The server imports the same lapviz as the caller and is stopped with all its children; on Linux
    also if the caller is killed.

    Parameters
    ----------
    script : str or Path, optional
        Script to run; by default the explorer.
    port : int, optional
        A free one by default.
    variables : mapping of str, optional
        Environment variables on top of the caller's.
    patience : float
        Seconds within which the server must be healthy.

    Yields
    ------
    str
        Its address, without a trailing slash.

    Raises
    ------
    RuntimeError
        If it does not start, or ends before the block. An exception raised in the block gets the
        end of the server's log as a note.
    """
    port = port or _free_port()
    flags = {
        "server.address": "127.0.0.1",
        "server.port": port,
        "server.headless": "true",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(script or entry_script()), *OPTIONS,
               *(f"--{name}={value}" for name, value in flags.items())]  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w+") as log:
        process = _start(command, env=_environment(variables), cwd=CHECKOUT, stdout=log, stderr=log)
        try:
            _wait_until_healthy(process, address, patience)
            yield address
            if process.poll() is not None:
                raise RuntimeError("Streamlit ended early.")
        except Exception as error:
            log.seek(0)
            error.add_note(f"Streamlit wrote:\n{log.read()[-LOG_TAIL:]}")
            raise
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _environment(variables: Mapping[str, str] | None) -> dict[str, str]:
    paths = filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(variables or {})}


def _start(command: Sequence[str], **options: object) -> subprocess.Popen:
    """Start a process group that ends with the thread that started it, however that ends."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None

    def end_with_parent() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return subprocess.Popen(command, start_new_session=True, preexec_fn=end_with_parent, **options)


def _wait_until_healthy(process: subprocess.Popen, address: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"Streamlit ended at once, with status {process.returncode}.")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"Streamlit did not answer in {patience:g} s.")


def _stop(process: subprocess.Popen, patience: float = 10) -> None:
    """End the server and its children, its process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
