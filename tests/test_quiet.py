"""A library that logs and does not print."""

import ast
import logging
import subprocess
import sys
from pathlib import Path

import pytest

import lapviz

PACKAGE = Path(lapviz.__file__).parent
TALKS = {  # command lines
    "bench/__main__.py",
    "bench/child.py",
    "experiments/__main__.py",
    "explorer/host/launch.py",
    "explorer/pages/eigenfunctions/weights/__main__.py",
}


def prints(text: str) -> list[int]:
    """Lines that print, or that set up or write to the root logger."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        own = name in ("print", "pprint", "pprint.pprint", "sys.stdout.write", "sys.stderr.write")
        root = name in ("logging.basicConfig", "logging.warning", "logging.info", "logging.error")
        if own or root or (name == "logging.getLogger" and not node.args):
            found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: p.relative_to(PACKAGE).as_posix()
)
def test_only_command_lines_print(path):
    place = path.relative_to(PACKAGE).as_posix()
    assert place in TALKS or prints(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("line", ["print(1)", "import logging\nlogging.warning('x')",
                                  "import logging\nlogging.getLogger().info('x')"])  # fmt: skip
def test_a_print_would_be_seen(line):
    assert prints(line)
    assert not prints("import logging\nlogging.getLogger('lapviz').info('print(1)')")


def test_what_is_logged_goes_nowhere_unless_it_is_asked_for():
    assert any(isinstance(h, logging.NullHandler) for h in logging.getLogger("lapviz").handlers)
    code = "import logging, lapviz; logging.getLogger('lapviz').error('a secret')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        cwd=PACKAGE.parent,
    )  # fmt: skip
    assert "secret" not in done.stdout + done.stderr
