"""The console command ``lapviz-explorer``: `streamlit run app.py` from any folder.

``lapviz-explorer --check [ADDRESS]`` visits a running one and exits with 0 if it shows a picture.
The settings that a checkout has in ``.streamlit/config.toml`` are passed as options.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lapviz.explorer import missing

OPTIONS = ("--browser.gatherUsageStats=false", "--client.showErrorDetails=none",
           "--client.toolbarMode=minimal", "--server.fileWatcherType=none",
           "--global.maxCachedMessageAge=30", "--runner.fastReruns=false",
           "--runner.postScriptGC=false", "--server.maxUploadSize=128")  # fmt: skip

INSTALLED = Path(__file__).with_name("entry") / "app.py"  # what runs without a checkout
LOCAL = "http://127.0.0.1:8501"  # where Streamlit listens by default


def entry_script() -> Path:
    """The script that Streamlit runs: ``app.py`` in a checkout, else the package's own."""
    checkout = Path(__file__).parents[2] / "app.py"
    return checkout if checkout.exists() else INSTALLED


def main() -> None:
    """Start the explorer; further arguments go to Streamlit."""
    if sentence := missing():
        sys.exit(sentence)
    if sys.argv[1:2] == ["--check"]:
        from lapviz.explorer.client import check

        wrong = check(*sys.argv[2:3] or [LOCAL])
        sys.exit(wrong or 0)
    from lapviz.explorer import hosting

    hosting.spare_memory()  # before there are threads
    from streamlit.web import cli  # takes a second, and other importers need only the path

    sys.argv = ["streamlit", "run", str(entry_script()), *OPTIONS, *sys.argv[1:]]
    sys.exit(cli.main())


if __name__ == "__main__":
    main()
