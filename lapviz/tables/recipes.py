"""The lines of Python that read a file again and prepare the same arrays."""

from __future__ import annotations

import ast

from lapviz.tables.records import Prepared


def script(data: Prepared, path: str) -> str:
    """Lines that define table, data, X, y and weights; see :meth:`Prepared.script`."""
    roles = data.roles
    options = [
        f"    features={_listed(roles.features)},",
        f"    label={roles.label!r},",
        f"    weight={roles.weight!r},",
        f"    missing={roles.missing!r},",
        f"    scale={roles.scale!r},",
        f"    task={roles.task!r},",
    ]
    text = "\n".join(
        [
            "from lapviz import tables",
            "",
            f"table = tables.read({str(path)!r})",
            "data = table.prepare(",
            *options,
            ")",
            "X, y, weights = data.X, data.y, data.weights",
            "",
        ]
    )
    ast.parse(text)
    return text


def _listed(names: tuple[str, ...]) -> str:
    """A tuple of names, a few a line."""
    line = repr(names)
    if len(line) <= 80:
        return line
    return "(\n" + "".join(f"        {name!r},\n" for name in names) + "    )"
