"""Parts of scripts: calls with arguments that differ from the defaults, data, and imports."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from dataclasses import fields, is_dataclass
from operator import attrgetter
from string import Template
from typing import Any

from sklearn.base import BaseEstimator

import lapviz
from lapviz import kernels, operators
from lapviz.datasets.base import registered
from lapviz.estimates import filters
from lapviz.experiments.records import Results
from lapviz.explorer.compute import points
from lapviz.explorer.host.store import STORE
from lapviz.explorer.settings import drawing
from lapviz.explorer.settings.records import Settings

WIDE = 88  # characters of a comment or of a drawing's code on a line
# Names from other packages that a script may use, and the lines that import them.
_STANDARD = {"replace": "from dataclasses import replace"}
_OTHERS = {
    "np": "import numpy as np",
    "StandardScaler": "from sklearn.preprocessing import StandardScaler",
}


class Source(str):
    """Source text that is written unchanged: a name or an expression."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def with_imports(body: str) -> str:
    """Script of a body and the imports that it needs, with those from lapviz in one line."""
    body = re.sub(r"^from lapviz import \w+\n+", "", body, flags=re.MULTILINE)
    nodes = list(ast.walk(ast.parse(body)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)} - set(dir(builtins))
    defined = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    defined |= {node.name for node in nodes if isinstance(node, ast.alias)}
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    from_lapviz = sorted((n for n in used - defined if n in dir(lapviz)), key=str.lower)
    lines = [[line for name, line in imports.items() if name in used]
             for imports in (_STANDARD, _OTHERS)]  # fmt: skip
    lines.append([f"from lapviz import {', '.join(from_lapviz)}"] if from_lapviz else [])
    lines.append(_registrations(texts))
    blocks = ["\n".join(block) for block in lines if block]
    return "\n\n".join([*blocks, body.strip("\n")]) + "\n"


def _registering(texts: set) -> dict[str, str]:
    """Modules that register kernels, filters and data sets in ``texts``, and which; not lapviz."""
    modules: dict[str, list[str]] = {}
    for items in (kernels.REGISTRY, filters.REGISTRY, registered()):
        for name in sorted(texts & items.keys()):
            if items[name].__module__.partition(".")[0] != "lapviz":
                modules.setdefault(items[name].__module__, []).append(repr(name))
    return {module: ", ".join(names) for module, names in modules.items()}


def _registrations(texts: set) -> list[str]:
    """Lines for the kernels, filters and data sets in ``texts`` that are not lapviz's own."""
    return [
        f"# Put the code that registers {names} here."
        if module == "__main__"
        else f"import {module}  # registers {names}"
        for module, names in _registering(texts).items()
    ]


def command(results: Results) -> str:
    """The command that reproduces a run, also with names that are not lapviz's own."""
    text = results.command()
    owners = _registering(set(re.findall(r"[\w-]+", text)))
    modules = {"my_module" if m == "__main__" else m: names for m, names in owners.items()}
    if not modules:
        return text
    imports = f"import {', '.join(modules)}; from lapviz.experiments.__main__ import main"
    note = ", ".join(f"{module} registers {names}" for module, names in modules.items())
    text = text.replace("python -m lapviz.experiments", f'python -c "{imports}; main()"')
    return f"# {note}\n{text}"


def as_source(value: Any) -> str:
    """Source text of a value; an operator is written by its name where that suffices."""
    name = getattr(value, "name", None)
    if name in operators.names() and value == operators.get(name):
        return repr(name)
    if isinstance(value, BaseEstimator):
        return call(type(value).__name__, _parameters(value))
    if is_dataclass(value):
        changed = {f.name: getattr(value, f.name) for f in fields(value)
                   if getattr(value, f.name) != f.default}  # fmt: skip
        arguments = ", ".join(f"{name}={as_source(v)}" for name, v in changed.items())
        return f"operators.{type(value).__name__}({arguments})"
    if isinstance(value, tuple):
        return f"({', '.join(map(as_source, value))}{',' * (len(value) == 1)})"
    return repr(value)


def arguments_of(estimator: BaseEstimator) -> str:
    """Source of a dictionary of an estimator's parameters that differ from their defaults."""
    return call("dict", _parameters(estimator), of=type(estimator).__name__)


def _parameters(estimator: BaseEstimator) -> dict[str, Any]:
    names = inspect.signature(type(estimator)).parameters
    return {name: getattr(estimator, name) for name in names}


def call(name: str, arguments: dict[str, Any], of: str = "") -> str:
    """Source of a call of a public name, with the arguments that differ from their defaults.

    ``of`` is the name with these defaults, where ``name`` is that of a dictionary.
    """
    function = attrgetter(of or name)(lapviz)
    defaults = {n: p.default for n, p in inspect.signature(function).parameters.items()}
    changed = {n: v for n, v in arguments.items() if n not in defaults or v != defaults[n]}
    lines = "".join(f"    {name}={as_source(value)},\n" for name, value in changed.items())
    return f"{name}(\n{lines})" if lines else f"{name}()"


def space_and_energy(settings: Settings) -> dict[str, Any]:
    """Arguments of an estimator for the trial space and the energy."""
    energy = {"mu": settings.energy.mu, "operator": settings.operator}
    return settings.space.arguments() | energy


def comment(text: str) -> str:
    """Lines of a comment."""
    return textwrap.fill(text, WIDE, initial_indent="# ", subsequent_indent="# ")


def weights(settings: Settings, text: str) -> str:
    """Text of a further argument, if the rows have weights; else ""."""
    return "" if points.weights(settings.data) is None else f", {text}"


def data(settings: Settings) -> str:
    """Lines that define ``data``."""
    spec, per_class = settings.data, settings.labels.per_class
    if spec.name == "table":
        return _of_table(settings)
    arguments: dict[str, Any] = {"random_state": spec.random_state}
    if per_class is not None:
        arguments["labels_per_class"] = per_class
    code = ""
    if spec.name == drawing.NAME:
        text = drawing.code_of(spec)
        lines = "".join(f'    "{text[i : i + WIDE]}"\n' for i in range(0, len(text), WIDE))
        code = f"drawing = (  # every point in 12 + 12 bits, with its class\n{lines})\n"
        arguments = {"source": Source("drawing")} | arguments
    else:
        arguments = {"n_samples": spec.n_samples, "noise": spec.noise} | arguments | spec.keywords
    keywords = "".join(f", {name}={value!r}" for name, value in arguments.items())
    load = f"{code}data = datasets.load({spec.name!r}{keywords})"
    if spec.scales:
        return f"{load}\ndata = replace(data, X=StandardScaler().fit_transform(data.X))"
    is_standardised = spec.info.standardised and spec.standardise
    return f"{load}  # standardised; raw=True: as measured" if is_standardised else load


def _of_table(settings: Settings) -> str:
    """Lines that define ``prepared``, a visitor's table, and ``data``, the rows that pages show."""
    spec, per_class = settings.data, settings.labels.per_class
    user_table, n_samples, seed = STORE.get(spec.source), spec.n_samples, spec.random_state
    weighted = user_table.prepared.weights is not None
    lines = [user_table.prepared.script(user_table.table.file).rstrip()]
    if user_table.prepared.task != "classes":
        lines.append("y = np.full(len(X), -1)  # no class is known")
    counted = "np.flatnonzero(weights > 0)  # rows of weight 0 do not count"
    lines.append(f"rows = {counted if weighted else 'np.arange(len(X))'}")
    if n_samples < len(user_table.counted):
        lines.append(f"""\
rows = rows[np.random.default_rng({seed}).permutation(len(rows))]
known = y[rows] >= 0
if known.sum() <= {n_samples // 2}:  # known classes first
    rows = np.r_[rows[known], rows[~known]]
rows = np.sort(rows[:{n_samples}])""")
    n_labels = user_table.per_class(user_table.sample(n_samples, seed).y)
    draw = f"datasets.draw_labels(y[rows], {n_labels}, {seed})"
    lines.append(f"""\
sample = datasets.Dataset(
    X[rows], y[rows], {"y[rows] >= 0" if n_labels is None else draw}, "table", datasets.Truth(),
    {user_table.classes!r}, data.feature_names,{" weights=weights[rows]," * weighted}
)""")
    if per_class is not None:
        lines.append(f"sample = datasets.relabel(sample, {per_class}, {seed})")
    return "\n".join([*lines, "prepared, data = data, sample"])


def every_row(probabilities: str, far: str, codes: str, table: str) -> str:
    """Lines that write a file: the table with class probabilities of every row.

    ``table`` is the script's name of the prepared table, ``codes`` the classes of the
    probabilities' columns; the script's ``names`` are those of all classes.
    """
    return Template("""\

# the full table; far from the data nothing is predicted
far = $far
probabilities, codes = $probabilities, $codes
columns = {"predicted": np.where(far, "", names[codes[probabilities.argmax(axis=1)]])}
columns |= {f"P({names[c]})": probabilities[:, k].round(6) for k, c in enumerate(codes)}
columns["far from the data"] = np.where(far, "yes", "")
""").substitute(probabilities=probabilities, far=far, codes=codes) + file_of(table)


def file_of(table: str) -> str:
    """Lines that write ``columns`` beside the table."""
    return f"""\
with open("predictions.csv", "w", newline="", encoding="utf-8") as file:
    tables.write_csv({table}.beside(table, columns), file)
"""
