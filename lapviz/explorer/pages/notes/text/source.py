"""Reading the Markdown of the notes: headings, text, stages, tables, code, citations."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

_ANCHOR = re.compile(r"^\(([\w-]+)\)=$")
_HEADING = re.compile(r"^(#{2,3}) (.+)$")
_FENCE = re.compile(r"^```(.*)$")
_DIRECTIVE = re.compile(r"^\{lapviz-(stage|table)\} ([\w-]+)$")
_CITATION = re.compile(r"\[(SSL21|KRR20|GAL23|KCG10), ([^\]]+)\]\(#([\w-]+)\)")


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


@dataclass(frozen=True)
class Citation:
    """A link such as ``[SSL21, eq. 5](#ssl21)``."""

    paper: str
    place: str
    target: str


def _sources() -> list[str]:
    files = (f for f in resources.files(__package__).iterdir() if f.name.endswith(".md"))
    return [f.read_text("utf-8") for f in sorted(files, key=lambda f: f.name)]


@functools.cache
def parts() -> tuple[Part, ...]:
    """All parts of the notes, in order."""
    return tuple(part for source in _sources() for part in split(source))


def split(source: str) -> Iterator[Part]:
    """The parts of one Markdown text.

    Raises
    ------
    ValueError
        If a fence is not closed, or a heading has no anchor, or an anchor no heading.
    """
    lines, text, anchor = iter(source.splitlines()), [], ""

    def flush() -> Iterator[Text]:
        whole = "\n".join(text).strip()
        text.clear()
        if whole and anchor:
            raise ValueError(f"The anchor {anchor!r} has no heading: write one right below it.")
        if whole:
            yield Text(whole)

    for line in lines:
        if found := _ANCHOR.match(line):
            yield from flush()
            anchor = found[1]
        elif found := _HEADING.match(line):
            yield from flush()
            if not anchor:
                raise ValueError(f"The heading {found[2]!r} has no anchor: write (name)= above it.")
            yield Heading(found[2], anchor, len(found[1]))
            anchor = ""
        elif found := _FENCE.match(line):
            yield from flush()
            yield _fenced(found[1].strip(), lines)
        else:
            text.append(line)
    yield from flush()


def _fenced(label: str, lines: Iterator[str]) -> Code | Stage | Table:
    inside = []
    for line in lines:
        if line == "```":
            break
        inside.append(line)
    else:
        raise ValueError(f"The block ```{label} is not closed.")
    if directive := _DIRECTIVE.match(label):
        return (Stage if directive[1] == "stage" else Table)(directive[2])
    if label.startswith("{"):
        raise ValueError(f"The block {label} is unknown: known are lapviz-stage and lapviz-table.")
    return Code("\n".join(inside), label)


def citations() -> tuple[Citation, ...]:
    """Every reference to a place of a paper."""
    whole = "\n".join(
        part.text if isinstance(part, Heading) else part.markdown
        for part in parts()
        if isinstance(part, Heading | Text)
    )
    return tuple(Citation(*found) for found in _CITATION.findall(whole))


def anchors() -> frozenset[str]:
    """Every name that a link within the notes can have."""
    return frozenset(part.anchor for part in parts() if isinstance(part, Heading))


def codes(language: str = "python") -> tuple[str, ...]:
    """Blocks of code in that language, in order."""
    found = (p for p in parts() if isinstance(p, Code) and p.language == language)
    return tuple(code.text for code in found)
