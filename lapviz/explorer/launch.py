"""The console command ``lapviz-explorer``: `streamlit run app.py`, from wherever it is installed.

The host's settings that a checkout keeps in ``.streamlit/config.toml`` are passed as options.
"""

from __future__ import annotations

import sys
from pathlib import Path

OPTIONS = ("--browser.gatherUsageStats=false", "--client.showErrorDetails=none",
           "--client.toolbarMode=minimal")  # fmt: skip


def entry_script() -> Path:
    """The script that Streamlit runs: ``app.py`` in a checkout, the package's own entry else."""
    checkout = Path(__file__).parents[2] / "app.py"
    return checkout if checkout.exists() else Path(__file__).with_name("entry.py")


def main() -> None:
    """Start the explorer; further arguments go to Streamlit."""
    from streamlit.web import cli  # takes a second, and others only ask for the script's place

    sys.argv = ["streamlit", "run", str(entry_script()), *OPTIONS, *sys.argv[1:]]
    sys.exit(cli.main())


if __name__ == "__main__":
    main()
