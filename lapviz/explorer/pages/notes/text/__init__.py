"""The text of the Notes page, and its parts.

The Markdown files of this folder are the one source of the page and of the documentation. They are
plain Markdown as MyST reads it: formulas between dollars, ``(name)=`` before a heading as its
anchor, and two directives, ``{lapviz-stage}`` for a live stage and ``{lapviz-table}`` for a table
made from the code.
"""

from lapviz.explorer.pages.notes.text.papers import PAPERS, Paper
from lapviz.explorer.pages.notes.text.source import (
    Citation,
    Code,
    Heading,
    Part,
    Stage,
    Table,
    Text,
    anchors,
    citations,
    codes,
    parts,
)

__all__ = [
    "PAPERS",
    "Citation",
    "Code",
    "Heading",
    "Paper",
    "Part",
    "Stage",
    "Table",
    "Text",
    "anchors",
    "citations",
    "codes",
    "parts",
]
