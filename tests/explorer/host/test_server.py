"""Servers and browsers of one's own start, say what went wrong, and end."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from lapviz.explorer.host import browser, check, launch, server

# Starts a process that says when it is up.
STARTER = """
import sys, time
from lapviz.explorer.host import server
child = "import time; print('up', flush=True); time.sleep(600)"
process = server._start([sys.executable, "-c", child])
time.sleep(600)
"""


@pytest.mark.slow
def test_a_server_runs_for_as_long_as_the_block():
    with server.serve() as address:
        health = f"{address}/_stcore/health"
        assert urllib.request.urlopen(health, timeout=5).status == 200
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(health, timeout=5)


@pytest.mark.slow
def test_a_server_that_cannot_start_says_why(tmp_path):
    with (
        pytest.raises(RuntimeError, match="ended at once") as caught,
        server.serve(tmp_path / "absent.py"),
    ):
        pass
    assert "absent.py" in "".join(caught.value.__notes__)


def test_children_of_a_server_end_with_it():
    child = "import time; print('up', flush=True); time.sleep(600)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    command = [sys.executable, "-c", script]
    process = server._start(command, stdout=subprocess.PIPE, text=True)
    with process.stdout as pipe:
        assert pipe.readline() == "up\n"
        server._stop(process)
        assert pipe.read() == ""  # returns once nobody holds the other end any more


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells a child that its parent ended")
def test_a_server_ends_with_a_killed_starter():
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], stdout=subprocess.PIPE, cwd=server.CHECKOUT
    ) as starter:
        assert starter.stdout.readline() == b"up\n"
        starter.kill()
        assert starter.stdout.read() == b""


def test_an_entry_is_the_checkouts_and_has_no_folder_of_scripts_beside_it():
    """Streamlit would show its modules as pages, until somebody has opened the start page."""
    assert launch.entry_script() == server.CHECKOUT / "app.py"
    for script in (launch.entry_script(), launch.INSTALLED):
        assert script.exists()
        assert not (script.parent / "pages").exists()


@pytest.mark.slow
def test_the_installed_entry_shows_a_link_to_its_first_visitor():
    with server.serve(launch.INSTALLED) as address:
        assert check.check(address, patience=60) == ""


def test_the_command_has_a_help_of_its_own_and_says_what_a_check_has_found(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--help"])
    launch.main()
    said = capsys.readouterr().out
    assert said.startswith("usage: lapviz-explorer")
    assert "--check" in said
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--check", "http://there"])
    monkeypatch.setattr(check, "check", lambda address: "")
    launch.main()
    assert capsys.readouterr().out == "http://there shows pictures.\n"
    monkeypatch.setattr(check, "check", lambda address: "There is no server.")
    with pytest.raises(SystemExit, match=r"There is no server\."):
        launch.main()


def test_all_other_options_are_those_of_streamlit_run(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--server.port", "8600"])
    ran = []
    monkeypatch.setattr(launch.runpy, "run_module", lambda *_, **more: ran.append(sys.argv))
    launch.main()
    assert ran == [["streamlit", "run", str(launch.entry_script()), *launch.OPTIONS,
                    "--server.port", "8600"]]  # fmt: skip


def test_chromium_may_be_named_and_without_it_a_sentence_says_so(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    assert browser.find_chromium() == "/opt/chromium"
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}")
    assert Path(browser.find_chromium()) == Path(os.path.join("/bin", browser.NAMES[0]))
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    with pytest.raises(browser.NoBrowserError, match="install Chromium"), browser.chromium():
        pass
