"""Imports point one way: explorer → figures, experiments → estimators → fit → … → kernels."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
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
# CONTRIBUTING.md has the order: the package as a drawing, the explorer's rooms as a table.
CONTRIBUTING = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
DRAWING = re.search(r"```mermaid\n(.*?)```", CONTRIBUTING, re.DOTALL)[1]
ROWS = re.findall(r'^  f(\d+)\["(.+)"\]$', DRAWING, re.MULTILINE)
# From the ground up; a floor, or a room, may take from itself and from those before it.
FLOORS = [set(names.split(", ")) for _, names in reversed(ROWS)]
FLOORS[0] |= {"_extras", "_sklearn", "_threads"}  # private, and not drawn
TABLE = CONTRIBUTING.partition("| room | what is in it |\n")[2].partition("\n\n")[0]
ROOMS = [
    room
    for row in TABLE.splitlines()
    for room in re.findall(r"`(\w+)`", row.split("|")[1])
] + ["entry"]  # fmt: skip
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
        return [f"{name} stands on no floor: draw it in CONTRIBUTING.md."]
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


def test_the_drawing_is_one_chain_of_all_parts():
    numbers = [number for number, _ in ROWS]
    assert numbers == [str(i) for i in range(len(ROWS))]
    assert "\n  " + " --> ".join(f"f{i}" for i in numbers) + "\n" in DRAWING
    drawn = [name for _, names in ROWS for name in names.split(", ")]
    parts = {name.split(".")[1] for name in set(MODULES) - FREE}
    assert sorted(drawn) == sorted(part for part in parts if not part.startswith("_"))


def test_imports_point_one_way():
    assert [sentence for path in PATHS for sentence in violations(path)] == []
    TopologicalSorter(graph_of(PATHS)).prepare()  # and in no circle


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


@pytest.mark.parametrize(
    ("judge", "place", "line"),
    [
        (violations, "forms/base.py", "from lapviz.estimators import base"),
        (violations, "forms/kernel.py", "def f():\n    from lapviz import operators"),
        (violations, "spectra.py", "from . import estimators"),
        (violations, "estimators/base.py", "from ..experiments import digits"),
        (violations, "experiments/digits.py", "import lapviz.explorer.pages"),
        (violations, "experiments/digits.py", "from lapviz import figures"),
        (violations, "fit/steps.py", "from lapviz import landmarks"),
        (violations, "explorer/share/links.py", "from benchmarks.live import client"),
        (up_the_stairs, "explorer/settings/fields.py", "import lapviz.explorer.compute.points"),
        (up_the_stairs, "explorer/session/state.py",
         "def f():\n    from lapviz.explorer.pages.labels import page"),
        (up_the_stairs, "explorer/pages/lab/page.py",
         "from lapviz.explorer.pages.labels import table"),
    ],
)  # fmt: skip
def test_a_wrong_import_would_be_seen(monkeypatch, judge, place, line):
    monkeypatch.setattr(Path, "read_text", lambda *args, **options: line)
    assert len(judge(PACKAGE / place)) == 1


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


def test_short_public_names_are_the_modules_of_their_places():
    """That importing them loads no extra: test_extras.py."""
    for name, place in _names.PLACES.items():
        short = import_module(f"lapviz.{name}")
        assert short is import_module(f"lapviz.{place}") is getattr(lapviz, name), name
        assert short.__spec__.name == f"lapviz.{place}"
    assert lapviz.active.__name__ == "lapviz.estimates.queries"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        lapviz.nonsense  # noqa: B018
