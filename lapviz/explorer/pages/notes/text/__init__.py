"""The text of the Notes page, and its parts.

The Markdown files of this folder are the one source of the page and of the documentation. They are
plain Markdown as MyST reads it: formulas between dollars, ``(name)=`` before a heading as its
anchor, and two directives, ``{lapviz-stage}`` for a live stage and ``{lapviz-table}`` for a table
made from the code. The page needs to know headings and blocks only, for which a reader of Markdown
would be one more dependency; Streamlit shows the text between them.
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
_ALONE = re.compile(r"^(\([\w-]+\)=|#{2,3} .+|```.*)$", re.MULTILINE)


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
    """A table made from the code, by its name."""

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
    for found in [*_PART.finditer(source), None]:
        text = source[end : found.start() if found else None].strip()
        if alone := _ALONE.search(text):
            raise ValueError(
                f"“{alone[0]}” in the notes is not complete: a heading stands right below its "
                "anchor, (name)=, and a block is one of code, {lapviz-stage} or {lapviz-table}, "
                "closed by ```."
            )
        if text:
            yield Text(text)
        if found is None:
            return
        end = found.end()
        if found["anchor"]:
            yield Heading(found["title"], found["anchor"], len(found["marks"]))
        elif found["directive"]:
            yield (Stage if found["directive"] == "stage" else Table)(found["label"])
        else:
            yield Code(found["inside"].rstrip("\n"), found["label"])


@dataclass(frozen=True)
class Section:
    """A heading of level 2 and all that stands below it, itself included."""

    head: Heading
    parts: tuple[Part, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """Names of its headings."""
        return tuple(part.anchor for part in self.parts if isinstance(part, Heading))


@functools.cache
def sections() -> tuple[Section, ...]:
    """The sections, in order; the text begins with a heading."""
    starts = [i for i, p in enumerate(parts()) if isinstance(p, Heading) and p.level == 2]
    ends = [*starts[1:], None]
    pieces = (parts()[start:end] for start, end in zip(starts, ends, strict=True))
    return tuple(Section(its[0], its) for its in pieces)


def section_of(anchor: str) -> str:
    """Name of the section in which a heading stands, or "" if there is no such heading."""
    return next((its.head.anchor for its in sections() if anchor in its.anchors), "")


def anchors() -> frozenset[str]:
    """Every name that a link within the notes can have."""
    return frozenset(part.anchor for part in parts() if isinstance(part, Heading))
