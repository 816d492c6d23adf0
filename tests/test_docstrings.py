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
    """Public functions in the module's ``__all__``, or all that it defines if it has none."""
    names = getattr(module, "__all__", None) or [
        name for name, item in vars(module).items()
        if getattr(item, "__module__", "") == module.__name__ and not name.startswith("_")
    ]  # fmt: skip
    items = {name: getattr(module, name) for name in names}
    return {n: item for n, item in items.items() if inspect.isfunction(item) and is_ours(item)}


def methods_of(cls: type) -> dict[str, object]:
    """Public methods that lapviz defines, in the class or one of its bases."""
    methods = {}
    for base in filter(is_ours, reversed(cls.__mro__)):
        methods |= {name: item for name, item in vars(base).items() if inspect.isfunction(item)}
    return {name: item for name, item in methods.items() if not name.startswith("_")}


def public_names() -> dict[str, object]:
    """Every name that is checked, with its object."""
    items = {}
    for name in lapviz.__all__:
        item = getattr(lapviz, name)
        if inspect.isfunction(item) or inspect.isclass(item):
            items[f"lapviz.{name}"] = item
        if inspect.isclass(item):
            items |= {f"lapviz.{name}.{method}": i for method, i in methods_of(item).items()}
    seen = {id(item) for item in items.values()}
    for module in MODULES:
        functions = functions_of(importlib.import_module(f"lapviz.{module}"))
        new = {f"lapviz.{module}.{n}": i for n, i in functions.items() if id(i) not in seen}
        items |= new  # once, under its shortest name
        seen |= {id(item) for item in new.values()}
    return items


def raises(item) -> bool:
    """Whether the function has a ``raise`` statement, other than for abstract methods."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item)))
    raised = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc)
    return any("NotImplementedError" not in ast.unparse(exc) for exc in raised)


def complaints(name: str, item) -> list[str]:
    """Defects in the docstring of a public name, as sentences."""
    errors = validate.validate(name)["errors"]
    messages = [f"{code}: {text}" for code, text in errors if code in CHECKS]
    if not inspect.isfunction(item):  # keyword-only parameters are in the order best for readers
        return [message for message in messages if not message.startswith("PR03")]
    sections = validate.Validator(validate.get_doc_object(item)).doc
    if raises(item) and not sections["Raises"]:
        messages.append("it raises, and has no Raises section")
    for field in (*sections["Parameters"], *sections["Returns"], *sections["Yields"]):
        if re.match(r"(\w+ )?array\b", field.type) and "(" not in field.type:
            messages.append(f"{field.name or 'the result'}: an array without a shape")
    return messages


def complaints_about_an_estimator(cls: type) -> list[str]:
    """Defects in the docstring of an estimator, which is where users begin."""
    doc = validate.Validator(validate.get_doc_object(cls)).doc
    text, references = inspect.getdoc(cls) or "", "\n".join(doc["References"])
    messages = [f"no section {name}" for name in ESTIMATOR_SECTIONS if not doc[name]]
    messages += [
        f"{p} is not spelled out" for p in PAPERS if p in text and f"{p}: " not in references
    ]
    if not re.search(REFERENCE, text):
        messages.append("no equation, algorithm, theorem, section or figure of a paper")
    if "length" not in text and "units of X" not in text and "nearest" not in text.lower():
        messages.append("no units")
    if not any(line.lstrip().startswith(">>>") for line in doc["Examples"]):
        messages.append("no example that runs")
    init = inspect.signature(cls.__init__).parameters
    described = {"self", *(p.name for p in doc["Parameters"])}
    messages += [f"{name} has no type" for name in init if name not in described]
    if not validate.Validator(validate.get_doc_object(cls.fit)).doc["Raises"]:
        messages.append("fit has no Raises section")
    return messages


ESTIMATOR_SECTIONS = ("Parameters", "Attributes", "References", "Examples")
REFERENCE = r"eq\.|Alg|Theorem|Thm|§|Figure|Remark|[A-B]\.\d|\(20\d\d\)"
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
    """An estimator's docstring also has its sources, units and an example."""
    assert {"lapviz.GalerkinEmbedding.transform", "lapviz.datasets.load"} <= set(NAMES)
    assert len(NAMES) > 200
    assert len(ESTIMATORS) >= 10
    messages = [
        f"{name}: {text}" for name, item in NAMES.items() for text in complaints(name, item)
    ]
    messages += [f"{name}: {text}" for name, cls in ESTIMATORS.items()
                 for text in complaints_about_an_estimator(cls)]  # fmt: skip
    assert not messages, "\n".join(messages)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RUN)
def test_the_examples_run(name):
    module = importlib.import_module(name)
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > results.failed == 0
