"""Column names (one line, no control characters, unique), lists of names, and counts with nouns."""

from __future__ import annotations

import csv
import itertools
import re
import unicodedata
from collections.abc import Container, Iterable, Sequence

LENGTH = 100
# Control characters, direction overrides, zero-width characters, byte order marks, surrogates.
HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}"
    r"\x{2060}-\x{2069}\x{feff}\x{fff9}-\x{fffb}"
)
_HIDDEN = re.compile("[" + re.sub(r"\\x\{(\w+)\}", lambda m: f"\\u{m[1]:0>4}", HIDDEN) + "]")


def clean(text: str) -> str:
    """Return the text on one line, without hidden characters, cut to ``LENGTH``."""
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", re.sub(r"\s+", " ", text))).strip()
    text = "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000)
    return text if len(text) <= LENGTH else text[: LENGTH - 1].rstrip() + "…"


def unused_name(name: str, taken: Container[str]) -> str:
    """Append apostrophes to the name until it is not taken."""
    while name in taken:
        name += "'"
    return name


def joined(names: Iterable[str]) -> str:
    """Return names joined by commas; those with commas are in quotes, as in a CSV file."""

    def quoted(name: str) -> str:
        return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name

    return ", ".join(map(quoted, names))


def split(text: str) -> list[str]:
    """Return the names in a text, the inverse of :func:`joined`; without blanks around them."""
    lines = csv.reader(text.splitlines(), skipinitialspace=True)
    parts = (name.strip() for line in lines for name in line)
    return list(filter(None, parts))


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def unique_names(names: Sequence[str]) -> tuple[list[str], str]:
    """Clean column names and make them unique; also a sentence on what was changed."""
    plain = [clean(name) for name in names]
    cleaned, filled = sum(bool(_HIDDEN.search(name)) for name in names), plain.count("")
    unique, taken, repeated = dict[str, None](), set(plain), 0
    for number, name in enumerate(plain, 1):
        new = name = name or f"column {number}"
        if name in unique:
            repeated += 1
            candidates = (f"{name} ({i})" for i in itertools.count(2))
            new = next(c for c in candidates if c not in unique and c not in taken)
        unique[new] = None
    done = "; ".join(
        text
        for count, text in (
            (filled, f"{counted(filled, 'blank column name')} filled"),
            (repeated, f"{counted(repeated, 'repeated column name')} numbered"),
            (cleaned, f"hidden characters removed from {counted(cleaned, 'column name')}"),
        )
        if count
    )
    return list(unique), done[:1].upper() + done[1:] + "." if done else ""
