"""The console command ``lapviz-explorer``: `streamlit run app.py` from any folder.

The settings that a checkout has in ``.streamlit/config.toml`` are passed as options.
"""

from __future__ import annotations

import runpy
import sys
from itertools import pairwise
from pathlib import Path

from lapviz.explorer import missing

OPTIONS = ("--browser.gatherUsageStats=false", "--client.showErrorDetails=none",
           "--client.toolbarMode=minimal", "--server.fileWatcherType=none",
           "--global.maxCachedMessageAge=30", "--global.disableWidgetStateDuplicationWarning=true",
           "--runner.fastReruns=false",
           "--runner.postScriptGC=false", "--server.maxUploadSize=128")  # fmt: skip

HELP = """\
usage: lapviz-explorer [OPTION]...
       lapviz-explorer --check [ADDRESS]
       lapviz-explorer --help

Start the explorer on this machine and open it in the browser (Ctrl+C ends it).

  --check [ADDRESS]   visit a running explorer, by default {local}:
                      exit with 0 if it shows a picture, else with a sentence and 1
  --help              show this text

All other options are those of `streamlit run`; `streamlit run --help` lists them:

  --server.port 8600         listen on another port
  --server.address 0.0.0.0   accept visitors from other machines
  --server.headless true     open no browser
"""

INSTALLED = Path(__file__).parents[1] / "entry" / "app.py"  # the script without a checkout
LOCAL = "http://127.0.0.1:8501"  # Streamlit's default address


def entry_script() -> Path:
    """The script that Streamlit runs: ``app.py`` in a checkout, else the package's own."""
    checkout = Path(__file__).parents[3] / "app.py"
    return checkout if checkout.exists() else INSTALLED


def main() -> None:
    """Start the explorer; arguments other than ours are passed to Streamlit."""
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(HELP.format(local=LOCAL), end="")
        return
    if sentence := missing():
        sys.exit(sentence)
    if "--check" in sys.argv:
        from lapviz.explorer.host.check import check

        if sys.argv[1] != "--check" or len(sys.argv) > 3:
            sys.exit("--check takes one address, and no other option.")
        address = sys.argv[2] if sys.argv[2:] else LOCAL
        if problem := check(address):
            sys.exit(problem)
        print(f"{address} shows pictures.")
        return
    for before, word in pairwise(["", *sys.argv[1:]]):
        if not word.startswith("-") and ("=" in before or not before.startswith("-")):
            sys.exit(f"{word!r} belongs to no option: see lapviz-explorer --help.")
    from lapviz.explorer.host import limits

    limits.spare_memory()  # before there are threads
    sys.argv = ["streamlit", "run", str(entry_script()), *OPTIONS, *sys.argv[1:]]
    try:
        runpy.run_module("streamlit", run_name="__main__")  # `python -m streamlit`
    except (OSError, OverflowError) as error:  # an address or a port that cannot be had
        sys.exit(f"The explorer could not start: {str(error).rstrip('.')}.")


if __name__ == "__main__":
    main()
