"""What tests of several folders need: optional packages, a new process, finite differences."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


def needs(*packages: str, extra: str, required: str = "LAPVIZ_REQUIRE_EXTRAS"):
    """Mark that skips without the packages, unless the environment has the variable."""
    return pytest.mark.skipif(
        None in map(find_spec, packages) and required not in os.environ,
        reason=f'needs {" and ".join(packages)}: pip install -e ".[{extra}]"',
    )


def printed(*arguments: object, **options) -> str:
    """What Python prints in a new process, from the root of the checkout, without an error."""
    command = [sys.executable, *map(str, arguments)]
    options = {"cwd": ROOT, "capture_output": True, "text": True} | options
    process = subprocess.run(command, **options)
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout


def quotients(f, X, step=1e-5):
    """Central differences of f at points (n, d), (n, d, …)."""
    shifts = step * np.eye(X.shape[1])
    return np.stack([(f(X + e) - f(X - e)) / (2 * step) for e in shifts], axis=1)
