"""Looks at an installed wheel: its files, its console command, and what a browser then shows.

``python look.py CHECKOUT WHEEL``, in the environment that has the wheel.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import lapviz

PATIENCE = 60  # seconds until the server answers
SOURCES = "lapviz/explorer/stage/"  # of the bundle, which the wheel has instead
LOADER = SOURCES + "loader.js"
PAINTED = """canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4 * 97) colours.add(data.slice(i, i + 4).join());
  return colours.size;
}"""


def check_files(checkout: Path, wheel: str) -> None:
    """The wheel has every file of the package, and the licences of all that it ships."""
    shipped = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(["git", "ls-files", "lapviz"], cwd=checkout, capture_output=True,
                             text=True, check=True).stdout.splitlines()  # fmt: skip
    wanted = {name for name in tracked if name == LOADER or not name.startswith(SOURCES)
              or name.endswith(".py")}  # fmt: skip
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    info = next(name for name in shipped if name.endswith(".dist-info/METADATA")).split("/")[0]
    for pattern in project["license-files"]:
        found = [path.relative_to(checkout).as_posix() for path in checkout.glob(pattern)]
        assert found, f"There is no {pattern}."
        wanted |= {f"{info}/licenses/{name}" for name in found}
    assert wanted <= shipped, f"The wheel lacks {sorted(wanted - shipped)}."
    foreign = {name.split("/")[0] for name in shipped} - {"lapviz", info}
    assert not foreign, f"The wheel has {foreign} besides."


def look(address: str) -> None:
    """Start shows its heading and a painted stage, and the page threw no error."""
    sys.path.append(sys.argv[1])  # after the wheel's place: the checkout's tools alone
    from benchmarks.browser import chromium, wait_at_rest

    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        page.locator("h1").first.wait_for(timeout=60_000)
        wait_at_rest(page, timeout=60_000)
        colours = max(canvas.evaluate(PAINTED) for canvas in page.locator("canvas").all())
        print(f"{page.locator('h1').first.inner_text()}: a stage of {colours} colours")
        assert colours > 20, "The stage is blank."
        assert not errors, errors


def main() -> None:
    checkout, wheel = Path(sys.argv[1]), sys.argv[2]
    assert checkout not in Path(lapviz.__file__).parents, "This is the checkout, not the wheel."
    check_files(checkout, wheel)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = str(Path(sys.executable).with_name("lapviz-explorer"))
    server = subprocess.Popen(
        [command, "--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"],
        start_new_session=True,
    )
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                assert time.monotonic() < end, "The server does not answer."
                assert server.poll() is None, f"The server ended with {server.returncode}."
                time.sleep(0.2)
        subprocess.run([command, "--check", address], check=True)
        look(address)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)


if __name__ == "__main__":
    main()
