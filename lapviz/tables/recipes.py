"""The lines of Python that read a file again and prepare the same arrays."""

from __future__ import annotations

import ast

from lapviz.tables.records import Roles


def script(roles: Roles, path: str) -> str:
    """Lines that define table, data, X, y and weights; by the roles of the columns."""
    options = [
        f"    features={_listed(roles.features)},",
        f"    label={_text(roles.label)},",
        f"    weight={_text(roles.weight)},",
        f'    missing="{roles.missing}",',
        f"    scale={roles.scale!r},",
        f'    task="{roles.task}",',
    ]
    text = "\n".join(
        [
            "from lapviz import tables",
            "",
            f"table = tables.read({_text(str(path))})",
            "data = table.prepare(",
            *options,
            ")",
            "X, y, weights = data.X, data.y, data.weights",
            "",
        ]
    )
    ast.parse(text)
    return text


def _text(text: str | None) -> str:
    """A literal, in double quotes where that is plain."""
    literal = repr(text)
    return f'"{text}"' if literal == f"'{text}'" and '"' not in literal else literal


def _listed(names: tuple[str, ...]) -> str:
    """A tuple of names, a few a line."""
    names = [_text(name) for name in names]
    line = f"({', '.join(names)}{',' * (len(names) == 1)})"
    if len(line) <= 80:
        return line
    return "(\n" + "".join(f"        {name},\n" for name in names) + "    )"
