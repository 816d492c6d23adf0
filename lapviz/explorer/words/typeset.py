r"""A small part of LaTeX as HTML, for formulas outside Markdown, with spans around symbols.

``\term{lam}{\lambda}`` becomes a span with ``data-term="lam"``. Everything else is what the
formulas of kernels, filters and pages need; an unknown command is an error.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|[A-Za-z]|\d+(?:\.\d+)?|.")
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "varphi": "φ", "phi": "ϕ", "psi": "ψ", "omega": "ω", "Delta": "Δ", "Phi": "Φ",
    "Psi": "Ψ", "Sigma": "Σ", "Xi": "Ξ",
}  # fmt: skip
_SYMBOLS = {
    "nabla": "∇", "partial": "∂", "cdot": "·", "dots": "…", "ldots": "…", "in": "∈", "sum": "∑",
    "int": "∫", "le": "≤", "ge": "≥", "lt": "&lt;", "to": "→", "infty": "∞", "langle": "⟨",
    "rangle": "⟩", "ell": "<i>ℓ</i>", "|": "‖", "{": "{", "}": "}", "top": "⊤", "perp": "⊥",
    "otimes": "⊗", "pm": "±", "times": "×", "preceq": "⪯", "ne": "≠", "quad": "&emsp;",
    ",": "\u202f", ";": "\u2005", " ": " ", "!": "", "left": "", "right": "", "approx": "≈",
}  # fmt: skip
_RELATIONS = {"∈", "≤", "≥", "&lt;", "→", "⊥", "⪯", "≠", "≈"}
_UPRIGHT = ("exp", "log", "min", "max", "cos", "sin", "tr", "inf", "sup")
_LETTERS = {
    "mathcal": dict(zip("HLNEKR", "ℋℒ𝒩ℰ𝒦ℛ", strict=True)),
    "mathbb": dict(zip("REP", "ℝ𝔼ℙ", strict=True)),
}
_ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304"}


def typeset(latex: str, term: Callable[[str, str], str] | None = None) -> str:
    r"""A formula as HTML: italics, subscripts and superscripts.

    Parameters
    ----------
    latex : str
        The formula, without dollars.
    term : callable, optional
        Called with the name and the HTML of every ``\term{name}{symbol}``; by default a plain span.

    Returns
    -------
    str
        HTML whose only elements are i, sub, sup, span, and what ``term`` returns.

    Raises
    ------
    ValueError
        If a command is unknown, or braces do not match.
    """
    parser = _Parser(_TOKEN.findall(latex), term or _span)
    whole = parser.until(None)
    if parser.tokens:
        raise ValueError(f"The formula {latex!r} closes a brace that it did not open.")
    return whole


def _span(name: str, inner: str) -> str:
    return f'<span data-term="{html.escape(name)}">{inner}</span>'


class _Parser:
    def __init__(self, tokens: list[str], term: Callable[[str, str], str]):
        self.tokens, self.term = tokens[::-1], term

    def until(self, end: str | None) -> str:
        made = []
        while self.tokens and self.tokens[-1] != "}":
            made.append(self.piece())
        if end is not None:
            if not self.tokens:
                raise ValueError("A formula opens a brace that it does not close.")
            self.tokens.pop()
        return "".join(made)

    def argument(self) -> str:
        """The next group or symbol."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        if not self.tokens:
            raise ValueError("A formula ends where a symbol is due.")
        if self.tokens[-1] == "{":
            self.tokens.pop()
            return self.until("}")
        return self.piece()

    def words(self) -> str:
        """The next group as plain text."""
        if not self.tokens or self.tokens.pop() != "{":
            raise ValueError("A formula lacks a brace after a command for text.")
        made = []
        while self.tokens and self.tokens[-1] != "}":
            made.append(self.tokens.pop())
        if not self.tokens:
            raise ValueError("A formula opens a brace that it does not close.")
        self.tokens.pop()
        return "".join(made)

    def piece(self) -> str:
        token = self.tokens.pop()
        if token.startswith("\\"):
            return self.command(token[1:])
        if token == "{":
            return self.until("}")
        if token in "^_":
            kind = "sup" if token == "^" else "sub"
            return f"<{kind}>{self.argument()}</{kind}>"
        if token.isspace():
            return ""
        if token.isalpha() and token.isascii():
            return f"<i>{token}</i>"
        if token in "=<+":
            return f" {html.escape(token)}\u00a0"  # a line may break before it
        return {"-": "\u2212", "'": "′", ",": ", ", ";": "; "}.get(token, html.escape(token))

    def command(self, name: str) -> str:
        if name in _GREEK:
            return f"<i>{_GREEK[name]}</i>"
        if name in _SYMBOLS:
            symbol = _SYMBOLS[name]
            return f" {symbol}\u00a0" if symbol in _RELATIONS else symbol
        if name in _UPRIGHT:
            return f"{name}\u2009" if self.tokens and self.tokens[-1] != "(" else name
        if name == "term":
            return self.term(self.words(), self.argument())
        if name == "text":
            return html.escape(self.words())
        if name in ("operatorname", "operatorname*"):
            return html.escape(self.words().replace("\\,", "\u2009"))
        if name == "frac":
            return f"{_grouped(self.argument())}/{_grouped(self.argument())}"
        if name == "sqrt":
            return f"√{_grouped(self.argument())}"
        if name in _LETTERS:
            letter = self.words() if self.tokens and self.tokens[-1] == "{" else self.letter()
            return _LETTERS[name].get(letter, letter)
        if name in _ACCENTS:
            return self.argument().replace("</i>", f"{_ACCENTS[name]}</i>", 1)
        raise ValueError(f"The command \\{name} is not known here.")

    def letter(self) -> str:
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        return self.tokens.pop() if self.tokens else ""


def _grouped(inner: str) -> str:
    plain = re.sub(r"<[^>]+>", "", inner)
    return f"({inner})" if re.search(r"[+\u2212=]", plain) else inner
