"""Formulas as MathML: browsers draw it by themselves, without a script or a network."""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from sphinx.util import logging

# Commands that the converter does not know, in terms of those that it does.
_REWRITTEN = (
    (re.compile(r"\\operatorname\*\{arg\\,min\}_(?:\{([^}]*)\}|(\\?\w+))"), r"\\underset{\1\2}{\\text{arg min}}"),
    (re.compile(r"\\(begin|end)\{gathered\}"), r"\\\1{matrix}"),
    (re.compile(r"\\\n"), r"\\ "),
)  # fmt: skip
_COMMAND = re.compile(r"<m[ion][^>]*>\\")


def mathml(latex: str, *, display: bool) -> str:
    """One formula as an element ``<math>``.

    Raises
    ------
    ValueError
        If a command is not known.
    """
    for pattern, new in _REWRITTEN:
        latex = pattern.sub(new, latex)
    try:
        made = convert(latex, display="block" if display else "inline")
    except Exception as error:
        raise ValueError(f"The formula {latex!r} cannot be set: {error!r}.") from error
    if _COMMAND.search(made):
        raise ValueError(f"The formula {latex!r} has a command that is not known.")
    return made.replace("<mtable", '<mtable displaystyle="true"')


def _inline(self, node) -> None:
    self.body.append(_safe(node, display=False))
    raise _skip()


def _block(self, node) -> None:
    self.body.append(f'<div class="formula">{_safe(node, display=True)}</div>')
    raise _skip()


def _safe(node, *, display: bool) -> str:
    try:
        return mathml(node.astext(), display=display)
    except ValueError as error:
        logging.getLogger(__name__).warning(str(error), location=node)
        return ""


def _skip() -> Exception:
    from docutils.nodes import SkipNode

    return SkipNode()


def setup(app) -> None:
    """Set formulas of HTML pages by this module."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
