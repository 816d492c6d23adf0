"""Public names have complete numpydoc docstrings."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import textwrap
from pathlib import Path

import pytest
from numpydoc import validate
from sklearn.base import BaseEstimator

import lapviz
from lapviz import _names

pytestmark = pytest.mark.slow

ROOT = Path(lapviz.__file__).parent

PAPERS = ("SSL21", "GAL23", "KRR20", "KCG10")
MODULES = sorted(
    {*_names.PLACES, "bilinear", "datasets", "estimates", "figures", "forms", "graphs", "kernels",
     "metrics", "operators", "pictures", "progress", "spaces", "spectra", "tables"}
)  # fmt: skip
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


def functions_of(module) -> dict[str, object]:
    """Public functions that the module declares, or that it defines if it declares nothing."""
    names = getattr(module, "__all__", None) or [
        name for name, item in vars(module).items()
        if getattr(item, "__module__", "") == module.__name__ and not name.startswith("_")
    ]  # fmt: skip
    found = {name: getattr(module, name) for name in names}
    return {n: item for n, item in found.items() if inspect.isfunction(item) and is_ours(item)}


def methods_of(cls: type) -> dict[str, object]:
    """Public methods that lapviz defines, in the class itself or in a base of it."""
    own = {}
    for base in filter(is_ours, reversed(cls.__mro__)):
        own |= {name: item for name, item in vars(base).items() if inspect.isfunction(item)}
    return {name: item for name, item in own.items() if not name.startswith("_")}


def public_names() -> dict[str, object]:
    """Every name that is checked, and what it stands for."""
    found = {}
    for name in lapviz.__all__:
        item = getattr(lapviz, name)
        if inspect.isfunction(item) or inspect.isclass(item):
            found[f"lapviz.{name}"] = item
        if inspect.isclass(item):
            found |= {f"lapviz.{name}.{method}": i for method, i in methods_of(item).items()}
    seen = {id(item) for item in found.values()}
    for place in MODULES:
        functions = functions_of(importlib.import_module(f"lapviz.{place}"))
        new = {f"lapviz.{place}.{n}": i for n, i in functions.items() if id(i) not in seen}
        found |= new  # once, under its shortest name
        seen |= {id(item) for item in new.values()}
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
    if not inspect.isfunction(item):  # parameters by keyword only stand in the reader's order
        return [words for words in said if not words.startswith("PR03")]
    sections = validate.Validator(validate.get_doc_object(item)).doc
    if raises(item) and not sections["Raises"]:
        said.append("it raises, and has no Raises section")
    for field in (*sections["Parameters"], *sections["Returns"], *sections["Yields"]):
        if re.match(r"(\w+ )?array\b", field.type) and "(" not in field.type:
            said.append(f"{field.name or 'what is returned'}: an array without a shape")
    return said


def complaints_about_a_method(cls: type) -> list[str]:
    """What the docstring of an estimator lacks: it is where users begin."""
    doc = validate.Validator(validate.get_doc_object(cls)).doc
    text, references = inspect.getdoc(cls) or "", "\n".join(doc["References"])
    said = [f"no section {name}" for name in ESTIMATOR_SECTIONS if not doc[name]]
    said += [f"{p} is not spelled out" for p in PAPERS if p in text and f"{p}: " not in references]
    if not re.search(PLACE, text):
        said.append("no equation, algorithm, theorem, section or figure of a paper")
    if "length" not in text and "units of X" not in text and "nearest" not in text.lower():
        said.append("no units")
    if not any(line.lstrip().startswith(">>>") for line in doc["Examples"]):
        said.append("no example that runs")
    init = inspect.signature(cls.__init__).parameters
    described = {"self", *(p.name for p in doc["Parameters"])}
    said += [f"{name} has no type" for name in init if name not in described]
    if not validate.Validator(validate.get_doc_object(cls.fit)).doc["Raises"]:
        said.append("fit says nothing of errors")
    return said


ESTIMATOR_SECTIONS = ("Parameters", "Attributes", "References", "Examples")
PLACE = r"eq\.|Alg|Theorem|Thm|§|Figure|Remark|[A-B]\.\d|\(20\d\d\)"
NAMES = public_names()
ESTIMATORS = {
    name: cls
    for name, cls in NAMES.items()
    if inspect.isclass(cls) and issubclass(cls, BaseEstimator)
}
RUN = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


def test_docstrings_are_complete():
    """And that of an estimator says its source and its units, and shows its use."""
    assert {"lapviz.GalerkinEmbedding.transform", "lapviz.datasets.load"} <= set(NAMES)
    assert len(NAMES) > 200
    assert len(ESTIMATORS) >= 10
    said = [f"{name}: {text}" for name, item in NAMES.items() for text in complaints(name, item)]
    said += [f"{name}: {text}" for name, cls in ESTIMATORS.items()
             for text in complaints_about_a_method(cls)]  # fmt: skip
    assert not said, "\n".join(said)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RUN)
def test_the_examples_run(name):
    module = importlib.import_module(name)
    done = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert done.attempted > done.failed == 0
