"""The base install stays light: which imports are allowed, and the message for a missing extra."""

from __future__ import annotations

import ast
import logging
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lapviz
from lapviz import _extras, _names

PACKAGE = Path(lapviz.__file__).parent
ROOT = PACKAGE.parent
PATHS = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NAMES = {"scikit-learn": "sklearn", "pillow": "PIL", "pyyaml": "yaml", "faiss-cpu": "faiss"}
# Declared without being imported, with the reason.
NOT_IMPORTED = {
    "numba",  # klap imports it without declaring it
}


def imported_name(requirement):
    name = re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower()
    return NAMES.get(name, name.replace("-", "_"))


def packages(extra):
    """Packages that an extra declares, including those of other extras in it."""
    names = set()
    for requirement in EXTRAS[extra]:
        if nested := re.match(rf"{PROJECT['name']}\[(.+?)\]", requirement):
            names |= {p for name in nested[1].split(",") for p in packages(name.strip())}
        else:
            names.add(imported_name(requirement))
    return names


BASE = {imported_name(requirement) for requirement in PROJECT["dependencies"]}


def third_party(node):
    """Packages that are imported anywhere inside a node of a syntax tree."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in inner.names}
        elif isinstance(inner, ast.ImportFrom) and not inner.level:
            names.add(inner.module.partition(".")[0])
    return names - {"lapviz", "benchmarks", *sys.stdlib_module_names}


def needed(tree):
    """(extra, package) of the imports inside ``with needed(extra, …)``."""
    for node in ast.walk(tree):
        call = node.items[0].context_expr if isinstance(node, ast.With) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("needed"):
            yield from ((call.args[0].value, package) for package in third_party(node))


@pytest.mark.slow
def test_every_import_is_declared_and_every_declaration_is_needed():
    """ruff's TID253 checks that no module of the base install imports an extra."""
    assert {"numpy", "scipy", "sklearn", "threadpoolctl"} == BASE
    trees = [ast.parse(path.read_text("utf-8")) for path in PATHS]
    imported = [pair for tree in trees for pair in needed(tree)]
    assert len(imported) >= 8
    assert [pair for pair in imported if pair[1] not in packages(pair[0])] == []
    declared = BASE.union(*(packages(e) for e in EXTRAS if e not in ("test", "docs")))
    assert set().union(*map(third_party, trees)) ^ declared == NOT_IMPORTED


WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Blind:
    find_distributions = PathFinder.find_distributions
    def find_spec(name, path=None, target=None):
        hidden = name.partition(".")[0] in HIDDEN
        return None if hidden else PathFinder.find_spec(name, path, target)

HIDDEN = {hidden!r}
sys.meta_path = [Blind if finder is PathFinder else finder for finder in sys.meta_path]
"""


def run(code, *arguments):
    """Exit code, output and errors of code in a new process."""
    command = [sys.executable, "-c", code, *arguments]
    process = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return process.returncode, process.stdout, process.stderr


def ten_lines():
    text = (ROOT / "README.md").read_text("utf-8")
    return re.search(r"## Use it\n.*?```python\n(.*?)```", text, re.DOTALL)[1]


EVERYTHING = """
for name in lapviz._names.PLACES:
    import_module(f"lapviz.{name}")
print("all modules")
data = lapviz.datasets.load("half_moons", n_samples=200)
model = lapviz.LaplacianClassifier(random_state=0)
y = data.semi_supervised_target()
lapviz.live(model.fit(data.X, y), data.X, y).save(sys.argv[1])
for code in {codes!r}:
    try:
        exec(code)
    except ImportError as error:
        print(error)
from lapviz.explorer.host.launch import main
main()
"""
MISSING = (
    ("plot", "Plotly", "lapviz.figures.spectrum({'learnt': [1.0]})"),
    ("plot", "Pillow", "lapviz.pictures.load('flower')"),
    ("tables", "PyArrow", "lapviz.tables.read('assets/penguins.csv')"),
    ("neural", "JAX", "lapviz.NeuralEigenfunctions().fit(np.random.rand(50, 2))"),
    ("large", "faiss", "lapviz.graphs.search(np.ones((9, 2)), method='approximate')"),
    ("explorer", "Streamlit", ""),  # the console command
)


@pytest.mark.slow
def test_the_base_install_is_enough_and_a_missing_extra_is_named(tmp_path):
    """The README's ten lines, every module, and a live page need none of the extras."""
    hidden = set().union(*map(packages, EXTRAS)) - BASE - {"pytest"}
    imports = "import sys, lapviz\nfrom importlib import import_module\nfrom lapviz import *\n"
    codes = ["import numpy as np", *(code for *_, code in MISSING[:-1])]
    checks = EVERYTHING.replace("{codes!r}", repr(codes))
    lines = WITHOUT.replace("{hidden!r}", repr(hidden)) + imports + ten_lines() + checks
    code, out, err = run(lines, str(tmp_path / "live.html"))
    assert code == 1, "as the console command ends"
    results, _, messages = out.partition("all modules\n")
    accuracy, shape = results.split(maxsplit=1)
    assert float(accuracy) == 1.0
    assert shape.strip().endswith("(1, 16)")
    page = (tmp_path / "live.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert len(page) > 300_000  # the bundle, and the numbers
    for (extra, name, _), sentence in zip(
        MISSING, [*messages.splitlines(), err.strip()], strict=True
    ):
        command = f'`pip install "lapviz-explorer[{extra}]"`.'
        assert sentence.endswith(f" needs {name}, which is not installed: {command}")


def test_the_explorer_lists_the_packages_of_its_extra():
    from lapviz.explorer import PACKAGES

    assert set(PACKAGES) == packages("explorer") - {"starlette"}  # Streamlit's own server


def test_other_import_errors_pass_through():
    with pytest.raises(ModuleNotFoundError, match=r"lapviz\.nonsense"), _extras.needed("plot", "A"):
        import lapviz.nonsense  # noqa: F401
    with pytest.raises(KeyError), _extras.needed("plot", "A"):
        raise KeyError


def test_every_named_extra_exists():
    text = "\n".join(
        path.read_text("utf-8")
        for path in (*PATHS, *ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "requirements.txt")
    )
    named = re.findall(r"(?:lapviz-explorer|pip install (?:-q )?-e \"\.)\[([a-z,]+)\]", text)
    named += re.findall(r"(?:needed|missing|command)\(\s*\"([a-z]+)\"", text)
    assert named
    assert {name for group in named for name in group.split(",")} <= set(EXTRAS)


@pytest.mark.slow
def test_logging_is_silent_and_importing_everything_loads_no_extra():
    assert any(isinstance(h, logging.NullHandler) for h in logging.getLogger("lapviz").handlers)
    modules = ", ".join(f"lapviz.{name}" for name in (*_names.PLACES, "figures"))
    code = f"""import logging, sys
import {modules}
logging.getLogger("lapviz").error("a secret")
print({{"streamlit", "plotly", "dask"}} & {{name.split(".")[0] for name in sys.modules}})"""
    assert run(code) == (0, "set()\n", "")
