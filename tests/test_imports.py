"""Imports point one way: explorer → figures, experiments → estimators → the core."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

import lapviz

PACKAGE = Path(lapviz.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
# What each layer may take from the package; the core is everything not named here.
LAYERS = {
    "explorer": {"explorer", "figures", "experiments", "estimators", "core"},
    "bench": {"bench", "explorer", "figures", "experiments", "estimators", "core"},
    "figures": {"figures", "estimators", "core"},
    "experiments": {"experiments", "estimators", "core"},
    "estimators": {"estimators", "core"},
    "core": {"core"},
}
FREE = {"lapviz"}  # lapviz/__init__.py gathers what a user imports


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module):
    part = module.split(".")[1] if "." in module else module
    return part if part in LAYERS else "core"


def imports(path):
    """(line, full module name) of every import in the file, those inside functions included."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path.parent / "x")
    package = package.removesuffix(".x")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:  # `from lapviz import estimators` imports a module too
                yield node.lineno, f"{source}.{alias.name}" if source == "lapviz" else source


def violations(path):
    """Imports of the file that point the wrong way, as sentences."""
    name = module_name(path)
    if name in FREE:
        return []
    here, found = layer(name), []
    for line, target in imports(path):
        top = target.split(".")[0]
        where = f"{path.relative_to(PACKAGE.parent)}:{line}"
        if top == "streamlit" and here != "explorer":
            found.append(f"{where} imports Streamlit below the explorer")
        if top == "plotly" and here not in ("explorer", "figures"):
            found.append(f"{where} imports Plotly below the figures")
        if top == "lapviz" and target != "lapviz" and layer(target) not in LAYERS[here]:
            found.append(f"{where}: the layer {here} imports {target}")
    return found


def modules_imported(path):
    """Modules of the package that the file imports, those inside functions included."""
    names = {module_name(module) for module in MODULES}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from full & names or {node.module} & names


def test_no_modules_import_each_other():
    graph = {module_name(path): set(modules_imported(path)) for path in MODULES}
    assert {"lapviz.bench.tasks", "lapviz.bench.measure"} <= graph["lapviz.bench.child"]
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_the_walk_sees_the_package():
    names = {module_name(path) for path in MODULES}
    assert {"lapviz", "lapviz.forms", "lapviz.estimators.base", "lapviz.datasets.base"} <= names
    found = {target for _, target in imports(PACKAGE / "estimators" / "embedding.py")}
    assert {"lapviz.estimators.base", "lapviz.spectra", "numpy"} <= found


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_point_one_way(path):
    assert violations(path) == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("forms.py", "import streamlit"),
        ("estimators/base.py", "from streamlit.components import v2"),
        ("experiments/digits.py", "def f():\n    import plotly.graph_objects"),
        ("forms.py", "from lapviz.estimators import base"),
        ("spectra.py", "from lapviz import estimators"),
        ("spectra.py", "from . import estimators"),
        ("estimators/base.py", "from ..experiments import digits"),
        ("experiments/digits.py", "import lapviz.explorer.pages"),
        ("figures.py", "import lapviz.experiments.digits"),
    ],
)
def test_a_wrong_import_would_be_seen(monkeypatch, place, line):
    monkeypatch.setattr(Path, "read_text", lambda *args, **options: line)
    assert len(violations(PACKAGE / place)) == 1


def test_importing_lapviz_loads_neither_streamlit_nor_plotly():
    code = "import sys, lapviz; print(*{m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    ).stdout.split()
    assert "lapviz" in loaded
    assert not {"streamlit", "plotly"} & set(loaded)
