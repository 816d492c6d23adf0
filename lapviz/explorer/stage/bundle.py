"""The stage's JavaScript modules, joined into one module that Streamlit can serve inline.

The modules use a small, fixed part of the ES module syntax (named imports of sibling files,
exported functions, classes and constants); anything else is refused with a sentence. Each module
becomes a function scope, in dependency order, so private names of two files never meet. No
JavaScript tool is needed, when developing or at run time.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent

_IMPORT = re.compile(
    r'^import\s*\{([^}]*)\}\s*from\s*"\.{1,2}/(?:[\w-]+/)*([\w-]+)\.js";[ \t]*$', re.M
)
_EXPORT_NAME = re.compile(r"^export\s+((?:async\s+)?function|class|const)\s+(\w+)", re.M)
_EXPORT_LIST = re.compile(r"export\s*\{([^}]*)\};?\s*$")
_LEFT_OVER = re.compile(r"^(import|export)\b.*$", re.M)
_COMMENT = re.compile(r"^\s*(//.*|/\*(?:.|\n)*?\*/\s*)$", re.M)


def bundle(root: Path = HERE, *, entry: str = "main") -> str:
    """Join ``root/js/*.js`` and ``root/vendor/*.js`` into one ES module.

    Parameters
    ----------
    root : Path
        Folder that holds ``js`` and ``vendor``; default: the stage's own.
    entry : str, default "main"
        Name of the module whose exports the bundle exports: ``mount`` as its default, all of
        them, and every other module's, under ``modules`` (for tests).

    Returns
    -------
    str
        Source of one module.

    Raises
    ------
    ValueError
        When a module is missing, modules import each other in a circle, or one uses an import or
        export form that is not understood here.
    """
    sources = {path.stem: path.read_text("utf-8") for path in sorted(root.glob("vendor/*.js"))}
    sources |= {path.stem: path.read_text("utf-8") for path in sorted(root.glob("js/*.js"))}
    scopes = [_scope(name, sources[name]) for name in _order(entry, sources)]
    table = ", ".join(f"{_key(name)}: {_variable(name)}" for name in _order(entry, sources))
    tail = f"export const modules = {{ {table} }};\nexport default {_variable(entry)}.mount;\n"
    return "\n".join([*scopes, tail])


def _order(entry: str, sources: dict[str, str]) -> list[str]:
    """Modules that ``entry`` needs, each after those that it imports."""
    done: list[str] = []

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in done:
            return
        if name in trail:
            raise ValueError(f"These modules import each other: {' -> '.join((*trail, name))}.")
        if name not in sources:
            raise ValueError(
                f"Module {trail[-1] if trail else ''} imports {name}.js: no such file."
            )
        for _, needed in _IMPORT.findall(sources[name]):
            visit(needed, (*trail, name))
        done.append(name)

    visit(entry, ())
    return done


def _scope(name: str, source: str) -> str:
    """One module as a function scope that returns its exports."""
    exports: dict[str, str] = {}
    listed = _EXPORT_LIST.search(source)
    if listed:
        for inner, outer in _names(listed.group(1)):
            exports[outer] = inner
        source = source[: listed.start()]

    def opened(match: re.Match) -> str:
        exports[match.group(2)] = match.group(2)
        return f"{match.group(1)} {match.group(2)}"

    def imported(match: re.Match) -> str:
        pairs = [a if a == b else f"{a}: {b}" for a, b in _names(match.group(1))]
        return f"const {{ {', '.join(pairs)} }} = {_variable(match.group(2))};"

    source = _EXPORT_NAME.sub(opened, _IMPORT.sub(imported, source))
    source = _COMMENT.sub("", source)
    odd = _LEFT_OVER.search(source)
    if odd:
        raise ValueError(f"{name}.js: the bundler does not understand {odd.group(0)!r}.")
    body = "\n".join(line.strip() for line in source.splitlines() if line.strip())
    given = ", ".join(a if a == b else f"{a}: {b}" for a, b in exports.items())
    return (
        f'const {_variable(name)} = (() => {{\n"use strict";\n{body}\nreturn {{ {given} }};\n}})();'
    )


def _names(inside: str) -> list[tuple[str, str]]:
    """The pairs (name there, name here) of a brace list such as ``a, b as c``."""
    pairs = (re.split(r"\s+as\s+", item.strip()) for item in inside.split(",") if item.strip())
    return [(pair[0], pair[-1]) for pair in pairs]


def _variable(name: str) -> str:
    return "__" + name.replace("-", "_")


def _key(name: str) -> str:
    return name.replace("-", "_")
