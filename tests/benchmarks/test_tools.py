"""Temporary servers and browsers start, report failures, and end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import browser, gallery
from benchmarks import streamlit_server as server

# Starts a process that reports when it is up.
STARTER = """
import sys, time
from benchmarks import streamlit_server as server
child = "import time; print('up', flush=True); time.sleep(600)"
process = server._start([sys.executable, "-c", child])
time.sleep(600)
"""


@pytest.mark.slow
def test_a_server_that_cannot_start_says_why(tmp_path):
    with (
        pytest.raises(RuntimeError, match="ended at once") as caught,
        server.serve(tmp_path / "absent.py"),
    ):
        pass
    assert "absent.py" in "".join(caught.value.__notes__)


@pytest.mark.slow
def test_children_of_a_server_end_with_it():
    child = "import time; print('up', flush=True); time.sleep(600)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    command = [sys.executable, "-c", script]
    process = server._start(command, stdout=subprocess.PIPE, text=True)
    with process.stdout as pipe:
        assert pipe.readline() == "up\n"
        server._stop(process)
        assert pipe.read() == ""  # returns once no process holds the other end


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals children of dead parents")
def test_a_server_ends_with_a_killed_starter():
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], stdout=subprocess.PIPE, cwd=server.CHECKOUT
    ) as starter:
        assert starter.stdout.readline() == b"up\n"
        starter.kill()
        assert starter.stdout.read() == b""


def test_the_gallery_refuses_an_unknown_story_before_it_starts_anything(monkeypatch, capsys):
    monkeypatch.setattr(gallery, "serve", lambda: pytest.fail("a server was started"))
    for arguments, code in ((["moons", "nothing"], 2), (["--help"], 0)):
        with pytest.raises(SystemExit) as ended:
            gallery.main(arguments)
        assert ended.value.code == code
    assert "No story is called 'nothing'; the stories are: " in capsys.readouterr().err


def test_chromium_can_be_named_and_is_reported_if_missing(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    assert browser.find_chromium() == "/opt/chromium"
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}")
    assert Path(browser.find_chromium()) == Path(os.path.join("/bin", browser.NAMES[0]))
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    with pytest.raises(browser.NoBrowserError, match="install Chromium"), browser.chromium():
        pass
