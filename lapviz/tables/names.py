"""Names of columns: one line, without control characters, unique; and numbers with their nouns."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Container, Sequence

LENGTH = 100
# Control characters, direction overrides, zero-width characters, byte order marks, surrogates.
HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}"
    r"\x{2060}-\x{2069}\x{feff}\x{fff9}-\x{fffb}"
)
_HIDDEN = re.compile("[" + re.sub(r"\\x\{(\w+)\}", lambda m: f"\\u{m[1]:0>4}", HIDDEN) + "]")


def clean(text: str) -> str:
    """The text on one line, without hidden characters, not too long."""
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", re.sub(r"\s+", " ", text))).strip()
    text = "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000)
    return text if len(text) <= LENGTH else text[: LENGTH - 1].rstrip() + "…"


def unused_name(name: str, taken: Container[str]) -> str:
    """The name, with an apostrophe for each time that it is taken."""
    while name in taken:
        name += "'"
    return name


def counted(count: int, noun: str) -> str:
    """The number with its noun: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def tidy(names: Sequence[str]) -> tuple[list[str], str]:
    """Unique names, and what was done to get them."""
    plain = [clean(name) for name in names]
    cleaned, filled = sum(bool(_HIDDEN.search(name)) for name in names), plain.count("")
    unique, taken, repeated = dict[str, None](), set(plain), 0
    for place, name in enumerate(plain, 1):
        new = name = name or f"column {place}"
        if name in unique:
            repeated += 1
            others = (f"{name} ({number})" for number in itertools.count(2))
            new = next(other for other in others if other not in unique and other not in taken)
        unique[new] = None
    done = "; ".join(
        words
        for count, words in (
            (filled, f"{counted(filled, 'blank column name')} filled"),
            (repeated, f"{counted(repeated, 'repeated column name')} numbered"),
            (cleaned, f"hidden characters taken out of {counted(cleaned, 'column name')}"),
        )
        if count
    )
    return list(unique), done[:1].upper() + done[1:] + "." if done else ""
