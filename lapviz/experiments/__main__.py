"""``python -m lapviz.experiments NAME …`` runs the experiment ``lapviz/experiments/NAME.py``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def names() -> list[str]:
    """The experiments: modules of this folder that print something."""
    paths = Path(__file__).parent.glob("[!_]*.py")
    return sorted(p.stem for p in paths if '__name__ == "__main__"' in p.read_text("utf-8"))


def main(arguments: list[str]) -> None:
    """Run the experiment that the first argument names; the others are its own."""
    if not arguments or arguments[0] not in names():
        raise SystemExit(f"Say which experiment to run: {', '.join(names())}.")
    sys.argv = arguments
    runpy.run_module(f"lapviz.experiments.{arguments[0]}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
