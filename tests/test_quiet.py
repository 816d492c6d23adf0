"""A library that logs, and does not print (which ruff's T20 and LOG hold it to)."""

import logging
import subprocess
import sys
from pathlib import Path


def test_what_is_logged_goes_nowhere_unless_it_is_asked_for():
    assert any(isinstance(h, logging.NullHandler) for h in logging.getLogger("lapviz").handlers)
    code = "import logging, lapviz; logging.getLogger('lapviz').error('a secret')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    assert "secret" not in done.stdout + done.stderr
