r"""A small part of LaTeX as HTML, for formulas outside Markdown, with spans around symbols.

``\term{lam}{\lambda}`` is a symbol that can be highlighted and explained, even within an index:
KaTeX cannot do this, since Streamlit runs it without ``\htmlData``. Every name of an HTML character
is a command; unknown commands raise an error.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from html.entities import html5

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|[A-Za-z]|\d+(?:\.\d+)?|.")
_CHARACTERS = {"-": "\u2212", "'": "′", ",": ", ", ";": "; "}
# Commands without an HTML character of the same name.
_COMMANDS = {
    "varphi": "φ", "phi": "ϕ", "partial": "∂", "cdot": "·", "dots": "…", "ldots": "…", "to": "→",
    "infty": "∞", "|": "‖", "{": "{", "}": "}", "quad": "\u2003", ",": "\u202f", ";": "\u2005",
    " ": " ", "!": "", "left": "", "right": "",
}  # fmt: skip
_RELATIONS = set("=+<∈≤≥→⊥⪯≠≈")  # a line may break before them
_UPRIGHT = ("exp", "log", "min", "max", "cos", "sin", "tr", "inf", "sup")
_ALPHABETS = {"mathcal": "scr;", "mathbb": "opf;"}
_ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304"}


def typeset(latex: str, term: Callable[[str, str], str] = lambda name, shown: shown) -> str:
    r"""Typeset a formula as HTML: italics, subscripts and superscripts.

    Parameters
    ----------
    latex : str
        The formula, without dollars.
    term : callable, optional
        Called with the name and the HTML of every ``\term{name}{symbol}``; returns its HTML.

    Returns
    -------
    str
        HTML whose only elements are i, sub, sup, and what ``term`` returns.

    Raises
    ------
    ValueError
        If a command is unknown, or braces do not match.
    """
    return _Reader(latex, term).pieces()


class _Reader:
    def __init__(self, latex: str, term: Callable[[str, str], str]):
        self.tokens, self.term = _TOKEN.findall(latex)[::-1], term

    def pieces(self, end: str = "") -> str:
        """Read up to a closing brace, or to the end of the formula."""
        parts = []
        while self.tokens and self.tokens[-1] != "}":
            parts.append(self.piece())
        if (self.tokens.pop() if self.tokens else "") != end:
            raise ValueError("The braces of a formula do not match.")
        return "".join(parts)

    def argument(self) -> str:
        """Read the next group or symbol."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        if not self.tokens:
            raise ValueError("A formula ends where a symbol is due.")
        if self.tokens[-1] != "{":
            return self.piece()
        self.tokens.pop()
        return self.pieces("}")

    def text(self) -> str:
        """Read the next group as plain text."""
        if "}" not in self.tokens or self.tokens.pop() != "{":
            raise ValueError("A formula lacks a brace around text.")
        return "".join(iter(self.tokens.pop, "}"))

    def piece(self) -> str:
        token = self.tokens.pop()
        if token == "{":
            return self.pieces("}")
        if token in "^_":
            kind = "sup" if token == "^" else "sub"
            return f"<{kind}>{self.argument()}</{kind}>"
        if token.isspace():
            return ""
        if token[0] == "\\":
            return self.command(token[1:])
        return _symbol(_CHARACTERS.get(token, token))

    def command(self, name: str) -> str:
        if name in _UPRIGHT:
            return f"{name}\u2009" if self.tokens and self.tokens[-1] != "(" else name
        if name == "term":
            return self.term(self.text(), self.argument())
        if name in ("text", "operatorname", "operatorname*"):
            return html.escape(self.text().replace("\\,", "\u2009"))
        if name == "frac":
            return f"{_grouped(self.argument())}/{_grouped(self.argument())}"
        if name == "sqrt":
            return f"√{_grouped(self.argument())}"
        if name in _ALPHABETS:
            letter = _plain(self.argument())
            return html5.get(letter + _ALPHABETS[name], letter)
        if name in _ACCENTS:
            return self.argument().replace("</i>", f"{_ACCENTS[name]}</i>", 1)
        symbol = _COMMANDS.get(name, html5.get(f"{name};"))
        if symbol is None:
            raise ValueError(f"The command \\{name} is not known here.")
        return _symbol(symbol)


def _symbol(symbol: str) -> str:
    if symbol.isalpha():
        return f"<i>{symbol}</i>"
    return f" {html.escape(symbol)}\u00a0" if symbol in _RELATIONS else html.escape(symbol)


def _plain(markup: str) -> str:
    return re.sub(r"<[^>]+>", "", markup)


def _grouped(markup: str) -> str:
    return f"({markup})" if re.search(r"[+\u2212=]", _plain(markup)) else markup
