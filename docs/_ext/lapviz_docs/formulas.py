"""Formulas as MathML, which browsers draw without a script or a network."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from latex2mathml.converter import convert
from sphinx.util import logging

# Commands that the converter does not know, rewritten with those that it does.
_ARG_MIN = re.compile(r"\\operatorname\*\{arg\\,min\}_(?:\{([^}]*)\}|(\\?\w+))")
_REWRITTEN = (
    (_ARG_MIN, r"\\underset{\1\2}{\\text{arg min}}"),
    (re.compile(r"\\(begin|end)\{gathered\}"), r"\\\1{matrix}"),
    (re.compile(r"\\\n"), r"\\ "),
)
# Browsers support no mathvariant but "normal"; Unicode has the letters.
_LETTERS = {
    "script": dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True)),
    "double-struck": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
}
_FIRST = {"script": 0x1D49C, "double-struck": 0x1D538}  # of the capital letters
_VARIANT = re.compile(r'<mi mathvariant="(script|double-struck)">([A-Z])</mi>')
_BAR = re.compile(r"<mo([^>]*)>(&#x0007C;|&#x02016;)</mo>")  # norm bars: no space around them
_SLASH = re.compile(r"<mo>(&#x0002F;|/)</mo>")
_SIGN = re.compile(r"((?:&#x00028;|&#x0005B;|&#x0002C;|&#x0003D;)</mo>)<mo>&#x02212;</mo>")
_RELATIONS = frozenset("=≤≥≈→∈<>⪯")
_SPACE = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", _SPACE)
_COMMAND = re.compile(r"<m[ion][^>]*>\\")


def mathml(latex: str, *, display: bool) -> str:
    """A formula as a ``<math>`` element.

    Raises
    ------
    ValueError
        If a command is not known.
    """
    for pattern, new in _REWRITTEN:
        latex = pattern.sub(new, latex)
    try:
        markup = convert(latex, display="block" if display else "inline")
    except Exception as error:
        raise ValueError(f"The formula {latex!r} cannot be set: {error!r}.") from error
    if _COMMAND.search(markup):
        raise ValueError(f"The formula {latex!r} has a command that is not known.")
    markup = _VARIANT.sub(_letter, markup)
    markup = _BAR.sub(r'<mo\1 lspace="0" rspace="0">\2</mo>', markup)
    markup = _SLASH.sub('<mo lspace="0" rspace="0">/</mo>', markup)
    markup = _SIGN.sub(r'\1<mo form="prefix">&#x02212;</mo>', markup)
    markup = markup.replace("<mtable", '<mtable displaystyle="true"')
    return markup if display else breakable(markup)


def breakable(markup: str) -> str:
    """Split an inline formula into elements so that a line can break before a relation."""
    math = ElementTree.fromstring(markup)
    (row,) = math
    pieces: list[list[ElementTree.Element]] = [[]]
    for child in row:
        if child.tag == f"{{{_SPACE}}}mo" and child.text in _RELATIONS and pieces[-1]:
            child.set("form", "infix")  # at the beginning of an element it would be a prefix
            pieces.append([])
        pieces[-1].append(child)
    if len(pieces) == 1:
        return markup
    heads = [ElementTree.Element(math.tag, math.attrib) for _ in pieces]
    for head, piece in zip(heads, pieces, strict=True):
        ElementTree.SubElement(head, row.tag).extend(piece)
    return "<wbr>".join(ElementTree.tostring(head, "unicode") for head in heads)


def _letter(match: re.Match) -> str:
    kind, letter = match.groups()
    character = _LETTERS[kind].get(letter) or chr(_FIRST[kind] + ord(letter) - ord("A"))
    return f"<mi>{character}</mi>"


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
    """Render the formulas of HTML pages by this module."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
