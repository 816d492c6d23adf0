"""The text of the Notes page, and its parts.

The Markdown files of this folder are the one source of the page and of the documentation. They are
plain Markdown as MyST reads it: formulas between dollars, ``(name)=`` before a heading as its
anchor, and two directives, ``{lapviz-stage}`` for a live stage and ``{lapviz-table}`` for a table
generated from the code. The page parses headings and blocks only, which needs no Markdown library;
Streamlit renders the text between them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PART = re.compile(
    r"^\((?P<anchor>[\w-]+)\)=\n(?P<marks>#{2,3}) (?P<title>.+)$"
    r"|^```(\{lapviz-(?P<directive>stage|table)\} )?(?P<label>[\w-]*)\n(?P<inside>(.*\n)*?)```$",
    re.MULTILINE,
)
_INCOMPLETE = re.compile(r"^(\([\w-]+\)=|#{2,3} .+|```.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Heading:
    """A heading with its anchor; ``level`` is 2 for a section, 3 within one."""

    text: str
    anchor: str
    level: int

    @property
    def plain(self) -> str:
        """The text without links, for a table of contents."""
        return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", self.text)


@dataclass(frozen=True)
class Text:
    """Markdown."""

    markdown: str


@dataclass(frozen=True)
class Code:
    """A block of code."""

    text: str
    language: str


@dataclass(frozen=True)
class Stage:
    """A live stage, by its name."""

    name: str


@dataclass(frozen=True)
class Table:
    """A table generated from the code, by its name."""

    name: str


Part = Heading | Text | Code | Stage | Table


@functools.cache
def parts() -> tuple[Part, ...]:
    """All parts of the notes, in order."""
    files = sorted(Path(__file__).parent.glob("*.md"))
    return tuple(part for file in files for part in split(file.read_text("utf-8")))


def split(source: str) -> Iterator[Part]:
    """The parts of one Markdown text.

    Raises
    ------
    ValueError
        If a block is not closed or unknown, a heading has no anchor, or an anchor no heading.
    """
    end = 0
    for match in [*_PART.finditer(source), None]:
        text = source[end : match.start() if match else None].strip()
        if incomplete := _INCOMPLETE.search(text):
            raise ValueError(
                f"“{incomplete[0]}” in the notes is not complete: a heading stands right below its "
                "anchor, (name)=, and a block is one of code, {lapviz-stage} or {lapviz-table}, "
                "closed by ```."
            )
        if text:
            yield Text(text)
        if match is None:
            return
        end = match.end()
        if match["anchor"]:
            yield Heading(match["title"], match["anchor"], len(match["marks"]))
        elif match["directive"]:
            yield (Stage if match["directive"] == "stage" else Table)(match["label"])
        else:
            yield Code(match["inside"].rstrip("\n"), match["label"])


@dataclass(frozen=True)
class Section:
    """A heading of level 2 and everything below it, itself included."""

    head: Heading
    parts: tuple[Part, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """Anchors of its headings."""
        return tuple(part.anchor for part in self.parts if isinstance(part, Heading))


@functools.cache
def sections() -> tuple[Section, ...]:
    """The sections, in order; the text begins with a heading."""
    starts = [i for i, p in enumerate(parts()) if isinstance(p, Heading) and p.level == 2]
    ends = [*starts[1:], None]
    blocks = (parts()[start:end] for start, end in zip(starts, ends, strict=True))
    return tuple(Section(block[0], block) for block in blocks)


def section_of(anchor: str) -> str:
    """Anchor of the section that contains a heading, or "" if there is no such heading."""
    return next((s.head.anchor for s in sections() if anchor in s.anchors), "")


def anchors() -> frozenset[str]:
    """Every anchor to which a link within the notes can lead."""
    return frozenset(part.anchor for part in parts() if isinstance(part, Heading))
