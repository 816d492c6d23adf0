"""Public names have complete numpydoc docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap

import pytest
from numpydoc import validate

import lapviz

MODULES = (
    "active",
    "bilinear",
    "datasets",
    "eigenmaps",
    "estimates",
    "figures",
    "filters",
    "forms",
    "graphs",
    "hermite",
    "kernel_cg",
    "kernel_filters",
    "kernels",
    "landmarks",
    "metrics",
    "operators",
    "partial_labels",
    "spaces",
    "stopping",
    "tables",
)
# https://numpydoc.readthedocs.io/en/latest/validation.html
CHECKS = {
    "GL03",  # no double blank lines
    "GL06",  # no unknown section
    "GL07",  # sections in their order
    "GL08",  # there is a docstring
    "SS03",  # the summary ends with a period
    "PR01",  # every parameter is documented
    "PR02",  # and nothing else
    "PR03",  # in the signature's order
    "PR04",  # with a type
    "PR07",  # and a description
    "PR10",  # "name : type"
    "RT01",  # a Returns section
    "RT03",  # with a description
}


def is_ours(item) -> bool:
    return (getattr(item, "__module__", None) or "").split(".")[0] == "lapviz"


def functions_of(module) -> list[str]:
    """Public functions that the module declares, or that it defines if it declares nothing."""
    declared = getattr(module, "__all__", None)
    return [
        name
        for name, item in vars(module).items()
        if inspect.isfunction(item)
        and is_ours(item)
        and not name.startswith("_")
        and (name in declared if declared else item.__module__ == module.__name__)
    ]


def methods_of(cls: type) -> list[str]:
    """Public methods that lapviz defines, in the class itself or in a base of it."""
    found = {}
    for base in filter(is_ours, reversed(cls.__mro__)):
        found |= {n: i for n, i in vars(base).items() if not n.startswith("_")}
    return [name for name, item in found.items() if inspect.isfunction(item)]


def public_names() -> dict[str, object]:
    """Every name that is checked, and what it stands for."""
    found = {}
    for name in lapviz.__all__:
        item = getattr(lapviz, name)
        if inspect.isfunction(item) or inspect.isclass(item):
            found[f"lapviz.{name}"] = item
        if inspect.isclass(item):
            found |= {f"lapviz.{name}.{m}": getattr(item, m) for m in methods_of(item)}
    for place in MODULES:
        module = importlib.import_module(f"lapviz.{place}")
        for name in functions_of(module):
            item = getattr(module, name)
            if item not in found.values():  # once, under its shortest name
                found[f"lapviz.{place}.{name}"] = item
    return found


def raises(item) -> bool:
    """Has the function a ``raise`` of its own, other than for what a subclass must define?"""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item)))
    raised = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc)
    return any("NotImplementedError" not in ast.unparse(exc) for exc in raised)


def complaints(name: str, item) -> list[str]:
    """What is wrong with the docstring of a public name, as sentences."""
    found = validate.validate(name)["errors"]
    said = [f"{code}: {text}" for code, text in found if code in CHECKS]
    if inspect.isfunction(item) and raises(item):
        sections = validate.Validator(validate.get_doc_object(item))
        if not sections.doc["Raises"]:
            said.append("it raises, and has no Raises section")
    return said


NAMES = public_names()


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_is_complete(name):
    said = complaints(name, NAMES[name])
    assert not said, "\n".join([name, *said])


def test_the_walk_finds_what_is_public():
    assert {"lapviz.GalerkinEmbedding.transform", "lapviz.datasets.load"} <= set(NAMES)
    assert len(NAMES) > 80


def without_sections(x):
    """Summary without a period"""
    if x:
        raise ValueError
    return x


def test_a_poor_docstring_would_be_seen(monkeypatch):
    monkeypatch.setattr(lapviz, "poor", without_sections, raising=False)
    said = " ".join(complaints("lapviz.poor", without_sections))
    for code in ("SS03", "PR01", "RT01", "Raises section"):
        assert code in said
