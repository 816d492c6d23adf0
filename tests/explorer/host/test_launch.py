"""The console command: its help, its check, and what it starts."""

import sys
import tomllib

import pytest
from websockets import Headers, InvalidStatus
from websockets.http11 import Response

from benchmarks.streamlit_server import CHECKOUT, serve
from lapviz.explorer.host import check, launch


def test_an_entry_is_the_checkouts_and_has_no_folder_of_scripts_beside_it():
    """Streamlit would show its modules as pages, until somebody has opened the start page."""
    assert launch.entry_script() == CHECKOUT / "app.py"
    for script in (launch.entry_script(), launch.INSTALLED):
        assert script.exists()
        assert not (script.parent / "pages").exists()


@pytest.mark.slow
def test_the_installed_entry_shows_a_link_to_its_first_visitor():
    with serve(launch.INSTALLED) as address:
        assert check.check(address, patience=60) == ""


def test_the_command_has_a_help_of_its_own_and_says_what_a_check_has_found(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--help"])
    launch.main()
    output = capsys.readouterr().out
    assert output.startswith("usage: lapviz-explorer")
    assert "--check" in output
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--check", "http://there"])
    monkeypatch.setattr(check, "check", lambda address: "")
    launch.main()
    assert capsys.readouterr().out == "http://there shows pictures.\n"
    monkeypatch.setattr(check, "check", lambda address: "There is no server.")
    with pytest.raises(SystemExit, match=r"There is no server\."):
        launch.main()
    options = ["--server.headless=true", "--server.port", "8600"]
    for arguments in (["8600"], [*options, "foo"], ["--server.headless=true", "foo"]):
        monkeypatch.setattr(sys, "argv", ["lapviz-explorer", *arguments])
        with pytest.raises(SystemExit, match="belongs to no option"):
            launch.main()
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", *options])
    monkeypatch.setattr(launch.runpy, "run_module", lambda *_, **__: None)
    launch.main()
    assert sys.argv[-3:] == options


def test_an_address_has_its_scheme_and_https_is_visited_encrypted(monkeypatch):
    asked = []

    async def connect(address, **options):
        asked.append(address)
        raise OSError("nobody")

    monkeypatch.setattr(check, "connect", connect)
    for address in ("127.0.0.1:8731", "nonsense", "https://", "ws://there"):
        assert "with http:// or https:// in front" in check.check(address)
    assert "65535" in check.check("http://127.0.0.1:99999")
    assert not asked
    for scheme, encrypted in (("http", "ws"), ("https", "wss")):
        assert "nobody" in check.check(f"{scheme}://there:8501/")
        assert asked[-1] == f"{encrypted}://there:8501/_stcore/stream"
    assert "nobody" in check.check("http://there/base/")
    assert asked[-1] == "ws://there/base/_stcore/stream"


def test_a_checkout_and_an_install_have_the_same_settings():
    path = launch.entry_script().parent / ".streamlit" / "config.toml"
    sections = tomllib.loads(path.read_text("utf-8")).items()
    configured = {f"--{section}.{name}={value}".lower() for section, options in sections
                  for name, value in options.items()}  # fmt: skip
    assert configured == {option.lower() for option in launch.OPTIONS}


def test_all_other_options_are_those_of_streamlit_run(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["lapviz-explorer", "--server.port", "8600"])
    ran = []
    monkeypatch.setattr(launch.runpy, "run_module", lambda *_, **more: ran.append(sys.argv))
    launch.main()
    assert ran == [["streamlit", "run", str(launch.entry_script()), *launch.OPTIONS,
                    "--server.port", "8600"]]  # fmt: skip


def test_an_address_of_a_page_is_that_of_its_explorer(monkeypatch):
    """With a base path or without one."""
    asked = []

    async def connect(address, **options):
        asked.append(address)
        response = Response(403, "Forbidden", Headers())
        raise OSError("nobody") if len(asked) % 2 == 0 else InvalidStatus(response)

    monkeypatch.setattr(check, "connect", connect)
    for base in ("", "/base"):
        assert "nobody" in check.check(f"http://there{base}/labels?data=circle")
        assert asked[-1] == f"ws://there{base}/_stcore/stream"
    assert "HTTP 403" in check.check("http://there")
