"""Imports point one way, and private names of other packages are used in one module each."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest

import lapviz
from lapviz import _names

PACKAGE = Path(lapviz.__file__).parent
PATHS = sorted(PACKAGE.rglob("*.py"))
# CONTRIBUTING.md has the order: the package as a drawing, the explorer's rooms as a table.
CONTRIBUTING = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
DRAWING = re.search(r"```mermaid\n(.*?)```", CONTRIBUTING, re.DOTALL)[1]
ROWS = re.findall(r'^  f(\d+)\["(.+)"\]$', DRAWING, re.MULTILINE)
# From the bottom up; a layer, or a room, may import from itself and from those before it.
LAYERS = [set(names.split(", ")) for _, names in reversed(ROWS)]
LAYERS[0] |= {"_blas", "_extras", "_sklearn", "_threads"}  # private, and not drawn
TABLE = CONTRIBUTING.partition("| room | what is in it |\n")[2].partition("\n\n")[0]
ROOMS = [
    room
    for row in TABLE.splitlines()
    for room in re.findall(r"`(\w+)`", row.split("|")[1])
] + ["entry"]  # fmt: skip
# Pages do not import each other, except that a picture is one kind of user data.
INSIDE_ANOTHER = {("data", "picture")}
# In one layer, without importing each other.
SIDE_BY_SIDE = ({"figures", "experiments"}, {"bilinear", "estimates"})
MAX_ROOT_MODULES = 13  # public modules
EXEMPT = {"lapviz", "lapviz._names"}  # lapviz/__init__.py gathers the public names


def module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in PATHS}


@cache
def layer(module):
    """Rank of a module's layer, and of its room in the explorer; None if it is in no layer."""
    part, room, *_ = [*module.split(".")[1:], "", ""]
    rank = next((rank for rank, names in enumerate(LAYERS) if part in names), None)
    in_room = part == "explorer" and room in ROOMS
    return None if rank is None else (rank, ROOMS.index(room) if in_room else -1)


@cache
def tree_of(text):
    return ast.parse(text)


def imports(path):
    """(line, full module name) of every import in the file, including those in functions."""
    text = path.read_text(encoding="utf-8")
    package = module_name(path) if path.name == "__init__.py" else module_name(path.parent / "x")
    package = package.removesuffix(".x")
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:  # `from lapviz import estimators` imports a module too
                full_name = f"{source}.{alias.name}"
                is_module = source == "lapviz" or full_name in MODULES
                yield node.lineno, full_name if is_module else source


def violations(path):
    """Imports of the file that violate the order, as messages."""
    name = module_name(path)
    if name in EXEMPT:
        return []
    if layer(name) is None:
        return [f"{name} is in no layer: add it to the drawing in CONTRIBUTING.md."]
    (rank, room), own, messages = layer(name), name.split("."), []
    for line, target in imports(path):
        other = target.split(".")
        where = f"{name}:{line}"
        if other[0] == "benchmarks":
            messages.append(f"{where} imports what is not installed with the package")
        if other[0] != "lapviz" or target == "lapviz":
            continue
        if other[1] in _names.PLACES:
            messages.append(f"{where} imports {target} by its short public name")
        elif layer(target) is not None:
            other_rank, other_room = layer(target)
            beside = own[1] != other[1] and any({own[1], other[1]} <= pair for pair in SIDE_BY_SIDE)
            pages = own[1:3] == other[1:3] == ["explorer", "pages"] and len(own) > 3 < len(other)
            across = pages and own[3] != other[3] and (own[3], other[3]) not in INSIDE_ANOTHER
            if other_rank > rank or (room >= 0 and other_room > room) or beside or across:
                messages.append(f"{where} imports {target}")
    return messages


def graph_of(paths):
    """Each module with the modules of the package that it imports."""
    graph = {}
    for path in paths:
        name = module_name(path)
        graph[name] = {t for _, t in imports(path) if t in MODULES and t not in (name, *EXEMPT)}
    return {name: needs for name, needs in graph.items() if name not in EXEMPT}


def test_the_drawing_is_one_chain_of_all_parts():
    numbers = [number for number, _ in ROWS]
    assert numbers == [str(i) for i in range(len(ROWS))]
    assert "\n  " + " --> ".join(f"f{i}" for i in numbers) + "\n" in DRAWING
    drawn = [name for _, names in ROWS for name in names.split(", ")]
    parts = {name.split(".")[1] for name in set(MODULES) - EXEMPT}
    assert sorted(drawn) == sorted(part for part in parts if not part.startswith("_"))


@pytest.mark.slow
def test_imports_point_one_way():
    assert [sentence for path in PATHS for sentence in violations(path)] == []
    TopologicalSorter(graph_of(PATHS)).prepare()  # and without cycles


def test_the_rooms_are_the_explorers_folders():
    inside = (path.relative_to(PACKAGE / "explorer").parts for path in PATHS
              if path.is_relative_to(PACKAGE / "explorer"))  # fmt: skip
    assert {folder for folder, *rest in inside if rest} == set(ROOMS)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("forms/base.py", "from lapviz.estimators import base"),
        ("forms/kernel.py", "def f():\n    from lapviz import operators"),
        ("spectra.py", "from . import estimators"),
        ("estimators/base.py", "from ..experiments import digits"),
        ("experiments/digits.py", "import lapviz.explorer.pages"),
        ("experiments/digits.py", "from lapviz import figures"),
        ("fit/galerkin.py", "from lapviz import landmarks"),
        ("explorer/share/links.py", "from benchmarks.live import client"),
        ("explorer/settings/fields.py", "import lapviz.explorer.compute.points"),
        ("explorer/session/state.py",
         "def f():\n    from lapviz.explorer.pages.labels import page"),
        ("explorer/pages/lab/page.py", "from lapviz.explorer.pages.labels import table"),
    ],
)  # fmt: skip
def test_a_wrong_import_would_be_seen(monkeypatch, place, line):
    monkeypatch.setattr(Path, "read_text", lambda *args, **options: line)
    assert len(violations(PACKAGE / place)) == 1


def test_the_root_holds_few_modules():
    assert len(list(PACKAGE.glob("[!_]*.py"))) <= MAX_ROOT_MODULES


def test_short_public_names_are_the_modules_of_their_places():
    """test_extras.py checks that importing them loads no extra."""
    for name, place in _names.PLACES.items():
        short = import_module(f"lapviz.{name}")
        assert short is import_module(f"lapviz.{place}") is getattr(lapviz, name), name
        assert short.__spec__.name == f"lapviz.{place}"
    assert lapviz.active.__name__ == "lapviz.estimates.queries"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        lapviz.nonsense  # noqa: B018


# ---- private names of other packages ----


WRAPPERS = (  # the modules that may use private names
    "_sklearn.py",  # and joblib's
    "explorer/host/_streamlit.py",
    "fit/dask_reduce.py",  # Dask's, which has no public way to build a graph
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
INTERNAL = {  # internal modules, and the files that may also import them
    "streamlit.runtime": (),
    "streamlit.proto": ("explorer/host/check.py",),
    "streamlit.web": (),
    "starlette": (),
}


@cache
def defined():
    """Names of functions, classes, attributes and variables that the package defines."""
    nodes = [node for path in PATHS for node in ast.walk(tree_of(path.read_text("utf-8")))]
    stored = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    defined = {node.name for node in nodes if isinstance(node, DEFINITIONS)}
    return defined | {getattr(node, "id", getattr(node, "attr", "")) for node in stored}


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


def private_names(path):
    """Private names of other packages, and internal modules, that a module uses."""
    place = path.relative_to(PACKAGE).as_posix()
    for node in ast.walk(tree_of(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in defined():
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr"):
            name = getattr(node.args[1], "value", "")
            if isinstance(name, str) and is_private(name) and name not in defined():
                yield name
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for module in modules:
            top, *rest = module.split(".")
            if top != "lapviz" and any(map(is_private, rest)):
                yield module
            for internal, allowed in INTERNAL.items():
                if f"{module}.".startswith(f"{internal}.") and place not in allowed:
                    yield module


@pytest.mark.slow
def test_private_names_are_in_the_wrappers_alone():
    """Of scikit-learn, SciPy, joblib, Streamlit and Dask."""
    assert {path for path in PATHS if set(private_names(path))} == {PACKAGE / w for w in WRAPPERS}
