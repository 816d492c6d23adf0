"""The console command ``lapviz-explorer``: `streamlit run app.py`, from wherever it is installed.

The host's settings that a checkout keeps in ``.streamlit/config.toml`` are passed as options.
"""

from __future__ import annotations

import sys
from pathlib import Path

from streamlit.web import cli

OPTIONS = ("--browser.gatherUsageStats=false", "--client.showErrorDetails=none",
           "--client.toolbarMode=minimal")  # fmt: skip


def main() -> None:
    """Start the explorer; further arguments go to Streamlit."""
    checkout = Path(__file__).parents[2] / "app.py"
    entry = checkout if checkout.exists() else Path(__file__).with_name("entry.py")
    sys.argv = ["streamlit", "run", str(entry), *OPTIONS, *sys.argv[1:]]
    sys.exit(cli.main())


if __name__ == "__main__":
    main()
