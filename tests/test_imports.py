"""Imports point one way: explorer → figures, experiments → estimators → fit → … → kernels."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

import lapviz
from lapviz import _names

PACKAGE = Path(lapviz.__file__).parent
PATHS = sorted(PACKAGE.rglob("*.py"))
IN_ROOMS = [
    path
    for path in PATHS
    if path.is_relative_to(PACKAGE / "explorer") and path.parent.name != "explorer"
]
# From the ground up; a floor may take from itself and from those before it.
FLOORS = (
    {
        "_extras",
        "_sklearn",
        "charts",
        "checks",
        "contract",
        "formulas",
        "linalg",
        "markdown",
        "memory",
        "parameters",
        "metrics",
        "datasets",
        "progress",
    },
    {"labels", "tables"},
    {"kernels"},
    {"scenes"},
    {"spaces"},
    {"graphs"},
    {"forms"},
    {"operators"},
    {"spectra"},
    {"bilinear", "estimates"},
    {"fit"},
    {"pictures"},
    {"estimators"},
    {"figures"},
    {"experiments"},
    {"explorer"},
)
# The explorer's rooms, from the ground up: a room takes from itself and from those before it.
ROOMS = (
    "host",
    "settings",
    "compute",
    "scene",
    "words",
    "stories",
    "session",
    "channel",
    "widgets",
    "stage",
    "share",
    "pages",
    "entry",
)
# Pages do not know each other, but that a picture is one of the kinds of own data.
INSIDE_ANOTHER = {("data", "picture")}
SIDE_BY_SIDE = ({"figures", "experiments"}, {"bilinear", "estimates"})  # and not from each other
FREE = {"lapviz", "lapviz._names"}  # lapviz/__init__.py gathers what a user imports
MAX_ROOT_MODULES = 13  # public ones


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in PATHS}


def floor(module):
    part = module.split(".")[1]
    return next((rank for rank, names in enumerate(FLOORS) if part in names), None)


def imports(path):
    """(line, full module name) of every import in the file, those inside functions included."""
    return _imports(path, path.read_text(encoding="utf-8"))


@cache
def _imports(path, text):
    return tuple(_found(path, text))


def _found(path, text):
    package = module_name(path) if path.name == "__init__.py" else module_name(path.parent / "x")
    package = package.removesuffix(".x")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:  # `from lapviz import estimators` imports a module too
                whole = f"{source}.{alias.name}"
                is_module = source == "lapviz" or whole in MODULES
                yield node.lineno, whole if is_module else source


def violations(path):
    """Imports of the file that point the wrong way, as sentences."""
    name = module_name(path)
    if name in FREE:
        return []
    here, part, wrong = floor(name), name.split(".")[1], []
    if here is None:
        return [f"{name} stands on no floor: add it to FLOORS."]
    for line, target in imports(path):
        top = target.split(".")[0]
        where = f"{path.relative_to(PACKAGE.parent)}:{line}"
        if top == "benchmarks":
            wrong.append(f"{where} imports what is not installed with the package")
        if top != "lapviz" or target == "lapviz":
            continue
        its = target.split(".")[1]
        if its in _names.PLACES:
            wrong.append(f"{where} imports {target} by its short public name")
        elif (rank := floor(target)) is not None and (
            rank > here or (its != part and any({its, part} <= pair for pair in SIDE_BY_SIDE))
        ):
            wrong.append(f"{where}: {part} imports {target}")
    return wrong


def graph_of(paths):
    """Each module and the modules of the package that it imports, wherever it does so."""
    graph = {}
    for path in paths:
        name = module_name(path)
        graph[name] = {t for _, t in imports(path) if t in MODULES and t not in (name, *FREE)}
    return {name: needs for name, needs in graph.items() if name not in FREE}


def test_the_walk_sees_the_package():
    assert {"lapviz", "lapviz.forms", "lapviz.estimators.base", "lapviz.datasets.base"} <= set(
        MODULES
    )
    found = {target for _, target in imports(PACKAGE / "estimators" / "embedding.py")}
    assert {"lapviz.estimators.base", "lapviz.fit", "sklearn.base"} <= found


def test_imports_point_one_way():
    assert [sentence for path in PATHS for sentence in violations(path)] == []
    TopologicalSorter(graph_of(PATHS)).prepare()  # and in no circle


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("forms/base.py", "from lapviz.estimators import base"),
        ("forms/kernel.py", "def f():\n    from lapviz import operators"),
        ("spectra.py", "from . import estimators"),
        ("estimators/base.py", "from ..experiments import digits"),
        ("experiments/digits.py", "import lapviz.explorer.pages"),
        ("experiments/digits.py", "from lapviz import figures"),
        ("fit/steps.py", "from lapviz import landmarks"),
        ("explorer/share/links.py", "from benchmarks.live import client"),
    ],
)
def test_a_wrong_import_would_be_seen(monkeypatch, place, line):
    monkeypatch.setattr(Path, "read_text", lambda *args, **options: line)
    assert len(violations(PACKAGE / place)) == 1


def up_the_stairs(path):
    """Imports of a file of the explorer from a room above its own, or from another page."""
    wrong = []
    here = module_name(path).split(".")[2:]
    for line, target in imports(path):
        there = target.split(".")
        if there[:2] != ["lapviz", "explorer"] or len(there) < 3 or there[2] not in ROOMS:
            continue
        there = there[2:]
        pages = here[0] == there[0] == "pages" and len(here) > 1 and len(there) > 1
        other = pages and here[1] != there[1] and (here[1], there[1]) not in INSIDE_ANOTHER
        if other or ROOMS.index(there[0]) > ROOMS.index(here[0]):
            wrong.append(f"{'/'.join(here)}:{line} imports {target}")
    return wrong


def test_the_explorers_rooms_take_from_those_below():
    folders = {path.relative_to(PACKAGE / "explorer").parts[0] for path in IN_ROOMS}
    assert folders == set(ROOMS)
    assert [sentence for path in IN_ROOMS for sentence in up_the_stairs(path)] == []


def test_a_step_up_would_be_seen(monkeypatch):
    for place, line in (
        ("settings/fields.py", "from lapviz.explorer.compute import points"),
        ("session/state.py", "def f():\n    from lapviz.explorer.pages.labels import page"),
        ("pages/lab/page.py", "from lapviz.explorer.pages.labels import table"),
    ):
        monkeypatch.setattr(Path, "read_text", lambda *args, line=line, **options: line)
        assert len(up_the_stairs(PACKAGE / "explorer" / place)) == 1


def test_a_circle_would_be_seen(monkeypatch):
    texts = {
        "steps.py": "from lapviz.fit import guard",
        "guard.py": "import lapviz.fit.steps",
    }
    monkeypatch.setattr(Path, "read_text", lambda self, **options: texts.get(self.name, ""))
    with pytest.raises(CycleError):
        TopologicalSorter(graph_of(PATHS)).prepare()


def test_the_root_holds_few_modules():
    assert len(list(PACKAGE.glob("[!_]*.py"))) <= MAX_ROOT_MODULES


@pytest.mark.slow
def test_short_public_names_are_the_modules_of_their_places():
    """And importing all of them loads neither Streamlit nor Plotly, nor does lapviz itself."""
    code = "import sys, lapviz\nloaded = {m.split('.')[0] for m in sys.modules}\n"
    code += "assert not {'streamlit', 'plotly'} & loaded\n"
    code += "\n".join(
        f"import lapviz.{name}, lapviz.{place}\n"
        f"assert lapviz.{name} is lapviz.{place}, {name!r}\n"
        f"assert lapviz.{name}.__spec__.name == 'lapviz.{place}'"
        for name, place in _names.PLACES.items()
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
    assert lapviz.active.__name__ == "lapviz.estimates.queries"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        lapviz.nonsense  # noqa: B018
