"""Servers and browsers of one's own start, say what went wrong, and end."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request

import pytest

from lapviz.explorer.host import browser, check, launch, server


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
    sleep = "import time; time.sleep(600)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {sleep!r}])"
    process = subprocess.Popen(
        [sys.executable, "-c", f"print('started', flush=True); {script}"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process.stdout as pipe:
        assert pipe.readline() == "started\n"
        server._stop(process)
        assert pipe.read() == ""  # returns once nobody holds the other end any more


def test_the_explorers_entry_is_the_checkouts():
    assert launch.entry_script() == server.CHECKOUT / "app.py"


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_is_the_explorers_own(monkeypatch, capsys, option):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", option])
    launch.main()
    said = capsys.readouterr().out
    assert said.startswith("usage: lapviz-explorer")
    assert "--check" in said


def test_a_check_says_what_it_has_found(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--check", "http://there"])
    monkeypatch.setattr(check, "check", lambda address: "")
    launch.main()
    assert capsys.readouterr().out == "http://there shows pictures.\n"
    monkeypatch.setattr(check, "check", lambda address: "There is no server.")
    with pytest.raises(SystemExit, match=r"There is no server\."):
        launch.main()


def test_no_folder_of_scripts_is_beside_an_entry():
    """Streamlit would show its modules as pages, until somebody has opened the start page."""
    for script in (launch.entry_script(), launch.INSTALLED):
        assert script.exists()
        assert not (script.parent / "pages").exists()


@pytest.mark.slow
def test_the_installed_entry_shows_a_link_to_its_first_visitor():
    with server.serve(launch.INSTALLED) as address:
        assert check.check(address, patience=60) == ""


def test_chromium_may_be_named(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    assert browser.find_chromium() == "/opt/chromium"
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/bin/{name}")
    assert browser.find_chromium() == os.path.join("/bin", browser.NAMES[0])


def test_without_chromium_a_sentence_says_so(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    with pytest.raises(browser.NoBrowserError, match="install Chromium"), browser.chromium():
        pass
